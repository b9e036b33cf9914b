import pytest

from src.commands.ending import run_command
from src.errors import GrambenchError


def raising(error):
    def command():
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (GrambenchError("No pack."), 1, "error: No pack.\n"),
        (ModuleNotFoundError("x", name="spacy"), 1, "error: The package 'spacy' is not installed"),
        (OSError("disk full"), 1, "error: disk full\n"),
        (KeyboardInterrupt(), 130, "Interrupted.\n"),
    ],
)
def test_an_error_is_told_in_a_line_and_by_the_status(capsys, error, status, said):
    assert run_command(raising(error)) == status
    assert capsys.readouterr().err.startswith(said)


def test_a_command_that_ends_well_says_nothing_more(capsys):
    assert run_command(lambda: print("done")) == 0
    assert capsys.readouterr() == ("done\n", "")


def test_an_error_of_ours_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run_command(raising(ZeroDivisionError()))

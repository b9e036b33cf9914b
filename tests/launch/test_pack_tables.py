from src.launch.tables import _console, _print_table

HEADER = ["name", "paragraphs", "licence"]
ROWS = [["a-pack-of-books", "123456", "to be read by all who like"], ["b", "-", "CC0"]]


def test_a_narrow_terminal_breaks_no_number_and_no_word(capsys):
    console = _console()
    console.width = 20
    _print_table(console, HEADER, ROWS)
    words = capsys.readouterr().out.split()
    assert sorted(words) == sorted(" ".join([*HEADER, *ROWS[0], *ROWS[1]]).split())


def test_without_a_terminal_a_row_is_a_line(capsys):
    _print_table(_console(), HEADER, [["a", "1", "word " * 200]])
    assert len(capsys.readouterr().out.strip().split("\n")) == 2

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from src.errors import GrambenchError
from src.retrieval.batches import check_batch_size, out_of_memory, run_batches


class Machine:
    """Returns [length, first letter] of each text, and has room for so many texts at a time."""

    def __init__(self, room: int = 99, error: Exception | None = None) -> None:
        self.room = room
        self.error = error or RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        self.batches: list[list[str]] = []

    def run(self, batch: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(batch) > self.room:
            raise self.error
        self.batches.append(list(batch))
        return np.array([[len(text), ord(text[0])] for text in batch], dtype=np.float32)


TEXTS = ["aa", "b", "cccc", "dd", "eeeee"]
NAMES = [f"paragraph {text[0]}" for text in TEXTS]
ROWS = [[2, 97], [1, 98], [4, 99], [2, 100], [5, 101]]


def run(machine: Machine, batch_size: int) -> list[list[float]]:
    lengths = [len(text) for text in TEXTS]
    rows: list[list[float]] = run_batches(machine.run, TEXTS, lengths, NAMES, batch_size).tolist()
    return rows


@pytest.mark.parametrize("batch_size", [1, 2, 3, 64])
def test_rows_come_in_the_texts_order(batch_size: int) -> None:
    assert run(Machine(), batch_size) == ROWS


def test_how_many_are_done_is_told() -> None:
    told: list[int] = []
    run_batches(Machine(room=2).run, TEXTS, [len(t) for t in TEXTS], NAMES, 4, told.append)
    assert told == [2, 2, 1]


def test_like_lengths_go_together_the_longest_first() -> None:
    machine = Machine()
    run(machine, 2)
    assert machine.batches == [["eeeee", "cccc"], ["aa", "dd"], ["b"]]


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("CUDA out of memory"),
        RuntimeError("[ONNXRuntimeError] Failed to allocate memory for requested buffer"),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"),
        RuntimeError("[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : std::bad_alloc"),
        MemoryError(),
    ],
)
def test_where_memory_runs_out_batches_are_halved(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Machine(room=2, error=error)
    assert run(machine, 5) == ROWS
    assert [len(batch) for batch in machine.batches] == [2, 2, 1]
    assert "batches of 2" in caplog.text


def test_a_gpus_own_error_is_known() -> None:
    import torch

    assert out_of_memory(torch.OutOfMemoryError("x"))
    assert not out_of_memory(RuntimeError("shapes do not match"))


def test_where_pytorch_finds_no_memory_on_a_cpu_batches_are_halved() -> None:
    import torch

    def greedy(batch: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(batch) > 2:
            torch.empty(10**15)
        return np.array([len(text) for text in batch], dtype=np.float32)

    rows = run_batches(greedy, TEXTS, [1] * 5, NAMES, 5)
    assert rows.tolist() == [2, 1, 4, 2, 5]


def test_a_text_too_long_for_memory_is_named() -> None:
    with pytest.raises(GrambenchError, match=r"paragraph e \(length 5\) even alone"):
        run(Machine(room=0), 4)


def test_other_errors_are_not_swallowed() -> None:
    with pytest.raises(RuntimeError, match="shapes"):
        run(Machine(room=0, error=RuntimeError("shapes do not match")), 4)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("batch_size", [1, 5])
def test_what_is_not_finite_is_named(bad: float, batch_size: int) -> None:
    def spoil(batch: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([[1, bad if text == "dd" else 1] for text in batch], dtype=np.float32)

    with pytest.raises(GrambenchError, match="no finite numbers for paragraph d"):
        run_batches(spoil, TEXTS, [1] * 5, NAMES, batch_size)


def test_rows_may_be_single_numbers() -> None:
    rows = run_batches(lambda batch: np.array([len(t) for t in batch]), TEXTS, [1] * 5, NAMES, 2)
    assert rows.tolist() == [2, 1, 4, 2, 5]
    assert rows.dtype == np.float32


def test_no_texts() -> None:
    assert run_batches(Machine().run, [], [], [], 4).size == 0


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "8", None, True])
def test_batch_sizes_that_cannot_be(wrong: object) -> None:
    with pytest.raises(GrambenchError, match=f"batch_size={wrong} must be"):
        check_batch_size(wrong)
    assert check_batch_size(8) == 8

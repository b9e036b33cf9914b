"""Running a model over many texts, batch by batch, whatever memory there is."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError

Item = TypeVar("Item")
Rows = npt.NDArray[np.float32]

# As CUDA, onnxruntime, cuBLAS, C++ (two compilers' words), PyTorch on CPUs and Linux say it.
_OUT_OF_MEMORY = (
    "out of memory",
    "failed to allocate memory",
    "alloc_failed",
    "bad_alloc",
    "bad allocation",
    "can't allocate memory",
    "cannot allocate memory",
)

_SECONDS_IN_A_LOG = 20

_log = logging.getLogger(__name__)


def run_batches(
    run: Callable[[Sequence[Item]], npt.NDArray[Any]],
    items: Sequence[Item],
    lengths: Sequence[int],
    names: Sequence[str],
    batch_size: int,
    advance: Callable[[int], object] = lambda _: None,
) -> Rows:
    """Return ``run``'s rows for all ``items``, in their order.

    Items of like length share a batch, the longest first: little is padded, and memory that will
    not do is found out at once. Where it runs out the batch is halved. ``names`` say what an item
    is in errors; ``advance`` is told how many items were done.

    Raises:
        GrambenchError: a single item does not fit into memory, or its row is not finite.
    """
    order = sorted(range(len(items)), key=lambda i: (-lengths[i], i))
    rows: list[npt.NDArray[Any]] = []
    done, size = 0, batch_size
    while done < len(order):
        batch = order[done : done + size]
        found = _attempt(run, [items[i] for i in batch])
        if found is None:
            if len(batch) == 1:
                raise GrambenchError(_too_long(names[batch[0]], lengths[batch[0]]))
            size = len(batch) // 2
            _log.warning("Out of memory: going on with batches of %d.", size)
            continue
        _check_finite(found, [names[i] for i in batch])
        rows.append(found)
        done += len(batch)
        advance(len(batch))
    if not rows:
        return np.zeros((0, 0), dtype=np.float32)
    gathered = np.concatenate(rows).astype(np.float32, copy=False)
    return gathered[np.argsort(order)]


def check_batch_size(batch_size: object) -> int:
    """Return ``batch_size`` where it is a whole number above 0; else raise GrambenchError."""
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise GrambenchError(f"batch_size={batch_size} must be a whole number, 1 or more.")
    return batch_size


def out_of_memory(error: Exception) -> bool:
    """Tell whether ``error`` says that memory ran out, on a GPU or on the CPU."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return any(words in str(error).lower() for words in _OUT_OF_MEMORY)


def progress(total: int) -> Any:
    """Return a progress bar, shown where the wait is long; a log gets a line each 20 seconds."""
    from tqdm import tqdm

    often = 0.1 if sys.stderr.isatty() else _SECONDS_IN_A_LOG
    return tqdm(total=total, unit=" texts", delay=3, mininterval=often, leave=False)


def _attempt(
    run: Callable[[Sequence[Item]], npt.NDArray[Any]], batch: Sequence[Item]
) -> npt.NDArray[Any] | None:
    try:
        return run(batch)
    except Exception as error:
        if not out_of_memory(error):
            raise
    # Only here, outside the handler, is what the failed attempt held no longer referred to.
    free_memory()
    return None


def free_memory() -> None:
    """Give back the GPU memory that no tensor uses any more."""

    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()


def _check_finite(rows: npt.NDArray[Any], names: Sequence[str]) -> None:
    finite = np.isfinite(rows).reshape(len(rows), -1).all(axis=1)
    if not finite.all():
        raise GrambenchError(
            f"The model gives no finite numbers for {names[int(np.argmin(finite))]}. Look at that "
            "text; if it is sound, try reranker.dtype=float32."
        )


def _too_long(name: str, length: int) -> str:
    return (
        f"There is not enough memory for {name} (length {length}) even alone. Use a device with "
        "more memory, device=cpu, a smaller reranker.max_tokens or a smaller model."
    )

"""Values that the runs of one process share: loaded models, vectors already read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from src.retrieval.batches import free_memory

if TYPE_CHECKING:
    from src.retrieval.vectors import VectorStore

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """The few values used last. Thread-safe: a value is made once, also when two ask at a time.

    ``tidy`` is called when a value was let go of to make room for another.
    """

    def __init__(self, size: int, tidy: Callable[[], object] = lambda: None) -> None:
        self._size = size
        self._tidy = tidy
        self._lock = threading.RLock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of ``key``, made by ``make`` where it is not there."""
        with self._lock:
            if key not in self._values:
                # Room is made first: two large models may not fit in memory side by side.
                while len(self._values) >= self._size:
                    self._values.popitem(last=False)
                    self._tidy()
                self._values[key] = make()
            self._values.move_to_end(key)
            return self._values[key]

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()


# One thread at a time computes: models are not made for two, and threads that ask for the same
# texts must not both encode them.
COMPUTING = threading.RLock()

# A sweep in one process reads cached vectors once.
DOCUMENTS: Recent[VectorStore] = Recent(4)
QUERIES: Recent[VectorStore] = Recent(4)

# One for encoders and cross-encoders: of large models, two do not fit into a GPU's memory.
_MODELS: Recent[Any] = Recent(1, tidy=free_memory)


@contextmanager
def loaded(spec: Hashable, load: Callable[[], Value]) -> Iterator[Value]:
    """Give the model of ``spec``, and let no other thread compute while the block lasts.

    A process keeps one model, the last; another is let go of before ``load`` is called.
    """
    with COMPUTING:
        yield _MODELS.get(spec, load)


def forget_models() -> None:
    """Let go of the models and vectors that this process keeps in memory."""
    with COMPUTING:
        for recent in (_MODELS, DOCUMENTS, QUERIES):
            recent.clear()

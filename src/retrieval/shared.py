"""Values that the runs of one process share: loaded models, vectors already read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """The few values used last. Thread-safe: a value is made once, also when two ask at a time."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.RLock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of ``key``, made by ``make`` where it is not there."""
        with self._lock:
            if key not in self._values:
                # Room is made first: two large models may not fit in memory side by side.
                while len(self._values) >= self._size:
                    self._values.popitem(last=False)
                self._values[key] = make()
            self._values.move_to_end(key)
            return self._values[key]

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()

import threading
import time

from src.retrieval.shared import Recent


def test_the_value_used_longest_ago_goes_before_another_is_made() -> None:
    recent: Recent[str] = Recent(2)
    there_while_made: list[set[object]] = []

    def make(value: str) -> str:
        there_while_made.append(set(recent._values))
        return value

    for key in ("a", "b", "a", "c", "b"):
        assert recent.get(key, lambda key=key: make(key)) == key  # type: ignore[misc]
    assert there_while_made == [set(), {"a"}, {"a"}, {"c"}]


def test_tidying_comes_between_letting_go_and_making() -> None:
    done: list[str] = []
    recent: Recent[str] = Recent(1, tidy=lambda: done.append(f"tidy {list(recent._values)}"))
    for key in ("a", "a", "b"):
        recent.get(key, lambda key=key: done.append(key) or key)  # type: ignore[misc]
    assert done == ["a", "tidy []", "b"]


def test_two_threads_make_a_value_once() -> None:
    recent: Recent[object] = Recent(1)
    made: list[object] = []

    def make() -> object:
        time.sleep(0.05)
        made.append(object())
        return made[-1]

    got: list[object] = []
    threads = [threading.Thread(target=lambda: got.append(recent.get("x", make))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == made * 3


def test_clear() -> None:
    recent: Recent[int] = Recent(1)
    recent.get("x", lambda: 1)
    recent.clear()
    assert recent.get("x", lambda: 2) == 2

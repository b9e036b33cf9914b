import os
import signal

import pytest

from src.launch import signals


@pytest.fixture
def handlers():
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signals.end_on_signals()
    yield
    signals._received.clear()
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_a_signal_that_was_swallowed_is_raised_again(handlers, number, raised):
    signals.end_if_interrupted()
    with pytest.raises(raised):
        os.kill(os.getpid(), number)
    with pytest.raises(raised):
        signals.end_if_interrupted()

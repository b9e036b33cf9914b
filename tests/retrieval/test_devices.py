import pytest

from src.errors import GrambenchError
from src.retrieval import devices
from src.retrieval.devices import pick_device, pick_dtype, threads


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> "Gpus":
    return Gpus(monkeypatch)


class Gpus:
    """Says how many GPUs the driver and PyTorch see, which a test cannot bring about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def are(self, of_driver: int, of_torch: int) -> None:
        self._patch.setattr(devices, "_driver_devices", lambda: of_driver)
        self._patch.setattr(devices, "_torch_devices", lambda: of_torch)


def test_the_driver_can_be_asked_anywhere() -> None:
    assert devices._driver_devices() >= 0
    assert devices._torch_devices() >= 0


@pytest.mark.parametrize(
    ("asked", "driver", "torch", "found"),
    [
        ("cpu", 2, 2, "cpu"),
        ("auto", 0, 0, "cpu"),
        ("auto", 2, 2, "cuda"),
        ("auto", 1, 0, "cpu"),  # a GPU, but a PyTorch for CPUs
        ("cuda", 1, 1, "cuda"),
        ("cuda:1", 2, 2, "cuda:1"),
    ],
)
def test_pick_device(gpus: Gpus, asked: str, driver: int, torch: int, found: str) -> None:
    gpus.are(driver, torch)
    assert pick_device(asked) == found


@pytest.mark.parametrize(
    ("asked", "torch", "message"),
    [
        ("gpu", 1, "write auto, cpu, cuda or cuda:n"),
        ("cuda:", 1, "device=cuda: is no device.*Did you mean 'cuda"),
        ("cuda:-1", 1, "is no device"),
        ("cuda:0,1", 2, "is no device"),
        ("", 1, "is no device"),
        ("cuda", 0, "no CUDA device here. Use device=cpu.*CUDA build of PyTorch"),
        ("cuda:2", 2, "only 2 CUDA devices"),
    ],
)
def test_devices_that_are_not_there(gpus: Gpus, asked: str, torch: int, message: str) -> None:
    gpus.are(torch, torch)
    with pytest.raises(GrambenchError, match=message):
        pick_device(asked)


@pytest.mark.parametrize(
    ("dtype", "device", "found"),
    [
        ("float32", "cpu", "float32"),
        ("bfloat16", "cpu", "bfloat16"),
        ("float16", "cpu", "float32"),
        ("float16", "cuda", "float16"),
    ],
)
def test_pick_dtype(dtype: str, device: str, found: str, caplog: pytest.LogCaptureFixture) -> None:
    assert pick_dtype(dtype, device) == found
    assert ("float32 is used instead" in caplog.text) == (dtype != found)


@pytest.mark.parametrize(("capability", "found"), [((7, 5), "float32"), ((8, 0), "bfloat16")])
def test_gpus_before_ampere_lack_bfloat16(
    monkeypatch: pytest.MonkeyPatch, capability: tuple[int, int], found: str
) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert pick_dtype("bfloat16", "cuda:0") == found


def test_an_unknown_dtype_is_refused() -> None:
    with pytest.raises(GrambenchError, match="Did you mean 'bfloat16'"):
        pick_dtype("bfloat", "cpu")


@pytest.mark.parametrize(("said", "found"), [("3", 3), ("1", 1)])
def test_threads_as_the_launcher_says(
    monkeypatch: pytest.MonkeyPatch, said: str, found: int
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert threads() == found


@pytest.mark.parametrize("said", ["", "0", "many"])
def test_threads_as_there_are_cpus(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    monkeypatch.setattr(devices.os, "sched_getaffinity", lambda _: {3, 5, 7}, raising=False)
    assert threads() == 3

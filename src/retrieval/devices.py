"""Where a model computes, and in which number format."""

from __future__ import annotations

import ctypes
import logging
import os
import re

from src.errors import GrambenchError, suggest

DTYPES = ("float32", "bfloat16", "float16")

_log = logging.getLogger(__name__)


def pick_device(device: str) -> str:
    """Return ``cpu``, ``cuda`` or ``cuda:n`` for ``auto``, ``cpu``, ``cuda`` or ``cuda:n``.

    Raises GrambenchError for other words, and for a GPU that is not there.
    """
    number = check_device(device)
    if device == "cpu":
        return device
    if device == "auto":
        return "cuda" if _driver_devices() and _torch_devices() else "cpu"
    there = _torch_devices()
    if there == 0:
        raise GrambenchError(
            f"device={device}, but PyTorch sees no CUDA device here. Use device=cpu or "
            "device=auto, or install a CUDA build of PyTorch (https://pytorch.org/get-started)."
        )
    if number is not None and number >= there:
        raise GrambenchError(
            f"device={device}, but there are only {there} CUDA devices here, counted from cuda:0."
        )
    return device


def check_device(device: str) -> int | None:
    """Return n of ``cuda:n``, None for the other words that name a device; look at no hardware.

    Raises GrambenchError for a word that names none.
    """
    asked = re.fullmatch(r"auto|cpu|cuda(?::(\d+))?", device)
    if asked is None:
        hint = suggest(device, ("auto", "cpu", "cuda", "cuda:0"))
        raise GrambenchError(
            f"device={device} is no device; write auto, cpu, cuda or cuda:n (n from 0).{hint}"
        )
    return int(asked[1]) if asked[1] is not None else None


def pick_dtype(dtype: str, device: str) -> str:
    """Return the number format to compute in: ``dtype``, or float32 where the device lacks it.

    What is used instead is logged, and vectors are cached under the format that they were
    computed in.
    """
    used = dtype_in_effect(dtype, device)
    if used != dtype:
        _log.warning("%s cannot compute in %s: %s is used instead.", device, dtype, used)
    return used


def dtype_in_effect(dtype: str, device: str) -> str:
    """Return what ``pick_dtype`` does, and log nothing.

    CPUs compute in bfloat16, GPUs before Ampere do not; float16 is for GPUs only.
    """
    if dtype not in DTYPES:
        raise GrambenchError(
            f"dtype '{dtype}' is unknown; write {', '.join(DTYPES)}.{suggest(dtype, DTYPES)}"
        )
    return dtype if dtype == "float32" or _can(dtype, device) else "float32"


def threads() -> int:
    """Return how many CPU threads to use: OMP_NUM_THREADS, or the CPUs that this process may use.

    Launchers of parallel jobs set the variable, and schedulers limit the CPUs.
    """
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _can(dtype: str, device: str) -> bool:
    if device == "cpu":
        return dtype == "bfloat16"
    if dtype == "float16":
        return True
    import torch

    major, _ = torch.cuda.get_device_capability(device)
    return bool(major >= 8)


def _driver_devices() -> int:
    """Ask the GPU driver how many devices there are: importing torch to ask takes two seconds."""
    try:
        driver = ctypes.CDLL("nvcuda.dll" if os.name == "nt" else "libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def _torch_devices() -> int:
    import torch

    return torch.cuda.device_count() if torch.cuda.is_available() else 0

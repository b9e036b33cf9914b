"""A GGUF model served in this process by llama.cpp, through an OpenAI-compatible endpoint."""

from __future__ import annotations

import http.client
import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from src.errors import GrambenchError
from src.llm.ending import end_without_teardown, keep_for_ever
from src.models.finding import find_file
from src.models.fingerprints import fingerprint
from src.records import Message

_SECONDS = 60.0
_WAITING = "OMP_WAIT_POLICY"


@dataclass(frozen=True, kw_only=True)
class LlamaServer:
    """Serves a GGUF in this process; one server a process, model and setting.

    ``model`` is ``package:NAME/FILE`` or a path, ``revision`` the package's version. ``context``
    is what a prompt and its reply may have together, in tokens, in each of ``slots``.

    With one slot a reply at temperature 0 depends on its prompt alone, not on what was asked before
    or is asked beside it: nothing is kept from one prompt for the next, and requests wait for one
    another. With more slots, requests are computed together and can change one another's last
    digits. ``threads`` is a fixed number, not that of the machine, since sums over other shares
    differ in their last digits too.
    """

    model: str
    revision: str = ""
    context: int = 4096
    slots: int = 1
    threads: int = 2
    batch: int = 512
    gpu_layers: int = 0

    def start(self) -> str:
        """Start the server, unless it runs already, and return its base URL, which ends in /v1.

        Raises:
            GrambenchError: the model is not there, is none, or reads less than ``context``.
        """
        return f"{self._address()}/v1"

    def count(self, messages: Sequence[Message]) -> int:
        """Return how many tokens a prompt has with its template, exactly.

        Raises:
            GrambenchError: the model's template refuses such messages.
        """
        sent = [{"role": message.role, "content": message.content} for message in messages]
        found = _post(self._address(), "/v1/chat/completions/input_tokens", {"messages": sent})
        return int(found["input_tokens"])

    def identity(self) -> str:
        """Return what replies depend on beside the request; starts nothing."""
        content = fingerprint(find_file(self.model, self.revision))
        settings = (self.slots, self.threads, self.batch, self.gpu_layers)
        return ":".join((content, version(), *map(str, settings)))

    def _address(self) -> str:
        path = find_file(self.model, self.revision).absolute()
        key = (os.getpid(), replace(self, model=str(path), revision=""))
        with _lock:
            if key not in _addresses:
                _addresses[key] = _serve(path, self)
            return _addresses[key]


# A forked process has none of its parent's threads, and starts a server of its own.
_addresses: dict[tuple[int, LlamaServer], str] = {}
_lock = threading.Lock()


def version() -> str:
    """Return the version of llama.cpp's binding, ``""`` where it is not installed."""
    from importlib import metadata

    try:
        return metadata.version("xllamacpp")
    except metadata.PackageNotFoundError:
        return ""


def _load() -> Any:
    # OpenMP reads this once, when it is loaded with the library. Threads that wait for others by
    # spinning bring each other to a standstill where another process wants the same cores.
    policy = os.environ.get(_WAITING)
    os.environ.setdefault(_WAITING, "PASSIVE")
    try:
        import xllamacpp
    finally:
        if policy is None:
            del os.environ[_WAITING]
    return xllamacpp


def _serve(path: Path, settings: LlamaServer) -> str:
    try:
        xllamacpp = _load()
    except ImportError as error:
        raise GrambenchError(
            f"To run {path.name} in this process, xllamacpp is needed: pip install xllamacpp"
        ) from error
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise GrambenchError(f"{path} is no GGUF file: llama.cpp reads only those.")
    try:
        server = xllamacpp.Server(_params(xllamacpp.CommonParams(), path, settings))
    except RuntimeError as error:
        raise GrambenchError(
            f"llama.cpp cannot load {path} with a context of {settings.context} tokens: the file"
            " is damaged, its architecture is too new for the installed xllamacpp, or there is"
            " too little memory."
        ) from error
    # Destroying a server waits for the replies that it is at.
    keep_for_ever(server)
    end_without_teardown()
    address = str(server.listening_address)
    _check_context(address, path, settings.context)
    return address


def _params(params: Any, path: Path, settings: LlamaServer) -> Any:
    params.model.path = str(path)
    # The name that replies bear: without it they would tell where the file lies.
    params.model_alias = {path.stem}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = settings.slots
    params.n_ctx = settings.context * settings.slots
    params.fit_params = False
    params.n_batch = params.n_ubatch = settings.batch
    params.n_gpu_layers = settings.gpu_layers
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = settings.threads
    # What is kept of a prompt changes the batches that the next one is computed in.
    params.cache_prompt = params.cache_idle_slots = False
    params.cache_ram_mib = 0
    params.cont_batching = settings.slots > 1
    params.ui = False
    params.verbosity = 0
    return params


def _check_context(address: str, path: Path, context: int) -> None:
    trained = int(_get(address, "/v1/models")["data"][0]["meta"]["n_ctx_train"])
    if context > trained:
        raise GrambenchError(
            f"{path.name} reads {trained} tokens, fewer than llm.context={context}: lower it."
        )


def _get(address: str, path: str) -> Any:
    return _ask(address, "GET", path, None)


def _post(address: str, path: str, body: Mapping[str, Any]) -> Any:
    return _ask(address, "POST", path, json.dumps(body).encode())


def _ask(address: str, method: str, path: str, body: bytes | None) -> Any:
    connection = http.client.HTTPConnection(str(urlsplit(address).netloc), timeout=_SECONDS)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        found = json.loads(response.read())
    finally:
        connection.close()
    if response.status != http.client.OK:
        said = found.get("error", {}).get("message", "") if isinstance(found, dict) else ""
        raise GrambenchError(f"llama.cpp refuses the prompt: {said or response.status}")
    return found

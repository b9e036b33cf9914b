"""An OpenAI-compatible endpoint: one request, one response, or why there is none."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import json
import logging
import socket
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Self
from urllib.parse import urlsplit

from src.errors import GrambenchError
from src.llm.keys import OPENAI, Key
from src.llm.outcomes import Again, Never
from src.llm.received import fault_of
from src.llm.refusals import refused

_CONNECT = 20.0


class Endpoint:
    """Sends bodies to ``/chat/completions``; an async context manager.

    ``is_ours``: it is a server of this process, which may call its model as it likes. The openai
    SDK makes the client; its typed methods and their retries are not used, so that a response stays
    the JSON that it is. They would also take a third of the CPU.
    """

    def __init__(
        self,
        base_url: str | None,
        key: Key,
        *,
        timeout: float,
        concurrency: int,
        is_ours: bool = False,
    ) -> None:
        self.url = (base_url or OPENAI).rstrip("/")
        self.is_ours = is_ours
        self._key = key
        self._timeout = timeout
        self._concurrency = concurrency
        if not _is_address(self.url):
            raise GrambenchError(
                f"llm.base_url '{key.scrub(self.url)}' is no address of an endpoint; it begins with"
                " http:// or https:// and ends, mostly, in /v1."
            )

    async def __aenter__(self) -> Self:
        import httpx2
        import openai

        _quiet()
        # aiohttp below the SDK takes 40 % less of the CPU than its default transport does. There
        # is a connection for each request; a proxy has no business between us and this machine.
        places = self._concurrency
        self._http = openai.DefaultAioHttpClient(
            limits=httpx2.Limits(max_connections=places, max_keepalive_connections=places),
            trust_env=not is_here(self.url),
        )
        self._client = openai.AsyncOpenAI(
            base_url=self.url, api_key=self._key.value, http_client=self._http
        )
        named = {**self._client.default_headers, **self._client.auth_headers}
        headers = {name: value for name, value in named.items() if isinstance(value, str)}
        # In all it is `_post` that keeps the time: the limit of a transport is one between bytes.
        timeout = httpx2.Timeout(None, connect=min(self._timeout, _CONNECT))
        self._request = partial(
            httpx2.Request,
            "POST",
            httpx2.URL(f"{self.url}/chat/completions"),
            headers=httpx2.Headers(headers),
            extensions={"timeout": timeout.as_dict()},
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def send(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the response, which is a reply of the model that was asked.

        Raises:
            Again: it failed, and may do better next time.
            Never: it will not take this request.
            GrambenchError: it will take no request.
        """
        got = await self._post(body)
        if isinstance(got, Exception):
            raise got
        raw, clean = self._parsed(got)
        fault = fault_of(clean)
        if fault is not None:
            raise self._meaning_of_error(clean) or Again(self._key.scrub(fault))
        # Of the response as it came: a key may be part of a model's name.
        asked, named = str(body.get("model", "")), str(raw.get("model") or "")
        if not (self.is_ours or is_same_model(asked, named)):
            raise Again(
                f"the model '{asked}' was asked, and '{self._key.scrub(named)}' answered. If that"
                " is the same model, give llm.model the name by which the endpoint calls it"
            )
        return clean

    async def _post(self, body: Mapping[str, Any]) -> bytes | Exception:
        """Return the body of a response of status 200, or what to raise.

        It is not raised here: a transport's exceptions may hold the key, and would be shown too.
        """
        try:
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:
            return Never("rejected", "the prompt holds characters that are no Unicode")
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._http.send(
                    self._request(content=content), follow_redirects=False
                )
        except TimeoutError:
            return Again(f"no answer within {self._timeout:g} s")
        except Exception as error:
            # Whatever a transport may raise: it is about this request, and may pass.
            cause = self._key.scrub(str(error)) or type(error).__name__
            nobody = not self.is_ours and is_nobody(error)
            return Again(f"no connection to {self.place}: {cause}", nobody=nobody)
        if response.is_success:
            return bytes(response.content)
        if response.is_redirect:
            # Followed, it might lead to somebody who has no business with prompts.
            to = self._key.scrub(response.headers["location"].partition("?")[0])
            return GrambenchError(
                f"{self.place} redirects to {to}: give llm.base_url that address."
            )
        return refused(response.status_code, response.headers, self._key.scrub(response.text))

    def _parsed(self, content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a response as it came, and without the key."""
        fault = "the response is no JSON, or half of one"
        with suppress(ValueError, RecursionError):
            parsed = json.loads(content)
            if isinstance(parsed, dict):
                return parsed, self._key.remove_within(parsed)
            fault = "the response is no JSON object"
        raise Again(fault)

    def _meaning_of_error(self, raw: Mapping[str, Any]) -> Exception | None:
        """Return what an error in the place of a reply means, where it has a status of its own."""
        error = raw.get("error")
        code = error.get("code") if isinstance(error, Mapping) else None
        if not isinstance(code, int) or not 400 <= code < 600:
            return None
        return refused(code, {}, self._key.scrub(json.dumps(raw)))

    @property
    def place(self) -> str:
        """The endpoint's host and port; the rest of an address may hold secrets."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def is_here(url: str) -> bool:
    """Tell whether an address is one of this machine, between which and us there is no proxy."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def is_nobody(error: BaseException | None) -> bool:
    """Tell whether a connection failed since nobody listens at an address, or there is no such."""
    while error is not None:
        if isinstance(error, OSError) and error.errno == errno.ECONNREFUSED:
            return True
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
            return True
        error = error.__cause__ or error.__context__
    return False


def is_same_model(asked: str, named: str) -> bool:
    """Tell whether an endpoint's name of a model can be that of the one that was asked.

    Snapshots have a longer name than was asked; local servers answer with an alias or a path.
    """
    mine, theirs = _last(asked), _last(named)
    return not named or mine in theirs or theirs in mine


def _last(name: str) -> str:
    return PurePosixPath(name.lower().replace("\\", "/")).name.removesuffix(".gguf")


def _quiet() -> None:
    """Let no library write a line for each request, nor what it sends."""
    for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)

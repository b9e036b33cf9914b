"""The files and batches endpoints of the Batch API: one call, its JSON, or why there is none."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

from src.llm.batch_files import URL
from src.llm.card import ChatCard
from src.llm.endpoint import Endpoint
from src.llm.keys import find_key
from src.llm.outcomes import Again, Never
from src.llm.refusals import refused

ENDED = ("completed", "failed", "expired", "cancelled")

_LOCAL = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}
_PAGE = 100


class Full(Exception):
    """The endpoint holds as many tokens in batches as it will."""


class NotThere(Exception):
    """The endpoint does not know this file or batch."""


class BatchEndpoint:
    """Calls the endpoint of a card; a context manager.

    Every call raises Again where the fault may pass, Never where the call is refused, and
    GrambenchError where all calls would be.
    """

    def __init__(self, card: ChatCard) -> None:
        self._key = find_key(card.key_env)
        online = Endpoint(card.base_url, self._key, timeout=card.timeout, concurrency=1)
        self.url = online.url
        self.place = online.place
        # What the store may say of it: not all of an address is for everybody's eyes.
        parts = urlsplit(self.url)
        bare = urlunsplit((parts.scheme, self.place, parts.path, "", ""))
        self.address = self._key.remove(bare)
        self._timeout = card.timeout
        self._window = str(card.batch.get("window", "24h"))

    def __enter__(self) -> Self:
        import openai

        for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)  # no line for each request
        self._openai = openai
        self._client = openai.OpenAI(
            base_url=self.url,
            api_key=self._key.value,
            max_retries=0,  # every call is made again in the next round
            timeout=self._timeout,
            http_client=openai.DefaultHttpxClient(
                trust_env=urlsplit(self.url).hostname not in _LOCAL
            ),
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def scrub(self, text: str) -> str:
        """Return a text without the key."""
        return self._key.scrub(text)

    def upload(self, content: bytes, name: str) -> str:
        """Upload a file of requests; return its id."""
        with self._faults():
            response = self._client.files.with_raw_response.create(
                file=(name, content, "application/jsonl"), purpose="batch"
            )
        return str(self._parsed(response.content)["id"])

    def create(self, file: str, about: Mapping[str, str]) -> str:
        """Create a batch of an uploaded file; return its id.

        After Again, nobody knows whether it was created: it is not tried twice here.

        Raises:
            Full: not now.
        """
        with self._faults():
            response = self._client.batches.with_raw_response.create(
                input_file_id=file,
                endpoint=URL,
                completion_window=self._window,  # type: ignore[arg-type]
                metadata=dict(about),
            )
        return str(self._parsed(response.content)["id"])

    def retrieve(self, id: str) -> dict[str, Any]:
        """Return how a batch is doing.

        Raises:
            NotThere: the endpoint does not know it.
        """
        with self._faults():
            response = self._client.batches.with_raw_response.retrieve(id)
        return self._parsed(response.content)

    def batches(self) -> Iterator[Mapping[str, Any]]:
        """Yield all batches of the account that the key belongs to, the newest first."""
        after: dict[str, Any] = {}
        while True:
            with self._faults():
                response = self._client.batches.with_raw_response.list(limit=_PAGE, **after)
            page = self._parsed(response.content, needed="data")
            found = [batch for batch in page["data"] if isinstance(batch, dict)]
            yield from found
            if not found or not page.get("has_more") or after.get("after") == found[-1].get("id"):
                return
            after = {"after": found[-1].get("id")}

    def is_busy(self) -> bool:
        """Tell whether any of the account's latest batches runs."""
        latest = islice(self.batches(), _PAGE)
        return any(batch.get("status") not in ENDED for batch in latest)

    def content(self, file: str) -> bytes:
        """Return a file's content, without the key should it be there.

        Raises:
            NotThere: the file is gone.
        """
        with self._faults():
            content = self._client.files.content(file).content
        text = content.decode(errors="replace")
        return self._key.remove(text).encode() if self._key.is_in(text) else content

    def _parsed(self, content: bytes, *, needed: str = "id") -> dict[str, Any]:
        try:
            parsed = json.loads(content)
        except ValueError:
            raise Again("the response is no JSON, or half of one") from None
        if not isinstance(parsed, dict) or needed not in parsed:
            raise Again(f"the response lacks '{needed}'")
        return parsed

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn the SDK's exceptions into ours; nothing of theirs, which may show a key, is kept."""
        openai = self._openai
        try:
            yield
        except openai.APITimeoutError:
            raise Again(f"no answer within {self._timeout:g} s") from None
        except openai.APIStatusError as error:
            told = self.scrub(error.response.text)
            raise self._meaning(error.status_code, error.response.headers, told) from None
        except openai.APIConnectionError as error:
            cause = self.scrub(str(error.__cause__ or error)) or type(error).__name__
            raise Again(f"no connection to {self.place}: {cause}") from None

    def _meaning(self, status: int, headers: Mapping[str, str], told: str) -> Exception:
        if status in (400, 429) and is_full(told):
            return Full(explained(refused(400, {}, told)))
        if status in (404, 405):
            return NotThere(explained(refused(status, {}, told)))
        if status == 400 and "cannot find file" in told.lower():
            return Again("the endpoint does not see the uploaded file yet")
        return refused(status, headers, told)


def is_full(told: str) -> bool:
    """Tell whether an error says that too many tokens wait in batches already."""
    lowered = told.lower()
    return "token_limit_exceeded" in lowered or "enqueued" in lowered


def explained(fault: Exception) -> str:
    """Return what a fault says."""
    return fault.why if isinstance(fault, Again | Never) else str(fault)

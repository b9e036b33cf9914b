"""Looking after batches that were sent: replies are stored, and what has none is sorted out."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from src.llm.batch_asked import Asked, Troubles, patience_of
from src.llm.batch_endpoint import ENDED, BatchEndpoint, NotThere, explained, is_full
from src.llm.batch_files import Part
from src.llm.batch_ledger import Ledger, age_of, file_of, is_being_created
from src.llm.batch_results import Results, Unanswered, read_results, unanswered_of
from src.llm.batch_submitting import Submitter
from src.llm.card import ChatCard
from src.llm.endpoint import is_same_model
from src.llm.outcomes import Again, Never
from src.llm.received import reply_of
from src.llm.store import ReplyStore
from src.llm.stored_batches import StoredBatch
from src.records import Failure

_log = logging.getLogger(__name__)

_READINGS = 3  # of result files that come incomplete
_FRESH = 300.0  # seconds in which an endpoint may yet come to know a batch
_LOST = 2 * 86_400.0  # seconds; no batch runs so long
_MARGIN = 86_400  # seconds by which the endpoint's clock may differ


class Collector:
    """Looks after the open batches that hold requests of ours."""

    def __init__(
        self,
        card: ChatCard,
        asked: Asked,
        endpoint: BatchEndpoint,
        ledger: Ledger,
        store: ReplyStore,
        submitter: Submitter,
    ) -> None:
        self._card = card
        self._asked = asked
        self._endpoint = endpoint
        self._ledger = ledger
        self._store = store
        self._submitter = submitter
        self._troubles = Troubles(patience_of(card))
        self._readings: Counter[str] = Counter()
        self._seen_running: set[str] = set()
        self.counts: dict[str, Mapping[str, int]] = {}

    def look(self) -> bool:
        """Look at every batch once; tell whether one has ended, or none is left."""
        batches = self._ledger.open_ones(self._asked.missing())
        self.counts = {batch.id: self.counts.get(batch.id, {}) for batch in batches}
        ended = [batch for batch in batches if self._has_ended(batch)]
        return bool(ended) or not batches

    def _has_ended(self, batch: StoredBatch) -> bool:
        try:
            file = file_of(batch)
            ended = self._look_at(batch) if file is None else self._identify(batch, file)
        except Again as fault:
            self._wait_for_better(batch, fault)
            return False
        except NotThere as fault:
            return self._lost(batch, fault)
        except Never as fault:
            self._fail(batch, f"batch {batch.id}: {explained(fault)}")
            return False
        self._troubles.over(batch.id)
        return ended

    def _look_at(self, batch: StoredBatch) -> bool:
        state = self._endpoint.retrieve(batch.id)
        self.counts[batch.id] = _counts(state)
        if state.get("status") not in ENDED:
            self._seen_running.add(batch.id)
            return False
        keys = self._ledger.take(batch.id)
        return bool(keys) and self._sort_out(batch, state, keys)

    def _sort_out(self, batch: StoredBatch, state: Mapping[str, Any], keys: Sequence[str]) -> bool:
        """Collect what was taken; tell whether that may have made room for others."""
        missing = set(self._asked.missing())
        ours = [key for key in keys if key in missing]
        settled = False
        try:
            if state["status"] == "failed":
                settled = True
                return self._failed(batch.id, state, keys, ours)
            settled = bool(ours) and self._collect(batch, state, keys, ours)
            return settled
        finally:
            if not settled:  # hand it back
                self._ledger.settle(batch.id, str(state["status"]), [])

    def _collect(
        self, batch: StoredBatch, state: Mapping[str, Any], keys: Sequence[str], ours: Sequence[str]
    ) -> bool:
        results = read_results(self._files(batch.id, state), keys)
        self._readings[batch.id] += 1
        if results.broken and self._readings[batch.id] < _READINGS:
            return False  # half a file may be half a download
        self._remark(batch.id, state, keys, results)
        for key in ours:
            if key in results.replies:
                self._keep(key, results.replies[key], batch.scope)
        again = []
        for key in ours:
            if key in self._asked.outcomes:
                continue
            why = self._why(key, batch.id, state, results)
            if self._asked.is_to_be_sent_again(key, why):
                again.append(key)
        self._ledger.settle(batch.id, state["status"], ours, again)
        self._asked.wait(again)
        if again:
            _log.info(
                "%s: batch %s is %s; %d requests of it are sent again.",
                *(self._card.name, batch.id, state["status"], len(again)),
            )
        return True

    def _why(self, key: str, id: str, state: Mapping[str, Any], results: Results) -> Unanswered:
        """Return why a request of a batch that has ended has no reply."""
        if state["status"] == "cancelled" and id in self._seen_running:
            # Whoever cancels a batch does not want it sent again at once.
            why = f"batch {id} was cancelled; started again, this sends what is missing anew"
            return Unanswered(Failure("server", why), again=False)
        if key in results.replies:
            asked = self._asked.requests[key].body.get("model")
            named = self._endpoint.scrub(str(results.replies[key].get("model")))
            why = f"the model '{asked}' was asked, and '{named}' answered"
            return Unanswered(Failure("server", why), again=True)
        found = results.unanswered.get(key)
        said = f"batch {id} is {state['status']}, without a line for it"
        failure = found.failure if found else Failure("server", said)
        failure = Failure(failure.kind, self._endpoint.scrub(failure.error))
        return Unanswered(failure, again=found is None or found.again)

    def _keep(self, key: str, raw: Mapping[str, Any], scope: str) -> None:
        """Store a reply of the model that was asked."""
        request = self._asked.requests[key]
        if not is_same_model(str(request.body.get("model", "")), str(raw.get("model") or "")):
            return
        at = datetime.now(UTC).isoformat(timespec="seconds")
        reply = reply_of(raw, price=self._card.price, batch=True, seconds=0.0, at=at)
        self._store.put(
            key,
            request=request.body,
            raw=raw,
            seconds=0.0,
            at=at,
            # Where no tokens are counted, the worst is taken to be spent.
            usd=self._asked.worst[key] or None if reply.usd is None else reply.usd,
            scope=scope,
            batch=True,
            repeat=request.question.repeat,
            revision=self._card.weights,
        )
        self._asked.outcomes[key] = reply

    def _files(self, id: str, state: Mapping[str, Any]) -> list[bytes]:
        """Return the output and the error file, as far as there are such."""
        contents = []
        for name in ("output_file_id", "error_file_id"):
            try:
                if state.get(name):
                    contents.append(self._endpoint.content(str(state[name])))
            except NotThere:
                _log.warning("%s: a file of batch %s is gone.", self._card.name, id)
        return contents

    def _remark(
        self, id: str, state: Mapping[str, Any], keys: Sequence[str], results: Results
    ) -> None:
        remarks = list(results.remarks)
        # Lines of what was collected earlier are no strangers, though their keys are forgotten.
        if results.strangers and _counts(state).get("total", len(keys)) == len(keys):
            named = ", ".join(f"'{stranger[:80]}'" for stranger in results.strangers[:3])
            remarks.append(f"{len(results.strangers)} lines answer what was not asked ({named})")
        if remarks:
            said = self._endpoint.scrub("; ".join(remarks[:5]))
            more = f"; and {len(remarks) - 5} more" if len(remarks) > 5 else ""
            _log.warning("%s: batch %s: %s%s.", self._card.name, id, said, more)

    def _failed(
        self, id: str, state: Mapping[str, Any], keys: Sequence[str], ours: Sequence[str]
    ) -> bool:
        """Sort out a batch that failed as a whole, before any of it was asked."""
        errors = _errors(state)
        said = self._endpoint.scrub("; ".join(map(_told, errors)) or "without a reason")
        if is_full(said):
            self._ledger.settle(id, "failed", keys, again=ours)
            requests = tuple(self._asked.requests[key] for key in ours)
            self._submitter.refused(Part(requests, b""), said)
            return False
        code = str(errors[0].get("code") or "") if errors else ""
        again = unanswered_of(code, said).again and code in ("server_error", "internal_error")
        failure = Failure("server" if again else "rejected", f"batch {id} failed: {said}")
        sent = [
            key for key in ours if self._asked.is_to_be_sent_again(key, Unanswered(failure, again))
        ]
        self._ledger.settle(id, "failed", keys, sent)
        self._asked.wait(sent)
        return True

    def _identify(self, batch: StoredBatch, file: str) -> bool:
        """Find out whether a batch was created of which nobody noted that it was."""
        if is_being_created(batch, seconds=float(self._card.batch.get("poll", 30.0))):
            return False
        oldest = datetime.fromisoformat(batch.at).timestamp() - _MARGIN
        for known in self._endpoint.batches():
            if known.get("input_file_id") == file:
                self._ledger.created(batch.id, str(known["id"]), batch.keys, batch.scope)
                _log.info("%s: found batch %s again.", self._card.name, known["id"])
                return False
            if (known.get("created_at") or oldest) < oldest:
                break
        ours = [key for key in self._asked.missing() if key in set(batch.keys)]
        unanswered = Unanswered(Failure("server", "a batch could not be created"), again=True)
        again = [key for key in ours if self._asked.is_to_be_sent_again(key, unanswered)]
        self._ledger.settle(batch.id, "not created", batch.keys, again)
        self._asked.wait(again)
        return True

    def _lost(self, batch: StoredBatch, fault: NotThere) -> bool:
        """Decide on a batch that the endpoint does not know: another key's, or long gone."""
        if age_of(batch) < _FRESH:
            self._wait_for_better(batch, Again(explained(fault)))
            return False
        if age_of(batch) < _LOST:
            self._fail(
                batch,
                f"the endpoint does not know batch {batch.id} ({explained(fault)}). It was sent"
                f" {age_of(batch) / 3600:.1f} hours ago: start again with the key that sent it."
                " After two days its requests are sent anew",
            )
            return False
        _log.warning(
            "%s: the endpoint does not know batch %s any more; its requests are sent anew.",
            *(self._card.name, batch.id),
        )
        self._ledger.settle(batch.id, "lost", batch.keys)
        return True

    def _wait_for_better(self, batch: StoredBatch, fault: Again) -> None:
        first, too_long = self._troubles.note(batch.id)
        if first:
            _log.warning(
                "%s: batch %s cannot be looked at now: %s. It goes on.",
                *(self._card.name, batch.id, fault.why),
            )
        if too_long:
            self._fail(batch, f"{fault.why}. Batch {batch.id} goes on; start again to collect it")

    def _fail(self, batch: StoredBatch, why: str) -> None:
        """Settle what a batch holds of ours, and leave the batch for the next start."""
        held = set(batch.keys)
        keys = [key for key in self._asked.missing() if key in held]
        self._asked.outcomes.update(dict.fromkeys(keys, Failure("server", why)))


def _errors(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    errors = state.get("errors")
    data = errors.get("data") if isinstance(errors, Mapping) else None
    return [error for error in data if isinstance(error, Mapping)] if isinstance(data, list) else []


def _counts(state: Mapping[str, Any]) -> dict[str, int]:
    counts = state.get("request_counts")
    found = counts.items() if isinstance(counts, Mapping) else ()
    return {name: count for name, count in found if isinstance(count, int)}


def _told(error: Mapping[str, Any]) -> str:
    line, code = error.get("line"), error.get("code")
    said = str(error.get("message") or "no message")
    return "".join(
        (f"line {line}: " if line is not None else "", said, f" ({code})" if code else "")
    )

"""The literal strings that a model is sent: a query, perhaps with an instruct, and documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from src.errors import GrambenchError, suggest
from src.records import Search

_PLACE = re.compile(r"\{([A-Za-z_]+)\}")


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put ``values`` into the ``{places}`` of ``template``; braces in the values are kept."""
    return _PLACE.sub(lambda place: values[place[1]], template)


def places(template: str) -> set[str]:
    """Return the names of the ``{places}`` in ``template``."""
    return set(_PLACE.findall(template))


@dataclass(frozen=True)
class Templates:
    """A model card's templates.

    ``query`` may hold ``{instruct}`` and ``{query}``; ``query_without_instruct`` is used where the
    instruct is empty (``instruct=none``); ``document`` holds ``{document}``.
    """

    query: str
    query_without_instruct: str
    document: str

    def __post_init__(self) -> None:
        """Refuse places that nothing would fill, and templates that leave out their text."""
        _check("query_template", self.query, "query", {"query", "instruct"})
        _check("query_template_without_instruct", self.query_without_instruct, "query", {"query"})
        _check("document_template", self.document, "document", {"document"})

    @property
    def inputs(self) -> tuple[str, ...]:
        """Which parts of a search the strings depend on."""
        instructed = "instruct" in places(self.query)
        same = self.query == self.query_without_instruct
        return ("query",) if same and not instructed else ("query", "instruct")

    def query_text(self, search: Search) -> str:
        """Return the string sent for a query."""
        template = self.query if search.instruct else self.query_without_instruct
        return fill(template, {"query": search.query, "instruct": search.instruct})

    def document_text(self, text: str) -> str:
        """Return the string sent for a paragraph's text."""
        return fill(self.document, {"document": text})

    def check_inputs(self, name: str, inputs: Iterable[str] | None) -> None:
        """Refuse a card whose ``inputs`` say otherwise: runs that differ would be taken for one."""
        given = list(inputs or ())
        if set(given) != set(self.inputs):
            raise GrambenchError(
                f"Reranker '{name}': inputs is [{', '.join(given)}], but its templates use "
                f"[{', '.join(self.inputs)}]. Write inputs: [{', '.join(self.inputs)}] in its card."
            )


def _check(key: str, template: str, needed: str, allowed: set[str]) -> None:
    found = places(template)
    for unknown in sorted(found - allowed):
        raise GrambenchError(
            f"{key} holds {{{unknown}}}, which nothing fills; it may hold "
            f"{', '.join(f'{{{place}}}' for place in sorted(allowed))}.{suggest(unknown, allowed)}"
        )
    if needed not in found:
        raise GrambenchError(f"{key} must hold {{{needed}}}; it is {template!r}.")

"""API keys: where they come from, and how they stay out of all that is written."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

from src.errors import GrambenchError

OPENAI = "https://api.openai.com/v1"
_DUMMY = "none"
NO_VARIABLE = (
    "llm.key_env is not the name of an environment variable. It names the variable that holds the"
    " key, in capitals, such as OPENAI_API_KEY; a key itself has no place in a config."
)
# In capitals, since many a key would pass for a name otherwise.
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
# What a server shows of a key, with the rest starred out.
_STARRED = re.compile(r"[\w+/=-]*\*{3,}[\w*+/=-]*")
# What is shorter may stand in a text by chance, and is the made-up key of a server that wants none.
_TELLING = 12


@dataclass(frozen=True)
class Key:
    """A key; printing one does not show it."""

    value: str = field(repr=False)
    is_dummy: bool = False

    def scrub(self, text: str) -> str:
        """Return an error's text without the key, whole or in part.

        Not for what models say: whatever has a row of asterisks goes as well, and so does a short
        key where it stands by itself.
        """
        if self.is_dummy:
            return text
        if not self._forms:
            text = re.sub(rf"(?<![\w-]){re.escape(self.value)}(?![\w-])", "[key]", text)
        return _STARRED.sub("[key]", self.remove(text))

    def is_in(self, text: str) -> bool:
        """Tell whether a text shows the key."""
        return any(form in text for form in self._forms)

    def remove(self, text: str) -> str:
        """Return a text without the key, and else as it is.

        A key that is too short to tell from the text's own words is left where it is.
        """
        for form in self._forms:
            text = text.replace(form, "[key]")
        return text

    def remove_within(self, value: Any) -> Any:
        """Return JSON-like data without the key in any of its strings."""
        if not self._forms:
            return value
        if isinstance(value, str):
            return self.remove(value)
        if isinstance(value, dict):
            return {self.remove(name): self.remove_within(inner) for name, inner in value.items()}
        return [self.remove_within(inner) for inner in value] if isinstance(value, list) else value

    @cached_property
    def _forms(self) -> tuple[str, ...]:
        """The key as it is, and as JSON and addresses write it; none of one that tells nothing."""
        if self.is_dummy or len(self.value) < _TELLING:
            return ()
        as_json = json.dumps(self.value)[1:-1]
        forms = (self.value, as_json, as_json.replace("/", r"\/"), quote(self.value, safe=""))
        return tuple(dict.fromkeys(forms))


def is_variable(name: str) -> bool:
    """Tell whether a text is the name of an environment variable, and no key."""
    return _VARIABLE.fullmatch(name) is not None


def find_key(variable: str | None) -> Key:
    """Return the key in an environment variable; without a variable one for servers without keys.

    Raises:
        GrambenchError: the variable is not set.
    """
    if not variable:
        return Key(_DUMMY, is_dummy=True)
    if not is_variable(variable):
        raise GrambenchError(NO_VARIABLE)
    value = os.environ.get(variable, "").strip()
    if not value:
        raise GrambenchError(
            f"The environment variable {variable}, which holds the key of this LLM (llm.key_env),"
            f" is not set. Set it: export {variable}=...; for a server that needs no key:"
            " llm.key_env=null."
        )
    if not (value.isascii() and value.isprintable()):
        raise GrambenchError(
            f"The key in the environment variable {variable} has characters that no key has: copy"
            " it again."
        )
    return Key(value)

"""Whether a text still holds LaTeX."""

from __future__ import annotations

import re

# A backslash and a name, but not what linguists write so: \\stem/, \\stem\\, where the name is
# followed by a slash or a backslash.
_COMMAND = re.compile(r"\\[^\W\d_]+\*?(?![^\W\d_]|[/\\])|\\[{}$&%#_]")


def residue(text: str) -> bool:
    """Tell whether ``text`` holds a LaTeX command: a backslash with a name or a special character.

    Braces and ampersands alone do not count: books of linguists print them. A backslash that
    encloses a stem, as in ``y\\fath/wr``, is text too.
    """
    return "\\" in text and _COMMAND.search(text) is not None

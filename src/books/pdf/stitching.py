"""Drafts of columns and pages put together: what goes on over a break is one block."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.lines import begins_small, ends_sentence
from src.books.pdf.drafts import Draft
from src.books.pdf.glosses import example_rows
from src.books.pdf.shape import Shape

# Tables and their captions float to the top or the foot of a page, through the running text.
_FLOATING = ("table", "caption")
_INDENT = 0.6


def stitch(done: list[Draft], new: list[Draft], before: Shape | None, shape: Shape) -> None:
    """Append a column's drafts; its first text goes on with the last one before, if it does."""
    last, first = last_flowing(done), last_flowing(new[::-1])
    if last and first and before and goes_on(last, first, before, shape):
        if last.kind == "example":
            both = [*last.lines, *first.lines]
            last.go_on(first, example_rows(both, shape))
            last.lines = both
        else:
            last.go_on(first)
        new = [d for d in new if d is not first]
    done += new


def last_flowing(drafts: Sequence[Draft]) -> Draft | None:
    """Return the last draft that is no table or caption."""
    return next((d for d in reversed(drafts) if d.kind not in _FLOATING), None)


def goes_on(last: Draft, first: Draft, before: Shape, shape: Shape) -> bool:
    """Tell whether text goes on over a break of the page or column.

    It does where the next line begins with a small letter, or where the last one does not end a
    sentence, unless the last one had room for the next word. Where it ends a sentence, in a book
    that indents paragraphs, it goes on if the next line is not indented and the last one is full.
    In hanging paragraphs it goes on if the next line is indented. Examples go on where the page
    began with their lines.
    """
    if last.kind == "example" or first.kind == "example":
        return last.kind == first.kind and first.lines[0].words[0].text[:1] != "("
    if last.kind not in ("text", "item") or first.kind != "text":
        return False
    line = first.lines[0]
    if shape.is_other_type(last.last, line):
        return False
    if shape.hanging and before.hanging:
        return shape.indent(line) > _INDENT
    if before.had_room(last.last, line) and not before.ragged:
        return False
    if begins_small(line.text):
        return True
    if not ends_sentence(last.rows[-1]):
        return not last.rows[-1].endswith(":") or shape.indent(line) < _INDENT
    indented = shape.indent(line) > _INDENT
    return (
        shape.indents and not shape.hanging and not indented and before.is_full(last.last, room=0.5)
    )

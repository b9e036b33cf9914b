"""The default reading of replies that code several parts."""

from __future__ import annotations

import json

import pytest

from src.prompting.answers import DefaultAnswers
from src.records import Reply
from tests.prompting.answer_features import feature

ANSWERS = DefaultAnswers()
QUESTIONS = feature("wals_116a")
NAMES = [part.label for part in QUESTIONS.parts]
CODES = "1001000"  # by intonation, and by a final particle
NOTHING = "unparsed"


def listed(form: str, between: str = ", ", codes: str = CODES, **words: str) -> str:
    """Put every name and its code into a form; ``yes`` and ``no`` are words for the codes."""
    said = {"1": words.get("yes", "1"), "0": words.get("no", "0")}
    return between.join(form.format(n, said[c]) for n, c in zip(NAMES, codes, strict=True))


LINE = listed("{}: {}")
OTHER = LINE.replace("only: 1", "only: 0")
TABLE = listed("| {} | {} |", "\n")
AS_JSON = dict(zip(NAMES, CODES, strict=True))
BY_ID = {part.id: int(c) for part, c in zip(QUESTIONS.parts, CODES, strict=True)}

CASES = [
    (f"Conclusion: {LINE}", CODES),
    (f'Conclusion: "{LINE}"', CODES),
    (LINE, CODES),
    ("### Conclusion\n" + listed("- **{}**: {}", "\n"), CODES),
    ("### Conclusion\n" + listed("1. {} - {}", "\n"), CODES),
    ("Conclusion:\n" + TABLE, CODES),
    ("Conclusion:\n| Strategy | Code |\n|---|---|\n" + TABLE, CODES),
    ("Conclusion: " + ", ".join(reversed(LINE.split(", "))), CODES),
    ("Conclusion: " + listed("{} ({})"), CODES),
    ("Conclusion: " + listed("{} {}"), CODES),
    ("Conclusion: " + listed("{} is {}", " and "), CODES),
    ("Conclusion: " + listed("{}: Code {}", "; "), CODES),
    ("Conclusion: " + listed("{}: {}", yes="yes", no="no"), CODES),
    ("Conclusion: " + listed("{} = {}", "; ", yes="present", no="absent"), CODES),
    ("Conclusion: " + listed("{}: {}", "\n", yes="Present (1)", no="Not present (0)"), CODES),
    ("Conclusion:\n" + listed("{}: {}", "\n", yes="✓", no="✗"), CODES),
    ("Conclusion:\n" + listed("**{}** → {}", "\n"), CODES),
    ("Conclusion:\n" + listed("{}: **{}** (see Paragraph 1)", "\n"), CODES),
    ("Conclusion: " + LINE.upper(), CODES),
    (f"Conclusion: {LINE}".replace("Clause-", "clause ").replace("question ", ""), CODES),
    ("Conclusion:\n" + "\n".join(f"{c} - {n}" for n, c in zip(NAMES, CODES, strict=True)), CODES),
    ("Conclusion:\nPresent: " + ", ".join([NAMES[0], NAMES[3]]) + "\nAbsent: "
     + ", ".join(NAMES[1:3] + NAMES[4:6]) + ", and Tone", CODES),
    # names alone
    ("Conclusion: Tone and clause-final particle", "0001001"),
    ("Conclusion: Clause-final question particle, Tone.", "0001001"),
    (f"**Conclusion:**\n- {NAMES[0]}\n- {NAMES[3]}\n\nBoth are frequent.", CODES),
    ("Conclusion: The language uses tone.", "0000001"),
    ("Conclusion: none of the strategies", "0000000"),
    ("Conclusion: The language does not use tone.", NOTHING),
    ("Conclusion: Intonation only may be used, but tone is absent.", NOTHING),
    (f"Conclusion: {NAMES[0]} and {NAMES[3]} are used.", CODES),
    ("Conclusion:\n" + listed("- [{1}] {0}", "\n", yes="x", no=" "), CODES),
    ("Conclusion: {" + listed("'{}': {}") + "}", CODES),
    # what is no code is no list of names either
    ("Conclusion:\n" + listed("{}\n{}", "\n"), NOTHING),
    ("Conclusion:\n" + listed("**{}**\nCode: {}", "\n\n"), NOTHING),
    ("Conclusion:\n" + listed("{}: {}", "\n", yes="+", no="-"), NOTHING),
    ("Conclusion: " + listed("{}: 0/1"), NOTHING),
    ("Conclusion: " + listed("{}: 1 or 0"), NOTHING),
    # incomplete, contradictory, taken back
    ("Conclusion: Tone: 1, Clause-final question particle: 0", NOTHING),
    ("Conclusion: 1, 0, 0, 1, 0, 0, 0", NOTHING),
    (f"Conclusion: Present: {NAMES[0]}, {NAMES[3]}\nAbsent: the others", NOTHING),
    (f"Conclusion: {LINE}, Tone: 1", NOTHING),
    ("Conclusion: " + LINE.replace("Tone: 0", "Tone: X"), NOTHING),
    (f"Conclusion: {LINE}\n\nTone: 0 since none is described.", CODES),
    (f"Conclusion: {LINE}\n\nAfter another look:\n\nConclusion: {OTHER}", "0001000"),
    (f"Conclusion: {OTHER}\nFinal Output:\n{LINE}", CODES),
    # the prompt's example
    (f'Example of the output: "{LINE}"\nFor each strategy, code 1 if it is there.', NOTHING),
    (f'Example of the output:\n"{LINE}"', NOTHING),
    (f"The format is Conclusion: {LINE}", NOTHING),
    # JSON
    (json.dumps({"reasoning": "r", "conclusion": AS_JSON}), CODES),
    ("```json\n" + json.dumps({"reasoning": "r", "conclusion": BY_ID}, indent=1) + "\n```", CODES),
    (json.dumps({"conclusion": {name: code == "1" for name, code in AS_JSON.items()}}), CODES),
    (json.dumps({"conclusion": [NAMES[3], "Tone"]}), "0001001"),
    (json.dumps(AS_JSON), CODES),
    (json.dumps(BY_ID), CODES),
    (json.dumps({"conclusion": {n: {"value": c, "why": "x"} for n, c in AS_JSON.items()}}), CODES),
    (json.dumps({"conclusion": {"strategies": AS_JSON}}), CODES),
    (json.dumps({"conclusion": [{n: int(c)} for n, c in AS_JSON.items()]}), CODES),
    (json.dumps({"conclusion": [{"strategy": n, "value": c} for n, c in AS_JSON.items()]}), CODES),
    (json.dumps({"conclusion": list(map(int, CODES))}), NOTHING),
    (json.dumps({"conclusion": {"Tone": "1"}}), NOTHING),
    (json.dumps({"conclusion": {"Tone": True}}), NOTHING),
    (json.dumps({"conclusion": []}), NOTHING),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_parts(text, expected):
    answer = ANSWERS.read(Reply(text), QUESTIONS)
    codes = "".join(answer.labels.get(part.id, "") for part in QUESTIONS.parts)
    assert (codes or answer.status) == expected

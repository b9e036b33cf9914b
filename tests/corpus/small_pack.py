"""A tiny pack as the text of its files, so that tests can spoil one of them."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "SOURCE.yaml": "origin: invented\nlicence: CC0\n",
    "grammars.csv": "id,language,glottocode\nrahn1902,Teshi,tesh1234\nbay1999,Lumma,lumm1234\n",
    "paragraphs.csv": (
        "id,grammar,text,pages\n"
        'rahn1902/001,rahn1902,The verb is last.,"3-4, 9"\n'
        "rahn1902/002,rahn1902,Nouns have case.,\n"
        "bay1999/001,bay1999,Tone is high or low.,12\n"
    ),
    "grades.csv": (
        "feature,paragraph,grade\n"
        "wals_81a,rahn1902/002,0\nwals_81a,rahn1902/001,5\nwals_81a,bay1999/001,1\n"
        "gb_107,bay1999/001,0\n"
    ),
    "queries.yaml": "wals_81a:\n  summary: How words are ordered.\n",
    "scores.csv": (
        "model,instruct,query,feature,paragraph,score\n"
        "m1,default,term,wals_81a,rahn1902/001,0.5\n"
        "m1,default,term,wals_81a,rahn1902/002,0.25\n"
        "m1,specific,summary,wals_81a,rahn1902/001,-1e-3\n"
    ),
}


def small_pack(folder: Path, **changed: str | None) -> Path:
    """Write the pack; ``grades_csv="..."`` changes a file, ``None`` leaves it out."""
    files: dict[str, str | None] = dict(FILES)
    for name, content in changed.items():
        files[name.replace("_", ".")] = content
    folder.mkdir(parents=True)
    for name, text in files.items():
        if text is not None:
            (folder / name).write_bytes(text.encode())
    return folder

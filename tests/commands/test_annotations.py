from __future__ import annotations

import pytest

from src import data
from src.commands.annotations import feature_ids, unknown_annotations
from src.corpus.pack import load_pack
from tests.importers.grammars.books import write_text

ORDER = """\
id: my_order
title: Order
values: [{label: SOV, aliases: [verb-final]}, {label: SVO}]
"""


@pytest.fixture
def imported(tmp_path, capsys):
    """Import three grammars with values; return the output of a command."""
    for name in ("iri", "oko", "utu"):
        write_text(tmp_path / "books" / f"{name}.txt", first=name)

    def run(*rows, feature="wals_81a"):
        table = tmp_path / "values.csv"
        lines = [f"{grammar}.txt,{feature},{value}" for grammar, value in rows]
        table.write_text("\n".join(["grammar,feature,value", *lines, ""]), encoding="utf-8")
        arguments = ["--data-dir", str(tmp_path / "data")]
        books = str(tmp_path / "books")
        made = ["import", "grammars", books, "--name", "mine", "--values", str(table)]
        said = []
        for command in (made, ["show", "mine"]):
            assert data.main([*command, *arguments]) == 0
            said.append(capsys.readouterr().out)
        return said

    return run


def test_unknown_annotations_are_warned_of_at_import_and_in_show(imported):
    for out in imported(("oko", "indefinite"), ("iri", "indefinite"), ("utu", "sov")):
        (line,) = [line for line in out.splitlines() if line.startswith("warning: values:")]
        assert line.startswith(
            "warning: values: wals_81a of iri and 1 more: 'indefinite' is no label, alias or"
            " annotation of wals_81a. Known are: Not mentioned in the grammar, SOV"
        )


def test_what_is_known_and_features_without_a_file_need_no_warning(imported):
    for out in imported(("oko", "SOV"), ("utu", "Not mentioned in the grammar")):
        assert "warning: values" not in out
    assert "warning: values" not in imported(("oko", "SVO"), feature="odd")[1]


def test_a_feature_is_found_by_its_id(imported, tmp_path):
    imported(("oko", "verb-final"), ("iri", "no article"), feature="my_order")
    folder = tmp_path / "features"
    folder.mkdir()
    (folder / "f2.yaml").write_text(ORDER, encoding="utf-8")
    (folder / "spoilt.yaml").write_text("id: [", encoding="utf-8")
    (folder / "other.yaml").write_text("title: none", encoding="utf-8")
    assert feature_ids(folder) == ["my_order"]
    (line,) = unknown_annotations(load_pack(tmp_path / "data" / "mine"), folder)
    assert line.startswith("warning: values: my_order of iri: 'no article' is no label")

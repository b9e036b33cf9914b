import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.errors import GrambenchError
from src.records import Search
from src.retrieval.templates import Templates, fill, places


def search(query: str, instruct: str) -> Search:
    return Search(feature="f", query=query, query_name="q", instruct=instruct)


@given(instruct=st.text(), query=st.text())
def test_texts_are_put_in_as_they_are(instruct: str, query: str) -> None:
    found = fill("<{instruct}|{query}>", {"instruct": instruct, "query": query})
    assert found == "<" + instruct + "|" + query + ">"


def test_braces_in_the_texts_are_not_filled_again() -> None:
    templates = Templates("{instruct}: {query}", "{query}", "{document}")
    asked = search(query="{instruct} {0} {}", instruct="{query}")
    assert templates.query_text(asked) == "{query}: {instruct} {0} {}"
    assert templates.document_text("{document}{query}") == "{document}{query}"


def test_braces_of_the_template_that_name_nothing_stay() -> None:
    assert fill("{} {1} {query}", {"query": "q"}) == "{} {1} q"
    assert places("{} {1} {query}") == {"query"}


def test_an_empty_instruct_takes_the_template_without() -> None:
    templates = Templates("Instruct: {instruct}\nQuery: {query}", "Query: {query}", "{document}")
    assert templates.query_text(search("order", "")) == "Query: order"
    assert templates.query_text(search("order", "Find")) == "Instruct: Find\nQuery: order"


@pytest.mark.parametrize(
    ("query", "without", "inputs"),
    [
        ("{instruct} {query}", "{query}", ("query", "instruct")),
        ("{query}", "{query}", ("query",)),
        # whether there is an instruct still makes a difference here
        ("instructed: {query}", "{query}", ("query", "instruct")),
    ],
)
def test_inputs(query: str, without: str, inputs: tuple[str, ...]) -> None:
    templates = Templates(query, without, "{document}")
    assert templates.inputs == inputs
    templates.check_inputs("x", reversed(inputs))


@pytest.mark.parametrize(
    "inputs", [None, [], ["query"], ["instruct"], ["query", "instruct", "feature"]]
)
def test_wrong_inputs_are_refused(inputs: list[str] | None) -> None:
    templates = Templates("{instruct} {query}", "{query}", "{document}")
    with pytest.raises(GrambenchError, match=r"'mine'.*Write inputs: \[query, instruct\]"):
        templates.check_inputs("mine", inputs)


@pytest.mark.parametrize(
    ("templates", "message"),
    [
        (
            ("{instrct} {query}", "{query}", "{document}"),
            "query_template .*Did you mean 'instruct'",
        ),
        (("{query}", "{instruct}{query}", "{document}"), "query_template_without_instruct"),
        (("{query}", "{query}", "{query}: {document}"), "document_template holds {query}"),
        (("{instruct}", "{query}", "{document}"), "query_template must hold {query}"),
        (("{query}", "{query}", "passage"), "document_template must hold {document}"),
    ],
)
def test_templates_that_cannot_work(templates: tuple[str, str, str], message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        Templates(*templates)

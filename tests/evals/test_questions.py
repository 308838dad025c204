"""Question sets: what a line may hold, and what is said of one that holds something else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidInputError
from memhtml.evals.questions import (
    DOCUMENT,
    QUESTION,
    Document,
    Question,
    by_store,
    documents,
    questions,
    refuse,
    require_documents,
)

texts = st.text(min_size=1).filter(lambda text: bool(text.strip()))


def said(call: Callable[[], object]) -> tuple[str, tuple[str, ...]]:
    """What the call is refused with."""
    with pytest.raises(InvalidInputError) as caught:
        call()
    return caught.value.message, caught.value.suggestions


def test_worked_example() -> None:
    """Every field of the format, and one that is none; a blank line counts as a line."""
    line = {
        "store": "s",
        "id": "q1",
        "query": "when?",
        "gold": ["a", "b", "a"],
        "group": "g",
        "controls": {"negation": ["c"], "number": ["d", "c"]},
        "now": "2026-12-01T00:00:00",
        "source": 1,
    }
    assert questions("\n" + json.dumps(line) + "\n", "q.jsonl") == (
        Question(2, "s", "q1", "when?", ("a", "b"), ("c", "d"), "g", "2026-12-01T00:00:00Z"),
    )
    text = json.dumps({"store": "s", "id": "a", "text": " At noon. ", "ts": "2026-01-02T03:04:05"})
    assert documents(text, "d.jsonl") == (Document(1, "s", "a", " At noon. ", "2026-01-02T03:04:05Z"),)


def test_what_is_not_needed_may_be_absent_null_or_empty() -> None:
    """One store, one group, no controls, no date; a question without a name is called by its line."""
    bare = Question(2, "", "2", "when?", ("a",))
    nulls = '{"query":"when?","gold":["a"],"store":null,"id":null,"group":null,"controls":null,"now":null}'
    empty = '{"query":"when?","gold":["a"],"store":"","id":"2","group":"","controls":{},"now":" "}'
    for line in ('{"query":"when?","gold":["a"]}', nulls, empty):
        assert questions("\r\n" + line + "\r\n", "q") == (bare,)
    for line in (
        '{"id":"a","text":"x"}',
        '{"id":"a","text":"x","store":null,"ts":null}',
        '{"id":"a","text":"x","ts":""}',
    ):
        assert documents(line, "d") == (Document(1, "", "a", "x", None),)


def test_a_number_names_a_question() -> None:
    """Some sets count."""
    assert questions('{"query":"when?","gold":["a"],"id":7}', "q")[0].id == "7"


def test_the_examples_that_errors_give_are_lines() -> None:
    """What a person is told to write works."""
    known, asked = documents(DOCUMENT, "d"), questions(QUESTION, "q")
    require_documents(asked, "q", known)
    assert (known[0].id, asked[0].gold, asked[0].store) == ("d1", ("d1",), known[0].store)


@given(st.lists(st.tuples(texts, texts), min_size=1, unique_by=lambda pair: pair[0]))
def test_documents_come_back_as_they_were_written(pairs: list[tuple[str, str]]) -> None:
    """Whatever the text, in the order of the file."""
    lines = "\n".join(json.dumps({"id": name, "text": text}) for name, text in pairs)
    assert [(one.id, one.text) for one in documents(lines, "d")] == pairs


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ('{"gold":["a"]}', "missing required field `query`"),
        ('{"query":"x"}', "missing required field `gold`"),
        ('{"query":"x","gold":"a"}', "Expected `array`, got `str` - at `$.gold`"),
        ('{"query":"x","gold":[1]}', "Expected `str`, got `int` - at `$.gold[0]`"),
        ('{"query":"x","gold":[]}', "gold is empty; name at least one document that answers"),
        ('{"query":" ","gold":["a"]}', "query is blank; write a question"),
        ('{"query":"x","gold":["a"],"now":"soon"}', "now is no date; write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"),
        ('{"query":"x","gold":["a"],"control":{}}', "the field 'control' is unknown; did you mean controls?"),
        ('{"query":"x","gold":["a"],"controls":["b"]}', "Expected `object | null`, got `array` - at `$.controls`"),
        ('{"query":"\\ud800","gold":["a"]}', "surrogate pair"),
        ('{"query":"\ud800","gold":["a"]}', "surrogates not allowed"),
        ('{"query":"x","gold":["a"],"x":' + "[" * 100_000 + "}", "recursion"),
    ],
)
def test_a_line_that_is_no_question_is_named(line: str, what: str) -> None:
    """By file and line, with what is wrong, and with a line that would do."""
    message, suggestions = said(lambda: questions(QUESTION + "\n" + line, "q.jsonl"))
    assert message.startswith("q.jsonl, line 2: ")
    assert what in message
    if "; " in what:  # told in our own words
        assert message == f"q.jsonl, line 2: {what}"
    assert suggestions == (f"write lines such as {QUESTION}",)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id":"a"}', "missing required field `text`"),
        ('{"text":"x"}', "missing required field `id`"),
        ('{"id":"a","text":" \\n"}', "text is blank; write what the document says"),
        ('{"id":"a","text":"x","ts":"2026-13-01"}', "ts is no date; write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"),
        ('{"id":"a","text":"x","stores":"s"}', "the field 'stores' is unknown; did you mean store?"),
        ('{"id":"d1","text":"x","store":"s"}', "the id 'd1' is that of line 1; give each document its own"),
    ],
)
def test_a_line_that_is_no_document_is_named(line: str, what: str) -> None:
    """As with questions."""
    message, suggestions = said(lambda: documents(DOCUMENT + "\n" + line, "d.jsonl"))
    assert message.startswith("d.jsonl, line 2: ")
    assert what in message
    if "; " in what:  # told in our own words
        assert message == f"d.jsonl, line 2: {what}"
    assert suggestions == (f"write lines such as {DOCUMENT}",)


def test_one_id_in_two_stores_is_two_documents() -> None:
    """Texts of different stores never meet."""
    lines = '{"id":"a","text":"x","store":"1"}\n{"id":"a","text":"x","store":"2"}'
    assert [one.store for one in documents(lines, "d")] == ["1", "2"]


def test_a_name_is_a_slip_only_of_a_field_that_is_absent() -> None:
    """A set with fields of its own is read."""
    line = '{"query":"x","gold":["a"],"group":"g","groups":["g"],"origin":"o","queries":1}'
    assert questions(line, "q")[0].group == "g"
    assert questions('{"query":"x","gold":["a"],"grouping":"g"}', "q")[0].group == ""


def test_an_empty_file_says_what_belongs_there() -> None:
    """Blank lines are none."""
    assert said(lambda: questions("\n \n", "q.jsonl")) == (
        "q.jsonl is empty",
        (f"write lines such as {QUESTION}",),
    )
    assert said(lambda: documents("", "d.jsonl"))[0] == "d.jsonl is empty"


def test_many_faults_are_counted_after_the_first_five() -> None:
    """In the order of the lines; five are told in full."""
    message, _ = said(lambda: questions("\n".join(["{"] * 7), "q"))
    assert [part.split(":")[0] for part in message.split("; ")] == [
        *("q, line 1", "line 2", "line 3", "line 4", "line 5", "and 2 more")
    ]
    message, _ = said(lambda: questions("\n".join(["{"] * 5), "q"))
    assert "more" not in message


def test_a_fault_does_not_repeat_a_file() -> None:
    """What is quoted of a line is cut: an id, a store. What the reader of JSON says holds nothing of it."""
    long = "a" * 900

    def longest(call: Callable[[], object]) -> int:
        return max(map(len, re.findall("a+", said(call)[0])))

    assert longest(lambda: documents(f'{{"id":"{long}","text":"x"}}\n' * 2, "d")) == 60
    assert longest(lambda: require_documents([Question(1, "", "", "?", (long,))], "q", ())) == 60
    assert longest(lambda: require_documents([Question(1, long, "", "?", ("b",))], "q", ())) == 60
    deep = '{"query":"x","gold":["a"],"controls":{"' + long + '":1}}'
    assert longest(lambda: questions(deep, "q")) == 1


def test_every_id_must_be_a_document_of_its_store() -> None:
    """Right ones and controls; the first that is missing of each line is named, and its store if it has a name."""
    known = documents('{"id":"a","text":"x","store":"s"}\n{"id":"b","text":"y","store":"t"}', "d")
    fine = Question(1, "s", "1", "?", ("a",))
    require_documents([fine], "q", known)
    astray = Question(2, "s", "2", "?", ("a",), ("b", "c"))
    nowhere = Question(3, "u", "3", "?", ("z",))
    assert said(lambda: require_documents([fine, astray, nowhere], "q", known)) == (
        "q, line 2: 'b' is no document of store 's'; line 3: 'z' is no document of store 'u'",
        ("correct the id, or add the document",),
    )
    message, _ = said(lambda: require_documents([Question(4, "", "4", "?", ("b",))], "q", known))
    assert message == "q, line 4: 'b' is no document"


def test_nothing_wrong_is_not_refused() -> None:
    """And the advice is the caller's."""
    refuse("q", [], "…")
    assert said(lambda: refuse("q", [(3, "odd")], "do it")) == ("q, line 3: odd", ("do it",))


def test_questions_are_parted_by_store_in_the_order_of_the_file() -> None:
    """Stores too, by their first question."""
    asked = [Question(line, store, "", "?", ("a",)) for line, store in enumerate("baab", 1)]
    parted = by_store(asked)
    assert [(store, [one.line for one in its]) for store, its in parted.items()] == [("b", [1, 4]), ("a", [2, 3])]

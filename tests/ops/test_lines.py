"""The lines of a batch."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidInputError, UsageError
from memhtml.domain.memory import Citation, Draft, Entity, Facet, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.ops.lines import VERBS, ArchiveLine, CorrectLine, LinkLine, Refusal, WriteLine, read_lines

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)


def only(text: str) -> object:
    """The one line of a text."""
    (found,) = read_lines(text)
    return found


def refused(text: str) -> Refusal:
    """The one line of a text, which must be refused as usage."""
    found = only(text)
    assert isinstance(found, Refusal)
    assert isinstance(found.error, UsageError)
    return found


def test_worked_example() -> None:
    """The four verbs, numbered as an editor numbers lines; a line without a verb writes."""
    lines = read_lines(
        '{"op":"write","claim":"Drain first.","tag":"deploys","entity":["service:checkout"],"importance":7}\n'
        "\n"
        '{"claim":"Nodes reboot on Sundays."}\n'
        '{"op":"correct","target":"areas/inbox/a.html","claim":"Drain twice."}\n'
        '{"op":"link","source":"areas/inbox/a.html","rel":"caused-by","target":"areas/inbox/b.html"}\n'
        '{"op":"archive","path":"areas/inbox/a.html"}\n'
    )
    assert lines[0] == WriteLine(
        1,
        Draft(
            MemoryType.SEMANTIC,
            claim="Drain first.",
            tags=("deploys",),
            entities=(Entity("service", "checkout"),),
            importance=7,
        ),
    )
    assert lines[1] == WriteLine(3, Draft(MemoryType.SEMANTIC, claim="Nodes reboot on Sundays."))
    assert isinstance(lines[2], CorrectLine)
    assert (lines[2].number, lines[2].target) == (4, "areas/inbox/a.html")
    assert lines[3] == LinkLine(5, "areas/inbox/a.html", Rel.CAUSED_BY, "areas/inbox/b.html")
    assert lines[4] == ArchiveLine(6, "areas/inbox/a.html")


@pytest.mark.parametrize("text", ["", "\n\n  \n"])
def test_no_line_at_all_is_refused(text: str) -> None:
    """An empty batch is more likely a broken pipe than a wish."""
    with pytest.raises(InvalidInputError, match="nothing to apply"):
        read_lines(text)


@pytest.mark.parametrize(
    ("fields", "draft"),
    [
        (
            {"facets": {"retry limit": 3, "region": ["eu", "us"]}},
            {"facets": (Facet("retry limit", "3", 3.0), Facet("region", "eu"), Facet("region", "us"))},
        ),
        ({"facet": [{"name": "a", "value": "1"}, "b=2"]}, {"facets": (Facet("a", "1", 1.0), Facet("b", "2", 2.0))}),
        (
            {"citations": [{"text": "RFC", "uri": "https://a.example"}]},
            {"citations": (Citation("RFC", "https://a.example"),)},
        ),
        ({"cite": {"text": "the runbook"}}, {"citations": (Citation("the runbook"),)}),
        (
            {"links": [{"rel": "supports", "target": "/areas/a.html"}]},
            {"links": (Link(Rel.SUPPORTS, MemoryPath("areas/a.html")),)},
        ),
        ({"entities": [{"type": "service", "name": "x"}]}, {"entities": (Entity("service", "x"),)}),
        ({"tags": ["a", "b"]}, {"tags": ("a", "b")}),
        ({"sessionId": "s", "eventAt": "2026-07-28"}, {"session": "s", "event_at": "2026-07-28"}),
        ({"session": "s", "prompt": "p", "turn": 3}, {"session": "s", "prompt": "p", "turn": "3"}),
        ({"tag": None, "title": None}, {}),
        (
            {"facets": {"drained": True, "retried": [False, 2.5], "none": []}},
            {"facets": (Facet("drained", "true"), Facet("retried", "false"), Facet("retried", "2.5", 2.5))},
        ),
        ({"facet": [{"name": "wait", "value": 30, "number": 30}]}, {"facets": (Facet("wait", "30", 30.0),)}),
    ],
)
def test_structured_values_and_other_spellings_are_read(fields: dict[str, object], draft: dict[str, object]) -> None:
    """Objects, plurals and camelCase, as callers write them."""
    found = only(json.dumps({"claim": "c", **fields}))
    assert isinstance(found, WriteLine)
    assert found.draft == Draft(MemoryType.SEMANTIC, claim="c", **draft)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "the line is no JSON: "),
        ("[1]", "the line is no JSON object"),
        ('"write"', "the line is no JSON object"),
        ('{"claim":"a","claim":"b"}', "gives 'claim' twice"),
        ('{"claim":"c","tag":"a","tags":"b"}', "gives 'tag' under two names"),
        ('{"claim":"c","importance":NaN}', "holds NaN"),
        ('{"claim":' * 100_000, "no JSON|nests too deeply"),
        ('{"claim":"c","importance":' + "9" * 5000 + "}", "a number is out of bounds"),
        ('{"op":"wirte","claim":"c"}', "op takes one of write, correct, link, archive; not 'wirte'"),
        ('{"op":3,"claim":"c"}', "op takes one of"),
        ('{"op":"write"}', "nothing to remember"),
        ('{"claim":"c","clam":"d"}', "write takes no clam"),
        ('{"claim":["c","d"]}', "claim may be given once"),
        ('{"claim":{"a":1}}', "claim takes text, not dict"),
        ('{"claim":"c","importance":11}', "importance takes a number from 1 to 10"),
        ('{"claim":"c","confidence":"sure"}', "confidence takes a number"),
        ('{"claim":"c","type":"fact"}', "type takes one of"),
        ('{"claim":"c","facets":{"a=b":1}}', "a facet's name holds no ="),
        ('{"claim":"c","facets":{"a":{"b":1}}}', "the facet 'a' takes text, not dict"),
        ('{"claim":"c","facets":{"a":[1,{"b":1}]}}', "the facet 'a' takes text, not dict"),
        ('{"claim":"c","facets":{"a":[[1]]}}', "the facet 'a' takes text, not list"),
        ('{"claim":"c","facets":{"a":null}}', "the facet 'a' takes text, not NoneType"),
        ('{"claim":"c","facets":{"a":1e999}}', "the facet 'a' takes text or a finite number, not inf"),
        ('{"claim":"c","facets":[{"name":"a","value":{"b":1}}]}', "the facet 'a' takes text, not dict"),
        ('{"claim":"c","facets":[{"name":["a"],"value":1}]}', "a facet's name takes text, not list"),
        ('{"claim":"c","facets":[{"name":"a","value":"half","number":0.5}]}', "number '0.5', which its value"),
        ('{"claim":"c","facets":[{"name":"a","value":1,"unit":"s"}]}', "facet takes no 'unit'"),
        ('{"claim":"c","facets":[["a",1]]}', "facet takes text, not list"),
        ('{"claim":"c","entities":[{"type":{"a":1},"name":"x"}]}', "entity type takes text, not dict"),
        ('{"claim":"c","entities":[{"type":"service","name":true}]}', "entity name takes text, not bool"),
        ('{"claim":"c","entities":[{"type":"a:b","name":"x"}]}', "entity type holds no :"),
        ('{"claim":"c","entities":[["service","x"]]}', "entity takes text, not list"),
        ('{"claim":"c","cite":{"text":["a"]}}', "cite text takes text, not list"),
        ('{"claim":"c","cite":{"text":"a","uri":{}}}', "cite uri takes text, not dict"),
        ('{"claim":"c","cite":{"text":"a","uri":"javascript:b"}}', "cite uri takes an address"),
        ('{"claim":"c","links":[{"rel":"supports","target":7.5}]}', "can be no memory's path"),
        ('{"claim":"c","links":[{"rel":"supports","target":{"path":"areas/a.html"}}]}', "link target takes text"),
        ('{"claim":"c","tags":[["a"]]}', "tag takes text, not list"),
        ('{"claim":"c","tags":[null]}', "tag takes text, not NoneType"),
        ('{"claim":"c","tags":[true]}', "tag takes text, not bool"),
        ('{"claim":"c","turn":-1e999}', "turn_id takes text or a finite number"),
        ('{"claim":"c","importance":true}', "importance takes a whole number"),
        ('{"claim":"c","confidence":1e999}', "confidence takes a number"),
        ('{"claim":"c","confidence":[[0.5]]}', "confidence takes a number"),
        ('{"claim":true}', "claim takes text, not bool"),
        ('{"op":"archive","path":["areas/a.html",{}]}', "path may be given once"),
        ('{"claim":"c","links":[{"rel":"supports"}]}', "link needs target"),
        ('{"claim":"c","link":"supports:../x.html"}', "can be no memory's path"),
        ('{"claim":"a\\ud800b"}', "claim is not valid UTF-8"),
        ('{"op":"link","source":"areas/a.html","rel":"supports"}', "link needs target"),
        ('{"op":"link","source":"areas/a.html","rel":"likes","target":"areas/b.html"}', "a link takes one of"),
        ('{"op":"archive"}', "archive needs path"),
        ('{"op":"archive","path":"areas/a.html","claim":"c"}', "archive takes no claim"),
        ('{"op":"correct","claim":"c"}', "correct needs target"),
        ('{"op":"correct","target":"areas/a.html"}', "nothing to remember"),
    ],
)  # fmt: skip
def test_a_line_that_is_wrong_is_refused_and_says_how(text: str, message: str) -> None:
    """One refusal, with its number and its verb; the other lines are read all the same."""
    first, second = read_lines(text + '\n{"claim":"fine"}')
    assert isinstance(first, Refusal)
    assert isinstance(first.error, UsageError)
    assert re.search(message, first.error.message)
    assert first.number == 1
    assert len(first.error.message) < 400
    assert isinstance(second, WriteLine)


def test_a_mistyped_field_gets_the_one_that_was_meant() -> None:
    """A field that nobody reads would be a fact that is lost."""
    assert "importance" in refused('{"claim":"c","importence":3}').error.suggestions


def test_every_verb_has_an_example_that_reads() -> None:
    """The examples in messages work, their placeholders filled in."""
    for row in VERBS.values():
        text = (
            row.examples[0]
            .replace('"…","rel"', '"areas/a.html","rel"')
            .replace('"target":"…"', '"target":"areas/b.html"')
        )
        assert not isinstance(only(text), Refusal), text


@given(st.dictionaries(st.sampled_from(["op", "claim", "tag", "link", "type", "target", "facets", "cite"]), JSON))
def test_any_object_is_an_operation_or_a_refusal(fields: dict[str, object]) -> None:
    """Whatever a caller sends."""
    found = only(json.dumps(fields))
    assert isinstance(found, Refusal | WriteLine | CorrectLine | LinkLine | ArchiveLine)


@given(st.text(st.characters(exclude_characters="\n")).filter(str.strip))
def test_any_text_is_an_operation_or_a_refusal(text: str) -> None:
    """Also what is no JSON at all."""
    assert isinstance(only(text), Refusal | WriteLine)

"""Sorting the lines of transcripts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.traces.records import MOST_PARTS, READ, SKIPPED, Fate, Record, classify

if TYPE_CHECKING:
    from conftest import Says

STORE = "/m"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)
NAMES = ("sessionId", "timestamp", "message", "content", "isMeta", "isSidechain", "promptId", "aiTitle", "agentName")
NAMES += ("prUrl", "cwd", "gitBranch", "text", "tool_use_id", "name", "input", "id", "is_error")


def fuzz(says: Says, lines: int, seed: int) -> dict[Fate, int]:
    """How mangled lines are sorted; each one is."""
    fates: dict[Fate, int] = {}
    for data in says.mangled(lines, seed):
        fate, record = classify(data, says.STORE)
        fates[fate] = fates.get(fate, 0) + 1
        assert (record is not None) == (fate in READ)
    return fates


def test_mangled_lines_raise_nothing(says: Says) -> None:
    """Each falls into exactly one kind, and several kinds come up."""
    fates = fuzz(says, 3_000, seed=5)
    assert sum(fates.values()) == 3_000
    assert {Fate.BROKEN, Fate.USER, Fate.ASSISTANT, Fate.UNKNOWN, Fate.UNKEYED} <= fates.keys()


@pytest.mark.slow
def test_a_hundred_thousand_mangled_lines_raise_nothing(says: Says) -> None:
    """The same, at length."""
    assert sum(fuzz(says, 100_000, seed=11).values()) == 100_000


@given(st.binary(max_size=200))
def test_any_bytes_are_a_line_of_one_kind(data: bytes) -> None:
    """Nothing raises."""
    fate, record = classify(data, STORE)
    assert (record is not None) == (fate in READ)


@given(st.sampled_from(sorted(READ)), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=8))
def test_a_field_of_any_shape_is_taken_for_what_it_is(fate: Fate, fields: dict[str, object]) -> None:
    """A record without a session is unkeyed, any other is read, whatever its fields hold."""
    session = fields.get("sessionId")
    keyed = isinstance(session, str) and 0 < len(session) <= 200 and session.isprintable()
    found, record = classify(json.dumps({**fields, "type": fate.value}).encode(), STORE)
    assert found == (fate if keyed else Fate.UNKEYED)
    assert (record is not None) == keyed


@given(st.sampled_from(sorted(READ)), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=8))
def test_what_is_kept_is_capped_and_can_be_stored(fate: Fate, fields: dict[str, object]) -> None:
    """No text is longer than its cap, none holds what UTF-8 cannot, or a line feed."""
    line = json.dumps({**fields, "sessionId": "s", "type": fate.value}).encode()
    _, record = classify(line, STORE)
    assert record is not None
    for name in Record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, str):
            assert len(value.encode()) <= 4 * 500
            assert len(value.splitlines()) <= 1


@pytest.mark.parametrize(
    ("data", "fate"),
    [
        (b"\n", Fate.BLANK),
        (b" \t\r\n", Fate.BLANK),
        (b'{"type":"user","sessionId":\n', Fate.BROKEN),
        (b"\x00\xff\xfe\n", Fate.BROKEN),
        (b'{"type":"user","sessionId":"s","x":"\xff"}\n', Fate.BROKEN),
        (b"[" * 200_000 + b"\n", Fate.BROKEN),
        (b'{"type":"user","sessionId":"s","n":' + b"9" * 5000 + b"}\n", Fate.BROKEN),
        (b'"a text"\n', Fate.SHAPELESS),
        (b"42\n", Fate.SHAPELESS),
        (b"null\n", Fate.SHAPELESS),
        (b"NaN\n", Fate.SHAPELESS),
        (b'{"silly":"this"}\n', Fate.UNKNOWN),
        (b'{"type":["user"],"sessionId":"s"}\n', Fate.UNKNOWN),
        (b'{"type":"skipped","sessionId":"s"}\n', Fate.UNKNOWN),
        (b'{"type":"from-a-later-release","sessionId":"s"}\n', Fate.UNKNOWN),
        (b'{"type":"user"}\n', Fate.UNKEYED),
        (b'{"type":"user","sessionId":7}\n', Fate.UNKEYED),
        (b'{"type":"user","sessionId":""}\n', Fate.UNKEYED),
        (b'{"type":"user","sessionId":"\\ud800"}\n', Fate.UNKEYED),
        (b'{"type":"user","sessionId":"' + b"s" * 201 + b'"}\n', Fate.UNKEYED),
        (b'{"type":"user","sessionId":"s","message":"error"}\n', Fate.USER),
        (b'{"type":"user","sessionId":"s","n":1e999}\r\n', Fate.USER),
        (b'{"type":"mode","type":"user","sessionId":"s"}\n', Fate.USER),
        (b'\xef\xbb\xbf{"type":"system","sessionId":"s"}\n', Fate.SYSTEM),
    ],
)
def test_odd_lines_have_the_kind_that_they_have(data: bytes, fate: Fate) -> None:
    """Blank, broken, shapeless, unknown, unkeyed, or read in spite of what is odd."""
    assert classify(data, STORE)[0] == fate


def test_a_line_of_too_many_parts_is_not_looked_into(says: Says) -> None:
    """Eight megabytes of empty lists would be two hundred in memory; as many of text are no more than that."""
    common = b'{"type":"system","sessionId":"s","x":'
    many = common + b"[" + b"[]," * (MOST_PARTS // 2 - 1) + b"[]]}\n"
    assert many.count(b"[") + many.count(b",") + many.count(b"{") == MOST_PARTS + 3
    assert classify(many, says.STORE) == (Fate.OVERLONG, None)
    assert classify(many.replace(b"[],", b"", 2), says.STORE)[0] == Fate.SYSTEM
    assert classify(many.replace(b"[]", b"{}"), says.STORE) == (Fate.OVERLONG, None)
    assert classify(common + b'"' + b"x" * 8_000_000 + b'"}\n', says.STORE)[0] == Fate.SYSTEM


@pytest.mark.parametrize("kind", sorted(SKIPPED))
def test_what_is_skipped_is_skipped_before_it_is_looked_at(kind: str) -> None:
    """Even a session that cannot be is not looked at."""
    assert classify(json.dumps({"type": kind, "sessionId": 7}).encode(), STORE) == (Fate.SKIPPED, None)


def test_a_prompt_keeps_its_head_and_where_it_was_asked(says: Says) -> None:
    """The worked example."""
    data = says.user(
        "Why is\nthe build slow?",
        promptId="p1",
        cwd="/home/ada/checkout",
        gitBranch="main",
        timestamp="2026-08-01T12:00:05.123+02:00",
    )
    assert classify(data, says.STORE) == (
        Fate.USER,
        Record(
            session=says.SESSION,
            at="2026-08-01T10:00:05Z",
            prompt="Why is the build slow?",
            prompt_id="p1",
            folder="/home/ada/checkout",
            branch="main",
        ),
    )


def test_what_an_assistant_says_is_not_kept(says: Says) -> None:
    """Only prompts have heads; a text of an agent leaves a time, and no more."""
    data = says.line(
        "assistant", message={"content": [{"type": "text", "text": "Because of the cache."}]}, promptId="p"
    )
    assert classify(data, says.STORE)[1] == Record(session=says.SESSION, at="2026-08-01T10:00:00Z")


def test_only_agents_call_and_only_users_answer(says: Says) -> None:
    """A block in the wrong record is none; in the right one it counts, with the store that it is in."""
    call = {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": f"{says.STORE}/areas/a.html"}}
    answer = {"type": "tool_result", "tool_use_id": "c1", "content": "ok"}
    kept = {
        kind: classify(says.line(kind, message={"content": [call, answer]}), says.STORE)[1]
        for kind in ("user", "assistant", "system")
    }
    counts = {kind: (len(record.calls), len(record.answers)) for kind, record in kept.items() if record}
    assert counts == {"user": (0, 1), "assistant": (1, 0), "system": (0, 0)}


def test_a_folder_may_be_longer_than_other_notes(says: Says) -> None:
    """500 characters of it, 200 of a branch, whole where they fit."""
    for length, folder, branch in ((200, 200, 200), (500, 500, 200), (900, 500, 200)):
        _, record = classify(says.line("system", cwd="d" * length, gitBranch="b" * length), says.STORE)
        assert record is not None
        assert (len(record.folder or ""), len(record.branch or "")) == (folder, branch)


def test_a_title_belongs_to_its_own_type_only(says: Says) -> None:
    """Fields of one type in a record of another are not heard."""
    odd = {"aiTitle": "T", "agentName": "A", "prUrl": "U"}
    kept = [classify(says.line(kind, **odd), says.STORE)[1] for kind in ("ai-title", "agent-name", "pr-link", "system")]
    assert [(r.title, r.agent, r.pull_request) for r in kept if r] == [
        ("T", None, None),
        (None, "A", None),
        (None, None, "U"),
        (None, None, None),
    ]

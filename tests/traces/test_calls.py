"""What agents did with memories, by their calls."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.vocabulary import SessionRel
from memhtml.traces.calls import MOST_LINKS, answers, calls, within

READ, WROTE, CORRECTED, REINFORCED = SessionRel.READ, SessionRel.WROTE, SessionRel.CORRECTED, SessionRel.REINFORCED
STORE = "/home/ada/memhtml"


def called(name: str, given: object, store: str = STORE) -> list[tuple[tuple[object, ...], bool]]:
    """What one call means."""
    block = {"type": "tool_use", "id": "c1", "name": name, "input": given}
    return [(call.links, call.tells) for call in calls([block], store)]


def shell(command: str) -> list[tuple[tuple[object, ...], bool]]:
    """What a line of shell means."""
    return called("Bash", {"command": command})


def told(content: object) -> tuple[object, ...]:
    """What the answer to a call tells."""
    (answer,) = answers([{"type": "tool_result", "tool_use_id": "c1", "content": content}])
    return answer.links


@pytest.mark.parametrize(
    ("command", "links", "tells"),
    [
        ("memhtml read areas/a.html", ((READ, "areas/a.html"),), False),
        (
            "cd /x && memhtml read 'areas/a.html' /areas/b.html | head",
            ((READ, "areas/a.html"), (READ, "areas/b.html")),
            False,
        ),
        (
            "memhtml --root /m read areas/a.html; memhtml reinforce areas/b.html --outcome 1",
            ((READ, "areas/a.html"), (REINFORCED, "areas/b.html")),
            False,
        ),
        ('memhtml correct areas/a.html "It is 5."', ((CORRECTED, "areas/a.html"),), True),
        ('memhtml write "The limit is 3." --path areas/a.html', (), True),
        ("python -m memhtml apply batch.jsonl", (), True),
        ("memhtml status && memhtml read areas/a.html", ((READ, "areas/a.html"),), False),
        ("C:\\bin\\memhtml.exe read areas/a.html", ((READ, "areas/a.html"),), False),
    ],
)
def test_a_command_line_says_what_it_does(command: str, links: tuple[object, ...], tells: bool) -> None:  # noqa: FBT001 - a case
    """Reading, correcting and reinforcing name their memories; writing leaves that to its answer."""
    assert shell(command) == [(links, tells)]


@pytest.mark.parametrize(
    "command",
    [
        "ls -l",
        "memhtml search deploys",
        "memhtml read --help areas/a.html",
        "echo read areas/a.html",
        "memhtml read notes.html",
        "memhtml status\nread areas/a.html",
        "mymemhtml read areas/a.html",
    ],
)
def test_other_commands_have_nothing_to_do_with_memories(command: str) -> None:
    """Looking for one is not reading it, and a word is no command."""
    assert shell(command) == []


@pytest.mark.parametrize(
    ("name", "given", "links", "tells"),
    [
        ("memory_read", {"path": "areas/a.html"}, ((READ, "areas/a.html"),), False),
        ("mcp__memhtml__memory_read", {"paths": ["areas/a.html", "areas/a.html", 7]}, ((READ, "areas/a.html"),), False),
        ("mcp__m__memory_correct", {"target": "areas/a.html"}, ((CORRECTED, "areas/a.html"),), True),
        ("mcp__m__memory_reinforce", {"path": "areas/a.html"}, ((REINFORCED, "areas/a.html"),), False),
        ("mcp__m__memory_write_batch", {"lines": []}, (), True),
        ("Read", {"file_path": f"{STORE}/areas/a.html"}, ((READ, "areas/a.html"),), False),
        ("Write", {"file_path": f"{STORE}/areas/a.html", "content": ""}, ((WROTE, "areas/a.html"),), False),
        ("Edit", {"file_path": f"{STORE}/areas/a.html"}, ((WROTE, "areas/a.html"),), False),
    ],
)
def test_a_tool_says_what_it_does(name: str, given: object, links: tuple[object, ...], tells: bool) -> None:  # noqa: FBT001 - a case
    """The tools for memories under whatever server's name, and plain file tools on files of the store."""
    assert called(name, given) == [(links, tells)]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("memory_search", {"path": "areas/a.html"}),
        ("Read", {"file_path": "/home/ada/other/areas/a.html"}),
        ("Read", {"file_path": f"{STORE}/../memhtml/areas/a.html"}),
        ("Read", {"file_path": ["x"]}),
        ("Bash", {"command": 7}),
        ("Bash", "memhtml read areas/a.html"),
        (7, {}),
    ],
)
def test_other_tools_and_odd_inputs_have_nothing_to_do_with_memories(name: object, given: object) -> None:
    """And raise nothing."""
    assert called(name, given) == []  # type: ignore[arg-type] - what is refused


def test_a_windows_path_is_in_its_store_whatever_its_case() -> None:
    """Backslashes are slashes, and a drive's names have no case; elsewhere they have."""
    assert within(r"c:\users\ada\MEMHTML\areas\a.html", "C:/Users/ada/memhtml") == "areas/a.html"
    assert within("/Home/ada/memhtml/areas/a.html", STORE) is None
    assert within(f"{STORE}2/areas/a.html", STORE) is None
    assert within(f"{STORE}/areas/a.html", f"{STORE}/") == "areas/a.html"


def test_a_write_is_told_by_its_answer() -> None:
    """Alone, in an envelope, or between other output; a memory that was there already was not written."""
    data = {"path": "areas/a.html", "deduped": False}
    assert told(json.dumps({"apiVersion": "1", "type": "memory.written", "data": data})) == ((WROTE, "areas/a.html"),)
    assert told([{"type": "text", "text": json.dumps(data)}]) == ((WROTE, "areas/a.html"),)
    assert told(f"{{ start\n{json.dumps(data, indent=2)}\ndone }}") == ((WROTE, "areas/a.html"),)
    assert told("{ { x } " + json.dumps(data)) == ((WROTE, "areas/a.html"),)
    assert told("{" + json.dumps(data)) == ((WROTE, "areas/a.html"),)
    assert told(json.dumps({**data, "deduped": True})) == ()


def test_a_very_long_answer_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the output of something else; one that just fits is looked into."""
    text = json.dumps({"path": "areas/a.html", "deduped": False})
    monkeypatch.setattr("memhtml.traces.calls.LONGEST_ANSWER", len(text))
    assert told(text) == ((WROTE, "areas/a.html"),)
    assert told(text + " ") == ()


def test_a_correction_is_told_with_both_sides() -> None:
    """What was written, and what it took the place of, where that was then."""
    data = {"path": "areas/b.html", "previous": "areas/a.html", "superseded": "archive/2026/areas/a.html"}
    assert told(json.dumps({"data": data})) == ((WROTE, "areas/b.html"), (CORRECTED, "areas/a.html"))


def test_a_batch_is_told_line_by_line() -> None:
    """What was written and corrected; not what was linked, refused, or only tried."""
    results: list[object] = [
        {"path": "areas/a.html", "outcome": "written", "superseded": None},
        {"path": "areas/b.html", "outcome": "deduped"},
        {"path": "areas/c.html", "previous": "areas/d.html", "superseded": "archive/2026/areas/d.html"},
        {"path": "areas/e.html", "outcome": "linked"},
        {"path": "archive/2026/areas/f.html", "previous": "areas/f.html", "superseded": None, "outcome": "archived"},
        {"outcome": "refused"},
        7,
    ]
    batch = {"results": results, "dryRun": False}
    assert told(json.dumps({"data": batch})) == (
        (WROTE, "areas/a.html"),
        (WROTE, "areas/c.html"),
        (CORRECTED, "areas/d.html"),
    )
    assert told(json.dumps({"data": {**batch, "dryRun": True}})) == ()


def test_a_failed_call_tells_nothing() -> None:
    """Its answer is only known to be one."""
    block = {
        "type": "tool_result",
        "tool_use_id": "c1",
        "is_error": True,
        "content": '{"path":"areas/a.html","deduped":false}',
    }
    (answer,) = answers([block])
    assert (answer.id, answer.failed, answer.links) == ("c1", True, ())


def test_hostile_answers_are_bounded() -> None:
    """Braces without end, depth without end, and more memories than anybody writes at once."""
    assert told('"results"' + "{" * 100_000) == ()
    assert told('"results"' + '{"a":' * 100_000) == ()
    many = {"results": [{"path": f"areas/{number}.html", "outcome": "written"} for number in range(MOST_LINKS + 5)]}
    assert len(told(json.dumps(many))) == MOST_LINKS
    assert len(calls_of(MOST_LINKS + 5)) == MOST_LINKS


def calls_of(number: int) -> tuple[object, ...]:
    """The links of a call that reads so many."""
    ((links, _),) = called("memory_read", {"paths": [f"areas/{each}.html" for each in range(number)]})
    return links


@given(
    st.recursive(
        st.none() | st.text(max_size=30) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ("type", "id", "name", "input", "tool_use_id", "content", "text", "command", "path", "paths")
                ),
                inner | st.sampled_from(("tool_use", "tool_result", "text", "Bash", "memory_read")),
                max_size=6,
            )
        ),
    )
)
def test_content_of_any_shape_raises_nothing(content: object) -> None:
    """Whatever stands where blocks should."""
    list(calls(content, STORE))
    list(answers(content))

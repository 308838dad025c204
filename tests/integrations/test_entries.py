"""Parts of JSON files: put in as the author would have, and gone without a trace."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.integrations.entries import add, is_hollow, prune, take_out
from memhtml.integrations.jsonc import read, value_of
from memhtml.integrations.parts import Disputed, Entry, Item, Unreadable, unspliced

SERVER = {"command": "/opt/memhtml", "args": ["serve", "mcp"]}
ENTRY = Entry(("mcpServers", "memhtml"), SERVER)
ITEM = Item(("hooks", "SessionStart"), {"hooks": [{"command": "/opt/memhtml hook x", "timeout": 10}]}, mark="hook x")

OBJECTS = {(), ("hooks",), ("mcpServers",)}


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Objects as people keep them: laid out anyhow, with comments wherever they may be."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    gap = st.sampled_from(["", "", " ", "  ", "\t", end, f"{end}  ", f" // why{end}", " /* so */ ", f"/* a{end} b */"])
    key = st.sampled_from(["a", "b", "hooks", "mcpServers", "x y", "ü"])

    def value(depth: int, path: tuple[str, ...]) -> str:
        kind = draw(st.integers(0, 3 if depth < 3 else 1))
        if path == ("hooks", "SessionStart") or (kind == 2 and path not in OBJECTS):
            return several("[", "]", [value(depth + 1, (*path, "")) for _ in range(draw(st.integers(0, 2)))])
        if kind == 3 or path in OBJECTS:
            keys = draw(st.lists(st.just("SessionStart") | key if path == ("hooks",) else key, unique=True, max_size=3))
            return several(
                "{", "}", [f'"{each}"{draw(gap)}:{draw(gap)}{value(depth + 1, (*path, each))}' for each in keys]
            )
        return draw(st.sampled_from(["1", '"{ // no }"', "null", "-2.5e-3", '"\\u00e9\\""']))

    def several(opening: str, closing: str, things: list[str]) -> str:
        inside = "".join(f"{draw(gap)}{thing}{draw(gap)}," for thing in things)
        if things and not draw(st.booleans()):
            inside = inside[:-1]
        return f"{opening}{inside}{draw(gap)}{closing}"

    mark = draw(st.sampled_from(["", "\ufeff"]))
    return f"{mark}{draw(gap)}{value(0, ())}{draw(gap)}"


def comments(text: str) -> list[str]:
    """Every comment, in order."""
    return re.findall(r'"(?:[^"\\]|\\.)*"|(//[^\r\n]*|/\*.*?\*/)', text, re.DOTALL)


def expected(before: Any, part: Entry | Item) -> Any:  # noqa: ANN401 - JSON
    """What a document says with the part in it, by the way that leads there."""
    whole = copy.deepcopy(before)
    node = whole
    for key in part.path[:-1]:
        node = node.setdefault(key, {})
    if isinstance(part, Item):
        node.setdefault(part.path[-1], []).append(part.value)
    else:
        node[part.path[-1]] = part.value
    return whole


PARTS = st.sampled_from([ENTRY, ITEM])


@given(documents(), PARTS)
def test_a_part_is_added_to_what_was_said_and_changes_nothing_else(text: str, part: Entry | Item) -> None:
    """The new text says the old and the part; all comments are there, in their order; the rest is spliced."""
    before = value_of(read(text))
    added = add(text, part)
    assert value_of(read(added.text)) == expected(before, part)
    assert [each for each in comments(added.text) if each] == [each for each in comments(text) if each]
    assert unspliced(added.text, added.splices) == text
    again = add(added.text, part)
    assert (again.text, again.splices) == (added.text, ())


@given(documents(), PARTS)
def test_taking_out_leaves_what_was_said_before(text: str, part: Entry | Item) -> None:
    """Also without knowing where it was put; what was made around it goes too, and every comment stays."""
    before = value_of(read(text))
    added = add(text, part)
    rest = take_out(added.text, part)
    for path in sorted(added.made, key=len, reverse=True):
        rest = prune(rest, path)
    assert value_of(read(rest)) == before
    assert [each for each in comments(rest) if each] == [each for each in comments(text) if each]
    assert take_out(rest, part) == rest


@given(documents(), st.sampled_from([None, 0, 4, "\t"]))
def test_a_host_that_writes_its_file_anew_changes_nothing(text: str, indent: int | str | None) -> None:
    """As most do at each start: in another layout, without the comments, with other keys before and after."""
    before = value_of(read(text))
    first = add(text, ENTRY)
    second = add(first.text, ITEM)
    said = value_of(read(second.text))
    assert isinstance(said, dict)
    rest = json.dumps({"zero": [], **said, "last": {"x": 1}}, indent=indent)
    for part in (ITEM, ENTRY):
        rest = take_out(rest, part)
    for path in sorted((*first.made, *second.made), key=len, reverse=True):
        rest = prune(rest, path)
    assert isinstance(before, dict)
    assert json.loads(rest) == {"zero": [], **before, "last": {"x": 1}}


OTHER = Entry(("mcpServers", "zz"), {"url": "http://127.0.0.1"})


@given(documents(), PARTS)
def test_an_entry_that_came_later_stays(text: str, part: Entry | Item) -> None:
    """What somebody added after the part is there when the part is gone."""
    later = add(add(text, part).text, OTHER).text
    rest = take_out(later, part)
    for path in sorted(add(text, part).made, key=len, reverse=True):
        rest = prune(rest, path)
    assert value_of(read(rest)) == expected(value_of(read(text)), OTHER)


PRETTY = """\
{
  // servers of mine
  "mcpServers": {
    "files": {"command": "files"}, // local
    /* the old one */
    "web": {
      "command": "web",
    }, // last
  },
  "theme": "dark"
}
"""


def test_an_entry_stands_as_its_neighbours_do() -> None:
    """In the author's indentation, after the comments of the one before it, with a comma where they have one."""
    after = add(PRETTY, ENTRY).text
    assert after == PRETTY.replace(
        "    }, // last\n",
        "    }, // last\n"
        '    "memhtml": {\n'
        '      "command": "/opt/memhtml",\n'
        '      "args": [\n'
        '        "serve",\n'
        '        "mcp"\n'
        "      ]\n"
        "    },\n",
    )
    assert take_out(after, ENTRY) == PRETTY
    edited = after.replace('"theme": "dark"', '"theme": "light", "n": 1').replace("// local", "// far")
    assert take_out(edited, ENTRY) == PRETTY.replace('"theme": "dark"', '"theme": "light", "n": 1').replace(
        "// local", "// far"
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", '{\n  "a": 1\n}\n'),
        (" \n", ' \n{\n  "a": 1\n}\n'),
        ("{}", '{\n  "a": 1\n}'),
        ("{ // c\n}", '{ // c\n  "a": 1\n}'),
        ('{"b":2}', '{"b":2, "a": 1}'),
        ('{"b":2,}', '{"b":2, "a": 1,}'),
        ('{\n\t"b": 2 // c\n\t// d\n}', '{\n\t"b": 2, // c\n\t"a": 1\n\t// d\n}'),
        ('{\r\n    "b": 2\r\n}', '{\r\n    "b": 2,\r\n    "a": 1\r\n}'),
        ('{\r  "b": 2\r}', '{\r  "b": 2,\r  "a": 1\r}'),
        ('{\n"b": 2}', '{\n"b": 2,\n"a": 1}'),
    ],
)
def test_each_layout_is_continued(text: str, after: str) -> None:
    """And the splices know the way back."""
    added = add(text, Entry(("a",), 1))
    assert added.text == after
    assert unspliced(added.text, added.splices) == text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('{"mcpServers": []}', ENTRY),
        ('{"mcpServers": null}', ENTRY),
        ('{"hooks": []}', ITEM),
        ('{"mcpServers": {"memhtml": {"command": "mine"}}}', ENTRY),
        ('{"mcpServers": {"memhtml": null}}', ENTRY),
        ("[]", ENTRY),
        ("1", Entry(("a",), 1)),
        ('{"hooks": {"SessionStart": {}}}', ITEM),
        ('{"hooks": {"SessionStart": [{"command": "other hook x"}]}}', ITEM),
    ],
)
def test_what_stands_in_the_way_is_not_written_over(text: str, part: Entry | Item) -> None:
    """Something of that name which says something else is somebody's."""
    with pytest.raises(Disputed):
        add(text, part)


def test_what_is_said_twice_is_left_alone() -> None:
    """A program could hear the other one."""
    with pytest.raises(Unreadable):
        add('{"mcpServers": {}, "mcpServers": {}}', ENTRY)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (add("", ENTRY).text.replace('"serve"', '"served"'), ENTRY),
        (add("", ENTRY).text.replace('"args"', '"env": {}, "args"'), ENTRY),
        (add("", ITEM).text.replace("/opt/", "/usr/"), ITEM),
        (add("", ITEM).text.replace('"timeout"', '// mine\n"timeout"'), ITEM),
        (add("", ENTRY).text.replace('"args"', '/* mine */ "args"'), ENTRY),
        (add("", ITEM).text.replace("10", "30"), ITEM),
    ],
)
def test_a_part_that_somebody_changed_is_not_taken_out(text: str, part: Entry | Item) -> None:
    """It is theirs now."""
    with pytest.raises(Disputed):
        take_out(text, part)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"mcpServers": {}}',
        '{"hooks": {}}',
        '{"hooks": {"SessionStart": []}}',
        '{"mcpServers": 1, "hooks": []}',
        "[]",
    ],
)
def test_what_is_not_there_is_not_taken_out(text: str) -> None:
    """The text stays as it is."""
    assert take_out(text, ENTRY) == text
    assert take_out(text, ITEM) == text


def test_only_what_is_empty_is_pruned() -> None:
    """A comment is something, and so is a value."""
    assert prune('{"a": 1, "b": { }}', ("b",)) == '{"a": 1}'
    assert prune('{\n  "b": [],\n  "a": 1\n}', ("b",)) == '{\n  "a": 1\n}'
    for text in ("", '{"b": {"c": 1}}', '{"b": { /* soon */ }}', '{"b": ""}', '{"a": {}}'):
        assert prune(text, ("b",)) == text


def test_a_text_is_hollow_when_it_says_nothing() -> None:
    """Not where a comment is, wherever that stands."""
    assert all(is_hollow(text) for text in ("", " \r\n", "\ufeff", "{}", "\ufeff{ \n}\n"))
    assert not any(is_hollow(text) for text in ('{"a": 1}', "// c\n{}", "{}// c", "{/**/}", "1", '[""]'))

"""The table of operations, and what is made from it."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from memhtml.config.settings import SETTINGS
from memhtml.domain.errors import UnknownCommandError
from memhtml.ops.agents_doc import agents_doc
from memhtml.ops.commands import GLOBALS, GROUPS, operation
from memhtml.ops.encoding import dumps, encode
from memhtml.ops.guide import WIDTH, guide, usage
from memhtml.ops.manifest import manifest
from memhtml.ops.operation import Kind, Operation
from memhtml.ops.running import load
from memhtml.ops.schema import answer_type, schema
from memhtml.ops.table import OPERATIONS

EVERY = pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
CONTRACT = (
    *("init", "write", "apply", "read", "search", "recall", "correct", "link", "unlink", "neighbors", "resolve"),
    *("archive", "restore", "reinforce", "list", "entity", "history", "status", "publish", "doctor"),
    *("task add", "task status", "task list", "state export", "state import"),
    *("index rebuild", "index update", "index embed", "index status", "index verify"),
    *("trace index", "trace search", "trace links", "eval discriminate", "eval retrieval"),
    *("sleep run", "sleep resume", "sleep status", "sleep review", "sleep drop", "sleep merge", "sleep plan"),
    *("config list", "config get", "config set", "config unset", "manifest", "agents-doc", "help", "hook", "serve mcp"),
    *("integrations install", "integrations uninstall", "integrations list", "integrations doctor"),
    "exec",
)


def test_every_command_of_the_contract_is_there_and_no_other() -> None:
    """What later stages bring has no stub."""
    assert sorted(row.name for row in OPERATIONS) == sorted(CONTRACT)


@EVERY
def test_a_row_is_whole(row: Operation) -> None:
    """It runs something, its answer has a shape, its examples are of itself, its parameters are distinct."""
    assert callable(load(row))
    assert schema(answer_type(row))["type"] == "object"
    assert row.examples
    for example in row.examples:
        words = shlex.split(example)
        assert words[0] == "memhtml"
        assert " ".join(words[1:]).startswith(row.name)
    names = [parameter.name for parameter in (*row.parameters, *GLOBALS)]
    assert len(names) == len(set(names))
    assert not row.summary.endswith(".")


@EVERY
def test_parameters_are_consistent(row: Operation) -> None:
    """Positional ones come first, a list can only be last, a choice has choices, a default is within bounds."""
    positional = [parameter for parameter in row.parameters if parameter.positional]
    assert tuple(positional) == row.parameters[: len(positional)]
    assert all(not (each.repeatable or each.joined) for each in positional[:-1])
    assert [each.required for each in positional] == sorted((each.required for each in positional), reverse=True)
    for parameter in row.parameters:
        assert bool(parameter.choices) == (parameter.kind is Kind.CHOICE)
        assert not parameter.help.endswith(".")
        if parameter.default is not None and parameter.choices:
            assert parameter.default in parameter.choices
        if isinstance(parameter.default, int):
            assert parameter.low is None or parameter.low <= parameter.default
    if row.piped:
        assert row.piped in {parameter.name for parameter in row.parameters}


def test_two_answers_of_one_type_have_one_shape() -> None:
    """A type names one shape for ever."""
    shapes: dict[str, object] = {}
    for row in OPERATIONS:
        shape = schema(answer_type(row))
        assert shapes.setdefault(row.envelope, shape) == shape


@EVERY
def test_help_shows_all_that_a_command_takes(row: Operation) -> None:
    """Every flag and every example, in lines that fit a screen."""
    text = guide(row.name).text
    assert usage(row) in text
    assert all(parameter.flag in text for parameter in (*row.parameters, *GLOBALS))
    assert all(example in text for example in row.examples)
    assert all(len(line) <= WIDTH for line in text.splitlines() if "memhtml " not in line)


def test_help_about_all_names_every_command_and_that_about_a_group_its_own() -> None:
    """And nothing is no command."""
    assert all(row.name in guide("").text for row in OPERATIONS)
    assert "task add" in guide("task").text
    assert "init" not in guide("task").text
    with pytest.raises(UnknownCommandError) as caught:
        guide("taks")
    assert "memhtml help task" in caught.value.suggestions


def test_groups_are_those_of_the_two_word_commands() -> None:
    """No group without a command, and none without a heading."""
    assert set(GROUPS) == {row.name.partition(" ")[0] for row in OPERATIONS if " " in row.name}
    assert operation("task") is None


def test_the_manifest_holds_the_whole_contract() -> None:
    """Counted against the tables themselves; and it is JSON."""
    whole = manifest()
    text = json.loads(dumps(encode(whole), dense=False))
    assert [command["name"] for command in text["commands"]] == [row.name for row in OPERATIONS]
    assert sum(len(command["parameters"]) for command in text["commands"]) == sum(
        len(row.parameters) for row in OPERATIONS
    )
    assert set(text["answers"]) == {row.envelope for row in OPERATIONS}
    assert [setting["name"] for setting in text["settings"]] == [setting.name for setting in SETTINGS]
    assert {"types", "rels", "taskStatuses", "memoryRels"} <= set(text["vocabularies"])
    assert set(text["vocabularies"]["rels"]) == {
        rel for name in ("memory", "person", "provenance", "task") for rel in text["vocabularies"][f"{name}Rels"]
    }


def test_no_key_of_any_answer_has_an_underscore() -> None:
    """Keys are camelCase throughout."""
    keys = re.findall(r'"([A-Za-z_]+)":', dumps(encode(manifest().answers), dense=True))
    assert not [key for key in keys if "_" in key]


def test_the_agents_page_says_when_to_search_and_when_to_write() -> None:
    """And its commands are those of the table."""
    text = agents_doc().text
    assert text.startswith("# ")
    for name in ("search", "recall", "write", "correct"):
        assert f"memhtml {name}" in text
    for command in re.findall(r"`memhtml ([a-z-]+(?: [a-z]+)?)", text):
        assert operation(command) or operation(command.partition(" ")[0]), command

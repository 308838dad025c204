"""From words to an operation and its raw arguments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.cli.parser import parse, wants_dense, wants_json
from memhtml.domain.errors import (
    InvalidFlagError,
    MissingArgumentError,
    UnexpectedArgumentError,
    UnknownCommandError,
    UsageError,
)
from memhtml.ops.table import OPERATIONS


def test_worked_example() -> None:
    """Flags may stand anywhere; a flag that is a setting goes to the settings."""
    call = parse(["--root", "/s", "config", "get", "root", "--json"])
    assert call.operation is not None
    assert call.operation.name == "config get"
    assert call.raw == {"name": "root"}
    assert call.settings == {"root": "/s"}


@pytest.mark.parametrize(
    "words",
    [
        ["--root=/s", "help", "task", "add"],
        ["help", "--root", "/s", "task", "add"],
        ["help", "task", "--root", "/s", "add"],
        ["help", "task", "add", "--root=/s"],
    ],
)
def test_a_global_flag_may_stand_before_between_and_after(words: list[str]) -> None:
    """Its value is never taken for the command."""
    call = parse(words)
    assert (call.topic, call.raw, call.settings) == ("help", {"command": "task add"}, {"root": "/s"})


def test_after_two_dashes_nothing_is_a_flag() -> None:
    """So a value may begin with a dash; `=` does the same."""
    assert parse(["config", "get", "--", "--json"]).raw == {"name": "--json"}
    assert parse(["config", "get", "--name=--json"]).raw == {"name": ["--json"]}
    assert not wants_json(["config", "get", "--", "--json"])
    assert parse(["config", "get", "--", "--help"]).help is False


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["--json", "--help"]])
def test_help_about_everything(words: list[str]) -> None:
    """On its own, memhtml prints help."""
    call = parse(words)
    assert (call.operation, call.topic, call.help) == (None, "", True)


@pytest.mark.parametrize("name", [row.name for row in OPERATIONS] + ["config"])
def test_help_about_one_command_needs_none_of_its_arguments(name: str) -> None:
    """For every command, and for a group of them."""
    call = parse([*name.split(), "--help", "--nonsense"])
    assert (call.operation, call.topic, call.help) == (None, name, True)


@pytest.mark.parametrize("words", [["--version"], ["-V"], ["config", "list", "--version"]])
def test_the_version_is_asked_for_anywhere(words: list[str]) -> None:
    """It needs no command."""
    assert parse(words).version


@pytest.mark.parametrize(
    ("words", "likely"),
    [
        (["confg", "list"], "config list"),
        (["conifg"], "config"),
        (["hlep"], "help"),
        (["config", "lst"], "config list"),
    ],
)
def test_a_mistyped_command_gets_the_one_that_was_meant(words: list[str], likely: str) -> None:
    """First of the suggestions, as a command line."""
    with pytest.raises(UnknownCommandError) as caught:
        parse(words)
    assert f"did you mean memhtml {likely}?" in caught.value.suggestions


@pytest.mark.parametrize(
    "word", ["zzzz", "../x", "a\0b", "\udcff", "<script>", "x" * 10_000, "مرحبا", "", " ", "'; --"]
)
def test_a_hostile_command_is_an_unknown_one(word: str) -> None:
    """The message is one short printable line."""
    with pytest.raises(UsageError) as caught:
        parse([word])
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 1000


def test_a_mistyped_flag_gets_the_one_that_was_meant() -> None:
    """Also with a value joined to it, and before any command."""
    for words in (["config", "list", "--rooot", "x"], ["config", "list", "--rooot=x"], ["--rooot=x"]):
        with pytest.raises(InvalidFlagError, match="'--rooot'") as caught:
            parse(words)
        assert "did you mean --root?" in caught.value.suggestions


def test_an_abbreviated_flag_is_no_flag() -> None:
    """Or a later version's new flag would change what a script means."""
    with pytest.raises(InvalidFlagError):
        parse(["config", "list", "--roo", "x"])


@pytest.mark.parametrize(
    "words",
    [
        ["config", "list", "--root"],
        ["config", "list", "--json=yes"],
        ["config", "list", "--root", "--dense"],
        ["config", "list", "--root", "--embed=off"],
    ],
)
def test_a_flag_without_its_value_or_with_one_too_many_is_refused(words: list[str]) -> None:
    """As an error of the tree, not as an exit of argparse."""
    with pytest.raises(InvalidFlagError, match=words[2].partition("=")[0]):
        parse(words)


@pytest.mark.parametrize("value", ["-x", "--nonsense", "-", "", "- a list", "-5"])
def test_a_flag_takes_the_next_word_whatever_it_is(value: str) -> None:
    """Unless that is a flag itself; `=` takes that too."""
    assert parse(["config", "list", "--root", value]).settings == {"root": value}
    assert parse(["config", "list", "--root=--dense"]).settings == {"root": "--dense"}


@pytest.mark.parametrize("word", ["-", "-5", "-0.5", "- a list", "-5 degrees"])
def test_a_word_that_cannot_be_a_flag_is_a_value(word: str) -> None:
    """A lone dash, a number, a sentence."""
    assert parse(["config", "get", word]).raw == {"name": word}


def test_one_argument_too_many_is_refused() -> None:
    """It names the one that has no place."""
    with pytest.raises(UnexpectedArgumentError, match="config get takes no further argument 'b'"):
        parse(["config", "get", "a", "b"])
    with pytest.raises(UnexpectedArgumentError, match="config list takes no further argument 'a'"):
        parse(["config", "list", "a"])


def test_a_setting_given_twice_is_refused() -> None:
    """Neither wins silently."""
    with pytest.raises(UnexpectedArgumentError, match="--root may be given once"):
        parse(["config", "list", "--root", "a", "--root", "b"])


@pytest.mark.parametrize("words", [["config"], ["--json", "config"], ["config", "--dense"]])
def test_a_group_alone_names_its_commands(words: list[str]) -> None:
    """They are the suggestions."""
    with pytest.raises(MissingArgumentError, match="config needs one of list, get") as caught:
        parse(words)
    assert "memhtml config list" in caught.value.suggestions


def test_json_is_asked_for_by_either_flag() -> None:
    """Known before anything is parsed, so that a parse error comes out as JSON."""
    assert wants_json(["nonsense", "--json"])
    assert wants_json(["--dense", "nonsense"])
    assert wants_dense(["--dense", "nonsense"])
    assert not wants_json(["search", "json"])


@given(st.lists(st.text(max_size=12) | st.sampled_from(["config", "list", "--root", "--json", "--", "-", "--help"])))
def test_any_words_give_a_call_or_a_usage_error(words: list[str]) -> None:
    """Nothing else escapes, and nothing exits."""
    message = "fine"
    try:
        parse(words)
    except UsageError as error:
        message = error.message
    assert message.isprintable()

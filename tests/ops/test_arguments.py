"""Coercion of arguments: the same checks whichever door they came through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidFlagError, MissingArgumentError, UnexpectedArgumentError
from memhtml.ops.arguments import bind, closest, shown
from memhtml.ops.operation import Kind, Operation, Parameter

ROW = Operation(
    name="demo",
    summary="Nothing that runs",
    parameters=(
        Parameter("query", Kind.TEXT, "text", positional=True, required=True),
        Parameter("limit", Kind.INTEGER, "number", default=10, low=1, high=200),
        Parameter("share", Kind.NUMBER, "number", low=0),
        Parameter("tag", Kind.TEXT, "text", repeatable=True),
        Parameter("kind", Kind.CHOICE, "choice", choices=("semantic", "episodic")),
        Parameter("dry_run", Kind.FLAG, "flag"),
        Parameter("as_of", Kind.INSTANT, "instant"),
    ),
    runs="nowhere:run",
    envelope="demo",
    examples=("memhtml demo x",),
)


def test_worked_example() -> None:
    """A command line's texts become what the parameters take, and what is absent has its default."""
    arguments = bind(ROW, {"query": ["deploys"], "share": ["0.5"], "tag": ["a", "b"], "dry_run": True})
    assert arguments.needed("query") == "deploys"
    assert arguments.count("limit") == 10
    assert arguments.number("share") == 0.5
    assert arguments.texts("tag") == ("a", "b")
    assert arguments.flag("dry_run")
    assert arguments.text("kind") is None
    assert not arguments.given("as_of")
    assert not arguments.given("kind")
    assert arguments.given("tag")


@pytest.mark.parametrize("limit", ["7", 7, 7.0, ["7"], (7,)])
def test_numbers_come_as_numbers_texts_and_lists_of_one(limit: object) -> None:
    """Clients differ in how they write a number."""
    assert bind(ROW, {"query": "x", "limit": limit}).count("limit") == 7


@pytest.mark.parametrize("absent", [None, [], ()])
def test_null_and_an_empty_list_are_absent(absent: object) -> None:
    """The default holds, and a required one is missed."""
    assert bind(ROW, {"query": "x", "limit": absent, "tag": absent}).count("limit") == 10
    with pytest.raises(MissingArgumentError, match="demo needs QUERY"):
        bind(ROW, {"query": absent})


@pytest.mark.parametrize("text", ["1_0", "٣", "\uff13", " 3", "3\n", "+-3", "--3", "0x3"])
def test_a_number_is_written_in_ascii_digits_with_at_most_a_sign(text: str) -> None:
    """Python would take underscores, spaces and the digits of other scripts, which nobody else reads as a number."""
    for name in ("limit", "share"):
        with pytest.raises(InvalidFlagError, match=f"{name} takes a"):
            bind(ROW, {"query": "x", name: text})
    assert bind(ROW, {"query": "x", "limit": "+3"}).count("limit") == 3
    for number in ("3", "+3", "3.", "3.0", "30e-1"):
        assert bind(ROW, {"query": "x", "share": number}).number("share") == 3.0


@pytest.mark.parametrize("limit", ["0", "201", "1.5", "", "ten", "1e3", True, "9" * 5000, float("nan"), float("inf")])
def test_a_number_outside_its_range_or_shape_is_refused(limit: object) -> None:
    """The message says the flag and what it takes."""
    with pytest.raises(InvalidFlagError, match=r"--limit takes a (whole )?number from 1 to 200"):
        bind(ROW, {"query": "x", "limit": limit})


@pytest.mark.parametrize("share", ["nan", "inf", "-inf", "x", "1" * 400 + "e9", "-0.1", False])
def test_a_number_that_is_none_is_refused(share: object) -> None:
    """Neither infinity nor what is not a number passes."""
    with pytest.raises(InvalidFlagError, match="--share takes a number"):
        bind(ROW, {"query": "x", "share": share})


def test_the_edges_of_a_range_belong_to_it() -> None:
    """1 and 200 are taken."""
    assert [bind(ROW, {"query": "x", "limit": limit}).count("limit") for limit in (1, 200)] == [1, 200]


def test_a_choice_is_one_of_its_words() -> None:
    """A near miss gets the word that was meant."""
    assert bind(ROW, {"query": "x", "kind": "episodic"}).text("kind") == "episodic"
    with pytest.raises(InvalidFlagError, match=r"semantic, episodic; not 'semantik'") as caught:
        bind(ROW, {"query": "x", "kind": "semantik"})
    assert caught.value.suggestions == ("did you mean semantic?",)


@pytest.mark.parametrize(
    ("given_value", "truth"), [(True, True), (False, False), ("true", True), ("no", False), ("", False), (1, True)]
)
def test_a_flag_takes_the_words_for_yes_and_no(given_value: object, truth: bool) -> None:  # noqa: FBT001 - a row
    """Text from clients that know no booleans."""
    assert bind(ROW, {"query": "x", "dry_run": given_value}).flag("dry_run") is truth


def test_a_flag_takes_nothing_else() -> None:
    """A word that is neither is refused."""
    with pytest.raises(InvalidFlagError, match="--dry-run is a flag"):
        bind(ROW, {"query": "x", "dry_run": "perhaps"})


@pytest.mark.parametrize("value", [{"a": 1}, b"x", object(), True])
def test_text_is_text_or_a_number(value: object) -> None:
    """Anything else would be guessed at."""
    with pytest.raises(InvalidFlagError, match="QUERY takes text"):
        bind(ROW, {"query": [value]})
    assert bind(ROW, {"query": 5}).needed("query") == "5"


@pytest.mark.parametrize(
    "value", [True, {"a": 1}, ["a"], b"a", None, float("nan"), float("-inf"), 10**5000], ids=range(8)
)
@pytest.mark.parametrize("name", ["query", "tag", "kind", "as_of", "limit", "share", "dry_run"])
def test_what_has_no_text_that_its_caller_would_know_is_refused(name: str, value: object) -> None:
    """In a list, so that it is the value and not its absence; only a flag is a truth."""
    if name == "dry_run" and value is True:
        assert bind(ROW, {"query": "x", name: [value]}).flag(name)
        return
    with pytest.raises(InvalidFlagError) as refused:
        bind(ROW, {"query": "x", name: [value]})
    assert len(refused.value.message) < 200


def test_bytes_that_were_no_utf8_are_refused() -> None:
    """Python hands them over as lone surrogates."""
    with pytest.raises(InvalidFlagError, match="QUERY is not valid UTF-8"):
        bind(ROW, {"query": "a\udcffb"})


def test_a_name_that_is_no_parameter_is_refused_with_the_nearest_one() -> None:
    """A JSON door sends names."""
    with pytest.raises(UnexpectedArgumentError, match="demo takes no limt") as caught:
        bind(ROW, {"query": "x", "limt": 3})
    assert "limit" in caught.value.suggestions


def test_what_may_be_given_once_is_refused_twice() -> None:
    """Neither the first nor the last wins silently."""
    with pytest.raises(UnexpectedArgumentError, match="--limit may be given once, not 2 times"):
        bind(ROW, {"query": "x", "limit": ["1", "2"]})


def test_a_door_spells_names_its_own_way() -> None:
    """A JSON door has no dashes."""
    with pytest.raises(InvalidFlagError, match=r"^limit takes"):
        bind(ROW, {"query": "x", "limit": "?"}, spelling=lambda parameter: parameter.name)


def test_nothing_is_close_to_nonsense() -> None:
    """A suggestion that fits nothing is no help."""
    assert closest("zzzzzz", ["search", "write"]) == ()


@given(st.text())
def test_a_refused_value_is_shown_on_one_short_line(text: str) -> None:
    """Whatever it holds."""
    line = shown(text)
    assert line.isprintable()
    assert len(line) <= 64 * 10
    assert line.isascii() or text.isprintable()


@given(st.integers(min_value=1, max_value=200))
def test_a_number_survives_the_way_through_text(number: int) -> None:
    """For every number in range."""
    assert bind(ROW, {"query": "x", "limit": str(number)}).count("limit") == number

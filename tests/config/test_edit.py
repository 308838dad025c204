"""One line of a settings file changed, the others left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.config.edit import with_value
from memhtml.config.settings import parse_file
from memhtml.domain.errors import InvalidSettingError

VALUES = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40)


def edit(text: str, name: str, value: str | None) -> str:
    """The edited file as text."""
    return with_value(text.encode(), name, value, "config.toml").decode()


def test_worked_example() -> None:
    """A comment, another key, a table and the order all stay."""
    before = '# ours\nembed = "on"  # was off\nlock_wait = 5\n\n[later]\nembed = "x"\n'
    after = '# ours\nembed = "off"\nlock_wait = 5\n\n[later]\nembed = "x"\n'
    assert edit(before, "embed", "off") == after
    assert edit(before, "embed", None) == '# ours\nlock_wait = 5\n\n[later]\nembed = "x"\n'


def test_a_new_key_goes_before_the_first_table() -> None:
    """After it, it would belong to the table."""
    assert edit("a = 1\n[t]\nb = 2\n", "embed", "off") == 'a = 1\nembed = "off"\n[t]\nb = 2\n'
    assert edit("a = 1", "embed", "off") == 'a = 1\nembed = "off"\n'
    assert edit("", "embed", "off") == 'embed = "off"\n'


def test_nothing_changes_when_the_file_says_so_already() -> None:
    """Bytes and all, also when there is nothing to drop."""
    assert edit("embed   =  'off' # x\n", "embed", "off") == "embed   =  'off' # x\n"
    assert edit("a = 1\n", "embed", None) == "a = 1\n"


@pytest.mark.parametrize("before", ['embed = """\non"""\n', 'x = """\nembed = 1\n"""\n"embed" = "on"\n', "embed = \n"])
def test_what_one_line_cannot_change_is_refused(before: str) -> None:
    """Better a person edits than a file comes out wrong."""
    with pytest.raises(InvalidSettingError):
        edit(before, "embed", "off")


@given(VALUES.filter(bool), st.sampled_from(["", "a = 1\n", "# c\nembed = 'x'\n[t]\nz = 1\n"]))
def test_what_is_set_is_what_is_read(value: str, before: str) -> None:
    """Quotes, backslashes, control characters and newlines too; every other key keeps its value."""
    after = with_value(before.encode(), "embed", value, "config.toml")
    read = dict(parse_file(after, "config.toml"))
    assert read.pop("embed") == value
    assert read == {key: text for key, text in parse_file(before.encode(), "x").items() if key != "embed"}
    assert with_value(after, "embed", value, "config.toml") == after

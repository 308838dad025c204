"""How each meta is read and written."""

from __future__ import annotations

import pytest

from memhtml.domain.memory import Entity
from memhtml.page.metas import BY_NAME, METAS, written

WHEN = {
    "2026-07-28": "2026-07-28",
    "2026-07-28 10:00+02:00": "2026-07-28T08:00:00Z",
    "": None,
    "2026-8-9": None,
    "x": None,
}
LINE = {"a": "a", " a \n b ": "a b", "": None, " \u00a0": None}
READ: dict[str, dict[str, object]] = {
    "memhtml-type": {"episodic": "episodic", "agent_insight": "agent_insight", "Episodic": None, "": None},
    "memhtml-status": {"active": "active", "archived": "archived", "done": None},
    "memhtml-created": WHEN,
    "memhtml-updated": WHEN,
    "memhtml-confidence": {
        "0": 0.0,
        "1": 1.0,
        "0.5": 0.5,
        "1.0000001": None,
        "-0": None,
        "1e-1": None,
        ".5": None,
        "": None,
    },
    "memhtml-importance": {"1": 1, "10": 10, "007": 7, "0": None, "11": None, "1.0": None, "+1": None, "\u0661": None},
    "memhtml-content-hash": {
        "sha256:" + "0a" * 32: "sha256:" + "0a" * 32,
        "sha256:" + "0A" * 32: None,
        "0a" * 32: None,
    },
    "memhtml-author": LINE,
    "memhtml-session": LINE,
    "memhtml-prompt": LINE,
    "memhtml-turn": LINE,
    "memhtml-valid-from": WHEN,
    "memhtml-valid-until": WHEN,
    "memhtml-reprieves": {"0": 0, "12": 12, "-1": None, "1" * 10: None, "": None},
    "memhtml-archived": WHEN,
    "memhtml-superseded-by": {"/areas/a%20b.html": "areas/a b.html", "areas/a.html": None, "//a": None, "": None},
    "memhtml-needs-revision": {"true": True, "false": False, "True": None, "1": None, "": None},
    "memhtml-task-status": {"todo": "todo", "doing": "doing", "blocked": "blocked", "done": "done", "open": None},
    "memhtml-due": WHEN,
    "memhtml-entity": {"a:b:c": Entity("a", "b:c"), "a": None, ":b": None},
    "memhtml-tag": LINE,
    "memhtml-alias": LINE,
}


@pytest.mark.parametrize("rule", METAS, ids=lambda rule: rule.name)
def test_contents_are_read_by_their_rule(rule: object) -> None:
    """Values inside it are values, all others are nothing; and what is written is read again."""
    name = next(name for name, known in BY_NAME.items() if known is rule)
    for content, value in READ[name].items():
        found = BY_NAME[name].read(content)
        assert found == value
        assert (found is None) == (value is None)
        assert found is None or BY_NAME[name].read(written(BY_NAME[name], found)) == found


def test_every_meta_is_among_the_examples() -> None:
    """Counted both ways."""
    assert list(READ) == [rule.name for rule in METAS]


@pytest.mark.parametrize(
    ("name", "value", "content"),
    [
        ("memhtml-confidence", 0.875, "0.88"),
        ("memhtml-confidence", 1.0, "1.00"),
        ("memhtml-importance", 7, "7"),
        ("memhtml-needs-revision", False, "false"),
        ("memhtml-superseded-by", "areas/a b.html", "/areas/a%20b.html"),
        ("memhtml-author", "areas/a b.html", "areas/a b.html"),
        ("memhtml-entity", Entity("a", "b"), "a:b"),
    ],
)
def test_values_are_written_in_one_way(name: str, value: object, content: str) -> None:
    """Two decimals, lower-case truths, paths as addresses."""
    assert written(BY_NAME[name], value) == content


def test_a_value_of_another_kind_is_a_mistake_of_the_program() -> None:
    """Named, not written."""
    with pytest.raises(TypeError, match="memhtml-tag takes no list"):
        written(BY_NAME["memhtml-tag"], [])

"""What a script may call: plain values of the memories of one commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import InvalidFlagError, PathNotFoundError, UnexpectedArgumentError, UsageError
from memhtml.domain.memory import Entity, Facet
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.models.fakes import HashedWords
from memhtml.ops.archive import archive
from memhtml.ops.correct import correct
from memhtml.ops.exec_corpus import LONGEST_TEXT, MOST_VALUES, Corpus
from memhtml.ops.link import link
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import Hands, fact, git

BY_HAND = ("-c", "user.name=A Person", "-c", "user.email=person@example.org", "commit", "-q", "-a", "-m", "by hand")


def corpus(workspace: Workspace) -> Corpus:
    """The corpus of the store as it is."""
    workspace.catch_up()
    return Corpus(workspace.index, None, workspace.clock.now())


def paths(rows: object) -> list[str]:
    """Where the memories of an answer are."""
    return [row["path"] for row in cast("list[dict[str, Any]]", rows)]


def test_worked_example(workspace: Workspace) -> None:
    """All that is known of a memory, as texts, numbers, lists and dictionaries."""
    draft = replace(
        fact("Drain before every deploy."),
        body="Nodes refuse new work at once.",
        tags=("deploys",),
        entities=(Entity("service", "checkout"),),
        facets=(Facet("limit", "3", 3.0),),
        importance=7,
    )
    path = write(workspace, draft).path
    (row,) = corpus(workspace).corpus()
    assert row["text"] == "Drain before every deploy. Nodes refuse new work at once.\nlimit: 3"
    assert row.pop("content_hash", "").startswith("sha256:")
    del row["text"], row["gist"]
    assert row == {
        "path": path,
        "title": "Drain before every deploy.",
        "type": "semantic",
        "status": "active",
        "archived": False,
        "workspace": None,
        "created": "2026-07-28T10:00:00Z",
        "updated": "2026-07-28T10:00:00Z",
        "event_at": None,
        "valid_from": None,
        "valid_until": None,
        "confidence": None,
        "importance": 7,
        "author": None,
        "session": None,
        "needs_revision": None,
        "task_status": None,
        "due": None,
        "superseded_by": None,
        "contradicts": [],
        "entities": ["service:checkout"],
        "tags": ["deploys"],
        "aliases": [],
        "facets": [{"name": "limit", "value": "3", "number": 3.0}],
        "links": [],
    }


def test_an_empty_store_has_no_memories(workspace: Workspace) -> None:
    """And nothing to find."""
    held = corpus(workspace)
    assert (held.memories, held.corpus(), held.search("anything")) == (0, [], [])


def test_a_corpus_is_that_of_a_search(workspace: Workspace, clock: Hands) -> None:
    """Newest first, without tasks and the archive unless they are asked for, in the same scope."""
    old = write(workspace, replace(fact("Builds take ten minutes."), tags=("ci",))).path
    clock.instant = type(clock.instant)("2026-07-28T11:00:00Z")
    new = write(workspace, replace(fact("Deploys take two minutes."), tags=("ci", "deploys"))).path
    task = write(workspace, fact("Order the badges", MemoryType.TASK)).path
    gone = archive(workspace, [write(workspace, fact("Nodes reboot on Sundays.")).path]).memories[0].path
    held = corpus(workspace)
    assert held.memories == 2
    assert paths(held.corpus()) == [new, old]
    assert paths(held.corpus(tag="deploys")) == [new]
    assert paths(held.corpus(tags=["deploys", "none"])) == [new]
    assert paths(held.corpus(type={"task"})) == [task]
    assert sorted(paths(held.corpus(archived=True))) == sorted([new, old, gone])
    with pytest.raises(UnexpectedArgumentError, match="takes no color"):
        held.corpus(color="red")
    with pytest.raises(InvalidFlagError, match="takes one of"):
        held.corpus(type="dream")


def test_a_corpus_is_no_more_of_a_memory_than_is_asked_for(workspace: Workspace) -> None:
    """By one name or many; a name that is none is refused with those that there are."""
    one, two = (write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2))
    link(workspace, one, Rel.SUPPORTS, two)
    held = corpus(workspace)
    assert sorted(paths(held.corpus("path"))) == [one, two]
    (row, _) = sorted(held.corpus(only=["links", "path", "text"]), key=lambda row: str(row["path"]))
    assert row == {
        "path": one,
        "text": "Fact 1 is here.",
        "links": [{"rel": "supports", "path": two, "found": True}],
    }
    assert held.corpus(only=[], archived=True) == [{}, {}]
    with pytest.raises(InvalidFlagError, match="a memory has no 'author_name'; it has path, title"):
        held.corpus(only=("path", "author_name"))


def test_links_lead_to_where_the_other_is_now(workspace: Workspace) -> None:
    """To the archive too; one that leads nowhere says so. Backlinks are the same links from the other end."""
    one, two, three = (write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2, 3))
    link(workspace, one, Rel.SUPPORTS, two)
    link(workspace, three, Rel.CAUSED_BY, two)
    link(workspace, three, Rel.SUPPORTS, one)
    gone = archive(workspace, [two]).memories[0].path
    held = corpus(workspace)
    known = {row["path"]: row["links"] for row in held.corpus()}
    assert known == {
        one: [{"rel": "supports", "path": gone, "found": True}],
        three: [
            {"rel": "caused_by", "path": gone, "found": True},
            {"rel": "supports", "path": one, "found": True},
        ],
    }
    expected = [{"rel": "supports", "path": one}, {"rel": "caused_by", "path": three}]
    assert held.backlinks(two) == held.backlinks(gone) == expected
    assert held.backlinks(gone, "caused-by") == held.backlinks(gone, rel="caused_by") == expected[1:]
    assert held.backlinks(three) == []
    put_away = archive(workspace, [three]).memories[0].path
    assert {"rel": "supports", "path": put_away} in corpus(workspace).backlinks(one), "links of the archive count too"


def test_a_link_to_what_was_never_there_is_told_as_it_is_written(workspace: Workspace) -> None:
    """By the name in the link."""
    one, two = (write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2))
    link(workspace, one, Rel.SUPPORTS, two)
    root = workspace.repository.root
    (root / two).unlink()
    git(root, *BY_HAND)
    (row,) = corpus(workspace).corpus()
    assert row["links"] == [{"rel": "supports", "path": two, "found": False}]


def test_a_chain_is_the_same_from_each_of_its_memories(workspace: Workspace, clock: Hands) -> None:
    """Oldest first, through the archive, by any path that a memory had; one that stands alone is a chain of one."""
    limit = write(workspace, fact("The retry limit of checkout is 3.")).path
    was = [limit]
    for number in (4, 5):
        clock.instant = type(clock.instant)(f"2026-07-28T1{number}:00:00Z")
        was.append(correct(workspace, was[-1], fact(f"The retry limit of checkout is {number}.")).path)
    alone = write(workspace, fact("Nodes reboot on Sundays.")).path
    held = corpus(workspace)
    line = [f"archive/2026/{was[0]}", f"archive/2026/{was[1]}", was[2]]
    for path in (*line, *was):
        assert held.chain(path) == line, path
    assert held.chain(alone) == [alone]
    assert held.chain(was[2], "caused_by") == [was[2]]


def test_a_chain_follows_another_rel_and_ends_where_it_began(workspace: Workspace) -> None:
    """What something was caused by comes before it; a ring is told once, from any of its memories."""
    one, two, three = (write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2, 3))
    link(workspace, three, Rel.CAUSED_BY, two)
    link(workspace, two, Rel.CAUSED_BY, one)
    assert corpus(workspace).chain(two, "caused-by") == [one, two, three]
    link(workspace, one, Rel.CAUSED_BY, three)
    held = corpus(workspace)
    assert [sorted(held.chain(path, rel="caused_by")) for path in (one, two, three)] == [sorted([one, two, three])] * 3


def test_where_a_chain_forks_it_goes_on_with_the_newest(workspace: Workspace, clock: Hands) -> None:
    """Of those of one moment with the last by path."""
    root = write(workspace, fact("Fact 0 is here.")).path
    parts = [write(workspace, fact(f"Fact {number} is here.")).path for number in (3, 5, 9, 1, 7)]
    for part in parts:
        link(workspace, part, Rel.PART_OF, root)
    assert corpus(workspace).chain(root, "part_of") == [root, max(parts)]
    clock.instant = type(clock.instant)("2026-07-28T11:00:00Z")
    newer = write(workspace, fact("A newer fact is here.")).path
    link(workspace, newer, Rel.PART_OF, root)
    assert corpus(workspace).chain(root, "part_of") == [root, newer]


def test_a_stamp_alone_joins_a_chain(workspace: Workspace) -> None:
    """A person may have taken the link out of the file that came after."""
    old = write(workspace, fact("The retry limit of checkout is 3.")).path
    new = correct(workspace, old, fact("The retry limit of checkout is 5.")).path
    root: Path = workspace.repository.root
    text = (root / new).read_text(encoding="utf-8")
    kept = "\n".join(line for line in text.split("\n") if "memhtml-supersedes" not in line)
    assert kept != text
    (root / new).write_text(kept, encoding="utf-8")
    git(root, *BY_HAND)
    assert corpus(workspace).chain(new) == [f"archive/2026/{old}", new]


def test_a_search_finds_as_the_command_does(workspace: Workspace) -> None:
    """Best first, with its scope and its bar; what could not take part is remembered."""
    path = write(workspace, replace(fact("Drain before every deploy."), tags=("deploys",))).path
    other = write(workspace, fact("Nodes reboot on Sundays.")).path
    held = corpus(workspace)
    (hit,) = held.search("drain before a deploy")
    assert (hit["path"], hit["type"], hit["trust"], hit["tags"]) == (path, "semantic", "uncontested", ["deploys"])
    assert isinstance(hit["score"], float)
    assert held.search("the colour of the moon on sundays when nobody looks") == []
    assert paths(held.search("the colour of the moon on sundays when nobody looks", no_bar=True)) == [other]
    assert paths(held.search("deploy", 1, tag="deploys", no_bar=True)) == [path]
    assert held.search("deploy", tag="none") == []
    assert held.degraded == ()
    with pytest.raises(InvalidFlagError, match="limit takes a number from 1 to 1000"):
        held.search("deploy", limit=0)
    with pytest.raises(UnexpectedArgumentError):
        held.search("deploy", known_at="2026-01-01")


def test_a_search_gives_ten_hits_unless_told_otherwise(workspace: Workspace) -> None:
    """As the command does."""
    for number in range(12):
        write(workspace, fact(f"The pump of basin {number} hums."))
    held = corpus(workspace)
    assert [len(held.search("hums", limit)) for limit in (3, 12)] == [3, 12]
    assert len(held.search("hums")) == 10


def test_what_is_too_much_is_told_by_its_name(workspace: Workspace) -> None:
    """With how much would do, which is then taken."""
    path = write(workspace, replace(fact("Drain before every deploy."), tags=("deploys",))).path
    held = corpus(workspace)
    for call, message in (
        (lambda: held.corpus(tag=["a"] * (MOST_VALUES + 1)), "tag takes at most 100 values, not 101"),
        (lambda: held.search("a" * (LONGEST_TEXT + 1)), "query takes at most 4000 characters, not 4001"),
        (lambda: held.search(b"a"), "query takes text, not a value of the kind bytes"),
        (lambda: held.search("a", limit=0), "limit takes a number from 1 to 1000, not '0'"),
        (lambda: held.chain(path, 5), "rel takes text, not a value of the kind int"),
        (lambda: held.backlinks(path, 5), "rel takes text, not a value of the kind int"),
        (lambda: held.backlinks(None), "path takes text, not a value of the kind NoneType"),
        (lambda: held.corpus(5), "only takes text, not a value of the kind int"),
    ):
        with pytest.raises((InvalidFlagError, PathNotFoundError)) as caught:
            call()
        assert caught.value.message == message
    assert len(held.corpus(tag=["deploys"] * MOST_VALUES)) == 1
    assert len(held.search("drain " + "x" * (LONGEST_TEXT - 6), no_bar=True)) == 1


def test_a_search_says_what_could_not_take_part(workspace: Workspace) -> None:
    """Vectors that are missing, once."""
    write(workspace, fact("Drain before every deploy."))
    workspace.catch_up()
    held = Corpus(workspace.index, HashedWords(32), workspace.clock.now())
    held.search("drain")
    held.search("deploy")
    assert [each.arm.value for each in held.degraded] == ["vector"]


@pytest.mark.parametrize("place", ["areas/none.html", "", "../../etc/passwd", "/etc/passwd", "a" * LONGEST_TEXT])
def test_a_place_where_nothing_is_is_refused(workspace: Workspace, place: str) -> None:
    """Only memories of the commit are there."""
    write(workspace, fact("Drain before every deploy."))
    held = corpus(workspace)
    for call in (held.backlinks, held.chain):
        with pytest.raises(PathNotFoundError, match="there is no memory at"):
            call(place)


def _huge() -> list[object]:
    """A thousand thousand thousand zeros, in three lists."""
    inner: list[object] = [0] * 1000
    for _ in range(2):
        inner = [inner] * 1000
    return inner


@pytest.mark.parametrize(
    "value",
    [_huge(), [_huge()], {"a": 1}, b"bytes", "a" * (LONGEST_TEXT + 1), ["a"] * (MOST_VALUES + 1), object(), [None]],
)
def test_what_a_script_hands_over_is_looked_at_before_it_is_used(workspace: Workspace, value: object) -> None:
    """A call is not broken off, so that nothing long may come into it."""
    held = corpus(workspace)
    calls: list[Callable[[], object]] = [
        lambda: held.corpus(tag=value),
        lambda: held.corpus(workspace=value),
        lambda: held.corpus(value),
        lambda: held.search(value),
        lambda: held.search("drain", value),
        lambda: held.search("drain", entity=value),
        lambda: held.backlinks(value),
        lambda: held.chain(value),
        lambda: held.chain("areas/a.html", value),
    ]
    for call in calls:
        with pytest.raises((UsageError, PathNotFoundError)):
            call()

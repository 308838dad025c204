"""The page about a night: whole for a reviewer, in short for the store's history, and harmless."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.sleep.hand import CLAIMS, DAY, begun, filled

from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.sleep.changes import Evidence, Generated
from memhtml.sleep.review.report import MOST_FILES, committed_page, propose_report, renew_report, whole_page
from memhtml.sleep.review.review import (
    Review,
    ReviewedCommit,
    ReviewedFile,
    ReviewedPhase,
    RunState,
    Side,
    Withdrawn,
    reviewed,
)
from memhtml.sleep.trailers import Told
from memhtml.store.branches import Runs
from memhtml.store.dropping import take_out
from memhtml.store.founding import init
from memhtml.store.repository import Repository

PAGE = f".memhtml/sleep/{DAY}.html"
ELEMENTS = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "dl",
        "dt",
        "dd",
        "nav",
        "ol",
        "ul",
        "li",
        "a",
        "span",
        "section",
        "details",
        "summary",
        "br",
        "code",
        "bdi",
        "pre",
        "ins",
        "del",
    ]
)


@pytest.fixture
def store(root: Path, environment: dict[str, str]) -> Repository:
    """A store without memories."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment, lock_wait=5.0)


@pytest.fixture
def paths(store: Repository) -> tuple[MemoryPath, ...]:
    """Three memories."""
    return filled(store, *CLAIMS)


class Outline(HTMLParser):
    """The elements and attributes of a page, and its text; it sees that every element is closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "br"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """It ends."""
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """What stands in it."""
        self.text += data


def made(text: str) -> Review:
    """A review whose every text is ``text``."""
    side, evidence = Side(text, text), (Evidence(text, text), Evidence("areas/a.html", text))
    file = ReviewedFile(
        text, "archived", text, text, evidence, side, Side(text, ""), f"+{text}\n-{text}\n {text}", text
    )
    moved = replace(file, kind=text, before=None, omitted="")
    commit = ReviewedCommit(
        CommitId(text), text, text, 1, ((text, text),), (file, moved), (text,), (Withdrawn((text,), text, (text,)),)
    )
    phase = ReviewedPhase(text, text, {text: 3}, text, 1, 2, 1, 1, 2, 3)
    by_hand = replace(commit, phase="")
    return Review(
        run=text,
        branch=text,
        state=RunState.OPEN,
        base=CommitId(text),
        tip=CommitId(text),
        landed=CommitId(text),
        deep=True,
        model=text,
        changed=4,
        phases=(phase,),
        commits=(commit, by_hand),
    )


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></pre></details><iframe srcdoc=x>",
    "&lt;b&gt; &amp;amp;",
    "\u202etxt.exe\u2066",
    "a\x00\x1b[31m\r\nb",
    "<!-- --> <![CDATA[ ]]> <?php",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("page", [whole_page, committed_page])
def test_nothing_in_a_text_becomes_markup(page: object, text: str) -> None:
    """Elements and attributes are those of the same page about harmless texts, and the text can be read."""
    hostile, plain = Outline(page(made(text))), Outline(page(made("x")))  # type: ignore[operator] - one of two
    assert hostile.elements == plain.elements
    assert not set(hostile.text) & set("\x00\x1b\r\u202e\u2066")
    shown = text.encode("unicode_escape").decode() if not text.isprintable() else text
    assert shown.split("\\n", maxsplit=1)[0] in hostile.text


@given(st.text(min_size=1))
def test_any_text_is_only_text(text: str) -> None:
    """Whatever it is."""
    found = Outline(whole_page(made(text)))
    assert {tag for tag, _ in found.elements} <= ELEMENTS
    assert found.elements == Outline(whole_page(made("x"))).elements


@pytest.mark.parametrize("page", [whole_page, committed_page])
def test_the_page_needs_nothing_and_runs_nothing(page: object) -> None:
    """No script, nothing that loads, links into itself alone; its policy allows the one style that it has."""
    text: str = page(made("x"))  # type: ignore[operator] - one of two
    found = Outline(text)
    assert {tag for tag, _ in found.elements} <= ELEMENTS
    names = {name for _, attributes in found.elements for name in attributes}
    assert names <= {"lang", "charset", "http-equiv", "content", "name", "href", "id", "class", "aria-label"} | {
        "aria-labelledby"
    }
    ids = {attributes["id"] for _, attributes in found.elements if "id" in attributes}
    links = [attributes["href"] or "" for _, attributes in found.elements if "href" in attributes]
    assert links
    assert {link.removeprefix("#") for link in links} <= ids
    assert all(link.startswith("#") for link in links)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(attributes["content"] for _, attributes in found.elements if "http-equiv" in attributes)
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert text.index("http-equiv") < text.index("<style>")


def test_a_night_leaves_a_page_without_what_is_not_the_store_s(
    store: Repository, paths: tuple[MemoryPath, ...]
) -> None:
    """Counts, reasons, refusals and what memories show; no ids of commits, no diffs, and no word of a session."""
    with begun(store) as night:
        night.folded(paths[0], paths[1])
        night.learned("Delta waits for all.", Evidence("s-1", "a secret word"), Evidence("cosine", "0.87"))
        night.failed("compress")
        proposal = propose_report(night.opened)
        tip = night.opened.run().tip
    (change,) = proposal.changes
    assert isinstance(change, Generated)
    assert change.path == PAGE
    assert proposal.counts == {"changed": 3, "failed": 1, "refused": 1}
    page = (change.data or b"").decode()
    text = Outline(page).text
    assert "3 changes, 1 kept out, failed: compress" in text
    for word in (
        "They say the same.",
        "cosine 0.95",
        "cosine 0.87",
        "x and y differ by numeric",
        "an internal error: ValueError",
    ):
        assert word in text
    assert "a secret word" not in page
    assert "1 quote from elsewhere: in the commit's message" in text
    assert "<pre>" not in page
    assert tip[:7] not in page


def test_the_same_proposals_give_the_same_page(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Also once the page itself is part of the run."""
    with begun(store) as night:
        night.folded(paths[0], paths[1])
        before = propose_report(night.opened)
        night.reported()
        assert propose_report(night.opened) == before
        assert not renew_report(night.opened)
        assert night.opened.repository.read_work(MemoryPath(PAGE)) == before.changes[0].data  # type: ignore[union-attr] - as above


def test_a_night_without_a_change_leaves_no_page(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Whatever was refused or failed: else a night on its own result would propose something."""
    with begun(store) as night:
        night.phase(Told("dedup-merge"), refused=("a twin",))
        night.failed("compress")
        proposal = propose_report(night.opened)
        assert proposal.changes == ()
        assert proposal.note == "nothing changed"
        assert proposal.counts == {"changed": 0, "failed": 1, "refused": 1}
        night.reported()
        assert not renew_report(night.opened)
    assert paths


def test_the_page_is_made_anew_when_something_was_taken_out(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """It says what, and why; and a run all of whose changes went still has one."""
    with begun(store) as night:
        night.folded(paths[0], paths[1])
        night.reported()
        take_out(night.opened, paths=[paths[1]], why="They are <b>not</b> the same.")
        assert renew_report(night.opened)
        page = night.opened.repository.read_work(MemoryPath(PAGE)).decode()
        assert not renew_report(night.opened)
    found = Outline(page)
    assert "0 changes, 1 kept out, 2 taken out by a reviewer" in found.text
    assert "Taken out by a reviewer: They are <b>not</b> the same." in found.text
    assert f"{paths[0]} (went along)" in found.text
    assert f"{paths[1]} (went along)" not in found.text
    last = reviewed(store.git, Runs(store).find(DAY)).commits[-1]
    assert (last.phase, [file.path for file in last.files]) == ("report", [PAGE])


def test_a_page_that_was_itself_taken_out_does_not_come_back(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Nor does a run get one that has not come to its end."""
    with begun(store) as night:
        night.folded(paths[0], paths[1])
        assert not renew_report(night.opened)
        night.reported()
        take_out(night.opened, paths=[PAGE], why="Not here.")
        assert not renew_report(night.opened)


def test_of_very_many_changes_some_are_named(store: Repository) -> None:
    """The committed page stays small: it says how many more there are."""
    many = filled(store, *(f"Fact number {number} holds." for number in range(MOST_FILES + 5)))
    with begun(store) as night:
        night.eroded(*many)
        review = reviewed(store.git, night.opened.run(), texts=False)
    assert committed_page(review).count("<summary>") == MOST_FILES
    assert "and 5 more: " in Outline(committed_page(review)).text
    assert whole_page(review).count("<summary>") == MOST_FILES + 5


def test_the_whole_page_shows_what_was_and_what_is(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Titles, claims, the difference, and how to take a change out while that can be done."""
    with begun(store) as night:
        night.folded(paths[0], paths[1])
        night.learned("Delta waits for all.", Evidence("s-1", "a word of a session"))
    review = reviewed(store.git, Runs(store).find(DAY))
    page = whole_page(review)
    text = Outline(page).text
    assert '<ins>+&lt;meta name="memhtml-status" content="archived"&gt;</ins>' in page
    assert '<del>-&lt;meta name="memhtml-status" content="active"&gt;</del>' in page
    assert "a word of a session" in text
    assert f"memhtml sleep drop {DAY} --path PATH" in text
    assert "memhtml sleep drop" not in Outline(whole_page(replace(review, state=RunState.LANDED))).text
    assert "After" in text
    assert review.tip in text


def test_only_phases_that_are_shown_are_linked(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """A review of one phase counts the others."""
    with begun(store) as night:
        night.folded(paths[0], paths[1])
        night.eroded(paths[2])
    review = reviewed(store.git, Runs(store).find(DAY))
    found = Outline(whole_page(replace(review, commits=review.commits[:1])))
    assert [attributes["href"] for tag, attributes in found.elements if tag == "a"] == ["#phase-0"]
    assert "confidence-decay 1 change" in found.text

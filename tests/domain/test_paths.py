"""Where a memory may live, and the algebra of the archive."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidPathError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import (
    ROOTS,
    archive_path,
    is_archived,
    is_generated,
    is_memory_path,
    memory_path,
    original_path,
    path_refusal,
    segment_refusal,
    workspace_of,
)

SEGMENTS = (
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters='\\/<>:"|?*'),
        min_size=1,
        max_size=30,
    )
    .map(lambda text: unicodedata.normalize("NFC", text))
    .filter(lambda text: segment_refusal(text) is None)
)


@st.composite
def paths(draw: st.DrawFn) -> MemoryPath:
    """A valid path, sometimes one that has been in the archive already."""
    root = draw(st.sampled_from(ROOTS))
    folders = draw(st.lists(SEGMENTS, max_size=3))
    name = draw(SEGMENTS) + ".html"
    path = "/".join((root, *folders, name))
    assume(is_memory_path(path))
    return MemoryPath(path)


REFUSED = {
    "": "must start with",
    "/": "must start with",
    "areas": "must start with",
    "areas.html": "must start with",
    "notes/a.html": "must start with",
    "Areas/a.html": "must start with",
    "//areas/a.html": "must start with",
    "../areas/a.html": "must start with",
    "areas/a": "end with .html",
    "areas/a.HTML": "end with .html",
    "areas/a.html/": "end with .html",
    "areas//a.html": "empty segment",
    "areas/./a.html": ". or .. segment",
    "areas/../a.html": ". or .. segment",
    "areas/b\\a.html": "backslash",
    "areas/a\x00.html": "control character",
    "areas/a\nb.html": "control character",
    "areas/a\x85b.html": "control character",
    "areas/a\x7f.html": "control character",
    "areas/CON/a.html": "device",
    "areas/con.html": "device",
    "areas/Lpt9.tar.html": "device",
    "areas/com\u00b9.html": "device",
    "areas/aux .html": "device",
    "areas/a./b.html": "dot or a space",
    "areas/a /b.html": "dot or a space",
    "areas/a:b.html": "Windows takes none",
    "areas/a?.html": "Windows takes none",
    'areas/a".html': "Windows takes none",
    "areas/<a>.html": "Windows takes none",
    "areas/a|b.html": "Windows takes none",
    "areas/*.html": "Windows takes none",
    "areas/.git/a.html": ".git",
    "areas/.GIT/a.html": ".git",
    "areas/.g\u200cit/a.html": ".git",
    "areas/GIT~1/a.html": ".git",
    "areas/.gitmodules/a.html": ".gitmodules",
    "areas/.GitAttributes/a.html": ".gitmodules",
    "areas/.gitignore/a.html": ".gitmodules",
    "areas/.mail\u200dmap/a.html": ".gitmodules",
    "areas/GITMOD~1/a.html": ".gitmodules",
    "areas/gitatt~4/a.html": ".gitmodules",
    "areas/gi7eba~1/a.html": ".gitmodules",
    "areas/GI7D~123/a.html": ".gitmodules",
    "areas/~1234567/a.html": ".gitmodules",
    "areas/index.html": "publish",
    "areas/Index.html": "publish",
    "areas/e\u0301.html/": "end with .html",
    "areas/\ud800.html": "surrogate",
    "areas/" + "a" * 251 + ".html": "255 bytes",
    "areas/" + "\u00e9" * 126 + ".html": "255 bytes",
    "areas/" + "d/" * 29 + "a.html": "31 segments, and 30 is the most",
    "archive/2026/areas/" + "d/" * 29 + "a.html": "33 segments, and 32 is the most",
    "areas/" + "d/" * 5000 + "a.html": "5002 segments, and 30 is the most",
    "areas/" + ("d" * 199 + "/") * 4 + "a" * 150 + ".html": "longer than 960 bytes",
    "areas/" + ("\u00e9" * 99 + "d/") * 4 + "a" * 150 + ".html": "longer than 960 bytes",
    "archive/2026/areas/" + ("d" * 199 + "/") * 4 + "a" * 150 + ".html": "longer than 973 bytes",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text[:40]))
def test_a_text_that_is_no_path_is_refused_with_what_to_do(text: str) -> None:
    """The message names the rule; the suggestion shows a path."""
    with pytest.raises(InvalidPathError, match="can be no memory's path") as refusal:
        memory_path(text)
    assert REFUSED[text] in refusal.value.message
    assert refusal.value.suggestions
    assert refusal.value.message.isprintable()
    assert len(refusal.value.message) < 400


@pytest.mark.parametrize(
    "text",
    [
        "areas/a.html",
        "projects/checkout/tasks/2026 plan.html",
        "resources/日本語/é.html",
        "archive/2026/areas/inbox/a.html",
        "archive/by-hand.html",
        "areas/.html",
        "areas/console.html",
        "areas/com10.html",
        "areas/.github/a.html",
        "areas/gitmodules/a.html",
        "areas/.gitmodules.html",
        "areas/gitmod~5/a.html",
        "areas/gi7eba~12/a.html",
        "areas/gi7ebb~1/a.html",
        "areas/gi7eba~0/a.html",
        "areas/index.html.html",
        "areas/" + "a" * 250 + ".html",
        "areas/" + "d/" * 28 + "a.html",
        "areas/" + ("d" * 199 + "/") * 4 + "a" * 149 + ".html",
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_a_valid_path_is_taken_as_it_is(text: str) -> None:
    """Nothing is changed about it, with or without the slash that an address has."""
    assert memory_path(text) == text
    assert memory_path("/" + text) == text
    assert is_memory_path(text)
    assert not is_memory_path("/" + text)


def test_decomposed_text_is_brought_to_one_form() -> None:
    """What macOS hands out and what Linux keeps is one path; as it stands, the decomposed spelling is none."""
    decomposed = "areas/e\u0301.html"
    assert memory_path(decomposed) == "areas/\u00e9.html"
    assert not is_memory_path(decomposed)
    assert path_refusal(decomposed) == "it is not in Unicode form NFC; normalise it"


def test_only_one_leading_slash_is_taken_off() -> None:
    """Two slashes are another host's address."""
    with pytest.raises(InvalidPathError):
        memory_path("//areas/a.html")


@given(paths(), st.integers(0, 9999))
def test_the_archive_gives_back_what_it_took(path: MemoryPath, year: int) -> None:
    """The inverse strips exactly one prefix, archived paths included."""
    archived = archive_path(path, year)
    assert original_path(archived) == path
    assert is_archived(archived)
    assert is_memory_path(archived)
    assert workspace_of(archived) == workspace_of(path)


@given(st.text())
def test_whatever_is_accepted_is_stable(text: str) -> None:
    """A path that came out once comes out again."""
    try:
        path = memory_path(text)
    except InvalidPathError:
        return
    assert memory_path(path) == path
    assert is_memory_path(path)


def test_the_archive_by_example() -> None:
    """The whole original path lies below the year, twice for what was archived twice."""
    once = archive_path(MemoryPath("projects/checkout/a.html"), 2026)
    assert once == "archive/2026/projects/checkout/a.html"
    assert archive_path(once, 31) == "archive/0031/archive/2026/projects/checkout/a.html"
    assert original_path(archive_path(once, 31)) == once
    assert archive_path(MemoryPath("areas/a.html"), 0) == "archive/0000/areas/a.html"
    assert archive_path(MemoryPath("areas/a.html"), 9999) == "archive/9999/areas/a.html"


@pytest.mark.parametrize(
    "text", ["areas/a.html", "archive/by-hand.html", "archive/2026/b.html", "archive/20/areas/a.html"]
)
def test_what_was_never_archived_is_its_own_original(text: str) -> None:
    """Nothing is stripped from a path without an original below a year."""
    assert original_path(MemoryPath(text)) == text


@pytest.mark.parametrize("year", [-1, 10_000])
def test_a_year_without_four_digits_is_refused(year: int) -> None:
    """A fifth digit would make the archive unreadable for its inverse."""
    with pytest.raises(ValueError, match="four digits"):
        archive_path(MemoryPath("areas/a.html"), year)


@pytest.mark.parametrize(
    ("path", "workspace"),
    [
        ("projects/checkout/a.html", "checkout"),
        ("projects/checkout/tasks/a.html", "checkout"),
        ("archive/2026/archive/2025/projects/checkout/a.html", "checkout"),
        ("projects/a.html", None),
        ("areas/projects/a.html", None),
        ("resources/people/ada.html", None),
    ],
)
def test_a_workspace_is_a_folder_of_projects(path: str, workspace: str | None) -> None:
    """Archived memories keep theirs."""
    assert workspace_of(MemoryPath(path)) == workspace


def test_generated_files_are_known_by_name() -> None:
    """Only the last segment counts, in any case."""
    assert is_generated("INDEX.html")
    assert is_generated("areas/index.html")
    assert not is_generated("areas/index.html/a.html")


@pytest.mark.parametrize("path", ["archive.html", "areas/archive/a.html", "archives/2026/a.html"])
def test_only_the_first_folder_makes_an_archive(path: str) -> None:
    """A folder of that name elsewhere is a folder."""
    assert not is_archived(MemoryPath(path))


@given(SEGMENTS, st.integers(1, 40), st.integers(0, 9999))
def test_what_may_be_written_may_be_archived(segment: str, depth: int, year: int) -> None:
    """The archive keeps room for its own prefix under every bound."""
    path = MemoryPath("areas/" + f"{segment}/" * depth + "a.html")
    assume(is_memory_path(path))
    archived = archive_path(path, year)
    assert is_memory_path(archived)
    assert original_path(archived) == path


def test_the_longest_path_may_be_archived() -> None:
    """By bytes, and by segments."""
    by_bytes = MemoryPath("areas/" + ("d" * 199 + "/") * 4 + "a" * 149 + ".html")
    by_segments = MemoryPath("areas/" + "d/" * 28 + "a.html")
    assert (len(by_bytes), by_segments.count("/")) == (960, 29)
    for path in (by_bytes, by_segments):
        assert is_memory_path(path)
        assert is_memory_path(archive_path(path, 2026))
        assert original_path(archive_path(path, 2026)) == path


SURROGATE = "it holds a lone surrogate, which UTF-8 cannot write; write valid text"
GITS = "git keeps names like .git and .gitmodules for itself; choose another"
EDGE = "Windows takes no name that ends with a dot or a space; leave it out"


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("areas/a.html", None),
        ("areas/\ud800.html", SURROGATE),
        ("areas/e\u0301.html", "it is not in Unicode form NFC; normalise it"),
        ("notes/a.html", "it must start with projects/, areas/, resources/ or archive/"),
        ("areas/a", "it must end with .html"),
        ("areas/index.html", "index.html is what publish writes into every folder; choose another name"),
        ("areas/" + "d/" * 29 + "a.html", "it has 31 segments, and 30 is the most; use fewer folders"),
        ("areas/" + ("d" * 199 + "/") * 4 + "a" * 150 + ".html", "it is longer than 960 bytes; shorten it"),
        ("areas/b\\/a\x00.html", "it has a backslash; write slashes"),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_a_path_is_refused_in_these_words(path: str, refusal: str | None) -> None:
    """Half a sentence that says what to do; the first segment that breaks a rule speaks."""
    assert path_refusal(path) == refusal


@pytest.mark.parametrize(
    ("segment", "refusal"),
    [
        ("checkout", None),
        ("\udfff", SURROGATE),
        ("", "it has an empty segment; write single slashes"),
        (".", "it has a . or .. segment; write the path from the root of the store"),
        ("..", "it has a . or .. segment; write the path from the root of the store"),
        ("a" * 255, None),
        ("a" * 256, "a segment is longer than 255 bytes; shorten it"),
        ("a\\", "it has a backslash; write slashes"),
        ("a\x1f", "it has a control character; leave it out"),
        ("a|b", 'Windows takes none of < > : " | ? * in a name; leave them out'),
        ("a.", EDGE),
        ("a ", EDGE),
        ("nul", "Windows keeps the name 'nul' for a device; choose another"),
        ("NUL .x.y", "Windows keeps the name 'NUL .x.y' for a device; choose another"),
        ("conX", None),
        ("aux\u00a0", None),
        (".git", GITS),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_a_segment_is_refused_in_these_words(segment: str, refusal: str | None) -> None:
    """For every system that a store may be cloned to."""
    assert segment_refusal(segment) == refusal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\u00e9", "'\u00e9'"),
        ("\ud800\u00e9", r"'\ud800\xe9'"),
        ("x" * 120, f"'{'x' * 120}'"),
        ("x" * 121, f"'{'x' * 117}...'"),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_a_refusal_shows_what_was_meant(text: str, shown: str) -> None:
    """In quotes, at most 120 characters of it, escaped where it could not be printed; and what a path looks like."""
    with pytest.raises(InvalidPathError) as refusal:
        memory_path(text)
    assert refusal.value.message == f"{shown} can be no memory's path: {path_refusal(text)}"
    assert refusal.value.suggestions == ("write a path like areas/inbox/drain-before-deploy.html",)

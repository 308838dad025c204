"""How an edge is spelled, and which ends it may join."""

from __future__ import annotations

import unicodedata
from itertools import product
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.edges import ends_refusal, href, href_target, parse_rel, rel_spelling
from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel

SEGMENT = (
    st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="/\\"), min_size=1)
    .map(lambda text: unicodedata.normalize("NFC", text))
    .filter(lambda text: text not in {".", ".."} and "\\" not in text and "/" not in text)
)
TARGETS = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join).map(MemoryPath)


@given(TARGETS)
def test_an_address_leads_back_to_its_path(path: MemoryPath) -> None:
    """Percent signs, question marks, hashes and spaces included; and another program reads the same path."""
    address = href(path)
    assert href_target(address) == path
    assert unquote(urlsplit(address).path) == "/" + path


@given(st.text(st.sampled_from("/.%2eEfF5cC3aA#?\\ é\u0301a\x00\n:\ud800")))
def test_whatever_is_accepted_stays_inside_the_store(address: str) -> None:
    """No accepted address climbs, leaves, or holds what no path may hold."""
    path = href_target(address)
    if path is not None:
        assert not {"", ".", ".."} & set(path.split("/"))
        assert "\\" not in path
        assert path.isprintable() or all(unicodedata.category(character) != "Cc" for character in path)
        assert href_target(href(path)) == path


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("/areas/a.html", "areas/a.html"),
        ("/areas/a%20b%3F.html", "areas/a b?.html"),
        ("/areas/caf%C3%A9.html", "areas/café.html"),
        ("/areas/cafe\u0301.html", "areas/café.html"),
        ("/areas/100%.html", "areas/100%.html"),
        ("/sessions/abc", "sessions/abc"),
    ],
)
def test_addresses_by_example(address: str, path: str) -> None:
    """Escapes are read as UTF-8; a percent sign that starts none is itself."""
    assert href_target(address) == path


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/",
        "areas/a.html",
        "//host/a.html",
        "https://host/a.html",
        "javascript:alert(1)",
        "/areas/../a.html",
        "/../a.html",
        "/areas/%2e%2E/a.html",
        "/areas/./a.html",
        "/areas//a.html",
        "/areas/%2F/a.html",
        "/areas/a.html/",
        "/areas\\a.html",
        "/areas/%5Ca.html",
        "/areas/a.html#x",
        "/areas/a.html?x",
        "/areas/\x00.html",
        "/areas/%00.html",
        "/areas/a%0Ab.html",
        "/areas/%FF.html",
        "/areas/\ud800.html",
        " /areas/a.html",
    ],
    ids=ascii,
)
def test_an_address_outside_the_rules_leads_nowhere(address: str) -> None:
    """Also where the rule is broken by percent-escapes."""
    assert href_target(address) is None


def test_every_rel_has_one_spelling() -> None:
    """Counted against the vocabulary, and read back."""
    spellings = {rel_spelling(rel) for rel in Rel}
    assert len(spellings) == len(Rel) == 14
    assert all(parse_rel(rel_spelling(rel)) is rel for rel in Rel)
    assert rel_spelling(Rel.LATERALLY_RELATED) == "memhtml-laterally-related"


@pytest.mark.parametrize("spelling", ["", "supersedes", "memhtml-", "memhtml-caused_by", "Memhtml-supersedes"])
def test_another_spelling_is_no_rel(spelling: str) -> None:
    """Exactly one spelling is read."""
    assert parse_rel(spelling) is None


@pytest.mark.parametrize("rel", Rel)
def test_a_class_of_rels_never_mixes_with_another(rel: Rel) -> None:
    """Memory rels take no task at either end, task rels two tasks, the others anything."""
    for source, target in product(MemoryType, MemoryType):
        tasks = (source is MemoryType.TASK) + (target is MemoryType.TASK)
        if rel in {Rel.BLOCKS, Rel.SUBTASK_OF}:
            allowed = tasks == 2
        elif rel in {Rel.ABOUT_PERSON, Rel.AUTHORED_BY, Rel.FROM_SESSION}:
            allowed = True
        else:
            allowed = tasks == 0
        refusal = ends_refusal(rel, source, target)
        assert (refusal is None) == allowed
        assert refusal is None or rel.value in refusal

"""Paths that memhtml writes, and twins."""

from __future__ import annotations

import subprocess
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidPathError
from memhtml.domain.paths import segment_refusal
from memhtml.store.names import refuse_foreign, twin_key

from .conftest import Person


@given(st.text())
def test_a_name_is_the_twin_of_its_own_spellings(name: str) -> None:
    """Neither letter case nor the Unicode form of a name makes another one."""
    key = twin_key(name)
    assert twin_key(unicodedata.normalize("NFD", name)) == key
    assert twin_key(unicodedata.normalize("NFC", name)) == key
    assert twin_key(key) == key


@pytest.mark.parametrize(
    ("one", "other", "twins"),
    [
        ("Drain.html", "drain.html", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("\u0130", "i\u0307", True),
        ("drain.html", "drain-2.html", False),
        ("cafe", "caf\u00e9", False),
    ],
)
def test_twins_by_example(one: str, other: str, twins: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Case and form count for nothing, letters do."""
    assert (twin_key(one) == twin_key(other)) is twins


def test_paths_of_the_store_pass_and_others_do_not() -> None:
    """A listing belongs into a folder of memories, or the root."""
    for path in ("areas/a.html", "areas/inbox/index.html", "index.html", ".memhtml/sleep/2026-01-01-2.html"):
        refuse_foreign(path)
    for path in ("other/index.html", "areas/../index.html", ".memhtml/state.db", ".memhtml/sleep/.html", "a.html"):
        with pytest.raises(InvalidPathError):
            refuse_foreign(path)


def test_no_folder_that_a_path_may_have_makes_fsck_complain(person: Person, environment: dict[str, str]) -> None:
    """Git itself is asked about every name, as a folder: once it is in the history nothing cures it."""
    stems = (
        ".git",
        "git~1",
        ".gitmodules",
        ".gitattributes",
        "gitmod~1",
        "gitatt~4",
        "gi7eba~1",
        "gi7d2~10",
        "~1000000",
    )
    spelled = [name for stem in stems for name in (stem, stem.upper(), stem + "\u200c", stem[:2] + "\ufeff" + stem[2:])]
    names = [*spelled, "gitmodules", "gitmod~5", "gi7ebb~1", ".github", "git~2", "plain"]
    git = ["git", "-C", str(person.root)]

    def made(*words: str, given: str = "") -> str:
        run = subprocess.run([*git, *words], input=given.encode(), env=environment, check=True, capture_output=True)
        return run.stdout.decode().strip()

    blob = made("hash-object", "-w", "--stdin")
    trees: dict[str, str] = {}
    for number, name in enumerate(names):
        # fsck names the folder in some complaints, and what holds it in others.
        folder = made("mktree", "-z", given=f"100644 blob {blob}\t{number}\0")
        trees[folder] = trees[made("mktree", "-z", given=f"040000 tree {folder}\t{name}\0")] = name
    checked = subprocess.run([*git, "fsck"], env=environment, check=False, capture_output=True)
    said = checked.stderr.decode()
    complained = {name for tree, name in trees.items() if tree in said}
    assert checked.returncode != 0
    assert {".git", ".gitmodules", ".gitattributes", "gitmod~1", "GI7EBA~1"} <= complained
    assert complained <= {name for name in names if segment_refusal(name) is not None}


def test_a_name_that_the_locale_would_change_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Git's name for the file would be another than the disk's; names in ASCII are the same everywhere."""
    refuse_foreign("areas/größe.html")
    monkeypatch.setattr("sys.getfilesystemencoding", lambda: "iso8859-9")
    refuse_foreign("areas/size.html")
    with pytest.raises(InvalidPathError, match="under this locale") as caught:
        refuse_foreign("areas/größe.html")
    assert "PYTHONUTF8=1" in caught.value.suggestions[0]

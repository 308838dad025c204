"""What is wrong with a store, and its repair."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memhtml.domain.errors import StorageError, UnsafeFileError
from memhtml.ops.doctor import doctor
from memhtml.ops.init import init
from memhtml.ops.read import read
from memhtml.ops.search import search
from memhtml.ops.write import write
from memhtml.retrieve.answer import Request
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, seen

CLAIM = "Drain before every deploy."


def by_hand(workspace: Workspace, path: str, text: str) -> Path:
    """A file that a person saved."""
    file = workspace.repository.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def commit_all(workspace: Workspace, message: str = "by hand") -> None:
    """What a person does then."""
    root = workspace.repository.root
    git(root, "add", "-A")
    git(root, "-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", message)


def test_a_store_that_is_well_is_healthy(workspace: Workspace) -> None:
    """Nothing is found, and nothing is changed, with and without fix."""
    write(workspace, fact(CLAIM))
    before = seen(workspace.repository.root)
    for fix in (False, True):
        found = doctor(workspace, fix=fix)
        assert (found.healthy, found.findings, found.repaired, found.exit_status) == (True, (), (), 0)
        assert found.memories == 1
    assert seen(workspace.repository.root) == before


def test_doctor_names_what_a_hand_broke_and_repairs_what_has_one_right_answer(workspace: Workspace) -> None:
    """Stamps are put right as one commit; a broken file, a twin and a dead link are a person's to mend."""
    path = write(workspace, fact(CLAIM)).path
    root = workspace.repository.root
    good = (root / path).read_text()
    by_hand(workspace, path, good.replace("every deploy", "each deploy"))
    by_hand(workspace, "archive/2025/areas/moved.html", good.replace("Drain", "Rest"))
    by_hand(workspace, "areas/broken.html", "<p>no head")
    by_hand(workspace, "areas/zz.html", (root / path).read_text())
    link = '<link rel="memhtml-supports" href="/areas/nowhere.html">\n</head>'
    by_hand(workspace, "areas/linked.html", good.replace("Drain", "Wait").replace("</head>", link))
    commit_all(workspace)
    found = doctor(workspace)
    codes = {(finding.code, finding.path, finding.repairable) for finding in found.findings}
    assert codes >= {
        ("stale-hash", path, True),
        ("status-and-place", "archive/2025/areas/moved.html", True),
        ("unreadable-file", "areas/broken.html", False),
        ("dangling-link", "areas/linked.html", False),
    }
    assert any(code == "duplicate-content" for code, _, _ in codes)
    assert not found.healthy
    assert found.exit_status == 1
    assert all(finding.fix for finding in found.findings)
    fixed = doctor(workspace, fix=True)
    left = {finding.code for finding in fixed.findings}
    assert left == {"unreadable-file", "dangling-link", "duplicate-content"}
    assert {finding.code for finding in fixed.repaired} == {"stale-hash", "status-and-place"}
    assert fixed.commit == git(root, "rev-parse", "HEAD")
    archived = read(workspace, ["archive/2025/areas/moved.html"], count=False).memories[0].memory
    assert archived is not None
    assert archived.status.value == "archived"
    assert git(root, "status", "--porcelain") == ""


def test_doctor_repairs_a_clone_that_lacks_its_settings(workspace: Workspace) -> None:
    """A clone has none of them."""
    git(workspace.repository.root, "config", "--unset", "merge.ours.driver")
    assert [finding.code for finding in doctor(workspace).findings] == ["clone-settings"]
    assert doctor(workspace, fix=True).healthy


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_doctor_names_links_and_follows_none(workspace: Workspace, tmp_path: Path) -> None:
    """In the work tree and in the branch."""
    inbox = workspace.repository.root / "areas" / "inbox"
    inbox.mkdir(parents=True)
    (inbox / "link.html").symlink_to(tmp_path / "secret.html")
    os.mkfifo(inbox / "pipe.html")
    assert {(finding.code, finding.path) for finding in doctor(workspace).findings} == {
        ("unsafe-file", "areas/inbox/link.html"),
        ("unsafe-file", "areas/inbox/pipe.html"),
    }


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
@pytest.mark.parametrize("name", ["index.db", "state.db-wal", "vectors.f32"])
def test_a_link_in_place_of_a_database_is_found_and_the_rest_is_looked_at(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    """With and without fix; a search refuses; nothing is made where it leads."""
    write(workspace, fact(CLAIM))
    workspace.close()
    root = workspace.settings.root
    place = root / ".memhtml" / name
    place.unlink(missing_ok=True)
    place.symlink_to(tmp_path / "outside")
    by_hand(workspace, "areas/con.html", "x")
    for fix in (False, True):
        found = doctor(workspace, fix=fix)
        assert {finding.code for finding in found.findings} == {"unsafe-file", "index-closed", "bad-name"}
        closed = next(finding for finding in found.findings if finding.code == "index-closed")
        assert f"remove {place}" in (closed.fix or "")
        assert (found.healthy, found.memories) == (False, 0)
    with pytest.raises(UnsafeFileError):
        search(workspace, Request(CLAIM))
    assert not (tmp_path / "outside").exists()


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_a_link_in_place_of_the_house_is_a_finding(workspace: Workspace, tmp_path: Path) -> None:
    """Doctor's answer says what to do; nothing is opened or made through it, and everything else refuses."""
    workspace.close()
    house = workspace.settings.root / ".memhtml"
    house.rename(tmp_path / "elsewhere")
    house.symlink_to(tmp_path / "elsewhere")
    before = sorted((tmp_path / "elsewhere").iterdir())
    for fix in (False, True):
        found = doctor(workspace, fix=fix)
        assert [(one.code, one.path) for one in found.findings] == [("unsafe-file", ".memhtml")]
        assert found.findings[0].fix == "put a real folder there"
        assert (found.healthy, found.memories, found.exit_status) == (False, 0, 1)
    with pytest.raises(UnsafeFileError):
        write(workspace, fact(CLAIM))
    assert sorted((tmp_path / "elsewhere").iterdir()) == before


def test_a_broken_repository_is_a_finding_beside_the_others(workspace: Workspace) -> None:
    """Doctor, of all commands, does not refuse because git does."""
    write(workspace, fact(CLAIM))
    by_hand(workspace, "areas/con.html", "x")
    index = workspace.repository.layout.gitdir / "index"
    index.write_text("garbage")
    found = {one.code: one for one in doctor(workspace).findings}
    assert set(found) == {"git-damaged", "bad-name", "index-closed"}
    assert found["index-closed"].fix == "mend the repository first"
    index.unlink()
    git(workspace.repository.root, "reset", "-q")
    (workspace.repository.root / "areas/con.html").unlink()
    assert doctor(workspace).healthy


@pytest.mark.parametrize("name", ["index.db", "state.db"])
def test_a_folder_in_place_of_a_database_is_a_finding(workspace: Workspace, name: str) -> None:
    """It is named, with what to do."""
    write(workspace, fact(CLAIM))
    workspace.close()
    place = workspace.settings.root / ".memhtml" / name
    place.unlink()
    place.mkdir()
    found = doctor(workspace).findings
    assert [one.code for one in found] == ["index-closed"]
    assert f"{name} cannot be opened: it is a folder" in found[0].message
    place.rmdir()
    workspace.close()
    assert doctor(workspace, fix=True).healthy


def test_a_file_in_place_of_the_house_is_a_finding(workspace: Workspace) -> None:
    """The rest is looked at; what is said to do about it helps."""
    write(workspace, fact(CLAIM))
    workspace.close()
    house = workspace.settings.root / ".memhtml"
    shutil.rmtree(house)
    house.write_text("mine")
    by_hand(workspace, "areas/con.html", "x")
    found = doctor(workspace).findings
    assert [one.code for one in found] == ["bad-name", "index-closed"]
    assert found[1].fix == f"move {house.resolve()} away, then memhtml init"
    with pytest.raises(StorageError, match="a folder belongs there"):
        init(workspace)
    house.unlink()
    init(workspace)
    (workspace.settings.root / "areas/con.html").unlink()
    assert doctor(workspace).healthy


def test_a_memory_whose_file_was_deleted_by_hand_is_found_and_not_brought_back(workspace: Workspace) -> None:
    """Only a person knows whether that was meant; once it is committed there is nothing to find."""
    path = write(workspace, fact(CLAIM)).path
    root = workspace.repository.root
    (root / path).unlink()
    for fix in (False, True):
        found = doctor(workspace, fix=fix)
        assert [(one.code, one.path, one.repairable) for one in found.findings] == [("missing-file", path, False)]
        assert f"checkout HEAD -- {path}" in (found.findings[0].fix or "")
        assert not (root / path).exists()
    commit_all(workspace)
    assert doctor(workspace).healthy


def test_a_damaged_index_was_repaired_and_what_is_set_aside_is_named_until_fix_removes_it(
    workspace: Workspace,
) -> None:
    """Opening makes it anew, with and without fix; the damaged file is a finding of its own, and only fix takes it."""
    write(workspace, fact(CLAIM))
    workspace.close()
    house = workspace.settings.root / ".memhtml"
    (house / "index.db").write_bytes(b"garbage" * 999)
    found = doctor(workspace)
    assert [(one.code, one.path) for one in found.repaired] == [("index-damaged", ".memhtml/index.db")]
    assert [(one.code, one.path, one.repairable, one.fix) for one in found.findings] == [
        ("set-aside", ".memhtml/index.db.corrupt-1", True, "memhtml doctor --fix removes it")
    ]
    assert (found.exit_status, found.memories, found.warnings) == (1, 1, ())
    assert (house / "index.db.corrupt-1").exists()
    (house / "index.db.corrupt-1-wal").write_bytes(b"journal")
    workspace.close()
    fixed = doctor(workspace, fix=True)
    assert (fixed.healthy, [one.code for one in fixed.repaired]) == (True, ["set-aside"])
    assert not list(house.glob("*.corrupt-*"))


@pytest.mark.parametrize("name", ["state.db.corrupt-1", "traces.db.corrupt-12"])
def test_what_cannot_be_made_again_is_named_and_kept(workspace: Workspace, name: str) -> None:
    """A damaged state may hold what no file has; only a person removes it. Other names are nobody's affair."""
    house = workspace.settings.root / ".memhtml"
    (house / name).write_bytes(b"perhaps")
    (house / f"{name}.mine").write_bytes(b"mine")
    for fix in (False, True):
        found = doctor(workspace, fix=fix)
        assert [(one.code, one.path, one.repairable) for one in found.findings] == [
            ("set-aside", f".memhtml/{name}", False)
        ]
        assert "keep it elsewhere, or remove it" in (found.findings[0].fix or "")
        assert (house / name).read_bytes() == b"perhaps"


def test_a_stamp_waits_until_the_edit_is_committed(workspace: Workspace) -> None:
    """It is not called repairable before, and the way that is named helps."""
    path = write(workspace, fact(CLAIM)).path
    file = workspace.repository.root / path
    edited = by_hand(workspace, path, file.read_text().replace("every deploy", "each deploy")).read_bytes()
    for fix in (False, True):
        found = doctor(workspace, fix=fix)
        assert [(one.code, one.path, one.repairable) for one in found.findings] == [("stale-hash", path, False)]
        assert found.findings[0].fix == (
            "commit your edit first (git add, git commit), then memhtml doctor --fix stamps it"
        )
        assert file.read_bytes() == edited
    commit_all(workspace)
    assert [one.repairable for one in doctor(workspace).findings] == [True]
    assert doctor(workspace, fix=True).healthy

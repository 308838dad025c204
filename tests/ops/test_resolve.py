"""From an old path to where a memory lives now."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import (
    MemhtmlError,
    UsageError,
)
from memhtml.domain.vocabulary import Rel
from memhtml.ops.archive import archive, restore
from memhtml.ops.correct import correct
from memhtml.ops.history import history
from memhtml.ops.link import link
from memhtml.ops.neighbors import neighbors
from memhtml.ops.read import read
from memhtml.ops.reinforce import reinforce
from memhtml.ops.resolve import resolve
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, seen

HOSTILE = (
    "../outside.html",
    "/etc/passwd",
    "areas/../../x.html",
    "areas/a\0b.html",
    "areas/\u202eevil.html" + "\x1b[31m",
    "",
    "\udcff",
    "areas/" + "x" * 10_000 + ".html",
    ".git/config",
    ".memhtml/index.db",
    "areas\\a.html",
    "C:/x.html",
    "file:///etc/passwd",
)


def test_an_old_path_gives_what_took_its_place_and_says_so(workspace: Workspace) -> None:
    """Through a correction, an archive move, and both; the archive's own path stays what it is."""
    old = write(workspace, fact("The retry limit of checkout is 3."))
    new = correct(workspace, old.path, fact("The retry limit of checkout is 5."))
    (opened,) = read(workspace, [old.path]).memories
    assert (opened.path, opened.requested, opened.moved) == (new.path, old.path, True)
    (archived,) = read(workspace, [new.superseded]).memories
    assert (archived.path, archived.moved) == (new.superseded, False)
    assert resolve(workspace, [new.superseded]).memories[0].path == new.path
    gone = archive(workspace, [new.path]).memories[0]
    (place,) = resolve(workspace, [old.path]).memories
    assert (place.path, place.archived, place.moved) == (gone.path, True, True)
    restore(workspace, [gone.path])
    assert resolve(workspace, ["/" + new.path]).memories[0].path == new.path


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_path_is_refused_everywhere_and_changes_nothing(workspace: Workspace, path: str) -> None:
    """In every operation that takes one; the message can be shown."""
    good = write(workspace, fact("Drain before every deploy.")).path
    before = seen(workspace.repository.root)
    calls = (
        lambda: read(workspace, [path]),
        lambda: resolve(workspace, [path]),
        lambda: neighbors(workspace, path),
        lambda: history(workspace, path),
        lambda: reinforce(workspace, [path]),
        lambda: archive(workspace, [path]),
        lambda: restore(workspace, [path]),
        lambda: correct(workspace, path, fact("x")),
        lambda: link(workspace, path, Rel.SUPPORTS, good),
        lambda: link(workspace, good, Rel.SUPPORTS, path),
        lambda: write(workspace, replace(fact("x"), path=path)),
    )
    for call in calls:
        with pytest.raises(MemhtmlError) as caught:
            call()
        assert isinstance(caught.value, UsageError) or caught.value.code == "ERR_INVALID_MEMORY"
        assert len(caught.value.message) < 600
        assert caught.value.message.isprintable()
    assert seen(workspace.repository.root) == before

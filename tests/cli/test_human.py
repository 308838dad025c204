"""Answers as a person reads them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, run

import pytest

from memhtml import Store
from memhtml.cli.human import RENDERERS, outline, render
from memhtml.cli.screen import Screen
from memhtml.config.settings import load
from memhtml.ops.arguments import Arguments
from memhtml.ops.config import run_list
from memhtml.ops.init import init
from memhtml.ops.table import OPERATIONS
from memhtml.workspace.workspace import Workspace

try:
    import pty
except ImportError:  # Windows
    pty = None


def drawn(envelope: str, result: object, width: int = 80) -> str:
    """What a person would see, without colours."""
    screen = io.StringIO()
    render(envelope, result, Screen(screen, width))
    return screen.getvalue()


@pytest.fixture
def store(root: Path) -> Iterator[Store]:
    """A store with two memories, one of which tries to be more than text."""
    with Store.init(root, embed="off") as found:
        found.write(
            "Drain before every deploy.",
            body="Else jobs are lost.",
            tags=["deploys"],
            entities=["service:checkout"],
            citations=["the runbook <https://a.example/runbook>"],
        )
        found.write("Beware of \x1b]0;owned\x07 [bold]markup[/bold] and \u202eturned text :smile:.")
        yield found


def test_every_renderer_is_of_an_answer_that_there_is() -> None:
    """A type that is gone leaves no renderer behind."""
    assert set(RENDERERS) <= {row.envelope for row in OPERATIONS}


def test_a_list_shows_claims_and_whole_paths(store: Store) -> None:
    """Newest first; a path is on one line, so that it can be copied, however narrow the screen."""
    text = drawn("memory.list", store.list(), width=40)
    assert "Drain before every deploy." in text
    assert "resources/deploys/drain-before-every-deploy.html" in text
    assert drawn("memory.list", store.list(offset=9)) == "0 of 2 memories\n"
    assert drawn("memory.list", store.list(tags=["none"])) == "no memories\n"
    assert drawn("memory.list", store.list(limit=1)).endswith("1 of 2 memories\n")


def test_what_a_memory_holds_is_shown_and_never_obeyed(store: Store) -> None:
    """Escapes, direction marks, markup and emoji names of the renderer itself."""
    text = drawn("memory.list", store.list())
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[bold]markup[/bold]" in text
    assert ":smile:" in text
    path = next(row.path for row in store.list().memories if "Beware" in row.gist)
    assert "\x1b" not in drawn("memory.read", store.read(path, html=True))


def test_a_memory_is_shown_with_what_it_is_about(store: Store) -> None:
    """And with where it went, if the path is an old one."""
    old = "resources/deploys/drain-before-every-deploy.html"
    text = drawn("memory.read", store.read(old))
    assert "semantic · #deploys · service:checkout · written" in text
    assert "Drain before every deploy. Else jobs are lost." in text
    assert "source: the runbook https://a.example/runbook" in text
    new = store.correct(old, "Drain and wait.")
    assert drawn("memory.corrected", new).splitlines() == [
        f"Corrected: {new.path}",
        f"{old} is now {new.superseded}",
    ]
    assert f"{old} has moved:" in drawn("memory.read", store.read(old))


def test_a_batch_is_told_in_numbers_and_its_refusals_in_lines(store: Store) -> None:
    """Twenty of them at most."""
    lines: list[dict[str, object]] = [{"claim": "The retry limit of checkout is 3."}]
    lines += [{"claim": "The retry limit of checkout is 5."}, *({"op": "fly"} for _ in range(25))]
    text = drawn("batch.applied", store.apply(lines, best_effort=True, detect=["conflicts"]))
    assert text.startswith("Done: 2 written, 25 refused\n")
    assert text.count("op takes one of") == 20
    assert "and 5 more" in text
    assert "says 5" in text
    dry = store.apply([{"claim": "Another one."}], dry_run=True)
    assert drawn("batch.applied", dry) == "Would be done: 1 written\n"


def test_tasks_links_entities_history_and_health_have_lines(store: Store) -> None:
    """Each says what there is, and says so when there is nothing."""
    path = "resources/deploys/drain-before-every-deploy.html"
    assert drawn("task.list", store.tasks()) == "no tasks\n"
    store.task_add("Order the badges", due="2026-08-01")
    assert "todo    Order the badges  due 2026-08-01" in drawn("task.list", store.tasks())
    assert drawn("memory.neighbors", store.neighbors(path)) == "no links\n"
    other = next(row.path for row in store.list().memories if row.path != path)
    assert drawn("memory.linked", store.link(path, "supports", other)) == f"{path} supports {other}\n"
    assert "supports → " in drawn("memory.neighbors", store.neighbors(path))
    assert "← supports " in drawn("memory.neighbors", store.neighbors(other))
    gone = store.unlink(path, "supports", other), store.unlink(path, "supports", other)
    assert drawn("memory.linked", gone[0]) == f"{path} no longer supports {other}\n"
    assert drawn("memory.linked", gone[1]) == f"{path} no longer supports {other} (as before)\n"
    assert "service:checkout" in drawn("memory.entities", store.entities())
    assert "memory(write): Drain" in drawn("memory.history", store.history(path), width=200)
    assert "Healthy: 3 memories, nothing is wrong" in drawn("store.health", store.doctor())
    assert "1 task" in drawn("store.status", store.status())
    (store.root / "areas" / "broken.html").write_text("<p>no head")
    text = drawn("store.health", store.doctor())
    assert "[unreadable-file]" in text
    assert "Healthy" not in text


def test_hits_are_shown_with_the_words_that_were_asked_for(store: Store) -> None:
    """Numbered, with path and snippet; what explains a hit, and what speaks against it, below it."""
    text = drawn("memory.hits", store.search("drain the deploy", explain=True))
    assert text.startswith("1. Drain before every deploy.  semantic · ")
    assert "   resources/deploys/drain-before-every-deploy.html" in text
    assert "   lexical: rank 1, " in text
    assert "without vector" not in text
    other = store.write("Never drain before a deploy.").path
    store.link(other, "contradicts", "resources/deploys/drain-before-every-deploy.html")
    assert f"contested by {other}" in drawn("memory.hits", store.search("drain before every deploy"))
    new = store.correct("resources/deploys/drain-before-every-deploy.html", "Drain and wait.")
    archived = drawn("memory.hits", store.search("drain before every deploy", archived=True))
    assert f"superseded by {new.path}" in archived


def test_nothing_found_is_said_with_its_reason_and_what_came_nearest(store: Store, tmp_path: Path) -> None:
    """In words; a pack says it too."""
    assert drawn("memory.hits", store.search("banana bread recipe")) == "nothing relevant\n"
    nearest = drawn("memory.hits", store.search("which banana bread recipe has the fewest deploy eggs", explain=True))
    assert nearest.startswith("nothing relevant\nnearest, but not relevant:\n-. Drain")
    scoped = drawn("memory.hits", store.search("deploy", workspace="none"))
    assert scoped == "nothing: no memory is in this scope\n"
    with Store.init(tmp_path / "empty", embed="fake-failing@8") as empty:
        assert drawn("memory.recall", empty.recall("deploy")).startswith("nothing: the store is empty\n")


def test_an_arm_that_is_missing_is_said(store: Store) -> None:
    """With why."""
    with Store.open(store.root, embed="fake-failing@8") as failing:
        assert "without vector: " in drawn("memory.hits", failing.search("drain the deploy"))
        assert "without vector: " in drawn("memory.recall", failing.recall("drain the deploy"))


def test_a_pack_is_shown_as_it_is(store: Store) -> None:
    """Ready to be copied, but for what could move a terminal."""
    pack = store.recall("drain the deploy")
    assert drawn("memory.recall", pack) == pack.pack
    assert "> Drain before every deploy." in pack.pack


def test_settings_and_a_new_store_are_shown(store: Store, tmp_path: Path) -> None:
    """With where each value came from, and what to do next."""
    variables = {"MEMHTML_EMBED": "off", "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    (store.root / ".memhtml" / "config.toml").write_text('embed_url = "https://a.example"\n')
    settings = load({"root": str(store.root)}, variables, tmp_path / "none.toml", tmp_path)
    with Workspace(settings, variables=variables) as workspace:
        text = drawn("config.list", run_list(workspace, Arguments({})), width=200)
        assert "MEMHTML_EMBED" in text
        assert "not heard: " in text
        again = drawn("store.initialized", init(workspace))
        assert again == f"The store is in order at {store.root}\n"
        made = drawn("store.initialized", init(workspace, str(tmp_path / "new")))
        assert made.startswith(f"Made a store at {tmp_path / 'new'}\nNext: ")


def test_what_has_no_form_of_its_own_is_an_outline() -> None:
    """Keys as in JSON, a dash for nothing, yes and no."""
    assert outline({"a": 1, "b": None, "c": [{"d": True}], "e": [], "warnings": ["x"]}) == "a: 1\nb: -\nc:\n  d: yes"


@pytest.mark.skipif(pty is None, reason="needs a terminal")
def test_at_a_terminal_every_command_answers_with_text(store: Store, tmp_path: Path) -> None:
    """No JSON, UTF-8 whatever the locale; with --json there is JSON there too."""
    store.write("Der Schlüssel heißt 鍵.")
    root = store.root
    known = dict(os.environ)  # noqa: TID251 - handed on to the process
    for flags, wanted in (((), "Schlüssel heißt 鍵"), (("--json",), '"apiVersion"')):
        leader, follower = pty.openpty()
        try:
            done = run(
                [sys.executable, "-m", "memhtml", "list", "--root", str(root), *flags],
                env={**known, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "TERM": "xterm"},
                stdout=follower,
                stderr=PIPE,
                cwd=tmp_path,
                check=False,
                timeout=100,
            )
            assert done.returncode == 0, done.stderr
            os.set_blocking(leader, False)
            seen = os.read(leader, 65536).decode()
        finally:
            os.close(follower)
            os.close(leader)
        assert wanted in seen
        assert ('"apiVersion"' in seen) == bool(flags)

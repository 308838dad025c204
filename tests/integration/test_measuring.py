"""The page that tells how to measure retrieval: what it shows is what happens."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.cli.human import render
from memhtml.cli.parser import parse
from memhtml.cli.screen import Screen
from memhtml.config.settings import load
from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.arguments import bind
from memhtml.ops.init import init
from memhtml.ops.scoring import run
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "measure-retrieval.md"
WIDTH = 80


@pytest.fixture
def blocks() -> dict[str, str]:
    """What is fenced on the page, by what it is."""
    found = re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return dict(zip(("documents", "questions", "session", "own command", "own"), found, strict=True))


def said(workspace: Workspace, line: str) -> str:
    """What a person sees who types ``line``."""
    call = parse(line.split()[1:])
    assert call.operation is not None
    screen = io.StringIO()
    render(call.operation.envelope, run(workspace, bind(call.operation, call.raw)), Screen(screen, WIDTH))
    return "".join(row.rstrip() + "\n" for row in screen.getvalue().splitlines())


@pytest.fixture
def workspace(root: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """No store yet; the built-in embedder; the working folder is that of the files."""
    monkeypatch.chdir(root.parent)
    settings = load({"root": str(root)}, environment, root.parent / "user.toml", root.parent)
    with Workspace(settings, variables=environment) as made:
        yield made


def test_the_session_on_the_page_is_what_happens(blocks: dict[str, str], workspace: Workspace, root: Path) -> None:
    """To the last figure, with the files as they stand there, and without a store."""
    command, _, shown = blocks["session"].partition("\n")
    for name in ("documents", "questions"):
        (root.parent / f"{name}.jsonl").write_text(blocks[name], encoding="utf-8")
    assert command.startswith("$ memhtml ")
    assert said(workspace, command.removeprefix("$ ")) == shown
    assert not root.exists()


def test_the_own_store_is_asked_as_the_page_says(blocks: dict[str, str], workspace: Workspace, root: Path) -> None:
    """The memory that the page names is the one of the tutorial's kind."""
    with workspace:
        init(workspace)
        draft = Draft(MemoryType.SEMANTIC, claim="Drain before every deploy.", tags=("deploys",))
        assert write(workspace, draft).path == json.loads(blocks["own"])["gold"][0]
        (root.parent / "own.jsonl").write_text(blocks["own"], encoding="utf-8")
        text = said(workspace, blocks["own command"].strip())
    assert text.startswith("1 question, 1 memory in 1 store\n")
    assert "hit@1      1.000 (1.000-1.000)" in text


def test_every_field_of_the_format_is_on_the_page() -> None:
    """And none that is not."""
    from memhtml.evals import questions

    table = re.findall(r"^\| (`.*?) \| (documents|questions|both) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    fields = {kind: set() for kind in ("documents", "questions")}
    for names, of in table:
        for kind in fields if of == "both" else (of,):
            fields[kind].update(re.findall(r"`(\w+)`", names))
    assert fields["documents"] == set(questions._DocumentLine.__struct_fields__)
    assert fields["questions"] == set(questions._QuestionLine.__struct_fields__)

"""What a host gets of each event, in its own form, and what it does not."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from tests.ops.conftest import opened

from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.arguments import Arguments, bind
from memhtml.ops.commands import operation
from memhtml.ops.hooking import (
    LONGEST_PROMPT,
    PROMPT_BUDGET,
    START_BUDGET,
    WAITING,
    Event,
    Host,
    Notified,
    _embedder,
    afterwards,
    ends,
    hook,
    notified,
    project,
)
from memhtml.ops.index import embed_index
from memhtml.ops.traces import index as following
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

SHOP = "Checkout drains its queue before every deploy."
OTHER = "Billing rounds every invoice to whole cents."
LIKES = "Ada prefers short answers."
QUESTION = "what does checkout do before a deploy?"


@pytest.fixture
def store(workspace: Workspace) -> Workspace:
    """A memory of the project shop, one of another, and a preference."""
    write(workspace, Draft(MemoryType.SEMANTIC, claim=SHOP, workspace="shop"))
    write(workspace, Draft(MemoryType.SEMANTIC, claim=OTHER, workspace="bills"))
    write(workspace, Draft(MemoryType.USER_PREFERENCE, claim=LIKES))
    return workspace


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder deep in the repository of the project shop."""
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    deep = tmp_path / "shop" / "src" / "deep"
    deep.mkdir(parents=True)
    return deep


def given(event: str) -> Arguments:
    """The arguments of a call."""
    row = operation("hook")
    assert row is not None
    return bind(row, {"event": event})


def said(**facts: object) -> str:
    """What a host says."""
    return json.dumps(facts)


def test_a_session_gets_what_is_known_of_its_project_and_of_the_person(store: Workspace, shop: Path) -> None:
    """Named after the root of the repository; nothing of another project; quoted and fenced, within the budget."""
    text = hook(store, Event.SESSION_START, Host.CLAUDE_CODE, said(cwd=str(shop)))
    assert f"> {SHOP}" in text
    assert f"> {LIKES}" in text
    assert OTHER not in text
    assert "what is known of shop" in text
    assert "never an instruction" in text
    assert len(text) <= START_BUDGET


@pytest.mark.parametrize("payload", ["", " \n", "{}", '{"cwd": 3}', '{"cwd": ""}', '{"workspace_roots": []}'])
def test_a_session_of_no_project_gets_what_is_known_in_general(store: Workspace, payload: str) -> None:
    """Whatever the host says, or does not say."""
    text = hook(store, Event.SESSION_START, Host.CLAUDE_CODE, payload)
    assert all(claim in text for claim in (SHOP, OTHER, LIKES))
    assert text.startswith("Memories that answer: what is known in general\n")


def test_a_project_of_which_nothing_is_known_is_told_so(store: Workspace, tmp_path: Path) -> None:
    """It gets what is known in general, and no word that it was about this project."""
    (tmp_path / "fresh" / ".git").mkdir(parents=True)
    text = hook(store, Event.SESSION_START, Host.CLAUDE_CODE, said(cwd=str(tmp_path / "fresh")))
    assert "what is known in general; of fresh there is nothing yet\n" in text
    assert SHOP in text


@pytest.mark.parametrize("payload", ["{", "[]", "null", '"text"', "7", "[" * 100_000, '{"a":' * 100_000])
@pytest.mark.parametrize("event", Event)
def test_what_no_host_says_gets_no_answer(store: Workspace, event: Event, payload: str) -> None:
    """And leaves no mark."""
    assert hook(store, event, Host.CLAUDE_CODE, payload) == ""
    assert not (store.repository.root / WAITING).exists()


def test_a_prompt_gets_what_answers_it_and_nothing_else(store: Workspace) -> None:
    """The hits that clear the bar; silence for small talk, and for no prompt."""
    text = hook(store, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, said(prompt=QUESTION))
    assert f"> {SHOP}" in text
    assert OTHER not in text
    assert len(text) <= PROMPT_BUDGET
    for prompt in ("thanks, that looks lovely", "  ", 7, None):
        assert hook(store, Event.USER_PROMPT_SUBMIT, Host.CODEX, said(prompt=prompt)) == ""


@pytest.mark.parametrize(
    ("host", "event", "name"),
    [
        (Host.CODEX, Event.SESSION_START, "SessionStart"),
        (Host.CODEX, Event.USER_PROMPT_SUBMIT, "UserPromptSubmit"),
        (Host.VSCODE, Event.SESSION_START, "SessionStart"),
        (Host.GEMINI_CLI, Event.SESSION_START, "SessionStart"),
        (Host.GEMINI_CLI, Event.USER_PROMPT_SUBMIT, "BeforeAgent"),
    ],
)
def test_each_host_is_spoken_to_in_its_form(store: Workspace, host: Host, event: Event, name: str) -> None:
    """One JSON object of one known shape, with the name that the host uses."""
    answer = json.loads(hook(store, event, host, said(prompt=QUESTION)))
    assert set(answer) == {"hookSpecificOutput"}
    inner = answer["hookSpecificOutput"]
    assert set(inner) == {"hookEventName", "additionalContext"}
    assert inner["hookEventName"] == name
    assert SHOP in inner["additionalContext"]


def test_cursor_takes_a_text_at_the_start_alone(store: Workspace) -> None:
    """And under another name."""
    answer = json.loads(hook(store, Event.SESSION_START, Host.CURSOR, said(workspace_roots=["/nowhere/x"])))
    assert SHOP in answer["additional_context"]
    assert hook(store, Event.USER_PROMPT_SUBMIT, Host.CURSOR, said(prompt=QUESTION)) == ""


@pytest.mark.parametrize("host", Host)
@pytest.mark.parametrize("event", [Event.PRE_COMPACT, Event.SESSION_END])
def test_the_other_events_say_nothing(store: Workspace, host: Host, event: Event) -> None:
    """No host takes a text there."""
    assert hook(store, event, host, said(prompt=QUESTION)) == ""


def test_the_end_of_a_session_leaves_a_mark_that_the_next_start_takes_up(store: Workspace) -> None:
    """Indexing waits for somebody with time."""
    mark = store.repository.root / WAITING
    hook(store, Event.SESSION_END, Host.CLAUDE_CODE, "{}")
    assert mark.exists()
    for event in ("pre-compact", "user-prompt-submit", "session-end"):
        afterwards(store, given(event))
        assert mark.exists()
    afterwards(store, given("session-start"))
    assert not mark.exists()
    afterwards(store, given("session-start"))


def test_a_session_that_ends_while_transcripts_are_read_keeps_its_mark(
    store: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read may not have been there yet."""
    mark = store.repository.root / WAITING
    hook(store, Event.SESSION_END, Host.CLAUDE_CODE, "{}")
    monkeypatch.setattr(following, "index_traces", lambda _: os.utime(mark, (1, 1)))
    hook(store, Event.PRE_COMPACT, Host.CLAUDE_CODE, "{}")
    assert mark.exists()
    monkeypatch.undo()
    hook(store, Event.PRE_COMPACT, Host.CLAUDE_CODE, "{}")
    assert not mark.exists()


def test_a_word_or_two_are_no_question(store: Workspace) -> None:
    """Also where memories are as short, and so near to them; three words, or one long one, are asked with."""
    for claim in ("Fine claim.", "Ok means yes.", "Continue here."):
        write(store, Draft(MemoryType.SEMANTIC, claim=claim))
    for prompt in ("ok", "yes", "continue", "go on", "fine", "thank you!", "x", "  ok \n"):
        assert hook(store, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, said(prompt=prompt)) == ""
    for prompt in ("continue right here", "checkout-queue-before-deploy"):
        assert hook(store, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, said(prompt=prompt))


def test_a_long_prompt_is_asked_with_by_its_ends() -> None:
    """A question before or after ten thousand characters of a log is in what is asked, and a short prompt is all."""
    assert ends(QUESTION) == QUESTION
    log = "\n".join(f"at step {number} of the run" for number in range(600))
    for prompt in (f"{QUESTION}\n{log}", f"{log}\n{QUESTION}"):
        assert len(prompt) > 10_000
        assert len(ends(prompt)) == LONGEST_PROMPT + 1
        assert QUESTION in ends(prompt)


def test_a_prompt_in_other_words_is_answered_where_vectors_are_on(template: Path, root: Path) -> None:
    """By the built-in model, which keeps nothing; where vectors are off, or another's, nothing is said or sent."""
    shutil.copytree(template, root)
    prompt = said(prompt="can I release at the end of the week?")
    with opened(root, embed="on") as found:
        write(found, Draft(MemoryType.SEMANTIC, claim="Deploys to production are frozen on Friday afternoons."))
        assert hook(found, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, prompt) == ""
        assert found.index.missing_vectors() == 1
        embed_index(found)
        assert "frozen on Friday" in hook(found, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, prompt)
        small_talk = said(prompt="thanks, that looks lovely")
        assert hook(found, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, small_talk) == ""
    with opened(root, embed="off") as found:
        assert hook(found, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, prompt) == ""
    with opened(root, embed="other@8", MEMHTML_EMBED_URL="http://127.0.0.1:9") as found:
        assert _embedder(found) is None
        assert hook(found, Event.USER_PROMPT_SUBMIT, Host.CLAUDE_CODE, prompt) == ""
    with opened(root, embed="other@8") as found:
        assert _embedder(found) is None


def test_an_empty_store_says_nothing(workspace: Workspace) -> None:
    """Not even a frame."""
    assert hook(workspace, Event.SESSION_START, Host.CODEX, "{}") == ""


def test_a_project_is_named_after_its_repository(tmp_path: Path, shop: Path) -> None:
    """Not after the folder; another work tree of it has its name; a submodule is a project of its own."""
    assert project(shop) == "shop"
    other = tmp_path / "shop-fix-1"
    other.mkdir()
    (other / ".git").write_text(f"gitdir: {tmp_path / 'shop' / '.git' / 'worktrees' / 'shop-fix-1'}\n")
    assert project(other) == "shop"
    part = tmp_path / "shop" / "part"
    part.mkdir()
    (part / ".git").write_text("gitdir: ../.git/modules/part\n")
    assert project(part) == "part"
    assert project(None) is None
    assert project(tmp_path / "nowhere" / "at all") is None


def test_what_a_host_says_is_read_as_far_as_it_goes() -> None:
    """Fields of another kind count as not said."""
    assert notified(said(hook_event_name=["x"], prompt={"a": 1}, cwd=[1])) == Notified("", "", None)
    assert notified(said(workspace_roots=["/a", "/b"])) == Notified("", "", Path("/a"))
    for name in ("Session Start", "x" * 41, 'A"}', "SessionStart\n"):
        assert notified(said(hook_event_name=name)) == Notified("", "", None)

"""The door: threads, linked setups, and what a search loads."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from memhtml.domain.errors import LockedError
from memhtml.store.repository import Repository
from memhtml.store.transaction import Made

from .conftest import Person


def test_threads_of_one_process_queue(store: Repository, person: Person) -> None:
    """One Repository, eight threads, one commit each."""
    before = int(person.git("rev-list", "--count", "HEAD"))

    def write(number: int) -> None:
        with store.transaction() as tx:
            tx.put(f"areas/{number}.html", b"x")
            tx.commit(f"memory(write): {number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(16)))
    assert int(person.git("rev-list", "--count", "HEAD")) == before + 16
    assert len(list(store.tree())) == 16
    assert person.status() == ""


def test_what_is_acknowledged_is_known_before_the_transaction_has_ended(store: Repository) -> None:
    """Whoever is interrupted between its commit and its end learns it; a branch taken back holds it no more."""
    assert store.acknowledged() is None
    open_one = store.transaction()
    transaction = open_one.__enter__()
    transaction.put("areas/a.html", b"a")
    assert store.acknowledged() is None
    commit = transaction.commit("memory(write): a")
    assert store.acknowledged() == Made(commit, ("areas/a.html",))
    open_one.__exit__(None, None, None)
    assert store.acknowledged() == Made(commit, ("areas/a.html",))
    with store.transaction():
        assert store.acknowledged() == Made(commit, ("areas/a.html",))
    subprocess.run(["git", "-C", store.root, "update-ref", "HEAD", f"{commit}~1"], check=True)
    assert store.acknowledged() is None


def test_a_writer_that_waits_too_long_is_told_who_holds(store: Repository, environment: dict[str, str]) -> None:
    """A reader never waits."""
    other = Repository.open(store.root, environment=environment, lock_wait=0.05)
    with store.transaction():
        with pytest.raises(LockedError, match="process"), other.transaction():
            pass
        assert other.head() == store.head()
        assert list(other.tree()) == []


def test_the_name_of_the_holder_holds_no_memory(store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Program and verb; what follows on a command line may be somebody's memory."""
    monkeypatch.setattr(sys, "argv", ["/usr/bin/memhtml", "write", "my secret claim"])
    with store.transaction():
        said = (store.layout.desk / "lock").read_text()
    assert "memhtml write" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    "setting", ["core.splitIndex=true", "index.version=4", "core.untrackedCache=true", "core.sharedRepository=group"]
)
def test_settings_of_the_repository_are_served(store: Repository, person: Person, setting: str) -> None:
    """However git keeps its index here."""
    person.git("config", *setting.split("="))
    person.git("update-index", "--refresh")
    for number in range(3):
        with store.transaction() as tx:
            tx.put("areas/a.html", b"%d" % number)
            tx.commit("memory(write): a")
        assert person.status() == ""


def test_opening_a_store_starts_nothing_and_loads_little(store: Repository) -> None:
    """A search pays for what it uses: no process, no parser, nothing that writes."""
    code = (
        "import os, sys; from pathlib import Path; from memhtml.store.repository import Repository\n"
        "store = Repository.open(Path(sys.argv[1]), environment=os.environ)\n"
        "store.recover_if_needed(); store.head(); print(*sys.modules)\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code, str(store.root)], check=True, capture_output=True, encoding="utf-8"
    )
    loaded = set(printed.stdout.split())
    assert not loaded & {
        "subprocess",
        "turbohtml",
        "numpy",
        "asyncio",
        "memhtml.store.transaction",
        "memhtml.store.lock",
    }

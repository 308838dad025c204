"""`Store`: a memory store from Python. It calls the same operations as the command line, and has no rules of its own.

from memhtml import Store

with Store.init("notes") as store:
    written = store.write("Drain before every deploy.", tags=["deploys"], entities=["service:checkout"])
    for hit in store.search("what to do before a release").hits:
        print(hit.path, hit.gist)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from memhtml.api.care import Care
from memhtml.api.checks import require
from memhtml.api.finding import Finding
from memhtml.api.sleeping import Sleeping
from memhtml.api.tracing import Tracing
from memhtml.api.writing import Writing
from memhtml.config.environment import environment, user_file
from memhtml.config.settings import load
from memhtml.workspace.clock import Clock
from memhtml.workspace.workspace import Workspace


class Store(Finding, Writing, Care, Tracing, Sleeping):
    """One memory store. Threads may share it; close it, or use it as a context manager.

    Every method that changes something makes exactly one commit, and when it returns, that commit is on the disk.
    Results are frozen structs. Errors are of the tree in `memhtml.domain.errors`; their classes say what happened.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        embed: str | None = None,
        variables: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Open the store at ``path``, by default where the settings say.

        Args:
            path: its folder.
            embed: ``on``, ``off`` or the space of another model; by default as the settings say.
            variables: the environment, for settings and for git; the process's own by default.
            clock: what time it is; the machine's own clock by default.

        Raises:
            StoreMissingError: nothing is there.
            NotAStoreError: something else is there.
            InvalidFlagError: an argument is of another type.
            InvalidSettingError: a setting cannot be.
        """
        workspace = _workspace(path, embed, variables, clock)
        store = cls(workspace)
        _ = workspace.repository  # a path that is no store is refused here, not at the first call
        return store

    @classmethod
    def init(
        cls,
        path: str | Path | None = None,
        *,
        embed: str | None = None,
        variables: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Make ``path`` a store, or put right what is missing in one, and open it. See `open`.

        Raises:
            NotAStoreError: other things are there.
            StorageError: it cannot be written.
        """
        from memhtml.ops.init import init  # each operation is imported when it runs

        workspace = _workspace(path, embed, variables, clock)
        init(workspace)
        return cls(workspace)

    def close(self) -> None:
        """Let go of every file and database; harmless when done twice."""
        self._workspace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def root(self) -> Path:
        """The store's folder."""
        return self._workspace.repository.root


def _workspace(
    path: str | Path | None, embed: str | None, variables: Mapping[str, str] | None, clock: Clock | None
) -> Workspace:
    require("root", path, said="path")
    for name, value in (("embed", embed), ("variables", variables), ("clock", clock)):
        require(name, value)
    flags = {name: text for name, text in (("root", None if path is None else str(path)), ("embed", embed)) if text}
    known = environment() if variables is None else variables
    return Workspace(load(flags, known, user_file(known), Path.cwd()), variables=known, clock=clock)

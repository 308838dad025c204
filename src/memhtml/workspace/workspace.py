"""The composition root: a store's parts, opened when first needed, closed together."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

from memhtml.config.environment import cache_folder
from memhtml.config.settings import Settings
from memhtml.domain.errors import EmbedModelMismatchError, IndexTooNewError, MemhtmlError
from memhtml.domain.progress import Progress, silent
from memhtml.workspace.clock import Clock, SystemClock
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.models.embedder import Embedder
    from memhtml.models.language import LanguageModel
    from memhtml.store.repository import Repository
    from memhtml.store.transaction import Made

DAMAGED = "INDEX_DAMAGED"
"""Code of the notice that a database was found damaged, and what was done about it."""

GAPS_AT_ONCE = 32
"""Texts without a vector that a search closes the gap for before it answers: half a second of the built-in model."""

FEW_GAPS = 8
"""What it does where more are missing, so that a store which is written to now and then is never far behind."""

MANY_GAPS = 64
"""Where more than these are missing it does nothing: that is work for `index embed`, and the answer says so."""


class Workspace:
    """A store's parts. Threads may share it.

    Attributes:
        settings: everything configured, read once.
        variables: the environment that git runs in.
        clock: what time it is.
        progress: told how far a long operation is.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        variables: Mapping[str, str],
        clock: Clock | None = None,
        progress: Progress = silent,
    ) -> None:
        self.settings = settings
        self.variables = variables
        self.clock = clock or SystemClock()
        self.progress = progress
        self._opening = threading.RLock()
        self._repository: Repository | None = None
        self._former: Repository | None = None
        self._index: Index | None = None
        self._embedder: Embedder | None = None
        self._model: LanguageModel | None = None

    @property
    def repository(self) -> Repository:
        """The store's git side; what a killed command left there is put right first.

        A store that was taken away since it was opened is missing, and another one in its place is opened.

        Raises:
            StoreMissingError: nothing is at the root.
            NotAStoreError: something else is.
            StorageError: it cannot be read.
        """
        with self._opening:
            if self._repository is not None and not self._repository.stands():
                self._former, self._repository = self._repository, None
            if self._repository is None:
                from memhtml.store.repository import Repository  # not every command opens a store

                self._repository = Repository.open(
                    self.settings.root, environment=self.variables, lock_wait=self.settings.lock_wait
                )
            return self._repository

    @property
    def index(self) -> Index:
        """The store's index; an empty one is made where none is, or where the open one was taken away.

        Raises:
            IndexTooNewError: a later memhtml made it.
            StorageError: it cannot be opened.
        """
        with self._opening:
            root = self.repository.root
            if self._index is not None and not self._index.stands():
                gone, self._index = self._index, None
                gone.close()
            if self._index is None:
                from memhtml.index.index import Index  # not every command opens an index

                self._index = Index.open(root)
            return self._index

    @property
    def embedder(self) -> Embedder | None:
        """What makes vectors, nothing of it loaded yet; ``None`` when vectors are off.

        Raises:
            InvalidSettingError: the configured space needs something that is not configured.
        """
        with self._opening:
            if self._embedder is None:
                from memhtml.models.factory import Sources, embedder  # not every command embeds

                settings = self.settings
                self._embedder = embedder(
                    settings.embed,
                    Sources(
                        weights=settings.embed_weights,
                        stamps=cache_folder(self.variables) / "stamps",
                        url=settings.embed_url,
                        key=settings.embed_key,
                    ),
                )
            return self._embedder

    @property
    def model(self) -> LanguageModel | None:
        """The language model that sleep may ask; ``None`` when there is to be none. Nothing is sent yet.

        Raises:
            ModelUnavailableError: its package or its key is missing, or nobody knows it.
        """
        with self._opening:
            if self._model is None:
                from memhtml.models.factory import language_model  # only sleep asks one

                self._model = language_model(self.settings.model)
            return self._model

    def acknowledged(self) -> Made | None:
        """The last commit that was made here, if the branch holds it; also after `close`.

        Raises:
            GitError: git cannot tell.
        """
        repository = self._repository or self._former
        return None if repository is None else repository.acknowledged()

    def catch_up(self) -> tuple[Notice, ...]:
        """Put right what a killed command left, and let the index follow the branch.

        An index that cannot follow is no reason to refuse: what is wrong with it comes back as notices.

        Raises:
            IndexTooNewError: a later memhtml made the index.
            StoreMissingError: nothing is at the root.
            NotAStoreError: something else is.
        """
        repository = self.repository
        repository.recover_if_needed()
        try:
            self.index.catch_up(repository)
        except IndexTooNewError:
            raise
        except MemhtmlError as error:
            return (*self._incidents(), Notice(error.code, f"the index is behind the files: {error.message}"))
        return self._incidents()

    def searching_embedder(self) -> tuple[Embedder | None, tuple[Notice, ...]]:
        """What makes vectors for a question, after it has made a few of those that are missing.

        A write never waits for the model: whoever has it at hand does some of the work. Nothing that goes wrong is an
        error here: without an embedder a search answers by words, and says so.
        """
        from memhtml.index.embedding import fill  # only who embeds needs it

        try:
            embedder = self.embedder
        except MemhtmlError as error:
            return None, (Notice(error.code, f"words only, without vectors: {error.message}"),)
        if embedder is None:
            return None, ()
        try:
            missing = self.index.missing_vectors()
            if 0 < missing <= MANY_GAPS:
                fill(self.index, embedder, GAPS_AT_ONCE if missing <= GAPS_AT_ONCE else FEW_GAPS)
        except EmbedModelMismatchError:
            return embedder, ()  # the arm that compares vectors says it, with the command that mends it
        except MemhtmlError as error:
            return embedder, (Notice(error.code, f"vectors could not be kept: {error.message}"),)
        return embedder, ()

    def close(self) -> None:
        """Let go of every file and database; a closed workspace opens them again when asked."""
        with self._opening:
            index, self._index = self._index, None
            self._former, self._repository = self._repository or self._former, None
        if index is not None:
            index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _incidents(self) -> tuple[Notice, ...]:
        incidents = () if self._index is None else self._index.incidents
        return tuple(Notice(DAMAGED, incident) for incident in incidents)

"""The methods of `Store` that keep a store in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memhtml.api.checks import checked

if TYPE_CHECKING:
    from pathlib import Path

    from memhtml.ops.discriminate import Discrimination
    from memhtml.ops.doctor import Health
    from memhtml.ops.index import Embedded, IndexStatus, IndexUpdated, IndexVerified
    from memhtml.ops.publish import Published
    from memhtml.ops.scoring import RetrievalScores
    from memhtml.ops.state import StateExported, StateImported
    from memhtml.ops.status import StoreStatus
    from memhtml.workspace.workspace import Workspace


@checked
class Care:
    """Looks after the store and its index."""

    _workspace: Workspace

    def rebuild(self) -> IndexUpdated:
        """Make every row of the index anew; vectors of unchanged texts are kept."""
        from memhtml.ops.index import rebuild_index

        return rebuild_index(self._workspace)

    def update(self) -> IndexUpdated:
        """Let the index follow the branch and the files as they are now, so that a saved edit is found."""
        from memhtml.ops.index import update_index

        return update_index(self._workspace)

    def embed(self, *, limit: int | None = None, replace: bool = False) -> Embedded:
        """Make the vectors that are missing, at most ``limit``; ``replace`` drops those of another model first.

        Raises:
            ModelUnavailableError: vectors are off, or the embedder cannot work.
            EmbedModelMismatchError: the index holds vectors of another model.
        """
        from memhtml.ops.index import embed_index

        return embed_index(self._workspace, limit=limit, replace=replace)

    def index_status(self) -> IndexStatus:
        """How the index stands to the files."""
        from memhtml.ops.index import index_status

        return index_status(self._workspace)

    def verify(self) -> IndexVerified:
        """Make a second index from nothing and compare the two row by row."""
        from memhtml.ops.index import verify_index

        return verify_index(self._workspace)

    def discriminate(self, *, mode: str = "live", seed: int = 1, probes: int | None = None) -> Discrimination:
        """Check that search ranks memories of this store above nearly identical wrong versions of them.

        No memory changes; the index, a cache, is brought up to date, and what was wrong with it is in ``warnings``.
        ``mode`` is ``live``, with the configured embedder, or ``fake``.
        ``probes`` is how many memories must be asked for; by default as many as can be, up to 60, drawn by ``seed``.

        Raises:
            InvalidFlagError: a value is outside what it can be.
            EmbedModelMismatchError: the index holds vectors of another model.
        """
        from memhtml.ops.discriminate import Wished, discrimination, mode_of

        return discrimination(self._workspace, Wished(mode_of(mode), seed=seed, probes=probes, corpus=True))

    def score(self, questions: str | Path, *, limit: int = 50) -> RetrievalScores:
        """How well search answers the questions of a file: by words alone, by vectors alone, by all arms.

        ``questions`` names the file: JSON lines, each with a ``query`` and the paths that answer it as ``gold``. Each
        search is asked for ``limit`` hits. No memory changes; the index, a cache, is brought up to date and gets
        vectors that it lacks.

        Raises:
            InvalidInputError: the file cannot be read, or holds something else, or names what no search can find.
            InvalidFlagError: ``limit`` is too small for the figures.
        """
        from pathlib import Path

        from memhtml.ops.scoring import score_own

        return score_own(self._workspace, Path(questions), limit=limit)

    def status(self) -> StoreStatus:
        """What is in the store, what the index holds of it, and what is not committed."""
        from memhtml.ops.status import status

        return status(self._workspace)

    def doctor(self, *, fix: bool = False) -> Health:
        """Look for what is wrong; with ``fix``, repair what has one right answer."""
        from memhtml.ops.doctor import doctor

        return doctor(self._workspace, fix=fix)

    def publish(self, *, base_url: str | None = None, replace: bool = False) -> Published:
        """Write an ``index.html`` into every folder and a ``sitemap.xml``; ``replace`` also over those of others.

        Raises:
            WriteConflictError: a file of such a name is there that it did not make, or that was edited since.
            DirtyTreeError: a page has uncommitted changes.
        """
        from memhtml.ops.publish import publish

        return publish(self._workspace, base_url=base_url, replace=replace)

    def export_state(self) -> StateExported:
        """Commit what was opened and reinforced as JSON lines."""
        from memhtml.ops.state import export_state

        return export_state(self._workspace)

    def import_state(self, data: bytes | None = None) -> StateImported:
        """Merge such lines, by default the committed ones; counters by maximum.

        Raises:
            PathNotFoundError: the store has none.
        """
        from memhtml.ops.state import import_state

        return import_state(self._workspace, data)

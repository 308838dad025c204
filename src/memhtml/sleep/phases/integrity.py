"""What points somewhere is right again: links that lead nowhere, the pages to browse by, and the site map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from memhtml.domain.edges import ends_refusal
from memhtml.domain.memory import Link, MemoryPath
from memhtml.domain.paths import ARCHIVE, is_archived, original_path
from memhtml.domain.placement import PEOPLE
from memhtml.domain.vocabulary import Rel, RelClass, rel_class
from memhtml.index.listing import Tied
from memhtml.index.memories import MemoryRow
from memhtml.page.splice import AddLink, DropLink, Edit
from memhtml.sleep.changes import Edited, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.mind import Mind
from memhtml.sleep.phase import Phase
from memhtml.sleep.published import remade
from memhtml.sleep.veto import is_protected

_YEAR = len("2026")


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Lead links where the one memory of that name is now, and take out those of which nobody knows where they led.

    What is published is made again from what the run has by now; where nothing is published, nothing is made.
    """
    del mind
    loose = _loose(corpus)
    rows = _named(corpus)
    mended: list[Edited] = []
    counts = dict.fromkeys(("left", "pages", "removed", "repointed"), 0)
    for source, dangling in loose.items():
        may_edit = _may_edit(corpus, source)
        ties = [tie for tie in dangling if may_edit and not _is_there(corpus, tie.target)]
        counts["left"] += len(dangling) - len(ties)
        heirs = [_heir(corpus, rows, tie) for tie in ties]
        counts["removed"] += heirs.count(None)
        counts["repointed"] += len(heirs) - heirs.count(None)
        if ties:
            mended.append(_mended(source, ties, heirs))
    made = [each for each in remade(corpus) if each.path not in corpus.refused]
    return Proposal((*mended, *made), {**counts, "pages": len(made)})


PHASE = Phase("integrity", propose)


class _Namesakes(Struct, frozen=True):
    """The memories of one file name, those in use and those in the archive; no link of a memory leads to a task."""

    in_use: list[MemoryRow]
    archived: list[MemoryRow]


def _named(corpus: Corpus) -> Mapping[str, _Namesakes]:
    found: dict[str, _Namesakes] = {}
    for path, memory in corpus.memories.items():
        found.setdefault(_name(path), _Namesakes([], [])).in_use.append(memory.row)
    for row in corpus.archived.values():
        found.setdefault(_name(row.path), _Namesakes([], [])).archived.append(row)
    return found


def _name(path: MemoryPath) -> str:
    return path.rpartition("/")[2]


def _loose(corpus: Corpus) -> dict[MemoryPath, list[Tied]]:
    """The links that lead nowhere, by source, in path order.

    Those that say from which session a memory is are left out: no session is in the store.
    """
    found: dict[MemoryPath, list[Tied]] = {}
    for tie in corpus.ties:
        if tie.resolved is None and rel_class(tie.rel) is not RelClass.PROVENANCE:
            found.setdefault(tie.source, []).append(tie)
    return found


def _may_edit(corpus: Corpus, source: MemoryPath) -> bool:
    memory = corpus.memories.get(source)
    if memory is None or source in corpus.refused:
        return False
    return not is_protected(memory.row.importance, memory.row.author)


def _is_there(corpus: Corpus, target: MemoryPath) -> bool:
    """Whether a file is where a link leads: one that is no memory as it stands, and it is that file that is wrong."""
    original = original_path(target)
    years = [name for name in corpus.files.names(ARCHIVE) if len(name) == _YEAR and name.isdecimal()]
    places = (original, *(f"{ARCHIVE}/{year}/{original}" for year in years))
    return any(_name(MemoryPath(place)) in corpus.files.names(place.rpartition("/")[0]) for place in places)


def _heir(corpus: Corpus, named: Mapping[str, _Namesakes], tie: Tied) -> MemoryPath | None:
    """The only memory in use of the target's file name, else the only one in the archive, that the link may lead to."""
    namesakes = named.get(_name(tie.target), _Namesakes([], []))
    source = corpus.memories[tie.source].row
    for rows in (namesakes.in_use, namesakes.archived):
        fitting = [row.path for row in rows if row.path != source.path and _may_lead(tie.rel, source, row)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _may_lead(rel: Rel, source: MemoryRow, target: MemoryRow) -> bool:
    if rel is Rel.SUPERSEDES and not is_archived(target.path):
        # What is in use would be taken for superseded, for the sake of a name.
        return False
    if rel_class(rel) is RelClass.PERSON and not original_path(target.path).startswith(f"{PEOPLE}/"):
        return False
    return ends_refusal(rel, source.type, target.type) is None


def _mended(source: MemoryPath, ties: Sequence[Tied], heirs: Sequence[MemoryPath | None]) -> Edited:
    edits: list[Edit] = []
    for tie, heir in zip(ties, heirs, strict=True):
        edits.append(DropLink(Link(tie.rel, tie.target)))
        edits += [] if heir is None else [AddLink(Link(tie.rel, heir))]
    why = "a link of it leads nowhere" if len(ties) == 1 else f"{len(ties)} links of it lead nowhere"
    return Edited(source, tuple(edits), Reason(why, tuple(_evidence(ties, heirs))))


def _evidence(ties: Sequence[Tied], heirs: Sequence[MemoryPath | None]) -> Iterator[Evidence]:
    for tie, heir in zip(ties, heirs, strict=True):
        now = "no one memory is known by that name" if heir is None else f"{heir} is the memory of that name"
        yield Evidence(tie.target, f"{tie.rel.value} leads there, nothing is there, and {now}")

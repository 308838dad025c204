"""The lexical index: which memories hold the words of a query, best first.

Queries are made of tokens that we quote ourselves, so no text that a person types is ever read as FTS5's language.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from msgspec import Struct

from memhtml.domain.memory import MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import Term
from memhtml.index.scoping import condition

# The best by their scores alone, then what of them is in scope: looking up every file that holds a word of the query,
# only to sort it out again, costs as much as ranking. A row that is out of scope has no path.
_BEST = """
SELECT f.path, best.score
FROM (
  SELECT rowid AS id, round(-bm25(search, :title, :claim, :body, :tags, :entities), 9) AS score
  FROM search WHERE search MATCH :query ORDER BY score DESC LIMIT :look
) AS best LEFT JOIN files AS f ON f.id = best.id AND {scope}
ORDER BY best.score DESC, f.moment DESC, f.path
"""
_RANKED = """
SELECT f.path, round(-bm25(search, :title, :claim, :body, :tags, :entities), 9) AS score
FROM search JOIN files AS f ON f.id = search.rowid
WHERE search MATCH :query AND {scope}
ORDER BY score DESC, f.moment DESC, f.path
LIMIT :limit
"""
# FTS5 finds rows one after the other, so counting ends as soon as a word is known to be common.
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH :query LIMIT :cap)"
# The + keeps FTS5 from starting a search of its own for each row, which costs more than walking the term's rows.
_MATCHED = """
SELECT rowid FROM search
WHERE search MATCH :query AND +rowid IN (SELECT value FROM json_each(:files))
"""
_FILES = "SELECT f.id, f.path FROM json_each(:paths) AS wanted JOIN files AS f ON f.path = wanted.value"
_EXACT = """
SELECT f.path FROM files AS f
WHERE f.id IN (
  SELECT file FROM entities WHERE folded IN (SELECT value FROM json_each(:names))
  UNION SELECT file FROM entities WHERE folded_name IN (SELECT value FROM json_each(:names))
  UNION SELECT file FROM tags WHERE folded IN (SELECT value FROM json_each(:names))
  UNION SELECT file FROM aliases WHERE folded IN (SELECT value FROM json_each(:names))
) AND {scope}
ORDER BY f.moment DESC, f.path
LIMIT :limit
"""
# Newer first; one above the limit says that there are too many for the words to tell anything.
_WORDED = """
SELECT f.path FROM files AS f
WHERE f.id IN (SELECT file FROM wordings WHERE digest = :digest) AND {scope}
ORDER BY f.moment DESC, f.path
LIMIT :limit
"""
_PHRASED = """
SELECT f.path, f.moment FROM search CROSS JOIN files AS f
WHERE search MATCH :query AND f.id = search.rowid AND {scope}
LIMIT :most + 1
"""

_SPARE = 20  # rows to look at beyond twice the limit: few memories are tasks, or in the archive


class ColumnWeights(Struct, frozen=True):
    """How much an occurrence counts, by where it stands."""

    title: float = 1.0
    claim: float = 1.0
    body: float = 1.0
    tags: float = 1.0
    entities: float = 1.0


class LexicalHit(Struct, frozen=True):
    """A memory that holds a word of the query; a higher ``score`` is better, and all are above 0."""

    path: MemoryPath
    score: float


def ranked(
    connection: sqlite3.Connection,
    terms: Sequence[Term],
    scope: Scope,
    limit: int,
    weights: ColumnWeights,
) -> list[LexicalHit]:
    """The best memories in ``scope`` that hold any of ``terms``, by bm25 over the weighted columns.

    Equal scores go to the newer memory (by ``coalesce(event_at, updated)``), then by path. No terms find nothing.
    """
    if not terms:
        return []
    where = condition(scope)
    look = 2 * limit + _SPARE
    parameters = {
        "query": _query(terms),
        "limit": limit,
        "look": look,
        "title": weights.title,
        "claim": weights.claim,
        "body": weights.body,
        "tags": weights.tags,
        "entities": weights.entities,
        **where.parameters,
    }
    if limit >= 0 and not where.narrow:
        best: list[tuple[str | None, float]] = connection.execute(
            _BEST.format(scope=where.filter), parameters
        ).fetchall()
        # What ties with the last one that was looked at may stand before it, unless that was the last one of all.
        edge = best[-1][1] if len(best) == look else 0.0
        hits = [LexicalHit(MemoryPath(path), score) for path, score in best if path is not None and score > edge]
        if len(hits) >= limit or len(best) < look:
            return hits[:limit]
    rows = connection.execute(_RANKED.format(scope=where.filter), parameters)
    return [LexicalHit(MemoryPath(path), score) for path, score in rows]


def document_frequency(connection: sqlite3.Connection, terms: Iterable[Term], cap: int) -> dict[Term, int]:
    """How many memories, of all scopes, hold each term, at most ``cap``; in the order of ``terms``."""
    return {
        term: connection.execute(_COUNT, {"query": _query((term,)), "cap": cap}).fetchone()[0]
        for term in dict.fromkeys(terms)
    }


def matched(
    connection: sqlite3.Connection, terms: Iterable[Term], paths: Sequence[MemoryPath]
) -> dict[MemoryPath, frozenset[Term]]:
    """Which of ``terms`` each of ``paths`` holds, after stemming; a path that is not indexed is left out."""
    known: dict[int, MemoryPath] = dict(connection.execute(_FILES, {"paths": json.dumps(list(paths))}))
    found: dict[MemoryPath, set[Term]] = {path: set() for path in paths if path in known.values()}
    wanted = json.dumps(list(known))
    for term in dict.fromkeys(terms):
        for (file,) in connection.execute(_MATCHED, {"query": _query((term,)), "files": wanted}):
            found[known[file]].add(term)
    return {path: frozenset(held) for path, held in found.items()}


def exact(connection: sqlite3.Connection, folded: Sequence[str], scope: Scope, limit: int) -> list[MemoryPath]:
    """Memories in ``scope`` with an entity, an entity's name, a tag or an alias that folds to one of ``folded``.

    Newer first, then by path.
    """
    where = condition(scope)
    parameters = {"names": json.dumps(list(folded)), "limit": limit, **where.parameters}
    return [MemoryPath(path) for (path,) in connection.execute(_EXACT.format(scope=where.filter), parameters)]


def worded(connection: sqlite3.Connection, digest: int, scope: Scope, limit: int) -> list[MemoryPath]:
    """Memories in ``scope`` that are known by a text with this digest; newer first, then by path."""
    where = condition(scope)
    parameters = {"digest": digest, "limit": limit, **where.parameters}
    return [MemoryPath(path) for (path,) in connection.execute(_WORDED.format(scope=where.filter), parameters)]


def phrased(connection: sqlite3.Connection, phrase: str, scope: Scope, most: int) -> list[MemoryPath]:
    """Memories in ``scope`` with these tokens, stemmed, one after the other; newer first, then by path.

    None where more than ``most`` have them: such words tell nothing, and to order them all would cost.
    """
    where = condition(scope)
    parameters = {"query": f'"{phrase}"', "most": most, **where.parameters}
    found = connection.execute(_PHRASED.format(scope=where.filter), parameters).fetchall()
    if len(found) > most:
        return []
    found.sort(key=lambda row: row[0])
    found.sort(key=lambda row: row[1], reverse=True)
    return [MemoryPath(path) for path, _ in found]


def _query(terms: Iterable[Term]) -> str:
    # Tokens hold letters and digits only; the quotes keep words such as OR and NEAR from being operators.
    return " OR ".join(f'"{term.text}"*' if term.prefix else f'"{term.text}"' for term in terms)

"""The two laws of the index, over random histories of a real store.

1. Whatever happened, an update leaves the rows, and the ranking of any query, that a rebuild from nothing makes.
2. A reader sees one generation: nothing of an update that came while it was reading.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memhtml.domain.scope import Scope
from memhtml.domain.terms import terms
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.index import Index
from memhtml.index.view import View
from memhtml.store.founding import init
from memhtml.store.repository import Repository

# Few places and fewer claims, so that they meet: copies, moves, and a task that says what a memory says.
PATHS = (
    "areas/inbox/a.html",
    "areas/inbox/b.html",
    "projects/shop/c.html",
    "archive/2026/areas/inbox/a.html",
    "areas/inbox/index.html",
)
CLAIMS = ("Drain the queue first.", "東京の会議は火曜日, Ada owns checkout-api v2.1.")
QUERIES = ("queue", "the cache", "東京", "checkout", "first drain of the queue", "shop")
Step = tuple[object, ...]
EVERYTHING = Scope(types=frozenset(MemoryType), archived=True)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="memhtml-type" content="{type}">
<meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-03-01T10:00:00Z">
<meta name="memhtml-updated" content="{updated}">
{more}</head>
<body>
<article><p><mark>{claim}</mark></p></article>
</body>
</html>
"""


def page(claim: str, variant: int) -> str:
    """A memory file: a claim under one of a few heads, one of them broken."""
    task = variant == 3
    more = {
        0: "",
        1: '<meta name="memhtml-entity" content="service:shop">\n<meta name="memhtml-tag" content="ops">\n',
        2: '<link rel="memhtml-relates-to" href="/areas/inbox/a.html">\n',
        3: '<meta name="memhtml-task-status" content="todo">\n',
        4: '<meta name="memhtml-nonsense" content="1">\n',
    }[variant]
    return PAGE.format(
        title=f"Title {variant}",
        type="task" if task else "semantic",
        updated=f"2026-03-0{1 + variant}T10:00:00Z",
        more=more,
        claim=claim,
    )


class World:
    """A store with a person, an index, and what the person may do next."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self.root = root
        self.environment = environment
        self.repository = Repository.open(root, environment=environment)
        self.index = Index.open(root)
        self.branches = {"main"}

    def git(self, *words: str, check: bool = True) -> None:
        """Run git as a person does."""
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "advice.detachedHead=false")
        subprocess.run(
            ["git", *identity, *words], cwd=self.root, env=self.environment, check=check, capture_output=True
        )

    def save(self, path: str, claim: str, variant: int) -> None:
        """Write a file, untracked or over what is there."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(page(claim, variant), encoding="utf-8", newline="\n")

    def delete(self, path: str) -> None:
        """Delete a file, if it is there."""
        (self.root / path).unlink(missing_ok=True)

    def move(self, old: str, new: str) -> None:
        """Move a file over whatever is at the new place, as ``mv`` does."""
        if (self.root / old).is_file() and old != new:
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(self.root / old, self.root / new)

    def commit(self, how: str) -> None:
        """Commit everything, or only what was tracked, or in place of the last commit."""
        if how == "tracked":
            self.git("commit", "-q", "-a", "-m", "some")
            return
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all", *(["--amend"] if how == "amend" else []))

    def switch(self, branch: str, *, force: bool) -> None:
        """Go to another branch, made where it is new; edits go along, or are thrown away."""
        made = [] if branch in self.branches else ["-b"]
        self.branches.add(branch)
        self.git("checkout", "-q", *(["-f"] if force else []), *made, branch, check=False)

    def revert(self) -> None:
        """Take back every edit of a tracked file."""
        self.git("checkout", "-q", "-f", "--", ".")

    def follow(self, how: str) -> None:
        """Let the index follow, while a reader holds a view open."""
        with self.index.reading() as view:
            before = seen(view)
            getattr(self.index, how)(self.repository)
            assert seen(view) == before


def seen(view: View) -> tuple[object, ...]:
    """What a reader can tell of the index."""
    paths = view.listed(EVERYTHING)
    rankings = tuple(tuple(view.lexical(terms(query), EVERYTHING, 50)) for query in QUERIES)
    neighbors = tuple(view.neighbors(path) for path in paths)
    return (view.generation, view.commit, tuple(view.rows(paths).items()), view.texts(paths), rankings, neighbors)


def dumped(index: Index) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of the projection, ids replaced by the paths that they stand for."""
    tables: dict[str, list[tuple[object, ...]]] = {}
    with index._connections.reading() as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' ORDER BY name"
            )
        ]
        path_of = dict(connection.execute("SELECT id, path FROM files"))

        def named(column: str, value: object) -> object:
            return path_of[value] if column in {"id", "file"} else value

        for name in set(names) - {"ledger", "generation", "vectors", "space"}:
            cursor = connection.execute(f"SELECT * FROM main.{name}")  # noqa: S608 - names of our own tables
            columns = [column[0] for column in cursor.description]
            tables[name] = sorted((tuple(map(named, columns, row)) for row in cursor), key=repr)
    return tables


places = st.sampled_from((*PATHS[:3], *PATHS))
saves = st.tuples(st.just("save"), places, st.sampled_from(CLAIMS), st.sampled_from((0, 0, 0, 1, 2, 3, 4)))
steps = st.one_of(
    saves,
    saves,
    st.tuples(st.just("delete"), places),
    st.tuples(st.just("move"), places, places),
    st.tuples(st.just("commit"), st.sampled_from(("all", "all", "tracked", "amend"))),
    st.tuples(st.just("switch"), st.sampled_from(("main", "other")), st.booleans()),
    st.tuples(st.just("revert")),
)
follows = st.tuples(st.just("follow"), st.sampled_from(("update", "update", "update", "catch_up", "rebuild")))
histories = st.lists(st.tuples(steps, st.none() | follows), min_size=10, max_size=30)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without memories, to be copied: founding one takes longer than what is tested."""
    root = tmp_path_factory.mktemp("template") / "store"
    home = tmp_path_factory.mktemp("nobody")
    init(root, environment={"PATH": _search_path(), "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"})
    return root


@pytest.fixture
def new_world(template: Path, tmp_path: Path, environment: dict[str, str]) -> Iterator[Callable[[], World]]:
    """Makes a world for one history at a time; the one before is closed and gone."""
    made: list[World] = []

    def make() -> World:
        end()
        root = tmp_path / f"store-{len(made)}"
        shutil.copytree(template, root)
        made.append(World(root, environment))
        return made[-1]

    def end() -> None:
        if made:
            made[-1].index.close()
            shutil.rmtree(made[-1].root, ignore_errors=True)

    yield make
    end()


def _search_path() -> str:
    return str(Path(shutil.which("git") or "git").parent)


def live(world: World, history: list[tuple[Step, Step | None]]) -> None:
    """Do everything in ``history``; a git that refuses (nothing to commit, edits in the way) changes nothing."""
    for name, *values in [step for pair in history for step in pair if step is not None]:
        try:
            if name == "switch":
                branch, force = values
                world.switch(str(branch), force=bool(force))
            else:
                getattr(world, str(name))(*values)
        except subprocess.CalledProcessError:
            continue


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(history=histories)
def test_an_update_leaves_what_a_rebuild_makes(
    new_world: Callable[[], World], history: list[tuple[Step, Step | None]]
) -> None:
    """Row by row, and in the ranking of every query; the index itself finds the same."""
    world = new_world()
    live(world, history)
    world.index.update(world.repository)
    with Index.in_memory() as rebuilt:
        rebuilt.rebuild(world.repository)
        assert dumped(world.index) == dumped(rebuilt)
        with world.index.reading() as ours, rebuilt.reading() as theirs:
            assert seen(ours)[2:] == seen(theirs)[2:]
    assert world.index.freshness(world.repository).fresh
    report = world.index.verify(world.repository)
    assert report.sound, report.named

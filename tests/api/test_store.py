"""`Store`: the Python door, thin, typed and shared by threads."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import memhtml
from memhtml import (
    DraftFields,
    InvalidMemoryError,
    MemhtmlError,
    NotAStoreError,
    PathNotFoundError,
    ScopeFields,
    Store,
    StoreMissingError,
    UsageError,
)
from memhtml.domain.errors import ExecLimitError, InvalidFlagError
from memhtml.domain.memory import Citation, Entity, Facet, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, TaskStatus
from memhtml.workspace.clock import FixedClock

PATH = "resources/deploys/drain-before-every-deploy.html"


@pytest.fixture
def store(root: Path) -> Iterator[Store]:
    """An empty one, vectors off."""
    with Store.init(root, embed="off", clock=FixedClock(Instant("2026-07-28T10:00:00Z"))) as made:
        yield made


def test_worked_example(store: Store) -> None:
    """Write, find, correct, follow, undo: each result is a frozen value with its fields."""
    written = store.write("Drain before every deploy.", tags=["deploys"], entities=["service:checkout"])
    assert (written.path, written.deduped) == (PATH, False)
    assert store.write("Drain before every deploy.").deduped is True
    assert [row.gist for row in store.list(types=["semantic"], tags=["deploys"]).memories] == [written.title]
    corrected = store.correct(PATH, "Drain and wait.")
    assert store.read(PATH).memories[0].path == corrected.path
    assert store.resolve(PATH).memories[0].path == corrected.path
    archived = store.archive(corrected.path).memories[0]
    assert store.restore(archived.path).memories[0].path == corrected.path
    assert [each.change for each in store.history(corrected.path, limit=2).commits] == ["moved", "moved"]
    with pytest.raises(AttributeError):
        written.path = MemoryPath("areas/other.html")  # type: ignore[misc] - frozen, which is the point


def test_fields_take_values_and_the_texts_that_stand_for_them(store: Store) -> None:
    """Typed values, tuples, mappings and texts give the same memory."""
    other = store.write("Nodes reboot on Sundays.").path
    store.write(
        "Typed.",
        type=MemoryType.PROCEDURAL,
        entities=(Entity("service", "checkout"),),
        facets=[Facet("wait", "30", 30.0)],
        citations=[Citation("the runbook", "https://a.example")],
        links=[Link(Rel.SUPPORTS, MemoryPath(other))],
        importance=7,
    )
    store.write(
        "Written.",
        type="procedural",
        entities=["service:checkout"],
        facets={"wait": 30},
        citations=["the runbook <https://a.example>"],
        links=[f"supports:{other}"],
        importance=7,
    )
    typed, texts = (
        store.read(f"areas/inbox/{name}.html", count=False).memories[0].memory for name in ("typed", "written")
    )
    assert typed is not None
    assert texts is not None
    for name in ("type", "entities", "facets", "citations", "links", "importance"):
        assert getattr(typed, name) == getattr(texts, name)


@pytest.mark.parametrize(
    "fields",
    [
        {"facets": {"a": {"b": 1}}},
        {"facets": {"a": None}},
        {"facets": {"a": 10**5000}},
        {"facets": {1.5: [[]]}},
        {"facets": [Facet("a", "half", 0.5)]},
        {"facets": [Facet("a=b", "c")]},
        {"entities": [Entity("a:b", "c")]},
        {"citations": [Citation("the runbook", "javascript:a")]},
        {"importance": 10**5000},
        {"importance": True},
        {"confidence": 10**5000},
        {"confidence": float("nan")},
        {"title": float("inf")},
        {"tags": [b"a"]},
    ],
)
def test_a_value_that_its_field_cannot_hold_is_refused(store: Store, fields: dict[str, object]) -> None:
    """Nothing is written as the text that Python prints, or as something else than was given."""
    with pytest.raises(UsageError):
        store.write("Refused.", **fields)
    refused = store.apply([{"claim": "Refused.", **fields}, {"op": 10**5000}, {"claim": "Kept."}], best_effort=True)
    assert [each.outcome.value for each in refused.results] == ["refused", "refused", "written"]


def test_batches_come_as_objects_and_as_json_lines(store: Store) -> None:
    """With the same result."""
    first = store.apply([{"claim": "One."}, {"op": "archive", "path": "areas/inbox/one.html"}])
    second = store.apply('{"claim":"Two."}\n{"op":"archive","path":"areas/inbox/two.html"}')
    assert [each.outcome.value for each in first.results] == [each.outcome.value for each in second.results]
    assert (first.written, first.archived) == (1, 1)


def test_questions_take_a_scope_and_a_past(store: Store) -> None:
    """As the command line's flags are called."""
    written = store.write("Drain the queue before every deploy.", tags=["deploys"])
    store.archive(written.path)
    assert store.search("drain the queue", tags=["deploys"]).reason is not None
    assert [hit.path for hit in store.search("drain the queue", known_at=str(written.commit)).hits] == [written.path]
    found = store.search("drain the queue", archived=True, types=["semantic"], explain=True).hits[0]
    assert found.arms
    assert store.recall("drain the queue", archived=True, budget=500).quoted == (found.path,)
    with pytest.raises(UsageError, match="budget"):
        store.recall("drain the queue", budget=10)


@pytest.mark.parametrize(
    "name",
    ["a ", " a", "a  b", "a\tb\r\nc", "a\u00a0b", "\u3000a", "Straße", "e\u0301", "A&B <x>", '"a"', "%_*", "日本 語"],
)
def test_a_filter_given_as_it_was_written_finds_it(store: Store, name: str) -> None:
    """Whatever the file made of its white space; so does the entity by its type, and the name with single spaces."""
    path = store.write("Found.", tags=[name], entities=[f"{name}:{name}"], facets={name: name}).path
    for spelled in (name, " ".join(name.split())):
        for found in (
            store.list(tags=[spelled]),
            store.list(entity=f"{spelled}:{spelled}"),
            store.list(entity=Entity(spelled, spelled)),
            store.list(facet=(spelled, spelled)),
            store.entities(f"{spelled}:{spelled}"),
        ):
            assert [row.path for row in found.memories] == [path]
    assert store.list(tags=[name + "x"]).total == 0


def test_a_workspace_is_found_in_any_unicode_form(store: Store) -> None:
    """Its folder has one; and a task is found by it too."""
    path = store.write("Found.", workspace="cafe\u0301").path
    task = store.task_add("Order the badges", workspace="caf\u00e9").path
    for name in ("cafe\u0301", "caf\u00e9"):
        assert [row.path for row in store.list(workspace=name).memories] == [path]
        assert [row.path for row in store.tasks(workspace=name).tasks] == [task]


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "3", None, 10**9])
def test_a_limit_is_a_number_of_something(store: Store, limit: int) -> None:
    """An untyped caller learns it too, and not from the database."""
    store.write("Drain the queue before every deploy.", entities=["service:checkout"])
    calls = (
        lambda: store.search("queue", limit=limit),
        lambda: store.list(limit=limit),
        lambda: store.entities(limit=limit),
        lambda: store.entities("service:checkout", limit=limit),
        lambda: store.history("areas/inbox/drain-the-queue-before-every-deploy.html", limit=limit),
        lambda: store.tasks(limit=limit),
        lambda: store.recall("queue", budget=limit),
    )
    for call in calls:
        with pytest.raises(UsageError, match="takes a whole number"):
            call()
    with pytest.raises(UsageError, match="outcome takes a number"):
        store.reinforce("areas/inbox/drain-the-queue-before-every-deploy.html", outcome=2)
    with pytest.raises(UsageError, match="offset"):
        store.list(offset=-1)


def test_tasks_state_index_and_pages_have_their_methods(store: Store) -> None:
    """Each calls its operation once."""
    task = store.task_add("Order the badges", due="2026-08-01", status="doing")
    assert store.tasks(statuses=["doing"], due_until="2026-08-01").tasks[0].path == task.path
    assert store.task_status(task.path, TaskStatus.DONE).status is TaskStatus.DONE
    memory = store.write("Drain before every deploy.", tags=["deploys"]).path
    assert store.reinforce(memory, outcome=1).memories[0].outcome == 0.3
    assert store.export_state().memories == 1
    assert store.import_state().merged == 1
    other = store.write("Nodes reboot on Sundays.").path
    assert store.link(memory, "relates-to", other).changed
    assert store.neighbors(memory, rels=["relates_to"]).neighbors[0].path == other
    assert store.unlink(memory, Rel.RELATES_TO, other).changed
    assert store.entities().entities == ()
    assert store.entities("service:checkout").memories == ()
    assert store.update().memories == store.rebuild().memories == 3
    assert store.verify().same
    assert store.index_status().fresh
    assert store.publish().pages > 0
    assert store.status().memories == 3
    assert store.doctor(fix=True).healthy


def test_opening_what_is_no_store_fails_at_once(tmp_path: Path) -> None:
    """Not at the first call."""
    with pytest.raises(StoreMissingError):
        Store.open(tmp_path / "none")
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(NotAStoreError):
        Store.open(tmp_path)


def test_the_root_comes_from_the_settings_when_none_is_named(root: Path) -> None:
    """From the variables that the caller gives, else from the process's own."""
    with (
        Store.init(root, embed="off"),
        Store.open(variables={"MEMHTML_ROOT": str(root), "PATH": "/usr/bin:/bin"}) as found,
    ):
        assert found.root == root.resolve()


def test_errors_are_those_of_the_tree(store: Store) -> None:
    """And nothing is written."""
    with pytest.raises(InvalidMemoryError) as caught:
        store.write(article_html="<p>no claim</p><script>x</script>")
    assert len(caught.value.violations) > 1
    with pytest.raises(UsageError, match="title takes text"):
        store.write("x", title=object())  # type: ignore[arg-type] - what an untyped caller does
    with pytest.raises(UsageError, match="takes no titel"):
        store.write("x", titel="y")  # type: ignore[call-arg] - what an untyped caller does
    with pytest.raises(UsageError, match="nothing to remember"):
        store.write()
    with pytest.raises(PathNotFoundError):
        store.read("areas/none.html")
    assert store.list().total == 0


def test_threads_share_a_store(store: Store) -> None:
    """Writers and readers at once: every write is there, nothing else went wrong."""
    errors: list[BaseException] = []

    def write(worker: int) -> None:
        try:
            for number in range(4):
                path = store.write(f"Worker {worker} wrote fact {number}.").path
                assert store.read(path).memories[0].memory is not None
                store.list(limit=5)
        except BaseException as error:  # noqa: BLE001 - whatever a thread dies of is told by the test
            errors.append(error)

    workers = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert errors == []
    assert store.list().total == 24
    assert store.doctor().healthy


def test_a_closed_store_closes_twice_and_opens_again_when_asked(store: Store) -> None:
    """As a context manager and without."""
    store.write("Drain before every deploy.")
    store.close()
    store.close()
    with store:
        assert store.list().total == 1


JUNK: tuple[object, ...] = (
    None, 5, -1, 1.5, float("nan"), 10**400, True, b"x", "", "\0", "\ud800", "x" * 10_000, [], ["x"], [5], [None], [[]],
    ("a", "b"), {}, {"a": 1}, {5: 5}, {"x"}, object(), len, Path("x"), Entity("a", "b"), Entity(5, None), Exception,
    range(3), 1j, bytearray(b"x"),
)  # fmt: skip
FITTING = {
    "query": "x", "path": PATH, "paths": PATH, "source": PATH, "target": PATH, "rel": "supports", "status": "doing",
    "claim": "z", "lines": "{}", "session": "s1",
    "questions": "x", "why": "x", "script": "report(1)",
}  # fmt: skip


def arguments(method: Callable[..., object]) -> list[str]:
    """The names of all that a method takes, its fields included."""
    found: list[str] = []
    for each in list(inspect.signature(method).parameters.values())[1:]:
        fields = DraftFields if "DraftFields" in str(each.annotation) else ScopeFields
        found += fields.__annotations__ if each.kind is each.VAR_KEYWORD else [each.name]
    return found


METHODS = [name for name, _ in inspect.getmembers(Store, inspect.isfunction) if not name.startswith("_")]


def strange(call: Callable[[], object]) -> str | None:
    """What a call let out that is no error of the tree, or one that says that nobody expected it."""
    try:
        call()
    except Exception as error:  # noqa: BLE001 - which it is, is what the tests ask
        known = isinstance(error, MemhtmlError) and type(error) is not MemhtmlError and error.message
        return None if known else repr(error)
    return None


@pytest.mark.parametrize("name", METHODS)
def test_a_value_of_any_type_is_taken_or_refused_by_the_tree(store: Store, name: str) -> None:
    """No argument of any method lets an error of Python's own out."""
    store.write("Drain before every deploy.", tags=["deploys"])
    method = getattr(store, name)
    parameters = list(inspect.signature(method).parameters.values())
    fitting = {each.name: FITTING[each.name] for each in parameters if each.default is each.empty
               and each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD}}  # fmt: skip
    by_place = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    for wrong in arguments(getattr(Store, name)):
        for junk in JUNK:
            place = [junk if wrong == "paths" else PATH] if by_place else []
            named = fitting if wrong == "paths" else {**fitting, wrong: junk}
            assert strange(lambda place=place, named=named: method(*place, **named)) is None, (wrong, junk)


@pytest.mark.parametrize("argument", ["path", "embed", "variables", "clock"])
@pytest.mark.parametrize("way", [Store.open, Store.init])
def test_a_store_is_opened_with_what_fits_or_refused(
    store: Store, tmp_path: Path, way: Callable[..., Store], argument: str
) -> None:
    """The same of how a store is opened; nothing is made in the working folder."""
    for number, junk in enumerate(JUNK):
        root = store.root if way == Store.open else tmp_path / f"new{number}"
        given = {"path": root, "embed": "off", argument: junk}
        if argument == "path" and isinstance(junk, str | Path | None):
            continue
        assert strange(lambda given=given: way(**given).close()) is None, junk


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda store: store.search(5), "query takes text, not int"),
        (lambda store: store.search("x", limit="5"), "limit takes a whole number, not '5'"),
        (lambda store: store.search("x", bar="no"), "bar takes True or False, not 'no'"),
        (lambda store: store.search("x", known_at=5), "known_at takes text, not int"),
        (lambda store: store.read([PATH]), "paths takes text, not list"),
        (lambda store: store.neighbors(PATH, rels="supports"), "rels takes a list of texts, not 'supports'"),
        (lambda store: store.link(PATH, None, PATH), "rel takes text, not NoneType"),
        (lambda store: store.reinforce(PATH, outcome="1"), "outcome takes a number, not '1'"),
        (lambda store: store.reinforce(PATH, outcome=float("inf")), "outcome takes a finite number, not float"),
        (lambda store: store.apply({"claim": "x"}), "lines takes JSON lines, or a list of objects, not dict"),
        (lambda store: store.apply(["x"]), "an operation is an object with fields, not str"),
        (lambda store: store.import_state("x"), "data takes bytes, not 'x'"),
        (lambda store: store.entities(Entity("a", None)), "entity takes an entity, or the text of one, not Entity"),
        (lambda _: Store.open(5), "path takes a path, not int"),
        (lambda store: Store.open(store.root, variables={"A": 1}), "variables takes names and values, both text"),
        (lambda store: Store.open(store.root, clock=FixedClock), "clock takes something that has now"),
    ],
)
def test_an_argument_of_the_wrong_type_is_named_with_what_it_takes(
    store: Store, call: Callable[[Store], object], message: str
) -> None:
    """Before anything is done."""
    with pytest.raises(MemhtmlError, match=re.escape(message)):
        call(store)


def test_what_means_nothing_given_is_taken(store: Store) -> None:
    """`None` where it stands for an absent value, and one text where there may be several."""
    path = store.write(claim=None, body="Drain before every deploy.", tags="deploys", status=None).path
    assert [row.path for row in store.list(tags="deploys", types="semantic", workspace=None).memories] == [path]
    assert store.search("drain the queue", known_at=None).known_at is None
    assert store.embed.__doc__
    assert store.tasks(workspace=None, due_until=None).total == 0


def test_a_store_is_asked_whether_it_tells_memories_from_wrong_versions(store: Store) -> None:
    """By its own memories; without vectors there is nothing to ask live."""
    store.write("The checkout service retries failed payments 3 times.")
    assert store.discriminate(mode="fake").passed
    assert store.discriminate().skipped
    with pytest.raises(MemhtmlError, match="mode takes"):
        store.discriminate(mode="faek")


def test_a_store_is_asked_by_a_script(store: Store) -> None:
    """The report, on the last commit or an earlier one; a limit that is none is refused as a flag is."""
    first = store.write("Drain before every deploy.")
    gone = store.archive(first.path).memories[0].path
    script = "report([memory['path'] for memory in corpus(archived=True)])"
    assert store.exec(script).value == [gone]
    assert store.exec(script, commit=first.commit).value == [first.path]
    with pytest.raises(InvalidFlagError, match=r"limit_seconds takes a number from 0\.1 to 300"):
        store.exec(script, limit_seconds=0)
    with pytest.raises(ExecLimitError, match="more than 16 MB"):
        store.exec("text = 'a'\nwhile True:\n    text += text", limit_memory_mb=16)


def test_a_store_is_asked_how_well_it_answers(store: Store, tmp_path: Path) -> None:
    """By questions of its owner's, which name memories by path; the file may be named as text or as a path."""
    path = store.write("The checkout service retries failed payments 3 times.").path
    questions = tmp_path / "own.jsonl"
    questions.write_text(json.dumps({"query": "how often are payments retried", "gold": [path]}))
    assert store.score(questions).scores[0].figures.hit_at_1 == 1.0
    assert store.score(str(questions), limit=10) == store.score(questions, limit=10)
    with pytest.raises(MemhtmlError, match="limit takes"):
        store.score(questions, limit=9)


def test_every_public_method_says_what_it_does() -> None:
    """It is public API: a docstring, types for every argument, and a type for the result."""
    for name, method in inspect.getmembers(Store, callable):
        if name.startswith("_"):
            continue
        assert inspect.getdoc(method), name
        signature = inspect.signature(method)
        assert signature.return_annotation is not inspect.Signature.empty, name
        assert all(p.annotation is not p.empty for p in signature.parameters.values() if p.name != "self"), name


def test_what_the_package_exports_is_there_and_costs_nothing_before() -> None:
    """`import memhtml` imports no part of the program; an unknown name is an AttributeError."""
    assert all(getattr(memhtml, name) is not None for name in memhtml.__all__)
    assert "Store" in dir(memhtml)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = memhtml.nonsense
    script = "import sys, memhtml; print([name for name in sys.modules if name.startswith('memhtml.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

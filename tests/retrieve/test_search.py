"""Search from the question to the hits, over a real index."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memhtml.domain.memory import CommitId, Draft, Entity, Instant, Link, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.index.embedding import fill
from memhtml.index.index import Index
from memhtml.models.embedder import Embedder
from memhtml.models.fakes import AlwaysFailing, HashedWords
from memhtml.page.compose import compose
from memhtml.page.render import render
from memhtml.retrieve.answer import Answer, Arm, Reason, Request, Trust
from memhtml.retrieve.search import search
from memhtml.store.founding import init
from memhtml.store.repository import Repository

NOW = Instant("2026-03-01T12:00:00Z")
Write = Callable[..., MemoryPath]

THINGS = ("checkout service", "billing worker", "search index", "mail gateway", "audit log", "login page")
DEEDS = ("retries failed jobs", "keeps backups", "sends reports", "rotates keys", "closes idle connections")
DETAILS = ("after a deploy", "on the staging cluster", "for new customers", "during the night", "before each release")

TWINS = (
    ("gateway", "logs", "log", "a failed call"),
    ("scanner", "deletes", "delete", "a lost parcel"),
    ("importer", "reports", "report", "a missing column"),
    ("broker", "retries", "retry", "a rejected order"),
    ("parser", "stores", "store", "an invalid header"),
)
DENIALS = ("does not", "doesn't", "won't", "cannot", "no longer", "never")


def ask(store: Index, query: str, embedder: Embedder | None = None, **more: object) -> Answer:
    """A search now."""
    return search(store, embedder, Request(query, **more), NOW)


def founded(root: Path, environment: dict[str, str]) -> Repository:
    """An empty store."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment)


def names(answer: Answer) -> list[str]:
    """The hits by the names of their files."""
    return [hit.path.rpartition("/")[2].removesuffix(".html") for hit in answer.hits]


def test_the_memory_that_answers_comes_first(store: Index, write: Write) -> None:
    """By words alone, with its facts and the piece that fits."""
    write("frozen", "Production deploys are frozen on Friday afternoons.", tags=("deploys",))
    write("drain", "Drain the queue before a production deploy.", body="It takes a minute.")
    write("cats", "Tabby cats purr at twenty five hertz.")
    answer = ask(store, "when are deploys frozen?")
    assert names(answer)[0] == "frozen"
    hit = answer.hits[0]
    assert hit.gist == hit.snippet == "Production deploys are frozen on Friday afternoons."
    assert (hit.tags, hit.trust, hit.confidence, hit.arms) == (("deploys",), Trust.UNCONTESTED, 1.0, None)
    assert answer.reason is None
    assert answer.degraded == ()


def test_what_no_finding_arm_found_is_no_answer(store: Index, write: Write) -> None:
    """The newest and most opened memory does not come up for being new and opened."""
    write("frozen", "Production deploys are frozen on Fridays.", now="2020-01-01T00:00:00Z")
    favourite = write("cats", "Tabby cats purr.", now=NOW)
    for day in range(1, 9):
        store.state.open_memory(favourite, Instant(f"2026-02-0{day}T00:00:00Z"))
    assert names(ask(store, "frozen deploys", bar=False)) == ["frozen"]


@pytest.mark.parametrize("embedder", [None, HashedWords()], ids=["words", "vectors"])
@pytest.mark.parametrize("denial", DENIALS)
@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: str(twin[0]))
def test_a_denial_is_found_in_another_wording_and_never_its_opposite(
    store: Index, write: Write, twin: tuple[str, str, str, str], denial: str, embedder: Embedder | None
) -> None:
    """A failed call is no denial of logging it: who asks what never happens is not told that it does."""
    who, does, do, what = twin
    said = write("said", f"The {who} {does} {what}.")
    denied = write("denied", f"The {who} never {does} {what}.")
    if embedder is not None:
        fill(store, embedder)
    verb = does if denial in {"no longer", "never"} else do

    def first(query: str) -> MemoryPath:
        return ask(store, query, embedder).hits[0].path

    assert first(f"the {who} {denial} {verb} {what}") == denied
    assert first(f"{who} {denial} {verb} {what.split(' ', 1)[1]}") == denied
    assert first(f"does the {who} {do} {what}?") == said
    assert first(f"{who} {does} {what.split(' ', 1)[1]}") == said


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("asked_as", ["claim", "question", "keywords"])
def test_a_memory_stands_above_its_wrong_twins(
    store: Index, write: Write, seed: int, asked_as: str, *, vectors: bool
) -> None:
    """Denied, with another number, of another variant: newer and opened more often in half of the cases."""
    chance = random.Random(seed)
    embedder = HashedWords() if vectors else None
    probes: list[tuple[str, MemoryPath, MemoryPath]] = []
    for number, (thing, deed) in enumerate((thing, deed) for thing in THINGS for deed in DEEDS):
        detail = chance.choice(DETAILS)
        count = chance.randrange(3, 50)
        family = ("negation", "denied", "number", "qualifier")[number % 4]
        verb, _, rest = deed.partition(" ")
        base = verb.removesuffix("s") if verb != "closes" else "close"
        said = {
            "negation": (f"The {thing} {deed} {detail}", f"The {thing} doesn't {base} {rest} {detail}"),
            "denied": (f"The {thing} never {deed} {detail}", f"The {thing} {deed} {detail}"),
            "number": (
                f"The {thing} {verb} {count} {rest} {detail}",
                f"The {thing} {verb} {count + 7} {rest} {detail}",
            ),
            "qualifier": (f"The legacy {thing} {deed} {detail}", f"The beta {thing} {deed} {detail}"),
        }[family]
        shuffled = said[0].split()[1:]
        chance.shuffle(shuffled)
        query = {"claim": said[0], "question": f"Is it true that {said[0].lower()}?", "keywords": " ".join(shuffled)}
        old, new = ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
        newer = chance.random() < 0.5
        target = write(f"t{number}", f"{said[0]}.", now=old if newer else new)
        control = write(f"c{number}", f"{said[1]}.", now=new if newer else old)
        if newer:
            for day in range(1, 9):
                store.state.open_memory(control, Instant(f"2026-02-1{day}T00:00:00Z"))
        probes.append((query[asked_as], target, control))
    if embedder is not None:
        fill(store, embedder)
    for query, target, control in probes:
        found = [hit.path for hit in ask(store, query, embedder, bar=False).hits]
        assert target in found, query
        assert control not in found or found.index(target) < found.index(control), query


def test_the_current_state_of_a_thing_comes_first(store: Index, write: Write) -> None:
    """Of claims that differ in a value that the question does not name, the newest; a named value decides itself."""
    for number, (value, month) in enumerate((("Berlin", 3), ("Lisbon", 9), ("Oslo", 6))):
        write(f"c{number}", f"The head office of Northwind is in {value}.", event_at=f"2025-0{month}-01")
    write("other", "The head office of Southwind is in Madrid.", event_at="2025-12-01")
    assert names(ask(store, "Where is the head office of Northwind?"))[:3] == ["c1", "c2", "c0"]
    assert names(ask(store, "Is the head office of Northwind in Berlin?"))[0] == "c0"


def test_nothing_is_answered_where_nothing_is(store: Index, write: Write) -> None:
    """Each with its reason; the bar can be taken away, and the best below it can be asked for."""
    assert ask(store, "frozen deploys").reason is Reason.STORE_EMPTY
    write("frozen", "Production deploys are frozen on Fridays.")
    write("rota", "The release rota changes on Mondays when the team meets.")
    assert ask(store, "deploys", scope=Scope(workspace="elsewhere")).reason is Reason.SCOPE_EMPTY
    vague = "which meets the tariff on imported sugar in the kingdom of Sweden"
    assert ask(store, vague).reason is Reason.NOTHING_RELEVANT
    assert ask(store, vague).rejected is None
    rejected = ask(store, vague, rejected=True).rejected
    assert rejected is not None
    assert rejected.path.endswith("rota.html")
    assert names(ask(store, vague, bar=False)) == ["rota"]


@pytest.mark.parametrize("vectors", [False, True])
def test_a_memory_stands_first_for_its_own_words(store: Index, write: Write, *, vectors: bool) -> None:
    """Whatever its words are worth, and whatever else holds all of them, or holds them as often."""
    for number in range(60):
        write(f"n{number}", f"Thanks, Ada, thanks! What a day {number}, {'what a day, ' * (number % 7)}I have been up.")
    write("short", "Thanks! What have you been up to?", event_at="2026-01-05T10:00:00Z")
    write("long", "I'm here for you.", body="You've got this!", title="Here")
    embedder = HashedWords() if vectors else None
    if vectors:
        fill(store, HashedWords())
    assert names(ask(store, "thanks: WHAT have you been up to", embedder))[0] == "short"
    assert names(ask(store, "I'm here for you. You've got this!", embedder))[0] == "long"
    assert names(ask(store, "i'm here for you", embedder))[0] == "long"
    assert names(ask(store, "here!", embedder))[0] == "long"
    # Not the whole of it, but as it stands there.
    assert names(ask(store, "have you been up to", embedder))[0] == "short"


def test_a_memory_that_is_quoted_whole_clears_the_bar(store: Index, write: Write) -> None:
    """Also a long one, of which each piece holds little of so long a question."""
    for number in range(500):
        write(f"n{number}", f"Note {number}.")
    said = [" ".join(f"meadowwillow{chr(97 + one)}{chr(97 + number)}x" for number in range(26)) for one in range(26)]
    write("long", "It says so.", body=". ".join(said))
    assert names(ask(store, "It says so. " + ". ".join(said))) == ["long"]


def test_words_alone_ask_for_less_of_few_memories_and_of_what_follows(store: Index, write: Write) -> None:
    """Of 30 memories the best must hold 0.132 of the question, alone as it may be, and the others 0.3 of that."""
    for number in range(27):
        write(f"n{number}", f"Note {number}.")
    write("best", "Quokkas sleep in Perth.")
    write("next", "Perth is far.")
    write("more", "The ferry sails.")
    eight = "quokkas sleep where perth wombats koalas emus ferry numbats"
    assert names(ask(store, eight)) == ["best", "more"]  # 0.047 and, of a word that two hold, 0.036
    assert ask(store, f"{eight} dingoes geckos skinks quolls kelp dugongs").hits[1:] == ()
    # One word of two, which is 0.2 by itself, and one of four.
    assert names(ask(store, "ferry wombats")) == ["more"]
    assert ask(store, "ferry wombats koalas emus").reason is Reason.NOTHING_RELEVANT


def test_of_equal_wordings_the_newer_stands_first(store: Index, write: Write) -> None:
    """And what took the place of one stands before it, though it says something else."""
    write("old", "Take care, bye!", event_at="2026-01-05")
    write("new", "Take care. Bye!", event_at="2026-01-06")
    assert names(ask(store, "take care bye")) == ["new", "old"]
    write("successor", "Take care of the door, bye.", links=(Link(Rel.SUPERSEDES, MemoryPath("areas/inbox/new.html")),))
    assert names(ask(store, "take care bye")) == ["successor", "new", "old"]


def test_a_phrase_that_a_memory_denies_does_not_lift_it(store: Index, write: Write) -> None:
    """It holds the question word for word, and says the contrary: what says it in other words is still the answer."""
    write("denied", "It is not true that the billing worker retries failed jobs after a deploy.")
    write("right", "After each deploy the billing worker retries failed jobs.")
    assert names(ask(store, "the billing worker retries failed jobs after a deploy"))[0] == "right"


def test_the_store_of_an_earlier_commit_is_searched(root: Path, environment: dict[str, str]) -> None:
    """What was known then: what is gone since is found, what came since is not, with vectors and without."""
    repository = founded(root, environment)

    def commit(**claims: str | None) -> CommitId:
        with repository.transaction() as change:
            for name, claim in claims.items():
                path = MemoryPath(f"areas/{name}.html")
                if claim is None:
                    change.remove(path)
                else:
                    change.put(path, render(compose(Draft(type=MemoryType.SEMANTIC, claim=claim), now=NOW)))
            return change.commit("change")

    first = commit(queue="The queue is red.", cache="The cache is red.")
    second = commit(queue="The queue is blue.", cache=None, lock="The lock is blue.")
    with Index.open(root) as index:
        index.update(repository)
        for embedder in (None, HashedWords()):
            if embedder is not None:
                fill(index, embedder)
            assert names(ask(index, "what is blue?", embedder))[0] in {"lock", "queue"}
            with index.at_commit(repository, first) as past:
                answer = ask(past, "what is red?", embedder, bar=False)
                assert sorted(names(answer)) == ["cache", "queue"]
                assert {hit.gist for hit in answer.hits} == {"The queue is red.", "The cache is red."}
                assert "lock" not in names(ask(past, "what is blue?", embedder, bar=False))
            with index.at_commit(repository, second) as now:
                assert ask(now, "what is blue?", embedder) == ask(index, "what is blue?", embedder)


def test_a_failing_embedder_takes_nothing_but_its_arm(store: Index, write: Write) -> None:
    """Words answer, and the answer says what failed; without words either, the lanes are down."""
    write("frozen", "Production deploys are frozen on Fridays.")
    fill(store, HashedWords())
    degraded = ask(store, "frozen deploys", AlwaysFailing(256))
    assert names(degraded) == ["frozen"]
    assert [one.arm for one in degraded.degraded] == [Arm.VECTOR]
    assert ask(store, "?!", AlwaysFailing(256)).reason is Reason.LANES_DOWN


def test_vectors_of_another_space_or_too_few_are_not_used(store: Index, write: Write) -> None:
    """The answer names the command that helps."""
    write("frozen", "Production deploys are frozen on Fridays.")
    assert "memhtml index embed" in ask(store, "frozen", HashedWords()).degraded[0].why
    fill(store, HashedWords(64))
    assert "fake-words@64" in ask(store, "frozen", HashedWords(256)).degraded[0].why
    assert ask(store, "frozen", HashedWords(64)).degraded == ()


def test_a_scope_holds_before_anything_is_cut_off(store: Index, write: Write) -> None:
    """One memory of a project among hundreds that fit better is found in the project's scope, by both arms."""
    for number in range(150):
        write(f"n{number}", f"Deploys deploys deploys are frozen {number}.")
    write("projects/shop/rule.html", "Friday deploys wait for Ada, who is away, and for the freeze to end.")
    fill(store, HashedWords())
    for embedder in (None, HashedWords()):
        assert names(ask(store, "deploys", embedder, scope=Scope(workspace="shop"), bar=False)) == ["rule"]


def test_tasks_and_archived_memories_come_only_when_named(store: Index, write: Write) -> None:
    """By type, and by the flag."""
    write("note", "Deploys are frozen on Fridays.")
    write("projects/shop/tasks/todo.html", "Say why deploys are frozen.", type=MemoryType.TASK, task_status="todo")
    write("archive/2025/areas/inbox/old.html", "Deploys are frozen on Mondays.")
    assert names(ask(store, "frozen deploys")) == ["note"]
    assert names(ask(store, "frozen deploys", scope=Scope(types=frozenset({MemoryType.TASK})))) == ["todo"]
    assert set(names(ask(store, "frozen deploys", scope=Scope(archived=True)))) == {"note", "old"}


def test_the_past_is_asked_with_as_of(store: Index, write: Write) -> None:
    """What held then, and nothing that held before or after."""
    write("old", "Deploys are frozen on Mondays.", valid_from="2024-01-01", valid_until="2025-01-01")
    write("new", "Deploys are frozen on Fridays.", valid_from="2025-01-01")
    assert names(ask(store, "frozen deploys", scope=Scope(as_of=Instant("2024-06-01")))) == ["old"]
    assert names(ask(store, "frozen deploys", scope=Scope(as_of=Instant("2025-01-01")))) == ["new"]


def test_a_memory_is_found_by_its_alias(store: Index, write: Write) -> None:
    """A name that is the whole query is relevant whatever its words are worth."""
    write("pg", "The orders database runs PostgreSQL.", aliases=("Elephant",), entities=(Entity("service", "orders"),))
    write("zoo", "The zoo has an elephant house and a lion house.")
    assert names(ask(store, "elephant"))[0] == "pg"
    assert "pg" in names(ask(store, "service:orders"))


def test_an_explained_hit_shows_each_arm(store: Index, write: Write) -> None:
    """Their ranks, what they ranked by, and shares that add up to the score where nothing was dealt anew."""
    opened = write("frozen", "Production deploys are frozen on Fridays.")
    write("drain", "Drain the queue before a deploy.")
    store.state.open_memory(opened, Instant("2026-02-28T00:00:00Z"))
    fill(store, HashedWords())
    hit = ask(store, "frozen deploys", HashedWords(), explain=True).hits[0]
    assert hit.arms is not None
    by_arm = {one.arm: one for one in hit.arms}
    assert set(by_arm) == {Arm.LEXICAL, Arm.VECTOR, Arm.AGREEMENT, Arm.RECENCY, Arm.SALIENCE}
    assert [by_arm[arm].rank for arm in (Arm.LEXICAL, Arm.VECTOR, Arm.AGREEMENT, Arm.SALIENCE)] == [1, 1, 1, 1]
    assert by_arm[Arm.RECENCY].value == NOW
    assert sum(one.contribution for one in hit.arms) == pytest.approx(hit.score, abs=5e-6)


def test_an_arm_alone_is_that_arm(store: Index, write: Write) -> None:
    """For measuring: no other takes part."""
    write("frozen", "Production deploys are frozen on Fridays.")
    fill(store, HashedWords())
    hit = ask(store, "frozen", HashedWords(), arms=frozenset({Arm.LEXICAL}), explain=True).hits[0]
    assert [one.arm for one in hit.arms or ()] == [Arm.LEXICAL]


@settings(max_examples=60)
@given(
    query=st.text(max_size=80)
    | st.sampled_from(['"', "' OR 1=1 --", "NEAR(a b)", "a* AND NOT b", "\x00", "水", "x " * 5000])
)
def test_any_text_is_a_query(query: str) -> None:
    """No text is an error, and none has two answers."""
    with Index.in_memory() as index:
        assert search(index, None, Request(query), NOW) == search(index, None, Request(query), NOW)


def test_the_same_memories_in_any_order_give_the_same_answer(write: Write, store: Index) -> None:
    """Scores are given to places, and fall."""
    for number in range(12):
        write(f"n{number}", f"Deploy number {number} was frozen by {'Ada' if number % 2 else 'Grace'}.")
    answer = ask(store, "frozen deploy of Ada", limit=5)
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)
    assert len(answer.hits) == 5
    assert len({hit.path for hit in answer.hits}) == 5

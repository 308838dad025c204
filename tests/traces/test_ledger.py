"""What the lines of one transcript add up to."""

from __future__ import annotations

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.vocabulary import SessionRel
from memhtml.index.traces.transcripts import Transcripts
from memhtml.traces.calls import Answer, Call
from memhtml.traces.ledger import FLUSH, Ledger
from memhtml.traces.records import Fate, Record


def minute(number: int) -> Instant:
    """A minute of a day."""
    return Instant(f"2026-08-01T{number // 60:02d}:{number % 60:02d}:00Z")


def test_what_is_kept_back_is_written_once(known: Transcripts) -> None:
    """More lines than are kept back, of two sessions: each is counted, and only the first prompt of each keeps more."""
    total = 2 * FLUSH + 3
    with known.writing() as writer:
        number = writer.enter("/agents", "p", "-p", subagent=False)
        ledger = Ledger(writer, number, subagent=False)
        for place in range(total):
            record = Record(
                session=f"s{place % 2}", at=minute(place), prompt="x" * 300, folder=f"/{place}", branch=f"b{place}"
            )
            ledger.take(place, Fate.USER, record)
            ledger.take(place, Fate.BLANK, None)
        ledger.close()
    assert ledger.fates == {Fate.USER: total, Fate.BLANK: total}
    with known.reading() as reader:
        assert reader.fates() == {"user": total, "blank": total}
        first = reader.session("s0")
        second = reader.session("s1")
    assert first is not None
    assert second is not None
    assert (first.records, first.prompts) == (FLUSH + 2, FLUSH + 2)
    assert (second.records, second.prompts) == (FLUSH + 1, FLUSH + 1)
    assert (first.started, first.ended) == (minute(0), minute(total - 1))
    assert (second.folder, second.branch) == ("/1", f"b{total - 2}")
    lengths = "SELECT length(head), count(*) FROM heads GROUP BY 1 ORDER BY 1"
    assert known._connection.execute(lengths).fetchall() == [(200, total - 2), (300, 2)]


def test_heads_keep_where_and_when_they_stand(known: Transcripts) -> None:
    """A prompt with its id; a title and a name in their last form."""
    with known.writing() as writer:
        ledger = Ledger(writer, writer.enter("/agents", "p", "-p", subagent=False), subagent=False)
        ledger.take(0, Fate.USER, Record(session="s", at=minute(1), prompt="Why?", prompt_id="p1"))
        ledger.take(10, Fate.USER, Record(session="s", at=minute(2), prompt="And then?", subagent=True))
        ledger.take(20, Fate.AI_TITLE, Record(session="s", at=minute(3), title="A title"))
        ledger.take(30, Fate.AGENT_NAME, Record(session="s", at=minute(4), agent="builder"))
        ledger.take(40, Fate.AI_TITLE, Record(session="s", at=minute(5), title="A better title"))
        ledger.close()
    rows = "SELECT position, kind, session, subagent, prompt, at, head FROM heads ORDER BY position"
    assert known._connection.execute(rows).fetchall() == [
        (0, "prompt", "s", 0, "p1", minute(1), "Why?"),
        (10, "prompt", "s", 1, None, minute(2), "And then?"),
        (30, "agent", "s", 0, None, minute(4), "builder"),
        (40, "title", "s", 0, None, minute(5), "A better title"),
    ]


def test_an_answer_is_believed_of_a_call_that_tells(known: Transcripts) -> None:
    """What a read prints may look like the answer to a write, and is none."""
    a, b = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
    calls = (Call("c1", ((SessionRel.READ, a),), tells=False), Call("c2", (), tells=True))
    answers = tuple(Answer(call, failed=False, links=((SessionRel.WROTE, b),)) for call in ("c1", "c2"))
    with known.writing() as writer:
        number = writer.enter("/agents", "p", "-p", subagent=False)
        ledger = Ledger(writer, number, subagent=False)
        ledger.take(0, Fate.ASSISTANT, Record(session="s", calls=calls))
        ledger.take(10, Fate.USER, Record(session="s", at=minute(1), answers=answers[:1]))
        ledger.close()
    with known.reading() as reader:
        assert [(link.rel, link.memory) for link in reader.links_of_session("s")] == [(SessionRel.READ, a)]
    with known.writing() as writer:
        Ledger(writer, number, subagent=False).take(20, Fate.USER, Record(session="s", answers=answers[1:]))
    with known.reading() as reader:
        assert [(link.rel, link.memory) for link in reader.links_of_session("s")] == [
            (SessionRel.READ, a),
            (SessionRel.WROTE, b),
        ]


def test_a_subagents_transcript_holds_no_prompt_of_a_persons(known: Transcripts) -> None:
    """Whatever its records say of themselves."""
    with known.writing() as writer:
        number = writer.enter("/agents", "p", "-p", subagent=True)
        ledger = Ledger(writer, number, subagent=True)
        ledger.take(0, Fate.USER, Record(session="s", prompt="y" * 300))
        ledger.close()
    with known.reading() as reader:
        found = reader.session("s")
        assert reader.totals().prompts == 0
    assert found is not None
    assert (found.prompts, found.records, len(found.first_prompt or "")) == (0, 1, 200)


def test_nothing_taken_writes_nothing(known: Transcripts) -> None:
    """An empty transcript is only known to be there."""
    with known.writing() as writer:
        Ledger(writer, writer.enter("/agents", "p", "-p", subagent=False), subagent=False).close()
    with known.reading() as reader:
        assert (reader.fates(), reader.totals().transcripts, reader.totals().sessions) == ({}, 1, 0)

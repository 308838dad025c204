"""Why a commit changes what it changes, in its message and out of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.sleep.changes import Evidence, Reason
from memhtml.sleep.review.reasons import LONGEST_SAID, LONGEST_WHY, MOST_EVIDENCE, Reasons, paragraph, read
from memhtml.store.message import Wording, message, trailers_of

said = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
reasons = st.builds(
    Reason,
    st.sampled_from(["Unused.", "Stale.", ""]) | said,
    st.lists(st.builds(Evidence, said, said), max_size=3).map(tuple),
)


@given(st.dictionaries(said, reasons, max_size=6), st.lists(said, max_size=4))
def test_what_is_written_is_read(by_path: dict[str, Reason], refused: list[str]) -> None:
    """Through a whole message, letter by letter, whatever the texts hold; and trailers are its own."""
    text = message(Wording("sleep(x): 1", (paragraph(by_path, refused),)), [("Memhtml-Run", "2026-07-28")])
    found = read(text)
    assert {path: found.of((path,)) for path in by_path} == by_path
    assert found.refused == tuple(refused)
    assert trailers_of(text) == (("Memhtml-Run", "2026-07-28"),)
    assert paragraph(dict(sorted(by_path.items(), reverse=True)), refused) == paragraph(by_path, refused)


@given(
    st.text()
    | st.lists(st.sampled_from(['{"', "path", '":', "[", '"', "}", "\n", "why", "null", "1e999", "\ud800"])).map(
        "".join
    )
)
def test_any_message_can_be_read(text: str) -> None:
    """Hand-made, hostile or broken: what is no line of ours is passed over."""
    assert isinstance(read(f"x\n\n{text}"), Reasons)


def test_lines_that_are_none_are_passed_over() -> None:
    """Those around them count."""
    lines = [
        "[" * 100_000,
        '{"more":' + "[" * 100_000,
        '{"why":1}',
        '{"why":"a","evidence":[["one"]]}',
        '{"path":"a","why":"\\ud800"}',
        '{"refused":"' + "x" * 200_000 + '"}',
        '["why"]',
        '{"path":"areas/a.html"}',
        '{"path":"areas/a.html","why":"first"}',
        '{"path":"areas/a.html","why":"Stale.","evidence":[["areas/b.html","since May"]],"more":1}',
        '{"refused":"a twin","why":"x"}',
        '{"why":"Unused."}',
    ]
    assert read("\n".join(['{"why":"the subject"}', "", *lines])) == Reasons(
        {"areas/a.html": Reason("Stale.", (Evidence("areas/b.html", "since May"),))}, "Unused.", ("a twin",)
    )


def test_the_most_common_reason_is_written_once() -> None:
    """Of two that are as common the one that sorts first; others have their path."""
    stale, unused = Reason("Stale."), Reason("Unused.")
    backed = Reason("Stale.", (Evidence("areas/f.html", "“since May”"),))
    text = paragraph({"e": backed, "d": unused, "c": stale, "b": unused, "a": stale}, ["f and g differ by numeric"])
    assert text.split("\n") == [
        '{"why":"Stale."}',
        '{"path":"b","why":"Unused."}',
        '{"path":"d","why":"Unused."}',
        '{"path":"e","why":"Stale.","evidence":[["areas/f.html","“since May”"]]}',
        '{"refused":"f and g differ by numeric"}',
    ]
    assert paragraph({"a": stale}) == '{"path":"a","why":"Stale."}'
    assert paragraph({}) == ""
    assert read("sleep(x): 0\n") == Reasons()
    assert read("sleep(x): 0\n").of(("a",)) == Reason("")


def test_a_file_that_went_elsewhere_is_known_by_either_place() -> None:
    """The first place that has a line of its own decides."""
    found = Reasons({"a": Reason("Stale.")}, "Unused.")
    assert found.of(("archive/2026/a", "a")) == Reason("Stale.")
    assert found.of(("archive/2026/b", "b")) == Reason("Unused.")


def test_texts_are_cut_and_refusals_counted() -> None:
    """At most 200 lines of them, the last one says how many more; a cut text says that it is one."""
    refused = [f"no {number}" for number in range(1300)]
    found = read("x\n\n" + paragraph({}, refused))
    assert len(found.refused) == 200
    assert found.refused[-2:] == ("no 198", "and 1,101 more")
    assert len(read("x\n\n" + paragraph({}, refused[:200])).refused) == 200
    assert read("x\n\n" + paragraph({}, refused[:200])).refused[-1] == "no 199"
    long = Reason("w" * 5000, tuple(Evidence("s", "x" * 5000) for _ in range(50)))
    reason = read("x\n\n" + paragraph({"a": long})).of(("a",))
    assert (len(reason.why), reason.why[-1]) == (LONGEST_WHY, "…")
    assert len(reason.evidence) == MOST_EVIDENCE
    assert {len(one.said) for one in reason.evidence} == {LONGEST_SAID}

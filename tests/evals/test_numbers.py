"""The numeric flip: another number of the same kind and size, never one that is there already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import numbers_diverge
from memhtml.domain.statements import read
from memhtml.evals.numbers import flips


@pytest.mark.parametrize(
    ("claim", "changed"),
    [
        ("The pool holds 12 connections.", "The pool holds 14 connections."),
        ("It waits 30 s.", "It waits 45 s."),
        ("It waits 250ms.", "It waits 375ms."),
        ("Uploads above 5 MB fail.", "Uploads above 7 MB fail."),
        ("The buffer is 512 MB.", "The buffer is 1024 MB."),
        ("It backs off by 1.5 s.", "It backs off by 2.5 s."),
        ("The budget is 0.1%.", "The budget is 0.3%."),
        ("It takes 10% of the traffic.", "It takes 15% of the traffic."),
        ("It takes 95% of the traffic.", "It takes 100% of the traffic."),
        ("It costs $20.", "It costs $30."),
        ("The queue holds 1,000 jobs.", "The queue holds 1,500 jobs."),
        ("It is pinned to 2.3.1.", "It is pinned to 2.4.1."),
        ("It speaks v2 of it.", "It speaks v3 of it."),
        ("Python 3.12 is old.", "Python 3.13 is old."),
        ("It ends on 2026-03-01.", "It ends on 2026-03-08."),
        ("It ends on 2026-03-27.", "It ends on 2026-03-20."),
        ("It begins on March 3.", "It begins on March 10."),
        ("It runs on March 20 and 24.", "It runs on March 20 and 27."),
        ("It begins on 3 March.", "It begins on 10 March."),
        ("It begins on March 3rd.", "It begins on March 10th."),
        ("It starts at 02:30.", "It starts at 04:30."),
        ("It starts at 22:30.", "It starts at 20:30."),
        ("It starts at 9 am.", "It starts at 11 am."),
        ("It began in 2021.", "It began in 2023."),
        ("It ran from 1914-1918.", "It ran from 1914-1920."),
        ("It is of the 1980s.", "It is of the 2000s."),
        ("It is of the 80s.", "It is of the 60s."),
        ("It costs between $1,200 and $3,200.", "It costs between $1,200 and $4,800."),
        ("It costs $500-$1000.", "It costs $500-$1500."),
        ("It lives for three days.", "It lives for five days."),
        ("Three live.", "Five live."),
        ("Twenty-five shards live.", "Forty-five shards live."),
        ("It is sent twice a week.", "It is sent three times a week."),
        ("The 3rd retry pages Ada.", "The 5th retry pages Ada."),
        ("The 11th retry pages Ada.", "The 13th retry pages Ada."),
        ("It answers 503 when full.", "It answers 504 when full."),
        ("It comes in batches of 500.", "It comes in batches of 750."),
        ("It gets a 404.", "It gets a 405."),
        ("It listens on port 8080.", "It listens on port 8081."),
        ("It keeps 7 days of logs.", "It keeps 14 days of logs."),
        ("It takes 24 hours.", "It takes 48 hours."),
        ("The quorum is 3 of 5.", "The quorum is 3 of 7."),
        ("Between 3 and 5 run.", "Between 3 and 7 run."),
        ("The window is 3-5 days.", "The window is 3-7 days."),
        ("An 8-core host is used.", "A 10-core host is used."),
        ("It failed 0 times.", "It failed 2 times."),
    ],
)
def test_a_number_becomes_another_of_its_kind(claim: str, changed: str) -> None:
    """Digits, units, shares, versions, dates, times, words; a pair stays a pair, a clock a clock, a month a month."""
    assert next(flips(claim, "")).claim == changed


@pytest.mark.parametrize(
    "claim",
    [
        "",
        "It waits.",
        "It uses log4j and S3 with sha256.",
        "One node is enough.",
        "The cluster has 1 node.",
        "See src/app2.py:30 and a=5.",
        "The id is 007.",
        "The score was 10:75.",
        "See a.example/report-21-22.pdf?x",
        "The Group of Seven met.",
        "It began in the 19th century.",
    ],
)
def test_what_is_no_quantity_stays(claim: str) -> None:
    """Names, paths, ids; and what has no plural, for its noun would have to change."""
    assert list(flips(claim, "")) == []


def test_dates_and_versions_are_changed_last() -> None:
    """They say when, more often than what."""
    assert [flip.claim for flip in flips("Since 2021, v2 keeps 5 logs.", "")] == [
        "Since 2021, v2 keeps 7 logs.",
        "Since 2023, v2 keeps 5 logs.",
        "Since 2021, v3 keeps 5 logs.",
    ]


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("It gave up after 30 s.", "It gave up after 45 s."),
        ("With 30 it works.", "With 45 it works."),
        ("It ran on March 30.", "It ran on March 30."),
        ("There are 30 workers, 300 jobs and 1.30.", "There are 30 workers, 300 jobs and 1.30."),
        ("", ""),
    ],
)
def test_the_body_changes_where_it_means_the_same_number(body: str, changed: str) -> None:
    """Beside the same word, or alone; not as a part of another, nor beside other words."""
    assert next(flips("The timeout is 30 s.", body)).body == changed


def test_the_new_number_is_in_neither_claim_nor_body() -> None:
    """The next one is taken."""
    assert next(flips("It waits 30 s.", "Others wait 45 s or 50 s.")).claim == "It waits 60 s."
    assert next(flips("It keeps 3 logs of seven, five of 6.", "")).claim == "It keeps 4 logs of seven, five of 6."


@pytest.mark.parametrize(
    ("before", "old", "after", "others"),
    [
        ("It starts at ", "9", " am.", ["11", "12", "7", "6"]),
        ("It starts at ", "11", " am.", ["9", "8"]),
        ("It starts at ", "02:30", ".", ["04:30", "05:30", "06:30"]),
        ("It starts at ", "9:15", " pm.", ["11:15", "12:15", "7:15", "6:15", "5:15"]),
        ("It ended in the ", "1980", "s.", ["2000", "1960", "1990", "1970"]),
        ("It ended in the ", "80", "s.", ["60", "90", "70"]),
        ("It waits ", "1.5", " s.", ["2.5", "1.8", "2.2", "2.6", "3.5"]),
        ("It waits ", "0.25", " s.", ["0.27", "0.28", "0.32", "0.36", "0.29"]),
        ("It takes ", "90", "%.", ["95"]),
        ("It takes ", "150", "%.", ["225", "230", "300", "155", "450"]),
        ("It is sent ", "twice", " a week.", ["three times", "four times", "five times"]),
        (
            "It ends on ",
            "2026-03-11",
            ".",
            [
                "2026-03-18",
                "2026-03-04",
                "2026-03-20",
                "2026-03-02",
                "2026-03-16",
                "2026-03-06",
                "2026-03-22",
                "2026-03-14",
            ],
        ),
        ("It ends on March ", "3", ".", ["10", "12", "8", "14", "6"]),
        ("It is on ", "v2", ".", ["v3", "v4", "v5", "v6", "v7"]),
        ("It is on ", "2.3.1", ".", ["2.4.1", "2.5.1", "2.6.1", "2.7.1", "2.8.1"]),
        ("It ended in ", "2021", ".", ["2023", "2019", "2024", "2018", "2025"]),
        ("It keeps ", "3", " jobs.", ["5", "6", "4", "7", "8", "9"]),
        ("It keeps ", "30", " jobs.", ["45", "50", "60", "35", "90"]),
        ("It keeps ", "100", " jobs.", ["150", "200", "300"]),
        ("It keeps ", "15", " jobs.", ["25", "20", "10", "30", "35"]),
        ("It keeps ", "37", " jobs.", ["42", "43", "45", "32", "47"]),
        ("It keeps ", "512", " jobs.", ["1024", "256", "2048", "4096"]),
        ("It keeps ", "7", " days.", ["14", "10", "21", "9", "8", "11", "12", "13"]),
        ("It keeps ", "24", " hours.", ["48", "36", "12", "27", "28", "30", "21"]),
        ("It keeps ", "three", " jobs.", ["five", "six", "four", "seven"]),
        ("It keeps ", "nineteen", " jobs.", ["twenty", "seventeen", "sixteen"]),
        ("It keeps ", "thirty", " jobs.", ["fifty", "forty", "twenty"]),
        ("It keeps ", "eighty", " jobs.", ["ninety", "seventy", "sixty"]),
        ("It gets a ", "404", ".", ["405", "406", "407", "408", "403", "402"]),
        ("It has ", "1,000", " jobs.", ["1,500", "2,000", "3,000"]),
        ("The ", "3rd", " job fails.", ["5th", "6th", "4th", "7th", "8th", "9th"]),
    ],
)
def test_what_is_taken_gives_way_to_the_next_of_its_kind(before: str, old: str, after: str, others: list[str]) -> None:
    """In a fixed order, and nothing once all that is plausible is there already."""
    body, found = "", list[str]()
    while (flip := next(flips(f"{before}{old}{after}", body), None)) is not None:
        found.append(flip.claim.removeprefix(before).removesuffix(after))
        body += f" It is {found[-1]}."
        if len(found) > len(others):
            break
    assert found == others


COUNTS = st.integers(2, 99_999)


@given(COUNTS, st.lists(COUNTS, max_size=4), st.sampled_from(["{} jobs", "{} s", "{}%", "{:,} rows", "port {}"]))
def test_a_flip_always_diverges_and_repeats_nothing(count: int, others: list[int], form: str) -> None:
    """Whatever other numbers there are."""
    claim, body = f"It has {form.format(count)}.", " ".join(f"{other} are known." for other in others)
    for flip in flips(claim, body):
        assert numbers_diverge(claim, flip.claim)
        assert read(flip.claim).numbers.isdisjoint(read(f"{claim} {body}").numbers)

"""What a text carries is read the same way on every side of a comparison."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.carried import BE, EACH, GENITIVE, OF, WHICH_IS, carried, words


def read(text: str) -> list[str]:
    """The keys of what a text carries."""
    return [item.key for item in carried(text).items]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("The API isn't fast.", ["api", "not", "=fast"]),
        ("It won't and can't.", ["will", "not", "can", "not"]),
        ("It shan't.", ["=must", "not"]),
        ("They've got 1,000 rows.", ["=get", "1000", "row"]),
        ("thirty rows", ["30", "row"]),
        ("Deploys, deployments.", ["deploi", "deploi"]),
        ("It gets drained.", ["drain"]),
        ("It gets rows.", ["=get", "row"]),
        ("around 7 days", ["=approximately", "7", "dai"]),
        ("keeps it around", ["=store"]),
        ("wait 5 s, 5s, 5 min", ["=wait", "5", "=sec", "5", "=sec", "5", "minut"]),
        ("C++ and C#", ["c", "+", "+", "c", "#"]),
        ("a \N{LESS-THAN OR EQUAL TO} b", ["\N{LESS-THAN OR EQUAL TO}", "b"]),
        ("-5 degrees - or 5-6", ["-", "5", "degre", "or", "5", "6"]),
        ("Zoë's café", ["zoe", "cafe"]),
        ("US and us", ["US", "us"]),
        ("\ue000 it", []),
        ("...", []),
        ("a bucket called harbour", ["bucket", "harbor"]),
        ("a bucket called by Ada", ["bucket", "call", "by", "ada"]),
        ("they called Ada", ["call", "ada"]),
        ("a host named beacon", ["host", "beacon"]),
        ("a host named by Ada", ["host", "name", "by", "ada"]),
        ("they organise it", ["organ"]),
        ("twice a day", ["twice", "=daily"]),
        ("twice an hour", ["twice", "=hr"]),
        ("twice a minute", ["twice", "per", "minut"]),
        ("about 40 rows", ["=approximately", "40", "row"]),
        ("about 5.5 rows", ["=approximately", "5.5", "row"]),
        ("about thirty rows", ["=approximately", "30", "row"]),
        ("about one row", ["=approximately", "on", "row"]),
        ("about half of it", ["=approximately", "half"]),
        ("about rows", ["about", "row"]),
        ("x -5", ["x", "-", "5"]),
        ("x-5", ["x", "5"]),
        ("it cannot run", ["can", "not", "=run"]),
        ("it can\N{RIGHT SINGLE QUOTATION MARK}t run", ["can", "not", "=run"]),
        ("in order to deploy", ["deploi"]),
        ("5 percent", ["5", "%"]),
        ("it drains every day", ["drain", "=daily"]),
        ("every day we think of", ["=daily", "we", "=think"]),
        ("of every day", ["=every", "dai"]),
        ("on the first of each month", ["=first", "=every", "month"]),
    ],
)
def test_texts_are_read(text: str, keys: list[str]) -> None:
    """Worked: contractions, numbers, units, signs, accents, passives with get, and what is nothing."""
    assert read(text) == keys


def test_a_name_is_marked() -> None:
    """By a capital within a sentence, a capital within a word, a sign, a digit; not at the beginning."""
    text = "Deploys run on Fridays with getUser, src/app, a_b, v2 and foo-bar."
    assert [item.word for item in carried(text).items if item.marked] == [
        "fridays", "getuser", "src", "app", "a", "b", "v", "2"
    ]  # fmt: skip
    assert not any(item.marked for item in carried("ALL OF THIS IS LOUD").items)


def test_a_word_that_another_stands_for_is_no_name() -> None:
    """A unit in one letter, a time with an article, a phrase, a name that is given, a number that is near."""
    for text in ("5 s", "twice a minute", "twice a day", "they named Ada", "about 40 rows"):
        marks = [item.marked for item in carried(text).items if not item.word[0].isdigit() and item.word != "ada"]
        assert marks
        assert all(mark is False for mark in marks)


def test_what_is_left_out_is_known_to_what_follows() -> None:
    """Prepositions, forms of be, the genitive, articles."""
    items = carried("The disk of the host is full in Oslo's hall that is cold each Sunday").items
    assert [(item.word, item.lead, item.article) for item in items] == [
        ("disk", "", True), ("host", OF, True), ("full", BE, False), ("oslo", "in", False), ("hall", GENITIVE, False),
        ("cold", WHICH_IS, False), ("each", "", False), ("sunday", "", False),
    ]  # fmt: skip
    assert {"each", "every"} == EACH


@pytest.mark.parametrize("lead", ["of", "in", "on", "at", "to", "into", "onto", "upon", "within", "and"])
def test_what_stands_before_a_word_is_its_lead(lead: str) -> None:
    """Each preposition that is left out."""
    assert [(item.word, item.lead) for item in carried(f"disks {lead} hosts").items] == [("disks", ""), ("hosts", lead)]


@pytest.mark.parametrize("form", ["am", "is", "are", "was", "were", "be", "been", "being"])
def test_each_form_of_be_is_one_lead(form: str) -> None:
    """Behind a relative pronoun it is another."""
    assert [item.lead for item in carried(f"disks {form} cold").items] == ["", BE]
    for relative in ("that", "which", "who"):
        assert [item.lead for item in carried(f"disks {relative} {form} cold").items] == ["", WHICH_IS]


@pytest.mark.parametrize("form", ["get", "gets", "getting", "got", "gotten"])
def test_each_form_of_get_makes_a_passive(form: str) -> None:
    """Before a participle, with its ending or without."""
    assert [(item.word, item.lead) for item in carried(f"disks {form} drained").items][1:] == [("drained", BE)]
    assert [(item.word, item.lead) for item in carried(f"disks {form} sold").items][1:] == [("sold", BE)]
    assert len(carried(f"disks {form} rows").items) == 3


@pytest.mark.parametrize("article", ["a", "an", "the", "this", "that", "these", "those", "its", "their"])
def test_each_article_is_known_to_the_word_behind_it(article: str) -> None:
    """And to none behind that."""
    assert [item.article for item in carried(f"{article} disk spins").items] == [True, False]


@pytest.mark.parametrize(
    ("unit", "word"),
    [("s", "second"), ("m", "minute"), ("min", "minute"), ("h", "hour"), ("d", "day"), ("k", "thousand")],
)
def test_a_unit_is_written_out_behind_a_number(unit: str, word: str) -> None:
    """Elsewhere it is a letter."""
    assert [item.word for item in carried(f"wait 5 {unit}").items] == ["wait", "5", word]
    assert word not in [item.word for item in carried(f"wait q {unit}").items]


@pytest.mark.parametrize("time", ["second", "minute", "hour", "day", "night", "week", "month", "quarter", "year"])
def test_each_time_with_an_article_is_how_often(time: str) -> None:
    """As with per; the article is not merely left out."""
    assert read(f"twice a {time}") == read(f"twice per {time}")
    assert [item.word for item in carried(f"twice a {time}").items] != ["twice", time]


@pytest.mark.parametrize("short", ["'re", "'ve", "'ll", "'d", "'m"])
def test_a_verb_cut_short_says_nothing(short: str) -> None:
    """Behind a pronoun."""
    assert read(f"she{short} cold") == ["she", "cold"]
    assert carried(f"she{short} cold").words == {"she", "cold"}


@pytest.mark.parametrize("sign", ["_", ".", "/", ":", "@", "#", "\\"])
def test_a_sign_that_joins_words_marks_both(sign: str) -> None:
    """Unless it is at the end of a sentence, or between spaces."""
    assert [item.marked for item in carried(f"alder{sign}birch").items if item.word.isalpha()] == [True, True]
    assert [item.marked for item in carried(f"alder {sign} birch").items if item.word.isalpha()] == [False, False]


@pytest.mark.parametrize("sign", ["#", "%", "@", "?", "+", "<", "="])
def test_a_sign_that_tells_is_a_word(sign: str) -> None:
    """Other punctuation is none."""
    assert read(f"alder {sign}") == ["alder", sign]
    assert read("alder ! birch & cedar; elder") == ["alder", "birch", "cedar", "elder"]


def test_a_time_with_an_article_is_how_often() -> None:
    """After `a` and after `an`; with another article it is itself."""
    texts = ("twice a day", "twice an hour", "twice the hour")
    assert [[item.word for item in carried(text).items] for text in texts] == [
        ["twice", "daily"], ["twice", "hourly"], ["twice", "hour"]
    ]  # fmt: skip


def test_light_words_are_marked_as_such() -> None:
    """But not every and each before a time that tells, nor a name in capitals."""
    light = [
        item.word for item in carried("Note that our service drains each queue every Sunday for US").items if item.light
    ]
    assert light == ["note", "our", "service", "each"]
    assert [item.light for item in carried("before you do it you see").items] == [False, True, False, False]


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    """And every word of it is lower case and not empty."""
    read_text = carried(text)
    assert all(item.word for item in read_text.items)
    assert {item.word for item in read_text.items} <= read_text.words | {item.word for item in read_text.items}
    assert all(word == word.lower() for word in words(text))


@given(st.text("abc .,'-5", max_size=30))
def test_white_space_at_the_edges_says_nothing(text: str) -> None:
    """Nor does a line end."""
    assert carried(f"  {text}\n").items == carried(text).items

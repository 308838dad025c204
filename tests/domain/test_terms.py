"""Words as documents and queries share them, held to what SQLite's tokenizer makes of them."""

from __future__ import annotations

import sqlite3
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memhtml.domain.terms import LONGEST_TOKEN, content_terms, fold, phrase, search_text, terms

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


def texts(query: str) -> list[str]:
    """The tokens of a query."""
    return [term.text for term in terms(query)]


def holds(document: str, query: str) -> bool:
    """Whether SQLite, with the tokenizer of the index, finds any term of ``query`` in ``document``."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE d USING fts5 (t, tokenize = 'porter unicode61 remove_diacritics 2')")
    connection.execute("INSERT INTO d VALUES (?)", (search_text(document),))
    match = " OR ".join(f'"{term.text}"*' if term.prefix else f'"{term.text}"' for term in terms(query))
    found = bool(match) and connection.execute("SELECT count(*) FROM d WHERE d MATCH ?", (match,)).fetchone() == (1,)
    connection.close()
    return found


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Drain the queue.", ["drain", "the", "queue"]),
        ("checkout-api", ["checkoutapi", "checkout", "api"]),
        ("getUserById", ["getuserbyid", "get", "user", "by", "id"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("src/app.py", ["srcapppy", "src", "apppy", "app", "py"]),
        ("v2.1", ["v21", "v2", "1"]),
        ("snake_case_name", ["snakecasename", "snake", "case", "name"]),
        ("don't", ["dont", "don", "t"]),
        ("Ada\N{RIGHT SINGLE QUOTATION MARK}s", ["ada", "s"]),
        ("C++ and C#", ["cplusplus", "c", "and", "csharp"]),
        ("Zoë", ["zoe"]),
        ("ﬁle", ["file"]),
        ("東京都", ["東京", "京都"]),
        ("iPhone手机", ["iphone", "phone", "手机"]),
        ("ขนมไทย", ["ขน", "นม", "มไ", "ไท", "ทย"]),
        ("🎉", ["u0127881"]),
        ("a ≠ b", ["a", "u0008800", "b"]),
        ("… — !?", []),
        ("", []),
    ],
)
def test_a_text_gives_these_terms(text: str, tokens: list[str]) -> None:
    """Plain words, identifiers whole and by part, pairs of unspaced scripts, signs of their own."""
    expected = [token if token.isascii() else _encoded(token) for token in tokens]
    assert texts(text) == expected


def _encoded(token: str) -> str:
    safe = all("㐀" <= character <= "䶵" or "一" <= character <= "鿋" for character in token)
    return token if safe else "".join(f"u{ord(character):07d}" for character in token)


def test_a_document_also_holds_the_last_character_of_an_unspaced_run() -> None:
    """So any single character is the beginning of a token, and a query of one character asks for that."""
    assert search_text("東京都 ok") == "東京 京都 都 ok"
    assert [term.prefix for term in terms("京")] == [True]
    assert [term.prefix for term in terms("東京")] == [False]


def test_identifiers_are_one_however_they_are_spelled() -> None:
    """The whole is the parts written together, so a query need not know whether it was a dash or a hump."""
    assert texts("checkout_api")[0] == texts("CheckoutApi")[0] == texts("checkout-api")[0] == "checkoutapi"


def test_a_word_of_its_own_is_no_part_even_if_it_is_one_elsewhere() -> None:
    """What the query says by itself counts as said."""
    flags = {term.text: term.part for term in terms("checkout-api checkout")}
    assert flags == {"checkoutapi": False, "checkout": False, "api": True}


def test_stop_words_go_while_something_else_remains() -> None:
    """A question of stop words alone keeps them; negations are none."""
    assert [term.text for term in content_terms(terms("what is the queue"))] == ["queue"]
    assert [term.text for term in content_terms(terms("who is it"))] == ["who", "is", "it"]
    assert not any(term.stop for term in terms("not never no without"))


@given(ANY_TEXT)
@example('NEAR(a b) OR "x" AND * ^ - : \' \x00')
def test_terms_are_safe_in_a_query(text: str) -> None:
    """A token holds nothing that means something to SQLite, whatever a person typed."""
    assert all(term.text.isalnum() for term in terms(text))
    assert all(token.isalnum() for token in search_text(text).split())


@given(st.text())
def test_any_text_gives_terms_lone_surrogates_included(text: str) -> None:
    """What a shell can pass is a query, even if it is no text."""
    assert isinstance(terms(text), tuple)


@given(ANY_TEXT)
def test_folding_twice_is_folding_once(text: str) -> None:
    """A key is its own key."""
    assert fold(fold(text)) == fold(text)


@given(st.lists(st.one_of(WORDS, ANY_TEXT), max_size=6), WORDS, st.lists(ANY_TEXT, max_size=6))
def test_a_word_of_a_text_is_found_again(before: list[str], word: str, after: list[str]) -> None:
    """Whatever the script, wherever it stands, as long as it is parted from its neighbours by spaces."""
    assert holds(" ".join([*before, word, *after]), word)


@given(st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1), min_size=1, max_size=4))
def test_a_run_of_letters_inside_any_punctuation_is_found_again(pieces: list[str]) -> None:
    """The atoms of an identifier do not depend on what stands around them."""
    document = "".join(pieces)
    for atom in "".join(c if c.isalnum() else " " for c in document).split():
        assert holds(document, atom)


def test_every_letter_and_digit_of_unicode_is_a_part_of_a_word() -> None:
    """Whether or not this SQLite knows it: it is written in characters that every SQLite knows."""
    letters = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point))[0] in "LN"]
    # Between letters that no stemmer touches: what SQLite makes of a token is the token, or it was torn.
    tokens = {token for letter in letters for token in search_text(f"xx{letter}zz").split()}
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE d USING fts5 (t, tokenize = 'porter unicode61 remove_diacritics 2')")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5vocab (d, row)")
    connection.executemany("INSERT INTO d (t) VALUES (?)", ((token,) for token in tokens))
    known = {word for (word,) in connection.execute("SELECT term FROM words")}
    connection.close()
    assert len(tokens) > 100_000
    assert tokens - known == set()


def test_long_tokens_are_cut_alike_on_both_sides() -> None:
    """A run of any length is found by itself, and costs no more than its beginning."""
    run = "x" * 100_000
    assert texts(run) == ["x" * LONGEST_TOKEN]
    assert holds(run, run)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("api checkout-api", [("api", False), ("checkoutapi", False), ("checkout", True)]),
        ("checkout-api api", [("checkoutapi", False), ("checkout", True), ("api", False)]),
        ("getUserById", [("getuserbyid", False), ("get", True), ("user", True), ("by", True), ("id", True)]),
        ("c++", [("cplusplus", False), ("c", True)]),
        ("ANSA'S", [("ansa", True), ("s", True)]),
        ("Ansa's", [("ansa", True), ("s", True)]),
        ("src/app.py", [("srcapppy", False), ("src", True), ("apppy", True), ("app", True), ("py", True)]),
        ("a-\N{ARABIC TATWEEL}", [("a", False)]),
        ("\N{NOT EQUAL TO}", [("u0008800", False)]),
        ("\N{ARABIC TATWEEL}-\N{ARABIC TATWEEL}", []),
    ],
)
def test_a_part_is_told_from_a_word(query: str, expected: list[tuple[str, bool]]) -> None:
    """A word that also stands by itself is one; a sign is one; what folds to nothing is nothing."""
    assert [(term.text, term.part) for term in terms(query)] == expected


def test_scripts_meet_in_one_word() -> None:
    """A letter between two ideographs parts them; a vowel sign stays with its consonant; umlauts join as letters do."""
    assert search_text("\u6771a\u4eac") == "\u6771 a \u4eac"
    assert search_text("\u0e01\u0e34\u0e19") == "u0003585u0003636u0003609 u0003609"
    assert search_text("gr\u00f6\u00dfe-ma\u00df") == "grossemass grosse mass"


def test_what_is_too_long_to_be_typed_is_not_written_together() -> None:
    """64 characters are; one more, and the parts alone are found. Humps count up to 256 characters."""
    assert [len(token) for token in search_text(f"{'a' * 32}-{'b' * 32}").split()] == [64, 32, 32]
    assert [len(token) for token in search_text(f"{'a' * 33}-{'b' * 32}").split()] == [33, 32]
    assert "zebra" in search_text("aB" * 125 + "Zebra").split()
    assert "zebra" not in search_text("aB" * 128 + "Zebra").split()


def test_a_key_is_folded_in_any_script() -> None:
    """ASCII by itself, and everything else by NFKC, case and accents."""
    assert [fold(text) for text in (" A  b ", "Zo\u00cb  \uff21", "\u00c5\tb")] == ["a b", "zoe a", "a b"]


def in_order(document: str, query: str) -> bool:
    """Whether SQLite, with the tokenizer of the index, finds ``query`` as a phrase in ``document``."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE d USING fts5 (t, tokenize = 'porter unicode61 remove_diacritics 2')")
    connection.execute("INSERT INTO d VALUES (?)", (search_text(document),))
    words = phrase(query, 100)
    found = bool(words) and connection.execute("SELECT count(*) FROM d WHERE d MATCH ?", (f'"{words}"',)).fetchone()[0]
    connection.close()
    return found == 1


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Call the Checkout-API!", "call the checkoutapi checkout api"),
        ("the Checkout-API", ""),  # two words
        ("a b a b", "a b a b"),  # a word said twice stands twice
        ("東京都庁", "東京 京都 都庁"),
        ("東京都 is big", "東京 京都 都 is big"),  # what follows it ends the stretch, in a document too
        ("drain the 東京都 queue", "drain the 東京 京都 都 queue"),  # what stands before it stays
        ("drain 東京都", "drain 東京 京都"),
        ("?!", ""),
        ("", ""),
    ],
)
def test_a_phrase_is_the_tokens_of_a_query_in_order(query: str, words: str) -> None:
    """As a document that holds it has them; none where there are fewer than three words."""
    assert phrase(query, 100) == words


def test_a_phrase_of_too_many_words_is_none() -> None:
    """Up to the limit, and not one more."""
    assert phrase("a b c", 3) == "a b c"
    assert phrase("a b c d", 3) == ""


@given(st.lists(WORDS, min_size=3, max_size=8), st.lists(WORDS, max_size=3), st.lists(WORDS, max_size=3))
def test_a_document_holds_every_phrase_of_its_words(words: list[str], before: list[str], after: list[str]) -> None:
    """Whatever stands around it."""
    query = " ".join(words)
    document = " ".join((*before, *words, *after))
    assert not phrase(query, 100) or in_order(document, query)
    assert not in_order("other words than these here", f"zzz {query}")

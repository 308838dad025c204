"""Prose in, markup out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.memory import Citation, Draft, Facet
from memhtml.domain.vocabulary import MemoryType
from memhtml.page.prose import Fence, Paragraph, article, blocks, claim_and_rest, first_sentence, machine_number

KIND = MemoryType.SEMANTIC


def lines(*paragraphs: str) -> str:
    """Paragraphs as a body."""
    return "\n\n".join(paragraphs)


@pytest.mark.parametrize(
    ("draft", "markup"),
    [
        (Draft(KIND, claim="C"), "<p><mark>C</mark></p>"),
        (Draft(KIND, claim=" C\n c "), "<p><mark>C c</mark></p>"),
        (Draft(KIND, claim="C", body="one\n\ntwo"), "<p><mark>C</mark> one</p>\n<p>two</p>"),
        (Draft(KIND, claim="C", body=" \n\n"), "<p><mark>C</mark></p>"),
        (Draft(KIND, claim='<b> & \u00a0"'), '<p><mark>&lt;b&gt; &amp; &nbsp;"</mark></p>'),
        (
            Draft(KIND, claim="C", body="```Bash\nls <x>\n```\n\nz"),
            '<p><mark>C</mark></p>\n<figure><pre><code data-lang="bash">ls &lt;x&gt;</code></pre></figure>\n<p>z</p>',
        ),
        (
            Draft(KIND, claim="C", body="```\n\na\n\n```"),
            "<p><mark>C</mark></p>\n<figure><pre><code>\na\n</code></pre></figure>",
        ),
        (
            Draft(KIND, claim="C", body="``` python title=x\na\n```"),
            "<p><mark>C</mark></p>\n<figure><pre><code>a</code></pre><figcaption>python title=x</figcaption></figure>",
        ),
        (Draft(KIND, claim="C", body="```\n```"), "<p><mark>C</mark></p>\n<figure><pre><code></code></pre></figure>"),
        (Draft(KIND, claim="C", body="```js\nnever closed"), "<p><mark>C</mark> ```js\nnever closed</p>"),
        (Draft(KIND, body="One. Two.\n\nThree."), "<p><mark>One.</mark> Two.</p>\n<p>Three.</p>"),
        (Draft(KIND, body="Only one"), "<p><mark>Only one</mark></p>"),
        (
            Draft(KIND, claim="C", event_at="2026-07-28 01:30+02:00"),
            '<p><mark>C</mark></p>\n<p><time datetime="2026-07-27T23:30:00Z">2026-07-27T23:30:00Z</time></p>',
        ),
        (
            Draft(KIND, claim="C", facets=(Facet("N", "a"), Facet("N", "b"), Facet("W", "w", 1.0))),
            '<p><mark>C</mark></p>\n<dl><dt>N</dt><dd>a</dd><dd>b</dd><dt>W</dt><dd><data value="1">w</data></dd></dl>',
        ),
        (
            Draft(
                KIND,
                claim="C",
                citations=(Citation("R"), Citation("x", "/?a&b"), Citation("", "/")),
            ),
            '<p><mark>C</mark></p>\n<p><cite>R</cite></p>\n<p><q cite="/?a&amp;b">x</q></p>\n<p><q cite="/">/</q></p>',
        ),
    ],
)
def test_markup_by_example(draft: Draft, markup: str) -> None:
    """Claim, paragraphs, fences, facets, event, citations; everything escaped, a line a block."""
    assert article(draft) == markup


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", ()),
        ("\n \n\t\n", ()),
        ("a\r\nb\rc\n\nd", (Paragraph("a\nb\nc"), Paragraph("d"))),
        ("  a  \n  b", (Paragraph("a\nb"),)),
        ("a\n\u00a0\nb", (Paragraph("a\n\u00a0\nb"),)),
        ("a\n```\nb\n```\nc", (Paragraph("a"), Fence("", "b"), Paragraph("c"))),
        ("````\n```\nb\n```\n````", (Fence("", "```\nb\n```"),)),
        ("```\nb\n`````", (Fence("", "b"),)),
        ("```\nb\n``` x\n```", (Fence("", "b\n``` x"),)),
        ("```\nb\n``` \t", (Fence("", "b"),)),
        ("   ```\n   b\n     c\n  d\n   ```", (Fence("", "b\n  c\nd"),)),
        ("    ```\n    b\n    ```", (Paragraph("```\nb\n```"),)),
        ("```\nb\n    ```\n```", (Fence("", "b\n    ```"),)),
        ("``\nb\n``", (Paragraph("``\nb\n``"),)),
        ("```a`b\nc\n```", (Paragraph("```a`b\nc\n```"),)),
        ("~~~\nb\n~~~", (Paragraph("~~~\nb\n~~~"),)),
        ("```\na\n```\n```\nb\n```", (Fence("", "a"), Fence("", "b"))),
        ("````\na\n```\nb\n```", (Paragraph("````\na"), Fence("", "b"))),
        ("```  c++  \na\n```", (Fence("c++", "a"),)),
        ("- a\n- b", (Paragraph("- a\n- b"),)),
    ],
)
def test_bodies_fall_into_blocks(body: str, expected: tuple[Paragraph | Fence, ...]) -> None:
    """Blank lines and closed fences part paragraphs; what is never closed is prose."""
    assert blocks(body) == expected


@pytest.mark.parametrize(
    ("text", "sentence", "rest"),
    [
        ("One. Two.", "One.", "Two."),
        ("One", "One", ""),
        ("One.", "One.", ""),
        ("v2.1 works. Yes", "v2.1 works.", "Yes"),
        ("Use e.g. this. Then", "Use e.g. this.", "Then"),
        ("Dr. Ada and J. Doe agree. Good", "Dr. Ada and J. Doe agree.", "Good"),
        ('He said "go." Then', 'He said "go."', "Then"),
        ("Really?! Yes", "Really?!", "Yes"),
        ("Wait... what", "Wait... what", ""),
        ("Wait... What", "Wait...", "What"),
        ("先清空。再部署。", "先清空。", "再部署。"),
        ("One.\nTwo", "One.", "Two"),
        ("One.\u00a0Two", "One.", "\u00a0Two"),
        ("a. 2 b", "a. 2 b", ""),
        ("", "", ""),
        (". x", ". x", ""),
    ],
)
def test_the_first_sentence_by_example(text: str, sentence: str, rest: str) -> None:
    """A full stop before a lower-case word, in a number, after an initial or a title ends none."""
    assert first_sentence(text) == (sentence, rest)


@given(st.text())
def test_no_word_is_lost_between_sentence_and_rest(text: str) -> None:
    """Together they are the text."""
    sentence, rest = first_sentence(text)
    assert "".join((sentence + rest).split()) == "".join(text.split())


@given(st.lists(st.sampled_from(["a", "`", "```", "````", " ", "\n", "\n\n", "x. Y"]), max_size=30).map("".join))
def test_no_word_of_a_body_is_lost_between_blocks(body: str) -> None:
    """Every character but white space and the fences themselves is in a block."""
    kept = "".join(block.text if isinstance(block, Paragraph) else block.info + block.code for block in blocks(body))
    assert kept.replace("`", "").split() == body.replace("`", "").split() or "".join(
        kept.replace("`", "").split()
    ) == "".join(body.replace("`", "").split())


def test_a_claim_of_its_own_leaves_the_body_whole() -> None:
    """Nothing is taken from the body then; and a body that begins with code gives none."""
    body = "First. Second."
    assert claim_and_rest(Draft(KIND, claim="C", body=body)) == ("C", (Paragraph(body),))
    assert claim_and_rest(Draft(KIND, body="```\na\n```"))[0] == ""
    assert claim_and_rest(Draft(KIND))[0] == ""


@pytest.mark.parametrize(
    "body",
    [
        "." * 200_000,
        ". " * 100_000,
        "```a\n" * 40_000,
        "A. " * 60_000,
        " " * 200_000 + "x",
        "'" * 200_000,
        ". \n" * 60_000,
    ],
    ids=["dots", "spaced dots", "fences", "initials", "spaces", "quotes", "lines"],
)
def test_no_text_takes_quadratic_time(body: str) -> None:
    """Two hundred thousand characters are read in a moment; quadratic time would meet the limit of every test."""
    claim, rest = claim_and_rest(Draft(KIND, body=body))
    assert sum(len(block.text if isinstance(block, Paragraph) else block.code) for block in rest) <= len(body)
    assert len(claim) <= len(body)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_machine_value_reads_back(value: float) -> None:
    """In the fewest digits."""
    assert float(machine_number(value)) == value
    assert not machine_number(value).endswith(".0")

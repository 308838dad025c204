"""Text as a reader meets it: what parts blocks, what shares one, what is kept as it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.page.blocks import blocks, one_line
from memhtml.page.fragment import article_nodes
from memhtml.page.nodes import Element, Text, walk


def of(markup: str, *skip: str) -> tuple[str, ...]:
    """The blocks of an article's inner markup."""
    return blocks(walk(article_nodes(markup)), frozenset(skip))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", ()),
        ("<!-- a -->", ()),
        ("<p>X a <!-- b --> X</p>", ("X a X",)),
        ("<p>&nbsp;a\u2003</p>", ("\u00a0a\u2003",)),
        ("<p>&nbsp;</p><p> \n</p>", ()),
        ("<pre>a  b</pre>\n<p>c  d</p>\n", ("a  b", "c d")),
        ("<pre><code>a  b</code>\n</pre>c\n d<pre>\n\nX  e \n\nX \n\n</pre>", ("a  b", "c d", "X  e \n\nX")),
        ("<dd>a</dd>", ("a",)),
        ("<dt></dt><dd>a</dd>", ("a",)),
        ("<dl><dt>a</dt><dd>b</dd></dl><dd>c</dd>", ("a: b", "c")),
        ("<dl><dt>a: </dt><dd>b </dd><dd> c</dd></dl>", ("a: b ; c",)),
        ("<table><tr><th>a</th><td>b</td></tr></table>", ("a b",)),
    ],
)
def test_blocks_worked_out(markup: str, expected: tuple[str, ...]) -> None:
    """Soft text collapses, also behind preformatted text; a name gets one colon; comments say nothing."""
    assert of(markup) == expected


def test_what_is_skipped_takes_all_of_its_text_along_but_the_summary_of_a_fold() -> None:
    """A summary elsewhere is no way out, and neither is one in a fold within what is skipped."""
    folds = "a<details>b<summary>c<i>d</i></summary>e</details>f"
    assert of(folds, "details") == ("a", "cd", "f")
    assert of(f"<aside>{folds}</aside>g", "details", "aside") == ("g",)
    assert of("<aside><summary>a</summary></aside>b", "aside") == ("b",)


def test_a_walk_may_begin_inside_a_list() -> None:
    """What is around the walk says nothing before a first value, and nothing before a first name."""
    value, name = Element("dd", children=(Text("v"),)), Element("dt", children=(Text(":"),))
    assert blocks(walk((value, value))) == ("v; v",)
    assert blocks(walk((name, value))) == (": v",)


@given(st.lists(st.sampled_from(["a", "X", " ", "\n", "\t", "\u00a0"])).map("".join))
def test_white_space_counts_once_or_as_it_stands(text: str) -> None:
    """Once in prose, as it stands in preformatted text, but for the lines and the spaces at its ends."""
    soft = " ".join(text.replace("\n", " ").replace("\t", " ").split(" "))
    while "  " in soft:
        soft = soft.replace("  ", " ")
    prose = soft.strip(" ")
    hard = text.strip("\n").rstrip()
    assert blocks((Text(text),)) == ((prose,) if prose.strip() else ())
    assert blocks(walk((Element("pre", children=(Text(text),)),))) == ((hard,) if hard.strip() else ())


def test_one_line_is_one() -> None:
    """Every kind of white space counts, none of it at the ends."""
    assert one_line("\u2003X a\u00a0\n\x85b X\t") == "X a b X"
    assert one_line("\u00a0") == ""

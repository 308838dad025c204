"""Walks through nodes."""

from __future__ import annotations

from memhtml.page.nodes import Comment, Element, Leave, Node, Text, elements, inside, is_html, names, text, walk

INNER = Element("b", children=(Text("x"),))
OUTER = Element("p", children=(Text("a"), INNER, Comment("c"), INNER))
ROOTS: tuple[Node, ...] = (Text("t"), OUTER, Text("u"))


def test_a_walk_meets_everything_in_order() -> None:
    """An element comes before its children and is left after them."""
    steps = walk(ROOTS)
    assert steps == [
        *(Text("t"), OUTER, Text("a"), INNER, Text("x"), Leave(INNER), Comment("c")),
        *(INNER, Text("x"), Leave(INNER), Leave(OUTER), Text("u")),
    ]
    assert elements(steps) == [OUTER, INNER, INNER]
    assert text(steps) == "taxxu"
    assert walk(()) == []


def test_the_inside_of_an_element_is_what_stands_between_its_ends() -> None:
    """The first place where it is met; nothing when it is not."""
    steps = walk(ROOTS)
    assert inside(steps, OUTER) == steps[2:-2]
    assert inside(steps, INNER) == [Text("x")]
    assert inside(steps, Element("p")) == ()
    assert inside(steps[:4], OUTER) == steps[2:4]
    assert inside(walk((Element("br"),)), Element("br")) == ()


def test_a_walk_never_recurses() -> None:
    """A hundred thousand deep."""
    node = Element("b")
    for _ in range(100_000):
        node = Element("b", children=(node,))
    assert len(walk((node,))) == 200_002
    # Taken apart from the top, so that no deep chain is left for the interpreter to free at once.
    while node.children:
        (inner,) = node.children
        assert isinstance(inner, Element)
        node = inner


def test_names_and_namesakes() -> None:
    """A foreign element is no HTML element of its name."""
    assert names("a  b\nc") == {"a", "b", "c"}
    assert names("") == frozenset()
    assert is_html(Element("p"), "p")
    assert not is_html(Element("p", foreign=True), "p")
    assert not is_html(Element("p"), "q")
    assert Element("p").line is None

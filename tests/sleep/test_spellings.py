"""No pair of alike names is passed over for the sake of speed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.naming import similarity
from memhtml.sleep.spellings import similar

names = st.text("abcdeé ", max_size=9)


@given(st.lists(names, max_size=12), st.sampled_from([0.5, 0.75, 0.85, 1.0]))
def test_every_pair_at_the_floor_is_found(found: list[str], floor: float) -> None:
    """Counted another way: each two, letter by letter."""
    wanted = {
        (one, other): alike
        for one in range(len(found))
        for other in range(one + 1, len(found))
        if (alike := similarity(found[one], found[other])) >= floor
    }
    assert similar(found, floor) == wanted


def test_more_names_than_a_block_are_compared() -> None:
    """Worked: of 200 different names and one of them again, that pair stands far apart."""
    many = [f"{number:b}".replace("0", "no").replace("1", "yes") * 2 for number in range(200)]
    assert similar([*many, many[3]], 1.0) == {(3, 200): 1.0}


def test_one_name_is_like_none() -> None:
    """Nor is none."""
    assert similar([], 0.5) == {}
    assert similar(["a"], 0.5) == {}

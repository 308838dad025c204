"""What the door for Python looks at before it opens."""

from __future__ import annotations

import pytest

from memhtml.api.checks import CHECKS, checked, require
from memhtml.api.store import Store
from memhtml.domain.errors import InvalidFlagError


def test_a_method_with_an_argument_that_nothing_is_known_about_is_no_class() -> None:
    """So none is forgotten, however it is given."""
    for source in ("def f(self, strange): ...", "def f(self, *strange): ...", "def f(self, *, strange=1): ..."):
        made: dict[str, object] = {}
        exec(source, made)  # noqa: S102 - three spellings of one method
        with pytest.raises(KeyError, match="strange"):
            checked(type("Kind", (), {"f": made["f"]}))


def test_arguments_by_place_by_name_and_by_number_are_looked_at() -> None:
    """Fields beside them are left to whoever reads fields."""

    @checked
    class Kind:
        def some(self, query: str, *paths: str, limit: int = 1, **fields: object) -> tuple[object, ...]:
            return (query, paths, limit, fields)

        def _own(self, query: object) -> object:
            return query

    kind = Kind()
    assert kind.some("a", "b", "c", limit=2, query_=5) == ("a", ("b", "c"), 2, {"query_": 5})
    assert kind._own(5) == 5
    for call in (
        lambda: kind.some(5),  # type: ignore[arg-type] - what is refused
        lambda: kind.some(query=5),  # type: ignore[arg-type] - what is refused
        lambda: kind.some("a", "b", 5),  # type: ignore[arg-type] - what is refused
        lambda: kind.some("a", limit="2"),  # type: ignore[arg-type] - what is refused
    ):
        with pytest.raises(InvalidFlagError):
            call()
    assert Kind.some.__name__ == "some"


def test_every_check_is_somebodys() -> None:
    """A name that no method has any more would be a check of nothing."""
    used = {"root", "embed", "variables", "clock"}
    for base in Store.__mro__[1:-1]:
        for method in vars(base).values():
            inner = getattr(method, "__wrapped__", None)
            used |= set(inner.__code__.co_varnames[: inner.__code__.co_argcount + inner.__code__.co_kwonlyargcount + 1]
                        ) if inner is not None else set()  # fmt: skip
    assert set(CHECKS) <= used


def test_what_fits_passes() -> None:
    """Nothing comes back, and nothing is said."""
    require("limit", 3)
    require("limit", None)
    require("path", "areas/a.html")

"""Digests with OpenSSL and without."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain import digests
from memhtml.domain.digests import function


@given(st.binary(max_size=300))
def test_digests_are_those_of_hashlib(data: bytes) -> None:
    """Whoever computes them."""
    assert digests.sha1(data) == hashlib.sha1(data, usedforsecurity=False).hexdigest()
    assert digests.sha256(data) == hashlib.sha256(data).hexdigest()


def test_known_digests() -> None:
    """The examples of the standard, FIPS 180-2."""
    assert digests.sha1(b"abc") == "a9993e364706816aba3e25717850c26c9cd0d89d"
    assert digests.sha256(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize("modules", [(), ("no_such_module",), ("no_such_module", "json")])
def test_a_python_without_its_own_takes_hashlibs(modules: tuple[str, ...]) -> None:
    """A module that is not there, or is another one, is passed over."""
    assert function(modules, "sha1")(b"abc").hexdigest() == digests.sha1(b"abc")
    assert function((*modules, "hashlib"), "sha256") is hashlib.sha256

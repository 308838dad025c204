"""Embedders: the protocol, the built-in one, remote ones, and deterministic fakes."""

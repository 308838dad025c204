"""Which memhtml this is."""

from __future__ import annotations

VERSION = "0.1.0"
"""As in ``pyproject.toml``; written here too, since reading the metadata of a package costs more than a search."""

"""Long-term memory for software agents, kept as a git repository of semantic HTML files."""

from __future__ import annotations

__version__ = "0.1.0"

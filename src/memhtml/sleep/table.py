"""The phases of a night, in their order."""

from __future__ import annotations

from memhtml.sleep.phase import Phase

PHASES: tuple[Phase, ...] = ()

"""The phases of a night, in their order."""

from __future__ import annotations

from memhtml.sleep.phase import Phase
from memhtml.sleep.phases import (
    arc_synthesis,
    compress,
    confidence_decay,
    dedup_merge,
    edge_typing,
    entity_resolution,
    integrity,
    person_links,
    placement_triage,
    relationship_mining,
    reprieve,
    retention_triage,
    state_export,
    task_detection,
    trace_consolidation,
)

PHASES: tuple[Phase, ...] = (
    dedup_merge.PHASE,
    entity_resolution.PHASE,
    person_links.PHASE,
    relationship_mining.PHASE,
    edge_typing.PHASE,
    confidence_decay.PHASE,
    arc_synthesis.PHASE,
    retention_triage.PHASE,
    compress.PHASE,
    reprieve.PHASE,
    trace_consolidation.PHASE,
    task_detection.PHASE,
    placement_triage.PHASE,
    integrity.PHASE,
    state_export.PHASE,
)

"""The table of operations: the command line, the manifest, AGENTS.md and the reference pages are made from it."""

from __future__ import annotations

from memhtml.ops.operation import Operation
from memhtml.ops.rows_doors import DOORS
from memhtml.ops.rows_evals import EVALS
from memhtml.ops.rows_exec import EXEC
from memhtml.ops.rows_finding import FINDING
from memhtml.ops.rows_house import CARE, HOUSE, START
from memhtml.ops.rows_sleep import SLEEP
from memhtml.ops.rows_traces import TRACES
from memhtml.ops.rows_writing import WRITING

OPERATIONS: tuple[Operation, ...] = (*START, *WRITING, *FINDING, *EXEC, *CARE, *TRACES, *SLEEP, *EVALS, *DOORS, *HOUSE)
"""All operations, in the order that help shows."""

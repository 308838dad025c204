"""Rows of the table: curation of the whole store, on a branch that a person reviews."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter
from memhtml.sleep.mind import CALLS, TOKENS

MOST_CALLS = 100_000
MOST_TOKENS = 1_000_000_000

RUN = Parameter("run", Kind.TEXT, "A run, by its date; may be left out where only one is open", positional=True)
_DATE = Parameter("date", Kind.TEXT, "The day of the night, today if not given", shown="YYYY-MM-DD")
_DEEP = Parameter("deep", Kind.FLAG, "Look further: more pairs, shared entities, and compress until nothing folds")
_MODEL = (
    Parameter("no_model", Kind.FLAG, "Ask no language model, also if one is configured"),
    Parameter("calls", Kind.INTEGER, "How often a model is asked at most", default=CALLS, low=0, high=MOST_CALLS),
    Parameter("tokens", Kind.INTEGER, "How many tokens that may cost", default=TOKENS, low=0, high=MOST_TOKENS),
)

SLEEP: tuple[Operation, ...] = (
    Operation(
        name="sleep run",
        summary="Go through the whole store, and propose its curation on a branch that you review",
        parameters=(
            _DATE,
            _DEEP,
            Parameter("dry_run", Kind.FLAG, "Make no branch, and say what each phase would do"),
            *_MODEL,
        ),
        runs="sleep_run:run",
        envelope="sleep.run",
        examples=("memhtml sleep run --dry-run", "memhtml sleep run --date 2026-07-28"),
        notes=(
            "Main, the work tree and the index stay as they are, and may be written to meanwhile.",
            "Without a language model every phase does what it can without, and the others say so.",
        ),
        mutates=True,
    ),
    Operation(
        name="sleep resume",
        summary="Go on with a night that was broken off",
        parameters=(RUN, *_MODEL),
        runs="sleep_run:run_resume",
        envelope="sleep.run",
        examples=("memhtml sleep resume 2026-07-28",),
        mutates=True,
    ),
    Operation(
        name="sleep plan",
        summary="Say whether a night would change anything, without a model and without a branch",
        parameters=(_DATE, _DEEP),
        runs="sleep_run:run_plan",
        envelope="sleep.plan",
        examples=("memhtml sleep plan",),
    ),
)

"""Rows of the table: curation of the whole store, on a branch that a person reviews."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter
from memhtml.ops.rows_evals import MOST_SEED
from memhtml.sleep.mind import CALLS, TOKENS

MOST_CALLS = 100_000
MOST_TOKENS = 1_000_000_000
MOST_RUNS = 1000
RUNS = 10
"""Runs that main holds, of which the status tells."""

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
        runs="sleep.run:run",
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
        runs="sleep.run:run_resume",
        envelope="sleep.run",
        examples=("memhtml sleep resume 2026-07-28",),
        mutates=True,
    ),
    Operation(
        name="sleep status",
        summary="Show the runs that are open, and the newest of those that main holds",
        parameters=(
            Parameter("limit", Kind.INTEGER, "How many of those at most", default=RUNS, low=1, high=MOST_RUNS),
        ),
        runs="sleep.status:run",
        envelope="sleep.status",
        examples=("memhtml sleep status",),
    ),
    Operation(
        name="sleep review",
        summary="Show what a run proposes: every change, why, what that rests on, before and after",
        parameters=(
            RUN,
            Parameter("phase", Kind.TEXT, "Only the changes of this phase", shown="NAME", repeatable=True),
            Parameter("html", Kind.PATH, "Make a page of it, for a browser, in this file", shown="FILE"),
        ),
        runs="sleep.review:run",
        envelope="sleep.review",
        examples=("memhtml sleep review 2026-07-28", "memhtml sleep review --html review.html"),
        notes=(
            "A file is created, body-changed, meta-only, moved, archived or deleted.",
            "A run that main holds is shown as well as an open one: all of it comes from its branch.",
            "The page loads nothing and runs nothing. A file that is no such page is not written over.",
        ),
    ),
    Operation(
        name="sleep drop",
        summary="Take a change out of a run, or the whole run away",
        parameters=(
            RUN,
            Parameter("commit", Kind.TEXT, "Take out all that this commit changes", shown="ID", repeatable=True),
            Parameter("path", Kind.PATH, "Take out every change of this file", repeatable=True),
            Parameter("later", Kind.FLAG, "And what later commits made of the files of those commits"),
            Parameter("why", Kind.TEXT, "Why it is not wanted; needed with --commit and --path"),
            Parameter("yes", Kind.FLAG, "Take the whole run away, which else is only shown"),
        ),
        runs="sleep.drop:run",
        envelope="sleep.drop",
        examples=(
            'memhtml sleep drop --path areas/inbox/nodes-reboot-on-sundays.html --why "They still do."',
            "memhtml sleep drop 2026-07-28 --yes",
        ),
        notes=(
            "What is taken out stays named in the run with the reason, and no later night proposes it again.",
            "What would lead nowhere then goes along: links to where a memory was moved, the fold that it was in.",
            "Of a whole run nothing stays, its reasons neither. What main holds of it main keeps.",
        ),
        mutates=True,
        destructive=True,
    ),
    Operation(
        name="sleep merge",
        summary="Merge a run into main, if no memory vanishes and search finds them as before",
        parameters=(
            RUN,
            Parameter("skip_gate", Kind.FLAG, "Ask neither gate, and say so in the merge commit"),
            Parameter("seed", Kind.INTEGER, "Of what the gates draw", default=1, low=0, high=MOST_SEED),
        ),
        runs="sleep.merge:run",
        envelope="sleep.merge",
        examples=("memhtml sleep merge 2026-07-28",),
        notes=(
            "A refusal says what would be lost, and how to take it out of the run; nothing of main has moved then.",
            "Where main moved since, the run is put on it first; files that both changed refuse.",
            "A ledger proves that every memory is still there. Nothing skips it.",
            "The gates ask whether search ranks memories above wrong versions of them, also your own, and finds these.",
            "All that the run takes out of use is asked for, beside a sample.",
            "Where vectors are on and cannot be made, the gates cannot be asked, and the run is refused.",
        ),
        mutates=True,
    ),
    Operation(
        name="sleep plan",
        summary="Say whether a night would change anything, without a model and without a branch",
        parameters=(_DATE, _DEEP),
        runs="sleep.run:run_plan",
        envelope="sleep.plan",
        examples=("memhtml sleep plan",),
    ),
)

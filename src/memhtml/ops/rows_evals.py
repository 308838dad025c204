"""Rows of the table: how good the ranking is."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter

PROBES = 60
MOST_PROBES = 5000
MOST_SEEDS = 1000
MOST_SEED = 999_999
HITS = 50
LEAST_HITS = 10
MOST_HITS = 1000

_PROBES_HELP = f"How many memories are asked for; {PROBES} of each seed, and at most so many with --corpus"

EVALS: tuple[Operation, ...] = (
    Operation(
        name="eval discriminate",
        summary="Check that search ranks memories above nearly identical wrong versions of them",
        parameters=(
            Parameter(
                "mode",
                Kind.CHOICE,
                "Whose vectors are asked: of hashed words, or of your embedder; fake, and live with --corpus",
                choices=("fake", "live"),
            ),
            Parameter("seed", Kind.INTEGER, "The first seed", default=1, low=0, high=MOST_SEED),
            Parameter("seeds", Kind.INTEGER, "How many, each a store of its own", default=1, low=1, high=MOST_SEEDS),
            Parameter("probes", Kind.INTEGER, _PROBES_HELP, low=0, high=MOST_PROBES),
            Parameter("corpus", Kind.FLAG, "Ask for memories of your store, in a scratch copy of its index"),
        ),
        runs="discriminate:run",
        envelope="eval.discrimination",
        examples=("memhtml eval discriminate --probes 6", "memhtml eval discriminate --corpus --mode fake"),
        notes=(
            "The exit status is 1 when it fails or cannot be run, and standard error says why.",
            "No memory changes. The index, a cache, is put right and brought up to date, as by every command.",
        ),
        needs_store=False,
    ),
    Operation(
        name="eval retrieval",
        summary="Score search on a question set: by words, by vectors, and by all arms",
        parameters=(
            Parameter("questions", Kind.PATH, "Questions as JSON lines, plain or gzip", required=True, shown="FILE"),
            Parameter("documents", Kind.PATH, "What they are asked of, in stores made for it", shown="FILE"),
            Parameter("store", Kind.FLAG, "Ask your own store; what answers is named by its path"),
            Parameter(
                "limit",
                Kind.INTEGER,
                "Hits that each search is asked for",
                default=HITS,
                low=LEAST_HITS,
                high=MOST_HITS,
            ),
        ),
        runs="scoring:run",
        envelope="eval.retrieval",
        examples=(
            "memhtml eval retrieval --questions questions.jsonl --documents documents.jsonl",
            "memhtml eval retrieval --questions own.jsonl --store",
        ),
        notes=(
            'A question is {"store","id","query","gold":[ids],"group","controls":{family:[ids]},"now"}.',
            'A document is {"store","id","text","ts"}. Only query and gold, id and text are needed.',
            "Figures are hit@1, hit@5, hit@10, recall@10, all@10, MRR, nDCG@10, each with its 95% interval.",
            "Strict, where a question has controls, is that what answers stands above all that only seems to.",
            "With --store no memory changes; the index, a cache, follows it and gets vectors it lacks, as in a search.",
        ),
        needs_store=False,
    ),
)

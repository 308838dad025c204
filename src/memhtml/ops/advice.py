"""What to do about an error, by code, when whoever raised it did not say."""

from __future__ import annotations

from memhtml.domain import errors
from memhtml.domain.errors import MemhtmlError

ADVICE: dict[type[MemhtmlError], tuple[str, ...]] = {
    errors.MemhtmlError: ("set MEMHTML_DEBUG=1 to see where it happened, and report it",),
    errors.UsageError: ("memhtml help",),
    errors.UnknownCommandError: ("memhtml help",),
    errors.MissingArgumentError: ("memhtml help",),
    errors.InvalidFlagError: ("to give a value that begins with a dash, write --flag=VALUE",),
    errors.UnexpectedArgumentError: ("put quotes around a value that holds spaces",),
    errors.InvalidPathError: (
        "a path begins with projects/, areas/, resources/ or archive/ and ends with .html",
        "memhtml list",
    ),
    errors.InvalidInputError: ("memhtml apply --help",),
    errors.StoreMissingError: ("memhtml init",),
    errors.NotAStoreError: ("memhtml init", "name the store with --root or MEMHTML_ROOT"),
    errors.PathNotFoundError: ("memhtml list", "memhtml search"),
    errors.InvalidMemoryError: (
        "correct what is named; memhtml write --help shows what each flag takes",
        "a claim and --body are prose, and need no markup",
    ),
    errors.InvalidEdgeError: ("memhtml link --help",),
    errors.DuplicateContentError: ("memhtml search for the text, and correct or link what is there",),
    errors.WriteConflictError: ("read the memory again, then repeat the command",),
    errors.LockedError: ("wait for the other writer, then repeat the command",),
    errors.DirtyTreeError: ("git status", "commit or put aside what you have edited, then repeat the command"),
    errors.UnsafeFileError: ("memhtml doctor",),
    errors.BatchError: ("correct the lines named, or give --best-effort to write the others",),
    errors.IndexStaleError: ("memhtml index update",),
    errors.IndexTooNewError: ("upgrade memhtml",),
    errors.EmbedModelMismatchError: ("memhtml index embed",),
    errors.ModelUnavailableError: ("memhtml config list", "search works without it: --embed off"),
    errors.PackageMissingError: ("pip install 'memhtml[mcp]'",),
    errors.IntegrationRefusedError: (
        "mend or move what is named, then repeat the command",
        "memhtml integrations install HOST shows what would be put in",
    ),
    errors.ExecFailedError: ("correct the script; memhtml exec --help shows what it may call",),
    errors.ExecLimitError: (
        "ask for less: corpus() takes a scope, and a report need not hold whole texts",
        "--limit-seconds and --limit-memory-mb allow more",
    ),
    errors.DiscriminationFailedError: (
        "memhtml search --explain with the question that is named shows how each arm ranked",
        "memhtml eval discriminate --json has every inversion",
    ),
    errors.InvalidSettingError: ("memhtml config list",),
    errors.StorageError: ("make room or check the rights of the folder, then repeat the command",),
    errors.GitError: ("git --version", "memhtml doctor"),
    errors.InterruptedCommandError: ("repeat the command; nothing is half done",),
}
"""Every class of the tree has a line; a test compares the two."""


def suggestions(error: MemhtmlError) -> tuple[str, ...]:
    """What to do about ``error``: its own suggestions first, else those of its class, else of the nearest parent."""
    if error.suggestions:
        return error.suggestions
    for kind in type(error).__mro__:
        if kind in ADVICE:
            return ADVICE[kind]
    return ()

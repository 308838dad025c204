"""Long-term memory for software agents, kept as a git repository of semantic HTML files."""

from __future__ import annotations

# As `typing` has it, whose import is most of the way to `main`: nothing before that can answer an interrupt.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from memhtml.api.fields import DraftFields, ScopeFields
    from memhtml.api.store import Store
    from memhtml.domain.errors import (
        BatchError,
        DirtyTreeError,
        DuplicateContentError,
        EmbedModelMismatchError,
        GitError,
        IndexStaleError,
        IndexTooNewError,
        InvalidEdgeError,
        InvalidMemoryError,
        InvalidPathError,
        InvalidSettingError,
        LockedError,
        MemhtmlError,
        ModelUnavailableError,
        NotAStoreError,
        PathNotFoundError,
        StorageError,
        StoreMissingError,
        UnsafeFileError,
        UsageError,
        WriteConflictError,
    )

    __version__: str

__all__ = [
    "BatchError",
    "DirtyTreeError",
    "DraftFields",
    "DuplicateContentError",
    "EmbedModelMismatchError",
    "GitError",
    "IndexStaleError",
    "IndexTooNewError",
    "InvalidEdgeError",
    "InvalidMemoryError",
    "InvalidPathError",
    "InvalidSettingError",
    "LockedError",
    "MemhtmlError",
    "ModelUnavailableError",
    "NotAStoreError",
    "PathNotFoundError",
    "ScopeFields",
    "StorageError",
    "Store",
    "StoreMissingError",
    "UnsafeFileError",
    "UsageError",
    "WriteConflictError",
    "__version__",
]

_OF_API = {"DraftFields": "fields", "ScopeFields": "fields", "Store": "store"}


def __getattr__(name: str) -> object:
    """What is exported is imported when it is first asked for (PEP 562): `memhtml --version` needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module 'memhtml' has no attribute {name!r}")
    from importlib import import_module

    if name == "__version__":
        return import_module("memhtml.domain.version").VERSION
    module = f"memhtml.api.{_OF_API[name]}" if name in _OF_API else "memhtml.domain.errors"
    value: object = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

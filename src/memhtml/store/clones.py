"""What git does not carry from clone to clone: settings that every one of them needs."""

from __future__ import annotations

from memhtml.store.git import Git

_CLONE_SETTINGS = {
    "feature.manyFiles": "true",
    "merge.ours.name": "keep this side's file, publish makes it anew",
    "merge.ours.driver": "true",
}


def missing_settings(git: Git) -> dict[str, str]:
    """The settings that every clone of a store should have and this one has not, by name.

    Raises:
        GitError: the configuration cannot be read.
    """
    printed = git.run("config", "--local", "--null", "--list").decode(errors="replace")
    present = {name: value for name, _, value in (pair.partition("\n") for pair in printed.split("\0"))}
    return {name: value for name, value in _CLONE_SETTINGS.items() if present.get(name.lower()) != value}

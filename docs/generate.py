"""Make the reference pages and AGENTS.md from the program's tables, or, with ``--check``, see that they are fresh."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from memhtml.config.settings import SETTINGS
from memhtml.ops.agents_doc import agents_doc
from memhtml.ops.commands import GLOBALS
from memhtml.ops.guide import usage
from memhtml.ops.manifest import answers, error_codes
from memhtml.ops.operation import Kind, Operation, Parameter, Reads
from memhtml.ops.table import OPERATIONS

ROOT = Path(__file__).parent.parent
NOTE = "<!-- Made by docs/generate.py from the program's tables. Edits here are lost. -->"


def pages() -> Iterator[tuple[Path, str]]:
    """Every generated page and its text."""
    yield ROOT / "AGENTS.md", f"{NOTE}\n\n{agents_doc().text}\n"
    yield ROOT / "docs" / "reference" / "commands.md", _text(commands())
    yield ROOT / "docs" / "reference" / "errors.md", _text(errors())
    yield ROOT / "docs" / "reference" / "settings.md", _text(settings())


def commands() -> Iterator[str]:
    """The page of commands."""
    yield "# Commands"
    yield ""
    yield "On a pipe every command answers with one JSON envelope, at a terminal with text. Help (memhtml alone too),"
    yield "`agents-doc` and `--version` are text everywhere, unless `--json` is given. These flags go with all:"
    yield ""
    yield from _flags(GLOBALS)
    for row in OPERATIONS:
        yield from _command(row)


def _command(row: Operation) -> Iterator[str]:
    yield from ("", f"## {row.name}", "", f"{row.summary}.", "", "```", usage(row), "```")
    for note in row.notes:
        yield from ("", note)
    if row.parameters:
        yield ""
        yield from _flags(row.parameters)
    yield from ("", "Examples:", "", "```", *row.examples, "```", "")
    properties = answers()[row.envelope]["properties"]
    keys = ", ".join(f"`{key}`" for key in properties) if isinstance(properties, dict) else ""
    yield f"Answer: `{row.envelope}` with {keys}."


def _flags(parameters: tuple[Parameter, ...]) -> Iterator[str]:
    yield "| argument | meaning |"
    yield "| --- | --- |"
    for parameter in parameters:
        name = parameter.placeholder if parameter.positional else parameter.flag
        value = "" if parameter.positional or parameter.kind is Kind.FLAG else f" {parameter.placeholder}"
        yield f"| `{_cell(name + value)}` | {_cell(_meaning(parameter))} |"


def _meaning(parameter: Parameter) -> str:
    parts = [parameter.help]
    if parameter.required:
        parts.append("required")
    if parameter.choices:
        parts.append("one of " + ", ".join(f"`{choice}`" for choice in parameter.choices))
    if parameter.reads is Reads.STDIN:
        parts.append("`-` reads standard input")
    if parameter.repeatable:
        parts.append("may be repeated")
    if parameter.low is not None:
        top = "" if parameter.high is None else f" to {parameter.high:.15g}"
        parts.append(f"from {parameter.low:.15g}{top}")
    if parameter.default is not None:
        parts.append(f"default `{parameter.default}`")
    return "; ".join(parts)


def errors() -> Iterator[str]:
    """The page of error codes."""
    yield "# Error codes"
    yield ""
    yield 'An error is `{"apiVersion":"1","error":…,"code":…,"suggestions":[…]}`, some with `details`.'
    yield "Codes stay for ever."
    yield ""
    yield "| code | exit status | meaning | what to do |"
    yield "| --- | --- | --- | --- |"
    for entry in error_codes():
        advice = "; ".join(entry.suggestions)
        yield f"| `{entry.code}` | {entry.exit_status} | {_cell(entry.meaning)} | {_cell(advice)} |"


def settings() -> Iterator[str]:
    """The page of settings."""
    yield "# Settings"
    yield ""
    yield "A flag wins over the environment, that over `.memhtml/config.toml` in the store, that over your own file"
    yield "(`~/.config/memhtml/config.toml` on Linux), that over the default. `memhtml config list` shows where each"
    yield "value came from. A store's file comes along with a cloned store: it is not heard on what is marked so."
    yield ""
    yield "| setting | variable | default | meaning | in a store's file |"
    yield "| --- | --- | --- | --- | --- |"
    for row in SETTINGS:
        default = f"`{row.default}`" if row.default else ""
        yield f"| `{row.name}` | `{row.variable}` | {default} | {_cell(row.help)} | {'yes' if row.in_store else 'no'} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _text(lines: Iterator[str]) -> str:
    return "\n".join([NOTE, "", *lines]) + "\n"


def main(words: list[str]) -> int:
    """Write the pages, or check them; 1 when one is stale."""
    stale = [path for path, text in pages() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in words:
        for path in stale:
            sys.stderr.write(f"{path.relative_to(ROOT)} is stale: run python docs/generate.py\n")
        return 1 if stale else 0
    for path, text in pages():
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

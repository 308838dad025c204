"""The house keeps its shape: sizes, names, suppressions, and the promises that its front pages make."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "memhtml"
MODULES = sorted(SOURCE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

MOST_LINES_IN_A_MODULE = 400
MOST_LINES_IN_A_FUNCTION = 60
MOST_PARAMETERS = 6
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "service", "misc"}
UNFINISHED = re.compile(r"#.*\b(TODO|FIXME|XXX|HACK)\b")
BARE_SUPPRESSION = re.compile(
    r"#\s*(noqa(:\s*[A-Z0-9, ]+)?|type:\s*ignore(\[[^\]]*\])?|pyright:\s*ignore(\[[^\]]*\])?)\s*$"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> list[Function]:
    """Every function and method of a module, nested ones included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def body_lines(node: Function) -> int:
    """Lines of the function without its docstring and its signature."""
    first = node.body[1] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body[0]
    return (node.end_lineno or node.lineno) - first.lineno + 1


def parameters(node: Function) -> int:
    """How many values a caller may give, the bound object left out."""
    named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return sum(argument.arg not in {"self", "cls"} for argument in named)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_is_short_and_has_a_name_of_this_world(path: Path) -> None:
    """No module outgrows what a reader keeps in mind, and none is a drawer for leftovers."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_IN_A_MODULE
    assert path.stem not in VAGUE_NAMES
    assert not path.stem.endswith(("_v2", "_new", "_old"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_function_is_short_and_takes_few_parameters(path: Path) -> None:
    """A function fits on a screen, and a call fits on a line."""
    long = {node.name: body_lines(node) for node in functions(path) if body_lines(node) > MOST_LINES_IN_A_FUNCTION}
    wide = {node.name: parameters(node) for node in functions(path) if parameters(node) > MOST_PARAMETERS}
    assert long == {}
    assert wide == {}


@pytest.mark.parametrize(
    "path",
    [path for path in (*MODULES, *TESTS) if path != Path(__file__).resolve()],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_nothing_is_unfinished_or_silenced_without_a_reason(path: Path) -> None:
    """A mark of unfinished work has no place on the main branch; a suppression says why on its line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        assert not UNFINISHED.search(line), f"line {number}"
        assert not BARE_SUPPRESSION.search(line), f"line {number}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_says_what_it_is_for(path: Path) -> None:
    """The first thing in a module is a sentence about it."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring is not None
    assert len(docstring) > len("Too short.")


def test_every_test_module_has_its_source() -> None:
    """Tests mirror the source: the test file of a module is found by its name."""
    apart = {"repo", "integration"}
    stray = [
        path.relative_to(ROOT).as_posix()
        for path in TESTS
        if path.name.startswith("test_")
        and path.parent.name not in apart
        and path.parent != ROOT / "tests"
        and not (SOURCE / path.parent.relative_to(ROOT / "tests") / path.name.removeprefix("test_")).exists()
    ]
    assert stray == []


def test_the_readme_is_short_and_names_the_test_command() -> None:
    """A newcomer reads it in two minutes, and continuous integration runs the very command that it gives."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) < 600
    command = next(line.strip() for line in readme.splitlines() if "just check" in line)
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_markdown_pages_link_to_what_exists() -> None:
    """No relative link in the front pages and the docs is dead."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert dead == []


def test_decisions_are_short() -> None:
    """A decision that needs more than forty lines has not been made yet."""
    for page in (ROOT / "docs" / "explanation" / "decisions").glob("*.md"):
        assert len(page.read_text(encoding="utf-8").splitlines()) <= 40, page.name

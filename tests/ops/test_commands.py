"""Commands by name, without the whole table."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memhtml.ops.commands import operation
from memhtml.ops.table import OPERATIONS


def test_every_row_of_the_table_is_found_by_its_name() -> None:
    """And by nothing else."""
    assert [operation(row.name) for row in OPERATIONS] == list(OPERATIONS)
    assert operation("") is None
    assert operation("task") is None, "a group alone is no command"
    assert operation("Write") is None


@pytest.mark.parametrize(("name", "more"), [("write", set()), ("search", {"rows_finding"})])
def test_a_common_command_reads_few_rows(name: str, more: set[str]) -> None:
    """Each file of rows costs every such process a millisecond."""
    code = (
        f"import sys; from memhtml.ops.commands import operation; operation({name!r});"
        " print(*(m.rpartition('.')[2] for m in sys.modules if m.startswith('memhtml.ops.rows_')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert set(done.stdout.split()) == {"rows_writing"} | more

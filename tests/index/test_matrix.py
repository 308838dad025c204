"""The vectors as a file that is mapped into memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memhtml.index import vectors
from memhtml.index.database import Kind, open_file
from memhtml.index.matrix import _HEADER, FILE_NAME, LONGEST_TAIL, Matrices, Matrix

SPACE = "hands@8"
MANY = LONGEST_TAIL + 100


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """An index with no files in it: vectors do not ask what they are of."""
    opened, _ = open_file(tmp_path / "index.db", Kind.INDEX)
    yield opened
    opened.close()


def row(number: int) -> np.ndarray:
    """A vector that no other number has."""
    return np.asarray([number, number % 7, 1, 0, 0, 0, 0, 0.5], dtype="<f4")


def add(connection: sqlite3.Connection, numbers: range, space: str = SPACE) -> None:
    """Store the vectors of ``numbers``."""
    vectors.store(connection, space, ((f"{number:064x}", row(number).tobytes()) for number in numbers))


def rows(matrix: Matrix | None) -> np.ndarray:
    """All rows of a matrix."""
    assert matrix is not None
    return np.concatenate((matrix.base, matrix.tail))


def expected(count: int) -> np.ndarray:
    """The vectors of the first numbers."""
    return np.stack([row(number) for number in range(count)])


def test_without_vectors_there_is_no_matrix(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """And no file."""
    assert Matrices(tmp_path).current(connection) is None
    assert not (tmp_path / FILE_NAME).exists()


def test_few_rows_come_from_the_database_alone(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """No file is written for what is read in a millisecond."""
    add(connection, range(LONGEST_TAIL))
    matrix = Matrices(tmp_path).current(connection)
    assert (rows(matrix) == expected(LONGEST_TAIL)).all()
    assert not (tmp_path / FILE_NAME).exists()


def test_many_rows_go_to_the_file_and_new_ones_stand_behind_it(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """A single new row does not rewrite the file; a batch is appended to it."""
    add(connection, range(MANY))
    matrices = Matrices(tmp_path)
    assert (rows(matrices.current(connection)) == expected(MANY)).all()
    file = tmp_path / FILE_NAME
    size = file.stat().st_size
    assert size == _HEADER + MANY * 8 * 4
    add(connection, range(MANY, MANY + 1))
    assert (rows(matrices.current(connection)) == expected(MANY + 1)).all()
    assert file.stat().st_size == size
    add(connection, range(MANY + 1, 2 * MANY))
    for kept in (matrices, Matrices(tmp_path)):
        matrix = kept.current(connection)
        assert (rows(matrix) == expected(2 * MANY)).all()
        assert len(matrix.tail) == 0
    assert file.stat().st_size == _HEADER + 2 * MANY * 8 * 4


def test_a_process_starts_from_the_file(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """Rows that the file has are not read from the database again."""
    add(connection, range(MANY))
    Matrices(tmp_path).current(connection)
    add(connection, range(MANY, MANY + 5))
    matrix = Matrices(tmp_path).current(connection)
    assert matrix is not None
    assert (len(matrix.base), len(matrix.tail)) == (MANY, 5)
    assert isinstance(matrix.base, np.memmap)
    assert (matrix.cosines(row(3)) == rows(matrix) @ row(3)).all()


def test_a_file_of_other_vectors_is_made_anew(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """The chain tells: the same number of rows of other texts, or of another space, is another matrix."""
    add(connection, range(1, MANY + 1))
    Matrices(tmp_path).current(connection)
    vectors.drop_space(connection)
    add(connection, range(MANY))
    assert (rows(Matrices(tmp_path).current(connection)) == expected(MANY)).all()
    vectors.drop_space(connection)
    add(connection, range(MANY), space="feet@8")
    matrix = Matrices(tmp_path).current(connection)
    assert matrix is not None
    assert (rows(matrix) == expected(MANY)).all()


def test_the_kept_matrix_follows_a_change_of_vectors(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """Within one process too."""
    matrices = Matrices(tmp_path)
    add(connection, range(5, 10))
    matrices.current(connection)
    vectors.drop_space(connection)
    assert matrices.current(connection) is None
    add(connection, range(7))
    assert (rows(matrices.current(connection)) == expected(7)).all()


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda data: data[:100],
        lambda data: b"x" + data[1:],
        lambda data: data[: _HEADER + 40],
        lambda data: data.replace(b"8 1124", b"8 9999"),
        lambda data: data.replace(b"8 1124", b"9 1124"),
        lambda data: b"memhtml vectors 1\nnonsense\n" + data[30:],
    ],
)
def test_a_damaged_file_is_done_without(connection: sqlite3.Connection, tmp_path: Path, damage: object) -> None:
    """Empty, cut off, another file, a header that promises too much: the database has everything."""
    add(connection, range(MANY))
    Matrices(tmp_path).current(connection)
    file = tmp_path / FILE_NAME
    file.write_bytes(damage(file.read_bytes()))
    assert (rows(Matrices(tmp_path).current(connection)) == expected(MANY)).all()


def test_rows_without_their_header_are_written_again(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """A process that was killed between the rows and the header left nothing that is believed."""
    add(connection, range(MANY))
    Matrices(tmp_path).current(connection)
    with (tmp_path / FILE_NAME).open("ab") as file:
        file.write(b"\xff" * 5000)
    add(connection, range(MANY, 2 * MANY))
    assert (rows(Matrices(tmp_path).current(connection)) == expected(2 * MANY)).all()
    assert (rows(Matrices(tmp_path).current(connection)) == expected(2 * MANY)).all()


def test_a_folder_that_takes_no_file_is_no_obstacle(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """The cache is done without."""
    add(connection, range(MANY))
    (tmp_path / FILE_NAME).mkdir()
    assert (rows(Matrices(tmp_path).current(connection)) == expected(MANY)).all()


def test_an_older_reader_gets_its_own_rows(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """One that began before rows were added sees those that it knows, and may see more that belong to nothing yet."""
    add(connection, range(MANY))
    matrices = Matrices(tmp_path)
    reader, _ = open_file(tmp_path / "index.db", Kind.INDEX)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM vectors").fetchone()
    add(connection, range(MANY, 3 * MANY))
    matrices.current(connection)
    older = rows(matrices.current(reader))
    assert (older[:MANY] == expected(MANY)).all()
    reader.close()

"""The stores that are measured: made once, kept between runs."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from memories import memories
from processes import run

BATCH = 5_000
REAL_VECTORS_UP_TO = 10_000


def command() -> list[str]:
    """How `memhtml` is started: as an installed one is, by its own script."""
    script = Path(sys.executable).with_name("memhtml")
    return [str(script)] if script.exists() else [sys.executable, "-m", "memhtml"]


def variables(folder: Path, embed: str = "on") -> dict[str, str]:
    """An environment of its own: nobody's home, nobody's settings, one thread."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR", "PYTHONPATH") if name in os.environ}
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {**kept, "HOME": str(home), "MEMHTML_EMBED": embed, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def lines(count: int, seed: int = 1) -> bytes:
    """``count`` lines for `memhtml apply`."""
    return "".join(json.dumps(record) + "\n" for record in memories(count, seed)).encode()


def founded(root: Path, environment: Mapping[str, str]) -> Path:
    """A new, empty store at ``root``; what was there is gone."""
    shutil.rmtree(root, ignore_errors=True)
    run([*command(), "init", "--root", str(root)], variables=environment)
    return root


def store(folder: Path, count: int) -> Path:
    """A store of ``count`` made-up memories, without vectors; the one of an earlier run where there is one."""
    root, done = folder / f"store-{count}", folder / f"store-{count}.done"
    if done.exists():
        return root
    environment = variables(folder, "off")
    founded(root, environment)
    stream = memories(count)
    while batch := list(islice(stream, BATCH)):
        given = "".join(json.dumps(record) + "\n" for record in batch).encode()
        run([*command(), "apply", "-", "--root", str(root)], variables=environment, given=given)
        print(f"  {root.name}: {BATCH:,} more", file=sys.stderr, flush=True)
    done.touch()
    return root


def with_vectors(folder: Path, count: int) -> Path:
    """The same store with a vector for every memory.

    Up to 10,000 memories the model makes them. Above, that would take half an hour: each text gets unit numbers drawn
    from its hash, as many as the model gives, so that what is scanned is as large; a query is always embedded.
    """
    root, done = store(folder, count), folder / f"store-{count}.vectors"
    if done.exists():
        return root
    if count <= REAL_VECTORS_UP_TO:
        run([*command(), "index", "embed", "--root", str(root)], variables=variables(folder))
    else:
        subprocess.run([sys.executable, __file__, str(root)], env=variables(folder), check=True)
    done.touch()
    return root


def stand_ins(root: Path) -> None:
    """Give every text of the store at ``root`` a vector that no model made."""
    import numpy as np  # only where stand-ins are made

    from memhtml.index.index import Index
    from memhtml.models.minilm import DIMENSION, STANDARD_SPACE

    with Index.open(root) as index:
        while portion := index.pending(STANDARD_SPACE, BATCH):
            rows = []
            for text in portion:
                seed = int.from_bytes(hashlib.sha256(text.text.encode()).digest()[:8], "big")
                row = np.random.default_rng(seed).standard_normal(DIMENSION)
                rows.append((text.text_hash, (row / np.linalg.norm(row)).astype("<f4").tobytes()))
            index.store_vectors(STANDARD_SPACE, rows)
            print(f"  {root.name}: {len(rows):,} more vectors", file=sys.stderr, flush=True)


if __name__ == "__main__":
    stand_ins(Path(sys.argv[1]))

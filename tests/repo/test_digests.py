"""What a command loads for its digests."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec


def test_openssl_is_loaded_only_where_python_has_nothing_else() -> None:
    """Loading it takes a command longer than git takes for its commit."""
    own = find_spec("_sha1") is not None and (find_spec("_sha2") or find_spec("_sha256")) is not None
    script = "import sys, memhtml.domain.digests; print('_hashlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{not own}\n"

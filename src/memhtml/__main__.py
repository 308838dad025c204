"""`python -m memhtml` is `memhtml`."""

from __future__ import annotations

import sys

from memhtml.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

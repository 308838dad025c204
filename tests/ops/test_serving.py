"""What would be served."""

from __future__ import annotations

from pathlib import Path

from memhtml import Store
from memhtml.config.settings import load
from memhtml.ops.serving import served
from memhtml.workspace.workspace import Workspace


def test_it_says_whether_a_store_is_there(root: Path, environment: dict[str, str]) -> None:
    """Before there is one, and after; none is made by asking."""
    settings = load({"root": str(root)}, environment, root.parent / "none.toml", root.parent)
    with Workspace(settings, variables=environment) as workspace:
        assert served(workspace).ready is False
        assert not root.exists()
        Store.init(root, embed="off").close()
        assert served(workspace).ready is True
        assert (served(workspace).root, served(workspace).transport) == (root, "stdio")

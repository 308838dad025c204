"""What every test may ask for: an environment of its own, and property tests that do not watch the clock."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is slow, not wrong: no deadline decides a property. The check draws the same examples on every
# machine, so that what passed once passes again; `just explore` draws new ones.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile(
    "explore", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=500, print_blob=True
)
settings.load_profile("steady")

# Programs that tests start: they import one another from their own folder, which only such a program has on its path.
collect_ignore = ["integration/run_storm.py", "integration/merge_storm.py", "integration/night_storm.py"]

SETTINGS = (
    *("MEMHTML_ROOT", "MEMHTML_TRACE_ROOT", "MEMHTML_EMBED", "MEMHTML_MODEL"),
    *("XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"),
)


@pytest.fixture(autouse=True)
def _nobodys_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the home, the git configuration or the settings of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith("GIT_") or name in SETTINGS]:
        monkeypatch.delenv(name)
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def environment() -> dict[str, str]:
    """The variables of this process, as the store takes them."""
    return dict(os.environ)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where a test makes its store; nothing is there yet."""
    return tmp_path / "store"

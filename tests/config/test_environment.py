"""Where the environment says that things are."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from memhtml.config.environment import cache_folder, environment, home, state_folder, user_file


def test_the_environment_is_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What changes later is not seen."""
    monkeypatch.setenv("MEMHTML_EMBED", "off")
    before = environment()
    monkeypatch.setenv("MEMHTML_EMBED", "on")
    assert before["MEMHTML_EMBED"] == "off"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs is asked itself")
@pytest.mark.parametrize("named", [True, False])
def test_the_folders_are_those_that_platformdirs_knows(monkeypatch: pytest.MonkeyPatch, *, named: bool) -> None:
    """The short cut for Linux gives the same answer, with the XDG variables and without."""
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
        if named:
            monkeypatch.setenv(variable, f"/somewhere/{variable.lower()}")
    variables = environment()
    assert user_file(variables) == platformdirs.user_config_path("memhtml") / "config.toml"
    assert cache_folder(variables) == platformdirs.user_cache_path("memhtml")
    assert state_folder(variables) == platformdirs.user_state_path("memhtml")


def test_home_is_what_the_variables_say(tmp_path: Path) -> None:
    """A test, or a service, has a home of its own."""
    assert home({"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}) == tmp_path
    assert home({}) == Path.home()

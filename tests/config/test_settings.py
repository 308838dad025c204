"""Settings: which source wins, and what each of them may say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memhtml.config.settings import SETTINGS, Fault, Settings, Source, check, load, setting
from memhtml.domain.errors import InvalidSettingError, UnsafeFileError


class Places:
    """A store, a user file and a working folder in one temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "store"
        self.user_file = folder / "user.toml"
        self.store_file = self.root / ".memhtml" / "config.toml"
        self.store_file.parent.mkdir(parents=True)

    def load(
        self, flags: dict[str, str] | None = None, variables: dict[str, str] | None = None, *, forgiving: bool = False
    ) -> Settings:
        """Read the settings; the root is named unless a test does so itself."""
        given = {"root": str(self.root)} if flags is None else flags
        return load(
            given, {"HOME": str(self.folder), **(variables or {})}, self.user_file, self.folder, forgiving=forgiving
        )


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Nothing is set anywhere."""
    return Places(tmp_path)


def source_of(settings: Settings, name: str) -> tuple[str, Source]:
    """Where a setting's value came from."""
    return next((value.value, value.source) for value in settings.values if value.name == name)


def test_without_any_source_the_defaults_hold(places: Places) -> None:
    """The default root is in the home folder, vectors are on, and the source says so."""
    settings = places.load(flags={})
    assert settings.root == places.folder / "memhtml"
    assert settings.embed == "on"
    assert settings.embed_url is None
    assert settings.lock_wait == 30.0
    assert {value.source for value in settings.values} == {Source.DEFAULT}
    assert settings.ignored == ()


def test_transcripts_are_where_a_person_says_and_never_where_a_store_does(places: Places) -> None:
    """By default in a folder of the home; a store that was cloned cannot have other files read."""
    assert places.load().trace_root == places.folder / ".claude"
    assert places.load(variables={"MEMHTML_TRACE_ROOT": "~/agents"}).trace_root == places.folder / "agents"
    places.user_file.write_text('trace_root = "here"\n')
    places.store_file.write_text('trace_root = "/etc"\n')
    settings = places.load()
    assert settings.trace_root == places.folder / "here"
    assert source_of(settings, "trace_root") == (str(places.folder / "here"), Source.USER)
    assert settings.ignored == ((str(places.store_file), "trace_root"),)


def test_flags_beat_environment_beats_store_beats_user_beats_default(places: Places) -> None:
    """Each source is taken away in turn, and the next one is heard."""
    places.user_file.write_text('embed = "user@1"\n')
    places.store_file.write_text('embed = "store@2"\n')
    flags = {"root": str(places.root)}
    variables = {"MEMHTML_EMBED": "environment@3"}
    heard = places.load({**flags, "embed": "flag@4"}, variables)
    assert source_of(heard, "embed") == ("flag@4", Source.FLAG)
    assert source_of(places.load(flags, variables), "embed") == ("environment@3", Source.ENVIRONMENT)
    assert source_of(places.load(flags), "embed") == ("store@2", Source.STORE)
    places.store_file.unlink()
    assert source_of(places.load(flags), "embed") == ("user@1", Source.USER)
    places.user_file.unlink()
    assert source_of(places.load(flags), "embed") == ("on", Source.DEFAULT)


def test_a_value_names_the_place_it_came_from(places: Places) -> None:
    """The flag, the variable or the file."""
    places.store_file.write_text("lock_wait = 3\n")
    settings = places.load(variables={"MEMHTML_EMBED": "off"})
    origins = {value.name: value.origin for value in settings.values}
    assert origins["root"] == "--root"
    assert origins["embed"] == "MEMHTML_EMBED"
    assert origins["lock_wait"] == str(places.store_file)
    assert origins["embed_url"] == ""
    assert settings.lock_wait == 3.0


def test_an_empty_variable_counts_as_absent(places: Places) -> None:
    """`MEMHTML_EMBED= memhtml search` is no request for a setting of no characters."""
    assert places.load(variables={"MEMHTML_EMBED": ""}).embed == "on"


def test_a_store_cannot_send_memories_elsewhere_nor_name_its_own_place(places: Places) -> None:
    """What comes along with a cloned store is heard only where it can do no harm, and is reported otherwise."""
    places.store_file.write_text(
        'root = "/elsewhere"\nembed_url = "https://collector.example"\nembed_key = "k"\n'
        'embed_weights = "w"\nmodel = "openai:gpt-5"\nembed = "off"\n'
    )
    settings = places.load()
    assert settings.root == places.root
    assert settings.embed_url is None
    assert settings.embed_key is None
    assert settings.embed_weights is None
    assert settings.model == "off"
    assert settings.embed == "off"
    assert settings.ignored == tuple(
        (str(places.store_file), name) for name in ("embed_key", "embed_url", "embed_weights", "model", "root")
    )


def test_a_secret_is_used_and_never_shown(places: Places) -> None:
    """`config list` says only that it is set."""
    settings = places.load(variables={"MEMHTML_EMBED_KEY": "sk-very-secret"})
    assert settings.embed_key == "sk-very-secret"
    assert "sk-very-secret" not in repr(settings.values)
    assert source_of(settings, "embed_key") == ("(set)", Source.ENVIRONMENT)


def test_a_relative_root_starts_from_the_working_folder_and_a_tilde_from_home(places: Places) -> None:
    """Both give an absolute folder."""
    assert places.load({"root": "here/store"}).root == places.folder / "here" / "store"
    assert places.load({"root": "~/mine"}).root == places.folder / "mine"
    assert places.load({"root": "~"}).root == places.folder
    assert places.load({}, {"MEMHTML_ROOT": str(places.root)}).root == places.root


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("embed", "maybe"),
        ("embed", "@3"),
        ("embed", "model@0"),
        ("embed", "model@x"),
        ("embed", "a model@3"),
        ("model", "gpt-5"),
        ("model", "openai:"),
        ("model", "Open AI:gpt"),
        ("embed_url", "ftp://x"),
        ("embed_url", "localhost:11434"),
        ("lock_wait", "-1"),
        ("lock_wait", "soon"),
        ("lock_wait", "nan"),
        ("lock_wait", "3601"),
        ("root", "a\0b"),
        ("root", "x" * 5000),
    ],
)
def test_a_value_outside_its_shape_is_refused_with_its_source(places: Places, name: str, value: str) -> None:
    """The message names the setting and where the value came from; `config set` refuses the same values."""
    with pytest.raises(InvalidSettingError, match=rf"{name} \(--{name.replace('_', '-')}\)"):
        places.load({"root": str(places.root), name: value})
    if name != "root":
        with pytest.raises(InvalidSettingError):
            check(setting(name), value)


@pytest.mark.parametrize("data", [b"embed = ", b"\xff\xfe", b"embed = on"])
def test_a_file_that_is_no_toml_is_named(places: Places, data: bytes) -> None:
    """It is an error, not a silent fall back to the defaults."""
    places.store_file.write_bytes(data)
    with pytest.raises(InvalidSettingError, match=r"config\.toml is no valid TOML"):
        places.load()


def test_a_file_with_a_byte_order_mark_and_windows_newlines_is_read(places: Places) -> None:
    """Editors on Windows write both."""
    places.store_file.write_bytes(b'\xef\xbb\xbfembed = "off"\r\nlock_wait = 2\r\n')
    assert (places.load().embed, places.load().lock_wait) == ("off", 2.0)


def test_a_boolean_is_read_as_on_and_off(places: Places) -> None:
    """`embed = false` is what a person writes in TOML."""
    places.store_file.write_text("embed = false\n")
    assert places.load().embed == "off"


def test_unknown_names_are_reported_and_do_no_harm(places: Places) -> None:
    """A store may have been configured by a later version."""
    places.store_file.write_text('future = "x"\n[table]\nembed = "off"\n')
    places.user_file.write_text("embded = 1\n")
    settings = places.load()
    assert settings.embed == "on"
    assert settings.ignored == ((str(places.store_file), "future"), (str(places.user_file), "embded"))


def test_an_unknown_setting_is_refused_and_dashes_are_underscores() -> None:
    """Both spellings find the row."""
    assert setting("embed-url") is setting("embed_url")
    with pytest.raises(InvalidSettingError, match="there is no setting"):
        setting("colour")


def test_every_setting_has_a_variable_of_its_own_and_no_secret_is_in_a_store() -> None:
    """The table is consistent with what the pages promise of it."""
    assert len({row.variable for row in SETTINGS}) == len(SETTINGS)
    assert all(row.variable == f"MEMHTML_{row.name.upper()}" for row in SETTINGS)
    assert not any(row.secret and row.in_store for row in SETTINGS)


def test_a_broken_value_in_a_file_is_refused_with_the_command_that_takes_it_out(places: Places) -> None:
    """Another one for the store's file than for the user's."""
    places.store_file.write_text('lock_wait = "soon"\n')
    places.user_file.write_text('embed = "maybe"\n')
    with pytest.raises(InvalidSettingError) as caught:
        places.load({"root": str(places.root), "embed": "on"})
    assert caught.value.suggestions == ("memhtml config unset lock_wait", f"edit {places.store_file}")
    places.store_file.unlink()
    with pytest.raises(InvalidSettingError) as caught:
        places.load()
    assert "memhtml config unset embed --user" in caught.value.suggestions


def test_what_is_wrong_in_files_is_passed_over_and_told_where_that_is_asked_for(places: Places) -> None:
    """The rest of the file is heard; a flag that is wrong is still refused, and nothing wrong is no fault."""
    places.user_file.write_text("lock_wait = ")
    places.store_file.write_text('embed = "off"\nlock_wait = "soon"\nfuture = "x"\n')
    settings = places.load(forgiving=True)
    assert (settings.embed, settings.lock_wait) == ("off", 30.0)
    assert settings.ignored == ((str(places.store_file), "future"),)
    user, store = settings.faults
    assert user.file == str(places.user_file)
    assert "is no valid TOML" in user.message
    assert f"edit {places.user_file}" in user.fix
    assert store == Fault(
        str(places.store_file),
        f"lock_wait ({places.store_file}) takes a number of seconds from 0 to 3600",
        f"memhtml config unset lock_wait; or edit {places.store_file}",
    )
    with pytest.raises(InvalidSettingError):
        places.load({"root": str(places.root), "embed": "maybe"}, forgiving=True)
    places.user_file.unlink()
    places.store_file.unlink()
    assert places.load(forgiving=True) == places.load()
    assert places.load().faults == ()


@pytest.mark.skipif(os.name != "posix", reason="links and FIFOs as POSIX has them")
def test_the_stores_file_is_not_read_through_a_link_nor_from_a_fifo_and_the_users_may_be_a_link(
    places: Places,
) -> None:
    """A clone brings the one; the other is where its owner keeps it."""
    elsewhere = places.folder / "elsewhere.toml"
    elsewhere.write_text("lock_wait = 7\n")
    places.user_file.symlink_to(elsewhere)
    assert places.load().lock_wait == 7
    places.store_file.symlink_to(elsewhere)
    with pytest.raises(UnsafeFileError, match=r"config\.toml is a symbolic link"):
        places.load()
    assert [fault.fix for fault in places.load(forgiving=True).faults] == [f"remove {places.store_file}"]
    places.store_file.unlink()
    os.mkfifo(places.store_file)
    with pytest.raises(UnsafeFileError, match="FIFO"):
        places.load()
    places.store_file.unlink()
    places.store_file.parent.rmdir()
    places.store_file.parent.symlink_to(places.folder)
    with pytest.raises(UnsafeFileError):
        places.load()


def test_a_language_model_is_asked_for_by_provider_and_name(places: Places) -> None:
    """Off unless somebody says otherwise; what follows the colon is the provider's business."""
    assert places.load().model == "off"
    assert places.load(variables={"MEMHTML_MODEL": "ollama:qwen3:8b"}).model == "ollama:qwen3:8b"

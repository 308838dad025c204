"""A program: at every call to the system that names a file, once, an install or an uninstall is killed.

Its arguments are the folder to work in and what is killed. It prints how many instants there were, and fails with a
sentence at the first after which something is lost.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from memhtml.integrations import installing, receipt
from memhtml.integrations.hosts import HostName, Places, Reach, targets
from memhtml.integrations.receipt import Receipt

NOTE = "note"
BEFORE = {
    ".claude.json": b'{"mcpServers": {}, "n": 1}',
    ".claude/CLAUDE.md": b"# Mine\r\n",
    ".claude/settings.json": b'{\n  // mine\n  "hooks": {}\n}',
}
EVENTS = ("open", "os.", "shutil.")
KILLED = 9


def snapshot(home: Path) -> dict[str, bytes | None]:
    """Every file and folder."""
    return {str(path.relative_to(home)): path.read_bytes() if path.is_file() else None for path in home.rglob("*")}


def install(home: Path) -> None:
    """Make memhtml known to Claude Code."""
    places = Places(home, {}, home)
    changes = installing.putting_in(targets(HostName.CLAUDE_CODE, Reach.USER, places, ("/m",), Path("/s")), NOTE)
    written = tuple(change.written for change in changes if change.written is not None)
    kept = Receipt(receipt.FORM, HostName.CLAUDE_CODE, Reach.USER, None, NOTE, written)
    installing.put_in(changes, kept, place(home))


def uninstall(home: Path) -> None:
    """Take it out, if a receipt is there."""
    kept = receipt.load(place(home))
    if kept is not None:
        installing.take_out(installing.taking_out(kept), kept, place(home))


def place(home: Path) -> Path:
    """The receipt."""
    return receipt.place(home / "state" / "memhtml", HostName.CLAUDE_CODE, Reach.USER, None)


def killed(do: str, home: Path, instant: int) -> bool:
    """Whether a process that does it was killed at that instant, rather than done before."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED
    left = instant

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        # Modules that are imported on the way are no files of a person.
        if event.startswith(EVENTS) and arguments and str(home) in str(arguments[0]):
            left -= 1
            if left < 0:
                os._exit(KILLED)

    sys.addaudithook(hook)
    try:
        {"install": install, "uninstall": uninstall}[do](home)
    except BaseException as error:  # noqa: BLE001 - the process ends here, whatever it is
        print(repr(error), flush=True)  # noqa: T201 - a program
        os._exit(1)
    os._exit(0)


def check(home: Path, before: dict[str, bytes | None], after: dict[str, bytes | None], instant: int) -> None:
    """Every file is the old or the new one, and an uninstall leaves what was there before."""
    for name, data in snapshot(home).items():
        temporary = name.endswith(".memhtml-new")
        if data is not None and not temporary and data not in {before.get(name), after.get(name)}:
            sys.exit(f"at {instant} {name} is neither the old nor the new one")
    missing = [name for name, data in before.items() if data is not None and not (home / name).exists()]
    if missing:
        sys.exit(f"at {instant} {missing} are gone")
    uninstall(home)
    left = {name: data for name, data in snapshot(home).items() if not name.startswith("state")}
    if left != before:
        sys.exit(f"at {instant} an uninstall leaves {sorted(set(left) ^ set(before)) or 'other bytes'}")


def main(folder: Path, do: str) -> None:
    """Kill it at every instant, one after the other."""
    origin = folder / "origin"
    for name, data in BEFORE.items():
        path = origin / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    before = snapshot(origin)
    whole = shutil.copytree(origin, folder / "home")
    install(whole)
    after = snapshot(whole)
    instant, going = 0, True
    while going:
        home = folder / "home"
        shutil.rmtree(home)
        shutil.copytree(origin, home)
        if do == "uninstall":
            install(home)
        going = killed(do, home, instant)
        check(home, before, after, instant)
        instant += 1
    print(instant - 1)  # noqa: T201 - a program


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

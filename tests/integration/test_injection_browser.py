"""A real browser on every page that memories get into: nothing of theirs runs there, and nothing is fetched."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.integration.injections import BEACON, CORPUS, REFUSED

from memhtml import Store
from memhtml.ops.publish import publish
from memhtml.ops.sleep.review import run_page
from memhtml.ops.sleep.run import sleep
from memhtml.sleep.review.report import committed_page
from memhtml.sleep.review.review import reviewed
from memhtml.store.branches import Runs

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), None)
HARNESS = "/harness"

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


def test_no_page_of_a_memory_runs_or_fetches(tmp_path: Path) -> None:
    """Memories as they were written, what is published, the report and the review of a night over all of them."""
    with serving() as (pages, asked, address):
        pages.update(everything(tmp_path / "store", f"{address}/beacon"))
        assert len(pages) > len(CORPUS) + 5
        looked_at(pages, address, tmp_path)
        assert {path for path in asked if path in pages} >= set(pages)
        assert [path for path in asked if path not in pages and path != "/favicon.ico"] == []


def test_the_same_browser_sees_what_does_run(tmp_path: Path) -> None:
    """Of what no write takes, most runs or fetches at once when it stands in a page; else nothing would be shown."""
    with serving() as (pages, asked, address):
        for number, markup in enumerate(REFUSED):
            pages[f"/{number}.html"] = f"<!doctype html><title>a</title>{markup.format(f'{address}/beacon?{number}')}"
        looked_at(pages, address, tmp_path)
        beacons = {path for path in asked if path.startswith("/beacon")}
        assert len(beacons) > len(REFUSED) // 2, beacons


def everything(root: Path, beacon: str) -> dict[str, str]:
    """Every page of a store with all of the corpus, by its address."""
    with Store.init(root, embed="fake-words@64") as made:
        for attempt in CORPUS:
            body, markup = (text and text.replace(BEACON, beacon) for text in (attempt.body, attempt.markup))
            fields: dict[str, Any] = {"article_html": markup} if markup else {"body": body}
            made.write(attempt.claim.replace(BEACON, beacon) or None, tags=["odd"], **fields)
        workspace = made._workspace
        run = sleep(workspace)
        publish(workspace)
        review = reviewed(workspace.repository.git, Runs(workspace.repository).find(run.run))
        pages = {"/review.html": run_page(workspace, run.run), "/report.html": committed_page(review)}
    files = [path for path in root.rglob("*.html") if not {".git", ".memhtml"} & set(path.relative_to(root).parts)]
    return pages | {f"/{path.relative_to(root).as_posix()}": path.read_text(encoding="utf-8") for path in files}


def looked_at(pages: dict[str, str], address: str, folder: Path) -> None:
    """All of ``pages`` are opened in one window, each in a frame of its own."""
    frames = "".join(f'<iframe src="{path}"></iframe>' for path in pages)
    pages[HARNESS] = f"<!doctype html><title>all</title>{frames}"
    assert BROWSER is not None
    command = [
        *[BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--no-first-run"],
        *["--disable-background-networking", f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=10000"],
        *["--dump-dom", f"{address}{HARNESS}"],
    ]
    done = subprocess.run(command, capture_output=True, timeout=100, check=False)
    assert b"<iframe" in done.stdout, done.stderr[-2_000:]


@contextmanager
def serving() -> Iterator[tuple[dict[str, str], list[str], str]]:
    """A server on this machine: pages to fill in, what was asked for, its address."""
    pages: dict[str, str] = {}
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        """Gives the pages, and remembers every request."""

        def do_GET(self) -> None:
            """Any path."""
            asked.append(self.path)
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield pages, asked, f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()

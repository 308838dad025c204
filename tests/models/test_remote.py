"""The embedder behind a server, against a real one on the loopback interface."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidSettingError, ModelUnavailableError
from memhtml.models.embedder import Identity, Space
from memhtml.models.remote import LARGEST_ANSWER, LONGEST_WAIT, Clock, RemoteEmbedder, Server

KEY = "sk-very-secret-123"
SPACE = Space("small-model@3")
Answer = Callable[["Request"], "Reply"]


@dataclass(frozen=True)
class Request:
    """What the server was sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """The input."""
        texts: list[str] = self.body["input"]
        return texts


@dataclass(frozen=True)
class Reply:
    """What the server says. ``body`` is sent as it is when it is bytes; None breaks the connection off."""

    status: int
    body: object
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Log:
    """A running server: where it is, what it was sent, and how long the client slept between attempts."""

    url: str
    requests: list[Request]
    slept: list[float]
    now: float = 0.0

    def embedder(self, *, space: Space = SPACE, patience: float = 20.0, attempts: int = 3) -> RemoteEmbedder:
        """A client whose clock stands still and whose sleep is written down."""
        server = Server(self.url, KEY, patience, attempts)
        return RemoteEmbedder(space, server, clock=Clock(now=lambda: self.now, sleep=self.slept.append))


@contextmanager
def serving(answer: Answer) -> Iterator[Log]:
    """A server that says what ``answer`` gives."""
    requests: list[Request] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = Request(self.path, dict(self.headers), body)
            requests.append(request)
            reply = answer(request)
            if reply.body is None:
                return
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(data)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the class overrides
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - handed on
            """A client that hung up is what some tests are about; whatever else goes wrong here is shown."""
            if not isinstance(sys.exception(), ConnectionError):
                super().handle_error(request, client_address)

    with Quiet(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Log(f"http://127.0.0.1:{server.server_port}/v1", requests, [])
        finally:
            server.shutdown()
            thread.join()


def vector(text: str) -> list[float]:
    """A vector that tells texts apart, not of length 1."""
    return [float(len(text)), 3.0, 4.0]


def good(request: Request) -> Reply:
    """What a well-behaved server says."""
    entries = [{"object": "embedding", "index": n, "embedding": vector(text)} for n, text in enumerate(request.texts)]
    return Reply(200, {"object": "list", "data": entries, "model": "small-model", "usage": {}})


def said(*replies: Reply) -> Answer:
    """These replies one after the other, the last one for ever; a status of 0 stands for a good answer."""
    left = list(replies)

    def answer(request: Request) -> Reply:
        reply = left.pop(0) if len(left) > 1 else left[0]
        return good(request) if reply.status == 0 else reply

    return answer


GOOD = Reply(0, b"")


def refused(answer: Answer, *, attempts: int = 3) -> ModelUnavailableError:
    """The error for one text that comes of ``answer``; it must hold neither key nor text."""
    with serving(answer) as log, pytest.raises(ModelUnavailableError) as caught:
        log.embedder(attempts=attempts).embed(["a secret body"])
    shown = f"{caught.value} {caught.value.suggestions} {caught.value.__cause__!r}"
    assert KEY not in shown
    assert "secret" not in shown
    assert caught.value.suggestions
    return caught.value


def test_rows_come_back_scaled_and_in_order() -> None:
    """The request is OpenAI's; the rows are float32 of length 1."""
    with serving(good) as log:
        rows = log.embedder().embed(["", "dozen letter"])
    (request,) = log.requests
    assert request.path == "/v1/embeddings"
    assert request.body == {"model": "small-model", "input": [" ", "dozen letter"]}
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.headers["Content-Type"] == "application/json"
    assert rows.dtype == np.float32
    assert rows.round(4).tolist() == np.array([[0.1961, 0.5883, 0.7845], [0.9231, 0.2308, 0.3077]], "float32").tolist()


def test_without_a_key_none_is_sent() -> None:
    """Ollama needs none."""
    with serving(good) as log:
        RemoteEmbedder(SPACE, Server(log.url)).embed(["x"])
    assert "Authorization" not in log.requests[0].headers


def test_a_slash_at_the_end_of_the_url_is_no_matter() -> None:
    """People write both."""
    with serving(good) as log:
        RemoteEmbedder(SPACE, Server(log.url + "/")).embed(["x"])
    assert log.requests[0].path == "/v1/embeddings"


def test_answers_in_another_order_are_sorted_by_their_index() -> None:
    """Some servers number the vectors and send them as they are done."""

    def backwards(request: Request) -> Reply:
        return Reply(200, {"data": list(reversed(good(request).body["data"]))})

    texts = ["a" * size for size in range(1, 9)]
    with serving(good) as one, serving(backwards) as other:
        assert (one.embedder().embed(texts) == other.embedder().embed(texts)).all()


def test_answers_without_an_index_are_taken_in_order() -> None:
    """Not every server numbers them."""

    def bare(request: Request) -> Reply:
        return Reply(200, {"data": [{"embedding": vector(text)} for text in request.texts]})

    with serving(good) as one, serving(bare) as other:
        assert (one.embedder().embed(["aaa", "b"]) == other.embedder().embed(["aaa", "b"])).all()


def test_many_texts_go_in_portions_of_64() -> None:
    """130 texts are three requests, and every row is in its place."""
    texts = ["a" * size for size in range(130)]
    with serving(good) as log:
        rows = log.embedder().embed(texts)
    assert [len(request.texts) for request in log.requests] == [64, 64, 2]
    expected = np.array([vector(text or " ") for text in texts])
    assert np.allclose(rows, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-7)


def test_no_texts_are_no_request() -> None:
    """An empty call has an empty answer of the right width."""
    with serving(good) as log:
        assert log.embedder().embed([]).shape == (0, 3)
    assert log.requests == []


def test_any_text_can_be_sent() -> None:
    """Half surrogate pairs, NUL, other scripts: nothing raises, and what is text arrives as it was."""
    texts = ["half \udcff pair", "nul \x00", "東京 🚒", "\n"]
    with serving(good) as log:
        log.embedder().embed(texts)
    assert log.requests[0].texts == ["half ? pair", "nul \x00", "東京 🚒", " "]


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_failure_that_may_pass_is_tried_again(status: int) -> None:
    """Twice at most, after half a second and a second."""
    with serving(said(Reply(status, b""), Reply(status, b""), GOOD)) as log:
        assert log.embedder().embed(["x"]).shape == (1, 3)
    assert len(log.requests) == 3
    assert log.slept == [0.5, 1.0]


def test_a_broken_connection_is_tried_again() -> None:
    """The server hangs up without a word."""
    with serving(said(Reply(1, None), GOOD)) as log:
        assert log.embedder().embed(["x"]).shape == (1, 3)
    assert log.slept == [0.5]


def test_a_failure_that_stays_is_reported_after_the_last_attempt() -> None:
    """With the status, the number of attempts, and what to do."""
    error = refused(said(Reply(429, b"")))
    assert "answered 429 (3 attempts)" in error.message
    assert "quota" in error.suggestions[0]
    assert "broke the connection off (1 attempt)" in refused(said(Reply(1, None)), attempts=1).message


def test_the_server_says_how_long_to_wait() -> None:
    """Its wish is followed up to ten seconds; more is a refusal, and a date or nonsense is no wish."""
    headers = [{"Retry-After": value} for value in ("7", "Wed, 21 Oct 2026 07:28:00 GMT", "10", "0", "-3")]
    with serving(said(*(Reply(503, b"", header) for header in headers), GOOD)) as log:
        log.embedder(attempts=9).embed(["x"])
    assert log.slept == [7.0, 1.0, 10.0, 4.0, 8.0]
    with serving(said(Reply(503, b"", {"Retry-After": "11"}), GOOD)) as log:
        with pytest.raises(ModelUnavailableError, match=r"answered 503 \(1 attempt\)"):
            log.embedder().embed(["x"])
        assert log.slept == []
    assert LONGEST_WAIT == 10.0


def test_waits_double_up_to_ten_seconds() -> None:
    """However many attempts are allowed."""
    with serving(said(Reply(500, b""))) as log:
        with pytest.raises(ModelUnavailableError):
            log.embedder(attempts=8).embed(["x"])
        assert log.slept == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


@pytest.mark.parametrize(
    ("status", "hint"),
    [(400, "embeddings"), (401, "API key"), (403, "API key"), (404, "/v1"), (413, "less text"), (418, "URL is right")],
)
def test_a_refusal_is_not_tried_again(status: int, hint: str) -> None:
    """It would be the same. What the server says is not repeated: it may quote the key or the texts."""
    echo = {"error": {"message": f"Incorrect API key {KEY} for 'a secret body'"}}
    with serving(said(Reply(status, echo))) as log:
        with pytest.raises(ModelUnavailableError) as caught:
            log.embedder().embed(["a secret body"])
        assert len(log.requests) == 1
    assert f"answered {status}" in caught.value.message
    assert hint in caught.value.suggestions[0]
    assert KEY not in caught.value.message


def test_a_redirect_is_not_followed() -> None:
    """Texts and key go to the server that was named, and to no other."""
    with serving(good) as other:
        error = refused(said(Reply(307, b"", {"Location": f"{other.url}/embeddings"})))
        assert "answered 307" in error.message
        assert other.requests == []


@pytest.mark.parametrize(
    "body",
    [
        *[
            b"",
            b"<html>",
            b"\xff\xfe",
            b"[]",
            b"null",
            b"3",
            b"{}",
            b'{"data":null}',
            b'{"data":[[]]}',
            b'{"data":[{}]}',
        ],
        *[b'{"data":[{"embedding":"AACAPw=="}]}', b'{"data":[{"embedding":{"0":1}}]}'],
        *[b'{"data":[{"index":"x","embedding":[]}]}', b'{"data":[{"index":1e999,"embedding":[1,2,3]}]}'],
        *[b"[" * 200_000, b'{"data":{"embedding":[1,2,3]}}'],
    ],
)
def test_an_answer_that_is_no_list_of_embeddings_is_refused(body: bytes) -> None:
    """Whatever it is, it is named for what it is not."""
    assert "something other than a list of embeddings" in refused(said(Reply(200, body))).message


@pytest.mark.parametrize(
    "numbers", ["[0,0,0]", "[NaN,1,1]", "[Infinity,1,1]", '["1",1,1]', "[null,1,1]", "[[1],1,1]", f"[1{'0' * 400},1,1]"]
)
def test_a_vector_without_a_direction_is_refused(numbers: str) -> None:
    """Of length 0, not finite, or not made of numbers."""
    body = f'{{"data":[{{"index":0,"embedding":{numbers}}}]}}'.encode()
    assert "empty or not finite" in refused(said(Reply(200, body))).message


@pytest.mark.parametrize("numbers", ["[1e200,1e200,0]", "[1e-300,1e-300,0]", "[7,7,0]"])
def test_a_vector_of_any_size_is_scaled(numbers: str) -> None:
    """Its direction is what counts, whether or not its square can be written."""
    with serving(said(Reply(200, f'{{"data":[{{"embedding":{numbers}}}]}}'.encode()))) as log:
        rows = log.embedder().embed(["x"])
    assert np.allclose(rows, [[0.70710678, 0.70710678, 0.0]], atol=1e-7)


@pytest.mark.parametrize("indexes", [[], [0, 1], [1], [0, 0], [-1]])
def test_another_number_of_vectors_than_texts_is_refused(indexes: list[int]) -> None:
    """Too few, too many, or the same one twice."""
    data = [{"index": index, "embedding": [1, 2, 3]} for index in indexes]
    assert f"{len(indexes)} vectors for 1 texts" in refused(said(Reply(200, {"data": data}))).message


def test_another_dimension_is_refused_with_the_setting_that_fits() -> None:
    """The number in the setting was wrong, or the model was."""
    error = refused(said(Reply(200, {"data": [{"index": 0, "embedding": [1.0] * 5}]})))
    assert "have 5 dimensions, not 3" in error.message
    assert error.suggestions == ("set the space to small-model@5",)


def test_a_flood_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer may not fill the memory; the limit is far above what 64 texts need."""
    assert LARGEST_ANSWER > 64 * 8192 * 25
    monkeypatch.setattr("memhtml.models.remote.LARGEST_ANSWER", 1000)
    assert "more than 1,000 bytes" in refused(said(Reply(200, b" " * 1001))).message
    assert "list of embeddings" in refused(said(Reply(200, b" " * 1000))).message


def test_a_server_that_drips_is_cut_off_at_the_deadline() -> None:
    """Each byte comes in time, the whole does not: the clock decides, not the socket."""
    ticks = iter(range(0, 10_000, 15))
    clock = Clock(now=lambda: float(next(ticks)), sleep=lambda _: None)
    with serving(said(Reply(200, b" " * 5_000_000))) as log:
        slow = RemoteEmbedder(SPACE, Server(log.url, KEY, patience=20.0), clock=clock)
        with pytest.raises(ModelUnavailableError, match="gave no answer in 20 seconds"):
            slow.embed(["x"])
    assert len(log.requests) == 1


def test_a_server_that_never_answers_is_given_up() -> None:
    """After the patience, and not tried again: the person is waiting."""
    release = Event()

    def silent(_: Request) -> Reply:
        release.wait(30)
        return Reply(1, None)

    with serving(silent) as log:
        try:
            with pytest.raises(ModelUnavailableError, match=r"gave no answer in 0\.05 seconds"):
                log.embedder(patience=0.05).embed(["x"])
            assert log.slept == []
        finally:
            release.set()


def test_where_nobody_listens_it_says_so_at_once() -> None:
    """A server that is not running is the usual case: no waiting."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        slept: list[float] = []
        server = Server(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", KEY)
        client = RemoteEmbedder(SPACE, server, clock=Clock(sleep=slept.append))
        with pytest.raises(ModelUnavailableError, match="nothing listens there") as caught:
            client.embed(["x"])
    assert slept == []
    assert "server runs" in caught.value.suggestions[0]


def test_a_server_that_speaks_no_tls_cannot_be_reached_over_https() -> None:
    """An error of the connection, not of the program."""
    with serving(good) as log, pytest.raises(ModelUnavailableError, match="cannot be reached"):
        RemoteEmbedder(SPACE, Server(log.url.replace("http:", "https:"))).embed(["x"])


@pytest.mark.parametrize(
    "url",
    [
        *["", "localhost:11434", "ftp://host/v1", "file:///etc/passwd", "http://", "http:///v1", "http://host:port/"],
        *["//host", "http://user:pass@host/v1", "http://host/v1?key=1", "http://host/v1#x", "http://ho st/"],
        *["http://host/\r\nX: y", "http://[::1/v1", "http://host:99999/v1", "http://h\u00f4st/"],
    ],
)
def test_a_url_that_is_none_is_refused_before_anything_is_sent(url: str) -> None:
    """Nor may it carry a password, which would end up in messages."""
    with pytest.raises(InvalidSettingError, match=r"http\(s\)://host") as caught:
        RemoteEmbedder(SPACE, Server(url))
    assert "pass@" not in caught.value.message


@pytest.mark.parametrize("key", ["sk 1", "sk\n1", "sk-1\r\nX: y", "schlüssel", " "])
def test_a_key_that_no_header_may_hold_is_refused_unseen(key: str) -> None:
    """A line end in it would write headers of its own."""
    with pytest.raises(InvalidSettingError, match="API key") as caught:
        RemoteEmbedder(SPACE, Server("http://localhost/v1", key))
    assert key.strip() == "" or key not in caught.value.message


def test_it_says_who_it_is_without_the_key() -> None:
    """For `status`, and for anybody who prints it."""
    client = RemoteEmbedder(SPACE, Server("https://api.example.com/v1", KEY))
    assert client.space == SPACE
    assert client.describe() == Identity(SPACE, "server https://api.example.com/v1")
    assert KEY not in repr(client.describe()) + repr(client) + repr(Server("https://api.example.com/v1", KEY))


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["data", "embedding", "index"]), inner, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_any_answer_is_rows_or_a_refusal(answer: object) -> None:
    """Nothing else is ever raised."""
    client = RemoteEmbedder(SPACE, Server("http://localhost/v1"))
    try:
        vectors = client._vectors(json.dumps(answer).encode(), 1)
    except ModelUnavailableError:
        return
    assert [len(numbers) for numbers in vectors] == [3]

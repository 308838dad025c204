"""An embedder behind ``POST <url>/embeddings``, as OpenAI defined it: Ollama, vLLM, LiteLLM and OpenAI answer to it.

The standard library's ``http.client`` rather than an HTTP package or ``urllib``: one POST needs neither, and this one
follows no redirect, so texts and key go to the named server only, and it reads no environment.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

from msgspec import Struct

from memhtml.domain.errors import InvalidSettingError, ModelUnavailableError
from memhtml.models.embedder import Identity, Space, parse_space

if TYPE_CHECKING:
    from memhtml.models.embedder import Rows

TEXTS_A_REQUEST: Final = 64
LARGEST_ANSWER: Final = 64 * 1024 * 1024
LARGEST_NUMBER: Final = 1e300
LONGEST_WAIT: Final = 10.0
"""Seconds before another attempt; a server that asks for more has refused."""

_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_OK: Final = 200
_HINTS: Final = {
    400: "the server refused the texts or the model's name: check that the model makes embeddings",
    401: "check the API key",
    403: "check the API key and what it may use",
    404: "check the URL (it usually ends in /v1) and that the server has this model",
    413: "the server takes less text in one request than this",
    429: "the server asks for fewer requests: wait, or raise the quota",
}


class Server(Struct, frozen=True):
    """Where and how to ask.

    Attributes:
        url: what stands before ``/embeddings``, e.g. ``http://localhost:11434/v1``.
        key: sent as a bearer token, never shown.
        patience: seconds that one attempt may take, from connecting to the last byte.
        attempts: how often one request is tried at most; only failures that may pass are tried again.
    """

    url: str
    key: str | None = None
    patience: float = 30.0
    attempts: int = 3

    def __repr__(self) -> str:
        """Without the key."""
        return f"Server(url={self.url!r}, patience={self.patience}, attempts={self.attempts})"


class Clock(Struct, frozen=True):
    """Time as an argument: ``now`` counts seconds from anywhere, ``sleep`` waits for some."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class _PassingError(Exception):
    """A failure that may be gone at the next attempt; ``wait`` is what the server asked for, in seconds."""

    def __init__(self, reason: str, *, wait: float = 0.0, status: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.status = status


class RemoteEmbedder:
    """Vectors from a server. Holds no connection, so threads may share it."""

    def __init__(self, space: Space, server: Server, *, clock: Clock | None = None) -> None:
        """Nothing is sent.

        Raises:
            InvalidSettingError: ``server.url`` is no http(s) URL, or holds a user name, a query or a fragment; the key
                holds what no header may.
        """
        self._space = space
        self._model, self._dimension = parse_space(space)
        self._server = server
        self._clock = clock or Clock()
        self._secure, self._host, self._port, self._path = _parts(server.url)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if server.key is not None:
            if not (server.key.isascii() and server.key.isprintable()) or " " in server.key:
                raise InvalidSettingError(
                    "the API key of the embedding server holds characters that no key has",
                    suggestions=("copy the key again, without spaces, quotes or line ends",),
                )
            self._headers["Authorization"] = f"Bearer {server.key}"

    @property
    def space(self) -> Space:
        """The configured space; the server's answers are held to its dimension."""
        return self._space

    def describe(self) -> Identity:
        """The server's URL, which holds no credentials."""
        return Identity(space=self._space, origin=f"server {self._server.url}")

    def embed(self, texts: Sequence[str]) -> Rows:
        """One row a text; see `memhtml.models.embedder.Embedder`. A request carries at most 64 texts.

        Raises:
            ModelUnavailableError: the server cannot be reached, keeps failing, refuses, or answers with something
                other than one finite vector of the configured dimension a text.
        """
        import numpy as np  # 0.2 s that only a vector is worth

        rows = np.zeros((len(texts), self._dimension), dtype=np.float64)
        for start in range(0, len(texts), TEXTS_A_REQUEST):
            portion = [_sendable(text) for text in texts[start : start + TEXTS_A_REQUEST]]
            rows[start : start + len(portion)] = self._vectors(self._ask(portion), len(portion))
        lengths = [math.hypot(*row) for row in rows]  # of any size: squares would overflow
        if not all(math.isfinite(length) and length > 0 for length in lengths):
            raise self._unusable("a vector that is empty or not finite")
        unit: Rows = (rows / np.array(lengths).reshape(-1, 1)).astype(np.float32)
        return unit

    def _ask(self, texts: list[str]) -> bytes:
        body = json.dumps({"model": self._model, "input": texts}).encode()
        attempt = 1
        while True:
            try:
                return self._post(body)
            except _PassingError as error:
                wait = max(error.wait, min(LONGEST_WAIT, 0.5 * 2 ** (attempt - 1)))
                if attempt >= self._server.attempts or wait > LONGEST_WAIT:
                    tried = "1 attempt" if attempt == 1 else f"{attempt} attempts"
                    raise self._failed(f"{error.reason} ({tried})", error.status) from None
                self._clock.sleep(wait)
                attempt += 1

    def _post(self, body: bytes) -> bytes:
        deadline = self._clock.now() + self._server.patience
        kind = HTTPSConnection if self._secure else HTTPConnection
        connection = kind(self._host, self._port, timeout=self._server.patience)
        try:
            connection.request("POST", self._path, body, self._headers)
            with connection.getresponse() as response:  # or its socket outlives the connection
                answer = self._read(response, deadline)
        except TimeoutError:
            raise self._failed(f"gave no answer in {self._server.patience:g} seconds", None) from None
        except ConnectionRefusedError:
            raise self._failed("cannot be reached: nothing listens there", None) from None
        except (ConnectionError, HTTPException):
            raise _PassingError("broke the connection off") from None
        except OSError as error:
            raise self._failed(f"cannot be reached: {error.strerror or type(error).__name__}", None) from None
        finally:
            connection.close()
        if response.status in _PASSING:
            raise _PassingError(
                f"answered {response.status}", wait=_seconds(response.getheader("Retry-After")), status=response.status
            )
        if response.status != _OK:
            raise self._failed(f"answered {response.status}", response.status)
        return answer

    def _read(self, response: HTTPResponse, deadline: float) -> bytes:
        """The body, whole. A server that drips is cut off at the deadline, and one that floods at a fixed size."""
        parts: list[bytes] = []
        size = 0
        while part := response.read1(1 << 16):
            parts.append(part)
            size += len(part)
            if size > LARGEST_ANSWER:
                raise self._unusable(f"more than {LARGEST_ANSWER:,} bytes")
            if self._clock.now() > deadline:
                raise TimeoutError
        return b"".join(parts)

    def _vectors(self, answer: bytes, count: int) -> list[list[float]]:
        """The vectors in the order of the texts; servers may answer in any order and number them by ``index``."""
        try:
            parsed: Any = json.loads(answer)
            entries: list[Any] = parsed["data"]
            vectors = {int(entry.get("index", place)): entry["embedding"] for place, entry in enumerate(entries)}
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
            raise self._unusable("something other than a list of embeddings") from None
        if sorted(vectors) != list(range(count)) or len(entries) != count:
            raise self._unusable(f"{len(entries)} vectors for {count} texts")
        return [self._checked(vectors[place]) for place in range(count)]

    def _checked(self, vector: object) -> list[float]:
        if not isinstance(vector, list):
            raise self._unusable("something other than a list of embeddings")
        numbers = cast("list[object]", vector)
        # Written out, a number may be larger than any float.
        if not all(isinstance(number, int | float) and abs(number) < LARGEST_NUMBER for number in numbers):
            raise self._unusable("a vector that is empty or not finite")
        if len(numbers) != self._dimension:
            raise ModelUnavailableError(
                f"the server's vectors of {self._model} have {len(numbers)} dimensions, not {self._dimension}",
                suggestions=(f"set the space to {self._model}@{len(numbers)}",),
            )
        return cast("list[float]", numbers)

    def _unusable(self, what: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"the embedding server at {self._server.url} answered with {what}",
            suggestions=(f"check that {self._model} is an embedding model of this server",),
        )

    def _failed(self, reason: str, status: int | None) -> ModelUnavailableError:
        hint = _HINTS.get(status or 0, "check that the server runs and that its URL is right")
        return ModelUnavailableError(f"the embedding server at {self._server.url} {reason}", suggestions=(hint,))


def _parts(url: str) -> tuple[bool, str, int | None, str]:
    """Secure or not, host, port, and the path to post to."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    plain = url.isascii() and url.isprintable() and " " not in url and "?" not in url and "#" not in url
    if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc or not plain:
        raise InvalidSettingError(
            "the URL of the embedding server must be http(s)://host[:port]/path, without user name, query or fragment",
            suggestions=("e.g. http://localhost:11434/v1 for Ollama", "give the key as a key, not inside the URL"),
        )
    return parts.scheme == "https", parts.hostname, port, f"{parts.path.rstrip('/')}/embeddings"


def _sendable(text: str) -> str:
    """Servers refuse empty input, and half a surrogate pair is no text: neither may cost the whole request."""
    return text.encode("utf-8", "replace").decode("utf-8") if text.strip() else " "


def _seconds(header: str | None) -> float:
    """What ``Retry-After`` asks for in seconds; 0 for a date or for nonsense."""
    return float(header) if header is not None and header.isascii() and header.isdigit() else 0.0

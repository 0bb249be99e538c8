"""A tiny random quantised model, run for real in its own process."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.backends.llama.model import LlamaModel, LlamaOptions, open_llama
from core.backends.llama.server import LoadOrder, serve
from core.backends.llama.wire import receive, send
from core.backends.manifest import load_manifest
from core.errors import Cancelled, ModelCorrupt, ModelCrashed, ModelError, ModelMissing
from core.progress import Progress, ProgressReport

needs_llama = pytest.mark.skipif(
    find_spec("llama_cpp") is None or find_spec("gguf") is None,
    reason="llama-cpp-python or gguf is not installed",
)
OPTIONS = LlamaOptions(context_tokens=512, threads=1)
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "keep": {"type": "boolean"},
        "things": {"type": "array", "items": {"enum": ["dog", "cat"]}, "maxItems": 3},
    },
    "required": ["keep", "things"],
    "additionalProperties": False,
}


def opened(path: Path, options: LlamaOptions = OPTIONS) -> LlamaModel:
    return LlamaModel("tiny-1", lambda _: path, options)


@pytest.fixture(scope="module")
def gguf_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.core.backends.llama.tiny_gguf import write_tiny  # noqa: PLC0415 - needs gguf, which may be missing

    return write_tiny(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture(scope="module")
def shared(gguf_file: Path) -> Iterator[LlamaModel]:
    model = opened(gguf_file)
    yield model
    model.close()


@pytest.fixture
def own(gguf_file: Path) -> Iterator[LlamaModel]:
    model = opened(gguf_file)
    yield model
    model.close()


@needs_llama
def test_the_same_prompt_has_the_same_answer(shared: LlamaModel) -> None:
    first = shared.complete("a dog", None, 40, Progress())
    assert first
    assert shared.complete("a cat", None, 40, Progress()) != first
    assert shared.complete("a dog", None, 40, Progress()) == first


@needs_llama
def test_an_answer_is_cut_at_its_limit(shared: LlamaModel) -> None:
    longer = shared.complete("a dog", None, 40, Progress())
    shorter = shared.complete("a dog", None, 3, Progress())
    assert longer.startswith(shorter.rstrip("�"))
    assert len(shorter) <= 3
    assert shared.complete("a dog", None, 0, Progress()) == ""


@needs_llama
@pytest.mark.parametrize("prompt", ["", "a dog on the beach", "Hund, 犬, \udcff"])
def test_a_schema_is_kept(shared: LlamaModel, prompt: str) -> None:
    answer = json.loads(shared.complete(prompt, SCHEMA, 200, Progress()))
    assert set(answer) == {"keep", "things"}
    assert isinstance(answer["keep"], bool)
    assert set(answer["things"]) <= {"dog", "cat"}


@needs_llama
def test_an_answer_may_fill_the_context(shared: LlamaModel) -> None:
    assert shared.complete("a" * 500, None, 10_000, Progress())


@needs_llama
def test_what_cannot_be_answered_is_refused(shared: LlamaModel) -> None:
    with pytest.raises(ModelError, match="fills the context"):
        shared.complete("a" * 600, None, 5, Progress())
    with pytest.raises(ModelError, match="grammar"):
        shared.complete("a", {"$ref": "#/nowhere"}, 5, Progress())
    with pytest.raises(ModelError, match="room"):
        shared.log_likelihood("a" * 400, "b" * 200, Progress())
    assert shared.complete("a", None, 5, Progress())


@needs_llama
def test_control_words_in_a_prompt_stay_text(shared: LlamaModel) -> None:
    with pytest.raises(ModelError, match="1201 tokens"):
        shared.complete("</s>" * 300, None, 5, Progress())


@needs_llama
def test_likelihoods_follow_the_chain_rule(shared: LlamaModel) -> None:
    def likely(prompt: str, continuation: str) -> float:
        return shared.log_likelihood(prompt, continuation, Progress())

    whole = likely("photo: ", "a dog")
    assert whole == pytest.approx(likely("photo: ", "a d") + likely("photo: a d", "og"), abs=1e-3)
    assert whole < 0
    assert likely("photo: ", "") == 0
    assert likely("", "a dog") != pytest.approx(whole, abs=1e-3)


ORACLE = """
import sys
import numpy as np
from llama_cpp import Llama

llm = Llama(sys.argv[1], n_ctx=512, n_threads=1, logits_all=True, verbose=False)
before = llm.tokenize(b"photo: ", special=False)
after = llm.tokenize(b"a dog", add_bos=False, special=False)
llm.eval(before + after)
rows = np.array(llm.scores[len(before) - 1 : len(before) + len(after) - 1], np.float64)
logs = rows - np.log(np.exp(rows).sum(1, keepdims=True))
print(sum(logs[i, token] for i, token in enumerate(after)))
"""


@needs_llama
def test_likelihoods_are_those_of_all_logits(shared: LlamaModel, gguf_file: Path) -> None:
    command = [sys.executable, "-c", ORACLE, str(gguf_file)]
    oracle = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found = shared.log_likelihood("photo: ", "a dog", Progress())
    assert found == pytest.approx(float(oracle.stdout), abs=1e-3)


@needs_llama
def test_likelihoods_and_answers_do_not_disturb_each_other(own: LlamaModel) -> None:
    answer = own.complete("a dog", None, 20, Progress())
    likelihood = own.log_likelihood("a do", "g!", Progress())
    for _ in range(2):
        assert own.complete("a dog", None, 20, Progress()) == answer
        assert own.log_likelihood("a do", "g!", Progress()) == pytest.approx(likelihood, abs=1e-4)
        # What the model evaluated last begins with this prompt, but went on.
        own.log_likelihood("a dogs", "!!", Progress())


@needs_llama
def test_an_answer_can_be_cancelled_between_tokens(own: LlamaModel) -> None:
    seen: list[int] = []

    def stop(report: ProgressReport) -> None:
        seen.append(report.done)
        progress.cancel()

    progress = Progress(stop)
    with pytest.raises(Cancelled):
        own.complete("a dog", None, 400, progress)
    assert seen == [1]
    pid = own.pid
    assert own.complete("a dog", None, 5, Progress())
    assert own.pid == pid


@needs_llama
def test_a_kill_in_mid_answer_costs_that_answer(own: LlamaModel) -> None:
    def kill(report: ProgressReport) -> None:
        assert own.pid is not None
        os.kill(own.pid, signal.SIGKILL)

    expected = own.complete("a dog", None, 20, Progress())
    pid = own.pid
    with pytest.raises(ModelCrashed):
        own.complete("a dog", None, 400, Progress(kill))
    assert own.complete("a dog", None, 20, Progress()) == expected
    assert own.pid != pid


@needs_llama
def test_the_process_stops_where_it_is_told(gguf_file: Path) -> None:
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    order = LoadOrder(str(gguf_file), 1024, 1)
    process = context.Process(target=serve, args=(theirs, order), daemon=True)
    process.start()
    theirs.close()
    send(pipe, {"do": "complete", "id": 1, "prompt": "", "schema": None, "max_tokens": 1000})
    assert [receive(pipe)["is"] for _ in range(2)] == ["ready", "text"]
    send(pipe, {"do": "cancel"})
    send(pipe, {"do": "likelihood", "id": 2, "prompt": "a", "continuation": "b"})
    replies = [receive(pipe)]
    while replies[-1]["id"] != 2:
        replies.append(receive(pipe))
    assert len(replies) < 900
    pipe.close()
    process.join(30)
    assert process.exitcode == 0


def spoiled(content: bytes, how: str) -> bytes:
    return {
        "empty": b"",
        "text": b"not a model" * 100,
        "header": content[:24],
        "metadata": content[:2000],
        "half": content[: len(content) // 2],
        "counts": content[:8] + b"\xff" * 16 + content[24:],
        "garbage": content[:24] + bytes(range(256)) * 40,
    }[how]


@needs_llama
@pytest.mark.parametrize(
    "how", ["empty", "text", "header", "metadata", "half", "counts", "garbage"]
)
def test_a_damaged_file_is_a_known_error(gguf_file: Path, tmp_path: Path, how: str) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(spoiled(gguf_file.read_bytes(), how))
    model = opened(damaged)
    with pytest.raises((ModelCorrupt, ModelCrashed)):
        model.complete("a dog", None, 5, Progress())
    assert model.pid is None


def test_a_wrong_checksum_starts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.backends.llama.model.find_spec", lambda _: True)
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF" + bytes(100))
    (tmp_path / "tiny.toml").write_text(
        'name = "tiny"\nversion = "1"\nrole = "language"\nbackend = "llama"\nlicence = "MIT"\n'
        f'[files.weights]\npath = "tiny.gguf"\nsize = 104\nsha256 = "{"0" * 64}"\n',
        encoding="utf-8",
    )
    model = open_llama(load_manifest("tiny", tmp_path))
    assert model.name == "tiny-1"
    with pytest.raises(ModelCorrupt, match="damaged"):
        model.complete("a dog", None, 5, Progress())
    assert model.pid is None


def test_without_the_library_the_advice_is_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.backends.llama.model.find_spec", lambda _: None)
    with pytest.raises(ModelMissing) as caught:
        opened(tmp_path / "tiny.gguf").complete("a dog", None, 5, Progress())
    assert "photoapp[vlm]" in caught.value.advice

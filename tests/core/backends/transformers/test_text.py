"""Text encoders over tiny random XLM-R and Qwen3 models, against sums done here."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.backends.text_recipe import TextRecipe
from core.backends.transformers.choice import Choice
from core.backends.transformers.text import TransformersTextEncoder
from core.errors import ModelCorrupt, ModelMissing

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")

TEXTS = ["a dog", "people at a birthday party with cake", "sunset", "a dog on the beach", "cake"]
PREFIX = "Instruct: find photos\nQuery: "
FIRST = TextRecipe(pooling="first")
LAST = TextRecipe(pooling="last", padding_side="left", query_prefix=PREFIX)
ON_CPU = Choice("cpu", batch_size=3)
LAYERS: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


def save_tokenizer(folder: Path) -> int:
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="<unk>"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = tokenizers.trainers.WordLevelTrainer(special_tokens=special, show_progress=False)
    words.train_from_iterator([*TEXTS, PREFIX], trainer)
    words.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unk>", pad_token="<pad>", eos_token="</s>"
    )
    made.save_pretrained(folder)
    return len(made)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bge")
    torch.manual_seed(0)
    size = save_tokenizer(folder)
    config = transformers.XLMRobertaConfig(
        **LAYERS, vocab_size=size, max_position_embeddings=64, pad_token_id=1
    )
    transformers.XLMRobertaModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("qwen")
    torch.manual_seed(0)
    size = save_tokenizer(folder)
    config = transformers.Qwen3Config(
        **LAYERS, vocab_size=size, num_key_value_heads=2, head_dim=8, pad_token_id=1
    )
    transformers.Qwen3Model(config).save_pretrained(folder)
    return folder


def alone(folder: Path, text: str, token: int) -> np.ndarray:
    """The state of one token of one text, without any padding."""
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    words = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    ids = torch.tensor([words(text)["input_ids"]])
    with torch.inference_mode():
        row = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0, token]
    return (row / row.norm()).numpy()


def test_the_first_token_speaks_for_the_text(bert: Path) -> None:
    encoder = TransformersTextEncoder(bert, "bge-1", FIRST, ON_CPU)
    expected = np.stack([alone(bert, text, 0) for text in TEXTS])
    np.testing.assert_allclose(encoder.encode_documents(TEXTS), expected, atol=3e-6)
    np.testing.assert_allclose(encoder.encode_texts(TEXTS), expected, atol=3e-6)


def test_the_last_token_speaks_and_queries_alone_are_instructed(qwen: Path) -> None:
    encoder = TransformersTextEncoder(qwen, "qwen-1", LAST, ON_CPU)
    plain = np.stack([alone(qwen, text, -1) for text in TEXTS])
    asked = np.stack([alone(qwen, PREFIX + text, -1) for text in TEXTS])
    np.testing.assert_allclose(encoder.encode_documents(TEXTS), plain, atol=3e-6)
    np.testing.assert_allclose(encoder.encode_texts(TEXTS), asked, atol=3e-6)
    assert np.abs(plain - asked).max() > 0.01


def test_pooling_looks_past_padding_on_either_side(qwen: Path) -> None:
    left = TransformersTextEncoder(qwen, "qwen-1", LAST, ON_CPU)
    right = LAST.model_copy(update={"padding_side": "right"})
    other = TransformersTextEncoder(qwen, "qwen-1", right, ON_CPU)
    np.testing.assert_allclose(left.encode_texts(TEXTS), other.encode_texts(TEXTS), atol=3e-6)


def test_the_mean_leaves_padding_out(bert: Path) -> None:
    mean = TransformersTextEncoder(bert, "mean-1", TextRecipe(pooling="mean"), ON_CPU)
    together = mean.encode_texts(TEXTS)
    apart = np.concatenate([mean.encode_texts([text]) for text in TEXTS])
    np.testing.assert_allclose(together, apart, atol=3e-6)


def test_half_precision_is_equal_enough(qwen: Path) -> None:
    full = TransformersTextEncoder(qwen, "qwen-1", LAST, ON_CPU)
    half = TransformersTextEncoder(qwen, "qwen-1", LAST, Choice("cpu", "bfloat16"))
    rows = half.encode_texts(TEXTS)
    assert rows.dtype == np.float32
    assert (full.encode_texts(TEXTS) * rows).sum(1).min() > 0.999


def test_what_runs_out_of_memory_goes_on_with_fewer(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = TransformersTextEncoder(bert, "bge-1", FIRST, Choice("cpu", batch_size=5))
    expected = encoder.encode_texts(TEXTS)
    forward = encoder.placed.model.forward

    def hungry(input_ids: Any, **rest: Any) -> Any:
        if len(input_ids) > 1:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")
        return forward(input_ids=input_ids, **rest)

    monkeypatch.setattr(encoder.placed.model, "forward", hungry)
    np.testing.assert_allclose(encoder.encode_texts(TEXTS), expected, atol=3e-6)
    assert encoder.placed.batches.size < 5


def test_the_choice_is_measured_and_kept(bert: Path, tmp_path: Path) -> None:
    encoder = TransformersTextEncoder(bert, "bge-1", FIRST, cache=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 1
    assert encoder.placed.device in ("cpu", "cuda", "mps", "xpu")
    expected = TransformersTextEncoder(bert, "bge-1", FIRST, ON_CPU).encode_texts(TEXTS)
    assert (encoder.encode_texts(TEXTS) * expected).sum(1).min() > 0.999


def test_a_manifest_must_say_how_to_pool(bert: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelCorrupt, match="pooled"):
        TransformersTextEncoder(bert, "bge-1", TextRecipe())
    with pytest.raises(ModelMissing):
        TransformersTextEncoder(tmp_path, "bge-1", FIRST)

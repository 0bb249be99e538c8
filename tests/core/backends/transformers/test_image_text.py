"""The transformers encoder over tiny random CLIP and SigLIP models, offline."""

import json
import shutil
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from core.backends.transformers.choice import Choice
from core.backends.transformers.image_text import TransformersEncoder
from core.domain.arrays import Float32Array, PixelArray
from core.errors import ModelCorrupt, ModelMissing, ModelUnsupported

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")

PHRASES = ["a dog on the beach", "sunset", "people at a birthday party with cake and candles"]
LAYERS = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


def clip_tokenizer() -> Any:
    first, last = "<|startoftext|>", "<|endoftext|>"
    words = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token=last, end_of_word_suffix="</w>"))
    words.normalizer = tokenizers.normalizers.Lowercase()
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=120,
        special_tokens=[first, last],
        end_of_word_suffix="</w>",
        show_progress=False,
    )
    words.train_from_iterator(PHRASES, trainer)
    words.post_processor = tokenizers.processors.TemplateProcessing(
        single=f"{first} $A {last}", special_tokens=[(first, 0), (last, 1)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, bos_token=first, eos_token=last, unk_token=last, pad_token=last
    )


def siglip_tokenizer() -> Any:
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="<unk>"))
    words.normalizer = tokenizers.normalizers.Lowercase()
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    special = ["<pad>", "</s>", "<unk>"]
    trainer = tokenizers.trainers.WordLevelTrainer(special_tokens=special, show_progress=False)
    words.train_from_iterator(PHRASES, trainer)
    words.post_processor = tokenizers.processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="</s>", unk_token="<unk>", pad_token="<pad>"
    )


def make_clip(folder: Path) -> None:
    words = clip_tokenizer()
    text = LAYERS | {
        "vocab_size": len(words),
        "max_position_embeddings": 12,
        "projection_dim": 16,
        "bos_token_id": 0,
        "eos_token_id": 1,
        "pad_token_id": 1,
    }
    vision = LAYERS | {"image_size": 24, "patch_size": 8, "projection_dim": 16}
    config = transformers.CLIPConfig(text_config=text, vision_config=vision, projection_dim=16)
    transformers.CLIPModel(config).save_pretrained(folder)
    pixels = transformers.CLIPImageProcessor(
        size={"shortest_edge": 24}, crop_size={"height": 24, "width": 24}
    )
    transformers.CLIPProcessor(image_processor=pixels, tokenizer=words).save_pretrained(folder)


def make_siglip(folder: Path) -> None:
    words = siglip_tokenizer()
    text = LAYERS | {
        "vocab_size": len(words),
        "max_position_embeddings": 10,
        "projection_size": 32,
        "bos_token_id": 1,
        "eos_token_id": 1,
        "pad_token_id": 0,
    }
    vision = LAYERS | {"image_size": 24, "patch_size": 8}
    config = transformers.SiglipConfig(text_config=text, vision_config=vision)
    transformers.SiglipModel(config).save_pretrained(folder)
    pixels = transformers.SiglipImageProcessor(size={"height": 24, "width": 24})
    transformers.SiglipProcessor(image_processor=pixels, tokenizer=words).save_pretrained(folder)


def make_siglip2(folder: Path) -> None:
    """The kind that takes photos of any shape as patches; the others are of the SigLIP kind."""
    words = siglip_tokenizer()
    text = LAYERS | {
        "vocab_size": len(words),
        "max_position_embeddings": 10,
        "projection_size": 32,
        "bos_token_id": 1,
        "eos_token_id": 1,
        "pad_token_id": 0,
    }
    vision = LAYERS | {"num_patches": 9, "patch_size": 8}
    config = transformers.Siglip2Config(text_config=text, vision_config=vision)
    transformers.Siglip2Model(config).save_pretrained(folder)
    kind = getattr(transformers, "Siglip2ImageProcessorPil", transformers.Siglip2ImageProcessor)
    pixels = kind(patch_size=8, max_num_patches=9)
    transformers.Siglip2Processor(image_processor=pixels, tokenizer=words).save_pretrained(folder)


MAKERS = {"clip": make_clip, "siglip": make_siglip}


@pytest.fixture(scope="session", params=sorted(MAKERS))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    made = tmp_path_factory.mktemp("models") / request.param
    MAKERS[request.param](made)
    return made


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / folder.name))


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", deny)
    monkeypatch.setattr(socket, "getaddrinfo", deny)


def squares(count: int, size: int = 24) -> PixelArray:
    return np.random.default_rng(1).integers(0, 256, (count, size, size, 3), np.uint8)


def direct(folder: Path, pixels: PixelArray) -> tuple[Float32Array, Float32Array]:
    """What the model's own `forward` says, with preprocessing written out."""
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    settings = json.loads((folder / "processor_config.json").read_text())["image_processor"]
    scaled = (pixels.astype(np.float32) / 255 - settings["image_mean"]) / settings["image_std"]
    values = torch.from_numpy(scaled.transpose(0, 3, 1, 2).astype(np.float32))
    words = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    full = {"padding": "max_length", "max_length": 10, "truncation": True}
    siglip = folder.name == "siglip"
    tokens = words(PHRASES, return_tensors="pt", **(full if siglip else {"padding": True}))
    if siglip:
        tokens = {"input_ids": tokens["input_ids"]}
    with torch.inference_mode():
        output = model(pixel_values=values, **tokens)
    return output.image_embeds.numpy(), output.text_embeds.numpy()


def test_vectors_are_those_of_the_model(folder: Path) -> None:
    encoder, pixels = TransformersEncoder(folder, "tiny-1"), squares(5)
    images, texts = direct(folder, pixels)
    np.testing.assert_allclose(encoder.encode_images(pixels), images, atol=2e-6)
    np.testing.assert_allclose(encoder.encode_texts(PHRASES), texts, atol=2e-6)


def test_rows_are_float32_of_unit_length(folder: Path) -> None:
    encoder = TransformersEncoder(folder, "tiny-1")
    assert (encoder.name, encoder.image_size) == ("tiny-1", 24)
    assert encoder.dim == {"clip": 16, "siglip": 32}[folder.name]
    for rows in (encoder.encode_images(squares(3)), encoder.encode_texts(PHRASES)):
        assert (rows.dtype, rows.shape) == (np.float32, (3, encoder.dim))
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_nothing_gives_no_rows(folder: Path) -> None:
    encoder = TransformersEncoder(folder, "tiny-1")
    for rows in (encoder.encode_images(squares(0)), encoder.encode_texts([])):
        assert (rows.dtype, rows.shape) == (np.float32, (0, encoder.dim))


def test_batches_and_company_change_nothing(folder: Path) -> None:
    one = TransformersEncoder(folder, "tiny-1", choice=Choice("cpu", batch_size=1))
    many = TransformersEncoder(folder, "tiny-1", choice=Choice("cpu", batch_size=4))
    pixels = squares(7)
    np.testing.assert_allclose(one.encode_images(pixels), many.encode_images(pixels), atol=2e-6)
    np.testing.assert_allclose(one.encode_texts(PHRASES), many.encode_texts(PHRASES), atol=2e-6)


def test_long_phrases_and_odd_words_are_taken(folder: Path) -> None:
    encoder = TransformersEncoder(folder, "tiny-1")
    rows = encoder.encode_texts(["sunset " * 200, "", "日没 🌅"])
    assert np.isfinite(rows).all()


def test_a_pickle_is_refused(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    torch.save({}, copy / "pytorch_model.bin")
    with pytest.raises(ModelCorrupt, match="safetensors"):
        TransformersEncoder(copy, "tiny-1")


def test_an_empty_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        TransformersEncoder(tmp_path / "nothing", "tiny-1")


def test_a_truncated_file_is_refused(copy: Path) -> None:
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(ModelCorrupt):
        TransformersEncoder(copy, "tiny-1")


def test_missing_weights_are_never_made_up(copy: Path) -> None:
    weights = load_file(copy / "model.safetensors")
    weights.pop(next(name for name in weights if name.startswith("text_model.")))
    save_file(weights, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelCorrupt, match="not whole"):
        TransformersEncoder(copy, "tiny-1")


def test_code_inside_a_model_is_not_run(copy: Path, tmp_path: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    config["auto_map"] = {"AutoModel": "evil.Evil", "AutoConfig": "evil.EvilConfig"}
    config["model_type"] = "evil"
    (copy / "config.json").write_text(json.dumps(config))
    ran = tmp_path / "ran"
    (copy / "evil.py").write_text(f"open({str(ran)!r}, 'w')\n")
    with pytest.raises(ModelUnsupported):
        TransformersEncoder(copy, "tiny-1")
    assert not ran.exists()


def test_patches_of_siglip_2_are_those_of_the_model(tmp_path: Path) -> None:
    torch.manual_seed(0)
    make_siglip2(tmp_path)
    encoder, pixels = TransformersEncoder(tmp_path, "tiny-1"), squares(3)
    assert encoder.image_size == 24
    model = transformers.AutoModel.from_pretrained(tmp_path, local_files_only=True).eval()
    scaled = pixels.astype(np.float32) / 127.5 - 1
    patches = scaled.reshape(3, 3, 8, 3, 8, 3).transpose(0, 1, 3, 2, 4, 5).reshape(3, 9, 192)
    with torch.inference_mode():
        rows = model.vision_model(
            pixel_values=torch.from_numpy(np.ascontiguousarray(patches)),
            pixel_attention_mask=torch.ones(3, 9, dtype=torch.int32),
            spatial_shapes=torch.tensor([[3, 3]] * 3),
        ).pooler_output
    expected = (rows / rows.norm(dim=1, keepdim=True)).numpy()
    np.testing.assert_allclose(encoder.encode_images(pixels), expected, atol=3e-6)


def test_half_precision_is_equal_enough(folder: Path) -> None:
    full = TransformersEncoder(folder, "tiny-1", choice=Choice("cpu"))
    half = TransformersEncoder(folder, "tiny-1", choice=Choice("cpu", "bfloat16"))
    likeness = (full.encode_images(squares(6)) * half.encode_images(squares(6))).sum(1)
    assert likeness.min() > 0.999


def test_a_model_without_a_common_space_is_told_of(copy: Path) -> None:
    config = transformers.BertConfig(**LAYERS, vocab_size=20)
    transformers.BertModel(config).save_pretrained(copy)
    with pytest.raises(ModelUnsupported):
        TransformersEncoder(copy, "tiny-1")

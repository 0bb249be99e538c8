"""From captioned photos to a head, a calibration and thresholds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.backends.starter.head import Head
from core.benchmark.datasets.presence import Phrase, read_phrases
from core.domain.arrays import Float32Array
from training.calibrate import calibrate, measured
from training.choose import choose, labelled, presence_of
from training.classes import ClassPrototypes, class_prototypes
from training.dataset import CaptionedPhotos, read_dataset
from training.features import Features, read_features
from training.head import HeadOptions, solve_head
from training.metrics import text_to_image
from training.towers import base_manifest, open_towers
from training.views import training_views

Say = Callable[[str], None]
VOCABULARY = Path(__file__).parent / "vocabulary.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a training run is given; `test` says to look at the test split, once, at the end."""

    data: Path
    cache: Path
    seed: int = 0
    threads: int = 2
    crops: int = 0
    test: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """All that goes into the models folder."""

    head: dict[str, Float32Array]
    calibration: dict[str, Float32Array]
    template: str
    thresholds: dict[str, float]
    phrases: list[Phrase]
    figures: dict[str, float]
    options: HeadOptions
    photos: dict[str, int]
    concepts: dict[str, Float32Array]


def run(settings: Settings, say: Say, options: HeadOptions | None = None) -> Result:
    """Train and calibrate; raises ModelMissing, ModelCorrupt, ModelCrashed, ValueError."""
    options = options or HeadOptions()
    data = read_dataset(settings.data)
    towers = open_towers(settings.cache, settings.threads)
    views = training_views(settings.crops, settings.seed)
    say(f"running the towers over {len(data.names)} photos in {1 + len(views)} views")
    features = read_features(data, towers, views, settings.cache)
    classes = class_prototypes(base_manifest(), towers[1].encode_texts)
    tensors = _solved(data, features, classes, options)
    say("the head is solved")
    head = Head(tensors)

    def encode(texts: Sequence[str]) -> Float32Array:
        return head.texts(towers[1].encode_texts(texts))

    vectors = head.images(features.plain)
    phrases = read_phrases(VOCABULARY)
    train = labelled(data, phrases, vectors, "train")
    found = calibrate(phrases, encode, train, labelled(data, phrases, vectors, "val"))
    say(f"wording “{found.template}”")
    thresholds, chosen = choose(data, phrases, found, encode, vectors)
    figures = recall_of(data, features, head, vectors, "val")
    figures |= {f"val_{name}": value for name, value in (found.figures | chosen).items()}
    if settings.test:
        figures |= recall_of(data, features, head, vectors, "test")
        figures |= presence_of(data, phrases, found, encode, vectors)
    tensors_out = found.tensors | {"sentence.mean": tensors["text.mean"]}
    counts = {split: len(data.rows(split)) for split in ("train", "val", "test")}
    texts = [phrase.text for phrase in phrases]
    concepts = {
        "joint": encode([found.template.format(phrase=text) for text in texts]),
        "sentences": towers[1].encode_texts(texts),
        "measured": measured(train).astype(np.float32),
    }
    return Result(
        tensors,
        tensors_out,
        found.template,
        thresholds,
        phrases,
        figures,
        options,
        counts,
        concepts,
    )


def recall_of(
    data: CaptionedPhotos, features: Features, head: Head, vectors: Float32Array, split: str
) -> dict[str, float]:
    """How well the captions of one split find their photos among those of the split."""
    rows = np.array(data.rows(split))
    asked = np.isin(features.photo_of, rows)
    targets = np.searchsorted(rows, features.photo_of[asked])
    found = text_to_image(head.texts(features.sentences[asked]), vectors[rows], targets)
    return {
        f"{split}_recall_at_1": found.at_1,
        f"{split}_recall_at_5": found.at_5,
        f"{split}_recall_at_10": found.at_10,
        f"{split}_median_rank": found.median_rank,
    }


def _solved(
    data: CaptionedPhotos, features: Features, classes: ClassPrototypes, options: HeadOptions
) -> dict[str, Float32Array]:
    """A head for the photos of the training split, in half precision as it is shipped."""
    rows = np.array(data.rows("train"))
    asked = np.isin(features.photo_of, rows)
    photo_of = np.searchsorted(rows, features.photo_of[asked])
    views = [features.plain[rows], *features.views]
    solved = solve_head(views, features.sentences[asked], photo_of, classes, options)
    return {name: value.astype(np.float16).astype(np.float32) for name, value in solved.items()}

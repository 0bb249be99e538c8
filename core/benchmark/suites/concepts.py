"""Whether probabilities of presence are honest, and verdicts right, against captions as labels.

A photo shows a phrase when two of its captions say it, and does not when none does; other pairs
are left out, and phrases that fewer than three photos show.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from PIL import Image

from core.benchmark.datasets.captions import CaptionSet, read_captions
from core.benchmark.datasets.presence import Phrase, presence_labels, read_phrases
from core.benchmark.figures import Figure
from core.benchmark.honesty import auc, calibration_error, precision_and_recall
from core.benchmark.reliability import Labelled, reliability_picture
from core.benchmark.suites.suite import Floor, SuiteResult, SuiteRun, Switch
from core.domain.arrays import BoolArray, Float32Array
from core.engine import Engine
from core.errors import DatasetError
from core.language.appearances import appearances
from core.paths import data_folder
from core.progress import Progress
from core.protocols import Perception, PresenceModel
from core.retrieval.presence import presence_of

_LEAST_PRESENT = 3
_TOLD = 0.05
"""Pairs told at least this surely: most others are rightly near zero and flatter the error."""
_BATCH = 64
_PICTURE = "reliability.png"
_CONDITIONS = {"people": "person", "animals": "thing", "things": "thing", "food": "thing"}


class ConceptsSuite:
    """Calibration and verdicts of everyday phrases, by kind."""

    name = "concepts"
    about = "How honest probabilities of presence and verdicts are (--data DIR)."
    floors = (Floor("presence", "all", "ece", 0.05),)

    def run(self, run: SuiteRun, progress: Progress) -> SuiteResult:
        """Judge every phrase of the vocabulary in every photo."""
        if run.data is None:
            raise DatasetError(
                "The suite concepts needs a data set.",
                "Name its folder with --data: images/ and captions.csv (image,caption).",
            )
        captions = read_captions(run.data).first(run.limit, run.seed)
        engine = Engine.open(run.scratch / "library", run.backends)
        try:
            perception = engine.loaded.perception(progress)
            judged = _judge(perception, captions, progress)
        finally:
            engine.close()
        return _result(judged, captions, perception.presence)


@dataclass(frozen=True, slots=True)
class _Judged:
    """Phrases with probabilities, as told and as verdicts take them, and labels (m, n)."""

    phrases: tuple[Phrase, ...]
    probabilities: Float32Array
    taken: Float32Array
    present: BoolArray
    absent: BoolArray

    def of(self, kinds: frozenset[str] | None, taken: bool = False) -> Labelled:
        """Probabilities and labels of all known pairs of some kinds of phrases."""
        rows = [kinds is None or phrase.kind in kinds for phrase in self.phrases]
        known = (self.present | self.absent)[rows]
        values = self.taken if taken else self.probabilities
        return values[rows][known], self.present[rows][known]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds, in the vocabulary's order."""
        return tuple(dict.fromkeys(phrase.kind for phrase in self.phrases))


def _judge(perception: Perception, captions: CaptionSet, progress: Progress) -> _Judged:
    every = read_phrases(data_folder("models") / "starter-concepts.toml")
    present, absent = presence_labels(every, [photo.captions for photo in captions.photos])
    used = present.sum(1) >= min(_LEAST_PRESENT, len(captions.photos))
    phrases = tuple(phrase for phrase, keep in zip(every, used, strict=True) if keep)
    if not phrases:
        raise DatasetError("No phrase is shown by three photos.", "Measure on more photos.")
    vectors = _vectors(perception, captions, progress)
    names = [phrase.text for phrase in phrases]
    told = perception.presence.probabilities(names, vectors)
    taken = told.copy()
    for row, name in enumerate(names):
        if len(appearances(name)) > 1:
            taken[row] = presence_of(perception.presence, appearances(name), vectors)
    return _Judged(phrases, told, taken, present[used], absent[used])


def _vectors(perception: Perception, captions: CaptionSet, progress: Progress) -> Float32Array:
    size, photos = perception.encoder.image_size, captions.photos
    parts = []
    starts = range(0, len(photos), _BATCH)
    for start in progress.track("encode", starts, total=len(starts)):
        pixels = []
        for photo in photos[start : start + _BATCH]:
            with Image.open(photo.path) as opened:
                squashed = opened.convert("RGB").resize((size, size), Image.Resampling.BICUBIC)
            pixels.append(np.asarray(squashed))
        parts.append(perception.encoder.encode_images(np.stack(pixels)))
    return np.concatenate(parts)


def _result(judged: _Judged, captions: CaptionSet, presence: PresenceModel) -> SuiteResult:
    groups = {"all": judged.of(None)}
    groups |= {kind: judged.of(frozenset({kind})) for kind in judged.kinds}
    figures = [*_honesty(groups, captions.split), *_verdicts(judged, captions.split, presence)]
    switches: dict[str, Switch] = {
        "present": "two captions say it",
        "absent": "no caption says it",
        "bins": 10,
        "told_from": _TOLD,
        "present_above": presence.present_above,
        "absent_below": presence.absent_below,
        "exclude_above": presence.exclude_above,
    }
    data: dict[str, Switch] = {
        "photos": len(captions.photos),
        "split": captions.split,
        "phrases": len(judged.phrases),
    }
    pictures = {_PICTURE: reliability_picture(groups)}
    return SuiteResult(switches, data, (), tuple(figures), {}, None, pictures)


def _honesty(groups: Mapping[str, Labelled], split: str) -> Iterator[Figure]:
    for name, (told, labels) in groups.items():
        high = told >= _TOLD
        values = {"ece": calibration_error(told, labels), "auc": auc(told, labels)}
        if high.any():
            values["ece_told"] = calibration_error(told[high], labels[high])
        for metric, value in values.items():
            pairs = int(high.sum()) if metric == "ece_told" else len(labels)
            yield Figure("presence", split, name, metric, value, value, value, pairs)


def _verdicts(judged: _Judged, split: str, presence: PresenceModel) -> Iterator[Figure]:
    """Precision and recall of verdicts by kind of condition; of exclusions under `negation`."""
    kinds: dict[str, set[str]] = {"all": set(judged.kinds)}
    for kind in judged.kinds:
        kinds.setdefault(_CONDITIONS.get(kind, kind.removesuffix("s")), set()).add(kind)
    for name, own in kinds.items():
        told, labels = judged.of(frozenset(own), taken=True)
        rows = {
            "verdict present": (told >= presence.present_above, labels),
            "verdict absent": (told < presence.absent_below, ~labels),
            "negation": (told >= presence.exclude_above, labels),
        }
        for strategy, (chosen, right) in rows.items():
            found = zip(("precision", "recall"), precision_and_recall(chosen, right), strict=True)
            for metric, value in found:
                yield Figure(strategy, split, name, metric, value, value, value, len(labels))

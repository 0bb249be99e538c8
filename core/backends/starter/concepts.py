"""Names what a photo shows, from a fixed vocabulary of everyday phrases."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from core.backends.manifest import ModelManifest, verified
from core.backends.starter.calibration import (
    PresenceCalibrator,
    calibration_tensors,
    calibrator_from,
    likeness_from,
    phrase_text,
    verified_calibration,
)
from core.backends.starter.encoder import StarterEncoder
from core.domain.arrays import Float32Array
from core.domain.profile import Concept
from core.errors import ModelCorrupt

_MOST = 12


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The phrases by kind: people, animals, things, food, actions, scenes, events and so on."""

    kinds: dict[str, tuple[str, ...]]

    @property
    def phrases(self) -> tuple[str, ...]:
        """All phrases, in the file's order."""
        return tuple(chain.from_iterable(self.kinds.values()))

    def kind_of(self, phrase: str) -> str:
        """The kind of a phrase; KeyError for one that is not in the vocabulary."""
        for kind, phrases in self.kinds.items():
            if phrase in phrases:
                return kind
        raise KeyError(phrase)


class ConceptScorer:
    """Implements ConceptModel for the starter encoder."""

    def __init__(
        self,
        encoder: StarterEncoder,
        calibrator: PresenceCalibrator,
        sentence_mean: Float32Array,
        likeness: PresenceCalibrator | None = None,
    ) -> None:
        """`sentence_mean` (384,) is the mean sentence embedding of captions."""
        self._likeness = likeness or calibrator
        self.vocabulary = read_vocabulary(encoder.manifest)
        self._encoder = encoder
        self._calibrator = calibrator
        self._sentence_mean = sentence_mean
        self._floor = encoder.manifest.thresholds["concept_floor"]

    @cached_property
    def _tensors(self) -> dict[str, Float32Array]:
        """The phrases' vectors; not needed by a search, so not read when one starts."""
        manifest = self._encoder.manifest
        if "concept_vectors" in manifest.files:
            return calibration_tensors(verified(manifest, "concept_vectors"))
        phrases = self.vocabulary.phrases
        texts = [phrase_text(phrase, manifest) for phrase in phrases]
        sentences = self._encoder.text_tower.encode_texts(phrases)
        return {"joint": self._encoder.encode_texts(texts), "sentences": sentences}

    @property
    def _vectors(self) -> Float32Array:
        return self._tensors["joint"]

    @cached_property
    def _sentences(self) -> Float32Array:
        """The phrases' meanings, centred."""
        return _unit_rows(self._tensors["sentences"] - self._sentence_mean)

    @property
    def measured(self) -> frozenset[str]:
        """Phrases whose commonness was counted; that of the others comes from their neighbours."""
        known = self._tensors.get("measured", np.zeros(0))
        return frozenset(p for p, m in zip(self.vocabulary.phrases, known, strict=False) if m)

    def probabilities(self, image_vectors: Float32Array) -> Float32Array:
        """Probability of each phrase of the vocabulary in each photo: (n, phrases)."""
        return np.ascontiguousarray(self._calibrator.probabilities(self._vectors, image_vectors).T)

    def concepts(self, image_vectors: Float32Array) -> list[tuple[Concept, ...]]:
        """At most 12 phrases a photo with a probability above the floor, best first."""
        return [self._named(row) for row in self.probabilities(image_vectors)]

    def proxy_vectors(self, image_vectors: Float32Array) -> Float32Array:
        """Unit rows (n, 384): the meanings of a photo's phrases, weighted by likeness.

        Likeness says what is special of a photo; by probability "people" and "outdoors" rule all.
        The meanings are centred on captions, so they compare with centred query embeddings.
        """
        kept = self._likeness.probabilities(self._vectors, image_vectors).T
        cutoff = np.partition(kept, -_MOST, axis=1)[:, -_MOST, None]
        return _unit_rows(np.where(kept >= cutoff, kept, 0) @ self._sentences)

    def _named(self, probabilities: Float32Array) -> tuple[Concept, ...]:
        best = np.argsort(-probabilities, kind="stable")[:_MOST]
        phrases: Sequence[str] = self.vocabulary.phrases
        return tuple(
            Concept(phrases[i], float(probabilities[i]))
            for i in best
            if probabilities[i] >= self._floor
        )


def read_vocabulary(manifest: ModelManifest) -> Vocabulary:
    """The vocabulary that the manifest names; raises ModelMissing or ModelCorrupt."""
    path = verified(manifest, "concepts")
    try:
        kinds = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ModelCorrupt(f"{path.name} cannot be read.", "Reinstall the application.") from error
    return Vocabulary(
        {kind: tuple(line.partition(" = ")[0] for line in lines) for kind, lines in kinds.items()}
    )


def open_concepts(encoder: StarterEncoder) -> ConceptScorer:
    """The concept scorer of an open encoder; raises ModelMissing or ModelCorrupt."""
    tensors = calibration_tensors(verified_calibration(encoder.manifest))
    return ConceptScorer(
        encoder, calibrator_from(tensors), tensors["sentence.mean"], likeness_from(tensors)
    )


def _unit_rows(rows: Float32Array) -> Float32Array:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, 1e-12), np.float32)

"""How surely a photo shows what a phrase names: cosines turned into probabilities.

A cosine means little by itself: "a man" is near every photo of the training kind, "a lighthouse"
near none. Over ordinary photos, of mean vector μ and covariance Σ, the cosines of a phrase vector t
have mean m = μᵀt and deviation s = √(tᵀΣt). So z = (xᵀt − m) / s compares phrases fairly, and
p = σ(w₀·z + w₁·m/s + w₂·ln s + w₃·q + w₄·z·q + w₅), fitted on the captions of photos that the
encoder never saw. q is how common the thing is (log odds, see `prior`); a calibration without a
prior has the four weights of z, m/s, ln s and 1.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from core.backends.manifest import ModelManifest, verified
from core.backends.starter.encoder import StarterEncoder
from core.backends.starter.prior import Prior, prior_from
from core.domain.arrays import Float32Array
from core.errors import ModelCorrupt

_LEAST_SLOPE = np.float32(0.05)
"""More likeness never means less presence."""


class PresenceCalibrator:
    """Probabilities of presence from vectors of the joint space."""

    def __init__(
        self,
        mean: Float32Array,
        covariance: Float32Array,
        weights: Float32Array,
        prior: Prior | None = None,
    ) -> None:
        """`mean` (d,), `covariance` (d, d), logistic `weights` (6,), (4,) without a prior."""
        if len(weights) != (4 if prior is None else 6):
            raise ValueError(f"{len(weights)} weights do not fit the calibration")
        self._prior = prior
        self._mean = mean.astype(np.float32)
        self._covariance = covariance.astype(np.float32)
        self._weights = weights.astype(np.float32)

    def moments(self, phrase_vectors: Float32Array) -> tuple[Float32Array, Float32Array]:
        """Mean and deviation (m,) of each phrase's cosines over ordinary photos."""
        mean = phrase_vectors @ self._mean
        variance = np.einsum("md,md->m", phrase_vectors @ self._covariance, phrase_vectors)
        return mean, np.sqrt(np.maximum(variance, 1e-8))

    def z_scores(self, phrase_vectors: Float32Array, image_vectors: Float32Array) -> Float32Array:
        """How many deviations each cosine lies above the phrase's mean: (m, n)."""
        mean, deviation = self.moments(phrase_vectors)
        return (phrase_vectors @ image_vectors.T - mean[:, None]) / deviation[:, None]

    def probabilities(
        self, phrase_vectors: Float32Array, image_vectors: Float32Array
    ) -> Float32Array:
        """Probability that each photo (n, d) shows what each phrase (m, d) names: (m, n)."""
        mean, deviation = self.moments(phrase_vectors)
        z = (phrase_vectors @ image_vectors.T - mean[:, None]) / deviation[:, None]
        slope, relative, log_deviation, *common, bias = self._weights
        offset = relative * mean / deviation + log_deviation * np.log(deviation) + bias
        slopes = np.full_like(offset, slope)
        if self._prior is not None:
            odds = self._prior.log_odds(phrase_vectors)
            offset, slopes = offset + common[0] * odds, slopes + common[1] * odds
        slopes = np.maximum(slopes, _LEAST_SLOPE)
        return np.asarray(1 / (1 + np.exp(-(slopes[:, None] * z + offset[:, None]))), np.float32)


class StarterPresence:
    """Implements PresenceModel for the starter encoder."""

    def __init__(
        self,
        encoder: StarterEncoder,
        calibrator: PresenceCalibrator,
        likeness: PresenceCalibrator | None = None,
    ) -> None:
        """`likeness` is calibrated without a prior; without one `calibrator` takes its place."""
        self._encoder = encoder
        self._calibrator = calibrator
        self._likeness = likeness or calibrator
        self._thresholds = encoder.manifest.thresholds

    @property
    def present_above(self) -> float:
        """Probability from which a thing counts as present."""
        return self._thresholds["present_above"]

    @property
    def absent_below(self) -> float:
        """Probability below which a thing counts as absent."""
        return self._thresholds["absent_below"]

    @property
    def exclude_above(self) -> float:
        """Probability from which an exclusion removes a photo."""
        return self._thresholds["exclude_above"]

    @property
    def nothing_matches_below(self) -> float:
        """Best probability in the whole library below which a query has no answer."""
        return self._thresholds["nothing_matches_below"]

    @property
    def near_duplicate_above(self) -> float:
        """Cosine of two photo vectors from which they are near-duplicates."""
        return self._thresholds["near_duplicate_above"]

    def probabilities(self, phrases: Sequence[str], image_vectors: Float32Array) -> Float32Array:
        """Probability that each photo (n, dim) shows each phrase (m): (m, n)."""
        texts = [phrase_text(phrase, self._encoder.manifest) for phrase in phrases]
        return self._calibrator.probabilities(self._encoder.encode_texts(texts), image_vectors)

    def likeness(self, phrases: Sequence[str], image_vectors: Float32Array) -> Float32Array:
        """As `probabilities`, were every thing equally common: (m, n)."""
        texts = [phrase_text(phrase, self._encoder.manifest) for phrase in phrases]
        return self._likeness.probabilities(self._encoder.encode_texts(texts), image_vectors)


def phrase_text(phrase: str, manifest: ModelManifest) -> str:
    """The wording in which a phrase is encoded, the same as in calibration."""
    return manifest.phrase_template.format(phrase=phrase.strip())


def calibrator_from(tensors: Mapping[str, Float32Array]) -> PresenceCalibrator:
    """The calibrator in named tensors; raises ModelCorrupt where one is missing."""
    try:
        return PresenceCalibrator(
            tensors["image.mean"],
            tensors["image.covariance"],
            tensors["logistic.weights"],
            prior_from(tensors) if "prior.shape" in tensors else None,
        )
    except ValueError as error:
        raise ModelCorrupt(f"{error}.", "Reinstall the application.") from error
    except KeyError as error:
        advice = "Reinstall the application."
        raise ModelCorrupt(f"The calibration lacks {error}.", advice) from error


def likeness_from(tensors: Mapping[str, Float32Array]) -> PresenceCalibrator:
    """The calibrator without a prior in named tensors; raises ModelCorrupt where one is missing."""
    plain = {name: value for name, value in tensors.items() if not name.startswith("prior.")}
    weights = tensors.get("likeness.weights", tensors["logistic.weights"])
    return calibrator_from(plain | {"logistic.weights": weights})


def open_presence(encoder: StarterEncoder) -> StarterPresence:
    """The presence model of an open encoder; raises ModelMissing or ModelCorrupt."""
    tensors = calibration_tensors(verified_calibration(encoder.manifest))
    return StarterPresence(encoder, calibrator_from(tensors), likeness_from(tensors))


def read_calibration(manifest: ModelManifest) -> PresenceCalibrator:
    """The calibrator that the manifest names; raises ModelMissing or ModelCorrupt."""
    return calibrator_from(calibration_tensors(verified_calibration(manifest)))


def calibration_tensors(path: Path) -> dict[str, Float32Array]:
    """The named tensors of a calibration file, as float32; raises ModelCorrupt."""
    try:
        return {name: np.asarray(value, np.float32) for name, value in load_file(path).items()}
    except SafetensorError as error:
        advice = "Reinstall the application."
        raise ModelCorrupt(f"{path.name} cannot be read.", advice) from error


def verified_calibration(manifest: ModelManifest) -> Path:
    """The path of the calibration file, its checksum verified."""
    return verified(manifest, "calibration")

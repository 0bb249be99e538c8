"""A photo outside the library, read with the same care as those inside it."""

import stat
import tempfile
from pathlib import Path

import numpy as np

from core.domain.arrays import Float32Array
from core.domain.photo import FileStamp, PhotoId
from core.domain.profile import Profile
from core.errors import ReferenceUnreadable
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.jobs import Decoded, DecodeJob, Outcome
from core.ingest.decoding.limits import decode_limits
from core.paths import LibraryPaths
from core.protocols import Perception
from core.settings import Settings

_NO_ID = PhotoId(0)


def read_reference_photo(
    path: Path, perception: Perception, settings: Settings
) -> tuple[Float32Array, Profile]:
    """The vector (dim) of a photo and what the models see in it; raises ReferenceUnreadable.

    It is decoded in a process of its own, which may crash without harm; nothing is kept.
    """
    side = perception.encoder.image_size
    outcome = _decode(path, side, settings)
    if not isinstance(outcome, Decoded):
        detail = getattr(outcome, "detail", "")
        raise ReferenceUnreadable(
            f"{path} cannot be read as a photo: {detail}.", "Choose another photo."
        )
    square = np.frombuffer(outcome.square, np.uint8).reshape(1, side, side, 3)
    vectors = perception.encoder.encode_images(square)
    (concepts,) = perception.concepts.concepts(vectors)
    text = ", ".join(concept.phrase for concept in concepts)
    return vectors[0], Profile(_NO_ID, concepts, text)


def _decode(path: Path, side: int, settings: Settings) -> Outcome:
    try:
        facts = path.stat()
    except OSError as error:
        raise ReferenceUnreadable(
            f"{path} cannot be read: {error.strerror}.", "Check the name of the file."
        ) from error
    if not stat.S_ISREG(facts.st_mode):  # never a pipe, a socket or a device
        raise ReferenceUnreadable(f"{path} is not a file.", "Choose a photo.")
    job = DecodeJob(FileStamp(path, facts.st_size, facts.st_mtime_ns), only_new=False)
    with tempfile.TemporaryDirectory() as scratch:
        limits = decode_limits(LibraryPaths(Path(scratch)), side, settings.decode)
        with (
            DecodePool(limits, workers=1) as pool,
            pool.outcomes([job], lambda known: False) as outcomes,
        ):
            return next(iter(outcomes))

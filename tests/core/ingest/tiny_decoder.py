"""A decoder that only tells files apart: what a run costs besides decoding."""

from core.domain.photo import ContentHash, Look, PhotoKind
from core.ingest.decoding.decode import IsKnown
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Known, Metadata, Outcome


def decode_tiny(job: DecodeJob, limits: DecodeLimits, is_known: IsKnown) -> Outcome:
    """A photo of the hash that its few bytes spell."""
    text = job.stamp.path.read_bytes().decode().zfill(64)
    content_hash = ContentHash(text)
    if job.only_new and is_known(content_hash):
        return Known(job.stamp, content_hash)
    thumbnail = limits.library.thumbnail(content_hash)
    thumbnail.parent.mkdir(parents=True, exist_ok=True)
    thumbnail.touch()
    square = bytes(3 * limits.square**2)
    looks = Look("0" * 16, 1.0, 0.0)
    return Decoded(
        job.stamp,
        content_hash,
        text,
        "PNG",
        8,
        8,
        PhotoKind.PHOTO,
        Metadata(),
        square,
        look=looks,
    )

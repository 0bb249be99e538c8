"""Decoders that crash, hang, eat memory or lie, chosen by the name of the file."""

import os
import signal
import time

from core.domain.photo import ContentHash, PhotoKind
from core.errors import LibraryUnwritable
from core.ingest.decoding.decode import IsKnown, decode_file
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Known, Metadata, Outcome


def decode_oddly(job: DecodeJob, limits: DecodeLimits, is_known: IsKnown) -> Outcome:
    """Do what the file's name says, else pretend to decode."""
    name = job.stamp.path.name
    if "crash" in name:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "hang" in name:
        time.sleep(600)
    if "spin" in name:
        while True:
            pass
    if "full" in name:
        raise LibraryUnwritable("The disk is full.", "Free some space.")
    if "bug" in name:
        raise KeyboardInterrupt
    if "slow" in name:
        time.sleep(0.3)
    content_hash = ContentHash(name)
    if is_known(content_hash):
        return Known(job.stamp, content_hash)
    square = bytes(3 * limits.square**2)
    kind = PhotoKind.PHOTO
    return Decoded(job.stamp, content_hash, name, "PNG", 8, 8, kind, Metadata(), square)


def decode_or_die(job: DecodeJob, limits: DecodeLimits, is_known: IsKnown) -> Outcome:
    """Really decode, but crash or hang on files whose name says so."""
    if any(word in job.stamp.path.name for word in ("crash", "hang")):
        return decode_oddly(job, limits, is_known)
    return decode_file(job, limits, is_known)


def cannot_start(job: DecodeJob, limits: DecodeLimits, is_known: IsKnown) -> Outcome:
    """Never called: its limits are too tight for a process to start."""
    raise NotImplementedError

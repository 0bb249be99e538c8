"""Why a file is not even a candidate, before any decoder sees it."""

from pathlib import Path

from core.domain.problem import ProblemReason
from core.ingest.folders.scan import Found, said
from core.ingest.folders.sniff import Sniffed, sniff_file
from core.settings import DecodeSettings

Refusal = tuple[ProblemReason, str]


def refusal(found: Found, limits: DecodeSettings) -> Refusal | None:
    """Why a file is not even a candidate, None where it should be decoded."""
    if found.trouble is not None:
        return found.trouble, found.detail
    try:
        sniffed = sniff_file(found.stamp.path)
    except OSError as error:
        return ProblemReason.UNREADABLE, said(error)
    match sniffed:
        case Sniffed.OTHER_PICTURE:
            return ProblemReason.UNSUPPORTED, _kind_of(found.stamp.path)
        case Sniffed.OTHER:
            return ProblemReason.NOT_A_PHOTO, _kind_of(found.stamp.path)
        case Sniffed.VIDEO:
            return _size_refusal(found.stamp.size, limits.max_video_bytes)
        case _:
            return _size_refusal(found.stamp.size, limits.max_bytes)


def _kind_of(path: Path) -> str:
    return f"{path.suffix.lower().lstrip('.') or 'unnamed'} file"


def _size_refusal(size: int, max_bytes: int) -> Refusal | None:
    if size == 0:
        return ProblemReason.EMPTY, "the file is empty"
    if size > max_bytes:
        return ProblemReason.TOO_LARGE, f"{size:,} bytes; the limit is {max_bytes:,}"
    return None

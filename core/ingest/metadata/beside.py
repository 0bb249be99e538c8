"""What files beside a photo say, laid over what the photo's own file says.

A sidecar is what the user last said: its title, rating, tags and position win. Takeout's JSON
only fills what is missing. The date is the best by the clock's priority, whoever says it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain

from core.domain.moment import CaptureTime, ClockSource
from core.domain.photo import Companion, FileStamp, PointSource
from core.domain.tag import TagSource
from core.ingest.decoding.jobs import Metadata
from core.ingest.metadata.clock import best_time
from core.ingest.metadata.clock_text import parse_time
from core.ingest.metadata.companions import sidecars_of, takeout_of
from core.ingest.metadata.gps import read_point
from core.ingest.metadata.regions import UPRIGHT, Stored
from core.ingest.metadata.takeout import TakeoutTags
from core.ingest.metadata.text import clean_text, described
from core.ingest.metadata.words import tags_from, united
from core.ingest.metadata.xmp import XmpTags


def with_companions(
    metadata: Metadata,
    stamp: FileStamp,
    companions: Sequence[Companion],
    stored: Stored = UPRIGHT,
) -> Metadata:
    """The metadata of a file with what its companions say; never raises.

    `stored` tells how the picture lies in the file, for the regions that a sidecar names.
    """
    for takeout in takeout_of(companions):
        metadata = _with_takeout(metadata, takeout)
    for sidecar in reversed(list(sidecars_of(companions))):  # the nearest has the last word
        metadata = _with_sidecar(metadata, sidecar, stored)
    return metadata


def _with_takeout(metadata: Metadata, told: TakeoutTags) -> Metadata:
    fills = metadata.point is None and told.point is not None
    tags = tags_from(told.words, TagSource.TAKEOUT)
    return replace(
        metadata,
        taken=_best([metadata.taken, told.taken]),
        point=told.point if fills else metadata.point,
        point_source=PointSource.TAKEOUT if fills else metadata.point_source,
        gps_problem="" if fills else metadata.gps_problem,
        title=metadata.title or described([told.description]),
        tags=united(chain(metadata.tags, tags)),
    )


def _with_sidecar(metadata: Metadata, told: XmpTags, stored: Stored) -> Metadata:
    point, problem = read_point(told.gps)
    wins = point is not None and point != metadata.point
    tags = tags_from(told.words(stored), TagSource.SIDECAR)
    return replace(
        metadata,
        taken=_best([parse_time(told.date, "", "", ClockSource.XMP), metadata.taken]),
        point=point or metadata.point,
        point_source=PointSource.SIDECAR if wins else metadata.point_source,
        gps_problem="" if point or metadata.point else metadata.gps_problem or problem,
        title=clean_text(told.title) or metadata.title or described([told.description]),
        tags=united(chain(tags, metadata.tags)),
        rating=metadata.rating if told.rating is None else told.rating,
    )


def _best(times: Iterable[CaptureTime | None]) -> CaptureTime | None:
    return best_time((time for time in times if time is not None), datetime.now(UTC))

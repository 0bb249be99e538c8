"""Reads what is new in other processes while this one embeds, and keeps it batch by batch."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.jobs import Decoded, DecodeJob, Outcome
from core.ingest.embed import BATCH
from core.ingest.folders.survey import Survey
from core.ingest.keep import Keeper, Read
from core.ingest.stage_times import StageTimes
from core.progress import Progress

_FIRST_BATCH = 8
_MOST_OUTCOMES = 256


def read_files(survey: Survey, pool: DecodePool, keeper: Keeper, progress: Progress) -> None:
    """Decode what is new, embed and save it batch by batch; raises Cancelled."""
    total = len(survey.fresh)
    if not total:
        return
    given: deque[DecodeJob] = deque()
    batch: list[Read] = []
    done = 0
    is_known = keeper.library.photos.has_content
    with pool.outcomes(_noted(survey.fresh, given), is_known) as outcomes:
        for outcome in _timed(outcomes, keeper.times):
            batch.append((given.popleft(), outcome))
            done += 1
            progress.report("read", done, total)
            if _is_full(batch, keeper.kept.embedded) or done == total:
                keeper.keep(batch)
                batch = []
                embedded = keeper.kept.embedded
                progress.report("embed", embedded, embedded if done == total else None)


def _noted(jobs: Iterable[DecodeJob], given: deque[DecodeJob]) -> Iterator[DecodeJob]:
    """The jobs; each is noted as it is given away, since outcomes come in the same order."""
    for job in jobs:
        given.append(job)
        yield job


def _timed(outcomes: Iterator[Outcome], times: StageTimes) -> Iterator[Outcome]:
    while True:
        with times.stage("read"):
            outcome = next(outcomes, None)
        if outcome is None:
            return
        times.spent_elsewhere("read", outcome.cpu_seconds)
        yield outcome


def _is_full(batch: Sequence[Read], embedded: int) -> bool:
    """Small batches first: the first photos are seen soon, and little is lost where it stops."""
    enough = min(BATCH, max(_FIRST_BATCH, embedded))
    decoded = sum(isinstance(outcome, Decoded) for _, outcome in batch)
    return decoded >= enough or len(batch) >= _MOST_OUTCOMES

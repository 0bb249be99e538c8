"""How fast photos of twelve megapixels become thumbnails, against what users have, in one run.

The same photos are decoded by our pool of processes with all its safety, by our own decoder
without any in as many bare processes, by Pillow alone in as many threads (a thumbnail and no
more), and by as many `vipsthumbnail` processes where it is installed: in turn, caches warm,
processes started before. Rates are photos a second.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from PIL import Image

from core.benchmark.cost import Cost, best_of, cost_of
from core.domain.photo import ContentHash, FileStamp
from core.errors import DatasetError
from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Outcome
from core.ingest.decoding.pixels import prepare_decoders
from core.paths import LibraryPaths
from core.progress import Progress

POOL, PROCESSES, PILLOW, VIPS = "our pool", "bare processes", "Pillow alone", "vipsthumbnail"
_WIDTH, _HEIGHT = 4000, 3000
_COARSE = 40
_SHADES = 60.0
_GRAIN = 6.0
_QUALITY = 90
_SQUARE = 224
_THUMBNAIL_PX = 512

Work = Callable[[], None]


@dataclass(frozen=True, slots=True)
class DecodingSpeed:
    """What each contender took for the same photos; the ratios are of rates by the clock."""

    photos: int
    workers: int
    costs: Mapping[str, Cost]

    @property
    def of_unprotected(self) -> float:
        """Our pool's rate over that of our decoder in bare processes."""
        return self.costs[PROCESSES].wall_s / self.costs[POOL].wall_s

    @property
    def of_vips(self) -> float | None:
        """Our pool's rate over that of `vipsthumbnail`; None where it is not installed."""
        theirs = self.costs.get(VIPS)
        return None if theirs is None else theirs.wall_s / self.costs[POOL].wall_s


def draw_photos(folder: Path, count: int, seed: int, progress: Progress) -> list[Path]:
    """JPEGs of 4000 x 3000: soft shades with the grain of a sensor, like a photo's in size."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:04}.jpg" for number in range(count)]
    for number, path in enumerate(progress.track("draw", paths, total=count)):
        _draw(np.random.default_rng((seed, number))).save(path, quality=_QUALITY)
    return paths


def _draw(random: np.random.Generator) -> Image.Image:
    shape = (_COARSE * _HEIGHT // _WIDTH, _COARSE, 3)
    coarse = random.normal(128, _SHADES, shape).clip(0, 255).astype(np.uint8)
    soft = Image.fromarray(coarse).resize((_WIDTH, _HEIGHT), Image.Resampling.BICUBIC)
    grain = random.normal(0, _GRAIN, (_HEIGHT, _WIDTH, 1)).astype(np.int16)
    return Image.fromarray((np.asarray(soft) + grain).clip(0, 255).astype(np.uint8))


def decoding_speed(
    photos: Sequence[Path], scratch: Path, progress: Progress, workers: int = 2, rounds: int = 3
) -> DecodingSpeed:
    """The best cost of each contender over some rounds in turn; raises Cancelled, DatasetError."""
    costs: dict[str, list[Cost]] = {}
    with ExitStack() as stack:
        works = dict(_contenders(photos, scratch, workers, stack))
        for work in works.values():
            work()
        for _ in progress.track("decode", range(rounds), total=rounds):
            for name, work in works.items():
                progress.check()
                costs.setdefault(name, []).append(cost_of(work))
    return DecodingSpeed(len(photos), workers, {name: best_of(of) for name, of in costs.items()})


def _contenders(
    photos: Sequence[Path], scratch: Path, workers: int, stack: ExitStack
) -> Iterator[tuple[str, Work]]:
    limits = DecodeLimits(LibraryPaths(scratch / "library"), _SQUARE, _THUMBNAIL_PX)
    jobs = [_job(path) for path in photos]
    pool = stack.enter_context(DecodePool(limits, workers))
    yield POOL, partial(_by_pool, pool, jobs)
    bare = ProcessPoolExecutor(workers, get_context("spawn"), initializer=prepare_decoders)
    yield PROCESSES, partial(_by_executor, stack.enter_context(bare), jobs, limits)
    threads = stack.enter_context(ThreadPoolExecutor(workers))
    yield PILLOW, partial(_by_pillow, threads, photos, scratch)
    program = shutil.which(VIPS)
    if program is not None:
        yield VIPS, partial(_by_vips, program, photos, scratch, workers)


def _job(path: Path) -> DecodeJob:
    stat = path.stat()
    return DecodeJob(FileStamp(path, stat.st_size, stat.st_mtime_ns), only_new=False)


def _by_pool(pool: DecodePool, jobs: Sequence[DecodeJob]) -> None:
    with pool.outcomes(iter(jobs), _never) as outcomes:
        _demand(outcomes)


def _by_executor(executor: Executor, jobs: Sequence[DecodeJob], limits: DecodeLimits) -> None:
    _demand(executor.map(partial(decode_bare, limits=limits), jobs))


def decode_bare(job: DecodeJob, limits: DecodeLimits) -> Outcome:
    """Our decoder as it is, without a process that guards it."""
    return decode_file(job, limits, _never)


def _by_pillow(executor: Executor, photos: Sequence[Path], scratch: Path) -> None:
    target = scratch / "pillow"
    target.mkdir(parents=True, exist_ok=True)
    for _ in executor.map(partial(_thumbnail, target=target), photos):
        pass


def _thumbnail(photo: Path, target: Path) -> None:
    with Image.open(photo) as picture:
        picture.draft("RGB", (_THUMBNAIL_PX, _THUMBNAIL_PX))
        picture.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX))
        picture.save(target / photo.name, quality=85)


def _never(known: ContentHash) -> bool:
    return False


def _demand(outcomes: Iterator[Outcome]) -> None:
    """Take every outcome; raise DatasetError for a photo that was not decoded."""
    for outcome in outcomes:
        if not isinstance(outcome, Decoded):
            raise DatasetError(f"{outcome.stamp.path} is no photo.", "Measure with photos.")


def _by_vips(program: str, photos: Sequence[Path], scratch: Path, workers: int) -> None:
    """Each process gets its share at once; one thread each is what serves them best."""
    target = scratch / "vips"
    target.mkdir(parents=True, exist_ok=True)
    size = f"{_THUMBNAIL_PX}x{_THUMBNAIL_PX}"
    start = [program, "--size", size, "--output", f"{target}/%s.jpg[Q=85]"]
    alone = {**os.environ, "VIPS_CONCURRENCY": "1"}
    shares = [list(map(str, photos[number::workers])) for number in range(workers)]
    running = [subprocess.Popen([*start, *share], env=alone) for share in shares if share]
    for process in running:
        process.wait()

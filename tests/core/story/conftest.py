"""Small libraries with sessions and trips, and plans over colours."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
import pytest

from core.backends.fakes import fake_perception
from core.backends.highs import HighsSolver
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.domain.session import Session, Split, SplitRule, Trip
from core.domain.story import Relation, Role, StoryAnswer, StoryBrief, StoryPlan
from core.paths import LibraryPaths
from core.progress import Progress
from core.retrieval.gallery import Gallery
from core.store.library import open_library
from core.story.composer import compose
from core.story.options import ComposeOptions
from core.story.scene import OPEN, Path, Scene, in_order, photos_of
from tests.core.conftest import Picture, fill

START = datetime(2019, 5, 3, 10, 0)
MOAB = GeoPoint(38.573, -109.549)
VIENNA = GeoPoint(48.208, 16.372)


@dataclass(frozen=True)
class Tale:
    """A gallery with its sessions and trips."""

    gallery: Gallery
    sessions: list[Session]
    trips: list[Trip]

    def compose(self, plan: StoryPlan, strategy: str = "weaver", **options) -> StoryAnswer:
        chosen = ComposeOptions(strategy=strategy, **options)
        solver, progress = HighsSolver(), Progress()
        return compose(plan, self.gallery, self.sessions, self.trips, chosen, solver, progress)


TaleMaker = Callable[..., Tale]


@pytest.fixture
def make_tale(make_gallery) -> TaleMaker:
    """`make_tale(sessions, trips)`: lists of pictures, and which sessions make up each trip."""

    def make(runs: Sequence[Sequence[Picture]], trips: Sequence[Sequence[int]] = ()) -> Tale:
        gallery = make_gallery([picture for run in runs for picture in run])
        return Tale(gallery, *_runs(runs, trips))

    return make


@pytest.fixture
def make_tale_fresh(tmp_path) -> Iterator[TaleMaker]:
    """`make_tale` with a library of its own at each call."""
    opened = []

    def make(runs: Sequence[Sequence[Picture]], trips: Sequence[Sequence[int]] = ()) -> Tale:
        folder = tmp_path / str(len(opened))
        library = open_library(LibraryPaths(folder))
        opened.append(library)
        fill(library, [picture for run in runs for picture in run], folder)
        gallery = Gallery.load(library, fake_perception(), Progress())
        return Tale(gallery, *_runs(runs, trips))

    yield make
    for library in opened:
        library.close()


def _runs(
    runs: Sequence[Sequence[Picture]], trips: Sequence[Sequence[int]]
) -> tuple[list[Session], list[Trip]]:
    starts = np.cumsum([1, *(len(run) for run in runs)])
    sessions = [
        session_of(number, run, int(first))
        for number, (run, first) in enumerate(zip(runs, starts[:-1], strict=True), start=1)
    ]
    away = [
        Trip(number, tuple(sessions[i] for i in members), Split(SplitRule.FIRST), "")
        for number, members in enumerate(trips, start=1)
    ]
    return [session for session in sessions if session.photo_ids], away


def session_of(number: int, run: Sequence[Picture], first_id: int) -> Session:
    dated = [(first_id + i, p) for i, p in enumerate(run) if p.taken is not None]
    times = [moment(p.taken) for _, p in dated] or [moment(START)]
    center = next((p.point for _, p in dated if p.point), None)
    place = {MOAB: "Moab, Utah, US", VIENNA: "Vienna, AT"}.get(center, "") if center else ""
    ids = tuple(PhotoId(i) for i, _ in dated)
    return Session(number, "", ids, times[0], times[-1], Split(SplitRule.FIRST), center, place)


def moment(taken: datetime) -> CaptureTime:
    return CaptureTime(taken, None, ClockSource.ORIGINAL, Precision.SECOND)


def shots(*colours: str, start: datetime = START, minutes: float = 20, point=None):
    """Pictures at equal distances in time."""
    return [
        Picture(c, start + timedelta(minutes=i * minutes), point) for i, c in enumerate(colours)
    ]


def plan_of(*roles: str, relation=Relation.EVENT, subject="red", sizes=(3, 5), **rest):
    """A plan whose roles are colours in order; `*` before one makes it required, `?` unordered."""
    made = tuple(
        Role(
            text.lstrip("*?"),
            text.lstrip("*?"),
            -1 if text.startswith("?") else position,
            required=text.startswith("*"),
        )
        for position, text in enumerate(roles)
    )
    return StoryPlan(StoryBrief(subject, *sizes), subject, relation, made, **rest)


def random_scene(
    seed: int, photos: int = 6, roles: int = 3, *, ordered=True, chapters=1, sizes=(2, 3), alike=0.5
) -> Scene:
    """A scene of random numbers, distinct times, some pairs redundant, some roles not allowed."""
    random = np.random.default_rng(seed)
    redundancy = random.uniform(0, 1, (photos, photos))
    redundancy[random.random((photos, photos)) >= alike] = 0
    redundancy = np.triu(redundancy, 1)
    return Scene(
        rows=np.arange(photos, dtype=np.int64),
        seconds=np.sort(random.integers(0, 40, photos)).astype(np.float64),
        roles=tuple(
            Role(f"r{j}", "", j if ordered else -1, required=bool(random.random() < 0.3))
            for j in range(roles)
        ),
        gain=random.uniform(0.05, 1, (roles, photos)),
        presence=random.uniform(0, 1, (roles, photos)),
        subject=random.uniform(0, 1, photos),
        allowed=random.random((roles, photos)) < 0.8,
        redundancy=redundancy + redundancy.T,
        chapter=np.arange(photos, dtype=np.int64) * chapters // photos,
        quota=-(-sizes[1] // chapters),
        min_size=sizes[0],
        max_size=sizes[1],
    )


def every_path(scene: Scene, smallest: int = 2, required: bool = False) -> list[Path]:
    """All paths that obey the rules, by brute force."""
    choices = [
        ([] if required and role.required else [OPEN]) + np.flatnonzero(scene.allowed[j]).tolist()
        for j, role in enumerate(scene.roles)
    ]
    return [path for path in itertools.product(*choices) if lawful(scene, path, smallest)]


def lawful(scene: Scene, path: Path, smallest: int = 2) -> bool:
    filled = [photo for photo in path if photo != OPEN]
    counts = np.unique(scene.chapter[filled], return_counts=True)[1] if filled else np.array([0])
    return (
        smallest <= len(filled) <= scene.max_size
        and len(set(filled)) == len(filled)
        and photos_of(path) == tuple(sorted(filled))
        and all(scene.allowed[j, i] for j, i in enumerate(path) if i != OPEN)
        and bool((counts <= scene.quota).all())
        and in_order(scene, path)
    )


def without_requirements(scene: Scene) -> Scene:
    return replace(scene, roles=tuple(replace(role, required=False) for role in scene.roles))

"""How drafts of bundles come about: `weaver`, the paper's beam, and `exact`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Int64Array
from core.progress import Progress
from core.protocols import MipSolver
from core.story.beam import BeamOptions, weave
from core.story.candidates import window_rows
from core.story.draft import Draft
from core.story.exact import compose_exactly
from core.story.maker import SceneMaker
from core.story.options import ComposeOptions
from core.story.scene import Path, Scene, photos_of
from core.story.seeds import diverse_seeds
from core.story.windows import voted_windows


@dataclass(frozen=True, slots=True)
class Workshop:
    """What every strategy works with."""

    maker: SceneMaker
    options: ComposeOptions
    solver: MipSolver
    progress: Progress
    subject_visible: bool

    def draft(self, scene: Scene, path: Path, relaxed: str = "") -> Draft:
        """A path as something to judge."""
        maker = self.maker
        return Draft(
            maker.plan, maker.pool, maker.presence, scene, path, self.subject_visible, relaxed
        )

    def look(self, windows: list[Int64Array]) -> None:
        """Look at the photos of all windows at once."""
        rows = [self.maker.shortlist(window) for window in windows]
        self.maker.showing.look(np.unique(np.concatenate([*rows, np.empty(0, np.int64)])))


Drafts = Iterator[list[Draft]]
"""The drafts of one window after another."""


def weaver(workshop: Workshop) -> Drafts:
    """Every completed path of the beam of each diverse seed (BundleWeaver)."""
    maker, settings = workshop.maker, workshop.options.settings
    relation = maker.plan.relation
    seeds = diverse_seeds(
        maker.pool, maker.directions, relation, settings.seeds, settings.subject_weight
    )
    windows = [window_rows(maker.pool, seed, relation, settings) for seed in seeds]
    workshop.look(windows)
    pairs = list(zip(seeds, windows, strict=True))
    for seed, window in workshop.progress.track("compose", pairs, total=len(pairs)):
        drafts = _woven(workshop, window, seed, 0)
        if _largest(drafts) < maker.plan.brief.min_size:  # its roles are not to be had together
            drafts = _woven(workshop, window, seed, maker.plan.brief.min_size) or drafts
        yield drafts


def exact(workshop: Workshop) -> Drafts:
    """The provably best path of each window that the roles' nearest photos vote for."""
    maker, options = workshop.maker, workshop.options
    windows = voted_windows(maker.pool, maker.directions, maker.plan.relation, options.settings)
    workshop.look(windows)
    for window in workshop.progress.track("compose", windows, total=len(windows)):
        drafts = _solved(workshop, window, 0)
        if _largest(drafts) < maker.plan.brief.min_size:
            drafts = _solved(workshop, window, maker.plan.brief.min_size) or drafts
        yield drafts


STRATEGIES: dict[str, Callable[[Workshop], Drafts]] = {"weaver": weaver, "exact": exact}
"""The strategies by the names that a user chooses them by."""


def _woven(workshop: Workshop, window: Int64Array, seed: int, extra_moments: int) -> list[Draft]:
    settings = workshop.options.settings
    scene = workshop.maker.make(window, seed, extra_moments)
    start = int(np.searchsorted(scene.rows, seed))
    options = BeamOptions(settings.beam_width, settings.candidates)
    paths = weave(scene, start, options, workshop.progress)
    return [workshop.draft(scene, path) for path in paths]


def _solved(workshop: Workshop, window: Int64Array, extra_moments: int) -> list[Draft]:
    scene = workshop.maker.make(window, None, extra_moments)
    limit = workshop.options.time_limit_s
    found = compose_exactly(scene, workshop.solver, workshop.progress, limit)
    if found is None:
        return []
    unproven = "" if found.proven else "the time ran out before this was proven to be the best"
    relaxed = "; ".join(part for part in (found.relaxed, unproven) if part)
    return [workshop.draft(scene, found.path, relaxed)]


def _largest(drafts: list[Draft]) -> int:
    return max((len(photos_of(draft.path)) for draft in drafts), default=0)

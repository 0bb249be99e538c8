"""Composes stories: from a plan to the best bundles, with everything that explains them."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.domain.answer import TraceEvent
from core.domain.arrays import Int64Array
from core.domain.session import Session, Trip
from core.domain.story import Bundle, Relation, StoryAnswer, StoryPlan
from core.errors import UnknownChoice
from core.progress import Progress
from core.protocols import MipSolver
from core.retrieval.gallery import Gallery
from core.retrieval.tools.bm25 import content_words
from core.story.directions import directions_of
from core.story.draft import Draft
from core.story.filters import suitable
from core.story.judge import judge
from core.story.maker import SceneMaker
from core.story.options import ComposeOptions
from core.story.pool import StoryPool, pool_of
from core.story.seeds import neighbours
from core.story.strategies import STRATEGIES, Workshop
from core.story.title import title_of

_OVERLAP = 0.5
"""Bundles that share more of their photos than this tell the same story."""


def compose(
    plan: StoryPlan,
    gallery: Gallery,
    sessions: Sequence[Session],
    trips: Sequence[Trip],
    options: ComposeOptions,
    solver: MipSolver,
    progress: Progress,
) -> StoryAnswer:
    """The best bundles for a plan; none, with a trace that says why, where none can be made.

    Raises UnknownChoice for a strategy that does not exist, SolverError, Cancelled; what was
    best when it was cancelled has been given to `options.on_better`.
    """
    if options.strategy not in STRATEGIES:
        raise UnknownChoice(
            f"There is no story strategy {options.strategy!r}.",
            f"Choose one of: {', '.join(STRATEGIES)}.",
        )
    started = time.perf_counter()
    everything = pool_of(gallery.images, gallery.columns, sessions, trips)
    unknown = len(gallery) - len(everything)
    undated = TraceEvent("undated", f"of {unknown} photos nothing tells when they were taken")
    naming = _naming(plan, gallery)
    # a real trip binds its photos by itself, whatever name for it the brief may have
    on_trip = plan.relation is Relation.TRIP and bool(trips)
    unplaced = naming is not None and not on_trip and not np.isin(everything.ids, naming).any()
    pool, left_out = suitable(everything, plan, naming)
    ready = time.perf_counter()
    choice = _Choice({session.id: session for session in sessions}, options)
    shown = True
    if len(pool) >= 2:
        maker = _maker(plan, gallery, pool, options, unplaced)
        subject_visible, shown = _visible(maker)
        if shown or maker.casting.bound:
            workshop = Workshop(maker, options, solver, progress, subject_visible)
            windows = STRATEGIES[options.strategy](workshop)
            choice.consider(windows if maker.casting.bound else map(_credible, windows))
    bundles = choice.best()
    trace = (undated, *left_out, *_outcome(pool, choice, bundles, shown))
    seconds = {"prepare": ready - started, "compose": time.perf_counter() - ready}
    return StoryAnswer(options.strategy, plan, bundles, trace, seconds)


def _naming(plan: StoryPlan, gallery: Gallery) -> Int64Array | None:
    """The photos whose profiles hold every word of a place that no gazetteer knows."""
    if not plan.named:
        return None
    found: set[int] = set()
    for name in plan.named:
        held = [
            {int(photo_id) for photo_id, _ in gallery.profiles.match([word], len(gallery))}
            for word in content_words(name)
        ]
        found |= set.intersection(*held) if held else set()
    return np.intersect1d(np.array(sorted(found), np.int64), gallery.ids)


def _maker(
    plan: StoryPlan, gallery: Gallery, pool: StoryPool, options: ComposeOptions, unplaced: bool
) -> SceneMaker:
    perception = gallery.perception
    directions = directions_of(plan, perception.encoder)
    weight = options.settings.subject_weight
    return SceneMaker.of(pool, plan, directions, perception.presence, weight, unplaced)


def _credible(drafts: list[Draft]) -> list[Draft]:
    """Where no fact says what belongs to the story, some photo must show what it is of."""
    return [draft for draft in drafts if draft.credible]


def _visible(maker: SceneMaker) -> tuple[bool, bool]:
    """Whether any near photo shows the subject, and whether any shows it or a role."""
    near = np.unique(np.concatenate(neighbours(maker.pool, maker.directions)))
    least = maker.presence.nothing_matches_below
    subject = bool(maker.showing.subject(near).max(initial=0.0) >= least)
    return subject, subject or bool(maker.showing.roles(near).max(initial=0.0) >= least)


@dataclass(frozen=True, slots=True)
class _Judged:
    draft: Draft
    bundle: Bundle

    @property
    def worth(self) -> tuple[float, float, tuple[int, ...]]:
        """What drafts are sorted by, the best first: the judge's score, then Φ, then time."""
        rows = tuple(int(row) for row in self.draft.rows)
        return (-round(self.bundle.score, 9), -round(self.draft.phi, 9), rows)


@dataclass(slots=True)
class _Choice:
    """Keeps every set of photos once, at its best, and tells of a better best."""

    sessions: dict[int, Session]
    options: ComposeOptions
    windows: int = 0
    kept: dict[frozenset[int], _Judged] = field(default_factory=dict)

    def consider(self, windows: Iterable[list[Draft]]) -> None:
        """Judge the drafts of each window as they come."""
        best: _Judged | None = None
        for drafts in windows:
            self.windows += 1
            found = sorted(map(self._judged, drafts), key=lambda judged: judged.worth)
            for judged in found:
                known = self.kept.get(judged.draft.ids)
                if known is None or judged.worth < known.worth:
                    self.kept[judged.draft.ids] = judged
            if found and (best is None or found[0].worth < best.worth):
                best = found[0]
                self.options.on_better(best.bundle)

    def best(self) -> tuple[Bundle, ...]:
        """The best bundles that tell different stories."""
        chosen: list[_Judged] = []
        for judged in sorted(self.kept.values(), key=lambda judged: judged.worth):
            if len(chosen) == self.options.bundles:
                break
            if all(_overlap(judged.draft, other.draft) <= _OVERLAP for other in chosen):
                chosen.append(judged)
        return tuple(judged.bundle for judged in chosen)

    def _judged(self, draft: Draft) -> _Judged:
        score, checks = judge(draft)
        title = title_of(draft, self.sessions)
        return _Judged(draft, Bundle(draft.photos(), title, score, checks))


def _overlap(one: Draft, other: Draft) -> float:
    return len(one.ids & other.ids) / min(len(one.ids), len(other.ids))


def _outcome(
    pool: StoryPool, choice: _Choice, bundles: tuple[Bundle, ...], shown: bool
) -> tuple[TraceEvent, ...]:
    counted = f"{len(choice.kept)} bundles judged in {choice.windows} windows of {len(pool)} photos"
    if not bundles:
        if not shown:
            return (TraceEvent("no story", "no photo shows what the brief tells of"),)
        reason = "no two of them make this story" if len(pool) >= 2 else "a story needs two"
        return (TraceEvent("no story", f"{len(pool)} photos fit the brief; {reason}"),)
    relaxed = dict.fromkeys(j.draft.relaxed for j in choice.kept.values() if j.draft.relaxed)
    return (TraceEvent("judged", counted), *(TraceEvent("relaxed", text) for text in relaxed))

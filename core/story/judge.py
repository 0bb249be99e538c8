"""Judges a whole bundle without a vision-language model: one function a property.

The score is 1 + 9 · Σ weight · check / Σ weight over the checks that apply. Roles weigh most:
a story that lacks a part is no story. What breaks the frame (order, event) comes next; looks
(subject, redundancy) and the spread over a trip after that.
"""

from collections.abc import Callable

import numpy as np

from core.domain.story import Check, Relation
from core.story.candidates import kilometres
from core.story.directions import MOMENT
from core.story.draft import Draft
from core.story.pool import NONE
from core.story.scene import OPEN, in_order

_REQUIRED_WEIGHT = 2.0
"""A required role counts as two."""
_SHORT_DAY_H = 4.0
"""Between the first and last photo of a story from day to night."""


def roles_covered(draft: Draft) -> Check | None:
    """The share of the plan's roles that are played, each as far as its photo shows it."""
    roles = draft.scene.roles
    named = [j for j, role in enumerate(roles) if role.name != MOMENT]
    if not named:
        return None
    weight = np.array([_REQUIRED_WEIGHT if roles[j].required else 1.0 for j in named])
    enough = max(draft.presence.present_above, 1e-9)
    played = np.array([min(draft.fit(j) / enough, 1.0) for j in named])
    # a brief may name more roles than the bundle may hold
    most = np.sort(weight)[::-1][: draft.scene.max_size].sum()
    filled = sum(draft.path[j] != OPEN for j in named)
    missing = [roles[j].name for j in named if draft.path[j] == OPEN]
    text = f"{filled} of {len(named)} roles are played"
    text += f"; missing: {', '.join(missing)}" if missing else ""
    return Check("roles covered", min(float((weight * played).sum() / most), 1.0), text)


def shows_subject(draft: Draft) -> Check | None:
    """How far the photos show what the brief is about, on average.

    "A trip" can't be seen: what no photo near it shows is not judged by looks.
    """
    if not draft.subject_visible:
        return None
    enough = max(draft.presence.present_above, 1e-9)
    shown = np.minimum(draft.subject_fit / enough, 1.0)
    clearly = int((draft.subject_fit >= enough).sum())
    return Check(
        "subject", float(shown.mean()), f"{clearly} of {len(shown)} photos clearly show the subject"
    )


def time_order(draft: Draft) -> Check:
    """Whether roles come in the order that the brief tells them."""
    right = in_order(draft.scene, draft.path)
    text = "the photos are in the order of the brief" if right else "some roles are out of order"
    return Check("time order", float(right), text)


def one_event(draft: Draft) -> Check | None:
    """The largest share of the photos that lies in one session (in one trip for a trip)."""
    pool, rows = draft.pool, draft.rows
    if draft.plan.relation is Relation.RECURRING:
        return None
    on_trip = draft.plan.relation is Relation.TRIP and bool((pool.trip[rows] != NONE).any())
    run, name = (pool.trip[rows], "trip") if on_trip else (pool.session[rows], "session")
    known = run[run != NONE]
    most = int(np.unique(known, return_counts=True)[1].max()) if len(known) else 1
    share = most / len(rows)
    text = "all photos are" if share == 1 else f"{most} of {len(rows)} photos are"
    return Check("one event", share, f"{text} from one {name}")


def one_place(draft: Draft) -> Check | None:
    """How near each other the photos were taken: 1 within 1 km, 0 from 50 km."""
    if draft.plan.relation is Relation.TRIP:
        return None
    km = np.array([kilometres(draft.pool, int(row))[draft.rows] for row in draft.rows])
    if np.isnan(km).all():
        return None
    widest = float(np.nanmax(km))
    score = 1 - np.log(np.clip(widest, 1.0, 50.0)) / np.log(50.0)
    text = "the photos are from one place" if widest <= 1 else f"the photos span {widest:.0f} km"
    return Check("one place", float(score), text)


def redundancy(draft: Draft) -> Check:
    """How little the photos repeat each other."""
    members = draft.members
    repeated = np.triu(draft.scene.redundancy[np.ix_(members, members)], 1)
    pairs = int((repeated > 0).sum())
    worst = float(repeated.max(initial=0.0))
    text = f"{pairs} pairs of photos look alike" if pairs else "no two photos look alike"
    return Check("redundancy", 1 - worst, text)


def trip_days(draft: Draft) -> Check | None:
    """The share of the trip's parts (its days, or runs of photos within them) that is told."""
    if draft.plan.relation is not Relation.TRIP:
        return None
    told = len(np.unique(draft.scene.chapter[draft.members]))
    days = len(np.unique(draft.pool.day[draft.rows]))
    all_days = len(np.unique(draft.pool.day[draft.scene.rows]))
    share = told / min(draft.scene.chapters, draft.scene.max_size)
    return Check("days of the trip", share, f"the photos are from {days} of {all_days} days")


def occasions(draft: Draft) -> Check | None:
    """For what recurs: the share of the photos that are from an occasion of their own."""
    if draft.plan.relation is not Relation.RECURRING:
        return None
    days = len(np.unique(draft.pool.waking_day[draft.rows]))
    text = f"{days} occasions in {len(draft.rows)} photos"
    return Check("occasions", (days - 1) / (len(draft.rows) - 1), text)


def day_passes(draft: Draft) -> Check | None:
    """From day to night: whether some hours pass between the first photo and the last."""
    if draft.plan.relation is not Relation.DAY_TO_NIGHT:
        return None
    seconds = draft.pool.seconds[draft.rows]
    hours = float(seconds[-1] - seconds[0]) / 3600
    text = f"{hours:.1f} hours pass from the first photo to the last"
    return Check("the day passes", min(hours / _SHORT_DAY_H, 1.0), text)


def size(draft: Draft) -> Check | None:
    """Shown only where fewer photos were found than asked for."""
    count, asked = len(draft.rows), draft.scene.min_size
    if count >= asked:
        return None
    return Check("size", count / asked, f"only {count} fitting photos, {asked} were asked for")


WEIGHTS: dict[Callable[[Draft], Check | None], float] = {
    roles_covered: 3.0,
    one_event: 2.0,
    time_order: 2.0,
    trip_days: 2.0,
    occasions: 2.0,
    day_passes: 2.0,
    shows_subject: 2.0,
    one_place: 1.0,
    redundancy: 1.0,
    size: 3.0,
}
"""The checks and what each weighs in the score."""


def judge(draft: Draft) -> tuple[float, tuple[Check, ...]]:
    """The bundle's score, 1 to 10, and the checks that apply."""
    found = [(check(draft), weight) for check, weight in WEIGHTS.items()]
    applying = [(check, weight) for check, weight in found if check is not None]
    total = sum(weight for _, weight in applying)
    share = sum(weight * check.score for check, weight in applying) / total
    return 1 + 9 * share, tuple(check for check, _ in applying)

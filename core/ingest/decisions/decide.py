"""Carries out what the user decides, and takes it back: one transaction each.

What the files say of a photo is kept (`recorded`) when a decision first touches it; its row shows
that with all decisions applied. Undoing removes the newest decision and applies the rest again.
No model runs: a photo's words are made again from what was seen of it already.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.decision import Decision, DecisionValue, Judged
from core.domain.photo import PhotoFacts, PhotoId
from core.domain.profile import Profile
from core.domain.query import QueryId
from core.ingest.decisions.changes import MOVES_SESSIONS
from core.ingest.decisions.check_decision import check_decision
from core.ingest.decisions.corrections import Standing, World, corrected
from core.ingest.decisions.reach import reached
from core.ingest.profile import make_profile
from core.ingest.sessions.refresh import decision_changes_sessions, refresh_sessions
from core.progress import Progress
from core.settings import SessionSettings
from core.store.fact_writes import write_facts
from core.store.library import Library
from core.store.reach import facts_of
from core.store.slices import batches


@dataclass(frozen=True, slots=True)
class Desk:
    """Where decisions are carried out: on what, and with what knowledge of the world.

    Concepts of at least `seen_above` enter a photo's words.
    """

    library: Library
    world: World
    settings: SessionSettings
    seen_above: float


def decide(desk: Desk, value: DecisionValue, progress: Progress) -> Decision:
    """Keep a decision and let it hold, all of it or nothing; raises InputError, Cancelled."""
    value = check_decision(desk.library, value)
    with desk.library.database.write():
        decision = desk.library.decisions.add(value)
        correct_photos(desk, reached(desk.library, value), progress)
        _refresh_sessions(desk, value, progress)
    return decision


def undo(desk: Desk, progress: Progress) -> Decision | None:
    """Take the newest decision back, all of it or nothing; None where there is none."""
    library = desk.library
    with library.database.write():
        decision = library.decisions.newest()
        if decision is None:
            return None
        ids = reached(library, decision.value)
        library.decisions.remove(decision.id)
        if isinstance(decision.value, Judged):
            library.judgements.restore(decision.value.query_id, decision.value.before)
        correct_photos(desk, ids, progress)
        _refresh_sessions(desk, decision.value, progress)
    return decision


def judge(
    library: Library, query_id: QueryId, right: Sequence[PhotoId], wrong: Sequence[PhotoId]
) -> None:
    """Keep the user's word on photos of an answer, and what held before; raises NotInLibrary."""
    with library.database.write():
        before = library.judgements.held(query_id, [*right, *wrong])
        library.judgements.judge(query_id, right, wrong)
        if before:
            library.decisions.add(Judged(query_id, before))


def _refresh_sessions(desk: Desk, value: DecisionValue, progress: Progress) -> None:
    if not isinstance(value, MOVES_SESSIONS):
        return
    progress.report("sessions", 0)
    decision_changes_sessions(desk.library, value)
    refresh_sessions(desk.library, desk.settings, desk.world.zones, progress)


def correct_photos(desk: Desk, ids: Sequence[PhotoId], progress: Progress) -> None:
    """Show these photos as today's decisions want it; joins the open transaction."""
    if not ids:
        return
    decisions = [decision.value for decision in desk.library.decisions.all()]
    standing = Standing.of(decisions, frozenset(ids))
    done = 0
    with desk.library.database.write():
        for batch in batches(ids):
            _correct(desk, batch, standing)
            done += len(batch)
            progress.report("photos", done, len(ids))


def _correct(desk: Desk, ids: Sequence[PhotoId], standing: Standing) -> None:
    library = desk.library
    shown = facts_of(library.database, ids)
    recorded = library.decisions.recorded(ids)
    changed: dict[PhotoId, PhotoFacts] = {}
    touched: dict[PhotoId, PhotoFacts] = {}
    untouched = []
    for photo_id, before in shown.items():
        base = recorded.get(photo_id, before)
        facts = corrected(photo_id, base, standing, desk.world)
        if facts is base:
            untouched.append(photo_id)
        elif photo_id not in recorded:
            touched[photo_id] = base
        facts = _in_same_order(facts, before)
        if facts != before:
            changed[photo_id] = facts
    library.decisions.record_all(touched)
    library.decisions.forget_recorded(untouched)
    write_facts(library.database, changed, shown)
    describe_again(desk, changed)


def _in_same_order(facts: PhotoFacts, before: PhotoFacts) -> PhotoFacts:
    """Order as neighbours and home have told it since, where time and position are the same."""
    if (facts.taken, facts.point) != (before.taken, before.point):
        return facts
    return replace(facts, order_key=before.order_key)


def describe_again(desk: Desk, changed: Mapping[PhotoId, PhotoFacts]) -> None:
    """The words of photos that have some, so that searches find what was decided at once."""
    profiles = desk.library.profiles.profiles(list(changed))
    made = [_profile(desk, profile, changed[i]) for i, profile in profiles.items()]
    desk.library.profiles.save([new for new in made if new.text != profiles[new.photo_id].text])


def _profile(desk: Desk, profile: Profile, facts: PhotoFacts) -> Profile:
    return make_profile(profile.photo_id, facts, profile.concepts, desk.seen_above)

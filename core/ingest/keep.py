"""Keeps what was read: one transaction a batch, photos with their vectors and profiles.

A photo is its content. One whose metadata alone were changed in place stays the same photo; a
copy with other metadata takes over what was seen of the pixels. Neither is looked at again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.photo import ContentHash, PhotoFacts, PhotoId
from core.ingest.decisions.corrections import World
from core.ingest.decisions.standing import keep_recorded, shown_facts
from core.ingest.decoding.jobs import Decoded, DecodeJob, Outcome, Refused
from core.ingest.embed import Embedded, embed_squares
from core.ingest.facts import complete_facts
from core.ingest.folders.mates import has_media
from core.ingest.folders.save_problems import save_problems
from core.ingest.identity import Plan, plan_batch
from core.ingest.profile import make_profile
from core.ingest.read_again import renew_facts
from core.ingest.seen import check_seen, take_over
from core.ingest.stage_times import StageTimes
from core.protocols import Gazetteer, Perception
from core.store.library import Library
from core.store.photos import KnownFile

Read = tuple[DecodeJob, Outcome]
"""A job and what came of it."""


@dataclass(slots=True)
class Kept:
    """Counts of one run: files that are new, changed or the same, photos that were embedded.

    `orphaned` are the refused files that had companions which are photos themselves.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    embedded: int = 0
    orphaned: list[DecodeJob] = field(default_factory=list)

    def count(self, *, was_known: bool, same: bool) -> None:
        """Count one file."""
        self.added += not was_known
        self.unchanged += same
        self.changed += was_known and not same


@dataclass(frozen=True, slots=True)
class Keeper:
    """Embeds and writes batches of outcomes into one library."""

    library: Library
    perception: Perception
    gazetteer: Gazetteer
    zones: ZoneFinder
    times: StageTimes
    kept: Kept = field(default_factory=Kept)

    @property
    def world(self) -> World:
        """What is known of positions."""
        return World(self.gazetteer, self.zones)

    def keep(self, batch: Sequence[Read]) -> None:
        """Keep outcomes in their order: of equal contents the first is described."""
        plan = plan_batch(batch, self.library, self.perception)
        embedded = self._embed(plan.to_look_at)
        with self.times.stage("save"):
            facts = complete_facts(plan.new, self.gazetteer, self.zones)
            with self.library.database.write():
                self._save_new(plan, facts, embedded)
                renewed = renew_facts(plan, self.library, self.world)
                self._describe_again(renewed)
                self._attach(batch, plan, renewed)
                self._refuse(batch)
            for content in plan.replaced:
                self.library.paths.thumbnail(content).unlink(missing_ok=True)
        self.kept.embedded += len(plan.to_look_at)

    def _embed(self, decoded: Sequence[Decoded]) -> Embedded | None:
        if not decoded:
            return None
        with self.times.stage("embed"):
            return embed_squares([d.square for d in decoded], self.perception)

    def _save_new(
        self, plan: Plan, recorded: Sequence[PhotoFacts], embedded: Embedded | None
    ) -> None:
        """Save contents that the library has not, and what was seen of them."""
        before = [plan.same_photo.get(one.content_hash) for one in plan.new]
        shown = shown_facts(self.library, recorded, before, self.world)
        facts_of: dict[ContentHash, PhotoFacts] = {}
        for one, held, says, facts in zip(plan.new, before, recorded, shown, strict=True):
            photo_id = held
            if photo_id is None:
                photo_id = self.library.photos.save(facts, one.stamp)
            else:
                self.library.photos.set_facts(photo_id, facts)
            if held is not None or facts is not says:
                keep_recorded(self.library, photo_id, says, facts)
            plan.ids[one.content_hash] = photo_id
            facts_of[one.content_hash] = facts
        looked_at = [one.content_hash for one in plan.to_look_at]
        if embedded is not None:
            ids = [plan.ids[content] for content in looked_at]
            self.save_described(ids, [facts_of[content] for content in looked_at], embedded)
        taken = {plan.ids[c]: (plan.source_of(c), facts_of[c]) for c in plan.seen_before}
        take_over(self.library, self.perception, taken)

    def _attach(
        self, batch: Sequence[Read], plan: Plan, renewed: Mapping[PhotoId, PhotoFacts]
    ) -> None:
        """Say which files hold which photos, and which companions they have."""
        companions = self.library.companions.of([job.stamp.path for job, _ in batch])
        saved = {one.stamp.path for one in plan.new if one.content_hash not in plan.same_photo}
        back: list[PhotoId] = []
        for job, outcome in batch:
            if isinstance(outcome, Refused):
                continue
            path, photo_id = job.stamp.path, plan.ids[outcome.content_hash]
            held = plan.before.get(path)
            same = held is not None and held.photo_id == photo_id
            touched = photo_id in renewed or outcome.content_hash in plan.same_photo
            self.kept.count(was_known=held is not None, same=same and not touched)
            if path not in saved and held != KnownFile(job.stamp, photo_id):
                self.library.photos.attach(photo_id, job.stamp)
                back.append(photo_id)
            if companions.get(path, ()) != job.companions:
                self.library.companions.replace(path, job.companions)
        check_seen(self.library, self.perception, back)

    def _refuse(self, batch: Sequence[Read]) -> None:
        taken = [job.stamp.path for job, outcome in batch if not isinstance(outcome, Refused)]
        self.library.problems.clear(taken)
        refused = [(job, o) for job, o in batch if isinstance(o, Refused)]
        save_problems(self.library, [(o.stamp, o.reason, o.detail) for _, o in refused])
        self.kept.orphaned += [job for job, _ in refused if has_media(job.companions)]

    def save_described(
        self, ids: Sequence[PhotoId], facts: Sequence[PhotoFacts], embedded: Embedded
    ) -> None:
        """Write vectors, proxies and profiles of photos; joins the open transaction."""
        seen_above = self.perception.presence.present_above
        with self.library.database.write():
            self.library.vectors.save(self.perception.encoder.name, ids, embedded.vectors)
            self.library.vectors.save(self.perception.proxy_name, ids, embedded.proxies)
            self.library.profiles.save(
                [
                    make_profile(photo_id, its_facts, concepts, seen_above)
                    for photo_id, its_facts, concepts in zip(
                        ids, facts, embedded.concepts, strict=True
                    )
                ]
            )

    def _describe_again(self, changed: Mapping[PhotoId, PhotoFacts]) -> None:
        """The words of photos that have some, from their new facts: no model runs."""
        if not changed:
            return
        profiles = self.library.profiles.profiles(list(changed))
        seen_above = self.perception.presence.present_above
        made = [
            make_profile(photo_id, changed[photo_id], profile.concepts, seen_above)
            for photo_id, profile in profiles.items()
        ]
        self.library.profiles.save([p for p in made if p.text != profiles[p.photo_id].text])

"""Puts the answer together: final set, verdicts, what was excluded, and the near miss."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.answer import NearMiss, RankedPhoto, SearchAnswer
from core.domain.photo import PhotoId
from core.domain.query import Polarity, Understanding
from core.domain.verdict import Verdict
from core.retrieval.executor import Execution
from core.retrieval.gallery import Gallery
from core.search.abstain import Evidence, Refusal
from core.search.hard_filters import HardFilter, filters_failed_by
from core.search.identity import query_id
from core.search.log import SearchLog
from core.search.near_miss import nearest_miss
from core.search.order import surest_first
from core.search.request import HYBRID, SearchRequest
from core.search.verifier import Verifier

_Scored = tuple[PhotoId, float]


@dataclass(frozen=True, slots=True)
class Findings:
    """What retrieval found: all candidates in fused order, and how they came about."""

    asked: Understanding
    execution: Execution
    fused: Sequence[_Scored]
    chosen: HardFilter

    @property
    def kept(self) -> list[_Scored]:
        """The final set in fused order; empty where a hard filter left nothing."""
        if self.chosen.failed:
            return []
        return [pair for pair in self.fused if pair[0] in self.execution.kept]

    @property
    def excluded(self) -> list[_Scored]:
        """The other candidates in fused order: reachable, but marked."""
        if self.chosen.failed:
            return list(self.fused)
        return [pair for pair in self.fused if pair[0] not in self.execution.kept]


def assemble(
    request: SearchRequest, gallery: Gallery, findings: Findings, log: SearchLog
) -> SearchAnswer:
    """The final answer: at most `request.top` kept photos, then at most as many excluded ones."""
    asked, execution = findings.asked, findings.execution
    with log.stage("order"):
        kept = _ordered(request, gallery, findings, log)
    ordered = [(pair, False) for pair in kept[: request.top]]
    ordered += [(pair, True) for pair in findings.excluded[: request.top]]
    with log.stage("verify"):
        verdicts = Verifier(gallery, asked).verify([pair[0] for pair, _ in ordered])
        best_first = [photo_id for photo_id, _ in kept]
        refusal = Evidence(gallery, asked, request.reference, best_first).refusal()
        missed = _judge(gallery, findings, refusal, verdicts, log)
    _note_steps(execution, log)
    log.mark("final")
    return SearchAnswer(
        query_id=query_id(request.query),
        strategy=request.strategy,
        stage="final",
        understanding=asked,
        abstained=refusal is not None,
        results=tuple(
            RankedPhoto(i, rank, score, out, verdicts.get(i, ()), _found_by(i, execution))
            for rank, ((i, score), out) in enumerate(ordered, start=1)
        ),
        near_miss=missed,
        trajectory=execution.trajectory,
        found=tuple(len(step.found) for step in execution.steps),
        trace=tuple(log.events),
        seconds=dict(log.seconds),
    )


def _ordered(
    request: SearchRequest, gallery: Gallery, findings: Findings, log: SearchLog
) -> list[_Scored]:
    """What is kept, best first; `hybrid` puts surer photos first where something is excluded."""
    if request.strategy != HYBRID or not findings.asked.excluded:
        return findings.kept
    log.note("order", "photos that surely lack what is excluded come first")
    return surest_first(findings.kept, findings.asked, gallery)


def _judge(
    gallery: Gallery,
    findings: Findings,
    refusal: Refusal | None,
    verdicts: dict[PhotoId, tuple[Verdict, ...]],
    log: SearchLog,
) -> NearMiss | None:
    """The near miss of a query that is refused."""
    if refusal is None:
        return None
    log.note("nothing matches", refusal.reason)
    nearest = [photo_id for photo_id, _ in (findings.kept or findings.excluded)]
    if not nearest:
        return None
    unfiltered = filters_failed_by(nearest[0], gallery, findings.asked)
    return nearest_miss(findings.asked, nearest, verdicts, (*unfiltered, *refusal.missing))


def _found_by(photo_id: PhotoId, execution: Execution) -> tuple[int, ...]:
    return tuple(i for i, step in enumerate(execution.steps) if photo_id in step.found)


def _note_steps(execution: Execution, log: SearchLog) -> None:
    for step, result in zip(execution.trajectory.steps, execution.steps, strict=True):
        sign = "minus" if step.polarity is Polarity.NEGATIVE else "plus"
        shown = f" (shown as {', '.join(step.appearances)})" if len(step.appearances) > 1 else ""
        found = f"{len(result.found)} photos, cut by {result.cut}"
        log.note("step", f"{sign} {step.tool} {step.query!r}{shown}: {found}")
    log.note("sets", f"{len(execution.candidates)} candidates, {len(execution.kept)} kept")

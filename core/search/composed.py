"""Composed search: a fast answer by vectors, then understood, planned, composed and verified."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.domain.answer import SearchAnswer
from core.domain.query import Understanding
from core.domain.trajectory import Trajectory
from core.language.understand import understand
from core.progress import Progress
from core.retrieval.executor import Execution, Executor
from core.retrieval.fusion import WeightedRanking, fuse
from core.retrieval.tools.box import make_tools
from core.search.assemble import Findings, assemble
from core.search.hard_filters import HardFilter, hard_filter, with_filters_as_conditions
from core.search.log import SearchLog
from core.search.plain import plain_answer
from core.search.planner import DefaultPlanner, PlanBrief
from core.search.request import EMBEDDING, HYBRID, SearchContext, SearchRequest, check_request
from core.search.weights import WorkerWeights, family_weights, routed

FirstAnswer = Callable[[SearchAnswer], None]
_WIDER = 4
"""How much deeper positive steps look when exclusions leave too few photos."""


def search(
    request: SearchRequest,
    context: SearchContext,
    progress: Progress,
    on_first: FirstAnswer | None = None,
) -> SearchAnswer:
    """Answer a composed query; `on_first` gets the plain answer as soon as it is there.

    Raises EmptyQuery, UnknownChoice, LibraryEmpty, Cancelled.
    """
    check_request(request, context.gallery)
    progress.check()
    log = SearchLog()
    for note in context.model_notes:
        log.note("models", note)
    first = plain_answer(request, context.gallery, log, "first")
    if on_first is not None:
        on_first(first)
    progress.check()
    if request.strategy == EMBEDDING:
        log.note("plain", "text and photo vectors alone, nothing is excluded")
        log.mark("final")
        return replace(first, stage="final", trace=tuple(log.events), seconds=dict(log.seconds))
    return _Refinement(request, context, log, progress).answer()


@dataclass(frozen=True, slots=True)
class _Refinement:
    """One search on its way from the query to the final answer."""

    request: SearchRequest
    context: SearchContext
    log: SearchLog
    progress: Progress

    def answer(self) -> SearchAnswer:
        """Understand, filter, plan, retrieve, fuse and assemble."""
        with self.log.stage("understand"):
            asked = self._understand()
        self.progress.check()
        with self.log.stage("plan"):
            chosen = self._filter(asked)
            plan = self._plan(asked, chosen)
            weights = self._weights()
        with self.log.stage("retrieve"):
            execution = self._execute(plan, chosen)
        with self.log.stage("fuse"):
            shares = family_weights(execution.trajectory, asked, weights)
            fused = fuse(
                [WeightedRanking(execution.steps[i].ranking, w) for i, w in shares.items()],
                execution.candidates,
                self.context.settings.fusion_tau,
            )
        self.progress.check()
        if self.request.reference and not self.request.keep_reference:
            own = self.request.reference.photo_id
            fused = [pair for pair in fused if pair[0] != own]  # its own words find it too
        findings = Findings(asked, execution, fused, chosen)
        return assemble(self.request, self.context.gallery, findings, self.log)

    def _understand(self) -> Understanding:
        reference = self.request.reference
        asked = with_filters_as_conditions(
            understand(
                self.request.query.text,
                self.context.today,
                self.context.gazetteer,
                reference.profile if reference else None,
            )
        )
        self.log.note("understood", f"looking for {asked.target!r}")
        for condition in asked.conditions:
            self.log.note("condition", f"{condition.polarity}: {condition.text}")
        for note in asked.notes:
            self.log.note("not understood", note)
        return asked

    def _filter(self, asked: Understanding) -> HardFilter:
        chosen = hard_filter(self.context.gallery, asked, self.request.keep_reference)
        size = len(self.context.gallery)
        if chosen.failed:
            self.log.note("fallback", f"no photo passes {' and '.join(chosen.failed)}")
        if chosen.within is not None:
            self.log.note("filter", f"{len(chosen.within)} of {size} photos pass date and place")
        return chosen

    def _plan(self, asked: Understanding, chosen: HardFilter) -> Trajectory:
        if self.request.trajectory is not None:
            self.log.note("planner", "the plan that was given")
            return self.request.trajectory
        planner = DefaultPlanner()
        top_k = max(self.context.settings.positive_top_k, self.request.top)
        has_reference = self.request.reference is not None
        further = tuple(space.tool for space in self.context.gallery.further)
        brief = PlanBrief(asked, has_reference, top_k, self._available(chosen), further)
        plan = planner.plan(brief)
        self.log.note("planner", f"{planner.name}: {len(plan.steps)} steps")
        return plan

    def _weights(self) -> WorkerWeights | None:
        if self.request.strategy != HYBRID:
            self.log.note("weights", "equal for every family")
            return None
        weights = routed(self.request.query.text, self.request.reference is not None)
        shares = ", ".join(f"{worker} {weight:.2f}" for worker, weight in weights.of.items())
        self.log.note("weights", f"{shares}: {weights.reason}")
        return weights

    def _execute(self, plan: Trajectory, chosen: HardFilter) -> Execution:
        """Run the plan; look deeper while exclusions leave fewer photos than were asked for."""
        gallery, reference = self.context.gallery, self.request.reference
        tools = make_tools(gallery, chosen.options)
        executor = Executor(gallery, tools, reference, chosen.within)
        execution = executor.run(plan, self.progress)
        available = self._available(chosen)
        wanted = min(self.request.top, available)
        while self.request.trajectory is None and len(execution.kept) < wanted:
            if all(plan.steps[i].top_k >= available for i in plan.positives):
                break
            plan = _widened(plan, available)
            self.log.note("widened", f"only {len(execution.kept)} photos were left")
            execution = executor.run(plan, self.progress)
        return execution

    def _available(self, chosen: HardFilter) -> int:
        return len(self.context.gallery) if chosen.within is None else len(chosen.within)


def _widened(plan: Trajectory, available: int) -> Trajectory:
    """The plan with every positive step looking deeper."""
    positives = set(plan.positives)
    steps = tuple(
        replace(step, top_k=min(step.top_k * _WIDER, available)) if index in positives else step
        for index, step in enumerate(plan.steps)
    )
    return replace(plan, steps=steps)

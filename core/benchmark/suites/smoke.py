"""Everything once on a tiny library: index, search with exclusions, story; in seconds.

The photos are drawn and the models are stand-ins that see colours, so that a wrong figure is a
fault of the engine, not of a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.backends.fakes import TinyGazetteer, fake_perception
from core.benchmark.figures import Figure, Measure, QuerySet
from core.benchmark.hardware import usable_cores
from core.benchmark.indexing import indexing_cost
from core.benchmark.metrics import average_precision, ndcg, set_scores, violations
from core.benchmark.suites.smoke_library import DrawnPhoto, draw_library
from core.benchmark.suites.smoke_questions import Question, Tale, questions, tales
from core.benchmark.suites.suite import Floor, StageSeconds, SuiteResult, SuiteRun
from core.domain.answer import SearchAnswer
from core.domain.photo import PhotoId
from core.domain.report import IndexReport
from core.domain.story import StoryAnswer
from core.engine import Engine
from core.loaded import Backends
from core.progress import Progress
from core.search.request import SearchOptions
from core.story.options import StoryOptions

SEARCH, STORY = "hybrid", "weaver"
SPLIT = "drawn"
K = 10
_SHOWN = 50


class SmokeSuite:
    """Index, search with exclusions and a story, on photos that it draws itself."""

    name = "smoke"
    about = "Everything once on a tiny drawn library with stand-in models; takes seconds."
    floors = (
        Floor("index", "all", "recall", 1.0),
        Floor(SEARCH, "exclusion", f"map@{K}", 0.9),
        Floor(SEARCH, "exclusion", f"violations@{K}", 0.05),
        Floor(SEARCH, "reference", f"map@{K}", 0.9),
        Floor(SEARCH, "reference", f"violations@{K}", 0.05),
        Floor(SEARCH, "nothing", "exact_match", 1.0),
        Floor(STORY, "day", "precision", 0.9),
        Floor(STORY, "roles", "f1", 0.6),
    )

    def run(self, run: SuiteRun, progress: Progress) -> SuiteResult:
        """Draw, index, search, tell, and measure; the same seed gives the same figures."""
        drawn = draw_library(run.scratch / "photos", run.seed)
        backends = Backends(lambda _: fake_perception(), TinyGazetteer, run.backends.solver)
        engine = Engine.open(run.scratch / "library", backends)
        try:
            report = engine.index([run.scratch / "photos"], progress)
            answers = _Answers(engine, _numbers(engine, drawn), str(run.seed))
            asked, told = questions(drawn), tales(drawn)
            searched, search_seconds = answers.searches(asked, progress)
            stories, story_seconds = answers.stories(told, progress)
            return SuiteResult(
                switches={
                    "models": "stand-ins that see colours",
                    "search_depth": _SHOWN,
                    "excluded_ranked": False,
                },
                data={"photos": len(drawn), "questions": len(asked), "stories": len(told)},
                measures=(answers.indexed(len(drawn)), *searched, *stories),
                rates=_rates(report),
                seconds={SEARCH: search_seconds, STORY: story_seconds},
                indexing=indexing_cost(report, usable_cores()),
            )
        finally:
            engine.close()


@dataclass(frozen=True, slots=True)
class _Answers:
    """Asks an engine and measures its answers; `numbers` are the drawn photos by id."""

    engine: Engine
    numbers: Mapping[PhotoId, int]
    seed: str

    def indexed(self, drawn: int) -> Measure:
        """Which of the drawn photos are in the library."""
        found = set(self.numbers.values())
        values = {str(number): float(number in found) for number in range(drawn)}
        return self._measure("index", "recall", "all", values)

    def searches(
        self, asked: Sequence[Question], progress: Progress
    ) -> tuple[list[Measure], list[StageSeconds]]:
        """Search every question."""
        values: dict[tuple[str, str], dict[str, float]] = {}
        seconds: list[StageSeconds] = []
        for question in progress.track("search", asked, total=len(asked)):
            options = SearchOptions(SEARCH, _SHOWN)
            answer = self.engine.search(question.query, options, Progress())
            seconds.append(answer.seconds)
            for metric, value in self._score(question, answer).items():
                by_query = values.setdefault((metric, question.group), {})
                by_query[question.query.text] = value
        measures = [self._measure(SEARCH, *key, by_query) for key, by_query in values.items()]
        return measures, seconds

    def _score(self, question: Question, answer: SearchAnswer) -> dict[str, float]:
        if not question.relevant:
            return {"exact_match": float(answer.abstained)}
        shown = [result.photo_id for result in answer.results if not result.excluded]
        ranked = [self.numbers[photo_id] for photo_id in shown]
        return {
            f"map@{K}": average_precision(ranked, question.relevant, K),
            f"ndcg@{K}": ndcg(ranked, question.relevant, K),
            f"violations@{K}": violations(ranked, question.unwanted, K),
        }

    def stories(
        self, told: Sequence[Tale], progress: Progress
    ) -> tuple[list[Measure], list[StageSeconds]]:
        """Compose every tale and look at its best bundle."""
        texts = [tale.brief.text for tale in told]
        seconds: list[StageSeconds] = []
        bundles = []
        for tale in progress.track("story", told, total=len(told)):
            answer = self.engine.compose_story(tale.brief, StoryOptions(STORY), Progress())
            seconds.append(answer.seconds)
            bundles.append(self._best(answer))
        days = [set_scores(b, tale.day) for b, tale in zip(bundles, told, strict=True)]
        roles = [set_scores(b, tale.roles) for b, tale in zip(bundles, told, strict=True)]
        named = {
            ("precision", "day"): [score.precision for score in days],
            ("precision", "roles"): [score.precision for score in roles],
            ("recall", "roles"): [score.recall for score in roles],
            ("f1", "roles"): [score.f1 for score in roles],
            ("exact_match", "roles"): [score.exact_match for score in roles],
        }
        measures = [
            self._measure(STORY, *key, dict(zip(texts, scores, strict=True)))
            for key, scores in named.items()
        ]
        return measures, seconds

    def _best(self, answer: StoryAnswer) -> set[int]:
        if not answer.bundles:
            return set()
        return {self.numbers[photo.photo_id] for photo in answer.bundles[0].photos}

    def _measure(
        self, strategy: str, metric: str, group: str, values: Mapping[str, float]
    ) -> Measure:
        """Each query is its own cluster; under another seed it asks for other photos."""
        ids = tuple(values)
        clusters = tuple(f"{self.seed}:{query}" for query in ids)
        queries = QuerySet(SPLIT, group, ids, clusters)
        return Measure(strategy, metric, queries, np.array(list(values.values()), np.float64))


def _numbers(engine: Engine, drawn: Sequence[DrawnPhoto]) -> dict[PhotoId, int]:
    found = {number: engine.photo_at(photo.path) for number, photo in enumerate(drawn)}
    return {photo.id: number for number, photo in found.items() if photo is not None}


def _rates(report: IndexReport) -> tuple[Figure, ...]:
    rate = report.rate
    return (Figure("index", SPLIT, "all", "rate", rate, rate, rate, report.embedded),)

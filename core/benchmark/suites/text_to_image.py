"""Asks captions of the retrieval tools and of the whole search: ranks, recalls and seconds."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.benchmark.figures import Measure, QuerySet
from core.benchmark.metrics import rank_in, recall_of_one
from core.benchmark.suites.known_texts import knowing
from core.benchmark.suites.suite import StageSeconds
from core.domain.arrays import Int64Array
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery
from core.engine import Engine
from core.progress import Progress
from core.retrieval.tools.box import ToolOptions, make_tools
from core.retrieval.tools.protocol import RetrievalTool
from core.search.request import SearchOptions

TOOLS = ("image-text", "text-concept", "bm25")
SEARCH = "hybrid"
DEPTH = 50
"""Photos that a whole search shows."""
CUTOFFS = (1, 5, 10)
SEARCHED = 1000
"""Queries asked of the whole search, spread over all: each takes a hundred times a tool's time."""
TIMED = 200
"""Queries asked of a tool one by one, nothing encoded beforehand, for its latency."""


@dataclass(frozen=True, slots=True)
class CaptionQuery:
    """A caption, the photo that it must find (None where that was not indexed), and its name."""

    id: str
    photo: str
    text: str
    target: PhotoId | None


@dataclass(frozen=True, slots=True)
class Found:
    """Per-query values and seconds of every strategy."""

    measures: tuple[Measure, ...]
    seconds: Mapping[str, Sequence[StageSeconds]]


def ask(engine: Engine, queries: Sequence[CaptionQuery], split: str, progress: Progress) -> Found:
    """Ask every query of each tool and of the search; raises Cancelled."""
    named = _named(queries, split)
    gallery = engine.loaded.gallery(progress)
    known = knowing(gallery.perception, [query.text for query in queries], progress)
    fast = make_tools(replace(gallery, perception=known), ToolOptions())
    slow = make_tools(gallery, ToolOptions())
    measures: list[Measure] = []
    seconds: dict[str, Sequence[StageSeconds]] = {}
    for name in TOOLS:
        ranks = _tool_ranks(fast[name], queries, len(gallery), progress)
        measures += _measures(name, named, ranks)
        seconds[name] = _tool_seconds(slow[name], queries, progress)
    searched = spread(queries, SEARCHED)
    asked = _search(engine, searched, len(gallery), progress)
    named = _named(searched, split)
    measures += _measures(SEARCH, named, np.array([one.rank for one in asked], np.int64))
    abstained = np.array([one.abstained for one in asked], np.float64)
    measures.append(Measure(SEARCH, "abstained", named, abstained))
    seconds[SEARCH] = [one.seconds for one in asked]
    return Found(tuple(measures), seconds)


def spread(queries: Sequence[CaptionQuery], most: int) -> Sequence[CaptionQuery]:
    """At most so many queries, evenly spread over all."""
    if len(queries) <= most:
        return queries
    return [queries[i * len(queries) // most] for i in range(most)]


def _named(queries: Sequence[CaptionQuery], split: str) -> QuerySet:
    ids, photos = zip(*((query.id, query.photo) for query in queries), strict=True)
    return QuerySet(split, "all", ids, photos)


def _tool_ranks(
    tool: RetrievalTool, queries: Sequence[CaptionQuery], photos: int, progress: Progress
) -> Int64Array:
    """Each target's rank in the tool's ranking of the whole gallery."""
    ranks = []
    for query in progress.track(f"ask {tool.name}", queries, total=len(queries)):
        found = tool.rank(query.text, None, None, photos).photo_ids
        ranks.append(_rank(found, query, photos))
    return np.array(ranks, np.int64)


def _tool_seconds(
    tool: RetrievalTool, queries: Sequence[CaptionQuery], progress: Progress
) -> list[StageSeconds]:
    """Seconds of single queries, encoding included."""
    sample = spread(queries, TIMED)
    taken: list[StageSeconds] = []
    for query in progress.track(f"time {tool.name}", sample, total=len(sample)):
        started = time.perf_counter()
        tool.rank(query.text, None, None, DEPTH)
        taken.append({"final": time.perf_counter() - started})
    return taken


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is kept of one answer: the target's rank among the photos shown, and the seconds."""

    rank: int
    abstained: bool
    seconds: StageSeconds


def _search(
    engine: Engine, queries: Sequence[CaptionQuery], photos: int, progress: Progress
) -> list[_Asked]:
    """Ask the whole search; photos that it excluded keep their place below the rest."""
    options, quiet = SearchOptions(SEARCH, DEPTH), Progress()
    asked = []
    for query in progress.track(f"ask {SEARCH}", queries, total=len(queries)):
        answer = engine.search(ComposedQuery(query.text), options, quiet)
        rank = _rank([result.photo_id for result in answer.results], query, photos)
        asked.append(_Asked(rank, answer.abstained, answer.seconds))
    return asked


def _rank(found: Sequence[PhotoId], query: CaptionQuery, photos: int) -> int:
    """The target's rank; one that was not found comes after everything that could be shown."""
    missing = max(photos, DEPTH) + 1
    return missing if query.target is None else rank_in(found, query.target, missing)


def _measures(strategy: str, queries: QuerySet, ranks: Int64Array) -> list[Measure]:
    recalls = [Measure(strategy, f"r@{k}", queries, recall_of_one(ranks, k)) for k in CUTOFFS]
    return [*recalls, Measure(strategy, "median_rank", queries, ranks.astype(np.float64))]

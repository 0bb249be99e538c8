"""The plain answer: the vectors of text and reference, summed; nothing is understood."""

from typing import Literal

from core.domain.answer import RankedPhoto, SearchAnswer
from core.domain.query import Polarity, Understanding
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Trajectory
from core.retrieval.gallery import Gallery
from core.retrieval.tools.vector_tools import FusedTool
from core.search.identity import query_id
from core.search.log import SearchLog
from core.search.request import SearchRequest


def plain_answer(
    request: SearchRequest, gallery: Gallery, log: SearchLog, stage: Literal["first", "final"]
) -> SearchAnswer:
    """The photos nearest to the sum of what there is of text and reference vectors."""
    text = request.query.text.strip()
    tool = FusedTool(gallery.perception.encoder, gallery.images, request.keep_reference)
    with log.stage("embed"):
        ranking = tool.rank(text, request.reference, None, request.top)
    log.mark(stage)
    found = zip(ranking.photo_ids, ranking.scores, strict=True)
    step = AtomicRetrieval(tool.name, text, Polarity.POSITIVE, request.top)
    return SearchAnswer(
        query_id=query_id(request.query),
        strategy=request.strategy,
        stage=stage,
        understanding=Understanding(target=text, conditions=()),
        abstained=False,
        results=tuple(
            RankedPhoto(photo_id, rank, score, False, (), (0,))
            for rank, (photo_id, score) in enumerate(found, start=1)
        ),
        near_miss=None,
        trajectory=Trajectory((step,), "plain"),
        found=(len(ranking.photo_ids),),
        trace=tuple(log.events),
        seconds=dict(log.seconds),
    )

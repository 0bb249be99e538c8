"""Remembers queries, so that judgements can name them; a search never fails for that."""

import logging
from dataclasses import replace

from core.domain.answer import SearchAnswer, TraceEvent
from core.domain.query import ComposedQuery
from core.errors import LibraryBusy, LibraryUnwritable
from core.store.library import Library

_log = logging.getLogger(__name__)


def remembered(library: Library, query: ComposedQuery, answer: SearchAnswer) -> SearchAnswer:
    """The answer once its query is kept; its trace says so where nothing can be kept."""
    try:
        library.judgements.remember(answer.query_id, query)
    except (LibraryUnwritable, LibraryBusy) as error:
        _log.warning("a query was not kept: %s", error.kind)
        lost = TraceEvent("query not kept", f"{error.message} It cannot be judged.")
        return replace(answer, trace=(*answer.trace, lost))
    return answer

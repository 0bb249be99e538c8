"""Names a query, so that judgements can speak of it."""

import hashlib
import os

from core.domain.query import ComposedQuery, QueryId

_SEPARATOR = b"\x00"
_DIGITS = 16


def query_id(query: ComposedQuery) -> QueryId:
    """Equal for equal text and reference file, on every machine and day."""
    reference = os.fsencode(query.reference.path) if query.reference else b""
    content = query.text.strip().encode("utf-8", "surrogatepass") + _SEPARATOR + reference
    return QueryId(hashlib.sha256(content).hexdigest()[:_DIGITS])

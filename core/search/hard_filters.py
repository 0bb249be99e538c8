"""Dates and places of a query as hard filters, and what to relax when they leave nothing."""

from dataclasses import dataclass, replace

import numpy as np

from core.domain.arrays import Int64Array
from core.domain.photo import PhotoId
from core.domain.query import Condition, ConditionKind, Polarity, Understanding
from core.retrieval.gallery import Gallery
from core.retrieval.tools.box import ToolOptions
from core.retrieval.tools.metadata import MetadataTool


@dataclass(frozen=True, slots=True)
class HardFilter:
    """The photos that a search may look at: None for all.

    `failed` names the filters that had to be dropped because they left nothing: then no photo of
    `within` is an answer, only a near miss.
    """

    within: Int64Array | None
    options: ToolOptions
    failed: tuple[str, ...] = ()


def with_filters_as_conditions(asked: Understanding) -> Understanding:
    """The understanding with its date and place among the conditions, so that they get verdicts."""
    kinds = {condition.kind for condition in asked.conditions}
    added = [
        Condition(said.text, Polarity.POSITIVE, kind)
        for said, kind in ((asked.when, ConditionKind.TIME), (asked.where, ConditionKind.PLACE))
        if said is not None and kind not in kinds
    ]
    return replace(asked, conditions=(*asked.conditions, *added))


def hard_filter(gallery: Gallery, asked: Understanding, keep_reference: bool) -> HardFilter:
    """Filter by date and place together, else by the one that leaves something, else by none."""
    when, where = asked.when, asked.where
    texts = {"when": when.text if when else "", "where": where.text if where else ""}
    attempts = (
        (ToolOptions(when, where, keep_reference), ()),
        (ToolOptions(when, None, keep_reference), ("where",)),
        (ToolOptions(None, where, keep_reference), ("when",)),
    )
    for options, dropped in attempts:
        if options.when is None and options.where is None:
            continue
        allowed = MetadataTool(gallery.columns, options.when, options.where).allowed()
        if allowed.any():
            failed = tuple(texts[name] for name in dropped if texts[name])
            return HardFilter(gallery.ids[allowed], options, failed)
    everything = ToolOptions(keep_reference=keep_reference)
    return HardFilter(None, everything, tuple(text for text in texts.values() if text))


def filters_failed_by(photo_id: PhotoId, gallery: Gallery, asked: Understanding) -> tuple[str, ...]:
    """The texts of the filters that one photo does not pass."""
    row = np.array([gallery.row(photo_id)], np.int64)
    columns = gallery.columns.rows(row)
    failed = []
    if asked.when and not MetadataTool(columns, asked.when).allowed().all():
        failed.append(asked.when.text)
    if asked.where and not MetadataTool(columns, None, asked.where).allowed().all():
        failed.append(asked.where.text)
    return tuple(failed)

"""The rows of stage 2, one by one (`direct`), or made small (`levels`).

Binaries x_r (positive kept), w_r (negative chosen), h_c (concept used), g_ic (i lies in what c
takes away), e_i (i is in the final set):

    e_i ≤ Σ_{r∋i} x_r ;   e_i ≤ 1 − g_ic ;   e_i ≥ x_r − Σ_c g_ic   each r ∋ i       (2b, 2c)
    g_ic ≤ h_c ;  g_ic ≤ 1 − w_r  each r∈c, r∌i ;  g_ic ≥ h_c − Σ_{r∈c, r∌i} w_r       (2d, 2e)
    w_r ≤ h_c ≤ Σ_{r∈c} w_r ;   Σ_{r∈F} w_r ≤ 1  each family ;   Σ x_r ≥ 1                (2f)

In `levels` a family's negatives are ordered binaries, so that w_r of the retrievals that miss i is
w_{F,1} − w_{F,b}, b the first cutoff that reaches i; images alike in all of this are one. Targets
are wanted in the set and others out of it, so that each needs the rows of one direction alone, and
where x and w are whole, all else is. What no negative of a concept finds is never taken away by it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.mip_rows import Rows
from core.golden.levels import Levels
from core.golden.problem import NOWHERE, Chosen, Problem, union

Terms = list[tuple[int, float]]


class Taking(StrEnum):
    """What the chosen negatives of one concept take away together."""

    INTERSECTION = "intersection"
    MAJORITY = "majority"
    UNION = "union"
    NOTHING = "nothing"


@dataclass(frozen=True, eq=False)
class Program:
    """Rows, a point to begin with, and what the columns mean.

    `hits` and `noise` count targets and others in the final set, `count` the retrievals.
    """

    rows: Rows
    integer: BoolArray
    start: Float64Array
    hits: Float64Array
    noise: Float64Array
    count: Float64Array
    chosen: Callable[[Float64Array], tuple[tuple[Chosen, ...], tuple[Chosen, ...]]]


@dataclass(frozen=True, slots=True)
class _Kind:
    """Images that are alike: which they are, how many targets and others, which positives find
    them, and by concept what finds and what misses them among the negatives."""

    hits: int
    noise: int
    finders: list[int]
    found: dict[str, list[Terms]]
    missed: dict[str, list[Terms]]


@dataclass(frozen=True, slots=True)
class _Rules:
    """What negatives take away, and whether only the rows are written that can bind."""

    taking: Taking
    lean: bool

    def upper(self, kind: _Kind) -> bool:
        """Whether something would put more of these images into the set than are there."""
        return not self.lean or kind.hits > 0

    def lower(self, kind: _Kind) -> bool:
        """Whether something would put fewer of these images into the set than are there."""
        return not self.lean or kind.noise > 0

    def never_takes(self, kind: _Kind, concept: str) -> bool:
        """Whether a concept can take none of these images away."""
        return self.lean and not kind.found[concept]

    @property
    def all_whole(self) -> bool:
        """Whether every column must be told to be whole."""
        return not self.lean or self.taking is Taking.MAJORITY


@dataclass(frozen=True, slots=True)
class _Negatives:
    """Columns of the negatives: `used` says by concept that a retrieval of it is chosen."""

    columns: int
    used: dict[str, list[int]]
    order: Callable[[Rows], None]
    chosen: Callable[[Float64Array], list[Chosen]]


def direct_program(problem: Problem, selected: Sequence[Chosen], taking: Taking) -> Program:
    """One column a retrieval, one set of rows an image."""
    first = len(selected)
    families = () if taking is Taking.NOTHING else _families(problem)
    retrievals = [
        Chosen(f, level) for f in families for level in range(len(problem.families[f].cutoffs))
    ]
    column = {one: first + n for n, one in enumerate(retrievals)}
    concept = {one: problem.families[one.family].concept for one in retrievals}

    def order(rows: Rows) -> None:
        for f in families:
            rows.add_sum([c for one, c in column.items() if one.family == f], 0.0, 1.0)

    used: dict[str, list[int]] = {}
    for one, c in column.items():
        used.setdefault(concept[one], []).append(c)
    kinds = []
    for image in np.flatnonzero(union(problem, selected)).tolist():
        found: dict[str, list[Terms]] = {name: [] for name in used}
        missed: dict[str, list[Terms]] = {name: [] for name in used}
        for one, c in column.items():
            bucket = problem.buckets[one.family, image]
            side = found if bucket != NOWHERE and bucket <= one.level else missed
            side[concept[one]].append([(c, 1.0)])
        target = bool(problem.targets[image])
        finders = _finders(problem, selected, image)
        kinds.append(_Kind(int(target), int(not target), finders, found, missed))
    negatives = _Negatives(
        len(retrievals), used, order, lambda x: [one for one, c in column.items() if x[c] > 0.5]
    )
    return _program(tuple(selected), negatives, kinds, _Rules(taking, lean=False))


def levels_program(problem: Problem, selected: Sequence[Chosen], taking: Taking) -> Program:
    """Ordered binaries a family, one set of rows for all images that are alike."""
    first, inside = len(selected), np.flatnonzero(union(problem, selected))
    families = () if taking is Taking.NOTHING else _families(problem)
    kept = [_useful(problem, f, inside, taking) for f in families]
    levels = Levels.of(families, kept, first)
    entries = levels.entries(problem)[:, inside]
    membership = np.array(
        [[image in _found(problem, one) for image in inside.tolist()] for one in selected], np.int64
    ).reshape(first, len(inside))
    signature = np.vstack([problem.targets[inside].astype(np.int64), membership, entries])
    distinct, counts = np.unique(signature, axis=1, return_counts=True)
    used: dict[str, list[int]] = {}
    for family, column, cutoffs in zip(families, levels.first, kept, strict=True):
        if len(cutoffs):
            used.setdefault(problem.families[family].concept, []).append(column)
    kinds = []
    for row, count in zip(distinct.T, counts.tolist(), strict=True):
        found: dict[str, list[Terms]] = {name: [] for name in used}
        missed: dict[str, list[Terms]] = {name: [] for name in used}
        for n, entry in enumerate(row[1 + first :].tolist()):
            if not len(kept[n]):
                continue
            name, column = problem.families[families[n]].concept, levels.first[n]
            if entry == NOWHERE:
                missed[name].append([(column, 1.0)])
                continue
            found[name].append([(entry, 1.0)])
            if entry != column:
                missed[name].append([(column, 1.0), (entry, -1.0)])
        finders = np.flatnonzero(row[1 : 1 + first]).tolist()
        target = bool(row[0])
        kinds.append(_Kind(count * target, count * (not target), finders, found, missed))
    negatives = _Negatives(levels.count, used, levels.add_order, lambda x: list(levels.chosen(x)))
    return _program(tuple(selected), negatives, kinds, _Rules(taking, lean=True))


def _families(problem: Problem) -> tuple[int, ...]:
    return tuple(f for members in problem.negatives.values() for f in members)


def _found(problem: Problem, one: Chosen) -> set[int]:
    return set(problem.families[one.family].found(one.level).tolist())


def _finders(problem: Problem, selected: Sequence[Chosen], image: int) -> list[int]:
    return [
        n
        for n, one in enumerate(selected)
        if NOWHERE != problem.buckets[one.family, image] <= one.level
    ]


def _useful(problem: Problem, family: int, inside: Int64Array, taking: Taking) -> Int64Array:
    """A negative cutoff is left out where the next one adds no target of U: it takes more noise.

    A family that finds nothing of U takes nothing away; in a majority it still has a voice.
    """
    buckets = problem.buckets[family, inside]
    with_targets = np.unique(buckets[problem.targets[inside] & (buckets != NOWHERE)])
    last = len(problem.families[family].cutoffs) - 1
    if taking is not Taking.MAJORITY and not (buckets != NOWHERE).any():
        return np.empty(0, np.int64)
    return np.unique(np.append(with_targets[with_targets > 0] - 1, last))


def _program(
    selected: tuple[Chosen, ...], negatives: _Negatives, kinds: list[_Kind], rules: _Rules
) -> Program:
    x, concepts = len(selected), list(negatives.used)
    h = x + negatives.columns
    e = h + len(concepts)
    g = e + len(kinds)
    columns = g + len(kinds) * len(concepts)
    rows = Rows()
    rows.add_sum(range(x), 1.0, np.inf)
    negatives.order(rows)
    for c, members in enumerate(negatives.used.values()):
        for member in members:
            rows.add([(member, 1.0), (h + c, -1.0)], -np.inf, 0.0)
        rows.add([(h + c, 1.0), *((m, -1.0) for m in members)], -np.inf, 0.0)
    for k, kind in enumerate(kinds):
        gone = {name: g + k * len(concepts) + c for c, name in enumerate(concepts)}
        for c, name in enumerate(concepts):
            if rules.never_takes(kind, name):
                rows.add_sum([gone.pop(name)], 0.0, 0.0)
            else:
                _add_taking(rows, gone[name], h + c, (kind, name), rules)
        _add_kind(rows, kind, e + k, list(gone.values()), rules)
    hits, noise, count, start = (np.zeros(columns) for _ in range(4))
    hits[e:g] = [kind.hits for kind in kinds]
    noise[e:g] = [kind.noise for kind in kinds]
    count[:x] = 1
    for members in negatives.used.values():
        count[members] = 1
    start[:x] = 1
    start[e:g] = 1
    integer = np.ones(columns, np.bool_)
    integer[h:] = rules.all_whole

    def chosen(point: Float64Array) -> tuple[tuple[Chosen, ...], tuple[Chosen, ...]]:
        positives = tuple(one for n, one in enumerate(selected) if point[n] > 0.5)
        return positives, tuple(sorted(negatives.chosen(point)))

    return Program(rows, integer, start, hits, noise, count, chosen)


def _add_kind(rows: Rows, kind: _Kind, e: int, gone: list[int], rules: _Rules) -> None:
    """When images are in the final set."""
    if rules.upper(kind):
        rows.add([(e, 1.0), *((r, -1.0) for r in kind.finders)], -np.inf, 0.0)
        for column in gone:
            rows.add([(e, 1.0), (column, 1.0)], -np.inf, 1.0)
    if rules.lower(kind):
        for r in kind.finders:
            rows.add([(e, 1.0), (r, -1.0), *((column, 1.0) for column in gone)], 0.0, np.inf)


def _add_taking(rows: Rows, g: int, h: int, of: tuple[_Kind, str], rules: _Rules) -> None:
    """When images count as taken away by one concept: at most then, and at least then."""
    kind, concept = of
    found, missed = kind.found[concept], kind.missed[concept]
    most, least = rules.lower(kind), rules.upper(kind)
    if rules.taking is Taking.UNION:
        if most:
            rows.add([(g, 1.0), *_minus(*found)], -np.inf, 0.0)
        for terms in found if least else []:
            rows.add([(g, 1.0), *_minus(terms)], 0.0, np.inf)
    elif rules.taking is Taking.MAJORITY:
        n = float(len(found) + len(missed) + 1)
        difference = _sum([*found, *(_minus(terms) for terms in missed)])
        rows.add([(g, -(n + 1)), *difference], -n, np.inf)
        rows.add([(g, -n), *difference], -np.inf, 0.0)
    else:
        if most:
            rows.add([(g, 1.0), (h, -1.0)], -np.inf, 0.0)
        for terms in missed if most else []:
            rows.add([(g, 1.0), *terms], -np.inf, 1.0)
        if least:
            rows.add([(g, 1.0), (h, -1.0), *_sum(missed)], 0.0, np.inf)


def _minus(*terms: Terms) -> Terms:
    return [(column, -value) for column, value in _sum(list(terms))]


def _sum(parts: Sequence[Terms]) -> Terms:
    total: dict[int, float] = {}
    for terms in parts:
        for column, value in terms:
            total[column] = total.get(column, 0.0) + value
    return [(column, value) for column, value in total.items() if value]

from hypothesis import given
from hypothesis import strategies as st

from core.domain.photo import PhotoId
from core.domain.query import Polarity
from core.domain.retrieval import AtomicRetrieval
from core.domain.trajectory import Difference, Intersection, Retrieved, Trajectory, Union
from core.retrieval.algebra import evaluate

STEPS = 4
photo_sets = st.lists(
    st.frozensets(st.integers(0, 8).map(PhotoId), max_size=6), min_size=STEPS, max_size=STEPS
)
leaves = st.integers(0, STEPS - 1).map(Retrieved)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: Union(tuple(parts))),
        st.lists(inner, max_size=3).map(lambda parts: Intersection(tuple(parts))),
        st.tuples(inner, inner).map(lambda pair: Difference(*pair)),
    ),
    max_leaves=8,
)


def holds(photo, expression, found):
    """Membership by logic, one photo at a time: the oracle."""
    if isinstance(expression, Retrieved):
        return photo in found[expression.step]
    if isinstance(expression, Union):
        return any(holds(photo, part, found) for part in expression.parts)
    if isinstance(expression, Intersection):
        parts = expression.parts
        return bool(parts) and all(holds(photo, part, found) for part in parts)
    return holds(photo, expression.kept, found) and not holds(photo, expression.removed, found)


@given(expressions, photo_sets)
def test_membership_is_logic(expression, found):
    everything = frozenset().union(*found)
    assert evaluate(expression, found) == {i for i in everything if holds(i, expression, found)}


@given(leaves, leaves, leaves, photo_sets)
def test_laws_of_sets(a, b, c, found):
    def same(one, other):
        return evaluate(one, found) == evaluate(other, found)

    assert same(Union((a, b)), Union((b, a)))
    assert same(Intersection((a, Union((a, b)))), a)
    assert same(Difference(a, Union((b, c))), Difference(Difference(a, b), c))
    assert same(Difference(a, Intersection((b, c))), Union((Difference(a, b), Difference(a, c))))
    assert same(
        Intersection((a, Union((b, c)))), Union((Intersection((a, b)), Intersection((a, c))))
    )


plans = st.lists(
    st.tuples(st.sampled_from(["", "people", "cars"]), photo_sets.map(lambda sets: sets[0])),
    min_size=1,
    max_size=6,
)


@given(plans)
def test_composition_is_the_union_minus_each_concepts_intersection(plan):
    steps = tuple(
        AtomicRetrieval("image-text", str(n), polarity_of(concept), 5, concept)
        for n, (concept, _) in enumerate(plan)
    )
    found = [photos for _, photos in plan]
    kept = frozenset().union(*(photos for concept, photos in plan if not concept))
    for concept in ("people", "cars"):
        negatives = [photos for name, photos in plan if name == concept]
        if negatives:
            kept -= frozenset.intersection(*negatives)
    assert evaluate(Trajectory(steps, "test").composition, found) == kept


def polarity_of(concept):
    return Polarity.NEGATIVE if concept else Polarity.POSITIVE


def test_an_empty_intersection_excludes_nothing():
    found = [frozenset({PhotoId(1), PhotoId(2)})]
    assert evaluate(Difference(Retrieved(0), Intersection(())), found) == found[0]

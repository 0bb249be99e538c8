"""The rule-based intent router."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.routing import route_intent


@given(st.text(max_size=80), st.booleans())
def test_weights_are_shares(text: str, has_reference: bool) -> None:
    weights = route_intent(text, has_reference)
    shares = (weights.imagine, weights.constrain, weights.anchor)
    assert min(shares) >= 0
    assert sum(shares) == pytest.approx(1.0)
    assert weights.reason
    assert has_reference or weights.anchor == 0


def test_keeping_strengthens_the_anchor() -> None:
    keep = route_intent("keep the same style and the same pose", True)
    rebuild = route_intent("a cat on a beach instead of a dog in a park", True)
    assert keep.anchor > rebuild.anchor
    assert rebuild.imagine > keep.imagine


def test_checkable_things_strengthen_the_constraints() -> None:
    checks = route_intent("two dogs, a red hat, no people", True)
    plain = route_intent("a dog", True)
    assert checks.constrain > plain.constrain
    assert checks.anchor < plain.anchor

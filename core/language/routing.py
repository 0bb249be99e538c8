"""How much each worker counts for one query: the rule-based intent router.

DeliCIR (section III-B) lets a language model weigh three rankings; without one, four questions
about the text do. Each worker starts with a base; every sign found adds to one of them; the sum
is then scaled to 1.

* Rebuilding — a new scene, subject or look for the whole ("instead of", "replace", "on a beach",
  many words) speaks for `imagine`, which describes the photo as it should be.
* Constraining — exclusions, counts, colours and added things can be checked one by one:
  `constrain`.
* Keeping — "the same", "keep", "like this", "style" speak for `anchor`, the reference's own look.
* Parting — an exclusion or a replaced scene makes the reference itself misleading: less `anchor`.

Without a reference there is nothing to anchor to, and its share is 0.
"""

import re
from dataclasses import dataclass

from core.domain.query import ConditionKind
from core.language.clean import clean
from core.language.conditions import find_parts
from core.language.decompose import state_plainly
from core.language.exclusions import find_exclusions
from core.language.negation import settle_idioms
from core.language.translate import to_english

_KEEP = re.compile(
    r"\b(?:same|keep|keeping|still|similar|identical|unchanged|style|tone|mood|pose|composition|"
    r"like (?:this|that)|this|preserve|retain)\b"
)
_REBUILD = re.compile(
    r"\b(?:replace|change|turn|swap|different|another|instead|rather than|becomes?|other)\b"
)
_BASE = (0.45, 0.30, 0.15)


@dataclass(frozen=True, slots=True)
class IntentWeights:
    """Shares of the three workers, none negative, sum 1, and what spoke for them."""

    imagine: float
    constrain: float
    anchor: float
    reason: str


def route_intent(text: str, has_reference: bool) -> IntentWeights:
    """Weigh the workers for one text; see the module for the rules."""
    plain = to_english(clean(text)).text.lower()
    excluded = find_exclusions(state_plainly(settle_idioms(plain)))
    kinds = [part.kind for part in find_parts(excluded.rest)]
    keeps = len(_KEEP.findall(plain))
    rebuilds = len(_REBUILD.findall(plain)) + kinds.count(ConditionKind.SCENE)
    checks = (
        len(excluded.unwanted)
        + kinds.count(ConditionKind.COUNT)
        + kinds.count(ConditionKind.ATTRIBUTE)
    )
    imagine = _BASE[0] + 0.10 * min(rebuilds, 3)
    constrain = _BASE[1] + 0.10 * min(checks, 3)
    anchor = max(0.05, _BASE[2] + 0.10 * min(keeps, 3) - 0.05 * min(rebuilds + checks, 2))
    if not has_reference:
        anchor = 0.0
    total = imagine + constrain + anchor
    reason = f"{rebuilds} rebuilt, {checks} checkable, {keeps if has_reference else 0} kept"
    return IntentWeights(imagine / total, constrain / total, anchor / total, reason)

"""Makes an exact program small: what cannot be in a bundle as good as a known one is left out."""

import numpy as np

from core.domain.arrays import BoolArray
from core.story.scene import Scene

_SLACK = 1e-6


def promising(scene: Scene, at_least: float) -> BoolArray:
    """Who may play what in a bundle whose objective is `at_least`, (m, c).

    Photo i in role j can reach gain_ij and the best gains of the other roles, of as many as
    the bundle may hold; redundancy only takes away from that. Nothing optimal is lost.
    """
    best = np.where(scene.allowed, scene.gain, 0.0).max(axis=1, initial=0.0)
    order = np.argsort(-best, kind="stable")
    kept = np.zeros_like(scene.allowed)
    for role in range(len(best)):
        others = [j for j in order if j != role][: scene.max_size - 1]
        bound = scene.gain[role] + best[others].sum()
        kept[role] = scene.allowed[role] & (bound >= at_least - _SLACK)
    return kept

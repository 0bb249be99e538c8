"""Made-up problems: rankings in which targets stand higher than others, by more or less."""

import numpy as np

from core.golden.problem import CUTOFFS, Family, Problem


def made_up(
    images: int = 5000,
    tools: int = 6,
    queries: int = 20,
    targets: int = 60,
    noise: float = 1.0,
    seed: int = 0,
    cutoffs: tuple[int, ...] = CUTOFFS,
) -> Problem:
    """A gallery over which `tools` × `queries` families rank.

    Each query is about some of the targets, each tool sees them more or less well: the score of
    image i is relevance_{q,i} · strength_f + noise · N(0, 1); relevance is 2.5 for the targets that
    the query is about and 0.4 for the other targets, and a share of the non-targets, which differs
    by query, has 1.5. A third of the queries name one of two unwanted concepts.
    """
    chance = np.random.default_rng(seed)
    wanted = np.zeros(images, np.bool_)
    wanted[chance.choice(images, targets, replace=False)] = True
    unwanted = [chance.random(images) < 0.05 for _ in range(2)]
    strength = chance.uniform(0.6, 1.4, tools)
    families = []
    for query in range(queries):
        concept = ("", "people", "cars")[query % 3] if query % 3 and query < queries // 2 else ""
        if concept:
            relevance = 2.5 * (unwanted[query % 3 - 1] & ~(wanted & (chance.random(images) < 0.9)))
        else:
            about = wanted & (chance.random(images) < chance.uniform(0.2, 0.7))
            relevance = 0.4 * wanted + 2.1 * about
            relevance += 1.5 * (~wanted & (chance.random(images) < chance.uniform(0.002, 0.02)))
        for tool in range(tools):
            score = relevance * strength[tool] + noise * chance.standard_normal(images)
            ranking = np.argsort(-score, kind="stable")[: cutoffs[-1]]
            families.append(Family(f"tool{tool}", f"q{query}", ranking, cutoffs, concept))
    return Problem(wanted, tuple(families))

"""How well texts find their photos."""

from dataclasses import dataclass

import numpy as np

from core.domain.arrays import Float32Array, Int64Array


@dataclass(frozen=True, slots=True)
class Recall:
    """Shares of queries whose photo is among the first 1, 5, 10; and its median rank from 1."""

    at_1: float
    at_5: float
    at_10: float
    median_rank: float
    queries: int
    gallery: int

    def __str__(self) -> str:
        return (
            f"R@1 {self.at_1:.1%}  R@5 {self.at_5:.1%}  R@10 {self.at_10:.1%}  "
            f"median rank {self.median_rank:.0f}  ({self.queries} queries, {self.gallery} photos)"
        )


def text_to_image(texts: Float32Array, images: Float32Array, targets: Int64Array) -> Recall:
    """Recall of texts (q, d) over images (n, d); `targets` (q,) are rows of `images`.

    A tie counts against the target.
    """
    scores = texts @ images.T
    own = scores[np.arange(len(texts)), targets]
    ranks = (scores >= own[:, None]).sum(1)
    at_1, at_5, at_10 = (float((ranks <= k).mean()) for k in (1, 5, 10))
    return Recall(at_1, at_5, at_10, float(np.median(ranks)), len(texts), len(images))

"""Chooses device, precision and batch size of a model by a short measurement."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np

from core.backends.transformers.batches import find_batch_size
from core.backends.transformers.oom import is_out_of_memory
from core.domain.arrays import Float32Array, PixelArray
from core.errors import ModelOutOfMemory

_log = logging.getLogger(__name__)
FULL = "float32"
EQUAL = 0.999
"""Least cosine to the vectors in float32 on the processor."""

_PROBE = 8
_ROUNDS = 2
_LARGEST = 256
_HOPELESS = 4
"""What is so much slower at its first try is not tried again: some emulate half precision."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Where and how a model runs."""

    device: str
    precision: str = FULL
    batch_size: int = 32


class Bench(Protocol):
    """A model that can be put somewhere and tried there."""

    def place(self, device: str, precision: str) -> None:
        """Move the model; RuntimeError or TypeError where that cannot be."""

    def probe(self, rows: int) -> Float32Array:
        """Unit vectors of so many rows of real size, always the same ones; all work is done."""


def choose(
    bench: Bench,
    devices: Sequence[str],
    halves: Callable[[str], Sequence[str]],
    clock: Callable[[], float] = perf_counter,
) -> Choice:
    """The fastest of the devices and precisions whose vectors are equal; raises ModelOutOfMemory.

    Half precision is taken only where it is faster and equal. The model stays where it was tried
    last: the caller places it.
    """
    truth: Float32Array | None = None
    rates: dict[tuple[str, str], float] = {}
    for device, precision in _candidates(devices, halves, rates):
        try:
            bench.place(device, precision)
            began = clock()
            rows = bench.probe(_PROBE)
            first = _PROBE / max(clock() - began, 1e-9)
            truth = rows if truth is None else truth
            likeness = float((rows * truth).sum(axis=1).min())
            if not likeness >= EQUAL:
                _log.info("%s in %s is not equal: %.5f", device, precision, likeness)
                continue
            hopeless = first < max(rates.values(), default=0.0) / _HOPELESS
            rates[device, precision] = first if hopeless else _rate(bench, _PROBE, clock)
        except (RuntimeError, TypeError, NotImplementedError, MemoryError) as error:
            reason = "memory" if is_out_of_memory(error) else type(error).__name__
            _log.info("%s in %s cannot be used: %s", device, precision, reason)
    if not rates:
        raise ModelOutOfMemory(
            "The model runs on no device of this machine.",
            "Close other programs, or use a smaller model.",
        )
    device, precision = max(rates, key=lambda key: rates[key])
    bench.place(device, precision)
    size = find_batch_size(lambda rows: _rate(bench, rows, clock), _PROBE, _LARGEST)
    return Choice(device, precision, size)


def _candidates(
    devices: Sequence[str],
    halves: Callable[[str], Sequence[str]],
    rates: dict[tuple[str, str], float],
) -> Iterator[tuple[str, str]]:
    """The processor in full first: it is the truth. fp16 only where bf16 did not do."""
    for device in sorted(devices, key=lambda name: name != "cpu"):
        yield device, FULL
        for half in halves(device):
            yield device, half
            if (device, half) in rates:
                break


def _rate(bench: Bench, rows: int, clock: Callable[[], float]) -> float:
    """Rows a second, the best of some rounds after a warm one."""
    bench.probe(rows)
    best = 0.0
    for _ in range(_ROUNDS):
        began = clock()
        bench.probe(rows)
        best = max(best, rows / max(clock() - began, 1e-9))
    return best


def squares_like_photos(rows: int, side: int) -> PixelArray:
    """Smooth squares with some noise, (n, side, side, 3), always the same."""
    chance = np.random.default_rng(7)
    coarse = chance.integers(0, 256, (rows, 8, 8, 3))
    step = -(-side // 8)
    smooth = coarse.repeat(step, axis=1).repeat(step, axis=2)[:, :side, :side]
    noisy = smooth + chance.integers(-20, 21, smooth.shape)
    squares: PixelArray = np.clip(noisy, 0, 255).astype(np.uint8)
    return squares

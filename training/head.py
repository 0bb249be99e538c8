"""Trains the head that joins the image and the text tower in one space."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.domain.arrays import Float32Array, Int64Array

_START_TEMPERATURE = 14.0
_TEXT_SCALE = 384**0.5


@dataclass(frozen=True, slots=True)
class HeadOptions:
    """Hyperparameters, chosen on validation photos.

    `members` networks of `width` outputs each are trained from different seeds. A photo is seen in
    another view than the plain one with probability `view_share`. `soft` is the share of the
    target that goes to other photos of like captions, softened by `soft_temperature`.
    """

    members: int = 3
    width: int = 192
    hidden: int = 512
    dropout: float = 0.5
    text_dropout: float = 0.1
    epochs: int = 30
    batch: int = 512
    rate: float = 1e-3
    decay: float = 0.05
    view_share: float = 0.6
    soft: float = 0.0
    soft_temperature: float = 0.1


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Standardised photos `views[v]` (n, f); captions (c, 384); rows of captions of each photo."""

    views: tuple[Tensor, ...]
    sentences: Tensor
    captions_of: list[Int64Array]


class ImageMember(nn.Module):  # type: ignore[misc]
    """A residual network of one hidden layer: out(relu(hidden(x))) + skip(x), normalised."""

    def __init__(self, inputs: int, options: HeadOptions) -> None:
        super().__init__()
        self.hidden = nn.Linear(inputs, options.hidden)
        self.out = nn.Linear(options.hidden, options.width)
        self.skip = nn.Linear(inputs, options.width, bias=False)
        self.drop = nn.Dropout(options.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Unit rows (n, width) of standardised photos (n, f)."""
        x = self.drop(x)
        inner = self.drop(functional.relu(self.hidden(x)))
        return functional.normalize(self.out(inner) + self.skip(x), dim=-1)


class TextMember(nn.Module):  # type: ignore[misc]
    """A linear map, normalised."""

    def __init__(self, options: HeadOptions) -> None:
        super().__init__()
        self.linear = nn.Linear(384, options.width)
        self.drop = nn.Dropout(options.text_dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Unit rows (n, width) of standardised sentences (n, 384)."""
        return functional.normalize(self.linear(self.drop(x)), dim=-1)


def train_head(
    views: list[Float32Array],
    sentences: Float32Array,
    photo_of: Int64Array,
    options: HeadOptions,
    seed: int,
    say: Callable[[str], None],
) -> dict[str, Float32Array]:
    """The tensors of a head trained on the photos (n, f) of `views`, the first one plain.

    `sentences` (c, 384) are their captions, `photo_of` (c,) the photo of each, 0 to n − 1.
    """
    mean, scale = _standard(views[0])
    text_mean = sentences.mean(0)
    data = TrainingSet(
        tuple(torch.from_numpy((view - mean) * scale) for view in views),
        torch.from_numpy((sentences - text_mean) * np.float32(_TEXT_SCALE)),
        [np.flatnonzero(photo_of == row) for row in range(len(views[0]))],
    )
    members = []
    for k in range(options.members):
        members.append(_train_member(data, options, seed + k))
        say(f"head {k + 1} of {options.members} is trained")
    tensors = _stacked(members)
    tensors |= {"image.mean": mean, "image.scale": scale, "text.mean": text_mean}
    tensors["text.scale"] = np.full(1, _TEXT_SCALE, np.float32)
    return tensors


def _train_member(
    data: TrainingSet, options: HeadOptions, seed: int
) -> tuple[ImageMember, TextMember]:
    """One member, trained with a symmetric contrastive loss over batches of photos."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    image, text = ImageMember(data.views[0].shape[1], options), TextMember(options)
    temperature = nn.Parameter(torch.tensor(np.log(_START_TEMPERATURE), dtype=torch.float32))
    weights = [*image.parameters(), *text.parameters()]
    groups = [
        {"params": weights, "weight_decay": options.decay},
        {"params": [temperature], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=options.rate, fused=True)
    batch = min(options.batch, len(data.captions_of))
    steps = options.epochs * (len(data.captions_of) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, options.rate, total_steps=steps, pct_start=0.2
    )
    for rows in _batches(len(data.captions_of), batch, steps, rng):
        photos, sentences = _drawn(data, rows, options.view_share, rng)
        scores = temperature.exp().clamp(max=100) * image(photos) @ text(sentences).T
        loss = _loss(scores, _targets(data, rows, options))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return image.eval(), text.eval()


def _loss(scores: Tensor, targets: Tensor) -> Tensor:
    both = functional.cross_entropy(scores, targets) + functional.cross_entropy(scores.T, targets)
    return both / 2


def _targets(data: TrainingSet, rows: Int64Array, options: HeadOptions) -> Tensor:
    """Each photo's own caption, softened towards photos whose captions mean nearly the same."""
    own = torch.eye(len(rows))
    if not options.soft:
        return own
    means = torch.stack([data.sentences[data.captions_of[row]].mean(0) for row in rows])
    means = functional.normalize(means, dim=-1)
    alike = means @ means.T / options.soft_temperature - 1e4 * own
    return (1 - options.soft) * own + options.soft * torch.softmax(alike, 1)


def _batches(count: int, batch: int, steps: int, rng: np.random.Generator) -> list[Int64Array]:
    """Random batches without repetition inside an epoch."""
    epochs = -(-steps // (count // batch))
    found = [
        order[k : k + batch]
        for order in (rng.permutation(count) for _ in range(epochs))
        for k in range(0, count - batch + 1, batch)
    ]
    return found[:steps]


def _drawn(
    data: TrainingSet, rows: Int64Array, view_share: float, rng: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """Each photo in a random view, and one of its captions."""
    view = rng.integers(0, len(data.views), len(rows))
    view[rng.random(len(rows)) >= view_share] = 0
    photos = torch.empty(len(rows), data.views[0].shape[1])
    for v in np.unique(view):
        photos[view == v] = data.views[v][rows[view == v]]
    captions = [rng.choice(data.captions_of[row]) for row in rows]
    return photos, data.sentences[captions]


def _standard(plain: Float32Array) -> tuple[Float32Array, Float32Array]:
    """Mean and inverse deviation of each feature."""
    scale = 1 / (plain.std(0) + 1e-3)
    return plain.mean(0).astype(np.float32), scale.astype(np.float32)


def _stacked(members: list[tuple[ImageMember, TextMember]]) -> dict[str, Float32Array]:
    """The weights of all members, stacked on the first axis, in the names that the app reads."""
    parts = [
        {f"image.{k}": v for k, v in image.state_dict().items()}
        | {f"text.{k.removeprefix('linear.')}": v for k, v in text.state_dict().items()}
        for image, text in members
    ]
    return {name: torch.stack([part[name] for part in parts]).numpy() for name in parts[0]}

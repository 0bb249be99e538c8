"""Trains the head that joins the image and the text tower in one space."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.domain.arrays import Float32Array, Int64Array

_START_TEMPERATURE = 20.0
_TEXT_SCALE = 384**0.5


@dataclass(frozen=True, slots=True)
class HeadOptions:
    """Hyperparameters, chosen on validation photos.

    `width` outputs; `ridge` is the penalty of the closed-form start. A photo is seen in another
    view than the plain one with probability `view_share`.
    """

    width: int = 360
    hidden: int = 512
    ridge: float = 15000.0
    dropout: float = 0.5
    text_dropout: float = 0.1
    epochs: int = 0
    batch: int = 512
    rate: float = 2e-4
    decay: float = 0.05
    view_share: float = 0.5


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Standardised photos `views[v]` (n, f); captions (c, 384); rows of captions of each photo."""

    views: tuple[Tensor, ...]
    sentences: Tensor
    captions_of: list[Int64Array]


class ImageSide(nn.Module):  # type: ignore[misc]
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


class TextSide(nn.Module):  # type: ignore[misc]
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
    torch.manual_seed(seed)
    image, text = ImageSide(views[0].shape[1], options), TextSide(options)
    _start(image, text, data, options)
    say("the closed-form start is solved")
    if options.epochs:
        _train(image, text, data, options, np.random.default_rng(seed))
    tensors = _named(image, text)
    tensors |= {"image.mean": mean, "image.scale": scale, "text.mean": text_mean}
    tensors["text.scale"] = np.full(1, _TEXT_SCALE, np.float32)
    return tensors


def _start(image: ImageSide, text: TextSide, data: TrainingSet, options: HeadOptions) -> None:
    """Set both maps in closed form; the hidden layer starts without a say.

    Text: principal components of the photos' mean captions, each divided by the fourth root of
    its variance. Image: ridge regression from the photo, plain and mirrored, to that.
    """
    means = torch.stack([data.sentences[own].mean(0) for own in data.captions_of])
    means = means - means.mean(0)
    variances, axes = torch.linalg.eigh(means.T @ means / len(means))
    order = torch.argsort(variances, descending=True)[: options.width]
    project = axes[:, order] * variances[order].clamp(min=1e-6) ** -0.25
    views = data.views[:2]
    gram = sum((view.T @ view for view in views), torch.zeros(())) / len(views)
    moment = sum((view.T @ (means @ project) for view in views), torch.zeros(())) / len(views)
    skip = torch.linalg.solve(gram + options.ridge * torch.eye(len(gram)), moment)
    with torch.no_grad():
        image.skip.weight.copy_(skip.T / _length(data.views[0] @ skip))
        text.linear.weight.copy_(project.T / _length(data.sentences @ project))
        for parameter in (image.out.weight, image.out.bias, text.linear.bias):
            parameter.zero_()


def _length(rows: Tensor) -> Tensor:
    return rows.norm(dim=1).mean()


def _train(
    image: ImageSide,
    text: TextSide,
    data: TrainingSet,
    options: HeadOptions,
    rng: np.random.Generator,
) -> None:
    """Train both maps on, with a symmetric contrastive loss over batches of photos."""
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
        loss = _loss(scores)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


def _loss(scores: Tensor) -> Tensor:
    own = torch.arange(len(scores))
    return (functional.cross_entropy(scores, own) + functional.cross_entropy(scores.T, own)) / 2


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


def _named(image: ImageSide, text: TextSide) -> dict[str, Float32Array]:
    """The weights in the names that the app reads."""
    parts = {f"image.{name}": value for name, value in image.state_dict().items()}
    parts |= {
        f"text.{name.removeprefix('linear.')}": value for name, value in text.state_dict().items()
    }
    return {name: value.numpy() for name, value in parts.items()}

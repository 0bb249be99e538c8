"""How a text encoder turns tokens into one vector: data of a model's manifest, as its card says."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Pooling = Literal["model", "first", "last", "mean"]
"""`model`: the model's own text features; else the hidden state of a token, or their mean."""


class TextRecipe(BaseModel):
    """Pooling, padding and wording of one model.

    `query_prefix` goes before what is looked for, `text_prefix` before what is looked through.
    `full_rows` pads every text to `max_tokens` and shows the model no mask: None asks the model's
    kind. `max_tokens` 0 is the longest that the model reads.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pooling: Pooling = "model"
    query_prefix: str = ""
    text_prefix: str = ""
    padding_side: Literal["left", "right"] = "right"
    full_rows: bool | None = None
    lower_case: bool = False
    max_tokens: int = Field(0, ge=0)

"""Texts to tokens, padded and cut as a recipe says."""

from collections.abc import Sequence
from typing import Any

from core.backends.text_recipe import TextRecipe


def tokens_of(tokenizer: Any, texts: Sequence[str], recipe: TextRecipe) -> dict[str, Any]:
    """Tensors (n, tokens); no mask for models that read full rows."""
    words = [text.lower() if recipe.lower_case else text for text in texts]
    made = tokenizer(
        words,
        padding="max_length" if recipe.full_rows else True,
        padding_side=recipe.padding_side,
        truncation=True,
        max_length=recipe.max_tokens or None,
        return_tensors="pt",
    )
    hidden = {"token_type_ids"} | ({"attention_mask"} if recipe.full_rows else set())
    return {name: rows for name, rows in made.items() if name not in hidden}

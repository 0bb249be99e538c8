"""Writes the model card of the starter encoder."""

from pathlib import Path

from training.pipeline import Result

_TEMPLATE = Path(__file__).parent / "card.md"


def model_card(result: Result, version: str) -> str:
    """The card as Markdown, with the figures of this run."""
    return _TEMPLATE.read_text(encoding="utf-8").format(
        version=version,
        dim=result.options.width,
        template=result.template,
        figures=_rows(result.figures),
        thresholds="| threshold | value |\n|---|---|\n" + _rows(result.thresholds),
        options=result.options,
        **result.photos,
    )


def _rows(values: dict[str, float]) -> str:
    return "\n".join(f"| `{name}` | {value:.4g} |" for name, value in values.items())

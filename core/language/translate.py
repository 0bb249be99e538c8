from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class English:
    text: str
    capitals_name: bool = True
    notes: tuple[str, ...] = ()


def to_english(text):
    return English(text)

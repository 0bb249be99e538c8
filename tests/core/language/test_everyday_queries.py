"""Forty everyday queries mean the same in five languages; columns: English, de, fr, es, it."""

from pathlib import Path

import pytest

from core.language.clean import clean
from core.language.translate import english_word, find_language
from core.language.vocabulary import everyday_rows, lexicon
from core.language.words import cut, singular
from tests.core.language.conftest import Reader, unwanted

CODES = ("de", "fr", "es", "it")
LINES = (Path(__file__).parent / "everyday_queries.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [line.split("\t") for line in LINES]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_exclusions_are_the_same_in_every_language(read: Reader, row: list[str]) -> None:
    meant = unwanted(read(row[0]))
    for text in row[1:]:
        assert unwanted(read(text)) == meant, text


@pytest.mark.parametrize("code", CODES)
def test_most_of_what_is_wanted_is_understood(read: Reader, code: str) -> None:
    function = lexicon().function_words
    kept = asked = 0
    for row in ROWS:
        meant = {singular(word) for word in cut(read(row[0]).target)} - function
        said = {singular(word) for word in cut(read(row[1 + CODES.index(code)]).target)}
        kept, asked = kept + len(meant & said), asked + len(meant)
    assert kept / asked > 0.8


@pytest.mark.parametrize("code", CODES)
def test_the_language_is_found(code: str) -> None:
    texts = [clean(row[1 + CODES.index(code)]) for row in ROWS]
    assert sum(find_language(text) == code for text in texts) >= 0.95 * len(texts)


def test_english_stays_english() -> None:
    assert [row[0] for row in ROWS if find_language(row[0])] == []


@pytest.mark.parametrize(
    ("word", "code", "english"),
    [
        ("schwarzes", "de", "black"),
        ("kamele", "de", None),
        ("chaudes", "fr", None),
        ("velas", "es", "candle"),
        ("chitarre", "it", "guitar"),
    ],
)
def test_inflected_words(word: str, code: str, english: str | None) -> None:
    assert english_word(word, code) == english


def test_every_row_has_all_languages() -> None:
    assert all(len(row) == 5 and all(row[1:]) for row in everyday_rows())


def test_a_language_that_is_not_covered_is_told(read: Reader) -> None:
    assert any("Only English" in note for note in read("собака на пляже").notes)

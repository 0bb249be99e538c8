"""German, French, Spanish and Italian: negations and everyday words."""

import pytest

from tests.core.language.conftest import DOG, Reader, unwanted

CASES = [
    # (text, target, unwanted)
    ("ein Hund am Strand ohne Menschen", "a dog at the beach", "people"),
    ("ein Hund auf der Wiese, aber keine Leute", "a dog on the meadow", "people"),
    ("niemand am Strand", "the beach", "people"),
    ("eine Straße ohne Autos und Menschen", "a street", "cars|people"),
    ("ein Hund am Strand statt auf dem Gras", "a dog at the beach", "grass"),
    ("ein Auto, nicht rot sondern blau", "a blue car", "red car"),
    ("un chien noir sur la plage sans personne", "a black dog on the beach", "people"),
    ("une rue sans voitures", "a street", "cars"),
    ("un chat, pas de chien", "a cat", "dog"),
    ("un chien à la plage au lieu de l'herbe", "a dog at the beach", "grass"),
    ("un perro en la playa sin gente", "a dog in the beach", "people"),
    ("no hay nadie en la calle", "the street", "people"),
    ("un gato negro sin collar rojo", "a black cat", None),
    ("un cane sulla spiaggia senza persone", "a dog on the beach", "people"),
    ("un gatto invece di un cane", "a cat", "dog"),
    ("nessuno in spiaggia", None, "people"),
]


@pytest.mark.parametrize(("text", "target", "lacks"), CASES, ids=[c[0] for c in CASES])
def test_other_languages(read: Reader, text: str, target: str | None, lacks: str | None) -> None:
    understood = read(text)
    if target is not None:
        assert understood.target == target
    if lacks is not None:
        assert unwanted(understood) == set(lacks.split("|"))


def test_a_composed_query_in_german(read: Reader) -> None:
    understood = read("der gleiche Hund, aber im Schnee und ohne Leute", DOG)
    assert understood.target == "a dog in the snow"
    assert unwanted(understood) == {"people"}


def test_unknown_words_are_told(read: Reader) -> None:
    assert any("Zwergspitz" in note for note in read("ein Zwergspitz auf dem Rasen").notes)


@pytest.mark.parametrize("text", ["a dog in the kitchen", "no people", "a man on a bench", "a die"])
def test_english_is_left_alone(read: Reader, text: str) -> None:
    assert not any("Read as" in note for note in read(text).notes)

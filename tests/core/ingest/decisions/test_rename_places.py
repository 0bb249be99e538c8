"""A gazetteer that has learned names places again, and leaves alone what the user named."""

from dataclasses import replace
from pathlib import Path

from core.backends.fakes import TinyGazetteer
from core.domain.decision import PlaceNamed
from core.domain.place import GeoPoint
from core.domain.query import ComposedQuery
from core.engine import Engine
from core.progress import Progress
from core.search.request import SearchOptions
from tests.core.pictures import AREZZO, FAKES, SCENES, draw


class Learned(TinyGazetteer):
    """Calls Arezzo by another name."""

    version = "learned"
    towns = tuple(
        replace(town, name="Arretium") if town.name == "Arezzo" else town
        for town in TinyGazetteer.towns
    )


def _index(tmp_path: Path, gazetteer: type[TinyGazetteer]) -> Engine:
    engine = Engine.open(tmp_path / "library", replace(FAKES, gazetteer=gazetteer))
    engine.index([tmp_path / "photos"], Progress())
    return engine


def _places(engine: Engine) -> dict[str, str]:
    photos = engine.photos(engine.library.photos.ids())
    return {p.path.stem: p.facts.place.text if p.facts.place else "" for p in photos}


def test_places_are_named_again_and_found(tmp_path: Path) -> None:
    for scene in SCENES:
        draw(tmp_path / "photos", scene)
    engine = _index(tmp_path, TinyGazetteer)
    assert _places(engine)["rose"] == "Arezzo, Tuscany, IT"
    engine.close()
    engine = _index(tmp_path, Learned)
    assert _places(engine)["rose"] == "Arretium, Tuscany, IT"
    assert _places(engine)["sky"] == "Moab, Utah, US"
    assert {s.place for s in engine.sessions()} == {"Arretium, Tuscany, IT", "Moab, Utah, US"}
    answer = engine.search(ComposedQuery("arretium"), SearchOptions(), Progress())
    assert answer.results
    engine.close()


def test_the_users_own_name_stays(tmp_path: Path) -> None:
    for scene in SCENES:
        draw(tmp_path / "photos", scene)
    engine = _index(tmp_path, TinyGazetteer)
    engine.decide(PlaceNamed("Grandma's", GeoPoint(*AREZZO), 1.0), Progress())
    engine.close()
    engine = _index(tmp_path, Learned)
    assert _places(engine)["rose"] == "Grandma's, Arretium, Tuscany, IT"
    engine.undo(Progress())
    assert _places(engine)["rose"] == "Arretium, Tuscany, IT"
    engine.close()

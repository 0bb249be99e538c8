"""XMP packets: every form that programs write, and what nobody should."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core.domain.tag import Region, TagKind, TagSource
from core.ingest.metadata.rdf import read_rdf
from core.ingest.metadata.regions import Marked, Stored, upright_region
from core.ingest.metadata.words import tags_from
from core.ingest.metadata.xmp import NO_XMP, read_xmp
from tests.core.ingest.metadata.metadata_files import listed, packet


def tags(raw: bytes, stored: Stored = Stored()) -> list[tuple[str, tuple[str, ...]]]:  # noqa: B008
    found = tags_from(read_xmp(raw).words(stored), TagSource.FILE)
    return [(tag.kind.value, tag.levels) for tag in found]


def test_attributes_and_elements_say_the_same() -> None:
    short = packet(attributes='xmp:Rating="4" exif:DateTimeOriginal="2019-07-14T12:30:00+02:00"')
    long = packet(
        "<xmp:Rating>4</xmp:Rating>"
        "<exif:DateTimeOriginal>2019-07-14T12:30:00+02:00</exif:DateTimeOriginal>"
    )
    assert read_xmp(short) == read_xmp(long)
    assert read_xmp(short).rating == 4
    assert read_xmp(short).date == "2019-07-14T12:30:00+02:00"


def test_the_default_language_speaks_first() -> None:
    raw = packet(
        '<dc:title><rdf:Alt><rdf:li xml:lang="de">Hafen</rdf:li>'
        '<rdf:li xml:lang="x-default">Harbour</rdf:li></rdf:Alt></dc:title>'
    )
    assert read_xmp(raw).title == "Harbour"


@pytest.mark.parametrize(
    ("written", "stars"),
    [
        ('xmp:Rating="5"', 5),
        ('xmp:Rating="-1"', -1),
        ('xmp:Rating="3.0"', 3),
        ('xmp:Rating="0"', 0),
        ('xmp:Rating="99"', None),
        ('xmp:Rating="nan"', None),
        ('xmp:Rating="many"', None),
        ('MicrosoftPhoto:Rating="1"', 1),
        ('MicrosoftPhoto:Rating="25"', 2),
        ('MicrosoftPhoto:Rating="99"', 5),
        ('xmp:Rating="2" MicrosoftPhoto:Rating="99"', 2),
    ],
)
def test_ratings(written: str, stars: int | None) -> None:
    assert read_xmp(packet(attributes=written)).rating == stars


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("lr:hierarchicalSubject", "People|Family|Anna"),
        ("digiKam:TagsList", "People/Family/Anna"),
        ("MicrosoftPhoto:LastKeywordXMP", "People/Family/Anna"),
        ("mediapro:CatalogSets", "People|Family|Anna"),
    ],
)
def test_hierarchies_by_every_program(name: str, path: str) -> None:
    assert tags(packet(listed(name, path))) == [("person", ("People", "Family", "Anna"))]


@pytest.mark.parametrize(
    ("root", "kind"),
    [
        ("Personen", "person"),
        ("PERSONAS", "person"),
        ("Personnes", "person"),
        ("Persone", "person"),
        ("Orte", "place"),
        ("Lieux", "place"),
        ("Ereignisse", "event"),
        ("Events", "event"),
        ("Alben", "album"),
        ("Animals", "keyword"),
    ],
)
def test_roots_tell_kinds(root: str, kind: str) -> None:
    assert tags(packet(listed("digiKam:TagsList", f"{root}/X"))) == [(kind, (root, "X"))]


def test_what_programs_keep_for_themselves_is_no_word() -> None:
    raw = packet(
        listed("lr:hierarchicalSubject", "darktable|exported", "_Digikam_Internal_Tags_|Scanned")
        + listed("digiKam:TagsList", "_Digikam_root_tag_/Sea")
    )
    assert tags(raw) == [("keyword", ("Sea",))]


def test_two_places_of_one_name_stay_two() -> None:
    raw = packet(listed("digiKam:TagsList", "Places/Italy/Florence", "Places/USA/Florence"))
    assert len(tags(raw)) == 2


def test_a_tag_without_its_hierarchy_is_found_in_either_order() -> None:
    flat, deep = listed("dc:subject", "Anna"), listed("digiKam:TagsList", "Family/Anna")
    person = listed("Iptc4xmpExt:PersonInImage", "ANNA")
    for parts in (flat + deep + person, person + deep + flat):
        assert tags(packet(parts)) == [("person", ("Family", "Anna"))]


def test_places_and_events() -> None:
    raw = packet(
        '<Iptc4xmpExt:Event><rdf:Alt><rdf:li xml:lang="x-default">Wedding</rdf:li></rdf:Alt>'
        "</Iptc4xmpExt:Event>",
        'photoshop:Country="Italy" photoshop:State="Tuscany" photoshop:City="Arezzo"',
    )
    assert tags(raw) == [("place", ("Italy", "Tuscany", "Arezzo")), ("event", ("Wedding",))]
    newer = packet(
        '<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li rdf:parseType="Resource">'
        "<Iptc4xmpExt:City>Arezzo</Iptc4xmpExt:City>"
        "<Iptc4xmpExt:CountryName>Italy</Iptc4xmpExt:CountryName>"
        "</rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>"
    )
    assert tags(newer) == [("place", ("Italy", "Arezzo"))]


def mwg(area: str, applied: str = 'stDim:w="400" stDim:h="300" stDim:unit="pixel"') -> bytes:
    return packet(
        '<mwg-rs:Regions rdf:parseType="Resource">'
        f"<mwg-rs:AppliedToDimensions {applied}/>"
        "<mwg-rs:RegionList><rdf:Bag>"
        '<rdf:li><rdf:Description mwg-rs:Name="Anna" mwg-rs:Type="Face">'
        f"<mwg-rs:Area {area}/></rdf:Description></rdf:li>"
        '<rdf:li rdf:parseType="Resource"><mwg-rs:Name>Rex</mwg-rs:Name>'
        "<mwg-rs:Type>Pet</mwg-rs:Type></rdf:li>"
        '<rdf:li rdf:parseType="Resource"><mwg-rs:Type>Focus</mwg-rs:Type></rdf:li>'
        "</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>"
        + listed("Iptc4xmpExt:PersonInImage", "Anna")
    )


NORMAL = 'stArea:x="0.5" stArea:y="0.25" stArea:w="0.2" stArea:h="0.1" stArea:unit="normalized"'


@pytest.mark.parametrize(
    "area",
    [NORMAL, 'stArea:x="200" stArea:y="75" stArea:w="80" stArea:h="30" stArea:unit="pixel"'],
)
def test_faces_by_mwg(area: str) -> None:
    person, pet = tags_from(read_xmp(mwg(area)).words(Stored()), TagSource.FILE)
    assert (person.kind, person.levels) == (TagKind.PERSON, ("Anna",))
    assert person.region is not None
    edges = (person.region.left, person.region.top, person.region.width, person.region.height)
    assert edges == pytest.approx((0.4, 0.2, 0.2, 0.1))
    assert (pet.kind, pet.levels, pet.region) == (TagKind.KEYWORD, ("Rex",), None)


def test_faces_by_microsoft() -> None:
    raw = packet(
        '<MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>'
        '<rdf:li MPReg:Rectangle="0.1, 0.2, 0.3, 0.4" MPReg:PersonDisplayName="Anna"/>'
        '<rdf:li MPReg:Rectangle="0.1, 0.2" MPReg:PersonDisplayName="Ben"/>'
        "</rdf:Bag></MPRI:Regions></MP:RegionInfo>"
    )
    anna, ben = tags_from(read_xmp(raw).words(Stored()), TagSource.FILE)
    assert anna.region is not None and (anna.region.left, anna.region.top) == (0.1, 0.2)
    assert ben.name == "Ben" and ben.region is None


@pytest.mark.parametrize(
    "area",
    [
        'stArea:x="nan" stArea:y="0.5" stArea:w="1" stArea:h="1"',
        'stArea:x="5" stArea:y="0.5" stArea:w="1" stArea:h="1"',
        'stArea:x="0.5" stArea:y="0.5"',
        'stArea:x="0.5" stArea:y="0.5" stArea:w="-1" stArea:h="1"',
        'stArea:x="1e99" stArea:y="0.5" stArea:w="1e99" stArea:h="1"',
    ],
)
def test_a_region_that_is_none_still_names_a_person(area: str) -> None:
    person = tags_from(read_xmp(mwg(area)).words(Stored()), TagSource.FILE)[0]
    assert person.name == "Anna" and person.region is None


UNDO = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How an upright picture is stored under each orientation."""


@pytest.mark.parametrize("orientation", range(1, 9))
def test_regions_turn_with_the_pixels(orientation: int) -> None:
    scene = Image.new("L", (80, 40), 0)
    scene.paste(255, (8, 4, 24, 20))
    stored = scene.transpose(UNDO[orientation]) if orientation > 1 else scene
    left, top, right, bottom = stored.getbbox() or (0, 0, 0, 0)
    wide, high = stored.size
    region = Region(left / wide, top / high, (right - left) / wide, (bottom - top) / high)
    turned = upright_region(Marked("Anna", True, region), Stored(orientation, wide, high))
    assert turned is not None
    edges = (turned.left, turned.top, turned.width, turned.height)
    assert edges == pytest.approx((0.1, 0.1, 0.2, 0.4))


def test_regions_measured_upright_are_not_turned_again() -> None:
    region = Region(0.1, 0.1, 0.2, 0.4)
    upright = Marked("Anna", True, region, width=300, height=400)
    assert upright_region(upright, Stored(6, 4000, 3000)) == region
    as_stored = Marked("Anna", True, region, width=400, height=300)
    assert upright_region(as_stored, Stored(6, 4000, 3000)) != region


ORDINARY = packet(listed("dc:subject", "sea &amp; sand"), 'xmp:Rating="4"')


@pytest.mark.parametrize(
    "raw",
    [
        ORDINARY.decode().encode("utf-16"),
        ORDINARY.replace(b"</rdf:RDF>", b"<!-- caf\xe9 --></rdf:RDF>"),
        ORDINARY.decode().encode("utf-16-le"),
        ORDINARY.decode().encode("utf-16-be"),
        b"\xef\xbb\xbf" + ORDINARY,
        b"\0" + ORDINARY,
        b"garbage \xff\xfe" + ORDINARY + b"\0\0 more",
        ORDINARY.replace(b"&amp;", b"&"),
        ORDINARY.replace(b"sea", b"\x01sea"),
        ORDINARY[: ORDINARY.index(b"</rdf:Description>")],
        ORDINARY.replace(b' xmlns:dc="http://purl.org/dc/elements/1.1/"', b""),
        b"<!DOCTYPE x [<!ENTITY a 'b'>]>" + ORDINARY,
    ],
)
def test_what_can_be_read_is(raw: bytes) -> None:
    found = read_xmp(raw)
    assert found.keywords == ("sea & sand",) and found.rating == 4


def test_bytes_of_another_charset_are_read_as_such() -> None:
    raw = packet(listed("dc:subject", "caf\u00e9", "Z\u00fcrich"))
    assert read_xmp(raw.replace("\u00e9".encode(), b"\xe9")).keywords == ("café", "Zürich")


def test_entities_are_text() -> None:
    bomb = '<!DOCTYPE z [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>'
    inside = packet(listed("dc:subject", "&b;&b;", "&#x41;")).replace(
        b"<x:xmpmeta", bomb.encode() + b"<x:xmpmeta"
    )
    assert read_xmp(inside).keywords == ("&b;&b;", "A")
    within = packet(bomb + listed("dc:subject", "late"), 'xmp:Rating="4"')
    assert read_xmp(within).rating == 4 and read_xmp(within).keywords == ()
    outside = b'<!DOCTYPE z SYSTEM "file:///etc/passwd">' + packet(attributes='xmp:Rating="4"')
    assert read_xmp(outside).rating == 4


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<",
        b"<x:xmpmeta ",
        b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>" * 100_000,
        packet("<dc:subject>" * 5000),
        packet("<dc:title/>" * 200_000),
        packet(listed("dc:subject", *["x"] * 300_000)),
        packet(attributes='dc:title="' + "x" * 3_000_000 + '"'),
    ],
)
def test_hostile_packets_are_bounded(raw: bytes) -> None:
    found = read_xmp(raw)
    assert len(found.keywords) <= 1000 and found.title == ""


def test_not_a_packet() -> None:
    assert read_xmp(None) is NO_XMP
    assert read_xmp({"xmpmeta": 1}) is NO_XMP


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_packets_never_raise(data: st.DataObject) -> None:
    raw = bytearray(mwg(NORMAL))
    for _ in range(data.draw(st.integers(0, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(raw)))
    tags_from(read_xmp(bytes(raw[:cut])).words(Stored(6, 4, 3)), TagSource.FILE)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="<>/rdf:RDFlixmpt=\"' &;#a", max_size=200))
def test_any_markup_gives_properties(text: str) -> None:
    assert isinstance(read_rdf("<rdf:RDF>" + text), dict)

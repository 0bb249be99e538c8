"""What sort of picture: each rule alone, the order of the rules, and pictures that are drawn."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import piexif
import pytest
from PIL import Image, PngImagePlugin

from core.domain.photo import FileStamp, PhotoKind
from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits
from core.ingest.decoding.pixel_signs import NO_SIGNS, PixelSigns, pixel_signs
from core.ingest.likeness.kind import KindSigns, kind_of
from core.ingest.likeness.kind_words import kind_words, plain_name
from core.paths import LibraryPaths
from tests.core.ingest.decoding import rendered

K = PhotoKind
PLAIN = KindSigns("a", "JPEG", 1600, 1200)
PLAINER = PixelSigns(plain=0.3)
TEXT = PixelSigns(text=0.21, paper=0.3)
PAPER = PixelSigns(text=0.3, paper=0.6)
BAR = PixelSigns(bar=0.2)
LETTERS = PixelSigns(outlined=0.25)
BORDER = PixelSigns(bordered=True)
FLICKR = Path(__file__).parents[5] / "shared" / "data" / "flickr8k" / "images"


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, K.PHOTO),
        ({"width": 224, "height": 224}, K.PHOTO),
        ({"colours": 2}, K.PHOTO),  # a JPEG may show fog
        ({"comment": "Screenshot"}, K.SCREENSHOT),
        ({"comment": "Screenshot", "from_camera": True, "dated": True}, K.SCREENSHOT),
        ({"comment": "a lovely day"}, K.PHOTO),
        ({"name": "Screenshot_2020"}, K.SCREENSHOT),
        ({"name": "Screenshot_2020", "dated": True}, K.SCREENSHOT),
        ({"name": "screenshot", "from_camera": True}, K.PHOTO),
        ({"folder": "Screenshots"}, K.SCREENSHOT),
        ({"folder": "Screenshots"} | {"from_camera": True}, K.PHOTO),
        ({"folder": "my screenshots of games"}, K.PHOTO),
        ({"format": "PNG", "width": 2532, "height": 1170}, K.SCREENSHOT),
        ({"format": "PNG", "width": 2532, "height": 1170, "dated": True}, K.SCREENSHOT),
        ({"format": "PNG", "width": 2532, "height": 1170, "from_camera": True}, K.PHOTO),
        ({"format": "PNG", "width": 2531, "height": 1170}, K.PHOTO),
        ({"width": 1080, "height": 2400, "pixels": PLAINER}, K.SCREENSHOT),
        ({"width": 1080, "height": 2400}, K.PHOTO),
        ({"width": 1080, "height": 2400, "pixels": PLAINER, "dated": True}, K.PHOTO),
        ({"width": 1081, "height": 2400, "pixels": PLAINER}, K.PHOTO),
        ({"width": 1920, "height": 1080, "pixels": PLAINER}, K.PHOTO),  # films are as wide
        ({"width": 1920, "height": 1080, "pixels": PixelSigns(plain=0.5)}, K.SCREENSHOT),
        ({"device": "EPSON Perfection V600", "from_camera": True}, K.SCAN),
        ({"software": "VueScan 9 x64 (9.7)", "dated": True}, K.SCAN),
        ({"software": "Adobe Photoshop 22.1"}, K.PHOTO),
        ({"name": "scan0001"}, K.SCAN),
        ({"name": "IMG_scan"}, K.SCAN),
        ({"name": "scan0001", "from_camera": True}, K.PHOTO),
        ({"name": "scandinavia 3"}, K.PHOTO),
        ({"name": "toscana"}, K.PHOTO),
        ({"format": "TIFF", "dots_per_inch": 600}, K.SCAN),
        ({"format": "TIFF", "dots_per_inch": 600, "dated": True}, K.PHOTO),
        ({"format": "TIFF", "dots_per_inch": 72}, K.PHOTO),
        ({"width": 2480, "height": 3508, "dots_per_inch": 300}, K.SCAN),
        ({"width": 2480, "height": 3508, "dots_per_inch": 72}, K.PHOTO),
        ({"width": 2480, "height": 3000, "dots_per_inch": 300}, K.PHOTO),
        ({"width": 2480, "height": 3508, "dots_per_inch": 300, "from_camera": True}, K.PHOTO),
        ({"pixels": BORDER, "dots_per_inch": 300}, K.SCAN),
        ({"pixels": BORDER}, K.PHOTO),  # a frame that somebody liked
        ({"pixels": BAR}, K.MEME),
        ({"pixels": LETTERS}, K.MEME),
        ({"pixels": replace(LETTERS, paper=0.5)}, K.PHOTO),
        ({"pixels": BAR, "from_camera": True}, K.PHOTO),
        ({"pixels": LETTERS, "dated": True}, K.PHOTO),
        ({"folder": "WhatsApp Images", "name": "IMG-20200102-WA0001"}, K.PHOTO),
        ({"pixels": TEXT}, K.RECEIPT),
        ({"pixels": TEXT, "from_camera": True}, K.PHOTO),
        ({"pixels": TEXT, "dated": True}, K.PHOTO),
        ({"pixels": PAPER, "from_camera": True, "dated": True}, K.RECEIPT),
        ({"format": "PNG", "colours": 5}, K.GRAPHIC),
        ({"flat_mode": True}, K.GRAPHIC),
        ({"see_through": True}, K.GRAPHIC),
        ({"width": 64, "height": 64}, K.GRAPHIC),
        ({"width": 64, "height": 64, "pixels": LETTERS}, K.GRAPHIC),
        ({"width": 64, "height": 64, "from_camera": True}, K.PHOTO),
        ({"width": 64, "height": 64, "dated": True}, K.PHOTO),
    ],
)
def test_the_first_rule_that_holds(changes: dict[str, object], kind: PhotoKind) -> None:
    found, reason = kind_of(replace(PLAIN, **changes))  # type: ignore[arg-type]
    assert found is kind
    assert reason


def test_the_reason_names_the_rule() -> None:
    assert kind_of(replace(PLAIN, pixels=BAR))[1] == "no camera, and a caption in a bar"
    assert kind_of(replace(PLAIN, from_camera=True))[1] == "a camera took it"


@pytest.mark.parametrize(
    "name",
    [
        "Bildschirmfoto 2023-04-01 um 12.30.11", "Capture d’écran 2022-01-01", "Schermata 2021",
        "Captura de pantalla (3)", "Captura de Tela 2020", "Skärmavbild 2020", "Снимок экрана 5",
        "Zrzut ekranu 2024", "スクリーンショット 2020-01-01", "微信截图_20200101", "스크린샷 2021",
        "Screen Shot 2019-05-01 at 10.11.12", "Näyttökuva 3", "لقطة الشاشة 2022",
        "screenshot-1", "20200101_screenshot", "2020Screenshot", "Ekran Görüntüsü (12)",
    ],
)  # fmt: skip
def test_names_of_screenshots_in_many_languages(name: str) -> None:
    assert kind_of(replace(PLAIN, name=name))[0] is K.SCREENSHOT


@pytest.mark.parametrize(
    "name",
    ["Scan_20240101", "scan0001", "Numérisation_20200101", "Scansione 3", "CamScanner 01-02",
     "扫描件", "Scanned image", "20210101_scan", "Scan"],
)  # fmt: skip
def test_names_of_scans_in_many_languages(name: str) -> None:
    assert kind_of(replace(PLAIN, name=name))[0] is K.SCAN


@pytest.mark.parametrize(
    "device",
    ["Canon CanoScan LiDE 300", "HP HP Scanjet 4890", "EPSON GT-X820", "NIKON COOLSCAN 5000",
     "FUJITSU ScanSnap iX500", "Brother MFC-J4410DW", "NORITSU KOKI EZ Controller",
     "Canon MG3600 series", "EPSON ET-2750 Series", "FUJI PHOTO FILM CO., LTD. SP-3000"],
)  # fmt: skip
def test_devices_that_scan(device: str) -> None:
    assert kind_of(replace(PLAIN, device=device, from_camera=True))[0] is K.SCAN


@pytest.mark.parametrize(
    "device",
    ["SAMSUNG GT-S5830", "samsung GT-I9300", "OLYMPUS STYLUS TG-4", "SEIKO EPSON PhotoPC 3000Z",
     "Canon Canon MV550i", "Canon Canon EOS 5D", "HP HP PhotoSmart C945", "EPSON R-D1s",
     "FUJIFILM FinePix S3000", "OLYMPUS SP-310", "NIKON COOLPIX P900", "Apple iPhone 12"],
)  # fmt: skip
def test_cameras_whose_names_are_like_scanners(device: str) -> None:
    assert kind_of(replace(PLAIN, device=device, from_camera=True))[0] is K.PHOTO


def test_words_are_compared_without_case_accents_and_signs() -> None:
    assert plain_name("Capture_d'ÉCRAN--2") == "capture d ecran 2"
    assert all(short <= long for short, long in kind_words().screens)
    assert kind_words().is_screen(2400, 1080)


def shares(kinds: list[PhotoKind]) -> dict[PhotoKind, float]:
    return {kind: count / len(kinds) for kind, count in Counter(kinds).items()}


def seen(pictures: list[Image.Image], base: KindSigns = PLAIN) -> dict[PhotoKind, float]:
    signs = [replace(base, pixels=pixel_signs(rendered.as_thumbnail(p))) for p in pictures]
    return shares([kind_of(one)[0] for one in signs])


RNG = random.Random(5)
PHOTO_PICTURES = [rendered.real_photo(name) for name in rendered.PHOTOS]


def test_rendered_documents_are_told() -> None:
    receipts = [rendered.receipt(RNG) for _ in range(15)]
    pages = [rendered.page(RNG) for _ in range(8)]
    assert seen(receipts)[K.RECEIPT] >= 0.8
    assert seen(pages)[K.RECEIPT] == 1
    assert seen([rendered.photographed(one, RNG) for one in pages])[K.RECEIPT] >= 0.7


def test_a_document_that_a_phone_photographed_is_told_only_if_it_fills_the_picture() -> None:
    by_phone = replace(PLAIN, from_camera=True, dated=True)
    pages = [rendered.page(RNG) for _ in range(6)]
    assert seen(pages, by_phone)[K.RECEIPT] == 1
    on_tables = [rendered.photographed(one, RNG) for one in (rendered.receipt(RNG), *pages[:2])]
    small = [p.resize((450, 600)) for p in on_tables]
    rooms = []
    for sheet in small:
        room = rendered.real_photo("coffee.png").resize((1200, 900))
        room.paste(sheet.resize((225, 300)), (600, 300))
        rooms.append(room)
    assert seen(rooms, by_phone) == {K.PHOTO: 1}


def test_rendered_memes_are_told() -> None:
    bars = [
        rendered.meme_with_bar(photo, RNG, below) for photo in PHOTO_PICTURES for below in (0, 1)
    ]
    letters = [rendered.meme_with_letters(photo, RNG) for photo in PHOTO_PICTURES * 2]
    assert seen(bars)[K.MEME] >= 0.8
    assert seen(letters)[K.MEME] >= 0.8


def test_chats_are_plain_and_photos_are_not() -> None:
    plain = [pixel_signs(rendered.as_thumbnail(rendered.screen(RNG))).plain for _ in range(4)]
    assert min(plain) >= 0.3
    assert seen([rendered.screen(RNG)], replace(PLAIN, width=1080, height=2400)) == {
        K.SCREENSHOT: 1
    }
    assert max(pixel_signs(rendered.as_thumbnail(p)).plain for p in PHOTO_PICTURES) < 0.2


def test_a_border_is_white_all_round() -> None:
    photo = PHOTO_PICTURES[0].resize((400, 300))
    framed = Image.new("RGB", (440, 340), "white")
    framed.paste(photo, (20, 20))
    assert pixel_signs(framed).bordered
    assert not pixel_signs(photo).bordered
    assert not pixel_signs(framed.crop((20, 0, 440, 340))).bordered
    assert not pixel_signs(Image.new("RGB", (440, 340), "white")).bordered


@pytest.mark.parametrize("name", rendered.PHOTOS)
def test_real_photos_stay_photos_whatever_is_missing(name: str) -> None:
    assert seen([rendered.real_photo(name)]) == {K.PHOTO: 1}


@pytest.mark.parametrize("size", [(1, 1), (47, 900), (3000, 2), (48, 48), (256, 50), (512, 513)])
def test_any_size_has_signs(size: tuple[int, int]) -> None:
    signs = pixel_signs(Image.effect_noise(size, 90).convert("RGB"))
    assert 0 <= signs.plain <= 1
    assert signs.text == 0
    if min(size) < 3:
        assert signs == NO_SIGNS


@pytest.mark.parametrize("colour", ["white", "black", "red"])
def test_a_picture_of_one_colour_has_no_text_and_no_bars(colour: str) -> None:
    signs = pixel_signs(Image.new("RGB", (300, 200), colour))
    assert (signs.text, signs.bar, signs.outlined, signs.plain) == (0, 0, 0, 1)


def test_letterboxes_without_words_are_no_captions() -> None:
    film = Image.new("RGB", (640, 480), "black")
    film.paste(PHOTO_PICTURES[2].resize((640, 360)), (0, 60))
    assert pixel_signs(film).bar == 0


@pytest.mark.shared_data
def test_everyday_photos_are_no_documents() -> None:
    """Of 7,063 photos without any metadata at most three are taken for something else."""
    if not FLICKR.is_dir():
        pytest.skip("the development photos are not beside the checkout")
    kinds: Counter[PhotoKind] = Counter()
    clear = 0
    for path in sorted(FLICKR.iterdir()):
        with Image.open(path) as picture:
            signs = replace(PLAIN, pixels=pixel_signs(picture.convert("RGB")))
        kinds[kind_of(signs)[0]] += 1
        clear += kind_of(replace(signs, from_camera=True))[0] is not K.PHOTO
    assert sum(kinds.values()) - kinds[K.PHOTO] <= 3
    assert clear == 0


LIMITS_PX = 64


def decoded(folder: Path, name: str) -> Decoded:
    path = folder / name
    stamp = FileStamp(path, path.stat().st_size, 1)
    limits = DecodeLimits(LibraryPaths(folder / "library"), LIMITS_PX)
    outcome = decode_file(DecodeJob(stamp), limits, lambda _: False)
    assert isinstance(outcome, Decoded), outcome
    return outcome


def test_files_are_told_by_all_that_they_say(tmp_path: Path) -> None:
    """Through the decoder: EXIF's and XMP's comments, the scanner's name, resolution, folder."""
    photo = PHOTO_PICTURES[2]
    apple = piexif.dump({"Exif": {
        piexif.ExifIFD.UserComment: b"ASCII\0\0\0Screenshot",
        piexif.ExifIFD.DateTimeOriginal: b"2023:01:01 10:00:00"}})  # fmt: skip
    photo.save(tmp_path / "IMG_0001.jpg", exif=apple)
    packet = PngImagePlugin.PngInfo()
    packet.add_itxt("XML:com.adobe.xmp", (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF'
        ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description'
        ' xmlns:exif="http://ns.adobe.com/exif/1.0/"><exif:UserComment><rdf:Alt>'
        '<rdf:li xml:lang="x-default">Screenshot</rdf:li></rdf:Alt></exif:UserComment>'
        "</rdf:Description></rdf:RDF></x:xmpmeta>"))  # fmt: skip
    photo.save(tmp_path / "IMG_0002.png", pnginfo=packet)
    scanner = {piexif.ImageIFD.Make: b"EPSON", piexif.ImageIFD.Model: b"Perfection V600"}
    photo.save(tmp_path / "img003.jpg", exif=piexif.dump({"0th": scanner}))
    program = {piexif.ImageIFD.Software: b"VueScan 9"}
    photo.save(tmp_path / "img004.jpg", exif=piexif.dump({"0th": program}))
    photo.save(tmp_path / "img005.tif", dpi=(600, 600))
    camera = {piexif.ImageIFD.Make: b"Canon", piexif.ImageIFD.Model: b"EOS"}
    photo.save(tmp_path / "screenshot.jpg", exif=piexif.dump({"0th": camera}))
    photo.save(tmp_path / "plain.jpg")
    (tmp_path / "Screenshots").mkdir()
    photo.save(tmp_path / "Screenshots" / "a.jpg")
    rendered.page(RNG).save(tmp_path / "page.jpg", quality=80)
    rendered.meme_with_bar(photo, RNG).save(tmp_path / "meme.jpg", quality=80)
    told = {
        "IMG_0001.jpg": K.SCREENSHOT, "IMG_0002.png": K.SCREENSHOT, "img003.jpg": K.SCAN,
        "img004.jpg": K.SCAN, "img005.tif": K.SCAN, "screenshot.jpg": K.PHOTO,
        "plain.jpg": K.PHOTO, "Screenshots/a.jpg": K.SCREENSHOT, "page.jpg": K.RECEIPT,
        "meme.jpg": K.MEME,
    }  # fmt: skip
    found = {name: decoded(tmp_path, name) for name in told}
    assert {name: one.kind for name, one in found.items()} == told
    assert found["img005.tif"].kind_reason == "no camera, a TIFF of a scanner's resolution"

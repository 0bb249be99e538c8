"""What sort of picture a file is, by rules that can be explained; in doubt a photo.

The first rule that holds decides, and says why. What a picture's own metadata or a scanner say
comes first, then a camera's word; only pictures without a camera are judged by name, size and
pixels. Precision counts for more than recall: a photo that is taken for something else is
missing from stories.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.photo import PhotoKind
from core.ingest.decoding.pixel_signs import NO_SIGNS, PixelSigns
from core.ingest.likeness.kind_words import kind_words, plain_name

_SMALL_PX = 100
_FEW_COLOURS = 24
_LOSSLESS = ("PNG", "GIF", "BMP", "DIB", "TIFF")
_TALL = 1.9
_PLAIN_TALL, _PLAIN_WIDE = 0.25, 0.45
_TEXT, _CLEAR_TEXT, _CLEAR_PAPER = 0.2, 0.25, 0.55
_OUTLINED, _MOSTLY_PAPER = 0.2, 0.4


@dataclass(frozen=True, slots=True)
class KindSigns:
    """What the rules look at.

    `folder` is the name of the folder that the file lies in. `colours` is the count in a small
    copy, None for many. `flat_mode` is a palette or bilevel picture; `see_through` has transparent
    parts. `from_camera`: make, model, exposure or position are told; `dated`: an original time is.
    `device` is make and model, `comment` the user comment in EXIF or XMP; `dots_per_inch` is 0
    where it is not told.
    """

    name: str
    format: str
    width: int
    height: int
    folder: str = ""
    flat_mode: bool = False
    see_through: bool = False
    colours: int | None = None
    from_camera: bool = False
    dated: bool = False
    device: str = ""
    software: str = ""
    comment: str = ""
    dots_per_inch: int = 0
    pixels: PixelSigns = NO_SIGNS

    @property
    def is_bare(self) -> bool:
        """Whether nothing in it speaks of a camera."""
        return not (self.from_camera or self.dated)


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: PhotoKind
    holds: Callable[[KindSigns], bool]
    reason: str


def kind_of(signs: KindSigns) -> tuple[PhotoKind, str]:
    """The kind by the first rule that holds, and the rule in words."""
    for rule in _RULES:
        if rule.holds(signs):
            return rule.kind, rule.reason
    return PhotoKind.PHOTO, "nothing speaks for another kind"


def _is_called_screenshot(signs: KindSigns) -> bool:
    return kind_words().screenshot.search(plain_name(signs.comment)) is not None


def _is_from_scanner(signs: KindSigns) -> bool:
    words = kind_words()
    return bool(words.devices.search(signs.device) or words.programs.search(signs.software))


def _is_clearly_paper(signs: KindSigns) -> bool:
    return signs.pixels.text >= _CLEAR_TEXT and signs.pixels.paper >= _CLEAR_PAPER


def _is_from_camera(signs: KindSigns) -> bool:
    return signs.from_camera


def _is_named_screenshot(signs: KindSigns) -> bool:
    return kind_words().screenshot.search(plain_name(signs.name)) is not None


def _lies_among_screenshots(signs: KindSigns) -> bool:
    return kind_words().screenshot.fullmatch(plain_name(signs.folder)) is not None


def _is_png_of_screen_size(signs: KindSigns) -> bool:
    return signs.format == "PNG" and kind_words().is_screen(signs.width, signs.height)


def _is_plain_of_screen_size(signs: KindSigns) -> bool:
    """Cameras take pictures of wide screens' sizes too, so these must be plainer."""
    short, long = sorted((signs.width, signs.height))
    plain = _PLAIN_TALL if long >= _TALL * short else _PLAIN_WIDE
    of_screen = kind_words().is_screen(signs.width, signs.height)
    return signs.is_bare and of_screen and signs.pixels.plain >= plain


def _is_named_scan(signs: KindSigns) -> bool:
    return kind_words().scan.search(plain_name(signs.name)) is not None


def _has_scanners_resolution(signs: KindSigns) -> bool:
    return signs.dots_per_inch in kind_words().resolutions


def _is_scanners_tiff(signs: KindSigns) -> bool:
    return signs.format == "TIFF" and signs.is_bare and _has_scanners_resolution(signs)


def _is_sheet(signs: KindSigns) -> bool:
    return _has_scanners_resolution(signs) and kind_words().is_sheet(
        signs.width, signs.height, signs.dots_per_inch
    )


def _is_print_with_border(signs: KindSigns) -> bool:
    return _has_scanners_resolution(signs) and signs.is_bare and signs.pixels.bordered


def _has_caption_bar(signs: KindSigns) -> bool:
    return signs.is_bare and signs.pixels.bar > 0


def _has_outlined_letters(signs: KindSigns) -> bool:
    pixels = signs.pixels
    return signs.is_bare and pixels.outlined >= _OUTLINED and pixels.paper < _MOSTLY_PAPER


def _is_paper(signs: KindSigns) -> bool:
    return signs.is_bare and signs.pixels.text >= _TEXT


def _is_tiny(signs: KindSigns) -> bool:
    return signs.is_bare and max(signs.width, signs.height) < _SMALL_PX


def _has_palette(signs: KindSigns) -> bool:
    return signs.is_bare and signs.flat_mode


def _is_see_through(signs: KindSigns) -> bool:
    return signs.is_bare and signs.see_through


def _has_few_colours(signs: KindSigns) -> bool:
    few = signs.colours is not None and signs.colours <= _FEW_COLOURS
    return signs.is_bare and few and signs.format in _LOSSLESS


_RULES = (
    _Rule(PhotoKind.SCREENSHOT, _is_called_screenshot, "its metadata call it a screenshot"),
    _Rule(PhotoKind.SCAN, _is_from_scanner, "a scanner or a scanning program made it"),
    _Rule(PhotoKind.RECEIPT, _is_clearly_paper, "paper with rows of text fills it"),
    _Rule(PhotoKind.PHOTO, _is_from_camera, "a camera took it"),
    _Rule(PhotoKind.SCREENSHOT, _is_named_screenshot, "no camera, and its name says screenshot"),
    _Rule(PhotoKind.SCREENSHOT, _lies_among_screenshots, "no camera, in a folder of screenshots"),
    _Rule(PhotoKind.SCREENSHOT, _is_png_of_screen_size, "no camera, and the size of a screen"),
    _Rule(
        PhotoKind.SCREENSHOT,
        _is_plain_of_screen_size,
        "no camera, the size of a screen, and plain areas as programs have",
    ),
    _Rule(PhotoKind.SCAN, _is_named_scan, "no camera, and its name says scan"),
    _Rule(PhotoKind.SCAN, _is_scanners_tiff, "no camera, a TIFF of a scanner's resolution"),
    _Rule(PhotoKind.SCAN, _is_sheet, "no camera, and the size of a sheet of paper"),
    _Rule(
        PhotoKind.SCAN,
        _is_print_with_border,
        "no camera, a scanner's resolution, and a white border as prints have",
    ),
    _Rule(PhotoKind.GRAPHIC, _is_tiny, "no camera, and very small"),
    _Rule(PhotoKind.MEME, _has_caption_bar, "no camera, and a caption in a bar"),
    _Rule(PhotoKind.MEME, _has_outlined_letters, "no camera, and white outlined letters"),
    _Rule(PhotoKind.RECEIPT, _is_paper, "no camera, and rows of text on paper"),
    _Rule(PhotoKind.GRAPHIC, _has_palette, "no camera, and a palette or black and white alone"),
    _Rule(PhotoKind.GRAPHIC, _is_see_through, "no camera, and parts that are see-through"),
    _Rule(PhotoKind.GRAPHIC, _has_few_colours, "no camera, and few colours"),
)
"""In the order in which they are asked."""

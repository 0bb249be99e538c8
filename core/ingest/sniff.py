"""Tells by suffix and by first bytes what a file is, without decoding it."""

from enum import Enum, auto
from pathlib import Path

_IMAGES = (
    ".jpg .jpeg .jpe .jfif .mpo .png .apng .gif .bmp .dib .tif .tiff .webp .avif .avifs"
    " .heic .heif .heics .heifs .hif .jp2 .j2k .jpx .jpf .j2c .jpc"
)
_RAWS = (
    ".3fr .arw .cr2 .cr3 .crw .dcr .dng .erf .fff .iiq .k25 .kdc .mef .mos .mrw .nef .nrw .orf"
    " .pef .raf .raw .rw2 .rwl .sr2 .srf .srw .x3f"
)
_OTHER_PICTURES = (
    ".ai .eps .exr .hdr .ico .jxl .jxr .kra .msp .pcx .pdf .pic .ppm .pgm .pbm .pnm .psb .psd"
    " .qoi .ras .sgi .sun .svg .svgz .tga .wdp .wmf .emf .xbm .xcf .xpm"
)
_VIDEOS = (
    ".3g2 .3gp .asf .avi .flv .insv .lrv .m2ts .m4v .mkv .mov .mp4 .mpeg .mpg .mts .mxf .ogv"
    " .vob .webm .wmv"
)
IMAGE_SUFFIXES = frozenset(_IMAGES.split())
RAW_SUFFIXES = frozenset(_RAWS.split())
OTHER_PICTURE_SUFFIXES = frozenset(_OTHER_PICTURES.split())
VIDEO_SUFFIXES = frozenset(_VIDEOS.split())
SNIFF_BYTES = 32


class Sniffed(Enum):
    """What a file looks like."""

    IMAGE = auto()
    OTHER_PICTURE = auto()
    VIDEO = auto()
    OTHER = auto()


_VIDEO_BRANDS = (b"qt  ", b"mp4", b"isom", b"iso2", b"iso4", b"iso5", b"M4V", b"3g", b"avc1")
_IMAGE_BRANDS = (b"hei", b"hev", b"mif1", b"msf1", b"avif", b"avis", b"jp2", b"jpx", b"miaf")
_IMAGE_MAGIC = (
    b"\xff\xd8\xff",
    b"\x89PNG\r\n\x1a\n",
    b"GIF87a",
    b"GIF89a",
    b"II*\x00",
    b"MM\x00*",
    b"\x00\x00\x00\x0cjP  ",
    b"\xff\x4f\xff\x51",
)
_OTHER_PICTURE_MAGIC = (
    b"8BPS",
    b"%PDF",
    b"%!PS",
    b"\xff\x0a",
    b"gimp xcf",
    b"v/1\x01",
    b"qoif",
    b"\x59\xa6\x6a\x95",
    b"FUJIFILMCCD-RAW",
    b"IIRO",
    b"IIU\x00",
)
_VIDEO_MAGIC = (b"\x1aE\xdf\xa3", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3", b"FLV\x01", b"OggS")


def sniff_bytes(head: bytes) -> Sniffed:
    """What the first bytes of a file say."""
    if head[4:8] == b"ftyp":
        return _sniff_brand(head[8:12])
    if head[:4] == b"RIFF":
        return {b"WEBP": Sniffed.IMAGE, b"AVI ": Sniffed.VIDEO}.get(head[8:12], Sniffed.OTHER)
    if head.startswith(_IMAGE_MAGIC) or _is_bmp(head):
        return Sniffed.IMAGE
    if head.startswith(_OTHER_PICTURE_MAGIC):
        return Sniffed.OTHER_PICTURE
    return Sniffed.VIDEO if head.startswith(_VIDEO_MAGIC) else Sniffed.OTHER


def _sniff_brand(brand: bytes) -> Sniffed:
    if brand.startswith(_IMAGE_BRANDS):
        return Sniffed.IMAGE
    if brand.startswith(b"crx"):
        return Sniffed.OTHER_PICTURE
    return Sniffed.VIDEO if brand.startswith(_VIDEO_BRANDS) else Sniffed.OTHER


def _is_bmp(head: bytes) -> bool:
    header = int.from_bytes(head[14:18], "little")
    return head[:2] == b"BM" and header in (12, 16, 40, 52, 56, 64, 108, 124)


def sniff_suffix(path: Path) -> Sniffed | None:
    """What the name's suffix says; None where only the bytes can tell."""
    suffix = path.suffix.lower()
    if suffix in IMAGE_SUFFIXES:
        return Sniffed.IMAGE
    if suffix in RAW_SUFFIXES or suffix in OTHER_PICTURE_SUFFIXES:
        return Sniffed.OTHER_PICTURE
    return Sniffed.VIDEO if suffix in VIDEO_SUFFIXES else None


def sniff_file(path: Path) -> Sniffed:
    """What a file is, by its suffix where it is known, else by its bytes; raises OSError."""
    by_suffix = sniff_suffix(path)
    if by_suffix is not None:
        return by_suffix
    with path.open("rb") as file:
        return sniff_bytes(file.read(SNIFF_BYTES))

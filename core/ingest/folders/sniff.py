"""Tells by suffix and by first bytes what a file is, without decoding it."""

from enum import Enum, auto
from pathlib import Path

_IMAGES = (
    ".jpg .jpeg .jpe .jfif .mpo .insp .png .apng .gif .bmp .dib .tif .tiff .webp .avif .avifs"
    " .heic .heif .heics .heifs .hif .jp2 .j2k .jpx .jpf .j2c .jpc .jxl .ppm .pgm .pbm .pnm .pfm"
    " .psd .qoi .tga .icb .vda .vst .pcx .dcx .ico .cur .icns .sgi .rgb .rgba .bw .ras .sun .dds"
    " .xbm .xpm .msp .blp .ftc .ftu .fits .fit .fli .flc .gbr .pxr .pcd .im .exr .hdr"
)
_RAWS = (
    ".3fr .ari .arw .bay .cr2 .cr3 .crw .cs1 .dcr .dcs .dng .drf .erf .fff .gpr .iiq .k25 .kdc"
    " .mdc .mef .mos .mrw .nef .nrw .orf .ori .pef .ptx .raf .raw .rw2 .rwl .rwz .sr2 .srf .srw"
    " .sti .x3f"
)
_OTHER_PICTURES = ".ai .eps .jxr .kra .pdf .pic .psb .svg .svgz .wdp .wmf .emf .xcf"
_VIDEOS = (
    ".264 .265 .3g2 .3gp .asf .avi .divx .dv .f4v .flv .insv .lrv .m1v .m2t .m2ts .m2v .m4v .mjpg"
    " .mkv .mod .mov .mp4 .mpe .mpeg .mpg .mts .mxf .ogm .ogv .qt .tod .vob .webm .wmv"
)
IMAGE_SUFFIXES = frozenset(_IMAGES.split())
RAW_SUFFIXES = frozenset(_RAWS.split())
OTHER_PICTURE_SUFFIXES = frozenset(_OTHER_PICTURES.split())
VIDEO_SUFFIXES = frozenset(_VIDEOS.split())
SNIFF_BYTES = 600
"""Enough for three packets of a transport stream."""


class Sniffed(Enum):
    """What a file looks like; OTHER_PICTURE is a picture that nothing here can read."""

    IMAGE = auto()
    RAW = auto()
    VIDEO = auto()
    OTHER_PICTURE = auto()
    OTHER = auto()


_IMAGE_BRANDS = (b"hei", b"hev", b"mif1", b"msf1", b"avif", b"avis", b"jp2", b"jpx", b"miaf")
_SOUND_BRANDS = (b"M4A", b"M4B", b"M4P", b"aax")
_JPEG, _PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_TIFF = (b"II*\x00", b"MM\x00*")
_IMAGE_MAGIC = (
    _JPEG,
    _PNG,
    *_TIFF,
    b"GIF87a",
    b"GIF89a",
    b"\x00\x00\x00\x0cjP  ",
    b"\xff\x4f\xff\x51",
    b"\xff\x0a",
    b"\x00\x00\x00\x0cJXL ",
    b"8BPS",
    b"qoif",
    b"\x59\xa6\x6a\x95",
    b"\x01\xda\x00\x01",
    b"\x01\xda\x01\x01",
    b"DDS |",
    b"icns",
    b"/* XPM */",
    b"v/1\x01",
    b"#?RADIANCE\n",
)
_RAW_MAGIC = (
    b"FUJIFILMCCD-RAW",
    b"IIRO",
    b"IIRS",
    b"MMOR",
    b"IIU\x00",
    b"\x00MRM",
    b"FOVb",
    b"II\x1a\x00\x00\x00HEAPCCDR",
)
_OTHER_PICTURE_MAGIC = (b"%PDF", b"%!PS", b"gimp xcf")
_VIDEO_MAGIC = (
    b"\x1aE\xdf\xa3",
    b"\x00\x00\x01\xba",
    b"\x00\x00\x01\xb3",
    b"FLV\x01",
    b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",
    b"\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02",
)
_ATOMS = (b"moov", b"mdat", b"wide", b"skip", b"pnot")
"""What a QuickTime film of the years before brands begins with."""


def sniff_bytes(head: bytes) -> Sniffed:
    """What the first bytes of a file say."""
    if head[4:8] == b"ftyp":
        return _sniff_brand(head[8:12])
    if head[:4] == b"RIFF":
        return {b"WEBP": Sniffed.IMAGE, b"AVI ": Sniffed.VIDEO}.get(head[8:12], Sniffed.OTHER)
    if head.startswith(_RAW_MAGIC) or (head.startswith(_TIFF) and head[8:10] == b"CR"):
        return Sniffed.RAW
    if head.startswith(_IMAGE_MAGIC) or _is_bmp(head) or _is_netpbm(head):
        return Sniffed.IMAGE
    if head.startswith(_OTHER_PICTURE_MAGIC):
        return Sniffed.OTHER_PICTURE
    film = head.startswith(_VIDEO_MAGIC) or head[4:8] in _ATOMS or _is_transport_stream(head)
    film = film or (head.startswith(b"OggS") and b"theora" in head)
    return Sniffed.VIDEO if film else Sniffed.OTHER


def _sniff_brand(brand: bytes) -> Sniffed:
    if brand.startswith(_IMAGE_BRANDS):
        return Sniffed.IMAGE
    if brand.startswith(b"crx"):
        return Sniffed.RAW
    return Sniffed.OTHER if brand.startswith(_SOUND_BRANDS) else Sniffed.VIDEO


def _is_bmp(head: bytes) -> bool:
    header = int.from_bytes(head[14:18], "little")
    return head[:2] == b"BM" and header in (12, 16, 40, 52, 56, 64, 108, 124)


def _is_netpbm(head: bytes) -> bool:
    return head[:1] == b"P" and head[1:2] in b"123456Ff" and head[2:3] in (b"\n", b"\r", b" ")


def _is_transport_stream(head: bytes) -> bool:
    """Packets of 188 bytes, or of 192 with a time before each, that begin with a G."""
    plain = head[0:1] + head[188:189] + head[376:377]
    timed = head[4:5] + head[196:197] + head[388:389]
    return b"GGG" in (plain, timed)


def sniff_suffix(path: Path) -> Sniffed | None:
    """What the name's suffix says; None where only the bytes can tell."""
    suffix = path.suffix.lower()
    if suffix in IMAGE_SUFFIXES:
        return Sniffed.IMAGE
    if suffix in RAW_SUFFIXES:
        return Sniffed.RAW
    if suffix in OTHER_PICTURE_SUFFIXES:
        return Sniffed.OTHER_PICTURE
    return Sniffed.VIDEO if suffix in VIDEO_SUFFIXES else None


def sniff_file(path: Path) -> Sniffed:
    """What a file is, by its suffix where it is known, else by its bytes; raises OSError."""
    by_suffix = sniff_suffix(path)
    if by_suffix is not None:
        return by_suffix
    with path.open("rb") as file:
        return sniff_bytes(file.read(SNIFF_BYTES))


def reader_for(path: Path, head: bytes) -> Sniffed:
    """IMAGE, RAW or VIDEO: which decoder reads a file that was taken for one of them.

    Its bytes are believed before its name, except that most RAW files are TIFF by their bytes.
    """
    by_bytes, by_suffix = sniff_bytes(head), sniff_suffix(path)
    if by_bytes in (Sniffed.RAW, Sniffed.VIDEO):
        return by_bytes
    if by_bytes is Sniffed.IMAGE and not head.startswith(_TIFF):
        return Sniffed.IMAGE
    return by_suffix if by_suffix in (Sniffed.RAW, Sniffed.VIDEO) else Sniffed.IMAGE

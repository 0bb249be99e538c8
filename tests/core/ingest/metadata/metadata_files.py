"""Makes pictures and packets with metadata of every sort."""

import io
import struct
from pathlib import Path

import piexif
from PIL import Image, PngImagePlugin

from core.domain.photo import Companion, CompanionRole, FileStamp

NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/",
    "tiff": "http://ns.adobe.com/tiff/1.0/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "lr": "http://ns.adobe.com/lightroom/1.0/",
    "digiKam": "http://www.digikam.org/ns/1.0/",
    "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/",
    "MP": "http://ns.microsoft.com/photo/1.2/",
    "MPRI": "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "MPReg": "http://ns.microsoft.com/photo/1.2/t/Region#",
    "mediapro": "http://ns.iview-multimedia.com/mediapro/1.0/",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "stArea": "http://ns.adobe.com/xmp/sType/Area#",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#",
    "Iptc4xmpExt": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
}
_DECLARED = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())


def packet(elements: str = "", attributes: str = "") -> bytes:
    """An XMP packet as programs write it, with its padding."""
    text = (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Test">\n'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        f'<rdf:Description rdf:about="" {_DECLARED} {attributes}>{elements}</rdf:Description>\n'
        "</rdf:RDF></x:xmpmeta>\n" + " " * 200 + '\n<?xpacket end="w"?>'
    )
    return text.encode()


def listed(name: str, *items: str, kind: str = "Bag") -> str:
    """A property that lists texts."""
    inner = "".join(f"<rdf:li>{item}</rdf:li>" for item in items)
    return f"<{name}><rdf:{kind}>{inner}</rdf:{kind}></{name}>"


def iptc(*records: tuple[int, bytes], utf8: bool = False) -> bytes:
    """IIM data sets of record 2."""
    start = b"\x1c\x01\x5a\x00\x03\x1b%G" if utf8 else b""
    return start + b"".join(
        struct.pack(">BBBH", 0x1C, 2, number, len(value)) + value for number, value in records
    )


def resources(records: bytes) -> bytes:
    """Photoshop's image resources, IPTC after another one of odd length."""
    other = b"8BIM\x04\x25\x03abc\x00\x00\x00\x03xyz\x00"
    return other + b"8BIM\x04\x04\x00\x00" + struct.pack(">I", len(records)) + records


def _segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def jpeg(exif: bytes = b"", xmp: bytes = b"", records: bytes = b"") -> bytes:
    """A small JPEG with these blocks; `exif` begins with its TIFF header."""
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48), "teal").save(buffer, "JPEG")
    plain = buffer.getvalue()
    parts = b""
    if exif:
        parts += _segment(0xE1, b"Exif\0\0" + exif)
    if xmp:
        parts += _segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + xmp)
    if records:
        parts += _segment(0xED, b"Photoshop 3.0\0" + resources(records))
    return plain[:2] + parts + plain[2:]


def exif_block(
    image: dict[int, object] | None = None,
    camera: dict[int, object] | None = None,
    gps: dict[int, object] | None = None,
) -> bytes:
    """EXIF from its TIFF header on."""
    whole = piexif.dump({"0th": image or {}, "Exif": camera or {}, "GPS": gps or {}})
    return bytes(whole.removeprefix(b"Exif\0\0"))


def full_exif() -> bytes:
    """What a good camera with a receiver writes, near Arezzo."""
    return exif_block(
        {
            piexif.ImageIFD.Make: b"NIKON",
            piexif.ImageIFD.Model: b"COOLPIX P6000",
            piexif.ImageIFD.Orientation: 1,
            piexif.ImageIFD.DateTime: b"2008:11:01 21:15:07",
            piexif.ImageIFD.Rating: 3,
        },
        {
            piexif.ExifIFD.DateTimeOriginal: b"2008:10:22 16:28:39",
            piexif.ExifIFD.SubSecTimeOriginal: b"25",
            piexif.ExifIFD.ExposureTime: (1, 75),
            piexif.ExifIFD.FNumber: (59, 10),
            piexif.ExifIFD.ISOSpeedRatings: 64,
            piexif.ExifIFD.FocalLength: (24, 1),
            piexif.ExifIFD.BodySerialNumber: b"4711",
        },
        {
            piexif.GPSIFD.GPSLatitudeRef: b"N",
            piexif.GPSIFD.GPSLatitude: ((43, 1), (28, 1), (281, 100)),
            piexif.GPSIFD.GPSLongitudeRef: b"E",
            piexif.GPSIFD.GPSLongitude: ((11, 1), (53, 1), (646, 100)),
            piexif.GPSIFD.GPSAltitude: (250, 1),
            piexif.GPSIFD.GPSAltitudeRef: 0,
            piexif.GPSIFD.GPSDateStamp: b"2008:10:22",
            piexif.GPSIFD.GPSTimeStamp: ((14, 1), (28, 1), (39, 1)),
        },
    )


def pictures(exif: bytes, xmp: bytes) -> dict[str, bytes]:
    """The same metadata in every format that keeps both, by name."""
    made = {"JPEG": jpeg(exif, xmp)}
    picture = Image.new("RGB", (64, 48), "teal")
    text = PngImagePlugin.PngInfo()
    text.add_itxt("XML:com.adobe.xmp", xmp.decode())
    whole = b"Exif\0\0" + exif
    made["PNG"] = _saved(picture, "PNG", exif=whole, pnginfo=text)
    text = PngImagePlugin.PngInfo()
    text.add_itxt("XML:com.adobe.xmp", xmp.decode(), zip=True)
    digits = whole.hex()
    text.add_text("Raw profile type exif", f"\nexif\n{len(whole):8}\n{digits}\n", zip=True)
    made["PNG of ImageMagick"] = _saved(picture, "PNG", pnginfo=text)
    made["WEBP"] = _saved(picture, "WEBP", exif=whole, xmp=xmp)
    made["HEIF"] = _saved(picture, "HEIF", exif=whole, xmp=xmp)
    made["AVIF"] = _saved(picture, "AVIF", exif=whole, xmp=xmp)
    return made


def _saved(picture: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()


def stamp(path: Path, data: bytes, modified_ns: int = 0) -> FileStamp:
    """A file of these bytes as the file system shows it, its date (by default) unknown."""
    path.write_bytes(data)
    return FileStamp(path, len(data), modified_ns)


def beside(path: Path, role: CompanionRole, data: bytes) -> Companion:
    """A companion of these bytes."""
    return Companion(role, stamp(path, data, 1))

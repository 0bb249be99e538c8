"""Photographs that say too much: places, serials, names, faces, thumbnails, in every corner."""

import io
import struct
import zlib
from datetime import datetime
from functools import lru_cache
from pathlib import Path

import piexif
from PIL import Image, ImageCms, PngImagePlugin

SECRETS = (
    b"SERIAL-4711", b"Otto Owner", b"MAKERNOTE-SECRET", b"Erika Face", b"IPTC-SECRET",
    b"COMMENT-SECRET", b"TRAILER-SECRET", b"UNKNOWN-SECRET", b"http://ns.adobe.com/xap",
    b"LENS-0815", b"GPSLatitude",
)  # fmt: skip
TAKEN = datetime(2021, 7, 3, 9, 30, 15)
LATITUDE = ((43, 1), (27, 1), (4680, 100))
THUMBNAIL_COLOUR = (201, 33, 7)


def secret_exif(orientation: int = 6) -> bytes:
    thumbnail = io.BytesIO()
    Image.new("RGB", (160, 120), THUMBNAIL_COLOUR).save(thumbnail, "JPEG")
    return piexif.dump(
        {
            "0th": {
                piexif.ImageIFD.Orientation: orientation,
                piexif.ImageIFD.Artist: b"Otto Owner",
                piexif.ImageIFD.Copyright: b"Otto Owner",
                piexif.ImageIFD.CameraSerialNumber: b"SERIAL-4711",
            },
            "Exif": {
                piexif.ExifIFD.DateTimeOriginal: TAKEN.strftime("%Y:%m:%d %H:%M:%S").encode(),
                piexif.ExifIFD.OffsetTimeOriginal: b"+02:00",
                piexif.ExifIFD.BodySerialNumber: b"SERIAL-4711",
                piexif.ExifIFD.LensSerialNumber: b"LENS-0815",
                piexif.ExifIFD.CameraOwnerName: b"Otto Owner",
                piexif.ExifIFD.MakerNote: b"MAKERNOTE-SECRET" * 4,
                piexif.ExifIFD.UserComment: b"ASCII\0\0\0COMMENT-SECRET",
                piexif.ExifIFD.ImageUniqueID: b"SERIAL-4711",
            },
            "GPS": {
                piexif.GPSIFD.GPSLatitudeRef: b"N",
                piexif.GPSIFD.GPSLatitude: LATITUDE,
                piexif.GPSIFD.GPSLongitudeRef: b"E",
                piexif.GPSIFD.GPSLongitude: ((11, 1), (52, 1), (4800, 100)),
            },
            "1st": {piexif.ImageIFD.Compression: 6},
            "thumbnail": thumbnail.getvalue(),
        }
    )


def secret_xmp() -> bytes:
    return (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-'
        b'rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"'
        b' exif:GPSLatitude="43,27.78N" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/'
        b'regions/"><mwg-rs:Regions><!-- Erika Face --></mwg-rs:Regions></rdf:Description>'
        b"</rdf:RDF></x:xmpmeta>"
    )


@lru_cache
def profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def scene(size: tuple[int, int] = (96, 64)) -> Image.Image:
    """A picture that shows when it is turned or re-encoded."""
    picture = Image.effect_noise(size, 60).convert("RGB")
    picture.paste((0, 90, 200), (0, 0, size[0] // 2, size[1] // 2))
    return picture


def secret_jpeg(path: Path, *, progressive: bool = False, orientation: int = 6) -> Path:
    buffer = io.BytesIO()
    scene().save(buffer, "JPEG", quality=90, progressive=progressive, icc_profile=profile(),
                 exif=secret_exif(orientation), comment=b"COMMENT-SECRET",
                 dpi=(72, 72), restart_marker_rows=1)  # fmt: skip
    data = buffer.getvalue()
    more = b"".join(
        struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content
        for marker, content in (
            (0xE1, b"http://ns.adobe.com/xap/1.0/\0" + secret_xmp()),
            (0xED, b"Photoshop 3.0\x008BIM\x04\x04\0\0\0\x0bIPTC-SECRET\0"),
            (0xE7, b"UNKNOWN-SECRET"),
            (0xE2, b"MPF\0UNKNOWN-SECRET"),
            (0xE0, b"JFXX\0\x10UNKNOWN-SECRET"),
        )
    )
    path.write_bytes(data[:2] + more + data[2:] + b"TRAILER-SECRET")
    return path


def secret_png(path: Path) -> Path:
    told = PngImagePlugin.PngInfo()
    told.add_text("Author", "Otto Owner")
    told.add_itxt("XML:com.adobe.xmp", secret_xmp().decode(), zip=False)
    told.add_text("Comment", "COMMENT-SECRET", zip=False)
    buffer = io.BytesIO()
    scene().save(buffer, "PNG", pnginfo=told, exif=secret_exif(), icc_profile=profile())
    data = buffer.getvalue()
    content = b"UNKNOWN-SECRET"
    chunk = struct.pack(">I", len(content)) + b"prVt" + content
    chunk += struct.pack(">I", zlib.crc32(b"prVt" + content))
    path.write_bytes(data[:33] + chunk + data[33:] + b"TRAILER-SECRET")
    return path


def secret_webp(path: Path) -> Path:
    buffer = io.BytesIO()
    scene().save(buffer, "WEBP", quality=80, exif=secret_exif(), xmp=secret_xmp(),
                 icc_profile=profile())  # fmt: skip
    data = buffer.getvalue()
    chunk = b"UNKN" + struct.pack("<I", 14) + b"UNKNOWN-SECRET"
    whole = data + chunk
    path.write_bytes(whole[:4] + struct.pack("<I", len(whole) - 8) + whole[8:] + b"TRAILER-SECRET")
    return path


def secret_tiff(path: Path) -> Path:
    scene().save(path, "TIFF", exif=secret_exif())
    path.write_bytes(path.read_bytes() + b"TRAILER-SECRET")
    return path


def secret_heic(path: Path) -> Path:
    scene().save(path, "HEIF", exif=secret_exif(1), xmp=secret_xmp())
    return path

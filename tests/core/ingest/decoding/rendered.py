"""Documents, memes and screenshots that tests draw, as phones and messengers leave them."""

import io
import random
from pathlib import Path

import numpy as np
import skimage
from PIL import Image, ImageDraw, ImageFilter, ImageFont

WORDS = [
    "total",
    "milk",
    "bread",
    "tax",
    "cash",
    "card",
    "change",
    "receipt",
    "thank",
    "you",
    "visit",
    "again",
    "coffee",
    "tea",
    "apple",
    "rice",
    "date",
    "store",
    "number",
    "street",
    "page",
    "chapter",
    "the",
    "of",
    "and",
    "to",
    "in",
    "is",
    "that",
    "it",
    "was",
    "for",
    "on",
    "are",
    "with",
]
SAYINGS = ("WHY NOT BOTH", "ME AT 3 AM", "THAT MOMENT", "ON MONDAY")
_DATA = Path(skimage.__file__).parent / "data"
PHOTOS = ("astronaut.png", "chelsea.png", "coffee.png", "rocket.jpg")


def real_photo(name: str) -> Image.Image:
    with Image.open(_DATA / name) as picture:
        return picture.convert("RGB")


def receipt(rng: random.Random) -> Image.Image:
    width = rng.randint(400, 600)
    size = rng.randint(width // 26, width // 19)
    height = int(width * rng.uniform(1.7, 2.6))
    picture = Image.new("L", (width, height), rng.randint(238, 255))
    pen, font, ink = ImageDraw.Draw(picture), ImageFont.load_default(size), rng.randint(10, 70)
    pen.text((width * 0.3, size), "CAFE ROMA", ink, font=ImageFont.load_default(size * 2))
    for top in range(size * 4, height - 2 * size, int(size * 1.35)):
        line = " ".join(rng.choices(WORDS, k=rng.randint(2, 4)))[: width // size]
        pen.text((size, top), line, ink, font=font)
        pen.text((width - size * 4, top), f"{rng.uniform(1, 99):.2f}", ink, font=font)
    return picture.convert("RGB")


def page(rng: random.Random) -> Image.Image:
    picture = Image.new("L", (1000, 1414), rng.randint(240, 255))
    pen, size = ImageDraw.Draw(picture), rng.randint(19, 28)
    font, ink = ImageFont.load_default(size), rng.randint(0, 60)
    for top in range(100, 1300, int(size * 1.4)):
        line = ""
        while pen.textlength(line, font=font) < 760:
            line += rng.choice(WORDS) + " "
        pen.text((100, top), line, ink, font=font)
    return picture.convert("RGB")


def photographed(document: Image.Image, rng: random.Random) -> Image.Image:
    """On a table, turned a little, in uneven and warm light, noisy and a little soft."""
    width, height = 900, 1200
    table = Image.new("RGB", (width, height), (rng.randint(20, 120), rng.randint(20, 90), 30))
    scale = min(width / document.width, height / document.height) * rng.uniform(0.85, 1.0)
    sheet = document.resize((int(document.width * scale), int(document.height * scale)))
    angle = rng.uniform(-6, 6)
    mask = Image.new("L", sheet.size, 255).rotate(angle, expand=True)
    sheet = sheet.rotate(angle, expand=True, resample=Image.Resampling.BICUBIC)
    table.paste(sheet, ((width - sheet.width) // 2, (height - sheet.height) // 2), mask)
    pixels = np.asarray(table, np.float32)
    light = np.linspace(1.0, rng.uniform(0.6, 0.9), width, dtype=np.float32)[None, :, None]
    warm = np.array([1.0, 0.97, rng.uniform(0.8, 1.0)], np.float32)
    noise = np.random.default_rng(rng.randint(0, 9999)).normal(0, rng.uniform(0, 6), pixels.shape)
    made = Image.fromarray(np.clip(pixels * light * warm + noise, 0, 255).astype(np.uint8))
    return made.filter(ImageFilter.GaussianBlur(rng.uniform(0, 1)))


def meme_with_bar(photo: Image.Image, rng: random.Random, below: bool = False) -> Image.Image:
    width = rng.choice([500, 640, 750])
    size, lines = width // 17, rng.randint(1, 3)
    shown = photo.resize((width, int(width * rng.uniform(0.7, 1.0))))
    bar = int((lines + 0.9) * size * 1.3)
    ground, ink = rng.choice([("white", "black"), ("black", "white")])
    picture = Image.new("RGB", (width, bar + shown.height), ground)
    picture.paste(shown, (0, 0 if below else bar))
    pen, top = ImageDraw.Draw(picture), (shown.height if below else 0) + size // 2
    for line in range(lines):
        text = " ".join(rng.choices(WORDS, k=5))[:30]
        pen.text((size, top + line * size * 1.3), text, ink, font=ImageFont.load_default(size))
    return picture


def meme_with_letters(photo: Image.Image, rng: random.Random) -> Image.Image:
    width = rng.choice([500, 600, 800])
    picture = photo.resize((width, int(width * rng.uniform(0.7, 1.0))))
    pen, size = ImageDraw.Draw(picture), width // rng.randint(9, 12)
    font = ImageFont.load_default(size)
    for top in (size * 0.3, picture.height - size * 1.6):
        pen.text(
            (width / 2, top), rng.choice(SAYINGS), "white", font=font,
            stroke_width=size // 12, stroke_fill="black", anchor="ma",
        )  # fmt: skip
    return picture


def screen(rng: random.Random, size: tuple[int, int] = (1080, 2400)) -> Image.Image:
    """A messenger's chat."""
    width, height = size
    picture = Image.new("RGB", size, (250, 250, 252))
    pen, unit = ImageDraw.Draw(picture), width // 26
    font = ImageFont.load_default(unit)
    pen.text((unit, unit // 2), "12:30", (20, 20, 20), font=font)
    for top in range(4 * unit, height - 6 * unit, 4 * unit):
        long = rng.uniform(0.3, 0.7) * width
        left = rng.choice([unit, width - long - unit])
        colour = rng.choice([(0, 120, 255), (229, 229, 234), (37, 211, 102)])
        pen.rounded_rectangle((left, top, left + long, top + 2.4 * unit), unit, fill=colour)
        pen.text((left + unit, top + unit * 0.6), rng.choice(WORDS), (20, 20, 20), font=font)
    return picture


def as_thumbnail(picture: Image.Image, quality: int = 80, longest: int = 512) -> Image.Image:
    """Sent as a JPEG, then made small."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    small = Image.open(io.BytesIO(file.getvalue())).convert("RGB")
    small.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    return small

"""Exposure as photographers write it."""

from core.ingest.metadata.tags import Tags, number_of


def exposure_text(tags: Tags) -> str:
    """Exposure as photographers write it: "1/250 s, f/2.8, ISO 100, 50 mm"; "" if untold."""
    time = number_of(tags, "ExposureTime")
    aperture = number_of(tags, "FNumber")
    speed = number_of(tags, "ISOSpeedRatings")
    length = number_of(tags, "FocalLength")
    parts = []
    if time and 1e-6 < time < 86_400:
        parts.append(f"{time:g} s" if time >= 0.4 else f"1/{1 / time:.0f} s")
    if aperture and 0.3 < aperture < 200:
        parts.append(f"f/{aperture:.3g}")
    if speed and 0 < speed < 10_000_000:
        parts.append(f"ISO {speed:.0f}")
    if length and 0.5 < length < 10_000:
        parts.append(f"{length:.3g} mm" if length < 1000 else f"{length:.0f} mm")
    return ", ".join(parts)

"""Commands, colours and icons are complete."""

import tomllib

import pytest
from PySide6.QtGui import QColor, QKeySequence

from app.actions import ACTIONS
from app.theme import Theme, Variant, load_colours, stylesheet
from app.widgets.chip import ChipKind
from core.paths import data_folder

BOTH = [Variant.LIGHT, Variant.DARK]


def luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("variant", BOTH)
def test_every_text_can_be_read(variant, qapp):
    colours = load_colours(variant)
    pairs = [("text", "window"), ("text", "surface"), ("muted", "window"), ("muted", "surface"),
             ("accent", "window"), ("accent", "accent_soft"), ("on_accent", "accent")]  # fmt: skip
    pairs += [(state, f"{state}_soft") for state in ("kept", "changed", "absent", "unsure")]
    for ink, paper in pairs:
        assert contrast(colours.named(ink), colours.named(paper)) >= 4.5, (ink, paper)


@pytest.mark.parametrize("variant", BOTH)
def test_the_style_sheet_knows_all_its_colours(variant, qapp):
    sheet = stylesheet(load_colours(variant))
    assert "@" not in sheet
    assert "#page" in sheet


def test_both_variants_name_the_same_colours():
    folder = data_folder("resources") / "qss"
    light, dark = (tomllib.loads((folder / f"{v}.toml").read_text("utf-8")) for v in BOTH)
    assert light.keys() == dark.keys()
    assert (light["dark"], dark["dark"]) == (False, True)


def test_an_unknown_colour_is_an_error(qapp):
    with pytest.raises(KeyError):
        load_colours(Variant.LIGHT).named("mauve")


def test_commands_have_ids_keys_and_icons_of_their_own(theme):
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    keys = [QKeySequence(action.shortcut).toString() for action in ACTIONS if action.shortcut]
    assert len(set(keys)) == len(keys)
    assert all(keys)
    for action in ACTIONS:
        assert not theme.icon(action.icon).isNull()
        assert action.words
        assert action.tooltip


def test_each_state_has_a_symbol_of_its_own(theme):
    states = (ChipKind.KEPT, ChipKind.CHANGED, ChipKind.ABSENT, ChipKind.UNSURE)
    drawings = {theme.pixmap(k.icon, 24).toImage().bits().tobytes() for k in states}
    assert len(drawings) == 4


def test_changing_the_look_repaints_icons(theme: Theme, qtbot):
    before = theme.pixmap("search", 24).toImage()
    with qtbot.waitSignal(theme.changed):
        theme.choose(Variant.DARK)
    assert theme.pixmap("search", 24).toImage() != before
    assert theme.colours.dark

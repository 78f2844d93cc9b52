"""The palette: contrast by WCAG 2 (AA), and pieces that colour-blind people can tell apart."""

from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from bot.ui.pictures import colours, parts
from bot.ui.pictures import colours as c

TEXT = {
    "number of a space": (c.DIM, c.CELL),
    "number of a tenth space, also where a piece would go": (c.PALE, c.CELL_TEN),
    "result of a seat, name of who played a rare turn": (c.PALE, c.WELL),
    "result that is not placed, bust": (c.ROSE, c.WELL),
    "points of a die that adds, vortex value that helps": (c.IVORY, c.GOOD),
    "points of a die that takes away, vortex value that hurts": (c.IVORY, c.BAD),
    "marker, and its lap": (c.INK, c.PALE),
    "number of a round": (c.MUTED, c.WELL),
    "rare result": (c.AMBER, c.WELL),
    **{f"winner's name on {light}": (c.INK, light) for light in (c.GOLD, c.LIGHT, c.HONEY)},
    "name on the strip and in the standings, points": (c.PALE, c.BOARD),
    "number of the round that is played": (c.INK, c.AMBER),
    "score of par": (c.GOLD, c.BOARD),
    **{f"name in a cup on {ground}": (c.PALE, ground) for ground in (c.WELL, c.CELL)},
    **{f"name of who is out on {ground}": (c.MUTED, ground) for ground in (c.WELL, c.CELL)},
    "lead on its pill": (c.GOLD, c.INK),
    **{f"number on chip {chip.name}": (c.INK, face) for chip, (face, _edge) in colours.CHIP_COLOURS.items()},
    **{f"number on piece {seat}": (c.INK, piece) for seat, piece in enumerate(c.PIECES)},
}
GRAPHICS = {
    **{
        f"piece {seat} on {ground}": (piece, ground)
        for seat, piece in enumerate(c.PIECES)
        for ground in (c.CELL, c.CELL_TEN, c.WELL, c.BOARD)
    },
    **{f"chip {chip.name}": (face, c.WELL) for chip, (face, _edge) in colours.CHIP_COLOURS.items()},
    **{f"frame of a space, {chip.name}": (face, c.BOARD) for chip, (face, _edge) in colours.CHIP_COLOURS.items()},
    "emblem of a badge not earned": (c.FADED_EDGE, c.INK),
    "pips": (c.INK, c.IVORY),
    "pips of a die set aside": (c.IVORY, c.SET_BODY),
    "vortex on a die": (c.SWIRL, c.IVORY),
    "vortex on a picked die": (c.SWIRL, c.HONEY),
    "vortex on ice": (c.ICE_INK, c.ICE),
    "die": (c.IVORY, c.BOARD),
    "pips of a die that adds nothing": (c.INK, c.FADED),
    "die that adds nothing": (c.FADED, c.BOARD),
    "tray of dice that add": (c.MINT, c.BOARD),
    "tray of dice that take away": (c.ROSE, c.BOARD),
    "edge of the arrows on a tray, line of par": (c.AMBER, c.INK),
    "arrows on red": (c.AMBER, c.BAD),
    "lock of a die to keep": (c.MINT, c.SET_BODY),
    "lock of a die set aside": (c.SET_EDGE, c.SET_BODY),
    **{
        f"edge of a {what} lock on {ground}": (edge, ground)
        for what, edge in (("kept", c.MINT), ("closed", c.SET_EDGE))
        for ground in (c.BOARD, c.INK, c.BAD)
    },
    "edge of locks and arrows on green": (c.INK, c.GOOD),
    "die not rolled yet": (c.SET_EDGE, c.WELL),
    "ice": (c.ICE_EDGE, c.BOARD),
    "frost on a card": (c.ICE, c.BAD),
    "whose turn": (c.AMBER, c.WELL),
    "round that is played, streak, line of who will meet, arrows of a die to roll again": (c.AMBER, c.BOARD),
    "round that is over, or to come": (c.MUTED, c.BOARD),
    "light on the lead": (c.GLOW, c.WELL),
    **{f"bar above or below par on {ground}": (bar, ground) for bar in (c.MINT, c.ROSE) for ground in (c.WELL, c.CELL)},
    "line of those who meet": (c.SET_EDGE, c.BOARD),
    "par line's edge on a bar": (c.INK, c.MINT),
    "edge of a line on the lead": (c.INK, c.GLOW),
    "winner's box on the panel": (c.GOLD, c.BOARD),
    "what counts": (c.GOOD, c.CARD),
    "what is subtracted": (c.BAD, c.CARD),
    "what does not matter": (c.GREY, c.CARD),
    "roll type": (c.INK, c.CARD),
    "die on green": (c.IVORY, c.GOOD),
    "die on red": (c.IVORY, c.BAD),
    "edge of a die on a white page": (c.GREY, "#FFFFFF"),
}


# What is left of red, green and blue without one kind of cone: the matrices of Machado, Oliveira and Fernandes (2009)
# for full severity, which work on linear light.
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def contrast(colour: str, other: str, eyes: str = "all cones") -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, 1 to 21, as these eyes see them."""
    reaching = (np.clip(EYES[eyes] @ linear(each), 0, 1) for each in (colour, other))
    dark, light = sorted(float(np.dot((0.2126, 0.7152, 0.0722), each)) for each in reaching)
    return (light + 0.05) / (dark + 0.05)


def linear(colour: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    channels = np.array(c.rgb(colour)) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("eyes", EYES)
def test_text_and_graphics_have_the_contrast_of_aa(eyes: str) -> None:
    # AA asks for 4.5, and for 3 where letters are as large as all of these are but on a phone.
    least = 4.5 if eyes == "all cones" else 4
    assert {name for name, pair in TEXT.items() if contrast(*pair, eyes) < least} == set()
    assert {name for name, pair in GRAPHICS.items() if contrast(*pair, eyes) < 3} == set()


@pytest.mark.parametrize("eyes", EYES)
def test_what_helps_and_what_hurts_differ_in_lightness_for_all_eyes(eyes: str) -> None:
    assert contrast(c.GOOD, c.BAD, eyes) >= 1.6


LEAST_DIFFERENCE = 20.0
"""The least difference of two pieces or chips, in CIELAB (CIE 1976): ten times what one can just see side by side."""

_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = np.array([0.9505, 1.0, 1.089])


def seen(colour: str, eyes: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the colour in CIELAB, as these eyes see it."""
    xyz = _TO_XYZ @ np.clip(EYES[eyes] @ linear(colour), 0, 1) / _WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


APART = {"pieces": c.PIECES, "chips": tuple(face for face, _edge in colours.CHIP_COLOURS.values())}
"""The colours that nothing else tells apart where they are small: the line of a player, the frame of a space.

Dice differ by what is drawn on them; for ``ALIKE`` see there.
"""


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("kind", APART)
def test_pieces_and_chips_differ_for_all_eyes(kind: str, eyes: str) -> None:
    differences = {
        pair: float(np.linalg.norm(seen(pair[0], eyes) - seen(pair[1], eyes))) for pair in combinations(APART[kind], 2)
    }
    assert min(differences.values()) >= LEAST_DIFFERENCE, differences


def test_palette_fits_and_keeps_every_tone() -> None:
    assert len(parts.PALETTE_BYTES) <= 3 * 256
    assert len(parts.ALPHA_BYTES) < len(parts.PALETTE_BYTES) // 3
    for tone in (c.INK, c.BOARD, c.CARD, c.GOOD, c.BAD, *c.PIECES):
        place = int(parts.to_part(Image.new("RGB", (2, 2), tone)).tones[0, 0])
        assert tuple(parts.PALETTE_BYTES[3 * place : 3 * place + 3]) == c.rgb(tone)


def test_only_what_is_clear_gets_a_clear_tone() -> None:
    picture = Image.new("RGBA", (2, 1), (*c.rgb(c.RIM), 255))
    picture.putpixel((1, 0), (0, 0, 0, 0))
    opaque, clear = parts.to_part(picture).tones[0]
    assert clear == 0
    assert opaque >= len(parts.ALPHA_BYTES)

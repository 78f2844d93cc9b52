"""The application emoji, within Discord's limits."""

from __future__ import annotations

import re

import pytest

from bot.ui.pictures import EMOJI, chip_emoji, die_emoji, emoji_png, piece_emoji
from bot.ui.pictures.colours import PIECES, rgb
from highscore.dice import FACES, Face
from highscore.track import Chip
from highscore.turn import DieState
from tests.bot.ui.pictures.samples import opened

LARGEST = 256 * 1024
"""Discord's limit for an emoji, in bytes."""


@pytest.mark.parametrize("name", EMOJI)
def test_an_emoji_discord_takes(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9_]{2,32}", name)
    png = emoji_png(name)
    picture = opened(png)
    assert picture.format == "PNG"
    assert picture.size == (128, 128)
    assert picture.mode == "RGBA"
    assert len(png) < LARGEST / 20
    corners = {picture.getpixel(corner) for corner in ((0, 0), (127, 0), (0, 127), (127, 127))}
    assert {corner[3] for corner in corners if isinstance(corner, tuple)} == {0}
    alpha = picture.getchannel("A").getbbox()
    assert alpha is not None
    assert min(alpha[2] - alpha[0], alpha[3] - alpha[1]) > 90


def test_all_emoji_are_different() -> None:
    assert len({emoji_png(name) for name in EMOJI}) == len(EMOJI) <= 100


def test_drawing_again_gives_the_same_bytes() -> None:
    for name in ("hs_die_5", "hs_die_v_ice", "hs_piece_star", "hs_chip_gold"):
        assert EMOJI[name]() == emoji_png(name)


def test_every_die_of_a_turn_has_an_emoji() -> None:
    names = {die_emoji(None), die_emoji(Face.VORTEX, DieState.FROZEN)}
    for face in FACES:
        names |= {die_emoji(face), die_emoji(face, picked=True), die_emoji(face, DieState.SET_ASIDE)}
    assert len(names) == 20
    assert names <= EMOJI.keys()
    assert die_emoji(Face.FIVE) == "hs_die_5"
    assert die_emoji(Face.VORTEX, DieState.SET_ASIDE) == "hs_die_v_set"


def test_only_a_vortex_freezes() -> None:
    with pytest.raises(ValueError, match="cannot be frozen"):
        die_emoji(Face.FIVE, DieState.FROZEN)


def test_pieces_and_chips_have_emoji() -> None:
    assert {chip_emoji(chip) for chip in Chip} <= EMOJI.keys()
    for seat, colour in enumerate(PIECES):
        assert opened(emoji_png(piece_emoji(seat))).getpixel((64, 64)) == (*rgb(colour), 255)


def test_an_unknown_emoji_is_an_error() -> None:
    with pytest.raises(KeyError):
        emoji_png("hs_die_7")

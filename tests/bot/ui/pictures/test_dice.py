import re

from bot.ui.pictures.dice import EMOJI, die_emoji
from highscore import dice, turn
from tests.bot.ui.pictures.samples import opened

LARGEST = 256 * 1024
"""Discord's limit for an emoji, in bytes."""


def test_every_emoji_is_one_discord_takes_and_no_two_look_the_same() -> None:
    drawn = {name: draw() for name, draw in EMOJI.items()}
    assert len(set(drawn.values())) == len(EMOJI) == 20
    for name, png in drawn.items():
        assert re.fullmatch(r"[a-z0-9_]{2,32}", name)
        picture = opened(png)
        assert (picture.format, picture.size, picture.mode) == ("PNG", (128, 128), "RGBA")
        assert len(png) < LARGEST / 20
    assert EMOJI["hs_die_vortex_ice"]() == drawn["hs_die_vortex_ice"]


def test_every_die_of_a_turn_has_an_emoji() -> None:
    names = {die_emoji(None), die_emoji(dice.Face.VORTEX, turn.DieState.FROZEN)}
    for face in dice.FACES:
        names |= {
            die_emoji(face),
            die_emoji(face, kept=True),
            die_emoji(face, turn.DieState.SET_ASIDE),
        }
    assert names == EMOJI.keys()
    assert die_emoji(dice.Face.FIVE) == "hs_die_5"
    assert die_emoji(dice.Face.VORTEX, turn.DieState.SET_ASIDE) == "hs_die_vortex_locked"

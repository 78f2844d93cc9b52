"""The picture of luck and skill."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.ui.pictures import colours
from bot.ui.pictures.luck import LuckView, luck_alt, luck_png

VIEW = LuckView(
    luck=((1.5, -0.8, 0.1, 0.0, 2.9, -2.2, None), (0.3, 0.3, -0.5, 1.0, -1.0, 0.2, 0.4)),
    loss=((0.0, 0.4, 0.0, 0.0, 0.1, 1.2, None), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
)


def drawn(view: LuckView) -> Image.Image:
    return Image.open(io.BytesIO(luck_png(view)))


def has(picture: Image.Image, colour: str) -> bool:
    there = picture.convert("RGBA").getcolors(maxcolors=1 << 20) or []
    return any(found == (*colours.rgb(colour), 255) for _count, found in there)


def test_the_picture_is_small_and_in_palette_mode() -> None:
    data = luck_png(VIEW)
    picture = Image.open(io.BytesIO(data))
    assert picture.mode == "P"
    assert picture.width == 1040
    assert len(data) < 60_000


def test_the_same_game_gives_the_same_picture() -> None:
    assert luck_png(VIEW) == luck_png(VIEW)


def test_good_luck_bad_luck_and_losses_have_their_colours() -> None:
    lucky = LuckView(luck=((2.0,), (2.0,)), loss=((0.0,), (0.0,)))
    assert has(drawn(lucky), colours.MINT)
    assert not has(drawn(lucky), colours.ROSE)
    assert has(drawn(VIEW), colours.ROSE)
    assert has(drawn(VIEW), colours.AMBER)


@pytest.mark.parametrize("players", range(2, 6))
def test_every_number_of_players_has_its_row(players: int) -> None:
    rows = ((0.1,) * 7,) * players
    heights = {drawn(LuckView(rows, rows)).height for _again in range(2)}
    assert heights == {70 + players * 142 - 10 + 26}


def test_seats_and_rounds_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="two to five"):
        LuckView(luck=((0.1,),), loss=((0.1,),))
    with pytest.raises(ValueError, match="7 rounds"):
        LuckView(luck=((0.1,) * 8,) * 2, loss=((0.1,),) * 2)


def test_the_picture_is_told_in_words() -> None:
    text = luck_alt(VIEW, ("Ada", "Bruno"))
    assert "Ada: luck +1.5, given away −1.7." in text
    assert "Bruno: luck +0.7, given away 0.0." in text

"""A challenge card as a picture."""

import pytest
from PIL import Image

from bot.ui.pictures.card import CARD_HEIGHT, CARD_WIDTH, card_parts
from bot.ui.pictures.colours import BAD, CARD, GOOD, ICE, INK, IVORY, rgb
from highscore.cards import Card, RollType, VortexKind
from tests.bot.ui.pictures.samples import CARDS, pixels, placed


def card_picture(card: Card, rolls_left: int | None = None) -> Image.Image:
    return placed(card_parts(card, rolls_left), CARD_WIDTH, CARD_HEIGHT)


def test_every_card_shows_its_vortex_what_counts_and_what_is_subtracted() -> None:
    assert len({card_picture(card).tobytes() for card in CARDS}) == len(CARDS) == 21
    vortex, middle = (0, 0, 160, CARD_HEIGHT), (180, 0, 590, CARD_HEIGHT)
    for card in CARDS:
        picture = card_picture(card)
        right, wrong = (BAD, GOOD) if card.vortex_hurts else (GOOD, BAD)
        assert pixels(picture, vortex, right) > 10_000
        assert pixels(picture, vortex, wrong) == 0
        assert (pixels(picture, vortex, ICE) > 300) is card.vortex.frozen
        assert pixels(picture, middle, GOOD) > 3000
        assert (pixels(picture, middle, BAD) > 1000) is card.scoring.minus
        # Symbols keep clear of the edge.
        for box in ((176, 2, 598, 8), (176, 188, 598, 196), (176, 8, 182, 196), (592, 8, 602, 196)):
            assert pixels(picture, box, CARD) == (box[2] - box[0]) * (box[3] - box[1])


@pytest.mark.parametrize("roll_type", RollType)
def test_rolls_that_are_gone_are_hollow(roll_type: RollType) -> None:
    card = next(card for card in CARDS if card.roll_type is roll_type)
    dots = (612, 150, 770, 190)
    found = [pixels(card_picture(card, left), dots, INK) for left in range(roll_type.max_rolls + 1)]
    assert found[0] == 0
    assert found == sorted(set(found))
    assert pixels(card_picture(card), dots, INK) == found[-1]


@pytest.mark.parametrize("vortex", ["-30", "30", "0", "frozen", "choice"])
def test_any_vortex_value_of_a_deck_file_fits(vortex: str) -> None:
    card = Card.parse(f"own: TOTAL {vortex} SET_ASIDE")
    picture = card_picture(card).convert("RGB")
    ground = rgb(BAD if card.vortex_hurts else GOOD)
    assert picture.crop((2, 120, 8, 170)).getcolors() == [(300, ground)]
    assert picture.crop((164, 120, 170, 170)).getcolors() == [(300, ground)]


def test_the_value_of_a_vortex_has_its_sign_and_a_large_mark() -> None:
    names = {card.vortex_points for card in CARDS if card.vortex.kind is VortexKind.FIXED}
    assert names == {-10, -6, -5, 0, 5, 6, 10}
    for card in CARDS:
        # The mark is nine times as large as a letter's stroke: three times as wide and as high as it was.
        assert pixels(card_picture(card), (98, 30, 168, 110), IVORY) > 1600


def test_a_vortex_that_hurts_points_down() -> None:
    for card in CARDS:
        high, low = (pixels(card_picture(card), (98, top, 168, top + 20), IVORY) for top in (40, 75))
        assert (high > low) is card.vortex_hurts

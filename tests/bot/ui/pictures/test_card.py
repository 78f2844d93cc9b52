"""A challenge card as a picture."""

import pytest
from PIL import Image

from bot.ui.pictures.card import CARD_HEIGHT, CARD_WIDTH, card_parts
from bot.ui.pictures.colours import BAD, GOOD, rgb
from highscore.cards import Card
from tests.bot.ui.pictures.samples import CARDS, placed


def card_picture(card: Card, rolls_left: int | None = None) -> Image.Image:
    return placed(card_parts(card, rolls_left), CARD_WIDTH, CARD_HEIGHT)


def test_every_card_has_a_picture_of_its_own() -> None:
    assert len({card_picture(card).tobytes() for card in CARDS}) == len(CARDS) == 21


@pytest.mark.parametrize("vortex", ["-30", "30", "0", "frozen", "choice"])
def test_any_vortex_value_of_a_deck_file_fits(vortex: str) -> None:
    card = Card.parse(f"own: TOTAL {vortex} SET_ASIDE")
    picture = card_picture(card).convert("RGB")
    ground = rgb(BAD if card.vortex_hurts else GOOD)
    assert picture.crop((2, 120, 8, 170)).getcolors() == [(300, ground)]
    assert picture.crop((164, 120, 170, 170)).getcolors() == [(300, ground)]

"""The picture of a rare turn."""

from bot.ui.pictures.colours import AMBER, PALE, ROSE
from bot.ui.pictures.pen import SIDE, WIDTH
from bot.ui.pictures.results import RARE_BOX, RARE_HEIGHT, rare_png
from highscore.dice import Dice
from tests.bot.ui.pictures.samples import opened, pixels

FIVES = Dice.parse("5 5 5 5 5 5 5")


def test_the_picture_is_small() -> None:
    png = rare_png(0, FIVES, 35, 1300, "Ada")
    assert opened(png).size == (WIDTH, RARE_HEIGHT)
    assert len(png) < 40_000


def test_the_longest_names_and_numbers_leave_each_other_room() -> None:
    png = rare_png(3, FIVES, -30, 1_000_000_000, "Maximiliane von Hohenzollern-Sigmaringen")
    between = (612, RARE_HEIGHT - SIDE - RARE_BOX + 10, 634, RARE_HEIGHT - SIDE - 10)
    assert [pixels(png, between, colour) for colour in (PALE, AMBER, ROSE)] == [0, 0, 0]

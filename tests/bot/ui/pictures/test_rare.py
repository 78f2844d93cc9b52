"""The picture of a rare turn."""

from bot.ui.pictures.colours import AMBER, IVORY, PALE, ROSE
from bot.ui.pictures.frame import SIDE, WIDTH
from bot.ui.pictures.rare import BOX, HEIGHT, rare_png
from highscore.dice import Dice
from tests.bot.ui.pictures.samples import opened, pixels

DICE = (0, 0, WIDTH, HEIGHT - SIDE - BOX)
NUMBER = (640, HEIGHT - SIDE - BOX, WIDTH, HEIGHT)
NAME = (SIDE + 140, HEIGHT - SIDE - BOX + 20, 620, HEIGHT - SIDE - BOX + 120)
FIVES = Dice.parse("5 5 5 5 5 5 5")


def test_the_dice_are_large_and_the_result_is_the_one_large_number() -> None:
    png = rare_png(0, FIVES, 35, 1300, "Ada")
    assert opened(png).size == (WIDTH, HEIGHT)
    assert len(png) < 40_000
    assert pixels(png, DICE, IVORY) > 7 * 100 * 100 * 0.7
    assert pixels(png, NUMBER, AMBER) > 8000
    bust = rare_png(0, FIVES, -12, 47, "Ada")
    assert pixels(bust, NUMBER, AMBER) == 0 < pixels(bust, NUMBER, ROSE)


def test_nobody_is_given_the_name_of_somebody_else() -> None:
    ada, ben = (rare_png(1, FIVES, 35, 1300, name) for name in ("Ada", "Ben"))
    assert ada != ben
    assert pixels(rare_png(1, FIVES, 35, 1300, ""), NAME, PALE) == 0


def test_the_longest_names_and_numbers_leave_each_other_room() -> None:
    png = rare_png(3, FIVES, -30, 1_000_000_000, "Maximiliane von Hohenzollern-Sigmaringen")
    between = (612, HEIGHT - SIDE - BOX + 10, 634, HEIGHT - SIDE - 10)
    assert [pixels(png, between, colour) for colour in (PALE, AMBER, ROSE)] == [0, 0, 0]

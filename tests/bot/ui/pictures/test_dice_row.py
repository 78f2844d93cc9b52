"""The dice of a board: trays, points and what becomes of each die."""

from itertools import product

import pytest
from PIL import Image

from bot.ui.pictures.card import CARD_WIDTH
from bot.ui.pictures.colours import AMBER, BAD, FADED, GOOD, HONEY, ICE, IVORY, MINT, ROSE, SET_BODY
from bot.ui.pictures.dice_row import _POINTS, ROW_HEIGHT, dice_parts, die_left
from bot.ui.pictures.track import BOARD_WIDTH
from bot.ui.pictures.views import DieView, Pick
from highscore import STANDARD_DECK
from highscore.dice import DICE, FACES, Face
from highscore.turn import DieState
from tests.bot.ui.pictures.samples import dice, pixels, placed

PHONE = 256
"""The width of a board on a small phone, in pixels."""
TRAY_SIDE, BELOW_DICE = 8, 120
"""A column's own part of a tray begins there; below are its points."""


def row(card: str, faces: str, states: str = ".......", picked: tuple[int, ...] = ()) -> Image.Image:
    return picture(dice(STANDARD_DECK.find_card(card), faces, states, picked))


def picture(views: tuple[DieView, ...]) -> Image.Image:
    return placed(dice_parts(views), CARD_WIDTH, ROW_HEIGHT)


def column(at: int) -> tuple[int, int, int, int]:
    return die_left(at), 0, die_left(at) + 110, ROW_HEIGHT


def between(at: int) -> tuple[int, int, int, int]:
    """Return the room between a die and the next one, below their upper edge."""
    return die_left(at + 1) - 3, BELOW_DICE, die_left(at + 1) + 3, BELOW_DICE + 20


def joined(row: Image.Image, colour: str) -> list[int]:
    """Return the dice that are on one tray with the next one."""
    return [at for at in range(DICE - 1) if pixels(row, between(at), colour) > 80]


def trays(row: Image.Image, colour: str) -> list[int]:
    """Return the dice on trays of a colour."""
    return [at for at in range(DICE) if pixels(row, column(at), colour) > 3000]


def lines(row: Image.Image) -> int:
    """Return the number of lines below the trays that cross the middle of the row."""
    strip = [pixels(row, (CARD_WIDTH // 2 - 20, y, CARD_WIDTH // 2 - 19, y + 1), MINT) for y in range(166, ROW_HEIGHT)]
    return sum(after > before for before, after in zip([0, *strip], strip, strict=False))


def test_every_look_of_every_face_differs() -> None:
    looks = ((DieState.FREE, None), (DieState.FREE, Pick.ROLL), (DieState.FREE, Pick.KEEP), (DieState.SET_ASIDE, None))
    views = [DieView(face, state, pick, points) for face, (state, pick), points in product(FACES, looks, (0, 1, -1))]
    views += [DieView(None), DieView(Face.VORTEX, DieState.FROZEN, points=0)]
    assert len({picture((view,)).tobytes() for view in views}) == len(views)


def test_each_die_is_in_its_column() -> None:
    for picked, body in (
        (row("same-minus-choice", "5544321", "s......", (1,)), SET_BODY),
        (row("same-frozen", "555V321", "...f...", (1,)), HONEY),
    ):
        assert pixels(picked, column(1), body) > 2000
        assert pixels(picked, column(2), IVORY) > 2000
    assert pixels(picked, column(3), ICE) > 2000
    for at in (0, 2):
        assert pixels(picked, column(at), HONEY) + pixels(picked, column(at), ICE) < 100  # Edges may borrow a tone.


def test_dice_that_score_together_lie_on_one_tray() -> None:
    pairs = row("pairs-minus-zero", "4455132")
    assert trays(pairs, GOOD) == [0, 1, 2, 3]
    assert joined(pairs, GOOD) == [0, 2]
    assert (trays(pairs, BAD), joined(pairs, BAD)) == ([4, 5, 6], [4, 5])
    assert joined(row("total-minus5", "5544221"), GOOD) == [0, 1, 2, 3, 4, 5]
    assert joined(row("pairs-six", "4444123"), GOOD) == [0, 2]


def test_a_line_joins_what_lies_apart_a_line_a_group() -> None:
    assert lines(row("pairs-minus-zero", "4455132")) == 0
    assert lines(row("pairs-minus-zero", "4523151")) == 1
    assert lines(row("pairs-minus-zero", "4514513")) == 3
    assert lines(row("odd-five", "1415245")) == 0


def test_what_adds_nothing_is_dimmed_and_lies_on_no_tray() -> None:
    found = row("pairs-six", "4412353")
    assert [at for at in range(DICE) if pixels(found, column(at), FADED) > 2000] == [2, 3, 5]
    assert trays(found, GOOD) == [0, 1, 4, 6]
    assert trays(found, BAD) == []
    costs = row("same-minus10", "5VV5213")
    assert (trays(costs, BAD), trays(costs, GOOD)) == ([1, 2], [0, 3])


def test_keeping_drops_a_die_and_rolling_lifts_it() -> None:
    kept, rolled, free = (picture((DieView(Face.FIVE, pick=pick, points=0),)) for pick in (Pick.KEEP, Pick.ROLL, None))
    assert pixels(kept, column(0), MINT) > 500
    assert pixels(rolled, column(0), AMBER) > 500
    middle = column(0)[0] + 55
    bodies = ((kept, SET_BODY), (free, FADED), (rolled, HONEY))
    tops = [
        next(y for y in range(ROW_HEIGHT) if pixels(found, (middle - 30, y, middle - 20, y + 1), body))
        for found, body in bodies
    ]
    assert tops[0] >= tops[1] + 10
    assert tops[2] <= tops[1] + 5


def test_a_die_set_aside_differs_from_one_that_is_about_to_be() -> None:
    kept, aside = DieView(Face.FIVE, pick=Pick.KEEP, points=5), DieView(Face.FIVE, DieState.SET_ASIDE, points=5)
    assert pixels(picture((kept,)), column(0), MINT) > pixels(picture((aside,)), column(0), MINT) + 500


@pytest.mark.parametrize(("points", "ground", "edge"), [(5, GOOD, MINT), (-5, BAD, ROSE)])
def test_points_are_told_by_sign_and_colour(points: int, ground: str, edge: str) -> None:
    found = picture((DieView(Face.FIVE, points=points),))
    below = (0, BELOW_DICE, 110, ROW_HEIGHT)
    assert pixels(found, below, ground) > 1000
    assert pixels(found, column(0), edge) > 300
    assert pixels(found, below, IVORY) > 300
    signs = (DieView(Face.FIVE, points=abs(points)), DieView(Face.FIVE, points=-abs(points)))
    plus, minus = (pixels(picture((each,)), (0, BELOW_DICE + 10, 38, BELOW_DICE + 20), IVORY) for each in signs)
    assert minus > plus + 50


def test_digits_can_be_read_on_a_phone() -> None:
    assert _POINTS * PHONE / BOARD_WIDTH >= 11

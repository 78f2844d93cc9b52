"""The dice of a board: each can be told from the others, and its points can be read."""

from itertools import product

from PIL import Image

from bot.ui.pictures.board import _POINTS, ROW_HEIGHT, dice_parts
from bot.ui.pictures.card import CARD_WIDTH
from bot.ui.pictures.track import BOARD_WIDTH
from bot.ui.pictures.views import DieView
from highscore.dice import FACES, Face
from highscore.turn import DieState
from tests.bot.ui.pictures.samples import placed

PHONE = 256
"""The width of a board on a small phone, in pixels."""


def picture(views: tuple[DieView, ...]) -> Image.Image:
    return placed(dice_parts(views), CARD_WIDTH, ROW_HEIGHT)


def test_every_look_of_every_face_differs() -> None:
    states = (DieState.FREE, DieState.SET_ASIDE)
    views = [DieView(face, state, points) for face, state, points in product(FACES, states, (0, 1, -1))]
    views += [DieView(None), DieView(Face.VORTEX, DieState.FROZEN, points=0)]
    assert len({picture((view,)).tobytes() for view in views}) == len(views)


def test_digits_can_be_read_on_a_phone() -> None:
    assert _POINTS * PHONE / BOARD_WIDTH >= 11

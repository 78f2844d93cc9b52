from itertools import product

from PIL import Image

from bot.ui.pictures import board, card
from bot.ui.pictures.views import DieView
from highscore import dice, turn
from tests.bot.ui.pictures.samples import placed


def picture(views: tuple[DieView, ...]) -> Image.Image:
    return placed(board.dice_parts(views), card.CARD_WIDTH, board.ROW_HEIGHT)


def test_every_look_of_every_face_differs() -> None:
    states = (turn.DieState.FREE, turn.DieState.SET_ASIDE)
    views = [DieView(face, state, points) for face, state, points in product(dice.FACES, states, (0, 1, -1))]
    views += [DieView(None), DieView(dice.Face.VORTEX, turn.DieState.FROZEN, points=0)]
    assert len({picture((view,)).tobytes() for view in views}) == len(views)

"""The strip above a board: whose turn it is or who has won the round, and a round mark for each round."""

from collections.abc import Iterator
from functools import lru_cache

from bot.ui.pictures.colours import AMBER, BOARD, INK, MUTED, PALE
from bot.ui.pictures.parts import Part, Placed, to_part
from bot.ui.pictures.pen import LETTERING, SIDE, WIDTH, Pen, drawable_text, lettering_part
from bot.ui.pictures.shapes import draw_chip, draw_piece
from bot.ui.pictures.views import BoardView
from highscore.track import Chip

STRIP_HEIGHT = 64
_PITCH = 66
"""The width of a piece with the room around it, in pixels."""
_MARK_PITCH = 36


def strip_parts(view: BoardView, name: str) -> Iterator[Placed]:
    """Yield the parts of the strip: the name of the leader, or the pieces of all who may take the dice."""
    marks = _marks_part(view.round, view.rounds, over=view.over)
    right = WIDTH - SIDE - marks.tones.shape[1]
    yield marks, right, 0
    pieces = view.to_come if view.leader is None else (view.leader,)
    signs = _signs_part(pieces, won=view.over)
    yield signs, SIDE, 0
    if view.leader is not None:
        left = SIDE + signs.tones.shape[1]
        text = drawable_text(name)
        yield lettering_part(text, right - left, STRIP_HEIGHT, LETTERING, PALE, BOARD, middle=False), left, 0


@lru_cache(maxsize=64)
def _signs_part(pieces: tuple[int, ...], *, won: bool) -> Part:
    """Draw pieces beside each other, behind the gold chip where it is ``won``."""
    pen = Pen(_PITCH * max(len(pieces) + won, 1), STRIP_HEIGHT, BOARD)
    middle = STRIP_HEIGHT / 2
    if won and pieces:
        draw_chip(pen, Chip.GOLD, (_PITCH / 2, middle), 28)
    for at, seat in enumerate(pieces, start=won):
        draw_piece(pen, seat, (_PITCH * (at + 0.5), middle), 28)
    return to_part(pen.finish())


@lru_cache(maxsize=32)
def _marks_part(current: int, rounds: int, *, over: bool) -> Part:
    """Draw a mark for each round: a disc once it is over, a ring while it is to come, its number while it is played."""
    pen = Pen(_MARK_PITCH * rounds + (0 if over else 30), STRIP_HEIGHT, BOARD)
    x, middle = 0.0, STRIP_HEIGHT / 2
    for number in range(1, rounds + 1):
        if number == current and not over:
            pen.disc((x + 33, middle), 28, AMBER)
            pen.text((x + 33, middle), str(number), LETTERING, INK)
            x += 30
        elif number <= current:
            pen.disc((x + _MARK_PITCH / 2, middle), 12, MUTED)
        else:
            pen.disc((x + _MARK_PITCH / 2, middle), 12, None, MUTED, 4)
        x += _MARK_PITCH
    return to_part(pen.finish())

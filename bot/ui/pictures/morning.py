"""The post of the morning as a picture: who led yesterday's challenge, and today's seven cards as symbols."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.ui.pictures.card import draw_roll_symbol, draw_scoring_symbol, vortex_text
from bot.ui.pictures.colours import AMBER, BAD, BOARD, CARD, CHIP_COLOURS, GOOD, ICE, IVORY, MUTED, PALE, WELL
from bot.ui.pictures.parts import Part, Placed, to_part
from bot.ui.pictures.pen import (
    GAP,
    LETTERING,
    ROW_WIDTH,
    SIDE,
    WIDTH,
    Pen,
    drawable_text,
    framed_png,
    lettering_part,
    text_width,
)
from bot.ui.pictures.shapes import draw_crown, draw_par_line, draw_snowflake
from highscore.cards import Card, VortexKind
from highscore.track import Chip

ON_PODIUM = 3
_PODIUM_HEIGHT = 400
_COLUMN = ROW_WIDTH // ON_PODIUM
_NAME_HEIGHT = 58
_STEPS = (186, 132, 92)
"""The heights of the podium's steps, by place."""
_ACROSS = 4
"""The tiles in a row: today's number, then the cards."""
_TILE_WIDTH = (ROW_WIDTH - (_ACROSS - 1) * GAP) // _ACROSS
_TILE_HEIGHT = 190
_BAND = 72


@dataclass(frozen=True, slots=True)
class MorningView:
    """Yesterday's challenge and today's; either may be missing."""

    number: int
    """The number of yesterday's challenge."""
    first: tuple[tuple[int, str, int], ...] = ()
    """Place, name and score of the first ones, at most three."""
    today: int = 0
    """The number of today's challenge."""
    cards: tuple[Card, ...] = ()
    """Today's cards in their order; none where none is announced."""


def morning_png(view: MorningView, par: str) -> bytes:
    """Draw the picture as a PNG 1040 pixels wide; ``par`` is yesterday's, as a number in the reader's language."""
    parts = list(_podium_parts(view, par)) if view.first else []
    bottom = SIDE + _PODIUM_HEIGHT + (GAP if view.cards else 0) if parts else SIDE
    for at, part in enumerate([_number_part(view.today), *map(_card_part, view.cards)] if view.cards else []):
        row, column = divmod(at, _ACROSS)
        parts.append((part, SIDE + column * (_TILE_WIDTH + GAP), bottom + row * (_TILE_HEIGHT + GAP)))
    return framed_png(WIDTH, bottom + (2 * _TILE_HEIGHT + GAP if view.cards else 0) + SIDE, parts)


def _podium_parts(view: MorningView, par: str) -> Iterator[Placed]:
    pen = Pen(ROW_WIDTH, _PODIUM_HEIGHT, BOARD)
    pen.text((4, 30), f"#{view.number}", 56, MUTED, "left")
    pen.text((ROW_WIDTH - 4, 30), par, 56, MUTED, "right")
    draw_par_line(pen, ROW_WIDTH - text_width(par, 56) - 118, ROW_WIDTH - text_width(par, 56) - 24, 30)
    columns = (1, 0, 2)
    for (place, _name, score), column in zip(view.first, columns, strict=False):
        middle, top = _COLUMN * (column + 0.5), _PODIUM_HEIGHT - _STEPS[place - 1]
        left, right = _COLUMN * column + 8, _COLUMN * (column + 1) - 8
        pen.box((left, top, right, _PODIUM_HEIGHT), 22, WELL)
        pen.box((left, top, right, top + 14), 7, CHIP_COLOURS[tuple(Chip)[place - 1]][0])
        pen.text((middle, (top + 14 + _PODIUM_HEIGHT) / 2), str(score), min(_STEPS[place - 1] - 28, 110), PALE)
        if place == 1:
            draw_crown(pen, (middle, top - _NAME_HEIGHT - 38), 34)
    yield to_part(pen.finish()), SIDE, SIDE
    for (place, name, _score), column in zip(view.first, columns, strict=False):
        line = lettering_part(drawable_text(name), _COLUMN - 16, _NAME_HEIGHT, LETTERING, PALE, BOARD, middle=True)
        top = SIDE + _PODIUM_HEIGHT - _STEPS[place - 1] - _NAME_HEIGHT - 4
        yield line, SIDE + _COLUMN * column + 8, top


def _number_part(number: int) -> Part:
    pen = Pen(_TILE_WIDTH, _TILE_HEIGHT, BOARD)
    pen.text((_TILE_WIDTH / 2, _TILE_HEIGHT / 2), f"#{number}", 84, AMBER, widest=_TILE_WIDTH - 16)
    return to_part(pen.finish())


@lru_cache(maxsize=32)
def _card_part(card: Card) -> Part:
    """Draw a card as a tile: the vortex on its colour, the roll type, below them the scoring."""
    pen = Pen(_TILE_WIDTH, _TILE_HEIGHT, BOARD)
    pen.box((0, 0, _TILE_WIDTH, _TILE_HEIGHT), 20, CARD)
    band = BAD if card.vortex_hurts else GOOD
    pen.box((0, 0, _TILE_WIDTH, _BAND), 20, band, corners=(True, True, False, False))
    x, y = 66, _BAND / 2
    if card.vortex.kind is VortexKind.FROZEN:
        draw_snowflake(pen, (x, y), 26, ICE, 5.5)
    else:
        pen.text((x, y), vortex_text(card), 52, IVORY)
    draw_roll_symbol(pen, (_TILE_WIDTH - 46, y), card.roll_type, 28, IVORY, IVORY)
    draw_scoring_symbol(pen, (_TILE_WIDTH / 2, (_BAND + _TILE_HEIGHT) / 2), card.scoring, 28)
    return to_part(pen.finish())

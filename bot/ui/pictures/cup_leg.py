"""A leg of a cup that opens, a group of one that is closed, card by card, and the winner."""

from collections.abc import Sequence
from functools import cache, lru_cache

from bot.ui.pictures.colours import (
    AMBER,
    BOARD,
    CELL,
    CHIP_COLOURS,
    GOLD,
    GOOD,
    INK,
    IVORY,
    MUTED,
    PALE,
    PIECES,
    WELL,
    to_part,
)
from bot.ui.pictures.cup import LINE, draw_label, draw_lines, draw_standing, draw_text, standing_height
from bot.ui.pictures.cup_views import BracketView, LegView, MatchView, TableView, WinnerView
from bot.ui.pictures.frame import GAP, ROW_WIDTH, SIDE, WIDTH, draw_panel
from bot.ui.pictures.label import LETTERING
from bot.ui.pictures.morning import ACROSS, TILE_HEIGHT, TILE_WIDTH, card_tile
from bot.ui.pictures.parts import Part, paste
from bot.ui.pictures.pen import Pen, text_width
from bot.ui.pictures.png import picture_png
from bot.ui.pictures.shapes import draw_chip, draw_light, draw_piece
from bot.ui.text import format_signed
from highscore.track import Chip

_LEG = 390
"""The height of what is told of a leg."""
_CUP_WIDTH, _CUP_HEIGHT = 130, 130
_CHIP = 84
"""The radius of the winner's chip."""
_MOST_NAMES = 5
"""The winners whose names have room."""
_TWO_COLUMNS = 4
"""The people in a group from whom on their results stand in two columns."""


def leg_png(view: LegView, below: BracketView | TableView | None = None) -> bytes:
    """Draw a leg that opens as a PNG 1040 pixels wide: the cup, which leg it is, its hours and its players.

    A bracket or a table may stand ``below``.
    """
    top = SIDE + _LEG + 2 * GAP
    picture = draw_panel(WIDTH, SIDE + _LEG + SIDE if below is None else top + standing_height(below) + SIDE)
    paste(picture, _cup_part(), (SIDE, SIDE))
    draw_text(picture, view.name, (SIDE + 150, SIDE, ROW_WIDTH - 150, _CUP_HEIGHT), PALE, BOARD, 60)
    paste(picture, _marks_part(view.number, view.legs), (SIDE, SIDE + 140))
    for at, text in enumerate((f"{view.hours} h", str(view.people))):
        paste(picture, _fact_part(text, clock=not at), (SIDE + at * (ROW_WIDTH + GAP) // 2, SIDE + 260))
    if below is not None:
        draw_standing(picture, below, top)
    return picture_png(picture)


def match_png(view: MatchView) -> bytes:
    """Draw a group as a PNG 1040 pixels wide: the names and, below each card, the results, the best one on green.

    Beside the cards are the points: those of whoever goes on, or of the best of a league's group, on gold.
    """
    across = 1 if len(view.columns) < _TWO_COLUMNS else 2
    lines = -(-len(view.columns) // across) * LINE
    tile = TILE_HEIGHT + lines + 2 * GAP
    picture = draw_panel(WIDTH, 2 * SIDE + lines + 2 * tile)
    paste(picture, _cup_part(), (SIDE, SIDE + lines + GAP + (TILE_HEIGHT - _CUP_HEIGHT) // 2))
    draw_label(picture, (SIDE + 180, SIDE + lines + GAP + TILE_HEIGHT / 2), str(view.leg), AMBER, BOARD, 84)
    for number, card in enumerate((None, *view.cards)):
        row, place = divmod(number, ACROSS)
        left, top = SIDE + place * (TILE_WIDTH + GAP), SIDE + lines + GAP + row * tile
        best: Sequence[int] = [at for at, column in enumerate(view.columns) if column.best]
        texts, won = [column.points for column in view.columns], GOLD
        if card is not None:
            paste(picture, card_tile(card), (left, top))
            best = view.best_of(number - 1)
            texts = ["".join(map(format_signed, each.results[number - 1 : number])) for each in view.columns]
            won = GOOD if len(best) == 1 else CELL
        for at, text in enumerate(texts):
            line, side = divmod(at, across)
            part = _result_part(at, text or "–", TILE_WIDTH // across, won if at in best else BOARD)
            paste(picture, part, (left + side * TILE_WIDTH // across, top + TILE_HEIGHT + GAP + line * LINE))
    for at, column in enumerate(view.columns):
        line, side = divmod(at, across)
        x, y = SIDE + side * ROW_WIDTH // across, SIDE + line * LINE
        paste(picture, _result_part(at, "", TILE_WIDTH, BOARD), (x, y))
        draw_text(picture, column.person.name, (x + 60, y, ROW_WIDTH // across - 66, LINE), PALE, BOARD)
    return picture_png(picture)


def winner_png(view: WinnerView) -> bytes:
    """Draw the winner as a PNG 1040 pixels wide: the gold chip on light, the names, below them the way to the title."""
    names = view.people[:_MOST_NAMES]
    size = 76 if len(names) == 1 else 54
    gold = 262 + len(names) * (size + 16)
    picture = draw_panel(WIDTH, 2 * SIDE + gold + GAP + len(view.lines) * LINE)
    paste(picture, _gold_part(gold), (SIDE, SIDE))
    for at, person in enumerate(names):
        room = (SIDE + 20, SIDE + 246 + at * (size + 16), ROW_WIDTH - 40, size + 16)
        draw_text(picture, person.name, room, INK, GOLD, size, middle=True)
    draw_lines(picture, view.lines, SIDE + gold + GAP, LINE)
    return picture_png(picture)


@lru_cache(maxsize=512)
def _result_part(at: int, text: str, width: int, ground: str) -> Part:
    """Draw a result beside the person's piece, if there is room for both; a hollow piece from the sixth person on."""
    pen = Pen(width, LINE, BOARD)
    pen.box((0, 3, width - 2, LINE - 3), 14, ground)
    small = 13 if width < TILE_WIDTH else 21
    left = 2 * small + 8
    if left + text_width(text, LETTERING) > width:  # It stands where the others of that person stand, too.
        left = 0
    else:
        draw_piece(pen, at % len(PIECES), (small + 6, LINE / 2), small, None if at < len(PIECES) else BOARD)
    ink = {BOARD: MUTED, GOLD: INK, GOOD: IVORY}.get(ground, PALE)
    pen.text(((left + width) / 2, LINE / 2), text, LETTERING, ink, widest=width - left)
    return to_part(pen.finish())


@cache
def _cup_part() -> Part:
    """Draw a cup of gold."""
    pen = Pen(_CUP_WIDTH, _CUP_HEIGHT, BOARD)
    edge = CHIP_COLOURS[Chip.GOLD][1]
    for x in (27, 103):
        pen.disc((x, 35), 22, None, GOLD, 8)
    pen.box((59, 65, 71, 115), 0, edge)
    pen.box((35, 110, 95, 126), 6, GOLD)
    pen.box((27, 6, 103, 87), 36, GOLD, corners=(False, False, True, True))
    pen.box((22, 3, 108, 16), 6, edge)
    return to_part(pen.finish())


@lru_cache(maxsize=64)
def _marks_part(current: int, legs: int) -> Part:
    """Draw a mark for each leg, as of the rounds above a board."""
    pen = Pen(ROW_WIDTH, 100, BOARD)
    pitch = min(ROW_WIDTH / legs, 110)
    for number in range(1, legs + 1):
        centre = (ROW_WIDTH / 2 + (number - (legs + 1) / 2) * pitch, 50.0)
        if number == current:
            pen.disc(centre, pitch * 0.46, AMBER)
            pen.text(centre, str(number), 60, INK, widest=pitch * 0.8)
        else:
            pen.disc(centre, pitch * 0.22, MUTED if number < current else None, MUTED, 5)
    return to_part(pen.finish())


@lru_cache(maxsize=64)
def _fact_part(text: str, *, clock: bool) -> Part:
    """Draw a number beside a clock or somebody's head."""
    pen = Pen((ROW_WIDTH - GAP) // 2, 130, WELL)
    pen.box((-28, -28, pen.width + 28, 158), 56, None, BOARD, 28)
    if clock:
        pen.disc((130, 65), 46, None, AMBER, 9)
        pen.stroke([(130, 39), (130, 65), (147, 75)], AMBER, 9)
    else:
        pen.disc((130, 43), 23, AMBER)
        pen.box((90, 72, 170, 112), 30, AMBER, corners=(True, True, False, False))
    pen.text((310, 65), text, 84, PALE, widest=pen.width - 210)
    return to_part(pen.finish())


@lru_cache(maxsize=8)
def _gold_part(height: int) -> Part:
    pen = Pen(ROW_WIDTH, height, BOARD)
    pen.box((0, 0, ROW_WIDTH, height), 28, GOLD)
    draw_light(pen, (ROW_WIDTH / 2, 134), _CHIP, 28)
    draw_chip(pen, Chip.GOLD, (ROW_WIDTH / 2, 134), _CHIP)
    return to_part(pen.finish())

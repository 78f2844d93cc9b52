"""Draws the daily challenge: a finished attempt to share, and the morning post.

While the day lasts, the bars of an attempt are rough and sorted, best first. Bars card by card would tell users who
have not finished what to expect (R9.4).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, Ranked
from bot.locales import _, ngettext
from bot.ui.pictures import colours
from bot.ui.pictures.card import draw_roll_symbol, draw_scoring_symbol, vortex_text
from bot.ui.pictures.parts import Part, Placed
from bot.ui.pictures.pen import GAP, LETTERING, ROW_WIDTH, SIDE, WIDTH, Pen, Point, framed_png, lettering_part
from highscore.cards import Card, VortexKind
from highscore.track import Chip

SQUARE = 720
_INSIDE = SQUARE - 2 * SIDE
_CHART_TOP = 330
_STRIP = 52
_SYMBOL = 52
_MEDALS = tuple(colours.CHIP_COLOURS[chip][0] for chip in Chip)


@dataclass(frozen=True, slots=True)
class DailyView:
    number: int
    score: int
    par: float
    bars: tuple[float, ...]
    """One share of par for each card."""
    place: int | None
    streak: int
    kept: str
    """The share of par that the decisions kept, as text; empty while the day lasts."""
    best: int | None
    """The server's best score, to compare with; None if it is this score, or must not be shown yet."""


def attempt_view(attempt: Attempt[Daily], place: int | None, kept: str, best: int | None, *, over: bool) -> DailyView:
    """Return the view of a finished attempt: its results by card if the day is ``over``, rough and sorted before."""
    daily = attempt.challenge
    bars = tuple(result / average for result, average in zip(attempt.results, daily.averages, strict=True))
    if not over:
        bars = tuple(sorted(map(roughen_bar, bars), reverse=True))
    return DailyView(daily.number, attempt.run.total, daily.par, bars, place, attempt.streak, kept, best)


def roughen_bar(share: float) -> float:
    """Return the bar that others may see of a card's share of its average (R9.4).

    >>> [roughen_bar(share) for share in (3.0, 1.5, 1.0, 0.9, 0.1, 0.0)]
    [1.75, 1.75, 1.25, 0.75, 0.25, 0.0]
    """
    return min(share // 0.5 / 2 + 0.25, 1.75) if share > 0 else 0.0


def daily_png(view: DailyView, par: str) -> bytes:
    """Draw an attempt as a PNG of 720 x 720 pixels. ``par`` is formatted for the reader's language."""
    pen = Pen(_INSIDE, _INSIDE)
    pen.text((4, 34), f"#{view.number}", 62, colours.MUTED, "left")
    _draw_signs(pen, view)
    colour = colours.GOLD if view.score >= view.par else colours.PALE
    width = pen.text((_INSIDE / 2 - 90, 192), str(view.score), 250, colour, widest=430)
    left = _INSIDE / 2 - 90 + width / 2 + 34
    pen.par_line(left, left + 120, 160)
    pen.text((left, 212), par, 64, colours.PALE, "left", widest=_INSIDE - left)
    bottom = _INSIDE - (0 if view.best is None else 2 * _STRIP + 30)
    pen.box((0, _CHART_TOP, _INSIDE, bottom), 28, colours.WELL)
    pen.bars(view.bars, (24, _CHART_TOP + 24, _INSIDE - 24, bottom - 26), 60)
    if view.best is not None:
        most = max(view.best, view.score, view.par, 1)
        top = bottom + 22
        _draw_strip(pen, top, view.score, most, colours.PALE, crowned=False)
        _draw_strip(pen, top + _STRIP + 8, view.best, most, colours.GOLD, crowned=True)
    return framed_png(SQUARE, SQUARE, [(pen.to_part(), SIDE, SIDE)])


def _draw_signs(pen: Pen, view: DailyView) -> None:
    """Draw, from the right, the share of par kept, the streak and the place with their symbols, if there are any."""
    right = float(_INSIDE)
    signs: list[tuple[Callable[[Pen, Point], None], str]] = [
        (_draw_target, view.kept),
        (_draw_flame, str(view.streak) if view.streak > 1 else ""),
        (partial(_draw_place, place=view.place), str(view.place or "")),
    ]
    for draw, text in signs:
        if text:
            right -= pen.text((right, 34), text, 58, colours.PALE, "right") + 10 + _SYMBOL / 2
            draw(pen, (right, 34))
            right -= _SYMBOL / 2 + 24


def _draw_flame(pen: Pen, centre: Point) -> None:
    x, y = centre
    for colour, size, low in ((colours.AMBER, 26.0, 0.0), (colours.HONEY, 14.0, 11.0)):
        base = y + 8 + low * 0.6
        pen.disc((x, base), size * 0.76, colour)
        tip, foot = base - size * 1.45, base - size * 0.1
        pen.shape([(x - size * 0.74, foot), (x + size * 0.1, tip), (x + size * 0.74, foot)], colour)


def _draw_place(pen: Pen, centre: Point, place: int | None) -> None:
    if place == 1:
        pen.crown(centre, 24)
    else:
        pen.disc(centre, 24, dict(enumerate(_MEDALS, 1)).get(place or 0, colours.MUTED))


def _draw_target(pen: Pen, centre: Point) -> None:
    for radius, colour in ((26, colours.PALE), (19, colours.INK), (12, colours.PALE), (6, colours.INK)):
        pen.disc(centre, radius, colour)


def _draw_strip(pen: Pen, top: float, score: int, most: float, colour: str, *, crowned: bool) -> None:
    middle = top + _STRIP / 2
    left, right = 66.0, _INSIDE - 132.0
    if crowned:
        pen.crown((30, middle), 22)
    else:
        pen.disc((30, middle), 16, colour)
    pen.box((left, top + 6, right, top + _STRIP - 6), 16, colours.WELL)
    pen.box((left, top + 6, left + max(34.0, (right - left) * score / most), top + _STRIP - 6), 16, colour)
    pen.text((_INSIDE - 4, middle), str(score), 58, colours.PALE, "right")


def daily_sentences(view: DailyView, title: str) -> tuple[str, ...]:
    """Describe the picture of an attempt. ``title`` contains the challenge, the score and par."""
    good = sum(share >= 1 for share in view.bars)
    text = ngettext(
        "{number} card at or above its average, below it: {rest}.",
        "{number} cards at or above their average, below it: {rest}.",
        good,
    )
    sentences = [f"{title}.", text.format(number=good, rest=len(view.bars) - good)]
    if view.place is not None:
        sentences.append(_("Place {place}.").format(place=view.place))
    if view.streak > 1:
        sentences.append(_("Days in a row: {days}").format(days=view.streak) + ".")
    if view.kept:
        sentences.append(_("Par kept: {share}").format(share=view.kept) + ".")
    if view.best is not None:
        sentences.append(_("The server's best: {score}.").format(score=view.best))
    return tuple(sentences)


ON_PODIUM = 3
_PODIUM_HEIGHT = 400
_COLUMN = ROW_WIDTH // ON_PODIUM
_NAME_HEIGHT = 58
_STEPS = (186, 132, 92)
_ACROSS = 4
"""The number of tiles in a row. The first tile is today's number, the others are the cards."""
_TILE_WIDTH = (ROW_WIDTH - (_ACROSS - 1) * GAP) // _ACROSS
_TILE_HEIGHT = 190
_BAND = 72


def morning_png(number: int, first: Sequence[Ranked], today: Daily | None, par: str) -> bytes:
    """Draw the podium of the day before and the cards of ``today`` as a PNG 1040 pixels wide.

    ``number``, ``first`` and ``par`` are those of the day before. ``par`` is formatted for the reader's language. If
    ``first`` is empty, there is no podium; if ``today`` is None, there are no cards.
    """
    parts = _podium_parts(number, first, par) if first else []
    bottom = SIDE + _PODIUM_HEIGHT + (GAP if today else 0) if parts else SIDE
    for at, part in enumerate([_number_part(today.number), *map(_card_part, today.cards)] if today else []):
        row, column = divmod(at, _ACROSS)
        parts.append((part, SIDE + column * (_TILE_WIDTH + GAP), bottom + row * (_TILE_HEIGHT + GAP)))
    return framed_png(WIDTH, bottom + (2 * _TILE_HEIGHT + GAP if today else 0) + SIDE, parts)


def _podium_parts(number: int, first: Sequence[Ranked], par: str) -> list[Placed]:
    pen, names = Pen(ROW_WIDTH, _PODIUM_HEIGHT), list[Placed]()
    pen.text((4, 30), f"#{number}", 56, colours.MUTED, "left")
    par_left = ROW_WIDTH - pen.text((ROW_WIDTH - 4, 30), par, 56, colours.MUTED, "right")
    pen.par_line(par_left - 118, par_left - 24, 30)
    for line, column in zip(first, (1, 0, 2), strict=False):
        middle, top = _COLUMN * (column + 0.5), _PODIUM_HEIGHT - _STEPS[line.place - 1]
        left, right = _COLUMN * column + 8, _COLUMN * (column + 1) - 8
        pen.box((left, top, right, _PODIUM_HEIGHT), 22, colours.WELL)
        pen.box((left, top, right, top + 14), 7, _MEDALS[line.place - 1])
        size = min(_STEPS[line.place - 1] - 28, 110)
        pen.text((middle, (top + 14 + _PODIUM_HEIGHT) / 2), str(line.score), size, colours.PALE)
        if line.place == 1:
            pen.crown((middle, top - _NAME_HEIGHT - 38), 34)
        name = lettering_part(line.name, right - left, _NAME_HEIGHT, LETTERING, colours.PALE, middle=True)
        names.append((name, SIDE + left, SIDE + top - _NAME_HEIGHT - 4))
    return [(pen.to_part(), SIDE, SIDE), *names]


def _number_part(number: int) -> Part:
    pen = Pen(_TILE_WIDTH, _TILE_HEIGHT)
    pen.text((_TILE_WIDTH / 2, _TILE_HEIGHT / 2), f"#{number}", 84, colours.AMBER, widest=_TILE_WIDTH - 16)
    return pen.to_part()


@lru_cache(maxsize=32)
def _card_part(card: Card) -> Part:
    pen = Pen(_TILE_WIDTH, _TILE_HEIGHT)
    pen.box((0, 0, _TILE_WIDTH, _TILE_HEIGHT), 20, colours.CARD)
    band = colours.BAD if card.vortex_hurts else colours.GOOD
    pen.box((0, 0, _TILE_WIDTH, _BAND), 20, band, corners=(True, True, False, False))
    x, y = 66, _BAND / 2
    if card.vortex.kind is VortexKind.FROZEN:
        pen.snowflake((x, y), 26, colours.ICE, 5.5)
    else:
        pen.text((x, y), vortex_text(card), 52, colours.IVORY)
    draw_roll_symbol(pen, (_TILE_WIDTH - 46, y), card.roll_type, 28, colours.IVORY, colours.IVORY)
    draw_scoring_symbol(pen, (_TILE_WIDTH / 2, (_BAND + _TILE_HEIGHT) / 2), card.scoring, 28)
    return pen.to_part()

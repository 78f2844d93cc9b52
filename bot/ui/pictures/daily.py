"""A day's challenge as a square picture to share: the number, the score, and seven bars against par.

While the day lasts the bars are grades, best first: which card went how well would tell those who still play what to
expect (R9.4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, Grade, grade_cards
from bot.locales import _, ngettext
from bot.ui.pictures.colours import AMBER, BOARD, GOLD, HONEY, INK, MUTED, PALE, WELL
from bot.ui.pictures.parts import to_part
from bot.ui.pictures.pen import Pen, Point, framed_png, text_width
from bot.ui.pictures.shapes import draw_bars, draw_crown, draw_par_line

SQUARE = 720
"""The width and the height of the picture, in pixels."""
MARGIN = 26
_INSIDE = SQUARE - 2 * MARGIN
GRADE_BARS = {Grade.GREAT: 1.75, Grade.GOOD: 1.25, Grade.FAIR: 0.75, Grade.POOR: 0.3, Grade.NOTHING: 0.0}
"""The bars of the grades: above par, 1, are those that are at least the average of their card."""
_CHART_TOP = 330
_STRIP = 52
_SYMBOL = 52


@dataclass(frozen=True, slots=True)
class DailyView:
    """The end of a day's challenge."""

    number: int
    """The number of the challenge."""
    score: int
    par: float
    bars: tuple[float, ...]
    """Shares of par, one a card."""
    place: int | None = None
    streak: int = 0
    kept: float | None = None
    """The share of par that the decisions have kept; None while the day lasts."""
    best: int | None = None
    """The best score of the server, to be compared with; None where it is this one or may not be told."""


def attempt_view(attempt: Attempt[Daily], *, over: bool) -> DailyView:
    """Return the view of a finished attempt: card by card where the day is over, by sorted grades before."""
    daily, run = attempt.challenge, attempt.run
    bars = tuple(GRADE_BARS[grade] for grade in grade_cards(attempt))
    if over:
        played = zip(run.finished, daily.averages, strict=True)
        bars = tuple(turn.counted / average for (_card, turn), average in played)
    return DailyView(daily.number, run.total, daily.par, bars, streak=attempt.streak)


def daily_png(view: DailyView, par: str, kept: str) -> bytes:
    """Draw the picture as a PNG of 720 x 720 pixels; par and what was kept are numbers in the reader's language."""
    pen = Pen(_INSIDE, _INSIDE, BOARD)
    pen.text((4, 34), f"#{view.number}", 62, MUTED, "left")
    _draw_signs(pen, view, kept)
    good = view.score >= view.par
    size = 250
    width = text_width(str(view.score), size)
    pen.text((_INSIDE / 2 - 90, 192), str(view.score), size, GOLD if good else PALE, widest=430)
    left = _INSIDE / 2 - 90 + min(width, 430) / 2 + 34
    draw_par_line(pen, left, left + 120, 160)
    pen.text((left, 212), par, 64, PALE, "left", widest=_INSIDE - left)
    bottom = _INSIDE - (0 if view.best is None else 2 * _STRIP + 30)
    pen.box((0, _CHART_TOP, _INSIDE, bottom), 28, WELL)
    draw_bars(pen, view.bars, (24, _CHART_TOP + 24, _INSIDE - 24, bottom - 26), 60)
    if view.best is not None:
        most = max(view.best, view.score, view.par, 1)
        for index, (score, colour) in enumerate(((view.score, PALE), (view.best, GOLD))):
            _draw_strip(pen, bottom + 22 + index * (_STRIP + 8), score, most, colour, crowned=index == 1)
    return framed_png(SQUARE, SQUARE, [(to_part(pen.finish()), MARGIN, MARGIN)])


def _draw_signs(pen: Pen, view: DailyView, kept: str) -> None:
    """Draw from the right what there is of the place, the streak and what was kept, each behind its symbol."""
    right = float(_INSIDE)
    signs: list[tuple[Callable[[Pen, Point], None], str]] = [
        (_draw_target, kept if view.kept is not None else ""),
        (_draw_flame, str(view.streak) if view.streak > 1 else ""),
        (partial(draw_crown, radius=24), str(view.place or "")),
    ]
    for draw, text in signs:
        if text:
            pen.text((right, 34), text, 58, PALE, "right")
            right -= text_width(text, 58) + 10 + _SYMBOL / 2
            draw(pen, (right, 34))
            right -= _SYMBOL / 2 + 24


def _draw_flame(pen: Pen, centre: Point) -> None:
    x, y = centre
    for colour, size, low in ((AMBER, 26.0, 0.0), (HONEY, 14.0, 11.0)):
        base = y + 8 + low * 0.6
        pen.disc((x, base), size * 0.76, colour)
        tip, foot = base - size * 1.45, base - size * 0.1
        pen.shape([(x - size * 0.74, foot), (x + size * 0.1, tip), (x + size * 0.74, foot)], colour)


def _draw_target(pen: Pen, centre: Point) -> None:
    for radius, colour in ((26, PALE), (19, INK), (12, PALE), (6, INK)):
        pen.disc(centre, radius, colour)


def _draw_strip(pen: Pen, top: float, score: int, most: float, colour: str, *, crowned: bool) -> None:
    middle = top + _STRIP / 2
    left, right = 66.0, _INSIDE - 132.0
    if crowned:
        draw_crown(pen, (30, middle), 22)
    else:
        pen.disc((30, middle), 16, colour)
    pen.box((left, top + 6, right, top + _STRIP - 6), 16, WELL)
    pen.box((left, top + 6, left + max(34.0, (right - left) * score / most), top + _STRIP - 6), 16, colour)
    pen.text((_INSIDE - 4, middle), str(score), 58, PALE, "right")


def daily_sentences(view: DailyView, title: str, kept: str) -> tuple[str, ...]:
    """Describe the picture of an attempt; its title says challenge, score and par."""
    good = sum(share >= 1 for share in view.bars)
    text = ngettext(
        "{number} card at least at its average, below it: {rest}.",
        "{number} cards at least at their average, below it: {rest}.",
        good,
    )
    sentences = [f"{title}.", text.format(number=good, rest=len(view.bars) - good)]
    if view.place is not None:
        sentences.append(_("Place {place}.").format(place=view.place))
    if view.streak > 1:
        sentences.append(_("Days in a row: {days}").format(days=view.streak) + ".")
    if view.kept is not None:
        sentences.append(_("Par kept: {share}").format(share=kept) + ".")
    if view.best is not None:
        sentences.append(_("The server's best: {score}.").format(score=view.best))
    return tuple(sentences)

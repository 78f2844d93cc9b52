"""Luck and skill as a picture: a row per player, in every round a bar for the luck and one for what was given away."""

from dataclasses import dataclass

from bot.locales import _
from bot.ui.pictures.colours import AMBER, BOARD, CELL_TEN, MINT, MUTED, ROSE, WELL
from bot.ui.pictures.parts import Part, to_part
from bot.ui.pictures.pen import GAP, LETTERING, ROW_WIDTH, SIDE, WIDTH, Pen, framed_png
from bot.ui.pictures.shapes import draw_piece
from highscore.deck import ROUNDS

FULL_BAR = 2.0
"""The chip points of luck, or loss, that fill a bar; more is cut off. A gold chip out of nothing is 3."""

_HEADER, ROW = 78, 132
_LEFT = 160
_PITCH = 98
_HALF = 50
_TOTALS = 830


@dataclass(frozen=True, slots=True)
class LuckView:
    """The luck of each player and what each gave away, in chip points, by seat and round; None: not played."""

    luck: tuple[tuple[float | None, ...], ...]
    loss: tuple[tuple[float | None, ...], ...]
    mark: str = "."
    """The decimal mark."""

    def total(self, seat: int) -> tuple[float, float]:
        return sum(each or 0.0 for each in self.luck[seat]), sum(each or 0.0 for each in self.loss[seat])


def luck_png(view: LuckView) -> bytes:
    """Draw the picture as a PNG, 1040 pixels wide: luck is green upwards or red downwards, losses are amber."""
    head = Pen(ROW_WIDTH, _HEADER - 16, BOARD)
    for number in range(ROUNDS):
        head.text((_LEFT + number * _PITCH, 38), str(number + 1), LETTERING, MUTED)
    rows = [(_row_part(view, seat), SIDE, _HEADER + seat * (ROW + GAP)) for seat in range(len(view.luck))]
    height = _HEADER + len(rows) * (ROW + GAP) - GAP + SIDE
    return framed_png(WIDTH, height, [(to_part(head.finish()), SIDE, 8), *rows])


def _row_part(view: LuckView, seat: int) -> Part:
    middle = ROW / 2
    pen = Pen(ROW_WIDTH, ROW, BOARD)
    pen.box((0, 0, ROW_WIDTH, ROW), 28, WELL)
    draw_piece(pen, seat, (66, middle), 36)
    pen.box((_LEFT - 44, middle - 1, _LEFT + (ROUNDS - 1) * _PITCH + 44, middle + 1), 0, CELL_TEN)
    for number, (luck, loss) in enumerate(zip(view.luck[seat], view.loss[seat], strict=True)):
        x = _LEFT + number * _PITCH
        if luck is not None:
            _draw_bar(pen, x - 24, middle, luck, MINT if luck >= 0 else ROSE)
        if loss:
            _draw_bar(pen, x + 4, middle, -loss, AMBER)
    luck_total, loss_total = view.total(seat)
    ink = MINT if luck_total >= 0 else ROSE
    pen.text((_TOTALS + 130, middle - 28), _gain(luck_total, view.mark), LETTERING, ink, "right")
    pen.text((_TOTALS + 130, middle + 30), _gain(-loss_total, view.mark), LETTERING, AMBER, "right")
    return to_part(pen.finish())


def _draw_bar(pen: Pen, left: float, middle: float, value: float, colour: str) -> None:
    tall = max(4.0, min(abs(value) / FULL_BAR, 1.0) * _HALF)
    top, bottom = (middle - tall, middle) if value >= 0 else (middle, middle + tall)
    pen.box((left, top, left + 22, bottom), 4, colour)


def _gain(value: float, mark: str) -> str:
    text = f"{abs(value):.1f}"
    sign = "" if float(text) == 0 else "+" if value > 0 else "−"
    return sign + text.replace(".", mark)


def luck_sentences(view: LuckView, names: tuple[str, ...]) -> tuple[str, ...]:
    lines = [_("Luck of the dice and points given away, in chip points.")]
    for seat, name in enumerate(names):
        luck, loss = view.total(seat)
        text = _("{player}: luck {luck}, given away {loss}.")
        lines.append(text.format(player=name, luck=_gain(luck, view.mark), loss=_gain(-loss, view.mark)))
    return tuple(lines)

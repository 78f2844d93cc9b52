"""Boards for the tests of the pictures, and helpers to look at pictures."""

from collections.abc import Iterable
from io import BytesIO

from PIL import Image

from bot.ui.pictures.colours import BOARD
from bot.ui.pictures.parts import PALETTE_BYTES, Placed, Tones, paste, to_part
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.views import BoardView, DieView, ResultsView, RoundResult, seat_views
from highscore import STANDARD_DECK, Card, Chip, Dice, score_dice, track, turn

CARDS = tuple(STANDARD_DECK)
FULLEST = 60_000
"""The most bytes a board may have."""

_STATES = {".": turn.DieState.FREE, "s": turn.DieState.SET_ASIDE, "f": turn.DieState.FROZEN}


def opened(png: bytes) -> Image.Image:
    picture = Image.open(BytesIO(png))
    picture.load()
    return picture


def placed(parts: Iterable[Placed], width: int, height: int) -> Image.Image:
    picture = to_part(Pen(width, height, BOARD).finish()).tones
    for part, left, top in parts:
        paste(picture, part, (left, top))
    return in_palette(picture)


def in_palette(picture: Tones) -> Image.Image:
    image = Image.fromarray(picture, "P")
    image.putpalette(PALETTE_BYTES)
    return image


def dice(card: Card, faces: str, states: str = ".......") -> tuple[DieView, ...]:
    """Return dice from ``55V4321``, and their states from ``.`` free, ``s`` set aside, ``f`` frozen."""
    rolled = Dice.parse(faces)
    score = score_dice(card, rolled)
    groups = {at: number for number, group in enumerate(score.groups) for at in group}
    return tuple(
        DieView(face, _STATES[state], die.points, groups.get(at))
        for at, (face, state, die) in enumerate(zip(rolled, states, score.dice, strict=True))
    )


def busy_board() -> BoardView:
    """Return a board that shows as much as one can: five seats, markers, picked, set and frozen dice."""
    card = STANDARD_DECK.find_card("total-frozen")
    seats = seat_views(5, track.place_pieces({0: 37, 1: 7, 2: -5, 4: 26}))
    lying = dice(card, "5V4V213", "sfsf...")
    return BoardView(seats, card, lying, on_turn=3, worth=15, aim=15, rolls_left=3)


def ended_board() -> BoardView:
    placements = track.place_pieces({0: 37, 1: 7, 2: 30, 3: 44, 4: 30})
    return BoardView(
        seat_views(5, placements, track.award_chips(placements, 5)), STANDARD_DECK.find_card("tens-minus-ten"), dice=()
    )


def full_results() -> ResultsView:
    """Return results that have chips and nothing else; a seat without a chip was not placed."""
    gold, silver, bronze = (RoundResult(10 * chip.points, 10 * chip.points, chip) for chip in Chip)
    none = RoundResult(-3)
    results = (
        (gold, none, bronze, silver, none, gold, none),
        (silver, gold, none, none, gold, none, bronze),
        (bronze, silver, gold, gold, none, none, silver),
        (none, bronze, silver, none, silver, bronze, gold),
        (none, none, none, bronze, bronze, silver, none),
    )
    return ResultsView(results, tuple(enumerate((2, 1, 0, 3, 4), start=1)), ("Ada", "Ben", "Cleo Day", "Dan", "Eve"))

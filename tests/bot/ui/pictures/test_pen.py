"""The lettering of all pictures."""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.domain.badges import Badge
from bot.domain.cup_draw import Format
from bot.ui.pictures import pen
from bot.ui.pictures.board import board_png
from bot.ui.pictures.cup import TableView, cup_png
from bot.ui.pictures.daily import DailyView, MorningView, daily_png, morning_png
from bot.ui.pictures.guide import card_png, marker_png, roll_types_png, scoring_png, taken_png
from bot.ui.pictures.results import LuckView, luck_png, rare_png, results_png
from bot.ui.pictures.stats import StatsView, stats_png
from bot.ui.pictures.views import Mark, Measure
from highscore.cards import Scoring
from highscore.deck import STANDARD_DECK
from highscore.dice import Dice
from highscore.track import Chip, place_pieces
from tests.bot.ui.pictures.cup_samples import drawn_cup, played_view
from tests.bot.ui.pictures.samples import busy_board, ended_board, full_results, opened, results_of

SHOWN = 256
"""The width of a picture on a small phone, in pixels."""
LEAST = 11
"""The smallest lettering that can be read, in pixels."""
LONG = "Maximiliane Wwww"
LONGEST = tuple(f"{LONG} {number}" for number in range(12))
TENS = STANDARD_DECK.find_card("tens-minus-ten")

PICTURES: dict[str, Callable[[], bytes]] = {
    "turn": lambda: board_png(replace(busy_board(), stake=Chip.BRONZE), LONG),
    "taken, and one waits": lambda: board_png(replace(busy_board(), seats=_waiting()), LONG),
    "alone": lambda: board_png(replace(busy_board(), measure=Measure(33.4, ((-12, 10.2), (99, 99.9)))), LONG),
    "round": lambda: board_png(ended_board(), LONG),
    "standings": lambda: results_png(replace(full_results(), names=(LONG,) * 5)),
    "standings of -12": lambda: results_png(_hurt()),
    "luck": lambda: luck_png(LuckView(((-12.3,) * 7,) * 5, ((10.4,) * 7,) * 5)),
    "daily": lambda: daily_png(DailyView(1234, 210, 123.4, (1.0,) * 7, 12, 365, 0.92, 300), "123.4", "92 %"),
    "rare turn": lambda: rare_png(3, Dice.parse("V V V V V 3 1"), -30, 1_000_000_000, LONG),
    "rating": lambda: stats_png(StatsView((-450, 3210), tuple((chip, 9999) for chip in Chip), tuple(Badge))),
    "newest game": lambda: stats_png(StatsView((), (), (), (Mark(-35, None), *[Mark(49, 49, Chip.GOLD)] * 6))),
    "morning": lambda: morning_png(MorningView(9999, ((1, LONG, 210),) * 3, 9999, (TENS,) * 7), "123.4"),
    "morning, places": lambda: morning_png(MorningView(9999, ((1, LONG, 210), (2, LONG, 9), (3, LONG, 1))), "123.4"),
    "board of tens": lambda: board_png(replace(busy_board(), card=TENS)),
    "bracket": lambda: drawn_cup(played_view(12, names=LONGEST)),
    "bracket of sixteen": lambda: drawn_cup(played_view(128, names=LONGEST * 11), 5),
    "table": lambda: drawn_cup(played_view(40, Format.LEAGUE, 14, length=14, names=LONGEST * 4), 39),
    "first leg of a league": lambda: cup_png(LONG * 3, 14, TableView((), 0)),
    "roll types": roll_types_png,
    "taken": taken_png,
    "marker": marker_png,
    **{card.id: partial(card_png, card) for card in STANDARD_DECK},
    **{scoring.value: partial(scoring_png, scoring) for scoring in Scoring},
}


def _waiting() -> Any:
    return tuple(
        replace(seat, placement=placed)
        for seat, placed in zip(busy_board().seats, (*place_pieces({0: 1, 1: 1, 2: -12}), None, None), strict=True)
    )


def _hurt() -> Any:
    view = results_of(((Chip.GOLD,) * 7, (None,) * 7, (Chip.SILVER,) * 7), (0, 2, 1))
    return replace(view, marks=tuple(tuple(replace(mark, result=-12) for mark in marks) for marks in view.marks))


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Return the texts that are drawn with the smallest size of each; nothing that was drawn before is kept."""
    found: dict[str, float] = {}
    write, cut = pen.Pen.text, pen.cut_text

    def note(text: str, size: float) -> None:
        if text:
            found[text] = min(size, found.get(text, size))

    def noted_text(self: pen.Pen, centre: pen.Point, text: str, size: float, *rest: Any, **named: Any) -> None:
        widest = named.get("widest")
        note(text, size * min(1, widest / pen.text_width(text, size)) if widest and text else size)
        write(self, centre, text, size, *rest, **named)

    def noted_cut(text: str, size: int, widest: float) -> str:
        shown = cut(text, size, widest)
        note(shown, size)
        return shown

    monkeypatch.setattr(pen.Pen, "text", noted_text)
    monkeypatch.setattr(pen, "cut_text", noted_cut)
    for kept in _all_kept().values():
        kept.cache_clear()
    return found


def _all_kept() -> dict[str, Any]:
    """Return every function of the pictures that keeps what it has drawn."""
    return {
        f"{name}.{each}": kept
        for name, module in sys.modules.items()
        if name.startswith("bot.ui.pictures.")
        for each, kept in vars(module).items()
        if hasattr(kept, "cache_clear")
    }


@pytest.mark.parametrize("name", PICTURES)
def test_lettering_can_be_read_on_a_phone(sizes: dict[str, float], name: str) -> None:
    width = opened(PICTURES[name]()).width
    assert {text: size for text, size in sizes.items() if size * SHOWN / width < LEAST} == {}


NAMED: dict[str, Callable[[str], bytes]] = {
    "turn": lambda name: board_png(busy_board(), name),
    "standings": lambda name: results_png(replace(full_results(), names=(name,) * 5)),
    "rare turn": lambda name: rare_png(3, Dice.parse("V V V V V 3 1"), -30, 47, name),
    "bracket": lambda name: drawn_cup(played_view(4, names=(name,) * 4)),
    "table": lambda name: drawn_cup(played_view(4, Format.LEAGUE, 2, names=(name,) * 4)),
    "cup": lambda name: cup_png(name, 1, TableView((), 0)),
    "morning": lambda name: morning_png(MorningView(9, ((1, name, 210),)), "123.4"),
}


@pytest.mark.parametrize("picture", NAMED)
def test_no_name_is_kept_as_its_person_may_delete_it(picture: str) -> None:
    first = NAMED[picture]("Ada")
    misses = {where: kept.cache_info().misses for where, kept in _all_kept().items()}
    assert NAMED[picture]("daA") != first, "the same letters, each of which is known"
    assert {where: kept.cache_info().misses for where, kept in _all_kept().items()} == misses

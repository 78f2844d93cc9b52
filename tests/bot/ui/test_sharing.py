"""Results as text: what is copied out of Discord, to the last byte."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily
from bot.domain.table import Status, Table
from bot.ui.challenge import attempt_text
from bot.ui.table import game_text
from highscore import TurnOrder
from tests.bot.cores import NOW, game_of
from tests.bot.games import scored
from tests.bot.ui.tables import table_of
from tests.bot.ui.test_daily import finished
from tests.bot.ui.test_run import content

BEFORE = NOW - timedelta(minutes=1)


def _compared(*results: int, averages: tuple[float, ...], medians: tuple[float, ...] = ()) -> Attempt[Daily]:
    """Return an attempt with these results, at a day that ends NOW."""
    attempt = finished(1)
    rounds = [
        replace(ended, turns=(replace(ended.turns[0], result=result),))
        for ended, result in zip(attempt.game.finished, results, strict=True)
    ]
    game, day = replace(attempt.game, finished=tuple(rounds)), replace(attempt.challenge, averages=averages)
    return replace(attempt, game=game, challenge=day, medians=medians)


def _text(attempt: Attempt[Daily], *, over: bool) -> str:
    shown, *rest = content(attempt_text(attempt, NOW if over else BEFORE))
    assert rest == [[], [], None], "a long press would copy less than the whole answer"
    assert isinstance(shown, str)
    return shown


def test_the_signs_of_a_day_are_sorted_until_it_is_over() -> None:
    attempt = _compared(3, 20, 0, 31, -7, 12, 21, averages=(20.0, 20.0, 1.0, 20.0, 5.0, 12.5, 20.0))
    assert _text(attempt, over=False) == "High Score #68 · 87\n🟩🟩🟩⚪⚪⚪⚪"
    assert _text(attempt, over=True) == "High Score #68 · 87\n⚪🟩⚪🟩⚪⚪🟩"


def test_what_is_equal_to_the_median_has_reached_it_whatever_the_average_is() -> None:
    medians = (3.0, 20.5, 0.0, 30.5, 0.0, 12.0, 21.5)
    attempt = _compared(3, 20, 0, 31, -7, 12, 21, averages=(99.0,) * 7, medians=medians)
    assert _text(attempt, over=True).endswith("\n🟩⚪🟩🟩🟩🟩⚪")


def test_what_was_played_after_its_day_says_so() -> None:
    late = replace(_compared(*[1] * 7, averages=(1.0,) * 7), ranked=False)
    assert (
        _text(late, over=True)
        == "High Score #68 · 7\n🟩🟩🟩🟩🟩🟩🟩\nIt isn't ranked, because it was played after its day."
    )


def _played(*rounds: tuple[int, ...], status: Status = Status.FINISHED) -> Table:
    return replace(table_of(len(rounds[0])), game=scored(*rounds), status=status)


def test_the_medals_of_a_game_are_the_chips_in_the_order_of_the_rounds_and_contain_no_name() -> None:
    table = _played((9, 5, 0), (0, 5, 9), (5, 9, 1), (9, 5, 0), (0, -3, 0), (9, 5, 0), (9, 5, 0))
    texts = [game_text(table, seat) for seat in range(3)]
    assert [None if text is None else content(text) for text in texts] == [
        ["High Score: place 1 of 3 · 14\n🥇⚪🥈🥇⚪🥇🥇", [], [], None],
        ["High Score: place 2 of 3 · 13\n🥈🥈🥇🥈⚪🥈🥈", [], [], None],
        ["High Score: place 3 of 3 · 4\n⚪🥇🥉⚪⚪⚪⚪", [], [], None],
    ]


def _alone() -> Table:
    """Return a game in own pace that only one of two people began."""
    table = _played(*[(9, 5)] * 7)
    return replace(table, game=replace(game_of(table), turn_order=TurnOrder.OWN_PACE, left_out=(1,)))


@pytest.mark.parametrize(
    ("table", "seat"),
    [
        (_played(*[(9, 5)] * 7), None),
        (_played(*[(9, 5)] * 3, status=Status.ABANDONED), 0),
        (_played(*[(9, 5)] * 3, status=Status.PLAYING), 0),
        (_alone(), 0),
        (table_of(2), 0),
    ],
    ids=["no seat", "ended early", "running", "alone", "lobby"],
)
def test_without_a_result_in_a_finished_game_there_is_no_text(table: Table, seat: int | None) -> None:
    assert game_text(table, seat) is None

"""Every order of the leaderboard against sorting by hand, page by page, with many ties."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from bot.domain.errors import Refused
from bot.domain.leaderboard import PAGE, Order
from bot.domain.ledger import PlayerStanding
from bot.domain.season import ALL_TIME
from bot.services import leaderboard as boards
from tests.bot.results.boards import SEASON, add, standing
from tests.bot.results.games import GUILD, Club

PEOPLE = 57


@dataclass(frozen=True)
class Expected:
    user_id: int
    place: int


def _line(rng: random.Random, user_id: int) -> PlayerStanding:
    return standing(
        GUILD,
        user_id,
        f"p{user_id}",
        games=rng.randint(1, 9),
        wins=rng.randint(0, 4),
        points=rng.randint(0, 30),
        best=rng.choice([None, -3, 0, 20, 30]),
        rating=rng.choice([None, -2.5, 0.0, 1.25, 7.5]),
        win_rate=rng.choice([None, 0.0, 0.25, 0.5]),
        loss_rate=rng.choice([None, 0.0, 0.125, 0.25]),
    )


def _expected(lines: list[PlayerStanding], order: Order) -> list[Expected]:
    ranked = [(order.of(line), line) for line in lines]
    sign = 1 if order.ascending else -1
    best_first = sorted(
        ((sign * value, sign * line.user_id, line) for value, line in ranked if value is not None),
        key=lambda each: each[:2],
    )
    return [
        Expected(line.user_id, 1 + sum(other < value for other, _, _ in best_first)) for value, _, line in best_first
    ]


@pytest.mark.parametrize("order", Order)
async def test_pages_and_places_are_those_of_sorting_by_hand(games: Club, order: Order) -> None:
    rng = random.Random(order.value)
    lines = [_line(rng, user_id) for user_id in range(1, PEOPLE + 1)]
    elsewhere = [standing(GUILD + 1, 1, "x", rating=99.0), standing(GUILD, 1, "x", ALL_TIME, rating=99.0, wins=99)]
    await add(games.core.database, [*lines, *elsewhere])
    expected = _expected(lines, order)
    assert len({line.place for line in expected}) < len(expected), "there are ties"
    seen: list[Expected] = []
    page = 0
    while True:
        board = await boards.leaderboard(games.core, GUILD, SEASON, order, page, 1)
        seen += [Expected(line.standing.user_id, line.place or 0) for line in board.lines]
        assert len(board.lines) <= PAGE
        if not board.more:
            break
        page += 1
    assert seen == expected
    beyond = await boards.leaderboard(games.core, GUILD, SEASON, order, page + 5, 1)
    assert (beyond.lines, beyond.more) == ([], False)


@pytest.mark.parametrize("order", Order)
async def test_your_own_line_is_there_on_every_page(games: Club, order: Order) -> None:
    rng = random.Random(order.value)
    lines = [_line(rng, user_id) for user_id in range(1, PEOPLE + 1)]
    await add(games.core.database, lines)
    places = {line.user_id: line.place for line in _expected(lines, order)}
    for user_id in range(1, PEOPLE + 1):
        board = await boards.leaderboard(games.core, GUILD, SEASON, order, user_id % 4, user_id)
        assert board.own is not None
        assert (board.own.standing.user_id, board.own.place) == (user_id, places.get(user_id))
    stranger = await boards.leaderboard(games.core, GUILD, SEASON, order, 0, 999)
    assert stranger.own is None


async def test_periods_by_name(games: Club) -> None:
    find = boards.find_period
    assert await find(games.core, GUILD, "season") == "2026-Q1"
    assert await find(games.core, GUILD, "month") == "2026-01"
    assert await find(games.core, GUILD, "all") == "all"
    assert await find(games.core, GUILD, " 2024-q3 ") == "2024-Q3"
    for nonsense in ("", "yesterday", "2024-Q7", "*"):
        with pytest.raises(Refused, match="no such season"):
            await find(games.core, GUILD, nonsense)

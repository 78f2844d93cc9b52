import random
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.calendar import ALL_TIME, end_of_day, last_day
from bot.domain.errors import Refused
from bot.domain.leaderboard import LINES_PER_PAGE, Order
from bot.domain.ledger import PlayerStanding
from bot.domain.server_settings import ServerSettings
from bot.services.leaderboard import find_current_season, find_period, load_leaderboard, load_past_seasons
from tests.bot.games import GUILD, SEASON, Club, add, people, standing, wins

pytestmark = pytest.mark.both_databases

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
        opponents=rng.randint(2, 3),
        win_rate=rng.choice([None, 0.0, 0.25, 0.5]),
        loss_rate=rng.choice([None, 0.0, 0.125, 0.25]),
    )


def _expected(lines: list[PlayerStanding], order: Order) -> list[Expected]:
    ranked = [(order.read_value(line), line) for line in lines if order is not Order.RATING or line.opponents == 3]
    sign = 1 if order.ascending else -1
    best_first = sorted(
        ((sign * value, sign * line.user_id, line) for value, line in ranked if value is not None),
        key=lambda each: each[:2],
    )
    return [
        Expected(line.user_id, 1 + sum(other < value for other, _, _ in best_first)) for value, _, line in best_first
    ]


async def test_pages_and_places_are_those_of_sorting_by_hand(games: Club) -> None:
    rng = random.Random(1)
    lines = [_line(rng, user_id) for user_id in range(1, PEOPLE + 1)]
    elsewhere = [standing(GUILD + 1, 1, "x", rating=99.0), standing(GUILD, 1, "x", ALL_TIME, rating=99.0, wins=99)]
    await add(games.core.database, [*lines, *elsewhere])
    for order in Order:
        expected = _expected(lines, order)
        assert len({line.place for line in expected}) < len(expected), "there are ties"
        ranked: list[Expected] = []
        page = 0
        while True:
            board = await load_leaderboard(games.core, GUILD, SEASON, order, page, 1)
            ranked += [Expected(line.standing.user_id, line.place or 0) for line in board.lines]
            assert len(board.lines) <= LINES_PER_PAGE
            if not board.has_more:
                break
            page += 1
        assert ranked == expected
        beyond = await load_leaderboard(games.core, GUILD, SEASON, order, page + 5, 1)
        assert (beyond.lines, beyond.has_more) == ([], False)
        # Everybody's own line comes with every page.
        places = {line.user_id: line.place for line in expected}
        for user_id in range(1, PEOPLE + 1, 5):
            board = await load_leaderboard(games.core, GUILD, SEASON, order, user_id % 4, user_id)
            assert board.own is not None
            assert (board.own.standing.user_id, board.own.place) == (user_id, places.get(user_id))
            # The player just ahead is the last one with a better place.
            better = [line for line in expected if line.place < places.get(user_id, 0)]
            ahead = None if board.ahead is None else Expected(board.ahead.standing.user_id, board.ahead.place or 0)
            assert ahead == (better[-1] if better else None)
        assert (await load_leaderboard(games.core, GUILD, SEASON, order, 0, 999)).own is None


async def test_periods_by_name(games: Club) -> None:
    named = {"season": "2026-Q1", "month": "2026-01", "all": "all", " 2024-q3 ": "2024-Q3"}
    assert {text: await find_period(games.core, GUILD, text) for text in named} == named
    for nonsense in ("", "yesterday", "2024-Q7", "*"):
        with pytest.raises(Refused, match="Pick one"):
            await find_period(games.core, GUILD, nonsense)


@pytest.mark.parametrize(
    ("zone", "local", "season", "month"),
    [
        ("Europe/Berlin", "2026-03-31 23:59:59", "2026-Q1", "2026-03"),
        ("Europe/Berlin", "2026-04-01 00:00:00", "2026-Q2", "2026-04"),
    ],
)
async def test_a_game_counts_in_the_season_of_the_servers_time_zone(
    games: Club, zone: str, local: str, season: str, month: str
) -> None:
    games.core.guilds[GUILD] = ServerSettings(zone=zone)
    games.now = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    assert await find_current_season(games.core, GUILD) == season
    await games.end(people(1, 2), *wins(0))
    assert await games.rows("select season, month from finished_games") == [(season, month)]
    ((ends_at,),) = await games.rows("select ends_at from seasons")
    ends = datetime.fromisoformat(ends_at).replace(tzinfo=UTC)
    assert ends == end_of_day(last_day(season), zone) > games.now


async def test_each_season_rates_from_the_beginning(games: Club) -> None:
    await games.end(people(1, 2), *wins(0))
    first = await games.standing(1, "2026-Q1")
    games.after(days=100)
    await games.end(people(1, 2), *wins(0))
    second, ever = await games.standing(1, "2026-Q2"), await games.standing(1)
    assert (second["games"], second["mu"]) == (1, first["mu"])
    assert ever["games"] == 2
    assert ever["mu"] > second["mu"]
    assert await games.standing(1, "2026-Q1") == first
    assert await load_past_seasons(games.core, GUILD) == ["2026-Q1"]

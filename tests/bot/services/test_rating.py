"""Games that count, and for whom (R9.6): every way to get more out of them than was played."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.domain.leaderboard import Order
from bot.domain.rating import GAMES_A_DAY, GAMES_OF_A_PAIR
from bot.domain.season import ALL_TIME
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Table
from bot.services import lobby, privacy
from bot.services.absence import continue_table, leave_game
from bot.services.core import Change, Person, change_table, get_table
from bot.services.leaderboard import load_leaderboard
from bot.services.rebuild import rebuild
from bot.services.turn import decide_turn
from bot.ui.table import render_table
from highscore.events import TakeDice
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, EVE, GUILD, begun
from tests.bot.games import Club, scored, wins


async def begin(games: Club, *them: Person, order: TurnOrder = TurnOrder.CLOCKWISE) -> Table:
    """Begin a game of these people, in a channel of its own."""
    games.games += 1
    games.core.tables_per_host = games.games
    wishes = lobby.NewTable(order=order)
    table = await lobby.open_table(
        games.core, them[0], guild_id=GUILD, channel_id=games.games, locale="en", wishes=wishes
    )
    for person in them[1:]:
        await lobby.join_table(games.core, table.id, person)
    return await begun(games.core, table.id, them[0])


async def end(games: Club, *them: Person, winner: int = 0, by_house: Mapping[int, int] | None = None) -> Table:
    """Begin a game of these people and let one seat win it; the house plays so many last turns of others."""
    return await over(games, await begin(games, *them), winner, by_house)


async def over(games: Club, table: Table, winner: int = 0, by_house: Mapping[int, int] | None = None) -> Table:
    """Let a game that has begun end like this."""
    game = scored(*wins(winner, len(table.seats)), by_house=by_house)
    return await change_table(games.core, table.id, lambda current: Change(continue_table(current, game)))


async def line(games: Club, person: Person) -> dict[str, Any]:
    return await games.standing(person.user_id, guild_id=GUILD)


async def ranked(games: Club) -> list[int]:
    """Return the people on the board of ratings, the best first."""
    board = await load_leaderboard(games.core, GUILD, ALL_TIME, Order.RATING, 0, ADA.user_id)
    return [one.standing.user_id for one in board.lines]


@pytest.mark.parametrize("house_wins", [True, False])
async def test_who_leaves_with_three_own_turns_loses_and_takes_nobodys_win_along(games: Club, house_wins: bool) -> None:
    await end(games, ADA, BEN, winner=int(house_wins), by_house={1: 4})
    ada, ben = await line(games, ADA), await line(games, BEN)
    assert (ada["wins"], ada["rated"], ada["streak"]) == (1, 1, 1)
    assert (ben["wins"], ben["rated"], ben["streak"], ben["points"]) == (0, 1, -1, 0)
    assert ada["rating"] > 0 > ben["rating"]


async def test_a_turn_somebody_began_is_theirs_and_leaving_in_it_saves_nothing(games: Club) -> None:
    """Leaving, or deleting one's data, after a bad throw costs the game all the same."""
    table = await begin(games, ADA, BEN, order=TurnOrder.OPEN)
    table = await decide_turn(games.core, table.id, BEN.user_id, TakeDice(), version=table.version)
    await games.play_on(await leave_game(games.core, table.id, BEN))
    assert [(await line(games, one))["rated"] for one in (ADA, BEN)] == [1, 1]


async def test_who_deletes_their_data_in_the_middle_takes_nobodys_win_along(games: Club) -> None:
    for _game in range(2):
        await games.play_on(await begin(games, ADA, BEN))
    won = (await line(games, ADA))["wins"]
    running = [await games.play_on(await begin(games, ADA, BEN), rounds=3) for _game in range(2)]
    await privacy.erase_person(games.core, BEN)
    for table in running:
        await games.play_on(await get_table(games.core, table.id))
    ada = await line(games, ADA)
    assert (ada["rated"], ada["wins"]) == (4, won + 2)
    assert await games.rows("select distinct user_id from standings") == [(ADA.user_id,)]
    written = await games.books()
    await rebuild(games.core)
    assert await games.books() == written


async def test_a_pair_gets_five_games_a_day_and_a_deletion_none_more(games: Club) -> None:
    for _game in range(GAMES_OF_A_PAIR):
        assert all(seat.counts for seat in (await begin(games, ADA, BEN)).seats)
    await privacy.erase_person(games.core, BEN)
    for pair in ((ADA, BEN), (BEN, ADA)):
        assert not any(seat.counts for seat in (await end(games, *pair)).seats)
    ada = await line(games, ADA)
    assert (ada["games"], ada["rated"], ada["wins"], ada["rating"]) == (2, 0, 0, None)
    assert all(seat.counts for seat in (await begin(games, ADA, BEN, CEM)).seats), "an evening of friends counts"
    games.after(days=1)
    assert all(seat.counts for seat in (await begin(games, ADA, BEN)).seats)


async def test_a_third_account_that_only_sits_there_gets_a_pair_no_more_games(games: Club) -> None:
    """The exploit: ten games a day, where the two of them alone have five."""
    for number in range(12):
        last = await end(games, ADA, BEN, CEM, winner=number % 2, by_house={2: 7})
    assert [seat.counts for seat in last.seats] == [False, False, False]
    ada, ben = await line(games, ADA), await line(games, BEN)
    assert [(one["games"], one["rated"], one["wins"]) for one in (ada, ben)] == [(12, 5, 3), (12, 5, 2)]
    assert not any(seat.counts for seat in (await begin(games, ADA, BEN)).seats), "no others count than these"
    written = await games.books()
    await rebuild(games.core)
    assert await games.books() == written


async def test_a_game_that_a_pair_has_played_alone_is_one_of_the_day_on_which_it_ends(games: Club) -> None:
    """Otherwise it would be none of any day, where all are begun on one and end on the next."""
    running = [await begin(games, ADA, BEN, CEM) for _game in range(GAMES_A_DAY)]
    games.after(days=1)
    for table in running:
        last = await over(games, table, by_house={2: 7})
    assert (await line(games, ADA))["rated"] == GAMES_OF_A_PAIR
    assert [seat.counts for seat in last.seats] == [False, False, True]
    told = str([field.value for field in render_table(last).embeds[0].fields])
    assert "Not rated for: 🔴 Ada and 🔷 Ben. Most rated games a day: 10, with the same single opponent: 5." in told


async def test_who_deletes_their_data_is_one_and_the_same_single_opponent(games: Club) -> None:
    running = [await games.play_on(await begin(games, ADA, BEN, CEM), 3, {2: 7}) for _game in range(7)]
    await privacy.erase_person(games.core, BEN)
    for table in running:
        await games.play_on(await get_table(games.core, table.id), by_house={2: 7})
    assert (await line(games, ADA))["rated"] == GAMES_OF_A_PAIR


async def test_an_evening_of_three_counts_whole_and_leaves_each_pair_its_games(games: Club) -> None:
    for _game in range(GAMES_A_DAY):
        assert all(seat.counts for seat in (await end(games, ADA, BEN, CEM, by_house={2: 6})).seats)
    assert [(await line(games, one))["rated"] for one in (ADA, BEN, CEM)] == [GAMES_A_DAY] * 3
    assert [seat.counts for seat in (await end(games, ADA, DOT)).seats] == [False, True]


async def test_fifty_wins_in_a_row_are_five_and_lead_no_board_where_others_play(games: Club) -> None:
    await end(games, CEM, DOT)
    for _game in range(12):
        games.after(seconds=4)
        await end(games, ADA, BEN)
    ada = await line(games, ADA)
    assert [ada[name] for name in ("games", "rated", "wins", "longest", "gold")] == [12, 5, 5, 5, 35]
    assert await ranked(games) == []


async def test_five_accounts_get_ten_games_a_day(games: Club) -> None:
    them = (ADA, BEN, CEM, DOT, EVE)
    for _game in range(GAMES_A_DAY):
        await end(games, *them)
    before = await games.rows("select period, user_id, rating, wins, points, best from standings order by 1, 2")
    last = await end(games, *them)
    assert not any(seat.counts for seat in last.seats)
    assert await games.rows("select period, user_id, rating, wins, points, best from standings order by 1, 2") == before
    assert await games.rows("select count(*), count(formula) from finished_games") == [(11, 10)]


async def test_who_has_had_enough_games_spoils_no_game_of_the_others(games: Club) -> None:
    for _game in range(GAMES_A_DAY):
        await begin(games, ADA, BEN, CEM)
    table = await end(games, ADA, DOT, EVE, winner=1)
    assert [seat.counts for seat in table.seats] == [False, True, True]
    ada, dot = await line(games, ADA), await line(games, DOT)
    assert [(one["games"], one["rated"], one["wins"]) for one in (ada, dot)] == [(1, 0, 0), (1, 1, 1)]
    assert dot["opponents"] == 2


async def test_the_day_is_the_servers_and_a_game_counts_on_that_on_which_it_begins(games: Club) -> None:
    games.core.guilds[GUILD] = ServerSettings(zone="Asia/Tokyo")
    games.now = games.now.replace(hour=14, minute=59)  # 23:59 in Tokyo
    late = [await begin(games, ADA, BEN) for _game in range(GAMES_OF_A_PAIR + 1)]
    games.after(minutes=1)
    assert [table.seats[0].counts for table in (*late, await begin(games, ADA, BEN))] == [True] * 5 + [False, True]


async def test_somebody_met_is_who_has_made_four_turns(games: Club) -> None:
    """The exploit: three accounts that make one turn each. Nor does who plays no more hold anybody off the board."""
    for other in (BEN, CEM, DOT):
        await end(games, ADA, other, by_house={1: 4})
    assert [(await line(games, one))["opponents"] for one in (ADA, BEN)] == [0, 1]
    assert len(await ranked(games)) == 4, "nobody else has played enough"
    await end(games, ADA, BEN, by_house={1: 3})
    await end(games, CEM, EVE)
    assert [(await line(games, one))["opponents"] for one in (ADA, BEN)] == [1, 1]
    assert await ranked(games) == [], "there are three more who have"


async def test_ranked_is_who_has_met_three_people_or_all_there_are(games: Club) -> None:
    await end(games, ADA, BEN, EVE, by_house={2: 7})
    assert await ranked(games) == [ADA.user_id, BEN.user_id], "nobody else plays"
    await end(games, CEM, DOT)
    assert await ranked(games) == []
    board = await load_leaderboard(games.core, GUILD, ALL_TIME, Order.RATING, 0, ADA.user_id)
    assert board.own is not None
    assert (board.own.place, board.own.standing.rating is None) == (None, False)
    await end(games, ADA, BEN)
    await end(games, ADA, CEM)
    assert await ranked(games) == [], "the same person again is nobody else"
    await end(games, ADA, DOT)
    assert await ranked(games) == [ADA.user_id]
    assert await games.rows("select distinct opponents from standings where user_id = :ada", ada=ADA.user_id) == [(3,)]
    games.after(days=100)
    await end(games, ADA, BEN)
    await end(games, ADA, DOT, by_house={1: 4})
    periods = await games.rows(
        "select period, opponents from standings where user_id = :ada order by 1", ada=ADA.user_id
    )
    assert [number for _period, number in periods] == [3, 1, 3, 1, 3], "each period counts anew"

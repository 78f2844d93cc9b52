"""Games that count, and for whom (R9.6): every way to get more out of them than was played."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.domain import calendar, leaderboard
from bot.domain.ledger import BEGINNER, Rating, rate_game
from bot.domain.outcome import GAMES_A_DAY, UNRATED_DAYS
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status, Table
from bot.services import cancelling, lobby, privacy
from bot.services.away import close_table, kick_player, leave_game, remove_member, skip_turn
from bot.services.core import Change, Core, Person, change_table, get_table
from bot.services.leaderboard import load_leaderboard, rebuild
from bot.ui.table import render_table
from highscore import TakeDice, TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, EVE, GUILD, MOD, begun, open_one
from tests.bot.games import Club, random_seats, scored, wins
from tests.bot.services.clocked import Clocked


async def begin(games: Club, *them: Person, order: TurnOrder = TurnOrder.CLOCKWISE) -> Table:
    games.games += 1
    games.core.tables_per_host = games.games
    table = await open_one(games.core, them[0], channel_id=games.games, order=order)
    for person in them[1:]:
        await lobby.join_table(games.core, table.id, person)
    return await begun(games.core, table.id, them[0])


async def end(games: Club, *them: Person, winner: int = 0, by_house: Mapping[int, int] | None = None) -> Table:
    """Begin a game of these people and let one seat win it; the house plays so many last turns of others."""
    table, game = await begin(games, *them), scored(*wins(winner, len(them)), by_house=by_house)
    return await change_table(games.core, table.id, lambda current: Change(replace(current, game=game)))


async def line(games: Club, person: Person) -> dict[str, Any]:
    return await games.standing(person.user_id, guild_id=GUILD)


async def ranked(games: Club) -> list[int]:
    board = await load_leaderboard(games.core, GUILD, calendar.ALL_TIME, leaderboard.Order.RATING, 0, ADA.user_id)
    return [one.standing.user_id for one in board.lines]


def counting(table: Table) -> list[int | None]:
    return [seat.user_id for seat in table.seats if seat.counts]


@pytest.mark.parametrize("order", [TurnOrder.CLOCKWISE, TurnOrder.OPEN])
@pytest.mark.parametrize("way", ["leaves", "is removed", "is gone", "stays away"])
async def test_who_has_taken_the_dice_in_round_one_is_compared_whatever_happens_then(
    play: Clocked, order: TurnOrder, way: str
) -> None:
    """Ben takes the dice, sees his first roll, and goes in the middle of his first turn. Ada's win is hers."""
    table = await play.begin(order=order)
    if order is TurnOrder.CLOCKWISE and table.game is not None and table.game.may_act == (0,):
        await play.turn(0)
    await play.decide(1, TakeDice())
    core, table_id = play.core, play.table_id
    match way:
        case "leaves":
            await leave_game(core, table_id, BEN)
        case "is removed":
            await kick_player(core, table_id, MOD, BEN.user_id)
        case "is gone":
            await remove_member(core, table_id, BEN.user_id)
    table = await finish_by(play, 0)
    results = await Club(core).rows("select mu_after is not null, house_turns from results order by seat")
    assert results == [(1, 0), (1, 6)]
    assert [(await line(Club(core), one))["rated"] for one in (ADA, BEN)] == [1, 1]
    assert [(await line(Club(core), one))["wins"] for one in (ADA, BEN)] == [1, 0]
    ada, ben = rate_game([BEGINNER] * 2, [1, 2])
    assert ((await line(Club(core), ADA))["mu"], (await line(Club(core), BEN))["mu"]) == (ada.mu, ben.mu)


async def finish_by(play: Clocked, *seats: int) -> Table:
    """Let these seats play their turns to the end of the game; the time of all others runs out."""
    while (table := await play.table()).status is Status.PLAYING:
        assert table.game is not None
        waiting = [seat for seat in seats if seat in table.game.may_act and not table.house_plays(seat)]
        if waiting:
            await play.turn(waiting[0])
        elif table.timing.asleep_until is not None:
            await play.press(seats[0])
        else:
            await play.wait_until(table.timing.wake_at)
    return table


async def test_who_lets_the_house_play_and_returns_only_when_ahead_wins_nothing_by_it(play: Clocked) -> None:
    """The exploit: the house plays, and its player comes back only to a game that goes well, which won 72 % of them."""
    await play.begin(order=TurnOrder.OPEN)
    await play.turn(0)
    await play.miss()
    for _round in range(6):
        await play.turn(0)
        await play.turn(1)
    games = Club(play.core)
    assert (await play.table()).status is Status.FINISHED
    assert await games.rows("select house_turns, mu_after from results order by seat") == [(0, None), (1, None)]
    ben = await line(games, BEN)
    assert [ben[name] for name in ("games", "rated", "counted", "wins", "points", "gold")] == [1, 0, 0, 0, 0, 0]
    assert ben["best"] is not None, "his own turns are his best results all the same"
    assert await games.rows("select count(*) from badges") == [(0,)]


@pytest.mark.both_databases
async def test_a_skipped_first_turn_is_not_begun_and_a_later_one_changes_nothing(play: Clocked) -> None:
    await play.begin(3, TurnOrder.OPEN)
    for seat in (0, 1):
        await play.turn(seat)
    await skip_turn(play.core, play.table_id, MOD)
    for seat in (0, 2):
        await play.turn(seat)
    await skip_turn(play.core, play.table_id, MOD)
    while (table := await play.table()).status is Status.PLAYING:
        assert table.game is not None
        await play.turn(table.game.may_act[0])
    rated = await Club(play.core).rows("select user_id, house_turns from results where mu_after is not null order by 1")
    assert rated == [(ADA.user_id, 0), (BEN.user_id, 1)]


async def test_the_event_log_says_who_is_compared(games: Club) -> None:
    """In games at random, by a second reading of the log: a turn is of who took the dice."""
    for _game in range(25):
        away = {at: games.rng.randint(0, 7) for at in range(5) if games.rng.random() < 0.5}
        await games.finish(random_seats(games.rng, (11, 12, 13, 14)), by_house=away)
    numbers = set()
    for number in range(1, games.games + 1):
        game = {"game": f"{number:012x}"}
        own: dict[int, list[bool]] = {}
        for (lines,) in await games.rows("select lines from events where game_id = :game order by seq", **game):
            for seat, *words in (text.split() for text in lines.splitlines() if text.endswith("take")):
                own.setdefault(int(seat), []).append("house" not in words)
        people = await games.rows("select seat from seats where game_id = :game and user_id > 0 and counts", **game)
        begun = sorted(seat for (seat,) in people if own[seat][0])
        rated = len(begun) > 1 and any(sum(own[seat]) >= 4 for seat in begun)
        rows = await games.rows("select seat from results where game_id = :game and mu_after is not null", **game)
        assert sorted(seat for (seat,) in rows) == (begun if rated else [])
        numbers.add(len(rows))
    assert {0, 2, 3} <= numbers


@pytest.mark.parametrize("order", list(TurnOrder))
async def test_who_rolls_and_looks_gets_rid_of_the_game_in_no_way(play: Clocked, order: TurnOrder) -> None:
    """The exploit: roll, look, cancel, repeat, until the first roll is a good one."""
    table = await play.begin(order=order)
    if order is TurnOrder.OWN_PACE:
        await play.decide_alone(ADA, TakeDice(), step=0)
    else:
        if table.game is not None and table.game.may_act == (1,):
            await play.turn(1)
        await play.decide(0, TakeDice())
    assert (await cancelling.cancel_table(play.core, play.table_id, ADA)).status is Status.PLAYING, "Ben has to agree"
    table = await leave_game(play.core, play.table_id, ADA)
    assert table.status is Status.PLAYING
    if order is TurnOrder.OWN_PACE:
        await play.cards(BEN, 7)
    table = await finish_by(play, *((1,) if order is not TurnOrder.OWN_PACE else ()))
    assert table.status is Status.FINISHED
    ada, ben = [await line(Club(play.core), one) for one in (ADA, BEN)]
    assert (ada["rated"], ada["wins"], ben["wins"]) == (1, 0, 1)


async def test_ten_starts_without_a_result_use_up_nobodys_allowance(games: Club) -> None:
    """The exploit: one starts games with four others and cancels them, so that their evening is not rated."""
    them = (ADA, BEN, CEM, DOT, EVE)
    for number in range(GAMES_A_DAY):
        table = await begin(games, *them)
        assert len(counting(table)) == 5
        if number % 2:
            await cancelling.cancel_table(games.core, table.id, ADA)
        else:
            await close_table(games.core, table.id, "nobody came back")
    running = [await begin(games, *them) for _game in range(GAMES_A_DAY)]
    assert [len(counting(table)) for table in running] == [5] * GAMES_A_DAY
    assert counting(late := await begin(games, *them)) == []
    await cancelling.cancel_table(games.core, running[0].id, ADA)
    assert len(counting(await begin(games, *them))) == 5, "returned for games that start later"
    assert counting(await get_table(games.core, late.id)) == [], "and not for one that has started"


async def test_who_has_had_enough_games_spoils_no_game_of_the_others(games: Club) -> None:
    for _game in range(GAMES_A_DAY):
        await begin(games, ADA, BEN)
    table = await end(games, ADA, DOT, EVE)
    assert counting(table) == [DOT.user_id, EVE.user_id]
    ada, dot, eve = [await line(games, one) for one in (ADA, DOT, EVE)]
    assert [(one["games"], one["rated"], one["wins"]) for one in (ada, dot, eve)] == [(1, 0, 0), (1, 1, 1), (1, 1, 0)]
    assert (dot["opponents"], dot["mu"]) == (1, rate_game([BEGINNER] * 2, [1, 2])[0].mu)
    told = str([field.value for field in render_table(table).embeds[0].fields])
    assert "This game is not rated for 🔴 Ada. Only your first 10 games a day are rated" in told


async def test_the_day_is_the_servers_and_a_game_counts_on_that_on_which_it_starts(games: Club) -> None:
    games.core.guilds[GUILD] = ServerSettings(zone="Asia/Tokyo")
    games.now = games.now.replace(hour=14, minute=59)  # 23:59 in Tokyo
    late = [await begin(games, ADA, BEN) for _game in range(GAMES_A_DAY + 1)]
    games.after(minutes=1)
    assert [table.seats[0].counts for table in (*late, await begin(games, ADA, BEN))] == [True] * 10 + [False, True]


@pytest.mark.both_databases
async def test_who_deletes_their_data_during_a_game_is_not_compared_and_takes_nobodys_win_along(games: Club) -> None:
    for _game in range(2):
        await games.play_on(await begin(games, ADA, BEN))
    before = await line(games, ADA)
    pair, three = await begin(games, ADA, BEN), await begin(games, ADA, BEN, CEM)
    for table in (pair, three):
        await games.play_on(table, rounds=5)
    await privacy.erase_person(games.core, BEN)
    await games.play_on(await get_table(games.core, pair.id))
    alone = await line(games, ADA)
    assert (alone["rated"], alone["wins"], alone["opponents"]) == (3, before["wins"] + 1, 0)
    assert (alone["mu"], alone["sigma"]) == (before["mu"], before["sigma"])
    await games.play_on(await get_table(games.core, three.id))
    ada, cem = await line(games, ADA), await line(games, CEM)
    places = [place for (place,) in await games.rows("select place from results where game_id = :game", game=three.id)]
    expected = rate_game([Rating(before["mu"], before["sigma"]), BEGINNER], [places[0], places[2]])
    assert [(one["mu"], one["sigma"]) for one in (ada, cem)] == [(one.mu, one.sigma) for one in expected]
    assert await games.rows("select distinct user_id from standings order by 1") == [(ADA.user_id,), (CEM.user_id,)]
    written = await games.books()
    await rebuild(games.core)
    assert await games.books() == written


@pytest.mark.both_databases
async def test_a_game_that_ends_in_the_middle_of_a_deletion_compares_nobody_with_them(
    games: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await games.play_on(await begin(games, ADA, BEN), rounds=5)

    async def over_first(_core: Core, _user_id: int) -> None:
        await games.play_on(await get_table(games.core, table.id))

    monkeypatch.setattr(privacy, "_forget_moves", over_first)
    await privacy.erase_person(games.core, BEN)
    assert await games.rows("select mu_after is not null from results order by seat") == [(1,), (0,)]
    assert (await line(games, ADA))["opponents"] == 0


async def test_for_thirty_days_after_a_deletion_no_game_on_that_server_is_rated_for_them(games: Club) -> None:
    await end(games, ADA, BEN)
    await privacy.erase_person(games.core, BEN)
    games.after(days=UNRATED_DAYS, microseconds=-1)
    assert counting(await begin(games, ADA, BEN, CEM)) == [ADA.user_id, CEM.user_id]
    assert counting(await begin(games, ADA, BEN)) == []
    elsewhere = await open_one(games.core, BEN, channel_id=99, guild_id=GUILD + 1)
    await lobby.join_table(games.core, elsewhere.id, ADA)
    assert counting(await begun(games.core, elsewhere.id, BEN)) == [BEN.user_id, ADA.user_id], "he never played there"
    games.after(microseconds=1)
    assert counting(await begin(games, ADA, BEN)) == [ADA.user_id, BEN.user_id]


@pytest.mark.both_databases
async def test_ranked_is_who_has_met_three_people_or_all_there_are(games: Club) -> None:
    await end(games, ADA, BEN, EVE, by_house={2: 7})
    assert await ranked(games) == [ADA.user_id, BEN.user_id], "nobody else plays"
    await end(games, CEM, DOT)
    assert await ranked(games) == []
    board = await load_leaderboard(games.core, GUILD, calendar.ALL_TIME, leaderboard.Order.RATING, 0, ADA.user_id)
    assert board.own is not None
    assert (board.own.place, board.own.standing.rating is None) == (None, False)
    await end(games, ADA, BEN)
    await end(games, ADA, CEM)
    assert await ranked(games) == [], "the same person again is nobody else"
    await end(games, ADA, DOT, by_house={1: 5})
    assert await ranked(games) == [ADA.user_id]
    assert await games.rows("select distinct opponents from standings where user_id = :ada", ada=ADA.user_id) == [(3,)]
    games.after(days=100)
    await end(games, ADA, BEN)
    periods = await games.rows(
        "select period, opponents from standings where user_id = :ada order by 1", ada=ADA.user_id
    )
    assert [number for _period, number in periods] == [3, 1, 3, 1, 3], "each period counts its own"


async def test_a_deleted_opponent_is_none_any_more_but_in_the_seasons_that_are_closed(games: Club) -> None:
    for other in (BEN, CEM, DOT, EVE):
        await end(games, ADA, other)
    assert await ranked(games) == [ADA.user_id]
    await privacy.erase_person(games.core, BEN)
    assert await ranked(games) == [ADA.user_id], "there are three others"
    await privacy.erase_person(games.core, CEM)
    assert (await line(games, ADA))["opponents"] == 2
    assert await ranked(games) == [ADA.user_id], "nobody else plays"
    games.after(days=100)
    await privacy.erase_person(games.core, DOT)
    periods = await games.rows(
        "select period, opponents from standings where user_id = :ada order by 1", ada=ADA.user_id
    )
    assert periods == [("2026-01", 2), ("2026-Q1", 2), ("all", 1)]
    written = await games.books()
    await rebuild(games.core)
    assert await games.books() == written

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from bot.domain import deadlines, errors, notify, timing
from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.services import cancelling, lobby, privacy, setup
from bot.services.core import Core, Person
from bot.services.deadlines import OUTAGE_SECONDS, act_on_due
from bot.store.models import games, mark_keys
from bot.store.reminders import load_due_calls
from bot.store.sharing import note_shared
from bot.store.table import find_game_of_message
from bot.ui.table import render_table
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, DOT, EVE, GUILD, MOD, NOW, open_one
from tests.bot.services.clocked import Clocked

HOUR = timedelta(seconds=deadlines.RESERVED_SECONDS)
ROLE = 77


async def invite(play: Clocked, seats: int = 3) -> Table:
    table = await open_one(play.core, seats=seats, invited=(BEN, CEM))
    play.table_id = table.id
    return table


async def test_a_seat_is_kept_for_an_hour_and_then_anybodys(play: Clocked) -> None:
    table = await invite(play)
    assert (table.timing.seats_reserved_until, notify.users_called(table), notify.does_screen_call(table)) == (
        play.now + HOUR,
        (BEN.user_id, CEM.user_id),
        False,
    )
    for use_case, person in ((lobby.join_table, DOT), (lobby.add_house_player, ADA)):
        with pytest.raises(errors.Refused, match="reserved for invited players"):
            await use_case(play.core, table.id, person)
    await lobby.join_table(play.core, table.id, BEN)
    after = await play.wait(seconds=deadlines.RESERVED_SECONDS)
    assert (after.people, after.invited, after.timing.seats_reserved_until) == ((ADA.user_id, BEN.user_id), (), None)
    assert after.version == table.version + 2
    assert (await lobby.join_table(play.core, table.id, DOT)).people == (ADA.user_id, BEN.user_id, DOT.user_id)


async def test_what_lapsed_while_the_bot_was_down_is_kept_for_a_quarter_more(play: Clocked) -> None:
    table = await invite(play)
    play.now += HOUR + timedelta(seconds=OUTAGE_SECONDS + 1)
    after = await act_on_due(play.core, await play.table())
    assert after.invited == table.invited
    assert after.timing.seats_reserved_until == play.now + HOUR / 4
    assert (await play.wait_until(after.timing.seats_reserved_until)).invited == ()


async def test_news_of_a_lobby_stay_with_their_seat(play: Clocked) -> None:
    """Ben asks for a rematch and changes its pace when Cem has come; Ada, whose seat is before his, does not come."""
    old = await play.begin(3)
    await cancelling.cancel_table(play.core, old.id, ADA)
    table = await lobby.start_rematch(play.core, old.id, BEN)
    await lobby.join_table(play.core, table.id, CEM)
    table = await lobby.change_options(play.core, table.id, BEN, lobby.NewTable(pace=timing.Pace.LIVE))
    after = await lobby.leave_lobby(play.core, table.id, ADA)
    at = [[(one.seat, each.seats[one.seat].user_id) for one in each.news] for each in (table, after)]
    assert at == [[(1, BEN.user_id)], [(0, BEN.user_id)]]
    assert render_table(after).embeds


async def test_a_role_is_called_once_by_whoever_sits_there(play: Clocked) -> None:
    core = play.core
    table = await invite(play, seats=4)
    with pytest.raises(errors.Stale):
        await lobby.call_players(core, table.id, ADA, ROLE)
    await cancelling.cancel_table(core, table.id, ADA)
    await setup.change_settings(core, GUILD, player_role=ROLE)
    table = await invite(play, seats=4)
    for person in (BEN, DOT):
        with pytest.raises(errors.Refused, match="Take a seat first"):
            await lobby.call_players(core, table.id, person, ROLE)
    both = [lobby.call_players(core, table.id, ADA, ROLE) for _press in range(2)]
    results = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(isinstance(result, errors.Refused) for result in results) == [False, True]
    (call,) = await core.database.read(load_due_calls, table.id, play.now)
    assert (call.user_id, notify.is_still_called(await play.table(), call)) == (ROLE, True)
    full = await lobby.join_table(core, table.id, DOT)
    assert not notify.is_still_called(full, call), "no seat is free any more"
    again = await cancelling.cancel_table(core, table.id, ADA)
    assert await core.database.read(load_due_calls, again.id, play.now) == []
    assert (await lobby.start_rematch(core, again.id, ADA)).options.may_call, "though this table's call was made"


async def tables_after_table(play: Clocked, host: Person, *times: int, guild: int = GUILD) -> list[bool]:
    """Return whether Ben is called to each of a series of tables, opened so many minutes after the beginning."""
    calls = []
    for minutes in times:
        play.now = NOW + timedelta(minutes=minutes)
        table = await open_one(play.core, host, guild_id=guild, invited=(BEN,))
        assert table.invited == (BEN.user_id,), "the seat is kept all the same"
        assert notify.users_called(table) == tuple(sorted({*table.invited} - {*table.uncalled}))
        calls.append(notify.users_called(table) == table.invited)
        await lobby.leave_lobby(play.core, table.id, host)
    return calls


async def test_one_inviter_calls_somebody_once_in_six_hours_and_three_times_a_day_whatever_becomes_of_the_tables(
    play: Clocked,
) -> None:
    times = 0, 1, 30, 359, 360, 719, 720, 1080, 1439, 1440, 1799, 1800
    expected = [True, False, False, False, True, False, True, False, False, True, False, True]
    assert await tables_after_table(play, ADA, *times) == expected
    keys = play.core.database.read(lambda connection: connection.scalar(select(func.count()).select_from(mark_keys)))
    assert await keys == 2, "of the days before and after midnight"


@pytest.mark.parametrize("by", [[ADA, CEM, DOT, EVE], [EVE, DOT, CEM, ADA]])
async def test_nobody_is_called_more_than_six_times_a_day_on_all_servers(play: Clocked, by: list[Person]) -> None:
    hours = [60 * hour for hour in (0, 6, 12)]
    first, second, third, fourth = by
    assert await tables_after_table(play, first, *hours) == [True] * 3
    assert await tables_after_table(play, second, 721, 1081, guild=GUILD + 1) == [True] * 2
    assert await tables_after_table(play, third, 1082) == [True]
    assert await tables_after_table(play, fourth, 1083, 1439) == [False] * 2
    assert await tables_after_table(play, fourth, 1440) == [True], "the first is a day ago"


async def test_deleting_ones_data_resets_no_count(play: Clocked) -> None:
    assert await tables_after_table(play, ADA, 0) == [True]
    for person in (ADA, BEN):
        await privacy.erase_person(play.core, person)
        assert await tables_after_table(play, ADA, 1) == [False]


async def test_whoever_has_just_played_is_called_to_the_rematch_once_and_else_like_to_any_table(play: Clocked) -> None:
    assert await tables_after_table(play, ADA, 0) == [True]
    old = await play.begin(3, TurnOrder.OPEN)
    await play.turn(1)
    play.now += timedelta(minutes=20)
    await play.turn(2)
    play.now += notify.JUST_PLAYED - timedelta(minutes=19)
    await play.turn(0)
    await cancelling.cancel_table(play.core, old.id, MOD)
    for host, expected in ((ADA, {CEM}), (ADA, {CEM}), (ADA, set()), (CEM, {ADA, BEN}), (CEM, {ADA}), (CEM, set())):
        table = await lobby.start_rematch(play.core, old.id, host)
        assert {*table.invited} == {person.user_id for person in (ADA, BEN, CEM) if person is not host}
        assert {*notify.users_called(table)} == {person.user_id for person in expected}
        assert table.timing.seats_reserved_until is None, "until it starts"
        await lobby.leave_lobby(play.core, table.id, host)


@pytest.mark.both_databases
async def test_a_host_invites_later_and_two_at_once_get_a_seat_each(play: Clocked) -> None:
    table = await open_one(play.core, seats=3)
    guests = BEN, CEM, DOT
    found = await asyncio.gather(
        *(lobby.invite_person(play.core, table, ADA, guest) for guest in guests), return_exceptions=True
    )
    refused = [one for one in found if isinstance(one, Exception)]
    assert [str(one)[:5] for one in refused] == ["Until"], "no seat is left for the third"
    play.table_id = table.id
    invited = (await play.table()).invited
    assert len(invited) == 2
    calls = await play.core.database.read(load_due_calls, table.id, play.now)
    assert {call.user_id for call in calls} == set(invited)


@pytest.mark.both_databases
async def test_the_game_of_a_message_is_found_by_each_of_its_messages(core: Core) -> None:
    table = await open_one(core)
    message, opening, record, copy = (10**18 + at for at in range(4))
    values = {"message_id": message, "opening_id": opening, "log": f"[{record}]"}
    await core.database.write(lambda writing: writing.execute(update(games).values(values)))
    await core.database.write(note_shared, copy, CHANNEL + 1, table.id, Shared.REPORT)
    for place, ids in ((CHANNEL, (message, opening, record)), (CHANNEL + 1, (copy,))):
        for message_id in (message, opening, record, copy, 10**18 + 9):
            found = await core.database.read(find_game_of_message, place, message_id)
            assert found == (table.id if message_id in ids else None)

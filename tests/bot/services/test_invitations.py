"""Kept seats and the call of a role, as they are decided."""

import asyncio
from datetime import timedelta

import pytest

from bot.domain.deadlines import KEPT_SECONDS
from bot.domain.errors import Refused
from bot.domain.notify import called, page_calls, still_called
from bot.domain.pace import Pace
from bot.domain.table import Status, Table
from bot.services.core import Core, load
from bot.services.deadlines import OUTAGE_SECONDS, act, pause, resume
from bot.services.invitations import call_players
from bot.services.lobby import NewTable, add_house_player, cancel, join, leave, open_table, start
from bot.services.pace import choose_pace
from bot.services.rematch import rematch
from bot.services.setup import change_settings
from bot.store.reminders import load_due
from bot.ui.table import render
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, DOT, GUILD
from tests.bot.services.clocked import Clocked

HOUR = timedelta(seconds=KEPT_SECONDS)
ROLE = 77


@pytest.fixture
def play(core: Core) -> Clocked:
    return Clocked(core)


async def invite(play: Clocked, seats: int = 3) -> Table:
    """Ada invites Ben and Cem."""
    wishes = NewTable(seats=seats, invited=(BEN, CEM))
    table = await open_table(play.core, ADA, guild_id=GUILD, channel_id=CHANNEL, locale="en", wishes=wishes)
    play.table_id = table.id
    return table


async def test_a_seat_is_kept_for_an_hour_and_then_anybodys(play: Clocked) -> None:
    table = await invite(play)
    assert (table.timing.kept_until, called(table), page_calls(table)) == (
        play.now + HOUR,
        (BEN.user_id, CEM.user_id),
        False,
    )
    for use_case, person in ((join, DOT), (add_house_player, ADA)):
        with pytest.raises(Refused, match="kept for people who are invited"):
            await use_case(play.core, table.id, person)
    await join(play.core, table.id, BEN)
    after = await play.wait(seconds=KEPT_SECONDS)
    assert (after.people, after.invited, after.timing.kept_until) == ((ADA.user_id, BEN.user_id), (), None)
    assert after.version == table.version + 2
    assert (await join(play.core, table.id, DOT)).people == (ADA.user_id, BEN.user_id, DOT.user_id)


async def test_what_lapsed_while_the_bot_was_down_is_kept_for_a_quarter_more(play: Clocked) -> None:
    table = await invite(play)
    play.now += HOUR + timedelta(seconds=OUTAGE_SECONDS + 1)
    after = await act(play.core, await play.table())
    assert after.invited == table.invited
    assert after.timing.kept_until == play.now + HOUR / 4
    assert (await play.wait_until(after.timing.kept_until)).invited == ()


async def test_a_pause_stops_the_hour(play: Clocked) -> None:
    await invite(play)
    play.now += HOUR / 2
    await pause(play.core, play.table_id)
    play.now += 3 * HOUR
    after = await resume(play.core, play.table_id)
    assert after.timing.kept_until == play.now + HOUR / 2


async def test_of_who_was_only_invited_nothing_stays_when_the_table_is_closed_or_starts(play: Clocked) -> None:
    closed = await invite(play)
    assert (await cancel(play.core, closed.id, ADA)).seats == closed.seats[:1]
    left = await invite(play)
    assert (await leave(play.core, left.id, ADA)).status is Status.ABANDONED
    assert (await play.table()).seats == left.seats[:1]
    table = await invite(play)
    await join(play.core, table.id, CEM)
    started = await start(play.core, table.id, ADA)
    assert (started.people, started.timing.kept_until) == ((ADA.user_id, CEM.user_id), None)


async def test_news_of_a_lobby_stay_with_their_seat(play: Clocked) -> None:
    """Ben asks for a rematch, changes its pace, and the seat before his is given up."""
    old = await play.begin(3)
    await cancel(play.core, old.id, ADA)
    table = await rematch(play.core, old.id, BEN)
    await choose_pace(play.core, table.id, BEN, Pace.LIVE, play.core.paces)
    for person in (ADA, CEM):
        after = await leave(play.core, table.id, person)
        assert [(one.seat, after.seats[one.seat].user_id) for one in after.news] == [(0, BEN.user_id)]
        assert render(after).embeds


async def test_a_role_is_called_once_by_whoever_sits_there(play: Clocked) -> None:
    core = play.core
    table = await invite(play, seats=4)
    with pytest.raises(Refused, match="once per table"):
        await call_players(core, table.id, ADA, ROLE)
    await cancel(core, table.id, ADA)
    await change_settings(core, GUILD, player_role=ROLE)
    table = await invite(play, seats=4)
    for person in (BEN, DOT):
        with pytest.raises(Refused, match="Take a seat first"):
            await call_players(core, table.id, person, ROLE)
    both = [call_players(core, table.id, ADA, ROLE) for _press in range(2)]
    results = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(isinstance(result, Refused) for result in results) == [False, True]
    (call,) = await core.database.read(load_due, table.id, play.now)
    assert (call.user_id, still_called(await play.table(), call)) == (ROLE, True)
    full = await join(core, table.id, DOT)
    assert not still_called(full, call), "no seat is free any more"
    again = await cancel(core, table.id, ADA)
    assert await core.database.read(load_due, again.id, play.now) == []
    assert (await rematch(core, again.id, ADA)).options.may_call, "though this table's call was made"


async def test_opening_table_after_table_does_not_call_the_role_again_within_the_hour(play: Clocked) -> None:
    """The rule is the server's: no other table or channel of it is a way around."""
    core = play.core
    for guild in (GUILD, GUILD + 1):
        await change_settings(core, guild, player_role=ROLE)

    async def lobby(guild: int = GUILD, channel: int = CHANNEL) -> Table:
        return await open_table(core, ADA, guild_id=guild, channel_id=channel, locale="en")

    first, called_at = await lobby(), play.now
    await call_players(core, first.id, ADA, ROLE)
    await cancel(core, first.id, ADA)
    play.now = called_at + HOUR - timedelta(seconds=1)
    again, elsewhere = await lobby(), await lobby(channel=CHANNEL + 1)
    for table in (again, elsewhere):
        with pytest.raises(Refused, match=f"<t:{int((called_at + HOUR).timestamp())}:R>"):
            await call_players(core, table.id, ADA, ROLE)
        assert (await load(core, table.id)).options.may_call, "it can be called later"
    await call_players(core, (await lobby(GUILD + 1, CHANNEL + 2)).id, ADA, ROLE)
    play.now = called_at + HOUR
    both = [call_players(core, table.id, ADA, ROLE) for table in (again, elsewhere)]
    results = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(isinstance(result, Refused) for result in results) == [False, True]

"""/highscore skip, kick and cancel: who may, what happens, and that the log says who did it."""

from __future__ import annotations

import discord
import pytest
from simcord import MemberActor

from bot.domain.table import Status
from bot.ui.buttons import Verb
from tests.bot.server import Server, private
from tests.bot.time.passing import ORDERS, log, play_turn, press, remarks, shown, text
from tests.e2e import watcher


def moderator(server: Server) -> MemberActor:
    role = server.guild.create_role("moderators", permissions=discord.Permissions(manage_messages=True))
    return server.guild.add_member(server.env.create_user("mod", global_name="Mod"), roles=[role])


@pytest.mark.parametrize("by_host", [True, False])
@pytest.mark.parametrize("order", ORDERS)
async def test_skip_lets_the_house_play_this_turn_now(server: Server, order: str, by_host: bool) -> None:
    table = await server.begin(3, order=order)
    assert table.game is not None
    seat = table.game.to_play[0]
    who = server.members[0] if by_host else moderator(server)
    await server.slash(who, "skip")
    after = await server.table()
    assert after.game is not None
    assert [(turn.seat, turn.by_house) for turn in after.game.played] == [(seat, True)]
    assert remarks(server, after) == [f"the turn of seat {seat} was skipped by user {who.id}"]
    assert "as asked by the host or a moderator" in shown(server)
    assert "Played by the house" in text(server.messages[-2]) + text(server.messages[-1])
    # Nobody is blamed for it.
    assert after.seats[seat].misses == 0


async def test_skip_finishes_a_turn_that_has_begun(server: Server) -> None:
    await server.begin(3, order="open")
    await press(server, server.members[2], Verb.TAKE)
    await server.slash(server.members[0], "skip")
    table = await server.table()
    assert table.game is not None
    assert [turn.seat for turn in table.game.played] == [2]
    assert table.timing.hold_deadline is None
    await watcher.check_replay(server, table)


async def test_kick_hands_the_seat_to_the_house(server: Server) -> None:
    await server.begin(3)
    mod, ben = moderator(server), server.members[1]
    await server.slash(mod, "kick", player=ben)
    table = await server.table()
    assert (table.seats[1].left, table.seats[1].house is not None) == (True, True)
    assert remarks(server, table) == [f"seat 1 was removed by user {mod.id}"]
    assert "was removed from the game" in shown(server)
    result = await server.slash(ben, "leave")
    assert result.acknowledged


async def test_kick_in_the_lobby_frees_the_seat_and_is_in_the_log(server: Server) -> None:
    await server.seat(3)
    ben = server.members[1]
    await server.slash(server.members[0], "kick", player=ben)
    table = await server.table()
    assert [seat.name for seat in table.seats] == ["Ada", "Cem"]
    assert remarks(server, table) == [f"user {ben.id} was removed by user {server.members[0].id}"]
    # The game that follows is as provable as any.
    await press(server, server.members[0], Verb.START)
    await play_turn(server)
    await server.slash(server.members[0], "cancel")
    await watcher.check_replay(server, await server.table())
    assert private(await press(server, server.members[0], Verb.PROOF))


async def test_the_host_kicked_in_the_lobby_hands_over(server: Server) -> None:
    await server.seat(2)
    await server.slash(moderator(server), "kick", player=server.members[0])
    table = await server.table()
    assert table.host_id == server.members[1].id


@pytest.mark.parametrize("started", [True, False])
async def test_cancel_is_in_the_log_with_who_did_it(server: Server, started: bool) -> None:
    mod = moderator(server)
    await (server.begin(2) if started else server.seat(2))
    await server.slash(mod, "cancel")
    table = await server.table()
    assert table.status is Status.ABANDONED
    assert str(mod.id) in log(server, table)[-1]
    assert server.rows("select user_id from events order by seq desc limit 1") == [(mod.id,)]


@pytest.mark.parametrize("command", ["skip", "cancel"])
async def test_others_may_not(server: Server, command: str) -> None:
    table = await server.begin(3)
    for member in (server.members[1], server.members[4]):
        assert "host" in private(await server.slash(member, command))
    assert (await server.table()).version == table.version


async def test_others_may_not_kick(server: Server) -> None:
    table = await server.begin(3)
    assert "host" in private(await server.slash(server.members[1], "kick", player=server.members[2]))
    assert (await server.table()).version == table.version


@pytest.mark.parametrize("at", [0, 4])
async def test_kicking_oneself_or_a_stranger_is_refused(server: Server, at: int) -> None:
    table = await server.begin(3)
    assert private(await server.slash(server.members[0], "kick", player=server.members[at]))
    assert (await server.table()).version == table.version


async def test_skip_before_the_start_is_refused(server: Server) -> None:
    await server.seat(2)
    assert "not started" in private(await server.slash(server.members[0], "skip"))


async def test_a_seat_can_be_taken_from_everybody_until_nobody_is_left(server: Server) -> None:
    table = await server.begin(2)
    mod = moderator(server)
    for member in server.members[:2]:
        await server.slash(mod, "kick", player=member)
    after = await server.table()
    assert after.status is Status.ABANDONED
    assert table.seed.hex() in shown(server)

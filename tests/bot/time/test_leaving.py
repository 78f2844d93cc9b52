"""People who leave, by command, by leaving the server or by being banned."""

from __future__ import annotations

import pytest

from bot.domain.table import Status
from bot.ui.buttons import Verb
from tests.bot.server import Server, private
from tests.bot.time.passing import ORDERS, log, page, play_turn, press, remarks, shown, text, wait, wait_until


async def leave(server: Server, at: int) -> str:
    """A member leaves the running game, confirming it; returns what they were told."""
    member = server.members[at]
    asked = await server.slash(member, "leave")
    assert asked.response is not None
    assert asked.response.ephemeral
    (row,) = asked.response.components
    done = await member.click(asked.response, custom_id=row["components"][0]["custom_id"])
    assert done.acknowledged
    return private(done)


async def test_leaving_a_running_game_asks_first(server: Server) -> None:
    table = await server.begin(3)
    asked = await server.slash(server.members[1], "leave")
    assert private(asked)
    assert (await server.table()).version == table.version


@pytest.mark.parametrize("order", ORDERS)
async def test_who_leaves_hands_the_seat_to_the_house(server: Server, order: str) -> None:
    await server.begin(3, order=order)
    assert await leave(server, 1)
    table = await server.table()
    assert (table.seats[1].left, table.seats[1].house is not None) == (True, True)
    assert remarks(server, table) == ["seat 1 left"]
    assert "has left the game" in shown(server)
    for _turn in range(6):
        table = await server.table()
        assert table.game is not None
        if any(table.seats[seat].house is None for seat in table.game.may_act):
            seat = next(seat for seat in table.game.may_act if table.seats[seat].house is None)
            await play_turn(server, server.members[seat])
        await wait(server, minutes=4)
    table = await server.table()
    assert table.game is not None
    turns = table.game.finished[0].turns
    assert {turn.seat: turn.by_house for turn in turns} == {0: False, 1: True, 2: False}


async def test_the_news_of_a_leaving_is_told_once(server: Server) -> None:
    await server.begin(3, order="open")
    await leave(server, 1)
    for member in (server.members[0], server.members[2]):
        await play_turn(server, member)
        await wait(server, minutes=4)
    assert sum("has left the game" in text(message) for message in server.messages) <= 1
    assert "has left the game" not in shown(server)


async def test_who_has_left_does_not_come_back(server: Server) -> None:
    await server.begin(3, order="open")
    await leave(server, 1)
    version = (await server.table()).version
    assert "have left" in private(await press(server, server.members[1], Verb.TAKE))
    assert private(await server.slash(server.members[1], "leave"))
    assert Verb.BACK not in server.verbs(page(server))
    assert (await server.table()).version == version


async def test_when_the_host_leaves_the_next_player_is_host(server: Server) -> None:
    await server.begin(3)
    await leave(server, 0)
    table = await server.table()
    assert table.host_id == server.members[1].id
    assert "is the host now" in shown(server)
    await server.slash(server.members[1], "cancel")
    assert (await server.table()).status is Status.ABANDONED


async def test_a_host_who_left_moderates_no_longer(server: Server) -> None:
    await server.begin(3)
    await leave(server, 0)
    assert private(await server.slash(server.members[0], "skip"))
    assert private(await server.slash(server.members[0], "cancel"))
    assert (await server.table()).status is Status.PLAYING


async def test_when_everybody_has_left_the_game_is_closed_and_the_seed_revealed(server: Server) -> None:
    table = await server.begin(2)
    await play_turn(server)
    assert table.seed.hex() not in shown(server)
    for at in (0, 1):
        await leave(server, at)
    after = await server.table()
    assert after.status is Status.ABANDONED
    assert not after.owed
    assert table.seed.hex() in shown(server)
    assert remarks(server, after) == ["seat 0 left", "seat 1 left"]


async def test_house_players_do_not_keep_a_game_open(server: Server) -> None:
    await server.seat(1, order="open", house=2)
    await press(server, server.members[0], Verb.START)
    await leave(server, 0)
    assert (await server.table()).status is Status.ABANDONED


@pytest.mark.parametrize("banned", [False, True])
@pytest.mark.parametrize("order", ORDERS)
async def test_who_is_no_longer_on_the_server_is_announced_once(server: Server, order: str, banned: bool) -> None:
    await server.begin(3, order=order)
    gone = server.members[1]
    if banned:
        server.env.backend.apply_ban(server.guild.id, gone.id, None)
    else:
        server.guild.remove_member(gone)
    for _round in range(4):
        table = await server.table()
        assert table.game is not None
        present = [seat for seat in table.game.may_act if seat != 1 and table.seats[seat].house is None]
        if present:
            await play_turn(server, server.members[present[0]])
        elif table.timing.deadline is not None:
            await wait_until(server, table.timing.deadline)
        await wait(server, minutes=4)
    table = await server.table()
    assert (table.seats[1].left, table.seats[1].misses) == (True, 0)
    assert remarks(server, table) == ["seat 1 is no longer a member of the server"]
    told = [message for message in server.messages if "no longer on this server" in text(message)]
    assert len(told) <= 1
    edits = [entry for entry in server.env.http_requests if "no longer on this server" in str(entry.json)]
    assert edits


async def test_when_everybody_is_off_the_server_the_game_is_closed_and_shown(server: Server) -> None:
    table = await server.begin(2, order="open")
    for member in server.members[:2]:
        server.guild.remove_member(member)
    await wait_until(server, table.timing.deadline, 1)
    after = await server.table()
    assert after.status is Status.ABANDONED
    assert not after.owed
    assert table.seed.hex() in shown(server)


async def test_trouble_with_discord_makes_nobody_gone(server: Server) -> None:
    table = await server.begin(2, order="open")
    server.env.inject_error("GET", f"/guilds/{server.guild.id}/members/*", status=503, times=2)
    await wait_until(server, table.timing.deadline, 1)
    after = await server.table()
    assert [seat.left for seat in after.seats] == [False, False]
    assert [seat.misses for seat in after.seats] == [1, 1]


async def test_nobody_is_asked_about_who_plays_in_time(server: Server) -> None:
    await server.begin(2)
    for _turn in range(3):
        await wait(server, minutes=30)
        await play_turn(server)
    assert server.requests("GET", "/members/") == []


async def test_a_rematch_after_somebody_left_is_for_those_who_stayed(server: Server) -> None:
    await server.begin(3)
    await leave(server, 2)
    await server.slash(server.members[0], "cancel")
    await press(server, server.members[0], Verb.REMATCH)
    table = await server.table()
    assert [seat.user_id for seat in table.seats] == [member.id for member in server.members[:2]]
    assert log(server, table) == []

from datetime import timedelta
from typing import Any

from simcord import MemberActor, RoleHandle

from bot.domain.deadlines import RESERVED_SECONDS
from bot.domain.table import Status
from bot.ui.buttons import Verb
from bot.ui.text import table_link
from highscore.turn_order import TurnOrder
from tests.bot.passing import CALL, Call, administer, calls, forbid, page, press, shown, stamp
from tests.bot.server import Server, private


async def invite(server: Server, *people: MemberActor, **options: Any) -> str:
    """Open a table as Ada and invite these. Returns what she is told."""
    names = ("invite", "invite2", "invite3", "invite4")
    options.setdefault("order", TurnOrder.CLOCKWISE.value)
    options |= dict(zip(names, people, strict=False))
    result = await server.slash(server.members[0], "new", **options)
    return private(result)


def call_texts(server: Server) -> list[str]:
    return [message.content for message in server.messages if message.content.startswith(CALL)]


async def test_an_invited_person_is_called_once_and_finds_a_seat_kept(server: Server) -> None:
    ada, ben, cem, dot = server.members[:4]
    await invite(server, ben, cem, seats=3)
    table = await server.table()
    until = stamp(table.timing.seats_reserved_until)
    assert table.timing.seats_reserved_until == server.env.now() + timedelta(seconds=RESERVED_SECONDS)
    assert [(seat.user_id, seat.invited) for seat in table.seats] == [(ada.id, False), (ben.id, True), (cem.id, True)]
    assert f"Seats reserved until <t:{until}:t>" in shown(server)
    assert shown(server).count("Seat reserved") == 2
    assert page(server).content == ""
    (told,) = call_texts(server)
    assert table_link(table) in told
    assert told.startswith(f"{CALL} {ben.mention} {cem.mention}: ")
    assert f"Your seat is reserved until <t:{until}:t>. Press **Join** to take it: " in told
    assert calls(server) == [Call(ben.id, False), Call(cem.id, False)]
    assert f"<t:{until}:t>" in private(await press(server, dot, Verb.JOIN)), "told until when"
    assert Verb.START not in server.verbs(page(server))
    await press(server, ben, Verb.JOIN)
    assert len(call_texts(server)) == 1, "Cem has not come yet"
    await press(server, cem, Verb.JOIN)
    assert call_texts(server) == []
    assert (await server.table()).status is Status.LOBBY, "the host starts"
    await press(server, ada, Verb.START)
    table = await server.table()
    assert table.people == (ada.id, ben.id, cem.id)
    assert table.timing.seats_reserved_until is None


async def test_whoever_is_not_called_finds_the_seat_kept_and_the_inviter_does_not_learn_why(server: Server) -> None:
    ada, ben, cem, dot, eve = server.members[:5]
    assert "I didn't ping" not in await invite(server, ben)
    await server.cancel(ada)
    assert "no ping when somebody reserves" in private(await server.slash(cem, "me", invitations=False))
    assert "a mention in the channel" in private(await server.slash(cem, "me")), "nothing else has changed"
    await server.slash(dot, "me", reminders="none")
    await server.slash(eve, "away", days=2)
    told = len(calls(server))
    notes = []
    for people in ((ben,), (cem,), (dot,), (eve,)):
        notes.append((await invite(server, *people)).replace(people[0].mention, "").split("\\n")[-1])
        assert (await server.table()).invited == (people[0].id,)
        await server.slash(ada, "show")
        await server.cancel(ada)
    assert len(set(notes)) == 1
    assert "I didn't ping . A seat is still reserved" in notes[0]
    assert calls(server)[told:] == []


async def test_whom_no_seat_can_be_kept_for_is_said_kindly_and_the_table_is_there(server: Server) -> None:
    ada, ben = server.members[:2]
    assert "at most five seats" in await invite(server, *server.members[1:4], house=2)
    assert server.rows("select count(*) from games") == [(0,)]
    robot = server.guild.add_member(server.env.create_user("robot", bot=True))
    told = await invite(server, robot, ben, ben, ada)
    assert f"I couldn't reserve a seat for <@{robot.id}>, <@{ben.id}> and <@{ada.id}>. You can reserve" in told
    table = await server.table()
    assert [seat.user_id for seat in table.seats] == [ada.id, ben.id]
    assert calls(server) == [Call(ben.id, False)]


async def call_refused(server: Server, member: MemberActor) -> str:
    """Press *Ping players*; returns what the page says then."""
    options = await server.options(member, page(server))
    await options.press(Verb.CALL)
    return options.page.content


async def a_role(server: Server, *, mentionable: bool = True) -> RoleHandle:
    role = server.guild.create_role("players", mentionable=mentionable)
    await server.env.settle()
    return role


async def test_a_role_that_is_gone_or_that_the_bot_may_not_mention_is_not_called(server: Server) -> None:
    ada = server.members[0]
    role = await a_role(server, mentionable=False)
    await administer(server, player_role=role.id)
    await server.slash(ada, "new", seats=3)
    forbid(server, "mention_everyone")
    refused = await call_refused(server, ada)
    assert "All Roles" in refused
    assert f"<@&{role.id}>" in refused
    assert calls(server) == []
    forbid(server)
    await press(server, ada, Verb.CALL)
    assert calls(server) == [Call(role.id, False)]
    await server.cancel(ada)
    assert server.rows("select count(*) from reminders") == [(0,)]
    await server.slash(ada, "new", seats=3)
    server.env.backend.delete_role(server.guild.id, role.id)
    await server.env.settle()
    assert "has been deleted" in await call_refused(server, ada)

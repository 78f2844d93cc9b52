"""/highscore leave, skip, kick and cancel in a running game, and what the others see of it."""

import re

from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from highscore.deck import ROUNDS
from highscore.turn_order import TurnOrder
from tests.bot.cogs.test_run import finish_cards, leave, open_page
from tests.bot.cores import game_of
from tests.bot.passing import moderator, play_turn, press, shown, text, wait
from tests.bot.server import Server, private, private_message


async def test_leaving_is_confirmed_and_told(server: Server) -> None:
    table = await server.begin(3, order="open")
    await server.slash(server.members[0], "leave")
    assert (await server.table()).version == table.version, "nobody leaves without confirming it"
    assert "Leave for good?" in await leave(server, server.members[0])
    table = await server.table()
    assert (table.seats[0].left, table.host_id) == (True, server.members[1].id)
    for news in ("leaves the game", "New host: "):
        assert news in shown(server)
    for member in server.members[1:3]:
        await play_turn(server, member)
        await wait(server, minutes=4)
    assert "New host" not in shown(server)
    assert "goes on without you" in private(await server.slash(server.members[0], "leave")), "it is not asked again"
    for member in server.members[1:3]:
        await leave(server, member)
    await wait(server, minutes=1)
    assert "The table closes" in shown(server)
    assert table.seed.hex() not in shown(server), "nor is the game cancelled by leaving it (R9.7)"


async def test_a_player_is_named_to_be_removed_and_for_nothing_else(server: Server) -> None:
    table = await server.begin(3)
    who = await moderator(server)
    for action in ("skip", "cancel"):
        # Whose turn is skipped is not asked, so naming somebody else must not take a turn from them.
        told = private(await server.slash(who, "table", action=action, player=server.off_turn(table)))
        assert "nothing else takes it" in told
    assert "**remove** needs it" in private(await server.slash(who, "table", action="remove"))
    assert (await server.table()).game == table.game


async def test_why_a_seat_is_the_houses_is_told_in_the_round_in_its_record_and_small_on_every_later_page(
    server: Server,
) -> None:
    await server.begin(3)
    await server.slash(await moderator(server), "table", action="remove", player=server.members[2])
    await server.settle()
    told = "Cem has to leave the game; the house takes over."
    while (game := game_of(table := await server.table())).round < 3:
        assert told in shown(server)
        assert ("📣" in shown(server)) == (game.round == 1)
        people = [at for at in game.may_act if not table.house_plays(at)]
        if people:
            await play_turn(server, server.member(table.seats[people[0]].user_id))
        elif table.timing.asleep_until is not None:
            await press(server, server.members[0], Verb.WAKE)
        else:
            await wait(server, minutes=1)
    assert told in shown(server)
    first, second = [text(server.message(message_id)) for message_id in table.log]
    assert told in first
    assert told not in second
    assert "Played by the house: " in second


async def test_why_a_seat_is_the_houses_is_told_on_the_page_of_a_game_in_own_pace_and_in_its_record(
    server: Server,
) -> None:
    await server.begin(3, order=TurnOrder.OWN_PACE.value)
    ada, ben, _cem = pages = [await open_page(server, at) for at in range(3)]
    for page in pages:
        await finish_cards(page)
    await server.slash(await moderator(server), "table", action="remove", player=server.members[2])
    for page in (ada, ben):
        await finish_cards(page, 2)
    await server.settle()
    assert "Cem has to leave the game; the house takes over." in shown(server)
    for page in (ada, ben):
        await finish_cards(page, ROUNDS - 3)
    await wait(server, minutes=1)
    table = await server.table()
    assert table.status is Status.FINISHED
    assert "Cem has to leave the game; the house takes over." in text(server.message(table.log[0]))


async def test_cancelling_is_asked_once_and_the_others_are_told_who_it_was(server: Server) -> None:
    mod = await moderator(server)
    named = f"{mod.mention} cancels the game for the moderation"
    for member, words in ((server.members[0], "Ada cancels the game."), (mod, named)):
        table = await server.begin(2)
        asked = private(await server.slash(member, "table", action="cancel"))
        assert "for everybody" in asked
        assert (await server.table()).version == table.version, "nothing is cancelled without confirming it"
        assert "Done" in private(await server.cancel(member))
        assert (await server.table()).status is Status.ABANDONED
        assert words in shown(server)
    await server.seat(2)
    assert "without a winner" in private(await server.slash(server.members[0], "table", action="cancel"))
    await server.cancel(server.members[0])
    assert "Ada cancels the game." in shown(server)


async def test_each_of_several_tables_in_a_channel_can_be_cancelled_by_its_host_and_by_a_moderator(
    server: Server,
) -> None:
    """Games in own pace share a channel. The moderator has opened the newest table, Ada the others (R9.7)."""
    ada, mod = server.members[0], await moderator(server)
    tables = list[Table]()
    for _table in range(3):
        tables.insert(0, await server.begin(2, order=TurnOrder.OWN_PACE.value))
        await wait(server, minutes=1)
    await server.slash(mod, "new", order=TurnOrder.OWN_PACE.value)
    own = await server.table()
    for member, at in ((ada, 1), (mod, 2), (ada, 0)):
        listed = [own, *tables] if member is mod else tables
        question = private_message(await server.slash(member, "table", action="cancel"))
        linked = re.findall(r"channels/[0-9]+/[0-9]+/([0-9]+)", text(question))
        assert linked == [str(table.message_id) for table in listed]
        buttons = [each for row in question.components for each in row["components"]]
        assert len(buttons) == len(listed)
        await member.click(question, custom_id=buttons[at]["custom_id"])
        assert (await server.table(listed[at].id)).status is Status.ABANDONED
        tables.remove(listed[at])
    assert (await server.table(own.id)).status is Status.LOBBY


async def test_each_of_several_games_in_a_channel_can_be_left(server: Server) -> None:
    ben, tables = server.members[1], list[Table]()
    for _table in range(2):
        tables.append(await server.begin(2, order=TurnOrder.OWN_PACE.value))
        await wait(server, minutes=1)
    question = private_message(await server.slash(ben, "leave"))
    assert re.findall(r"channels/[0-9]+/[0-9]+/([0-9]+)", text(question)) == [
        str(table.message_id) for table in reversed(tables)
    ]
    _newer, older = [each["custom_id"] for row in question.components for each in row["components"]]
    await ben.click(question, custom_id=older)
    assert [(await server.table(table.id)).seats[1].left for table in tables] == [True, False]

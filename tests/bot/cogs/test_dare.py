"""Dares by presses: who is shown what, in which channel, and what becomes of the message."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import discord
from simcord import InteractionResult

from bot.domain.table import Table
from bot.services import challenge, dare
from bot.ui.buttons import TablePress, Verb
from tests.bot import dailies, passing, played
from tests.bot.server import PrivatePage, Server, embeds_of, private, private_message

TITLE = "Same dice. Can you do better?"
MINUTES = 4
"""After these minutes a finished attempt is in the message."""


@dataclass
class DarePage(dailies.Player):
    rules: ClassVar[challenge.Rules[Any]] = dare.DARES


async def end_game(server: Server) -> Table:
    """Return a finished game of Ada and Ben, whose standings are in the channel."""
    table = await played.play_on(server.bot.core, await played.begun(server, 2, server.channel.id))
    await server.redraw(table)
    return await server.table(table.id)


async def offer(server: Server, table: Table, who: int = 0) -> InteractionResult:
    return await server.send(
        server.members[who], TablePress(Verb.DARE, table.id, table.version).custom_id, table.message_id
    )


def messages(server: Server) -> list[discord.Message]:
    return [message for message in server.messages if TITLE in embeds_of(message)]


async def take(server: Server, who: int, nth: int = 0) -> InteractionResult:
    return await server.press(server.members[who], Verb.PLAY, nth=nth, message=messages(server)[-1])


async def finish(server: Server, who: int) -> DarePage:
    page = DarePage.of(server, server.members[who], await take(server, who))
    await page.play_cards()
    return page


async def test_a_friend_takes_the_dare_and_the_result_is_in_its_message(server: Server) -> None:
    table = await end_game(server)
    assert Verb.DARE in server.verbs(server.shown)
    assert "discord.com/channels/" in private(await offer(server, table))
    (message,) = messages(server)
    assert "It is not rated" in embeds_of(message)
    assert [button.label for button in server.buttons(Verb.PLAY, message)] == ["Against 🔴 Ada"]
    page = DarePage.of(server, server.members[2], await take(server, 2))
    assert "Against 🔴 Ada · Card 1 of 7" in page.text
    assert "give the dice away" in page.text
    assert table.lock is not None
    assert table.lock[:4] in page.text
    assert Verb.HINT not in page.verbs()
    await page.play_cards()
    assert "Cem : 🔴 Ada" in page.text
    assert {Verb.REVIEW, Verb.PROOF} <= page.verbs()
    assert "Par kept" in private(await page.press(Verb.REVIEW))
    assert "of its player 1" in private(await page.press(Verb.PROOF))
    text = private_message(await page.press(Verb.TEXT)).content
    assert re.fullmatch(r"High Score with a friend's dice · \d+\n[🟩⚪]{7}", text)
    assert "Cem" not in embeds_of(messages(server)[0])
    await passing.wait(server, minutes=MINUTES)
    assert "Cem : 🔴 Ada **" in embeds_of(messages(server)[0])
    again = DarePage.of(server, server.members[2], await take(server, 2))
    assert "Cem : 🔴 Ada" in again.text, "the same attempt"


async def test_the_report_offers_it_to_players_alone(server: Server) -> None:
    table = await end_game(server)
    report = TablePress(Verb.REPORT, table.id, table.version).custom_id
    for who, has in ((0, True), (1, True), (2, False)):
        page = PrivatePage.of(
            server, server.members[who], await server.send(server.members[who], report, table.message_id)
        )
        assert (Verb.DARE in page.verbs()) is has
    page = PrivatePage.of(server, server.members[1], await server.send(server.members[1], report, table.message_id))
    await page.press(Verb.DARE)
    assert "Ben" in str(server.buttons(Verb.PLAY, messages(server)[0])[0].label)
    assert "Only players" in private(await offer(server, table, 2))
    assert len(messages(server)) == 1


async def test_presses_at_the_same_time_leave_one_message_with_all_dares(server: Server) -> None:
    table = await end_game(server)
    # simcord creates a message for each press, Discord one of all with the same nonce.
    await asyncio.gather(*(offer(server, table, who) for who in (0, 0, 1, 1)))
    await server.settle()
    (message,) = messages(server)
    assert len(server.buttons(Verb.PLAY, message)) == 2
    assert server.rows("select count(*) from shared_messages") == [(1,)]
    custom_id = str(server.buttons(Verb.PLAY, message)[0].custom_id)
    await asyncio.gather(*(server.send(server.members[2], custom_id, message.id) for _press in range(3)))
    assert server.rows("select count(*) from attempts") == [(1,)]


async def test_players_and_people_who_do_not_see_the_channel_cannot_take_it(server: Server) -> None:
    table = await end_game(server)
    await offer(server, table)
    custom_id = str(server.buttons(Verb.PLAY, messages(server)[0])[0].custom_id)
    for who in (0, 1):
        assert "You played at this table" in private(await take(server, who))
    passing.forbid(server, "view_channel", member=server.members[2])
    other = server.guild.create_text_channel("elsewhere")
    await server.env.settle()
    elsewhere = DarePage(server, server.members[2], other, (await _post_forged(server, other, custom_id)).id)
    told = private(await elsewhere.send(custom_id))
    assert "no longer available" in told
    assert "Ada" not in told
    assert "Card 1 of 7" in private(await elsewhere.send(custom_id, server.members[3])), "somebody who sees both"


async def _post_forged(server: Server, channel: Any, custom_id: str) -> Any:
    """Post a message of the bot with this button in another channel, as a changed client could press it."""
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(custom_id=custom_id, label="forged"))
    message = await server.bot.get_partial_messageable(channel.id).send("forged", view=view)
    await server.env.settle()
    return message


async def test_it_is_offered_only_where_the_game_was_played_and_people_may_write(server: Server) -> None:
    table = await end_game(server)
    other = server.guild.create_text_channel("elsewhere")
    await server.env.settle()
    custom_id = TablePress(Verb.DARE, table.id, table.version).custom_id
    page = PrivatePage(server, server.members[0], other, (await _post_forged(server, other, custom_id)).id)
    assert f"in the channel of the game: <#{server.channel.id}>" in private(await page.send(custom_id))
    passing.forbid(server, "send_messages", member=server.members[0])
    assert "not allowed to write" in private(await offer(server, table))
    passing.forbid(server, "send_messages")
    assert "I need these permissions" in private(await offer(server, table, 1))
    assert not messages(server)
    assert server.rows("select count(*) from dares") == [(0,)]


async def test_results_wait_until_the_bot_may_see_the_channel_again(server: Server) -> None:
    await offer(server, await end_game(server))
    page = await finish(server, 2)
    passing.forbid(server, "view_channel")
    await passing.wait(server, minutes=MINUTES)
    assert "Cem" not in embeds_of(messages(server)[0])
    passing.forbid(server)
    await passing.wait(server, hours=2)
    assert "Cem" in embeds_of(messages(server)[0])
    assert "Cem" in page.text


async def test_offering_again_and_again_edits_the_message_and_later_posts_it_again(server: Server) -> None:
    table = await end_game(server)
    await offer(server, table)
    (first,) = messages(server)
    await finish(server, 2)
    for who in (0, 0, 1):
        await offer(server, table, who)
        assert [message.id for message in server.messages][-1] == first.id
    (message,) = messages(server)
    assert "Cem : 🔴 Ada **" in embeds_of(message)
    await passing.wait(server, hours=1)
    await offer(server, table)
    await server.settle()
    (message,) = messages(server)
    assert message.id > first.id


async def test_offering_again_posts_a_deleted_message_again(server: Server) -> None:
    table = await end_game(server)
    await offer(server, table)
    await finish(server, 2)
    (message,) = messages(server)
    server.env.backend.delete_message(server.channel.id, message.id)
    assert not messages(server)
    await offer(server, table, 1)
    await server.settle()
    (message,) = messages(server)
    assert len(server.buttons(Verb.PLAY, message)) == 2
    assert "Cem : 🔴 Ada **" in embeds_of(message)
    assert server.rows("select message_id from shared_messages") == [(message.id,)]

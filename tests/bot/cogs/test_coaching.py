"""A hint, and doing what it says."""

import discord
from simcord import MemberActor

from bot.ui.buttons import Verb
from tests.bot.server import Server, private_message


def hints(server: Server, member: MemberActor) -> list[discord.Message]:
    """Return the hints that a person still sees."""
    seen = server.channel.history(viewer=member)
    return [message for message in seen if message.embeds and "Hint" in str(message.embeds[0].title)]


async def test_a_hint_takes_the_place_of_the_one_before_it(server: Server) -> None:
    player = server.on_turn(await server.begin_turn(2))
    first = private_message(await server.press(player, Verb.HINT))
    assert [message.id for message in hints(server, player)] == [first.id]
    second = private_message(await server.press(player, Verb.HINT))
    assert [message.id for message in hints(server, player)] == [second.id]


async def test_what_a_hint_says_is_done_by_its_button_and_once(server: Server) -> None:
    table = await server.begin_turn(2)
    player = server.on_turn(table)
    hint = private_message(await server.press(player, Verb.HINT))
    (button,) = server.buttons(message=hints(server, player)[0])
    assert button.label == "Do this"
    assert button.custom_id is not None
    assert (await player.click(hint, custom_id=button.custom_id)).acknowledged
    await server.settle()
    after = await server.table()
    assert after.version == table.version + 1
    assert not after.owed
    assert not server.buttons(message=hints(server, player)[0])
    assert all(str(button.custom_id).split(":")[3] == str(after.version) for button in server.buttons())

"""Places where the bot can or cannot post, on a Discord whose computed permissions differ from what requests get."""

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot.services.core import get_open_tables, get_table
from bot.services.cup import list_cups
from bot.ui.buttons import SettingPress, SetupStep, SetupVerb, Verb
from tests.bot.decks import only
from tests.discord import Channel, Person, fault, newest, shown_in, until_shown
from tests.discord.bots import Tavern, a_tavern
from tests.discord.state import COMPONENT, FORUM, TEXT, VOICE, Message

MENTION = "Mention <@"


@pytest.fixture
async def tavern(tmp_path: Path) -> AsyncIterator[Tavern]:
    async with a_tavern(tmp_path) as tavern:
        tavern.bot.core.deck = only("pairs-six")  # Every roll can be kept without a question.
        yield tavern


def thread_of(tavern: Tavern, *, joined: bool = False) -> Channel:
    ada, ben, _cem = tavern.people
    thread = tavern.discord.add_private_thread(tavern.channel, "back room", ada.user, ben.user)
    if joined:
        tavern.discord.mention_bot(thread)
    return thread


def sent_to(tavern: Tavern, channel: Channel) -> int:
    return len([call for call in tavern.discord.calls if call.is_like("POST", f"/channels/{channel.id}/messages")])


async def until_paused(tavern: Tavern, table_id: str) -> None:
    while not (await get_table(tavern.bot.core, table_id)).timing.cannot_post:
        await tavern.discord.until(lambda: True)


async def private(tavern: Tavern, person: Person, message: Message, custom_id: str) -> str:
    pressed = await person.press(message, custom_id)
    return await tavern.discord.until(lambda: pressed.private)


@pytest.mark.parametrize("command", ["new", "daily", "cup"])
async def test_nothing_begins_in_a_private_thread_that_the_bot_is_not_in(command: str, tavern: Tavern) -> None:
    ada, core, thread = tavern.people[0], tavern.bot.core, thread_of(tavern)
    assert tavern.discord.world.permissions(thread, tavern.discord.world.bot).send_messages_in_threads
    options = {"new": "Night cup"} if command == "cup" else {}
    assert MENTION in await ada.ask(thread, f"highscore {command}", **options)
    assert not await get_open_tables(core, guild_id=tavern.guild.id)
    assert not await list_cups(core, tavern.guild.id)
    assert not shown_in(thread)
    assert sent_to(tavern, thread) == 0
    tavern.discord.mention_bot(thread)
    begun = await ada.slash(thread, f"highscore {command}", **options)
    assert MENTION not in begun.private
    if command == "cup":
        await tavern.discord.until(lambda: sent_to(tavern, thread))
    elif command == "new":
        await newest(tavern.discord, thread)


async def test_no_game_begins_after_the_bot_was_removed_from_the_thread(tavern: Tavern) -> None:
    """discord.py's cache still has the thread, with the bot as its member."""
    ada, thread = tavern.people[0], thread_of(tavern, joined=True)
    lobby = await tavern.lobby_of_two(thread)
    tavern.discord.remove_bot(thread)
    assert MENTION in await private(tavern, ada, lobby.message, lobby.custom_id(Verb.START))
    assert MENTION in await ada.ask(thread, "highscore show")
    table = await get_table(tavern.bot.core, lobby.table_id)
    assert (table.game, table.timing.paused_at) == (None, None)
    tavern.discord.mention_bot(thread)
    await ada.press(lobby.message, lobby.custom_id(Verb.START))
    await until_shown(tavern.discord, thread, lobby.table_id, lobby.version + 2)


async def test_a_game_goes_on_as_soon_as_the_bot_is_back_in_the_thread(tavern: Tavern) -> None:
    ada, thread = tavern.people[0], thread_of(tavern, joined=True)
    page = await tavern.begin(thread)
    tavern.discord.remove_bot(thread)
    player = await tavern.on_turn(page)
    await player.press(page.message, page.custom_id(Verb.TAKE))
    taken = await until_shown(tavern.discord, thread, page.table_id, page.version + 1)
    await player.press(taken.message, taken.custom_id(Verb.STOP, Verb.SET_ASIDE))
    await until_paused(tavern, page.table_id)
    direct = tavern.discord.world.direct_channel(ada.user)
    (warning,) = await tavern.discord.until(lambda: direct.shown)
    assert "mention me if it is a private thread" in warning.text
    for command in ("show", "leave"):
        assert MENTION in await ada.ask(thread, f"highscore {command}")
    tavern.discord.mention_bot(thread)
    after = await until_shown(tavern.discord, thread, page.table_id, taken.version + 2)
    assert after.message is not page.message
    assert not (await get_table(tavern.bot.core, page.table_id)).timing.cannot_post


async def test_where_discord_refuses_for_no_known_reason_the_table_says_so(tavern: Tavern) -> None:
    """Whatever is computed or asked allows it, but each message is refused."""
    ada, ben, _cem = tavern.people
    lobby = await tavern.lobby_of_two()

    async def refuse(_call: object) -> None:
        tavern.discord.faults.next.append(("POST", f"/channels/{tavern.channel.id}/messages", fault("50013")))

    tavern.discord.faults.denied_seconds = 0.0
    tavern.discord.before("POST", f"/channels/{tavern.channel.id}/messages", refuse, times=None)
    await ada.press(lobby.message, lobby.custom_id(Verb.START))
    await until_paused(tavern, lobby.table_id)
    assert "doesn't let me post" in await ben.ask(tavern.channel, "highscore show")
    # It takes no place away from other tables.
    assert (await ben.slash(tavern.channel, "highscore new")).response is not None


async def test_channels_that_are_hidden_from_the_bot_are_refused_by_name(tmp_path: Path) -> None:
    """Discord obfuscates them: https://docs.discord.com/developers/resources/channel"""
    async with a_tavern(tmp_path) as tavern:
        ada, fake = tavern.people[0], tavern.discord
        tavern.guild.everybody |= discord.Permissions(manage_guild=True).value
        hidden = [
            fake.add_channel(tavern.guild, f"hidden-{kind}", kind, announce=False) for kind in (TEXT, VOICE, FORUM)
        ]
        nothing = discord.Permissions(view_channel=True)
        for channel in hidden:
            fake.deny(channel, nothing)
        for session in fake.hub.connected:
            fake.hub.break_off(session, resumable=False)
        await fake.until(lambda: len(fake.hub.identified) == 2)
        await fake.until_connected()
        setup = await ada.slash(tavern.channel, "highscore setup")
        await fake.until(lambda: setup.private)
        assert setup.response is not None
        for step in (1, 2, 3):
            await ada.press(setup.response, SetupStep(step).custom_id)
        for channel in hidden:
            assert "View Channel" in await ada.ask(channel, "highscore new")
            custom_id = SettingPress(SetupVerb.PICK, "channels").custom_id
            data = {"custom_id": custom_id, "component_type": 8, "id": 1, "values": [str(channel.id)]}
            picked = fake.interact(ada.user, tavern.channel, COMPONENT, data, setup.response)
            await fake.until_answered(picked)
            answered = await fake.until(lambda picked=picked: picked.private)  # type: ignore[misc]
            assert f"<#{channel.id}>: View Channel" in answered
        fake.deny(hidden[0], discord.Permissions.none())
        await ada.slash(hidden[0], "highscore new")
        await newest(fake, hidden[0])


async def test_the_commands_are_for_servers_alone_and_answer_nobody_who_has_brought_them_along(tavern: Tavern) -> None:
    ada, fake = tavern.people[0], tavern.discord
    for command in fake.world.commands:
        assert (command["integration_types"], command["contexts"]) == ([0], [0])
    elsewhere = fake.add_guild("Elsewhere", [ada.user], has_bot=False)
    place = next(iter(elsewhere.channels.values()))
    for name in ("new", "daily", "show", "me"):
        assert "I'm not on this server" in await ada.ask(place, f"highscore {name}")
    assert not await get_open_tables(tavern.bot.core, guild_id=elsewhere.id)
    assert not shown_in(place)

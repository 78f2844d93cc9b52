"""Who may do what, decided at the moment of the press or the command, whatever they were allowed before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
import pytest
from simcord import InteractionResult, MemberActor

from bot.discord_api.permissions import PERMISSIONS
from bot.domain.table import Status
from bot.ui.buttons import Press, Verb
from tests.bot.databases import everything
from tests.bot.passing import administer
from tests.bot.played import play_on
from tests.bot.server import Server, private

RIGHTS = {
    "moderator": discord.Permissions(manage_messages=True),
    "manager": discord.Permissions(manage_guild=True),
    "administrator": discord.Permissions(administrator=True),
}
COMMANDS: Mapping[str, tuple[dict[str, Any], frozenset[str]]] = {
    "cancel": ({}, frozenset({"host", "moderator", "administrator"})),
    "skip": ({}, frozenset({"host", "moderator", "administrator"})),
    "kick": ({"player": 2}, frozenset({"host", "moderator", "administrator"})),
    "settings": ({"pace": "live"}, frozenset({"manager", "administrator"})),
}
"""The commands that change other people's games or the server, and who may give them."""
OWN = frozenset({"daily", "leave", "me", "new", "reminders"})
"""Commands that change only what belongs to the one who gives them."""
LOOKING = frozenset({"help", "history", "leaderboard", "records", "replay", "rules", "show", "stats"})
"""Commands that change nothing; /highscore show puts the table at the bottom."""


async def people(server: Server) -> dict[str, MemberActor]:
    """One of each, after a game of three was begun."""
    found = {"host": server.members[0], "player": server.members[1], "stranger": server.members[4]}
    for name, permissions in RIGHTS.items():
        role = server.guild.create_role(name, permissions=permissions)
        found[name] = server.guild.add_member(server.env.create_user(name), roles=[role])
    await server.env.settle()
    return found


async def give(server: Server, who: MemberActor, command: str) -> InteractionResult:
    options = {name: server.members[at] if name == "player" else at for name, at in COMMANDS[command][0].items()}
    return await server.slash(who, command, channel=None, **options)


def test_every_command_is_in_the_table() -> None:
    from bot.cogs.highscore import HighScore

    known = {command.name for command in HighScore.__cog_app_commands__}
    assert known == COMMANDS.keys() | OWN | LOOKING


@pytest.mark.parametrize("command", COMMANDS)
async def test_who_may_give_a_command(server: Server, command: str) -> None:
    await server.begin(3)
    them = await people(server)
    allowed = COMMANDS[command][1]
    before = everything(server.settings)
    for who in them.keys() - allowed:
        assert "Only" in private(await give(server, them[who], command)), who
    assert everything(server.settings) == before
    for who in allowed:
        before = everything(server.settings)
        await give(server, them[who], command)
        assert everything(server.settings) != before, who
        if command == "settings":
            await server.slash(them["manager"], "settings", pace="day")
            continue
        if command != "cancel":
            await server.slash(them["host"], "cancel")
        await server.begin(3)


async def test_a_right_that_was_taken_away_is_gone_at_once(server: Server) -> None:
    await server.begin(3)
    role = server.guild.create_role("trusted", permissions=discord.Permissions(manage_messages=True, manage_guild=True))
    them = server.guild.add_member(server.env.create_user("once"), roles=[role])
    await server.env.settle()
    assert "Only" not in private(await server.slash(them, "settings"))
    server.env.backend.remove_member_role(server.guild.id, them.id, role.id)
    await server.env.settle()
    before = everything(server.settings)
    for command in COMMANDS:
        assert "Only" in private(await give(server, them, command))
    assert everything(server.settings) == before


async def test_a_host_who_left_starts_nothing_with_the_button_of_before(server: Server) -> None:
    table = await server.seat(3)
    start = Press(Verb.START, table.id, table.version).custom_id
    await server.press(server.members[0], Verb.LEAVE)
    before = everything(server.settings)
    assert "host" in private(await server.send(server.members[0], start))
    assert everything(server.settings) == before
    await server.send(server.members[1], start)
    assert (await server.table()).status is Status.PLAYING


async def test_who_got_up_changes_nothing_at_the_table_any_more(server: Server) -> None:
    table = await server.seat(3, house=1)
    await server.press(server.members[2], Verb.LEAVE)
    before = everything(server.settings)
    for verb in (Verb.ADD_HOUSE, Verb.DROP_HOUSE, Verb.LUCKY_WORD, Verb.LEAVE):
        assert private(await server.send(server.members[2], Press(verb, table.id, table.version).custom_id))
    assert everything(server.settings) == before


async def test_who_was_sent_away_decides_nothing_any_more(server: Server) -> None:
    await server.begin(3)
    out = server.members[1]
    await server.slash(server.members[0], "kick", player=out)
    table = await server.table()
    before = everything(server.settings)
    for verb in (Verb.TAKE, Verb.BACK, Verb.QUIT, Verb.HINT, Verb.STOP):
        assert private(await server.send(out, Press(verb, table.id, table.version).custom_id))
    assert everything(server.settings) == before


async def finished(server: Server) -> str:
    """The button for the rematch of a game that is over, still on its message."""
    await server.begin(2)
    table = await play_on(server.bot.core, await server.table())
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settled()
    return Press(Verb.REMATCH, table.id, table.version).custom_id


async def test_a_rematch_takes_what_the_server_allows_now(server: Server) -> None:
    rematch = await finished(server)
    await server.bot.reviewing.settled()
    arcade, openers = server.guild.create_text_channel("arcade"), server.guild.create_role("openers")
    # Both are missing in the end; the place is asked for first.
    for refused, change in (("role", {"opener": openers}), ("played in", {"channel": arcade})):
        await administer(server, **change)
        before = everything(server.settings)
        assert refused in private(await server.send(server.members[0], rematch))
        assert everything(server.settings) == before


async def test_who_was_sent_away_asks_for_no_rematch(server: Server) -> None:
    await server.begin(3)
    out = server.members[2]
    await server.slash(server.members[0], "kick", player=out)
    await server.slash(server.members[0], "cancel")
    table = await server.table()
    before = everything(server.settings)
    again = Press(Verb.REMATCH, table.id, table.version).custom_id
    assert "Only the players" in private(await server.send(out, again))
    assert everything(server.settings) == before


def test_the_bot_asks_for_nothing_that_reaches_beyond_play() -> None:
    """What each is for: docs/security.md."""
    assert {name for name, wanted in PERMISSIONS if wanted} == {
        *("read_messages", "send_messages", "send_messages_in_threads"),
        *("embed_links", "attach_files", "read_message_history"),
    }


async def test_it_is_told_of_servers_and_channels_only(server: Server) -> None:
    assert server.bot.intents == discord.Intents(guilds=True)
    assert server.bot.allowed_mentions is not None
    assert server.bot.allowed_mentions.to_dict() == discord.AllowedMentions.none().to_dict()

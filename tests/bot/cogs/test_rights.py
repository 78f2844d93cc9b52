"""The rights of people, decided at the moment of the press or the command, whatever they were before."""

from collections.abc import Mapping
from typing import Any

import discord
from simcord import InteractionResult, MemberActor

from bot.cogs.routes import HighScore
from bot.discord_api.permissions import PERMISSIONS
from bot.domain.table import Status, Table
from bot.domain.timing import Pace
from bot.ui.buttons import TablePress, Verb
from tests.bot.cogs.test_setup import to_setting
from tests.bot.databases import everything
from tests.bot.passing import administer, moderator
from tests.bot.server import PrivatePage, Server, private, private_message

RIGHTS = {
    "moderator": discord.Permissions(manage_messages=True),
    "manager": discord.Permissions(manage_guild=True),
    "administrator": discord.Permissions(administrator=True),
}
COMMANDS: Mapping[str, tuple[dict[str, Any], frozenset[str]]] = {
    "cancel": ({}, frozenset({"host", "manager", "administrator"})),
    "skip": ({}, frozenset({"host", "moderator", "administrator"})),
    "remove": ({"player": 2}, frozenset({"host", "moderator", "administrator"})),
    "setup": ({}, frozenset({"manager", "administrator"})),
}
"""The actions of /highscore table, and setup: they change other people's games or the server. Who may do them."""
OWN = frozenset({"away", "cup", "daily", "leave", "me", "new"})
"""Commands that change only what belongs to the one who gives them."""
LOOKING = frozenset({"help", "history", "leaderboard", "learn", "play", "rules", "show", "stats"})
"""Commands that change nothing; /highscore show puts the table at the bottom."""


async def people(server: Server) -> dict[str, MemberActor]:
    found = {"host": server.members[0], "player": server.members[1], "stranger": server.members[4]}
    for name, permissions in RIGHTS.items():
        role = server.guild.create_role(name, permissions=permissions)
        found[name] = server.guild.add_member(server.env.create_user(name), roles=[role])
    await server.env.settle()
    return found


async def pick_pace(server: Server, who: MemberActor, pace: Pace) -> InteractionResult:
    """Set the server's pace; or be refused."""
    result = await server.slash(who, "setup")
    if not private_message(result).components:
        return result
    page = PrivatePage.of(server, who, result)
    return await who.select(page.page, [pace.value], custom_id=await to_setting(page, "pace"))


async def give(server: Server, who: MemberActor, command: str) -> InteractionResult:
    if command == "cancel":
        return await server.cancel(who)
    if command == "setup":
        return await pick_pace(server, who, Pace.LIVE)
    options = {name: server.members[at] if name == "player" else at for name, at in COMMANDS[command][0].items()}
    return await server.slash(who, "table", action=command, **options)


def test_every_command_is_in_the_table() -> None:
    known = {command.name for command in HighScore.__cog_app_commands__}
    assert known == {"setup", "table"} | OWN | LOOKING


async def test_who_may_give_a_command(server: Server) -> None:
    them = await people(server)
    for command, (_options, allowed) in COMMANDS.items():
        await server.begin(3)
        before = everything(server.settings)
        for who in them.keys() - allowed:
            said = private(await give(server, them[who], command))
            assert "Only" in said, (command, who)
            assert ("Manage Server" if command == "setup" else "host") in said
        assert everything(server.settings) == before
        # One turn after the other can be skipped, though not by a host while others have time; a game ends once, and
        # somebody goes once.
        for who in allowed - {"host"} if command in ("skip", "setup") else sorted(allowed & {"moderator", "manager"}):
            before = everything(server.settings)
            await give(server, them[who], command)
            assert everything(server.settings) != before, (command, who)
            if command == "setup":
                await administer(server, pace=Pace.DAY)
        if command != "cancel":
            await server.cancel(them["host"])


async def test_a_right_that_was_taken_away_is_gone_at_once(server: Server) -> None:
    await server.begin(3)
    role = server.guild.create_role("trusted", permissions=discord.Permissions(manage_messages=True, manage_guild=True))
    them = server.guild.add_member(server.env.create_user("once"), roles=[role])
    await server.env.settle()
    assert "Only" not in private(await server.slash(them, "setup"))
    server.env.backend.remove_member_role(server.guild.id, them.id, role.id)
    await server.env.settle()
    before = everything(server.settings)
    for command in COMMANDS:
        assert "Only" in private(await give(server, them, command))
    assert everything(server.settings) == before


async def refused(server: Server, who: MemberActor, table: Table, *verbs: Verb) -> list[str]:
    """Press buttons that change nothing; returns what was said."""
    before = everything(server.settings)
    said = [private(await server.send(who, TablePress(verb, table.id, table.version).custom_id)) for verb in verbs]
    assert everything(server.settings) == before
    return said


async def test_who_got_up_or_was_sent_away_decides_nothing_any_more(server: Server) -> None:
    table = await server.seat(4, house=1)
    host, next_host, out, gone = server.members[:4]
    await server.press(gone, Verb.LEAVE)
    await refused(server, gone, table, Verb.ADD_HOUSE, Verb.DROP_HOUSE, Verb.LUCKY_WORD, Verb.LEAVE)
    await server.press(host, Verb.LEAVE)
    (said,) = await refused(server, host, table, Verb.START)
    assert "host" in said
    await server.send(next_host, TablePress(Verb.START, table.id, table.version).custom_id)
    table = await server.table()
    assert table.status is Status.PLAYING
    await server.slash(await moderator(server), "table", action="remove", player=out)
    await refused(server, out, await server.table(), Verb.TAKE, Verb.BACK, Verb.QUIT, Verb.HINT, Verb.STOP)
    await server.cancel(next_host)
    (said,) = await refused(server, out, await server.table(), Verb.REMATCH)
    assert "no longer in this game" in said


async def test_a_rematch_takes_what_the_server_allows_now(server: Server) -> None:
    await server.begin(2)
    await server.cancel(server.members[0])
    table = await server.table()
    arcade, openers = server.guild.create_text_channel("arcade"), server.guild.create_role("openers")
    # Both are missing in the end; the place is asked for first.
    for reason, change in (("role", {"opener_role": openers.id}), ("played in", {"channels": (arcade.id,)})):
        await administer(server, **change)
        (said,) = await refused(server, server.members[0], table, Verb.REMATCH)
        assert reason in said


def test_the_bot_asks_for_nothing_that_reaches_beyond_play() -> None:
    """The purpose of each is in docs/security.md."""
    assert {name for name, wanted in PERMISSIONS if wanted} == {
        *("read_messages", "send_messages", "send_messages_in_threads"),
        *("embed_links", "attach_files", "read_message_history"),
    }


async def test_it_is_told_of_servers_and_channels_only(server: Server) -> None:
    assert server.bot.intents == discord.Intents(guilds=True)
    assert server.bot.allowed_mentions is not None
    assert server.bot.allowed_mentions.to_dict() == discord.AllowedMentions.none().to_dict()

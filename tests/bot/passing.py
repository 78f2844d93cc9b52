"""Ways to let time pass in a Discord server, and to list who was notified."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import discord
import simcord
from simcord import InteractionResult, MemberActor
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.domain.table import Table
from bot.services.setup import change_settings
from bot.ui.buttons import Verb
from tests.bot.server import RETRY, Server, embeds_of

MENTION = re.compile(r"<@!?(\d+)>")
HOUSE = RETRY
"""Virtual seconds between two decisions of the house, see tests.bot.conftest."""
REMINDER = "⏰"
CALL = "🎲"
"""Begins a message that calls where the table's page did not."""


async def administer(server: Server, **changes: Any) -> None:
    await change_settings(server.bot.core, server.guild.id, **changes)


async def moderator(server: Server) -> MemberActor:
    """Add a member who sits nowhere and may manage messages, and the server."""
    role = server.guild.create_role(
        "moderator", permissions=discord.Permissions(manage_messages=True, manage_guild=True)
    )
    member = server.guild.add_member(server.env.create_user("mod"), roles=[role])
    await server.env.settle()
    return member


def forbid(server: Server, *names: str, member: MemberActor | None = None) -> None:
    """Take permissions from a member, by default the bot, in the channel; without names they have all of them again."""
    user_id = server.env.backend.bot_user.id if member is None else member.id
    denied = discord.Permissions(**dict.fromkeys(names, True)).value
    server.env.backend.set_overwrite(server.channel.id, Overwrite(user_id, OverwriteType.MEMBER, 0, denied))


async def wait(server: Server, **time: float) -> None:
    await server.env.advance_time(timedelta(**time).total_seconds())


async def wait_until(server: Server, moment: datetime | None, seconds: float = 0) -> None:
    """Let time pass until so many seconds after (or before) a moment."""
    assert moment is not None
    await server.env.advance_time((moment - server.env.now()).total_seconds() + seconds)


async def press(server: Server, member: MemberActor, verb: Verb) -> InteractionResult:
    """Press a button of the table, above a reminder if there is one."""
    return await server.press(member, verb, message=page(server))


async def play_turn(server: Server, member: MemberActor | None = None) -> Table:
    """Play a player's whole turn, keeping the dice of the first roll."""
    table = await server.table()
    player = member or server.on_turn(table)
    if table.game is not None and table.game.turn is None:
        await press(server, player, Verb.TAKE)
    if server.buttons(Verb.ASK, page(server)):
        await press(server, player, Verb.ASK)
    await press(server, player, Verb.STOP if server.buttons(Verb.STOP, page(server)) else Verb.SET_ASIDE)
    return await server.table()


def text(message: discord.Message | simcord.ResponseMessage) -> str:
    return message.content + embeds_of(message)


def shown(server: Server) -> str:
    return text(page(server))


def pages(server: Server) -> list[discord.Message]:
    """Return the messages that show the table, oldest first: all but calls and reminders."""
    return [message for message in server.messages if not message.content.startswith((REMINDER, CALL))]


def page(server: Server) -> discord.Message:
    return pages(server)[-1]


def stamp(moment: datetime | None) -> int:
    assert moment is not None
    return int(moment.timestamp())


@dataclass(frozen=True)
class Call:
    """A user or a role that was notified."""

    user_id: int
    reminder: bool
    direct: bool = False


def calls(server: Server) -> list[Call]:
    private = {channel.id for channel in server.env.backend.channels.values() if channel.guild_id is None}
    found: list[Call] = []
    for entry in server.env.http_requests:
        body: dict[str, Any] = entry.json if isinstance(entry.json, dict) else {}
        body = body.get("data", body)
        if entry.method != "POST" or "/messages" not in entry.path:
            continue
        channel_id = int(entry.path.split("/")[2])
        content = body.get("content") or ""
        if channel_id in private:
            recipient = next(member.id for member in server.members if member.user.dm_channel.id == channel_id)
            found.append(Call(recipient, REMINDER in content, direct=True))
            continue
        allowed = body["allowed_mentions"]
        assert not allowed.get("parse")
        named = {int(user) for user in MENTION.findall(content)}
        found += [Call(int(user), REMINDER in content) for user in allowed.get("users", []) if int(user) in named]
        found += [Call(int(role), False) for role in allowed.get("roles", []) if f"<@&{role}>" in content]
    return found

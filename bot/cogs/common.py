"""What several cogs ask of an interaction."""

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Any, TypedDict, TypeVar

import discord
from discord import app_commands

from bot.cogs.context import Context
from bot.discord_api.permissions import missing_permissions_here, permission_names
from bot.discord_api.replies import Interaction
from bot.domain.errors import Refused
from bot.domain.pace import Pace
from bot.locales import _, language_for
from bot.services.core import Person
from bot.ui.message import Rendered
from bot.ui.text import is_visible

Choice = TypeVar("Choice", bound=Enum)

PACES = [
    app_commands.Choice(name="live: everybody is there", value=Pace.LIVE.value),
    app_commands.Choice(name="day: the game ends within a day", value=Pace.DAY.value),
    app_commands.Choice(name="relaxed: a day for every turn", value=Pace.RELAXED.value),
]
"""What a command offers where it asks for a pace."""


def person_of(interaction: Interaction) -> Person:
    """Who asks."""
    user = interaction.user
    roles = [role.id for role in user.roles] if isinstance(user, discord.Member) else []
    may = interaction.permissions
    return Person(user.id, name_of(user), interaction.id, may.manage_messages, roles, may.manage_guild)


def name_of(user: discord.abc.User) -> str:
    """What somebody is called on the server; where nothing of that can be seen, their user name, which is unique."""
    return user.display_name if is_visible(user.display_name) else user.name


def parent_of(interaction: Interaction) -> int | None:
    """The channel that the thread belongs to in which somebody asks; None outside of threads."""
    return interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None


def choice_of(kind: type[Choice], value: str) -> Choice:
    """What was picked of an option's choices. Raises Refused for what is none of them."""
    try:
        return kind(value)
    except ValueError:
        raise Refused(_("Pick one from the list that opens while you type.")) from None


def picked_value(interaction: Interaction) -> str:
    """The value of the option that was picked of a select; empty where a forged press names none."""
    return next(iter(picked_values(interaction)), "")


def picked_values(interaction: Interaction) -> list[str]:
    """The values of all options that were picked of a select."""
    data: dict[str, Any] = dict(interaction.data or {})
    return [str(value) for value in data.get("values", ())]


def place(interaction: Interaction) -> tuple[int, int]:
    """Server and channel of a command. Raises NoPrivateMessage outside of servers."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id, interaction.channel_id


class GamePlace(TypedDict):
    """Where a game is played, and in which language, as services are told."""

    guild_id: int
    channel_id: int
    parent_id: int | None
    locale: str


def game_place(interaction: Interaction) -> GamePlace:
    """Where somebody is who wants to play. Raises Refused where the next turn could not be shown."""
    guild_id, channel_id = place(interaction)
    check_permissions(interaction)
    language = language_for(interaction.guild_locale)
    return GamePlace(guild_id=guild_id, channel_id=channel_id, parent_id=parent_of(interaction), locale=language)


def missing_permissions_notice(interaction: Interaction) -> str:
    """What the bot lacks to play here, as a line to add to an answer; empty when nothing is missing."""
    if not (missing := missing_permissions_here(interaction)):
        return ""
    text = _("The game is paused: I need the permission {permissions} in this channel.")
    return "\n⚠️ " + text.format(permissions=permission_names(missing))


def typed_text(interaction: Interaction, field: str) -> str:
    """What was typed into a field of a dialog; empty where nothing was."""
    data: dict[str, Any] = dict(interaction.data or {})
    return next(_values(data.get("components", []), field), "")


def _values(components: list[dict[str, Any]], field: str) -> Iterator[str]:
    """The values of a field, wherever Discord nests it (rows or labels)."""
    for component in components:
        if component.get("custom_id") == field:
            yield str(component.get("value") or "")
        inner = component.get("component")
        yield from _values([*component.get("components", []), *([inner] if inner else [])], field)


def check_permissions(interaction: Interaction) -> None:
    """Refuse to play where the next turn could not be shown; names what is missing."""
    if missing := missing_permissions_here(interaction):
        text = _("I cannot play here: I need the permission {permissions} in this channel.")
        raise Refused(text.format(permissions=permission_names(missing)))


async def draw_first(context: Context, rendered: Rendered) -> Rendered:
    """The message with its picture drawn already, by the helper: for what takes longer than a table's picture."""
    if rendered.picture is None:
        return rendered
    png = await context.core.helper.run(rendered.picture.draw, *rendered.picture.view)
    return replace(rendered, picture=replace(rendered.picture, draw=lambda *_view: png))

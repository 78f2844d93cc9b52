"""What several cogs ask of an interaction."""

from __future__ import annotations

import io
from collections.abc import Iterable

import discord
from discord import app_commands

from bot.answers import Interaction, privately
from bot.errors import Refused
from bot.locales import _
from bot.pace import Pace
from bot.permissions import lacking_here, permission_names
from bot.services.core import Person

PACES = [
    app_commands.Choice(name="live: everybody is there", value=Pace.LIVE.value),
    app_commands.Choice(name="day: the game ends within a day", value=Pace.DAY.value),
    app_commands.Choice(name="relaxed: a day for every turn", value=Pace.RELAXED.value),
]
"""What a command offers where it asks for a pace."""


def person(interaction: Interaction) -> Person:
    """Who asks."""
    return Person(interaction.user.id, interaction.user.display_name)


def place(interaction: Interaction) -> tuple[int, int]:
    """Server and channel of a command. Raises NoPrivateMessage outside of servers."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id, interaction.channel_id


def moderates(interaction: Interaction) -> bool:
    """Whether the one who asks may manage messages here, which is what makes a moderator of a table."""
    return interaction.permissions.manage_messages


def missing_note(interaction: Interaction) -> str:
    """What the bot lacks to play here, as a line to add to an answer; empty when nothing is missing."""
    missing = lacking_here(interaction)
    if not missing:
        return ""
    text = _("The game stands still: I need the permission {permissions} in this channel.")
    return "\n⚠️ " + text.format(permissions=permission_names(missing))


def check_permissions(interaction: Interaction) -> None:
    """Refuse to play where the next turn could not be shown; names what is missing."""
    missing = lacking_here(interaction)
    if missing:
        raise Refused(
            _("I cannot play here: I need the permission {permissions} in this channel.").format(
                permissions=permission_names(missing)
            )
        )


async def answer_proof(interaction: Interaction, lines: Iterable[str], document: str, name: str) -> None:
    """Answer with what was checked, and with the file that lets anybody check it again."""
    checked = "\n".join(f"✅ {line}" for line in lines)
    text = f"{checked}\n" + _("Check it yourself: `highscore-bot verify FILE` with the file below.")
    await privately(interaction, text, file=discord.File(io.BytesIO(document.encode()), f"highscore-{name}.json"))

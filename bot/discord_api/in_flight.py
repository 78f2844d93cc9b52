"""What bot.observing.in_flight wants to know about an interaction of Discord's."""

from __future__ import annotations

import time
from typing import Any

import discord
from discord import InteractionType

from bot.observing.in_flight import InFlightInteractions
from bot.observing.metrics import InteractionKind

_ARRIVED = "arrived"
"""Key in an interaction's extras: seconds of the monotonic clock."""
_ASKED = {
    InteractionType.application_command: InteractionKind.COMMAND,
    InteractionType.component: InteractionKind.BUTTON,
    InteractionType.autocomplete: InteractionKind.AUTOCOMPLETE,
    InteractionType.modal_submit: InteractionKind.MODAL,
}


def arrived(interaction: discord.Interaction[Any]) -> None:
    """An interaction has come in."""
    interaction.extras[_ARRIVED] = time.perf_counter()


def asked_by(interaction: discord.Interaction[Any]) -> InteractionKind:
    """What somebody did to send an interaction that the bot answers."""
    return _ASKED[interaction.type]


def begin(
    in_flight: InFlightInteractions, interaction: discord.Interaction[Any], command: str, game: str | None = None
) -> None:
    """The current task begins to work on an interaction. Raises Stopping when nothing new is to be begun.

    ``command`` is the name of the button or the command, for the log; ``game`` the table, game or daily challenge.
    """
    in_flight.begin(
        asked_by(interaction),
        interaction.extras.get(_ARRIVED, time.perf_counter()),
        game=game,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        interaction=interaction.id,
        user=interaction.user.id,
        command=command,
    )

"""Limits on the presses and commands of each user. They are checked before anything is loaded for the user.

The counts are in memory. A player in a hurry makes two or three presses per second. A user who hammers on a button
makes up to eight, but only for a few seconds. With the default limits, only a program that clicks exceeds them.
"""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord
from discord import InteractionType, app_commands

from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.messages import ASKED, Interaction
from bot.domain.recent import Recent
from bot.locales import _, language_for, speaking_in
from bot.observing.metrics import InteractionKind, Metrics

log = logging.getLogger(__name__)

PRESS_SECONDS = 10.0
"""The period over which presses are counted. It is short, because a person over the limit has to wait that long."""
COMMAND_SECONDS = 60.0
QUIET_SECONDS = 5.0
"""A refusal is explained to a person at most once in this time. Their other presses are only acknowledged."""
REMEMBERED = 10_000
"""The number of people whose presses are counted, about 8 MB. A person who is forgotten starts at zero."""


@dataclass(slots=True)
class Usage:
    counts: dict[InteractionKind, app_commands.Cooldown]
    refused_at: float = -math.inf


class RateLimit:
    """The limits per person: ``presses`` in 10 seconds, ``commands`` in a minute; 0 for no limit.

    ``ticking`` is a monotonic clock in seconds. ``now`` is the time of day, for the answer.
    """

    def __init__(
        self,
        presses: int,
        commands: int,
        now: Callable[[], datetime],
        metrics: Metrics,
        ticking: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = {
            InteractionKind.BUTTON: app_commands.Cooldown(presses, PRESS_SECONDS),
            InteractionKind.COMMAND: app_commands.Cooldown(commands, COMMAND_SECONDS),
            # Discord requests an autocompletion for every letter or two that a user types.
            InteractionKind.AUTOCOMPLETE: app_commands.Cooldown(presses, PRESS_SECONDS),
        }
        self._now = now
        self._metrics = metrics
        self._ticking = ticking
        self._usages: Recent[int, Usage] = Recent(REMEMBERED)

    async def admits(self, interaction: Interaction) -> bool:
        """Return True if an interaction may be handled. If not, it is answered here. Never raises."""
        asked = ASKED[interaction.type]
        # Dialogs are counted with the buttons that open them.
        counted = InteractionKind.BUTTON if asked is InteractionKind.MODAL else asked
        if not self._limits[counted].rate:
            return True
        tick = self._ticking()
        user_id = interaction.user.id
        usage = self._usages.get(user_id) or Usage({kind: each.copy() for kind, each in self._limits.items()})
        self._usages[user_id] = usage
        wait = usage.counts[counted].update_rate_limit(tick)
        if wait is None:
            return True
        self._metrics.slowed.labels(asked.value).inc()
        # The text that was typed into a refused dialog is lost, so this refusal is always explained.
        silent = tick - usage.refused_at < QUIET_SECONDS and asked is not InteractionKind.MODAL
        if not silent and asked is not InteractionKind.AUTOCOMPLETE:
            usage.refused_at = tick
            rate = self._limits[counted].rate
            log.info("user %s is slowed down: more than %d interactions of the kind %s", user_id, rate, counted)
        try:
            await self._refuse(interaction, None if silent else wait)
        except DISCORD_ERRORS as error:
            log.info("an interaction over the limit could not be answered: %s", type(error).__name__)
        return False

    async def _refuse(self, interaction: Interaction, wait: float | None) -> None:
        """Tell the person when to continue. If ``wait`` is None, only acknowledge the interaction, because otherwise
        Discord would say that the bot has failed.
        """
        response = interaction.response
        if interaction.type is InteractionType.autocomplete:
            await response.autocomplete([])
        elif wait is not None:
            with speaking_in(language_for(interaction.locale)):
                moment = self._now() + timedelta(seconds=math.floor(wait) + 1)
                text = _("That's faster than the dice can roll, so I skipped this one. Try again: {when}")
                text = text.format(when=f"<t:{math.ceil(moment.timestamp())}:R>")
            await response.send_message(text, ephemeral=True, allowed_mentions=discord.AllowedMentions.none())
        elif interaction.type is InteractionType.component:
            await response.defer()
        else:
            # A command can be answered only by a message. This message is deleted before it has a text.
            await response.defer(ephemeral=True, thinking=True)
            await interaction.delete_original_response()

"""Slowing down whoever sends more than anybody can play, before anything is looked up for them.

The limits are per person, kept in memory, and far above what playing takes: somebody in a hurry comes to two or three
presses a second, and a finger that hammers on one button to eight for a moment. They keep out a program that clicks.
"""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import discord
from discord import InteractionType, app_commands

from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.replies import ASKED, Interaction
from bot.domain.recent import Recent
from bot.locales import _, language_for, speaking_in
from bot.observing.metrics import InteractionKind, Metrics

log = logging.getLogger(__name__)

PRESS_SECONDS = 10.0
"""The time over which presses are counted. Short, because that is also how long somebody may have to wait."""
COMMAND_SECONDS = 60.0
"""The time over which commands are counted."""
QUIET_SECONDS = 5.0
"""Between two answers that say to slow down; what comes meanwhile is only acknowledged."""
REMEMBERED = 10_000
"""People whose presses are counted, those who were there last: about 8 MB. Who is forgotten begins anew."""


@dataclass(slots=True)
class Usage:
    """What somebody has sent of late."""

    counts: dict[InteractionKind, app_commands.Cooldown]
    told_at: float = field(default=-math.inf)


class RateLimit:
    """Counts what everybody sends: ``presses`` in 10 seconds and ``commands`` in a minute are let through; 0: no limit.

    ``ticking`` gives the seconds of a clock that is never put back; ``now`` the time of day, for the answer.
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
            InteractionKind.BUTTON: (presses, PRESS_SECONDS),
            InteractionKind.COMMAND: (commands, COMMAND_SECONDS),
            # Discord asks for what an option could be while somebody types.
            InteractionKind.AUTOCOMPLETE: (presses, PRESS_SECONDS),
        }
        self._now = now
        self._metrics = metrics
        self._ticking = ticking
        self._guests: Recent[int, Usage] = Recent(REMEMBERED)

    async def admits(self, interaction: Interaction) -> bool:
        """Whether to go on with an interaction; where not, it has been answered. Never raises."""
        asked = ASKED[interaction.type]
        # Dialogs are counted with the buttons that open them.
        counted = InteractionKind.BUTTON if asked is InteractionKind.MODAL else asked
        if not self._limits[counted][0]:
            return True
        tick = self._ticking()
        guest = self._guest(interaction.user.id)
        wait = guest.counts[counted].update_rate_limit(tick)
        if wait is None:
            return True
        self._metrics.slowed.labels(asked.value).inc()
        # What somebody typed into a dialog is lost with it, so that is always said.
        silent = tick - guest.told_at < QUIET_SECONDS and asked is not InteractionKind.MODAL
        if not silent and asked is not InteractionKind.AUTOCOMPLETE:
            guest.told_at = tick
            log.info(
                "user %s is slowed down: more than %d of %s", interaction.user.id, self._limits[counted][0], counted
            )
        try:
            await self._refuse(interaction, None if silent else wait)
        except DISCORD_ERRORS as error:
            log.info("interaction %s was left out and could not be answered: %s", interaction.id, type(error).__name__)
        return False

    def _guest(self, user_id: int) -> Usage:
        guest = self._guests.get(user_id)
        if guest is None:
            counts = {kind: app_commands.Cooldown(rate, per) for kind, (rate, per) in self._limits.items() if rate}
            guest = Usage(counts)
        self._guests[user_id] = guest
        return guest

    async def _refuse(self, interaction: Interaction, wait: float | None) -> None:
        """Say when to go on; with None only acknowledge, so that nobody reads that the bot did not respond."""
        response = interaction.response
        if interaction.type is InteractionType.autocomplete:
            await response.autocomplete([])
        elif wait is not None:
            with speaking_in(language_for(interaction.locale)):
                moment = self._now() + timedelta(seconds=math.floor(wait) + 1)
                text = _("That is faster than the dice can roll, so I left this one out. Please go on {when}.")
                text = text.format(when=f"<t:{math.ceil(moment.timestamp())}:R>")
            await response.send_message(text, ephemeral=True, allowed_mentions=discord.AllowedMentions.none())
        elif interaction.type is InteractionType.component:
            await response.defer()
        else:
            # A command has no answer without a message; this one is gone before it says anything.
            await response.defer(ephemeral=True, thinking=True)
            await interaction.delete_original_response()

"""/highscore daily and its buttons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.cogs.common import answer_proof, check_permissions, parent_of, person, place
from bot.cogs.dispatch import Interaction, answer_error, defer_if_slow, unanswered
from bot.cogs.turn import decision_of
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import mentions
from bot.domain.daily import Attempt
from bot.domain.errors import Refused
from bot.locales import _, language_for, speak
from bot.observing.in_flight import committed, note_result
from bot.observing.metrics import InteractionResult
from bot.services.core import check_guild
from bot.services.daily import MovedOn, begin, decide, look, prove, standing
from bot.ui.buttons import Press, Verb
from bot.ui.daily import render
from bot.ui.message import Rendered
from bot.ui.proof import daily_proof_lines

if TYPE_CHECKING:
    from bot.app import HighScoreBot


class DailyCommands(commands.Cog):
    """The part of /highscore that is played alone."""

    bot: HighScoreBot

    @app_commands.command(description="Today's seven cards, alone and in private; the same dice for the same choices")
    async def daily(self, interaction: Interaction) -> None:
        """Begin the day's challenge, or show how far one has come."""
        guild_id, channel_id = place(interaction)
        check_permissions(interaction)
        begun = begin(
            self.bot.core,
            person(interaction),
            guild_id=guild_id,
            channel_id=channel_id,
            parent_id=parent_of(interaction),
            locale=language_for(interaction.guild_locale),
            interaction_id=interaction.id,
        )
        attempt = await defer_if_slow(interaction, begun, private=True)
        self.bot.clock.notice(attempt.daily.ends_at)
        rendered = await _page(self.bot, attempt)
        with _no_loss(interaction):
            if interaction.response.is_done():
                await interaction.edit_original_response(**await rendered.editing(), allowed_mentions=mentions())
            else:
                fields = await rendered.sending()
                await interaction.response.send_message(**fields, ephemeral=True, allowed_mentions=mentions())


class DailyPresses:
    """Answers every button of the daily challenges."""

    def __init__(self, bot: HighScoreBot) -> None:
        self._bot = bot

    async def press(self, interaction: Interaction, press: Press) -> None:
        """Do what a button says and answer it. Never raises: discord.py would only log it."""
        speak(language_for(interaction.locale))
        try:
            await check_guild(self._bot.core, press.table_id, interaction.guild_id)
            await self._press(interaction, press)
        except Exception as error:
            await answer_error(interaction, error)

    async def _press(self, interaction: Interaction, press: Press) -> None:
        if press.verb is Verb.PROOF:
            proving = prove(self._bot.core, press.table_id, interaction.user.id)
            proof, document = await defer_if_slow(interaction, proving, private=True)
            await answer_proof(interaction, daily_proof_lines(proof), document, press.table_id)
            return
        try:
            if press.verb is Verb.TOGGLE:
                rendered = await self._toggled(interaction, press)
            else:
                rendered = await _page(self._bot, await defer_if_slow(interaction, self._decide(interaction, press)))
        except MovedOn as moved:
            note_result(InteractionResult.STALE)
            rendered = replace(await _page(self._bot, moved.attempt), content=str(moved))
        await _show(interaction, rendered)

    async def _decide(self, interaction: Interaction, press: Press) -> Attempt:
        if press.verb not in (Verb.TAKE, Verb.STOP, Verb.ROLL, Verb.SET_ASIDE):
            raise Refused(_("There is no such button in the daily challenge."))
        decision = decision_of(press)
        attempt = await decide(
            self._bot.core,
            press.table_id,
            person(interaction),
            decision,
            version=press.version,
            channel_id=place(interaction)[1],
            interaction_id=interaction.id,
        )
        committed()
        self._bot.metrics.decided(decision)
        # The line about a finish is due at once.
        self._bot.clock.notice(attempt.finished_at)
        return attempt

    async def _toggled(self, interaction: Interaction, press: Press) -> Rendered:
        """Pick a die or put it back. The pick lives in the message's buttons; nothing is written."""
        attempt = await look(self._bot.core, press.table_id, interaction.user.id, press.version)
        turn = attempt.play.turn
        if turn is None or not set(press.positions) <= set(turn.free):
            raise Refused(_("That die cannot be picked now."))
        return render(attempt, selected=press.positions)


async def _page(bot: HighScoreBot, attempt: Attempt) -> Rendered:
    ranking = await standing(bot.core, attempt.daily.id) if attempt.play.complete else ()
    return render(attempt, ranking)


async def _show(interaction: Interaction, rendered: Rendered) -> None:
    """Put the player's page where they pressed."""
    fields = await rendered.editing()
    with _no_loss(interaction):
        if interaction.response.is_done():
            await interaction.edit_original_response(**fields, allowed_mentions=mentions())
        else:
            await interaction.response.edit_message(**fields, allowed_mentions=mentions())


@contextmanager
def _no_loss(interaction: Interaction) -> Iterator[None]:
    """An answer that fails is no failure of what was committed: the command shows it again. Our own mistakes are."""
    try:
        yield
    except DISCORD_ERRORS as error:
        if trouble(error) is Trouble.REFUSED:
            raise
        unanswered(interaction, error)

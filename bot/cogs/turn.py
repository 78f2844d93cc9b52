"""Buttons: each press becomes one use case and its answer."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import discord

from bot.cogs.common import answer_proof, parent_of, person, roles_of
from bot.cogs.dispatch import Interaction, answer_error, defer_if_slow, reply_ephemeral, show_change
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import custom_ids
from bot.domain.errors import Elsewhere, Refused
from bot.domain.table import Table
from bot.locales import _, language_for, speak
from bot.services import coaching
from bot.services.absence import come_back, leave_game
from bot.services.core import check_guild, load
from bot.services.lobby import add_house_player, check_lucky_word, join, leave, rematch, send_house_player_off, start
from bot.services.proof import prove
from bot.services.turn import check_turn, decide
from bot.ui.buttons import Press, Verb
from bot.ui.coaching import hint_embed, report_message
from bot.ui.lucky_words import WordModal
from bot.ui.proof import proof_lines
from bot.ui.table import render
from highscore.game import Decision, TakeDice
from highscore.turn import Roll, SetAside, Stop

if TYPE_CHECKING:
    from bot.app import HighScoreBot

log = logging.getLogger(__name__)


_SERVICES = {
    Verb.JOIN: join,
    Verb.LEAVE: leave,
    Verb.START: start,
    Verb.ADD_HOUSE: add_house_player,
    Verb.DROP_HOUSE: send_house_player_off,
    Verb.BACK: come_back,
    Verb.QUIT: leave_game,
}
"""Verbs that change a table by who presses them alone; the others are decisions of a turn."""


class Presses:
    """Answers every button of every table."""

    def __init__(self, bot: HighScoreBot) -> None:
        self.bot = bot

    async def press(self, interaction: Interaction, press: Press) -> None:
        """Do what a button says and answer it. Never raises: discord.py would only log it."""
        speak(language_for(interaction.locale))
        self.bot.reminding.clicked(press.table_id, interaction.user.id)
        try:
            await check_guild(self.bot.core, press.table_id, interaction.guild_id)
            await self._press(interaction, press)
        except Exception as error:
            await answer_error(interaction, error)
            if isinstance(error, Refused) and not isinstance(error, Elsewhere):
                await self._refresh(interaction.message, press)

    async def _press(self, interaction: Interaction, press: Press) -> None:
        match press.verb:
            case Verb.TOGGLE:
                await self._toggle(interaction, press)
            case Verb.LUCKY_WORD:
                await self._ask_word(interaction, press)
            case Verb.PROOF:
                await self._prove(interaction, press)
            case Verb.REMATCH:
                asked = rematch(
                    self.bot.core,
                    press.table_id,
                    person(interaction),
                    parent_id=parent_of(interaction),
                    role_ids=roles_of(interaction),
                    interaction_id=interaction.id,
                )
                table = await defer_if_slow(interaction, asked)
                self.bot.delivery.request_redraw(table.id)
                await reply_ephemeral(interaction, _("The table for the rematch is open."))
            case Verb.HINT:
                work = coaching.give_hint(
                    self.bot.core, press.table_id, interaction.user.id, press.version, interaction_id=interaction.id
                )
                hinted, advice = await defer_if_slow(interaction, work, private=True)
                await reply_ephemeral(interaction, "", embed=hint_embed(hinted, advice))
            case Verb.REPORT:
                played, report = await defer_if_slow(
                    interaction, coaching.report(self.bot.core, press.table_id), private=True
                )
                await reply_ephemeral(interaction, "", **report_message(played, report))
            case Verb.QUIT:
                await defer_if_slow(interaction, self._change(interaction, press))
                self.bot.delivery.request_redraw(press.table_id)
                await reply_ephemeral(interaction, _("You have left the game; the house plays on for you."))
            case _:
                table = await defer_if_slow(interaction, self._change(interaction, press))
                await show_change(interaction, self.bot.delivery, table)

    async def _change(self, interaction: Interaction, press: Press) -> Table:
        core, who = self.bot.core, person(interaction)
        if (service := _SERVICES.get(press.verb)) is not None:
            return await service(core, press.table_id, who, interaction_id=interaction.id)
        return await decide(
            core,
            press.table_id,
            who.user_id,
            decision_of(press),
            version=press.version,
            interaction_id=interaction.id,
        )

    async def _toggle(self, interaction: Interaction, press: Press) -> None:
        """Pick a die or put it back. The pick lives in the message's buttons; nothing is written."""
        table = await load(self.bot.core, press.table_id)
        check_turn(table, interaction.user.id, press.version)
        turn = None if table.game is None else table.game.turn
        if turn is None or not set(press.positions) <= set(turn.free):
            raise Refused(_("That die cannot be picked now."))
        try:
            await interaction.response.edit_message(**await render(table, press.positions).editing())
        except asyncio.CancelledError:
            # A stop does not wait any longer, but Discord may yet act on it, after what others have shown.
            self.bot.delivery.request_redraw(table.id)
            raise
        except DISCORD_ERRORS as error:
            if trouble(error) is not Trouble.MESSAGE_GONE:
                raise
            self.bot.delivery.request_redraw(table.id)
            raise Refused(_("That message is gone; the table is shown again.")) from error
        after = await load(self.bot.core, press.table_id)
        if after.version != table.version:
            # A decision was committed while this picture was on its way, and may have been shown before it.
            await show_change(interaction, self.bot.delivery, after)

    async def _ask_word(self, interaction: Interaction, press: Press) -> None:
        table = await load(self.bot.core, press.table_id)
        at = check_lucky_word(table, interaction.user.id)
        await interaction.response.send_modal(WordModal(table.id, table.seats[at].lucky_word))

    async def _prove(self, interaction: Interaction, press: Press) -> None:
        proof, document = await defer_if_slow(interaction, prove(self.bot.core, press.table_id))
        await answer_proof(interaction, proof_lines(proof), document, press.table_id)

    async def _refresh(self, message: discord.Message | None, press: Press) -> None:
        """A press that came too late may mean that its message shows an old picture: see to it that it does not.

        Also where nothing is owed: of two edits that crossed on their way the older one may have come last, and the bot
        may have died before it noticed.
        """
        try:
            table = self.bot.delivery.current(await load(self.bot.core, press.table_id))
            if table.owed:
                # Perhaps by another process, which may have died.
                self.bot.delivery.adopt(table.id)
            elif message is not None and press.version < table.version and press.custom_id in custom_ids(message):
                if message.id != table.message_id and not message.flags.ephemeral:
                    # A page that is over, or another process's, which did not know that the table was shown elsewhere.
                    await self.bot.delivery.take_buttons(table, message.id)
                self.bot.delivery.request_redraw(table.id)
        except Refused:
            return
        except Exception:
            log.exception("table %s could not be looked up", press.table_id)


def decision_of(press: Press) -> Decision:
    """The decision of a turn that a button stands for."""
    match press.verb:
        case Verb.TAKE:
            return TakeDice()
        case Verb.STOP:
            return Stop()
        case Verb.ROLL:
            return Roll(press.positions)
        case Verb.SET_ASIDE:
            return SetAside(press.positions)
        case _:
            raise ValueError(f"{press.verb} is no decision of a turn")

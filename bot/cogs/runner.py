"""From what a handler returns or raises to an answer: the one place that begins, defers, shows and tells."""

import logging
import time
from collections.abc import Awaitable
from contextlib import suppress

from discord import app_commands

from bot.cogs.answers import OpenModal, Page, Picked, Private, Redraw, Result, TableHere
from bot.cogs.context import Context
from bot.cogs.failures import explain, fallback_for, try_to_tell, turn_away
from bot.cogs.redraw import redraw, show_here, show_picked
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.rate_limit import RateLimit
from bot.discord_api.replies import ARRIVED, ASKED, AnswerKind, Interaction, Reply, TakeBack
from bot.domain.recent import Recent
from bot.locales import language_for, speak
from bot.observing.in_flight import InFlightInteractions, Stopping, failed, note_result
from bot.observing.metrics import InteractionResult
from bot.ui.message import Rendered

log = logging.getLogger(__name__)

REMEMBERED = 500
"""Private messages that the next one takes the place of, the latest ones."""


class Runner:
    """Answers everything people do: once, in time, in their language, whatever happens."""

    def __init__(self, context: Context, rate_limit: RateLimit, in_flight: InFlightInteractions) -> None:
        self.context = context
        self.rate_limit = rate_limit
        self._in_flight = in_flight
        self._private: Recent[tuple[int, str], TakeBack] = Recent(REMEMBERED)

    async def start(self, interaction: Interaction, command: str, game: str | None = None) -> bool:
        """Begin to work on an interaction; with False it has been answered: too many of them, or the bot is stopping.

        ``command`` is the name of the button or the command, for the log; ``game`` the game it is about. Never raises.
        """
        speak(language_for(interaction.locale))
        if not await self.rate_limit.admits(interaction):
            return False
        try:
            self._in_flight.begin(
                ASKED[interaction.type],
                interaction.extras.get(ARRIVED, time.perf_counter()),
                game=game,
                guild=interaction.guild_id,
                channel=interaction.channel_id,
                interaction=interaction.id,
                user=interaction.user.id,
                command=command,
            )
        except Stopping:
            await turn_away(interaction)
            return False
        return True

    async def run(self, interaction: Interaction, kind: AnswerKind, work: Awaitable[Result]) -> BaseException | None:
        """Answer an interaction with what ``work`` returns, or with why it raises, which is returned. Never raises."""
        async with Reply(interaction, kind) as reply:
            try:
                result = await work
            except Exception as error:
                await self.fail(reply, error)
                return error
            note: Rendered | None = None
            try:
                match result:
                    case Redraw(table, note):
                        await redraw(reply, self.context.display, table)
                    case Picked():
                        await show_picked(reply, self.context.display, result)
                    case TableHere(table, note):
                        await show_here(reply, self.context.display, table)
                    case Page(rendered, note, shown):
                        message_id = await reply.show(rendered)
                        if shown is not None and message_id is not None:
                            await shown(message_id)
                    case Private(rendered, instead_of):
                        take_back = await reply.tell(rendered)
                        if instead_of is not None:
                            await self._replace((interaction.user.id, instead_of), take_back)
                    case OpenModal(modal):
                        await reply.open(modal)
                if note is not None:
                    await try_to_tell(reply, note)
            except BaseException as error:
                if not isinstance(error, Exception):
                    raise
                await self._not_shown(reply, result, error)
        return None

    async def _replace(self, key: tuple[int, str], take_back: TakeBack) -> None:
        """Take back the private message that another one has taken the place of."""
        earlier = self._private.pop(key, None)
        self._private[key] = take_back
        if earlier is not None:
            with suppress(*DISCORD_ERRORS):  # Dismissed already, or sent more than 15 minutes ago.
                await earlier()

    async def _not_shown(self, reply: Reply, result: Result, error: Exception) -> None:
        """What was asked for is done, but could not be shown: say so in private, where that can be."""
        if not isinstance(error, DISCORD_ERRORS) or trouble(error) is Trouble.REFUSED:
            await self.fail(reply, error)
            return
        failed(error)
        log.info("interaction %s was done but not answered: %s", reply.interaction.id, error)
        if not (gone := trouble(error) in (Trouble.MESSAGE_GONE, Trouble.TOO_OLD)):
            note_result(InteractionResult.UNANSWERED)
        if trouble(error) is not Trouble.LATE and not reply.given:
            instead = fallback_for(result, gone=gone)
            if instead is not None:
                await try_to_tell(reply, instead)

    async def fail(self, reply: Reply, error: BaseException) -> None:
        """The one place where everything that a command or a button raises ends up. Never raises.

        People get a sentence, operators a log line with the ids; a committed move stays committed.
        """
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        result, explained = explain(reply.interaction, cause)
        note_result(result)
        if isinstance(cause, DISCORD_ERRORS):
            failed(cause)
        if explained is not None:
            await try_to_tell(reply, explained)

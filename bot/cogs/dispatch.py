"""Finds the handler of each press and command, and answers with its result.

The error of a handler is explained to the user in a sentence, and if operators have to know it, also in the log. All
log lines contain the ids of the interaction, the user, the server and the channel (``InFlightInteractions.begin``).
"""

import logging
import time
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands

from bot.cogs.common import Answer, Context, Picked, Private, Redraw, Result, TableHere, UserRequest, explain_refusal
from bot.cogs.routes import DIALOGS, ROUTES, Handler, Routes, find_route, refuse_unknown
from bot.cogs.table import redraw_table, refresh_message, show_picked_dice, show_table_here
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, is_our_mistake, trouble_of
from bot.discord_api.messages import ARRIVED, ASKED, AnswerKind, Interaction, Reply, TakeBack, custom_ids_of
from bot.discord_api.permissions import explain_forbidden
from bot.discord_api.rate_limit import RateLimit
from bot.domain.errors import AlreadyHandled, Refused, Stale, WrongServer
from bot.domain.recent import Recent
from bot.locales import _, current_language, language_for, speak_language
from bot.observing.in_flight import InFlightInteractions, Stopping, note_failed, note_result
from bot.observing.metrics import InteractionResult
from bot.services.core import check_guild
from bot.services.lobby import TableTaken
from bot.ui.buttons import Action, EndRuns, RunPress, TablePress
from bot.ui.message import Rendered
from bot.ui.table import render_table
from bot.ui.text import table_link
from highscore.errors import IllegalChoice
from highscore.proof import ExportError, ProofError

log = logging.getLogger(__name__)

REMEMBERED = 500
"""This many private messages are remembered, so that the next one with the same key can replace them."""


class Dispatcher:
    """Answers every interaction once, in time and in the user's language, even if its handler fails."""

    def __init__(self, context: Context, rate_limit: RateLimit, in_flight: InFlightInteractions) -> None:
        self.context = context
        self.rate_limit = rate_limit
        self._in_flight = in_flight
        self._private: Recent[tuple[int, str], TakeBack] = Recent(REMEMBERED)

    async def answer_press(
        self, interaction: Interaction, custom_id: str, routes: Routes = ROUTES, *, is_forged: bool = False
    ) -> None:
        """Answer a press, or a dialog. Never raises."""
        route, action = find_route(custom_id, routes)
        if not await self.start(interaction, action.command or custom_id.split(":")[1], action.subject_id):
            return
        request = UserRequest(self.context, interaction)
        handler = refuse_unknown if is_forged else route.handler
        error = await self.answer(interaction, route.kind, self._handle(request, action, handler))
        refused = isinstance(error, Refused | IllegalChoice) and not isinstance(error, WrongServer)
        if refused and isinstance(action, TablePress):
            await refresh_message(request, action)

    async def answer_other(self, interaction: Interaction) -> None:
        """Answer a dialog, or a forged press on a button that is not on its message. discord.py handles neither.

        Never raises.
        """
        data: dict[str, Any] = dict(interaction.data or {})
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit:
            await self.answer_press(interaction, custom_id, DIALOGS)
        elif interaction.type is discord.InteractionType.component:
            # discord.py handles a press only if its message has a component of this id and this type.
            kind, message = data.get("component_type"), interaction.message
            carried = message is not None and custom_id in custom_ids_of(message, kind)
            if not carried:
                await self.answer_press(interaction, custom_id, is_forged=True)

    async def _handle(self, request: UserRequest, action: Action, handler: Handler[Any]) -> Result:
        if isinstance(action, TablePress | RunPress | EndRuns):
            request.core.clicks[action.table_id, request.user_id] = request.core.now()
        if action.subject_id is not None:
            await check_guild(request.core, action.subject_id, request.interaction.guild_id)
        return await handler(request, action)

    async def start(self, interaction: Interaction, command: str, game: str | None = None) -> bool:
        """Register an interaction, with ``command`` as its name in the log. Return whether it may be handled.

        It is refused here if the user sends too many, if the bot is not on the server, or if the bot is stopping.
        Never raises.
        """
        speak_language(language_for(interaction.locale))
        if not await self.rate_limit.admits(interaction):
            return False
        if interaction.guild_id and interaction.is_user_integration() and not interaction.is_guild_integration():
            # The user has installed the commands for their account.
            await _send_private(
                interaction, _("I'm not on this server. Somebody with the Manage Server permission can add me.")
            )
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
            text = _("I'm restarting right now, so nothing was changed. Please try again in a minute.")
            await _send_private(interaction, text)
            return False
        return True

    async def answer(self, interaction: Interaction, kind: AnswerKind, work: Awaitable[Result]) -> BaseException | None:
        """Answer an interaction with the result of ``work``, or with an explanation of its error.

        Return the error of ``work``, or None. Never raises.
        """
        async with Reply(interaction, kind) as reply:
            try:
                result = await work
            except Exception as error:
                await reply_failure(reply, error)
                return error
            notice: Rendered | None = None
            try:
                match result:
                    case Redraw(table, notice):
                        await redraw_table(reply, self.context.display, table)
                    case Picked():
                        await show_picked_dice(reply, self.context.display, result)
                    case TableHere(table, notice):
                        await show_table_here(reply, self.context.display, table)
                    case Answer(rendered, notice, note_shown):
                        message_id = await reply.show(rendered)
                        if note_shown is not None and message_id is not None:
                            await note_shown(message_id)
                    case Private(rendered, instead_of):
                        take_back = await reply.send_private(rendered)
                        if instead_of is not None:
                            await self._replace((interaction.user.id, instead_of), take_back)
                    case discord.ui.Modal():
                        await reply.open(result)
                if notice is not None:
                    await reply_if_possible(reply, notice)
            except Exception as error:
                await reply_not_shown(reply, result, error)
        return None

    async def _replace(self, key: tuple[int, str], take_back: TakeBack) -> None:
        earlier = self._private.pop(key, None)
        self._private[key] = take_back
        if earlier is not None:
            with suppress(*DISCORD_ERRORS):  # The person may have dismissed it.
                await earlier()


async def _send_private(interaction: Interaction, text: str) -> None:
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await Reply(interaction, AnswerKind.PRIVATE).send_private(Rendered(content=text))
    except (*DISCORD_ERRORS, RuntimeError) as error:  # During a stop the connection may be closed: a RuntimeError.
        log.info("interaction %s was refused, but its user could not be told why: %s", interaction.id, error)


def _explain_error(interaction: Interaction, error: BaseException) -> tuple[InteractionResult, Rendered | None]:
    """Log an error if operators have to know it. Return how to count the interaction, and a message to the user.

    There is no message if another process answers the interaction, or if it is too late for an answer.
    """
    result = InteractionResult.REFUSED
    match error:
        case AlreadyHandled():
            log.info("another process has handled this interaction, and answers it")
            return result, None
        case Stale():
            now = render_table(error.table, language=current_language())
            text = f"{explain_refusal(error)} {table_link(error.table)}"
            return InteractionResult.STALE, Rendered([now.embeds[-1]], text, picture=now.picture)
        case TableTaken():
            advice = _("`/highscore new thread:True` opens another one in a thread of its own.")
            text = f"{error} {table_link(error.table)}\n{advice}"
        case Refused():
            text = str(error)
        case IllegalChoice():
            # The engine's sentences are constants in English and translated like any other message.
            text = _(str(error))
        case app_commands.NoPrivateMessage():
            text = _("High Score is played on servers. Use this command in a channel of a server.")
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch() | app_commands.TransformerError():
            # Discord, or the user's client, still has the commands of an earlier version.
            log.warning("a command of another version of the bot was used: %s", type(error).__name__)
            text = _(
                "This command has just changed. Please try again in a minute. If that doesn't help, restart Discord."
            )
        case ProofError() | ExportError():
            text = "the events of a stored game do not follow from its seed; compare the database with a backup: %s"
            log.error(text, error)
            result = InteractionResult.FAILED
            text = _("The check has failed, which should never happen. Please tell the people who run this bot:")
            text += " " + _(str(error))
        case _ if isinstance(error, DISCORD_ERRORS) and trouble_of(error) is Trouble.LATE:
            log.warning("the answer was sent after Discord's time limit, so the user saw an error")
            return InteractionResult.UNANSWERED, None
        case _ if isinstance(error, DISCORD_ERRORS) and trouble_of(error) is Trouble.FORBIDDEN:
            log.info("the bot lacks a permission in this channel: %s", error)
            text = explain_forbidden(interaction.channel_id)
        case _ if is_our_mistake(error):
            log.error("the interaction failed: %s", error, exc_info=error)
            result, text = InteractionResult.FAILED, _something_wrong()
        case _:
            log.warning("the interaction failed: %s", error)
            result, text = InteractionResult.FAILED, _something_wrong()
    return result, Rendered(content=text)


def _something_wrong() -> str:
    return _("Something went wrong on our side. Nothing is lost. Please try again in a moment.")


async def reply_failure(reply: Reply, error: BaseException) -> None:
    """Explain the error of a command or button to the user, and log it. Never raises."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    result, explained = _explain_error(reply.interaction, cause)
    note_result(result)
    note_failed(cause)
    if explained is not None:
        await reply_if_possible(reply, explained)


async def reply_not_shown(reply: Reply, result: Result, error: Exception) -> None:
    """Send the user a private message after an action was done but its result could not be shown.

    Send nothing if Discord takes no more answers, or if the delivery will show the result.
    """
    if is_our_mistake(error):
        await reply_failure(reply, error)
        return
    trouble = trouble_of(error)
    note_failed(error)
    log.info("the interaction was handled, but its result could not be shown: %s", error)
    if not (gone := trouble in (Trouble.MESSAGE_GONE, Trouble.TOO_OLD)):
        note_result(InteractionResult.UNANSWERED)
    if trouble is not Trouble.LATE and not reply.given:
        instead = _fallback_for(result, gone=gone)
        if instead is not None:
            await reply_if_possible(reply, instead)


def _fallback_for(result: Result, *, gone: bool) -> Rendered | None:
    """Return a private message to send in place of a result that could not be shown. Return None if the delivery will
    show it soon.

    ``gone`` is true if the message to edit was deleted, or is so old that Discord refuses more edits.
    """
    match result:
        case Answer(rendered, _notice) if gone:
            return rendered
        case Redraw(_table, notice) if notice is not None:
            return notice
        case Redraw() | Picked() if gone:
            return Rendered(content=_("That message can't be updated any more. The table will appear in a new one."))
        case Redraw():
            return None
        case TableHere():
            return Rendered(content=_("Discord is having trouble right now. The table will appear here soon."))
        case _:
            return Rendered(content=_something_wrong())


async def reply_if_possible(reply: Reply, rendered: Rendered) -> None:
    """Send the user a private message. If Discord refuses it, log that."""
    try:
        await reply.send_private(rendered)
    except DISCORD_ERRORS as error:
        note_failed(error)
        log.warning("Discord refused the answer, so the user saw none: %s", error)

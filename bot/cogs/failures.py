"""Explains the errors of commands and presses: to the user in a sentence, to operators in a log line with the ids."""

import logging

from discord import app_commands

from bot.cogs.common import Answer, Picked, Redraw, Result, TableHere, explain_refusal
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, is_our_mistake, trouble_of
from bot.discord_api.permissions import explain_forbidden
from bot.discord_api.replies import Interaction, Reply
from bot.domain.errors import AlreadyHandled, Refused, Stale
from bot.locales import _, current_language
from bot.observing.in_flight import note_failed, note_result
from bot.observing.metrics import InteractionResult
from bot.services.lobby import TableTaken
from bot.ui.message import Rendered
from bot.ui.table import render_table
from bot.ui.text import table_link
from highscore.errors import IllegalChoice
from highscore.proof import ExportError, ProofError

log = logging.getLogger(__name__)


def _explain_error(interaction: Interaction, error: BaseException) -> tuple[InteractionResult, Rendered | None]:
    """Log an error if operators have to know it. Return how to count the interaction, and a message to the user.

    There is no message if another process answers the interaction, or if it is too late for an answer.
    """
    result = InteractionResult.REFUSED
    match error:
        case AlreadyHandled():
            log.info("interaction %s was handled by another process, which answers it", interaction.id)
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
            log.warning(
                "interaction %s used a command of another version of the bot: %s", interaction.id, type(error).__name__
            )
            text = _(
                "This command has just changed. Please try again in a minute. If that doesn't help, restart Discord."
            )
        case ProofError() | ExportError():
            log.error(
                "interaction %s: the events of a stored game do not follow from its seed; compare the database with a"
                " backup: %s",
                interaction.id,
                error,
            )
            result = InteractionResult.FAILED
            text = _("The check has failed, which should never happen. Please tell the people who run this bot:")
            text += " " + _(str(error))
        case _ if isinstance(error, DISCORD_ERRORS) and trouble_of(error) is Trouble.LATE:
            log.warning(
                "interaction %s was answered after Discord's time limit, so the user saw an error", interaction.id
            )
            return InteractionResult.UNANSWERED, None
        case _ if isinstance(error, DISCORD_ERRORS) and trouble_of(error) is Trouble.FORBIDDEN:
            log.info(
                "interaction %s: the bot lacks a permission in channel %s: %s",
                interaction.id,
                interaction.channel_id,
                error,
            )
            text = explain_forbidden(interaction.channel_id)
        case _:
            ours = is_our_mistake(error)
            log.log(
                logging.ERROR if ours else logging.WARNING,
                "interaction %s by user %s in guild %s, channel %s failed: %s",
                interaction.id,
                interaction.user.id,
                interaction.guild_id,
                interaction.channel_id,
                error,
                exc_info=error if ours else None,
            )
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
    log.info("interaction %s was done, but its result could not be shown: %s", reply.interaction.id, error)
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
        log.warning("interaction %s: Discord refused the answer, so the user saw none: %s", reply.interaction.id, error)

"""Answering interactions: privately, with the table, and whatever went wrong.

Discord wants an answer within 3 seconds: https://discord.com/developers/docs/interactions/receiving-and-responding
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import mentions
from bot.domain.errors import PlayedElsewhere, Refused, Stale
from bot.domain.table import Table
from bot.locales import _, current, language_for, speak
from bot.observing.in_flight import InFlightInteractions, Stopping, answered, failed, note_result
from bot.observing.metrics import InteractionResult
from bot.services.lobby import TableTaken
from bot.ui.message import Picture, Rendered
from bot.ui.names import link_to
from bot.ui.table import render, render_page
from bot.workers.delivery import Delivery
from highscore.errors import IllegalChoice
from highscore.proof import ProofError

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
Result = TypeVar("Result")

OUTDATED_COMMAND_ERRORS = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
"""Discord, or somebody's client, still has the commands of an earlier version."""
PATIENCE = 2.0
"""Seconds after which an interaction is acknowledged first and answered later."""


async def start_interaction(
    interaction: Interaction, flying: InFlightInteractions, what: str, *, game: str | None = None
) -> bool:
    """Begin to work on an interaction, in the language of who asks. Where the bot is stopping it says so instead.

    Called first by whatever handles interactions; with False, nothing more is to be done. ``what`` is the name of the
    button or the command, for the log; ``game`` the table or the daily challenge, where it is known. Never raises.
    """
    speak(language_for(interaction.locale))
    try:
        flying.begin(interaction, what, game)
    except Stopping:
        await _turn_away(interaction)
        return False
    return True


async def _turn_away(interaction: Interaction) -> None:
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            text = _("I am being restarted just now, so this was not done. Please try again in a minute.")
            await reply_ephemeral(interaction, text)
    except (*DISCORD_ERRORS, RuntimeError) as error:  # The connection may be closed already, which is a RuntimeError.
        log.info("interaction %s came during the stop and was left: %s", interaction.id, error)


async def defer_if_slow(interaction: Interaction, work: Awaitable[Result], *, private: bool = False) -> Result:
    """The result of ``work``; acknowledges the interaction when that takes long, so that it stays answerable.

    ``private``: the answer will be a message of its own for the one who asked, not the message that was pressed.
    """
    acknowledging: list[asyncio.Task[None]] = []

    def acknowledge() -> None:
        acknowledging.append(asyncio.create_task(_acknowledge(interaction, private=private), name="acknowledge"))

    # A timer that is nearly always cancelled costs less than a task for the work and a wait for both.
    timer = asyncio.get_running_loop().call_later(PATIENCE, acknowledge)
    try:
        return await work
    finally:
        timer.cancel()
        for task in acknowledging:
            await task


async def _acknowledge(interaction: Interaction, *, private: bool) -> None:
    if interaction.response.is_done():
        return
    try:
        await interaction.response.defer(ephemeral=private, thinking=private)
    except DISCORD_ERRORS as error:
        failed(error)
        log.info("interaction %s could not be acknowledged: %s", interaction.id, error)


async def reply_ephemeral(
    interaction: Interaction,
    text: str,
    *,
    embed: discord.Embed | None = None,
    picture: Picture | None = None,
    file: discord.File | None = None,
    view: discord.ui.View | None = None,
) -> None:
    """Answer so that only the person who asked sees it. A picture is shown in the embed."""
    fields: dict[str, Any] = {"ephemeral": True, "allowed_mentions": mentions()}
    if embed is not None:
        fields["embed"] = embed
    files = [] if file is None else [file]
    if picture is not None and embed is not None:
        files.append(await picture.attach(embed))
    if files:
        fields["files"] = files
    if view is not None:
        fields["view"] = view
    if interaction.response.is_done():
        await interaction.followup.send(text, **fields)
    else:
        await interaction.response.send_message(text, **fields)
    answered()


async def show_change(interaction: Interaction, delivery: Delivery, table: Table) -> None:
    """Answer a press that changed a table, with the table.

    What cannot be shown here stays owed, and the delivery shows it; also when a stop does not wait any longer, because
    Discord may yet act on what it was asked.
    """
    try:
        await _show_change(interaction, delivery, delivery.current(table))
    except BaseException:
        delivery.request_redraw(table.id)
        raise


async def _show_change(interaction: Interaction, delivery: Delivery, table: Table) -> None:
    message = interaction.message
    if message is not None and message.id > (table.message_id or 0) and delivery.sending(table):
        # Sent, but the delivery has not heard that it was, and perhaps never will: it finds the message by its buttons.
        await _acknowledge(interaction, private=False)
        delivery.request_redraw(table.id)
    elif message is None or message.id != table.message_id:
        # Pressed on an older message: it loses its buttons, and the table is shown where it lives.
        await _replace(interaction, None)
        delivery.request_redraw(table.id)
    elif table.shown_page == table.page:
        if not await _replace(interaction, render(table)):
            delivery.request_redraw(table.id)
            return
        if delivery.current(table).message_id != message.id:
            # `/highscore show` has moved the table to another message meanwhile.
            await _show_change(interaction, delivery, delivery.current(table))
            return
        delivery.note(table, message.id)
        if (after := await delivery.newer(table)) is not None:
            # Somebody was faster, or the clock was: this answer may have brought an older picture back, or have opened
            # a page that is over.
            await _show_change(interaction, delivery, after)
    else:
        if await _replace(interaction, render_page(table, table.shown_page)):
            delivery.closed(table)
        delivery.request_redraw(table.id)


async def _replace(interaction: Interaction, rendered: Rendered | None) -> bool:
    """Edit the message that was pressed; with None only its buttons go. Tells whether Discord took it."""
    fields: dict[str, Any] = {"view": None} if rendered is None else await rendered.editing()
    try:
        if interaction.response.is_done():
            await interaction.edit_original_response(**fields, allowed_mentions=mentions())
        else:
            await interaction.response.edit_message(**fields, allowed_mentions=mentions())
    except DISCORD_ERRORS as error:
        unanswered(interaction, error)
        return False
    answered()
    return True


def unanswered(interaction: Interaction, error: BaseException) -> None:
    """Note that Discord did not take the answer. What was asked for is done all the same."""
    note_result(InteractionResult.UNANSWERED)
    failed(error)
    log.info("interaction %s was committed but not answered: %s", interaction.id, error)


async def answer_error(interaction: Interaction, error: BaseException) -> None:
    """The one place where everything that a command or a button raises ends up. Never raises.

    People get a sentence, operators a log line with the ids; a committed move stays committed.
    """
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    note_result(_outcome(cause))
    if isinstance(cause, DISCORD_ERRORS):
        failed(cause)
    try:
        await _answer_error(interaction, cause)
    except DISCORD_ERRORS as failure:
        failed(failure)
        log.warning("interaction %s could not be answered: %s", interaction.id, failure)


def _outcome(error: BaseException) -> InteractionResult:
    match error:
        case Stale():
            return InteractionResult.STALE
        case Refused() | IllegalChoice() | app_commands.NoPrivateMessage():
            return InteractionResult.REFUSED
        case _ if isinstance(error, OUTDATED_COMMAND_ERRORS):
            return InteractionResult.REFUSED
        case _ if isinstance(error, DISCORD_ERRORS) and trouble(error) is Trouble.LATE:
            return InteractionResult.UNANSWERED
        case _:
            return InteractionResult.FAILED


async def _answer_error(interaction: Interaction, error: BaseException) -> None:
    match error:
        case PlayedElsewhere():
            log.info("interaction %s was played by another process", interaction.id)
        case Stale():
            now = render(error.table, language=current())
            text = f"{error} {link_to(error.table)}"
            await reply_ephemeral(interaction, text, embed=now.embeds[-1], picture=now.picture)
        case TableTaken():
            await reply_ephemeral(interaction, f"{error} {link_to(error.table)}")
        case Refused():
            await reply_ephemeral(interaction, str(error))
        case IllegalChoice():
            # The engine's sentences are constants in English and translated like any other message.
            await reply_ephemeral(interaction, _(str(error)))
        case ProofError():
            log.error("a game of this bot does not follow from its seed: %s", error)
            text = _("The check has failed, which must never happen. Please tell the people who run this bot: {reason}")
            await reply_ephemeral(interaction, text.format(reason=_(str(error))))
        case _ if isinstance(error, OUTDATED_COMMAND_ERRORS):
            log.warning("interaction %s gave a command that there is not: %s", interaction.id, type(error).__name__)
            await reply_ephemeral(
                interaction,
                _("This command has just changed. Please try again in a minute; if that is no help, restart Discord."),
            )
        case app_commands.NoPrivateMessage():
            await reply_ephemeral(interaction, _("High Score is played in a server; use this command in a channel."))
        case _ if isinstance(error, DISCORD_ERRORS) and trouble(error) is Trouble.LATE:
            log.warning("interaction %s was answered too late", interaction.id)
        case _:
            # What Discord refuses to understand is our mistake; a channel that has gone meanwhile is nobody's.
            theirs = isinstance(error, DISCORD_ERRORS) and trouble(error) is not Trouble.REFUSED
            log.log(
                logging.WARNING if theirs else logging.ERROR,
                "interaction %s by user %s in guild %s, channel %s failed: %s",
                interaction.id,
                interaction.user.id,
                interaction.guild_id,
                interaction.channel_id,
                error,
                exc_info=None if theirs else error,
            )
            await reply_ephemeral(
                interaction,
                _("Something went wrong on our side. Nothing is lost; please try again in a moment."),
            )

"""What an error means to the one who asked: a sentence for them, and a log line with the ids for operators."""

from __future__ import annotations

import logging

from discord import app_commands

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.replies import Interaction
from bot.domain.errors import PlayedElsewhere, Refused, Stale
from bot.locales import _, current
from bot.observing.metrics import InteractionResult
from bot.services.lobby import TableTaken
from bot.ui.message import Rendered
from bot.ui.names import link_to
from bot.ui.table import render
from highscore.errors import IllegalChoice
from highscore.proof import ProofError

log = logging.getLogger(__name__)

OUTDATED_COMMAND_ERRORS = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
"""Discord, or somebody's client, still has the commands of an earlier version."""


def outcome(error: BaseException) -> InteractionResult:
    """What became of an interaction that ended with this error."""
    match error:
        case Stale():
            return InteractionResult.STALE
        case Refused() | IllegalChoice() | app_commands.NoPrivateMessage():
            return InteractionResult.REFUSED
        case _ if isinstance(error, OUTDATED_COMMAND_ERRORS):
            return InteractionResult.REFUSED
        case _ if _is_late(error):
            return InteractionResult.UNANSWERED
        case _:
            return InteractionResult.FAILED


def explain(interaction: Interaction, error: BaseException) -> Rendered | None:
    """What to tell the one who asked; None where nothing can or need be told."""
    match error:
        case PlayedElsewhere():
            log.info("interaction %s was played by another process", interaction.id)
            return None
        case Stale():
            now = render(error.table, language=current())
            return Rendered([now.embeds[-1]], f"{error} {link_to(error.table)}", picture=now.picture)
        case TableTaken():
            text = f"{error} {link_to(error.table)}"
        case Refused():
            text = str(error)
        case IllegalChoice():
            # The engine's sentences are constants in English and translated like any other message.
            text = _(str(error))
        case ProofError():
            log.error("a game of this bot does not follow from its seed: %s", error)
            text = _("The check has failed, which must never happen. Please tell the people who run this bot: {reason}")
            text = text.format(reason=_(str(error)))
        case _ if isinstance(error, OUTDATED_COMMAND_ERRORS):
            log.warning("interaction %s gave a command that there is not: %s", interaction.id, type(error).__name__)
            text = _(
                "This command has just changed. Please try again in a minute; if that is no help, restart Discord."
            )
        case app_commands.NoPrivateMessage():
            text = _("High Score is played in a server; use this command in a channel.")
        case _ if _is_late(error):
            log.warning("interaction %s was answered too late", interaction.id)
            return None
        case _:
            _log_failure(interaction, error)
            text = something_wrong()
    return Rendered(content=text)


def something_wrong() -> str:
    """What people are told of what is not their fault."""
    return _("Something went wrong on our side. Nothing is lost; please try again in a moment.")


def _is_late(error: BaseException) -> bool:
    return isinstance(error, DISCORD_ERRORS) and trouble(error) is Trouble.LATE


def _log_failure(interaction: Interaction, error: BaseException) -> None:
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

"""/highscore me, and its buttons: what is stored about somebody, as a file, and away with it."""

import logging

from discord import app_commands

from bot.cogs.answers import Answer, Feature, Private, answers
from bot.cogs.common import person_of
from bot.cogs.context import Context
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.locales import _
from bot.observing.context import without_log_fields
from bot.services.privacy import count_about, erase_person, export_person
from bot.ui.actions import DataPress
from bot.ui.message import Document, Rendered
from bot.ui.privacy import render_data, render_deletion_question, render_deletion_result
from bot.ui.text import forget_names

log = logging.getLogger(__name__)


class PrivacyCommands(Feature):
    @app_commands.command(description="What is stored about you; have it as a file, or have it deleted")
    @answers(AnswerKind.PRIVATE)
    async def me(self, interaction: Interaction) -> Answer:
        user_id = interaction.user.id
        wishes, rows = await count_about(self.context.core, user_id)
        return Answer(render_data(user_id, wishes, rows, self.context.privacy_url))


async def export_data(context: Context, interaction: Interaction, press: DataPress) -> Private:
    _check_owner(interaction, press)
    async with context.core.helper.one_at_a_time(press.user_id):
        file = Document(*await export_person(context.core, press.user_id))
    text = _("Everything that is stored about you.")
    return Private(Rendered(content=text, document=file))


async def ask_again(_context: Context, interaction: Interaction, press: DataPress) -> Answer:
    """Ask whether everything is to be deleted, twice."""
    _check_owner(interaction, press)
    return Answer(render_deletion_question(press.wish, press.user_id))


async def keep_everything(_context: Context, interaction: Interaction, press: DataPress) -> Answer:
    _check_owner(interaction, press)
    return Answer(render_deletion_result(deleted=False))


async def forget_everything(context: Context, interaction: Interaction, press: DataPress) -> Answer:
    _check_owner(interaction, press)
    async with context.core.helper.one_at_a_time(press.user_id):
        changed = await erase_person(context.core, person_of(interaction))
    forget_names()
    context.core.helper.forget()
    # Nobody's id: who it was is what was just deleted.
    with without_log_fields():
        log.info("somebody's data was deleted at their wish")
    for table_id in changed:
        context.display.request_redraw(table_id)
    context.wake_at(context.core.now())
    return Answer(render_deletion_result(deleted=True))


def _check_owner(interaction: Interaction, press: DataPress) -> None:
    if press.user_id != interaction.user.id:
        raise Refused(_("These are somebody else's data. `/highscore me` shows yours."))

"""/highscore me, and its buttons: the ways a person is called, their stored data as a file, and their deletion."""

import logging

from discord import app_commands

from bot.cogs.common import Answer, Context, Feature, Private, answers, choice_of, person_of
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.notify import Notify
from bot.locales import _
from bot.observing.logs import without_log_fields
from bot.services.away import set_wishes
from bot.services.core import Person
from bot.services.privacy import count_about, erase_person, export_person
from bot.ui.buttons import DataPress, Wish
from bot.ui.message import Document, Rendered
from bot.ui.privacy import render_data, render_deletion_question, render_deletion_result
from bot.ui.text import forget_names

log = logging.getLogger(__name__)


class PrivacyCommands(Feature):
    @app_commands.command(description="Your reminders and invitations, and what is stored about you")
    @app_commands.describe(
        reminders="How to remind you of your turn, if at all",
        invitations="Calls to seats that others keep for you",
    )
    @app_commands.choices(
        reminders=[
            app_commands.Choice(name="mention me in the channel", value=Notify.CHANNEL.value),
            app_commands.Choice(name="by direct message", value=Notify.DIRECT.value),
            app_commands.Choice(name="not at all", value=Notify.NONE.value),
        ]
    )
    @answers(AnswerKind.PRIVATE)
    async def me(
        self, interaction: Interaction, reminders: str | None = None, invitations: bool | None = None
    ) -> Answer:
        user_id = interaction.user.id
        notify = None if reminders is None else choice_of(Notify, reminders)
        if notify is not None or invitations is not None:
            await set_wishes(self.context.core, user_id, notify, invitations=invitations)
        wishes, rows = await count_about(self.context.core, user_id)
        return Answer(render_data(user_id, wishes, rows, self.context.privacy_url))


async def answer_data_press(context: Context, interaction: Interaction, press: DataPress) -> Answer | Private:
    """Do what a person wishes done with their data. Raise Refused on anybody else's press."""
    if press.user_id != interaction.user.id:
        raise Refused(_("These are somebody else's data. `/highscore me` shows yours."))
    match press.wish:
        case Wish.FILE:
            return await _export_data(context, press.user_id)
        case Wish.DELETE | Wish.SURE:
            return Answer(render_deletion_question(press.wish, press.user_id))
        case Wish.FOREVER:
            return await _forget_everything(context, person_of(interaction))
        case Wish.KEEP:
            return Answer(render_deletion_result(deleted=False))


async def _export_data(context: Context, user_id: int) -> Private:
    async with context.core.helper.one_at_a_time(user_id):
        file = Document(*await export_person(context.core, user_id))
    return Private(Rendered(content=_("Everything that is stored about you."), document=file))


async def _forget_everything(context: Context, person: Person) -> Answer:
    async with context.core.helper.one_at_a_time(person.user_id):
        changed = await erase_person(context.core, person)
    forget_names()
    context.core.helper.forget()
    # The line has no id: the person's data have just been deleted.
    with without_log_fields():
        log.info("somebody's data was deleted at their wish")
    for table_id in changed:
        context.display.request_redraw(table_id)
    context.wake_at(context.core.now())
    return Answer(render_deletion_result(deleted=True))

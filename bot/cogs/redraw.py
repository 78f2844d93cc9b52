"""Answers that show a table."""

import logging

from bot.cogs.common import Context, Display, Picked
from bot.discord_api.messages import custom_ids_of
from bot.discord_api.permissions import explain_forbidden
from bot.discord_api.replies import Interaction, Offer, Reply
from bot.domain.deadlines import mark_waiting
from bot.domain.display import Request
from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.locales import _
from bot.services.away import wake_table
from bot.services.core import Person, get_table
from bot.ui.buttons import TablePress

log = logging.getLogger(__name__)


async def redraw_table(reply: Reply, display: Display, table: Table) -> None:
    """Answer a press that changed a table with the table. Raise Discord's error where it refuses that."""
    message = reply.interaction.message
    if message is None or message.flags.ephemeral:
        # The press was on a private message, such as a hint.
        await reply.show(None)
        display.request_redraw(table.id)
        return
    if await display.offer(table, Offer(reply.show, Request(edits=message.id))) is None:
        await reply.defer()


async def show_picked_dice(reply: Reply, display: Display, picked: Picked) -> None:
    """Answer a press with a table whose picked dice only the message knows."""
    message = reply.interaction.message
    request = Request(edits=None if message is None else message.id, picked_in=picked.table.version)
    if await display.offer(picked.table, Offer(reply.show, request, picked.positions, picked.asking)) is None:
        await reply.defer()


async def show_table_here(reply: Reply, display: Display, table: Table) -> None:
    """Answer a command with the table, which lives there from now on. Raise Refused if the bot has to post it."""
    if await display.offer(table, Offer(reply.show)) is None:
        display.request_redraw(table.id)
        if table.timing.cannot_post:
            raise Refused(f"{_('The game is paused.')} {explain_forbidden(table.channel_id)}")
        raise Refused(_("The table is just being posted: it appears below in a moment."))


async def wake_by_press(context: Context, table: Table, user_id: int) -> None:
    """Note that a person waits for the others, after a press that changes nothing else; wake a sleeping table."""
    if mark_waiting(table, user_id) == table:
        return
    after = await wake_table(context.core, table.id, Person(user_id, ""))
    if after.content_version != table.content_version:
        context.display.request_redraw(table.id)


async def refresh_message(context: Context, interaction: Interaction, press: TablePress) -> None:
    """Check the message of a press that came too late: it may show old content. The person waits for the others."""
    message = interaction.message
    try:
        table = await get_table(context.core, press.table_id)
        await wake_by_press(context, table, interaction.user.id)
        if message is None or message.channel.id != table.channel_id or message.flags.ephemeral:
            return
        if press.version < table.version and press.custom_id in custom_ids_of(message):
            await context.display.look_at(table, message.id)
    except Refused:
        return
    except Exception:
        log.exception("table %s could not be looked up", press.table_id)

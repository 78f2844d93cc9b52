"""Answering with a table."""

import logging
from collections.abc import Sequence

from bot.cogs.answers import Picked
from bot.cogs.context import Context, Display
from bot.discord_api.messages import custom_ids
from bot.discord_api.replies import Interaction, Reply
from bot.domain.deadlines import pressed
from bot.domain.errors import Refused
from bot.domain.notify import goes_on
from bot.domain.pages import LOBBY, record_of, records_after
from bot.domain.table import Table
from bot.services.absence import wake
from bot.services.core import Person, load
from bot.ui.buttons import Press
from bot.ui.table import render, render_page

log = logging.getLogger(__name__)


async def redraw(reply: Reply, display: Display, table: Table) -> None:
    """Answer a press that changed a table, with the table. Raises what Discord answers where it does not take that."""
    message = reply.interaction.message
    if message is None or message.flags.ephemeral:
        # As on the answer to a hint.
        await reply.show(None)
        display.request_redraw(table.id)
    elif table.game is not None and message.id in table.log:
        own = record_of(table.game, table.log.index(message.id))
        if own in records_after(table.game, LOBBY):
            await reply.show(render_page(table, own))
        elif reply.given:
            # The round has ended since this press, and this very answer has come over its record.
            display.restore(table, message.id)
        else:
            # Its record is there already: nothing older comes over it.
            await reply.defer()
        if table.owed:
            display.request_redraw(table.id)
    elif message.id > (table.message_id or 0):
        # Sent, but whoever sent it has not noted it, and perhaps never will: it is found by its buttons.
        await reply.defer()
        display.adopt(table.id)
    elif message.id != table.message_id:
        # A page that others have followed. The table is shown where it lives.
        await reply.show(None)
        await display.discard(table, message.id)
        display.request_redraw(table.id)
    elif table.shown_page == table.page or goes_on(table):
        await reply.show(render(table))
        if display.current(table).message_id != message.id:
            # `/highscore show` has moved the table to another message meanwhile.
            await redraw(reply, display, display.current(table))
            return
        display.note(table, message.id)
        if (after := await display.newer(table)) is not None:
            # Somebody was faster, or the clock was: this answer may have brought an older picture back, or have opened
            # a page that is over.
            await redraw(reply, display, after)
    else:
        record = next((page for page in _records(table) if table.shows_round(page)), None)
        await reply.show(render_page(table, table.shown_page if record is None else record))
        if record is not None:
            # The answer is the record of the round: nothing comes over it, however soon the next round begins.
            display.note_record(table, message.id, record)
        display.request_redraw(table.id)


def _records(table: Table) -> Sequence[int]:
    return () if table.game is None else records_after(table.game, table.shown_page)


async def show_picked(reply: Reply, context: Context, picked: Picked) -> None:
    """Answer with a table whose picked dice only the message knows."""
    await reply.show(render(picked.table, picked.positions, asking=picked.asking))
    if (after := await context.display.newer(picked.table)) is not None:
        # A decision was committed while this picture was on its way, and may have been shown before it.
        await redraw(reply, context.display, after)


async def show_here(reply: Reply, display: Display, table: Table) -> None:
    """Answer a command with the table; from now on it lives on this message."""
    with display.answering(table.id):
        message_id = await reply.show(render(table))
        if message_id is not None:
            await display.move(table, message_id)
    if await display.newer(table) is not None:
        display.request_redraw(table.id)


async def wake_by_press(context: Context, table: Table, user_id: int) -> None:
    """Note that somebody waits for the others who has pressed what changes nothing else; a sleeping table wakes."""
    if pressed(table, user_id) == table:
        return
    after = await wake(context.core, table.id, Person(user_id, ""))
    if after.timing.wake_at != table.timing.wake_at:
        context.display.request_redraw(table.id)


async def refresh(context: Context, interaction: Interaction, press: Press) -> None:
    """A press that came too late may mean that its message shows an old picture: see to it that it does not.

    Whoever pressed it is there all the same, and waits for the others.

    Also where nothing is owed: of two edits that crossed on their way the older one may have come last, and the bot
    may have died before it noticed.
    """
    display, message = context.display, interaction.message
    try:
        before = await load(context.core, press.table_id)
        table = display.current(before)
        await wake_by_press(context, before, interaction.user.id)
        if table.owed:
            # Perhaps by another process, which may have died.
            display.adopt(table.id)
        elif message is not None and press.version < table.version and press.custom_id in custom_ids(message):
            here = message.channel.id == table.channel_id and not message.flags.ephemeral
            if here and message.id in table.log:
                display.restore(table, message.id)
            elif here and message.id > (table.message_id or 0):
                display.adopt(table.id)
            elif here and message.id != table.message_id:
                # A page that is over, or another process's, which did not know that the table was shown elsewhere.
                await display.discard(table, message.id)
            display.request_redraw(table.id)
    except Refused:
        return
    except Exception:
        log.exception("table %s could not be looked up", press.table_id)

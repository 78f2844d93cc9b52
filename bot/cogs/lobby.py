"""The buttons, selects and dialogs of the lobby, and the button of whoever plays at a table again."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from bot.cogs.answers import OpenModal, Private, Redraw
from bot.cogs.common import chosen, parent_of, person, picked, place, typed
from bot.cogs.context import Context
from bot.discord_api.permissions import MENTIONING, lacking, permission_names
from bot.discord_api.replies import PATIENCE, Interaction
from bot.domain.errors import Refused
from bot.domain.pace import Pace
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Core, Person, load, server_settings
from bot.services.invitations import call_players, check_may_call
from bot.services.rematch import rematch
from bot.services.table_options import check_lucky_word, choose_order, choose_pace, set_lucky_word
from bot.ui.buttons import Press
from bot.ui.lobby import seat_note
from bot.ui.lucky_words import WORD_FIELD, WordDialog, WordModal
from bot.ui.message import Rendered
from highscore.turn_order import TurnOrder


def changed_by(
    service: Callable[[Core, str, Person], Awaitable[Table]],
    note: Callable[[Table, int], Rendered | None] | None = None,
) -> Callable[[Context, Interaction, Press], Awaitable[Redraw]]:
    """The handler of a button that stands for a use case that needs to know nothing but who asks for it.

    ``note`` is what whoever presses it is told in private besides, if anything.
    """

    async def handler(context: Context, interaction: Interaction, press: Press) -> Redraw:
        table = await service(context.core, press.table_id, person(interaction))
        return Redraw(table, None if note is None else note(table, interaction.user.id))

    return handler


async def open_rematch(context: Context, interaction: Interaction, press: Press) -> Private:
    """Open a table for the same people."""
    table = await rematch(context.core, press.table_id, person(interaction), parent_id=parent_of(interaction))
    context.display.request_redraw(table.id)
    return Private(seat_note(table, interaction.user.id, _("The table for the rematch is open.")))


async def pick_pace(context: Context, interaction: Interaction, press: Press) -> Redraw:
    """Give the table the pace that was picked."""
    core, pace = context.core, chosen(Pace, picked(interaction))
    return Redraw(await choose_pace(core, press.table_id, person(interaction), pace, core.paces))


async def pick_order(context: Context, interaction: Interaction, press: Press) -> Redraw:
    """Give the table the turn order that was picked."""
    core, order = context.core, chosen(TurnOrder, picked(interaction))
    return Redraw(await choose_order(core, press.table_id, person(interaction), order, core.paces))


async def ask_word(context: Context, interaction: Interaction, press: Press) -> OpenModal:
    """Open the dialog with the word that is there. It cannot be put off: where looking up is slow, it opens empty."""
    word = ""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            table = await load(context.core, press.table_id)
            word = table.seats[check_lucky_word(table, interaction.user.id)].lucky_word
    return OpenModal(WordModal(press.table_id, word))


async def take_word(context: Context, interaction: Interaction, dialog: WordDialog) -> Redraw:
    """Take what was typed."""
    word = typed(interaction, WORD_FIELD)
    return Redraw(await set_lucky_word(context.core, dialog.game_id, person(interaction), word))


async def call_role(context: Context, interaction: Interaction, press: Press) -> Redraw:
    """Call the role that the server has set now, once a table, unless the bot may not mention it."""
    check_may_call(await load(context.core, press.table_id), person(interaction))
    settings, guild = await server_settings(context.core, place(interaction)[0]), interaction.guild
    role = None if guild is None or settings.player_role is None else guild.get_role(settings.player_role)
    if role is None or role.is_default():
        raise Refused(_("There is no role on this server any more that may be called."))
    if not role.mentionable and (missing := lacking(interaction.app_permissions, MENTIONING)):
        text = _("I may not mention {role}: anybody has to be allowed to, or I need the permission {permissions}.")
        raise Refused(text.format(role=role.mention, permissions=permission_names(missing)))
    return Redraw(await call_players(context.core, press.table_id, person(interaction), role.id))

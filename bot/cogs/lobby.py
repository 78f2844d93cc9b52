"""The buttons of the lobby and of its copy outside of a thread, the options of a table, and invitations."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import discord

from bot.cogs.common import (
    Answer,
    Private,
    Redraw,
    Result,
    UserRequest,
    choice_of,
    explain_deleted,
    explain_refusal,
    name_of,
)
from bot.discord_api.errors import TOO_MANY_THREADS, Trouble, trouble_of
from bot.discord_api.permissions import FOR_THREADS, MENTIONING, explain_missing, missing_permissions, permission_names
from bot.domain.errors import AlreadyHandled, Refused, Stale
from bot.domain.table import MAX_SEATS, MIN_PLAYERS, Status, Table
from bot.domain.timing import Pace
from bot.locales import _, speaking_in
from bot.observing.in_flight import note_result
from bot.observing.metrics import InteractionResult
from bot.services import lobby as service
from bot.services.core import Core, Person, get_server_settings, get_table
from bot.ui import lobby as ui
from bot.ui.buttons import OptionsDialog, TablePress, Verb, WordDialog, table_press
from bot.ui.cancelling import render_questions
from bot.ui.message import Rendered
from bot.ui.text import clean_name, table_link
from highscore.turn_order import TurnOrder

log = logging.getLogger(__name__)

Handler = Callable[[UserRequest, Any], Awaitable[Result]]


def make_handler(
    change: Callable[[Core, str, Person], Awaitable[Table]],
    make_notice: Callable[[Table, int], Rendered | None] | None = None,
) -> Callable[[UserRequest, TablePress], Awaitable[Redraw]]:
    """Make a handler that calls a use case which needs only the table and the user.

    ``make_notice`` makes an additional private message to the user, or None.
    """

    async def handler(request: UserRequest, press: TablePress) -> Redraw:
        table = await change(request.core, press.table_id, request.person)
        return Redraw(table, None if make_notice is None else make_notice(table, request.user_id))

    return handler


def ask_to_leave(table: Table, user_id: int) -> Rendered | None:
    """Return the question whether to leave, if the user is the last person in a lobby and leaving would close the table
    for invited people. Otherwise return None."""
    if table.status is not Status.LOBBY or not table.invited or table.people != (user_id,):
        return None
    text = _("Leave? Nobody else has joined yet, so this closes the table for the invited players, too.")
    return render_questions([(text, table_press(table, Verb.LEAVE), _("Leave"))])


async def leave_or_ask(request: UserRequest, press: TablePress) -> Redraw | Answer | Private:
    table = await get_table(request.core, press.table_id)
    if not request.is_private and (question := ask_to_leave(table, request.user_id)):
        return Private(question)
    table = await service.leave_lobby(request.core, press.table_id, request.person)
    if not request.is_private:
        return Redraw(table)
    request.display.request_redraw(table.id)
    return Answer(Rendered(content=_("You have left the table.")))


async def show_options(request: UserRequest, press: TablePress) -> Private:
    table = await get_table(request.core, press.table_id)
    service.check_in_lobby(table)
    return Private(ui.render_options(table, request.user_id), instead_of=f"options {table.id}")


def on_options(work: Handler) -> Handler:
    """Wrap the handler of a button or dialog on the page of options.

    Afterwards the page shows the table as it is now. If the press was refused, it also shows the reason.
    """

    async def handler(request: UserRequest, action: TablePress | WordDialog | OptionsDialog) -> Result:
        if not request.is_private:
            # The public lobby of an earlier version has this button. Showing the options would replace that lobby.
            return await work(request, action)
        sentence = None
        try:
            result = await work(request, action)
            if not isinstance(result, Redraw):
                return result
            table = result.table
        except AlreadyHandled:
            raise
        except Refused as refused:
            table, sentence = await get_table(request.core, action.table_id), explain_refusal(refused)
            note_result(InteractionResult.STALE if isinstance(refused, Stale) else InteractionResult.REFUSED)
        request.display.request_redraw(table.id)
        return Answer(ui.render_options(table, request.user_id, sentence))

    return handler


def posting(work: Handler) -> Handler:
    """Wrap the handler of a button after which the bot has to post. Raise Refused first if the bot cannot post."""

    async def handler(request: UserRequest, action: TablePress | WordDialog | OptionsDialog) -> Result:
        await request.check_may_post()
        return await work(request, action)

    return handler


async def join_thread(request: UserRequest, press: TablePress) -> Answer:
    """Sit down at a table in a thread, from the copy of its lobby in the parent channel."""
    await request.check_may_post((await get_table(request.core, press.table_id)).channel_id)
    try:
        table = await service.join_table(request.core, press.table_id, request.person)
    except Stale as stale:
        return show_way_in(request, stale.table)
    request.display.request_redraw(table.id)
    return show_way_in(request, table, ui.render_seat_notice(table, request.user_id, table_link(table)))


def show_way_in(request: UserRequest, table: Table, notice: Rendered | None = None) -> Answer:
    """Show a copy of a thread's lobby in the user's channel. The copy is updated whenever the lobby changes."""
    note_shown = partial(service.save_lobby_copy, request.core, table, request.channel_id)
    return Answer(ui.render_lobby_copy(table), notice, note_shown)


def _play_here() -> str:
    return _("Leave out `thread:True` to play right here.")


async def open_thread(request: UserRequest) -> discord.Thread:
    """Open a thread in this channel for one table. Raise Refused if the bot or the user lacks the permission to do so.

    Threads in announcement channels have a type of their own:
    https://discord.com/developers/docs/topics/threads#public--private-threads
    """
    channel = request.interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise Refused(f"{_('Threads can only be opened in text channels.')} {_play_here()}")
    if missing := missing_permissions(request.interaction.permissions, FOR_THREADS):
        text = _("To open a thread, you need these permissions in this channel: {permissions}")
        raise Refused(text.format(permissions=permission_names(missing)))
    if missing := missing_permissions(request.interaction.app_permissions, FOR_THREADS):
        raise Refused(explain_missing(channel.id, missing))
    settings = await get_server_settings(request.core, channel.guild.id)
    with speaking_in(settings.language or request.guild_language):
        name = _("High Score: {player}").format(player=clean_name(name_of(request.interaction.user)))
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    try:
        return await channel.create_thread(name=name, type=kind)
    except discord.HTTPException as error:
        if trouble_of(error) is not Trouble.FORBIDDEN:
            raise
        log.warning("channel %s: Discord refused to open a thread: %s", channel.id, error)
        if error.code in TOO_MANY_THREADS:
            why = _("This server already has as many active threads as Discord allows.")
        else:
            why = _("Discord doesn't let me open a thread here.")
        raise Refused(f"{why} {_play_here()}") from error


async def ask_options(request: UserRequest, press: TablePress) -> discord.ui.Modal:
    table = await get_table(request.core, press.table_id)
    service.check_hosts(table, request.user_id)
    return ui.OptionsModal(table)


async def take_options(request: UserRequest, dialog: OptionsDialog) -> Redraw:
    """Change how the table is played. If all five seats are taken, the dialog has no field for the number of seats."""
    seats, order = request.read_typed(ui.SEATS_FIELD) or str(MAX_SEATS), request.read_typed(ui.ORDER_FIELD)
    if seats not in map(str, range(MIN_PLAYERS, MAX_SEATS + 1)):
        raise Refused(_("Pick one from the list."))
    wishes = service.NewTable(
        seats=int(seats),
        pace=choice_of(Pace, request.read_typed(ui.PACE_FIELD)),
        order=None if order == ui.FITS_PACE else choice_of(TurnOrder, order),
        hints=request.read_typed(ui.HINTS_FIELD) == ui.YES,
        starts_when_full=request.read_typed(ui.START_FIELD) == ui.YES,
    )
    return Redraw(await service.change_options(request.core, dialog.table_id, request.person, wishes))


async def ask_word(request: UserRequest, press: TablePress) -> discord.ui.Modal:
    table = await get_table(request.core, press.table_id)
    return ui.WordModal(table.id, table.seats[service.check_sits(table, request.user_id)].lucky_word)


async def take_word(request: UserRequest, dialog: WordDialog) -> Redraw:
    word = request.read_typed(ui.WORD_FIELD)
    return Redraw(await service.set_lucky_word(request.core, dialog.table_id, request.person, word))


Named = discord.User | discord.Member


def sort_invited(host_id: int, named: Sequence[Named | None]) -> tuple[tuple[Person, ...], list[int]]:
    """Return the named users for whom a seat can be reserved, and the ids of all others.

    No seat is reserved for bots, for users who are not on the server, for the host, and twice for the same user.
    """
    people, others = dict[int, Person](), []
    for user in named:
        if user is None:
            continue
        if user.bot or not isinstance(user, discord.Member) or user.id in (host_id, *people):
            others.append(user.id)
        else:
            people[user.id] = Person(user.id, name_of(user))
    return tuple(people.values()), others


async def call_role(request: UserRequest, press: TablePress) -> Redraw:
    """Ping the role that the server has set for its players. Raise Refused if the role was deleted or
    the bot may not mention it, and the errors of ``call_players``.
    """
    service.check_may_call(await get_table(request.core, press.table_id), request.person)
    settings, guild = await get_server_settings(request.core, request.guild_id), request.interaction.guild
    role = None if guild is None or settings.player_role is None else guild.get_role(settings.player_role)
    if role is None or role.is_default():
        raise Refused(explain_deleted())
    if not role.mentionable and (missing := missing_permissions(request.interaction.app_permissions, MENTIONING)):
        text = _(
            "I'm not allowed to mention {role}. Allow everybody to mention this role, or give me these"
            " permissions: {permissions}"
        )
        raise Refused(text.format(role=role.mention, permissions=permission_names(missing)))
    return Redraw(await service.call_players(request.core, press.table_id, request.person, role.id))

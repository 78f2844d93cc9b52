"""/highscore new and show, the button for a rematch, and the answers that show a table."""

import logging
from contextlib import nullcontext
from dataclasses import replace

import discord
from discord import app_commands

from bot.cogs.common import Answer, Display, Feature, Picked, Private, TableHere, UserRequest, answers, choice_of
from bot.cogs.lobby import Named, open_thread, show_way_in, sort_invited
from bot.discord_api.messages import Offer, Reply, custom_ids_of
from bot.discord_api.permissions import explain_forbidden
from bot.domain.deadlines import mark_waiting
from bot.domain.display import Request
from bot.domain.errors import Refused
from bot.domain.table import MAX_SEATS, MIN_PLAYERS, Status, Table
from bot.domain.timing import Pace
from bot.locales import _
from bot.observing.logs import add_log_fields
from bot.services import lobby as service
from bot.services.away import wake_table
from bot.services.core import Person, claim_interaction, get_latest_table, get_table
from bot.ui.buttons import TablePress
from bot.ui.lobby import render_seat_notice
from bot.ui.message import Rendered
from bot.ui.reminders import not_invited_line, not_pinged_line
from bot.ui.text import table_link
from highscore.turn_order import TurnOrder

log = logging.getLogger(__name__)


class TableCommands(Feature):
    @app_commands.command(description="Open a table in this channel")
    @app_commands.describe(
        seats="How many can play, 2 to 5",
        pace="How long a turn or a round can take",
        order="Who can roll when; by default the order that suits the pace",
        house="House players at the table, 0 to 4",
        hints="Whether players can ask for hints",
        autostart="Start automatically when all seats are taken",
        thread="Play in a thread of its own",
        invite="Reserve a seat for somebody for an hour",
        invite2="Reserve a second seat",
        invite3="Reserve a third seat",
        invite4="Reserve a fourth seat",
    )
    @app_commands.choices(
        pace=[
            app_commands.Choice(name="live: everybody is here now", value=Pace.LIVE.value),
            app_commands.Choice(name="day: the game ends within a day", value=Pace.DAY.value),
            app_commands.Choice(name="relaxed: a day for every turn", value=Pace.RELAXED.value),
        ],
        order=[
            app_commands.Choice(name="rulebook order: one after the other", value=TurnOrder.CLOCKWISE.value),
            app_commands.Choice(name="open: anybody who has time", value=TurnOrder.OPEN.value),
            app_commands.Choice(name="own pace: everybody in private", value=TurnOrder.OWN_PACE.value),
        ],
    )
    @answers(public=True)
    async def new(
        self,
        request: UserRequest,
        seats: app_commands.Range[int, MIN_PLAYERS, MAX_SEATS] = MAX_SEATS,
        pace: str | None = None,
        order: str | None = None,
        house: app_commands.Range[int, 0, MAX_SEATS - 1] = 0,
        hints: bool = True,
        autostart: bool = False,
        thread: bool = False,
        invite: Named | None = None,
        invite2: Named | None = None,
        invite3: Named | None = None,
        invite4: Named | None = None,
    ) -> TableHere | Answer | Private:
        """Open a table, and show its lobby here or in a new thread. With ``autostart``, a table that is full at once
        starts without a lobby."""
        core, place = request.core, await request.find_game_place()
        people, others = sort_invited(request.user_id, (invite, invite2, invite3, invite4))
        wishes = service.NewTable(
            seats=seats,
            pace=None if pace is None else choice_of(Pace, pace),
            order=None if order is None else choice_of(TurnOrder, order),
            house=house,
            hints=hints,
            starts_when_full=autostart,
            invited=people,
        )
        host = request.person
        opened: discord.Thread | None = None
        # Two commands at the same time could both pass the checks, and the second would leave an empty thread.
        async with request.one_at_a_time() if thread else nullcontext():
            if thread:
                await claim_interaction(core, request.interaction.id)
                # Check before opening the thread, which would otherwise stay empty after a refusal.
                await service.check_may_open(core, host, place, wishes)
                await service.check_tables_of(core, host.user_id, place.guild_id)
                host = replace(host, interaction_id=None)
                opened = await open_thread(request)
                place = replace(place, channel_id=opened.id, parent_id=place.channel_id)
            table = await service.open_table(core, host, place, wishes)
        add_log_fields(game=table.id)
        notes = not_pinged_line(table), not_invited_line(others)
        if opened is None and table.status is Status.LOBBY:
            return TableHere(table, render_seat_notice(table, host.user_id, *notes))
        request.display.request_redraw(table.id)
        if opened is None:
            # The game has started, so its first message is the opening.
            at_once = _("All seats are taken, so the game starts right away.")
            return Private(render_seat_notice(table, host.user_id, at_once, *notes))
        return show_way_in(request, table, render_seat_notice(table, host.user_id, *notes))

    @app_commands.command(description="Show this channel's table again, at the bottom")
    @answers(public=True)
    async def show(self, request: UserRequest) -> TableHere:
        """Post the channel's newest open table again, or else its newest closed one."""
        table = await get_latest_table(request.core, request.channel_id)
        await request.check_may_post()
        return TableHere(table)

    @answers()
    async def invite(self, request: UserRequest, user: discord.User) -> Private:
        """Reserve a seat for another user, from that user's menu: at the user's lobby in this channel, or at a new
        table.
        """
        core, host, place = request.core, request.person, await request.find_game_place()
        people, others = sort_invited(host.user_id, [user])
        if others:
            raise Refused(not_invited_line(others))
        lobby = await service.find_lobby_of(core, place.channel_id, host.user_id)
        if lobby is None:
            table = await service.open_table(core, host, place, service.NewTable(invited=people))
        else:
            table = await service.invite_person(core, lobby, host, *people)
        add_log_fields(game=table.id)
        request.display.request_redraw(table.id)
        text = _("A seat at your table is reserved for {player}: {link}")
        lines = text.format(player=f"<@{user.id}>", link=table_link(table)), not_pinged_line(table)
        if lobby is None:
            return Private(render_seat_notice(table, host.user_id, *lines))
        return Private(Rendered(content="\n".join(filter(None, lines))))


async def open_rematch(request: UserRequest, press: TablePress) -> Private:
    await request.check_may_post()
    parent_id, own = request.parent_id, request.guild_language
    table = await service.start_rematch(request.core, press.table_id, request.person, parent_id=parent_id, locale=own)
    request.display.request_redraw(table.id)
    return Private(
        render_seat_notice(table, request.user_id, _("The table for the rematch is open."), not_pinged_line(table))
    )


async def redraw_table(reply: Reply, display: Display, table: Table) -> None:
    """Answer a press that changed a table by redrawing the table. Raise Discord's errors."""
    message = reply.interaction.message
    if message is None or message.flags.ephemeral:
        # The press was on a private message, such as a hint.
        await reply.show(None)
        display.request_redraw(table.id)
        return
    if await display.show_by_answer(table, Offer(reply.show, Request(edits=message.id))) is None:
        await reply.defer()


async def show_picked_dice(reply: Reply, display: Display, picked: Picked) -> None:
    """Answer a press by showing the picked dice, which are stored only in the message."""
    message = reply.interaction.message
    request = Request(edits=None if message is None else message.id, picked_in=picked.table.version)
    if await display.show_by_answer(picked.table, Offer(reply.show, request, picked.positions, picked.asking)) is None:
        await reply.defer()


async def show_table_here(reply: Reply, display: Display, table: Table) -> None:
    """Answer a command with the table. The answer becomes the message in which the table goes on.

    If that is not possible now, raise Refused. The table is then posted without an answer, unless it is paused.
    """
    if await display.show_by_answer(table, Offer(reply.show)) is None:
        display.request_redraw(table.id)
        if table.timing.cannot_post:
            raise Refused(f"{_('The game is paused.')} {explain_forbidden(table.channel_id)}")
        raise Refused(_("I'm posting the table right now. It will appear below in a moment."))


async def wake_by_press(request: UserRequest, table: Table) -> None:
    """Note that a user is waiting for the others, after a press that changes nothing else. Wake the table if it
    sleeps (R9.3)."""
    if mark_waiting(table, request.user_id) == table:
        return
    after = await wake_table(request.core, table.id, Person(request.user_id, ""))
    if after.content_version != table.content_version:
        request.display.request_redraw(table.id)


async def refresh_message(request: UserRequest, press: TablePress) -> None:
    """After a press that was refused, check the pressed message if it may show old content.

    The user still counts as waiting for the other players. Never raises.
    """
    message = request.interaction.message
    try:
        table = await get_table(request.core, press.table_id)
        await wake_by_press(request, table)
        if message is None or message.channel.id != table.channel_id or message.flags.ephemeral:
            return
        if press.version < table.version and press.custom_id in custom_ids_of(message):
            await request.display.look_at(table, message.id)
    except Refused:
        return
    except Exception:
        log.exception("table %s: its message could not be checked after a refused press", press.table_id)

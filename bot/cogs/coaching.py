"""The buttons for the report of a finished game: sharing it, and trying one of its decisions again."""

import discord

from bot.cogs.common import Answer, Feature, Private, UserRequest, answers
from bot.cogs.guide import explain_card
from bot.cogs.turn import DECISION_OF, check_picked_dice
from bot.discord_api.messages import post_quietly
from bot.domain.errors import Refused
from bot.domain.screens import Shared
from bot.locales import _, speaking_in
from bot.observing.logs import add_log_fields
from bot.services.coaching import find_game_of, play_exercise, report_game, save_shared, share_report, view_exercise
from bot.services.core import get_closed_table
from bot.ui.buttons import PracticePress, SharePress, TablePress, Verb
from bot.ui.coaching import practice_buttons, render_figures, render_practice, render_report
from bot.ui.message import change_buttons
from bot.ui.table import game_text, render_standings
from highscore.events import TakeDice


class ReportMenu(Feature):
    @answers()
    async def report_message(self, request: UserRequest, message: discord.Message) -> Private:
        """Show the report of the game to which a message belongs, from the message's menu."""
        found = await find_game_of(request.core, request.channel_id, message.id)
        add_log_fields(game=found)
        return await _make_report(request, found)


async def show_report(request: UserRequest, press: TablePress) -> Private:
    return await _make_report(request, press.table_id)


async def _make_report(request: UserRequest, table_id: str) -> Private:
    async with request.one_at_a_time():
        table, made = await report_game(request.core, table_id)
        return Private(render_report(table, made, Shared, table.seat_of(request.user_id)))


async def show_figures(request: UserRequest, press: TablePress) -> Private:
    async with request.one_at_a_time():
        table, made = await report_game(request.core, press.table_id)
        return Private(await request.draw_first(render_figures(table, made, table.seat_of(request.user_id))))


async def share_game(request: UserRequest, press: SharePress) -> Answer:
    """Post the report or the standings, and remove the button."""
    await request.check_may_share()
    channel = request.interaction.client.get_partial_messageable(request.channel_id)
    what, other = Shared.REPORT, Shared.STANDINGS
    if press.verb is Verb.SHARE_FINAL:
        what, other = other, what
    async with request.one_at_a_time():
        table, made = await share_report(request.core, press.table_id, request.interaction.id)
        with speaking_in(table.locale):
            rendered = render_report(table, made) if what is Shared.REPORT else render_standings(table)
        fields = await (await request.draw_first(rendered)).prepare_message()
        # A double click posts only one message, because both posts have the same key.
        key = f"share:{table.id}:{what.value}:{request.user_id}:{channel.id}"
        message = await post_quietly(channel, key, **fields)
        await save_shared(request.core, table, what, channel.id, message.id)
        left = [] if press.is_last else [other]
        return Answer(render_report(table, made, left, table.seat_of(request.user_id)))


async def show_text(request: UserRequest, press: TablePress) -> Private:
    table = await get_closed_table(request.core, press.table_id)
    text = game_text(table, table.seat_of(request.user_id))
    if text is None:
        raise Refused(_("This button doesn't work here."))
    return Private(text, instead_of=press.custom_id)


async def begin_practice(request: UserRequest, press: PracticePress) -> Answer | Private:
    """Show the position of a decision in a new message. The button *Try again* shows it in the pressed message."""
    page = render_practice(await view_exercise(request.core, press.table_id, press.spot))
    return Private(page) if press.verb is Verb.TRY else Answer(page)


async def play_practice(request: UserRequest, press: PracticePress) -> Answer:
    choice = DECISION_OF[press.verb](press)
    assert not isinstance(choice, TakeDice), "no button of the exercise takes dice"
    return Answer(
        render_practice(await play_exercise(request.core, press.table_id, press.spot, press.position, choice))
    )


async def pick_practice_dice(request: UserRequest, press: PracticePress) -> Answer:
    exercise = await view_exercise(request.core, press.table_id, press.spot, press.position)
    check_picked_dice(exercise.turn, press)
    return Answer(change_buttons(practice_buttons(exercise, press.dice, asking=press.verb is Verb.ASK)))


async def show_practice_card(request: UserRequest, press: PracticePress) -> Private:
    exercise = await view_exercise(request.core, press.table_id, press.spot, press.position)
    players, order = len(exercise.ended.turns), exercise.table.turn_order
    return Private(await explain_card(request, exercise.turn.card, players, order))

"""Own pace: the button Play, /highscore play, and the private page on which a person plays their run."""

from collections.abc import Awaitable, Callable

from discord import app_commands

from bot.cogs.answers import Feature, Page, Private, answers
from bot.cogs.common import person, place
from bot.cogs.context import Context
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.locales import _
from bot.observing.context import also
from bot.observing.in_flight import note_result
from bot.observing.metrics import InteractionResult
from bot.services.coaching import advise
from bot.services.run import MovedOn, decide, look, waiting
from bot.ui.buttons import Press, Verb
from bot.ui.coaching import hint_embed
from bot.ui.message import Rendered
from bot.ui.names import link_to
from bot.ui.table import render_run
from highscore.events import Decision


class RunCommands(Feature):
    """The part of /highscore that leads to one's next turn."""

    @app_commands.command(description="Go to the next turn that waits for you on this server")
    @answers(AnswerKind.PRIVATE)
    async def play(self, interaction: Interaction) -> Private:
        """Show one's own page where everybody plays at their own pace; otherwise say where the table is."""
        guild_id, _channel_id = place(interaction)
        table = await waiting(self.context.core, guild_id, interaction.user.id)
        if table is None:
            raise Refused(_("Nobody is waiting for you at any table on this server. `/highscore new` opens one."))
        also(game=table.id)
        if table.turn_order.shared:
            return Private(Rendered(content=_("Your dice are waiting at {link}.").format(link=link_to(table))))
        return Private(
            render_run(*await look(self.context.core, table.id, interaction.user.id), self.context.core.now())
        )


async def open_run(context: Context, interaction: Interaction, press: Press) -> Private:
    """Show somebody their own page, wherever they are."""
    return Private(render_run(*await look(context.core, press.table_id, interaction.user.id), context.core.now()))


def play_run(decision: Callable[[Press], Decision]) -> Callable[[Context, Interaction, Press], Awaitable[Page]]:
    """The handler of the buttons that stand for a decision in one's own run."""

    async def handler(context: Context, interaction: Interaction, press: Press) -> Page:
        try:
            table, seat = await decide(
                context.core, press.table_id, person(interaction), decision(press), step=press.version
            )
        except MovedOn as moved:
            return _present(context, moved, interaction.user.id)
        if table.owed:
            # Everybody sees how far everybody is.
            context.display.request_redraw(table.id)
        return Page(render_run(table, seat, context.core.now()))

    return handler


async def pick_run(context: Context, interaction: Interaction, press: Press) -> Page:
    """Pick a die or put it back, or be asked. Both live in the message's buttons; nothing is written."""
    try:
        table, seat = await look(context.core, press.table_id, interaction.user.id, press.version)
    except MovedOn as moved:
        return _present(context, moved, interaction.user.id)
    turn = None if table.game is None else table.game.run(seat).turn
    if turn is None or not set(press.positions) <= set(turn.free):
        raise Refused(_("That die cannot be picked now."))
    return Page(render_run(table, seat, context.core.now(), press.positions, asking=press.verb is Verb.ASK))


async def hint_run(context: Context, interaction: Interaction, press: Press) -> Page | Private:
    """Advise the player of a run."""
    try:
        table, _seat = await look(context.core, press.table_id, interaction.user.id, press.version)
    except MovedOn as moved:
        return _present(context, moved, interaction.user.id)
    async with context.core.helper.one_at_a_time(interaction.user.id):
        advice = await advise(context.core, table, interaction.user.id, interaction.id)
    return Private(Rendered([hint_embed(table, advice)]))


def _present(context: Context, moved: MovedOn, user_id: int) -> Page:
    """An older copy of the page turns into what is so now."""
    note_result(InteractionResult.STALE)
    seat = moved.table.seat_of(user_id)
    assert seat is not None, "only players are told that they have moved on"
    return Page(render_run(moved.table, seat, context.core.now(), note=str(moved)))

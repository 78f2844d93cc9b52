"""Own pace: the button Play, /highscore play, and the private page on which a person plays their run."""

from functools import partial

from discord import app_commands

from bot.cogs.challenge import PrivateGame, add_best, or_present_page
from bot.cogs.common import Answer, Context, Feature, Private, Redraw, answers, guild_id_of, person_of
from bot.cogs.turn import decision_of
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.locales import _
from bot.observing.logs import add_log_fields
from bot.services.coaching import advise_player
from bot.services.core import Core, get_table
from bot.services.run import check_may_end, decide_run, end_runs_early, find_waiting_run, view_run
from bot.ui.buttons import EndRuns, RunPress
from bot.ui.challenge import PrivatePage, render_private
from bot.ui.coaching import render_hint
from bot.ui.message import Rendered
from bot.ui.run import render_end_question, run_page, run_press
from bot.ui.text import command_mention, table_link
from bot.ui.turn import require_game


class RunCommands(Feature):
    @app_commands.command(description="Go to the next turn waiting for you on this server")
    @answers(AnswerKind.PRIVATE)
    async def play(self, interaction: Interaction) -> Private:
        """Show the person's page of a table in own pace, or a link to a table of another order."""
        guild_id = guild_id_of(interaction)
        table = await find_waiting_run(self.context.core, guild_id, interaction.user.id)
        if table is None:
            raise Refused(_("No turn is waiting for you on this server. `/highscore new` opens a table."))
        add_log_fields(game=table.id)
        if table.turn_order.shared:
            waiting = _("Your dice are waiting: {link}").format(link=table_link(table))
            gone = _("Is its message gone? {command} in that channel shows it again.")
            return Private(Rendered(content=f"{waiting}\n-# {gone.format(command=command_mention('show'))}"))
        return await _show_own_page(self.context, *await view_run(self.context.core, table.id, interaction.user.id))


async def open_run(context: Context, interaction: Interaction, press: RunPress) -> Private | Redraw:
    """Show a person's own page; an owed newer version of the table is shown with the answer."""
    seen, seat = await view_run(context.core, press.table_id, interaction.user.id)
    own, table, message = await _show_own_page(context, seen, seat), context.display.current(seen), interaction.message
    free = table.owed and table.screen == table.shown_screen and context.display.is_free(table.id)
    if free and message is not None and message.id == table.message_id:
        # What the player may see is not what all see.
        return Redraw(context.display.current(await get_table(context.core, table.id)), own.rendered)
    return own


async def _show_own_page(context: Context, seen: Table, seat: int) -> Private:
    """Show a person's own page; at the end of their run with a link to the next table that waits for them."""
    link, user_id = None, seen.seats[seat].user_id
    if user_id is not None and seen.game is not None and seen.game.find_run(seat).complete:
        other = await find_waiting_run(context.core, seen.guild_id, user_id)
        link = None if other is None else _("Your dice are waiting: {link}").format(link=table_link(other))
    return Private(render_private(await OWN_PACE.make_page(context.core, (seen, seat)), sentence=link))


async def end_run(context: Context, interaction: Interaction, press: EndRuns) -> Answer | Private:
    """End the game without those who have not begun, after a private confirmation."""
    reachable_since = await interaction.client.find_reachable_since(interaction.guild_id)
    if not press.confirmed:
        table = await get_table(context.core, press.table_id)
        check_may_end(table, interaction.user.id, context.core.now(), reachable_since)
        return Private(render_end_question(table))
    table = await end_runs_early(context.core, press.table_id, person_of(interaction), reachable_since)
    context.display.request_redraw(table.id)
    return Answer(Rendered(content=_("Done: {link}").format(link=table_link(table))))


class OwnPaceGame(PrivateGame[RunPress, tuple[Table, int]]):
    """The pages of the seats of a table in own pace."""

    __slots__ = ()

    async def view(self, core: Core, press: RunPress, user_id: int) -> tuple[Table, int]:
        return await view_run(core, press.table_id, user_id, press.step)

    async def decide(self, context: Context, interaction: Interaction, press: RunPress) -> tuple[Table, int]:
        who, decision = person_of(interaction), decision_of(press)
        table, seat = await decide_run(context.core, press.table_id, who, decision, step=press.step)
        if not table.status.open:
            # While the game goes on, the public message shows only each one's progress, some minutes later.
            context.display.request_redraw(table.id)
        return table, seat

    async def make_page(self, core: Core, run: tuple[Table, int]) -> PrivatePage:
        table, seat = run
        page, user_id = run_page(table, seat, core.now()), table.seats[seat].user_id
        return page if user_id is None else await add_best(core, page, table.guild_id, user_id)

    @or_present_page
    async def hint(self, context: Context, interaction: Interaction, press: RunPress) -> Private:
        table, seat = await self.view(context.core, press, interaction.user.id)
        async with context.core.helper.one_at_a_time(interaction.user.id):
            advice = await advise_player(context.core, table, interaction.user.id, interaction.id)
        game = require_game(table)
        press_of = partial(run_press, table, game.find_run(seat))
        return Private(render_hint(game, advice, press_of), instead_of=table.id)


OWN_PACE = OwnPaceGame()

"""Own pace: the button Play, /highscore play, and the private page on which a person plays their run."""

from functools import partial

from discord import app_commands

from bot.cogs.challenge import PrivateGame, add_best, or_present_page
from bot.cogs.common import Answer, Feature, Private, Redraw, UserRequest, answers
from bot.cogs.turn import DECISION_OF
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
    @answers()
    async def play(self, request: UserRequest) -> Private:
        """Find the oldest table that waits for the user. Show their private page if it is in own pace, or else a link
        to the table."""
        guild_id = request.guild_id
        table = await find_waiting_run(request.core, guild_id, request.user_id)
        if table is None:
            raise Refused(_("No turn is waiting for you on this server. `/highscore new` opens a table."))
        add_log_fields(game=table.id)
        if table.turn_order.shared:
            waiting = _("Your dice are waiting: {link}").format(link=table_link(table))
            gone = _("Has its message been deleted? {command} in that channel shows it again.")
            return Private(Rendered(content=f"{waiting}\n-# {gone.format(command=command_mention('show'))}"))
        return await _show_own_page(request, *await view_run(request.core, table.id, request.user_id))


async def open_run(request: UserRequest, press: RunPress) -> Private | Redraw:
    """Show the user's private page. If the pressed public message is out of date, redraw it with the same answer."""
    seen, seat = await view_run(request.core, press.table_id, request.user_id)
    own = await _show_own_page(request, seen, seat)
    table, message = request.display.current(seen), request.interaction.message
    free = table.is_unshown and table.screen == table.shown_screen and request.display.is_free(table.id)
    if free and message is not None and message.id == table.message_id:
        # ``seen`` contains what only this player may see, so it must not be shown in the public message.
        return Redraw(request.display.current(await get_table(request.core, table.id)), own.rendered)
    return own


async def _show_own_page(request: UserRequest, seen: Table, seat: int) -> Private:
    """Make the user's private page. If their run is complete, add a link to another table that waits for them."""
    link, user_id = None, seen.seats[seat].user_id
    if user_id is not None and seen.game is not None and seen.game.find_run(seat).complete:
        other = await find_waiting_run(request.core, seen.guild_id, user_id)
        link = None if other is None else _("Your dice are waiting: {link}").format(link=table_link(other))
    return Private(render_private(await OWN_PACE.make_page(request.core, (seen, seat)), sentence=link))


async def end_run(request: UserRequest, press: EndRuns) -> Answer | Private:
    """End the game without the players who have not begun. Ask for confirmation in a private message first."""
    reachable_since = await request.interaction.client.find_reachable_since(request.interaction.guild_id)
    if not press.confirmed:
        table = await get_table(request.core, press.table_id)
        check_may_end(table, request.user_id, request.core.now(), reachable_since)
        return Private(render_end_question(table))
    table = await end_runs_early(request.core, press.table_id, request.person, reachable_since)
    request.display.request_redraw(table.id)
    return Answer(Rendered(content=_("Done: {link}").format(link=table_link(table))))


class OwnPaceGame(PrivateGame[RunPress, tuple[Table, int]]):
    __slots__ = ()

    async def view(self, core: Core, press: RunPress, user_id: int) -> tuple[Table, int]:
        return await view_run(core, press.table_id, user_id, press.step)

    async def decide(self, request: UserRequest, press: RunPress) -> tuple[Table, int]:
        who, decision = request.person, DECISION_OF[press.verb](press)
        table, seat = await decide_run(request.core, press.table_id, who, decision, step=press.step)
        if not table.status.open:
            # While the game runs, the public message shows only the progress, which may be some minutes late.
            request.display.request_redraw(table.id)
        return table, seat

    async def make_page(self, core: Core, run: tuple[Table, int]) -> PrivatePage:
        table, seat = run
        page, user_id = run_page(table, seat, core.now()), table.seats[seat].user_id
        return page if user_id is None else await add_best(core, page, table.guild_id, user_id)

    @or_present_page
    async def hint(self, request: UserRequest, press: RunPress) -> Private:
        table, seat = await self.view(request.core, press, request.user_id)
        async with request.one_at_a_time():
            advice = await advise_player(request.core, table, request.user_id, request.interaction.id)
        game = require_game(table)
        press_of = partial(run_press, table, game.find_run(seat))
        return Private(render_hint(game, advice, press_of), instead_of=table.id)


OWN_PACE = OwnPaceGame()

"""/highscore leave, cancel, skip, kick: who plays on and who does not."""

from dataclasses import replace

import discord
from discord import app_commands

from bot.cogs.answers import Feature, Page, Private, Redraw, answers, say
from bot.cogs.common import missing_note, person, place
from bot.cogs.context import Context
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.cancelling import cancelling
from bot.domain.errors import Refused
from bot.domain.run import leaves_nothing
from bot.domain.table import Status, Table
from bot.locales import _
from bot.services.absence import kick, leave_game, skip
from bot.services.cancelling import agree, cancel, check_may_cancel
from bot.services.core import open_in
from bot.services.lobby import leave
from bot.ui.buttons import Press, Verb, button, press_of
from bot.ui.cancelling import answer_note, cancel_question
from bot.ui.message import Rendered
from bot.ui.names import link_to


class SeatCommands(Feature):
    @app_commands.command(description="Leave this channel's table; in a running game the house plays on for you")
    @answers(AnswerKind.PRIVATE)
    async def leave(self, interaction: Interaction) -> Private:
        """Leave the lobby at once, a running game after a private confirmation."""
        who = person(interaction)
        table = await self._table(interaction)
        if table.status is Status.LOBBY:
            changed = await leave(self.context.core, table.id, who)
            return self._done(interaction, changed, _("You have left the table."))
        at = table.seat_of(who.user_id)
        if at is None:
            raise Refused(_("You are not sitting at this table."))
        if table.seats[at].left:
            raise Refused(_("You have left this game."))
        text = _("Leave for good? The house plays your seat to the end, and you cannot come back to this game.")
        if leaves_nothing(table, at):
            text = _("Leave for good? You have not finished a card, so the game goes on as if you had never sat down.")
        confirm = button(press_of(table, Verb.QUIT), _("Leave the game"), style=discord.ButtonStyle.danger)
        return Private(Rendered(content=text + missing_note(interaction), buttons=[confirm]))

    @app_commands.command(description="Cancel this channel's game; once somebody has played, the others have to agree")
    @answers(AnswerKind.PRIVATE)
    async def cancel(self, interaction: Interaction) -> Private:
        """Ask first: it ends the game for everybody."""
        table = await self._table(interaction)
        question = cancel_question(table, check_may_cancel(table, person(interaction)))
        return Private(replace(question, content=(question.content or "") + missing_note(interaction)))

    @app_commands.command(description="Let the house play the turn everybody waits for (host or moderators)")
    @answers(AnswerKind.PRIVATE)
    async def skip(self, interaction: Interaction) -> Private:
        table = await self._table(interaction)
        changed = await skip(self.context.core, table.id, person(interaction))
        return self._done(interaction, changed, _("The house has played that turn."))

    @app_commands.command(description="Take somebody's seat away (host or moderators)")
    @app_commands.describe(player="Who is to go; in a running game the house plays their seat on")
    @answers(AnswerKind.PRIVATE)
    async def kick(self, interaction: Interaction, player: discord.User) -> Private:
        table = await self._table(interaction)
        changed = await kick(self.context.core, table.id, person(interaction), player.id)
        return self._done(interaction, changed, _("Done. The others will see it at the table."))

    async def _table(self, interaction: Interaction) -> Table:
        return await open_in(self.context.core, place(interaction)[1], person(interaction))

    def _done(self, interaction: Interaction, changed: Table, text: str) -> Private:
        self.context.display.request_redraw(changed.id)
        return say(text + missing_note(interaction))


async def quit_game(context: Context, interaction: Interaction, press: Press) -> Page:
    """Leave a running game for good, after having confirmed it."""
    table = await leave_game(context.core, press.table_id, person(interaction))
    context.display.request_redraw(table.id)
    at = table.seat_of(interaction.user.id)
    if not table.status.open:
        over = _("You have left, and with that the game is over: {link}")
        return Page(Rendered(content=over.format(link=link_to(table))))
    if at is not None and leaves_nothing(table, at):
        return Page(Rendered(content=_("You have left the game. As you had not finished a card, you are left out.")))
    return Page(Rendered(content=_("You have left the game; the house plays on for you.")))


async def cancel_game(context: Context, interaction: Interaction, press: Press) -> Page:
    """Give a table up, after having confirmed it."""
    table = await cancel(context.core, press.table_id, person(interaction), only_ask=bool(press.argument))
    if table.status.open and not cancelling(table):
        return Page(cancel_question(table, ()))
    context.display.request_redraw(table.id)
    done = _("The others are asked: {link}") if table.status.open else _("Done: {link}")
    return Page(Rendered(content=done.format(link=link_to(table))))


async def agree_to_cancel(context: Context, interaction: Interaction, press: Press) -> Redraw:
    """Agree to what the host asks on the page that was pressed."""
    table = await agree(context.core, press.table_id, person(interaction), press.version)
    return Redraw(table, answer_note(table, interaction.user.id))

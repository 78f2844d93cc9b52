"""/highscore leave and table: the ways to end a seat, a turn or a game."""

from dataclasses import replace
from enum import Enum

import discord
from discord import app_commands

from bot.cogs.common import (
    Answer,
    Context,
    Feature,
    Private,
    Redraw,
    answers,
    channel_id_of,
    choice_of,
    person_of,
    warn_of_obstacle,
)
from bot.cogs.lobby import ask_to_leave
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.cancelling import seats_yet_to_answer
from bot.domain.errors import Refused
from bot.domain.run import leaves_unbegun
from bot.domain.table import Status, Table
from bot.locales import _
from bot.services.away import kick_player, leave_game, seat_of_player, skip_turn
from bot.services.cancelling import answer_request, cancel_table, find_cancellable
from bot.services.core import get_open_table, get_open_tables
from bot.services.lobby import leave_lobby
from bot.ui.buttons import CancelPress, TablePress, Verb, table_press
from bot.ui.cancelling import render_cancel_notice, render_cancel_question, render_questions
from bot.ui.message import Rendered
from bot.ui.text import table_link


class _Action(Enum):
    """The actions of the host and of moderators at a table."""

    SKIP = "skip"
    REMOVE = "remove"
    CANCEL = "cancel"


class SeatCommands(Feature):
    @app_commands.command(description="Leave this channel's table; in a running game the house plays on for you")
    @answers(AnswerKind.PRIVATE)
    async def leave(self, interaction: Interaction) -> Private:
        """Leave a lobby at once, or a running game and a lobby that this closes for others after a private question."""
        who = person_of(interaction)
        table = await self._table(interaction)
        if question := ask_to_leave(table, who.user_id):
            return await self._ask(interaction, question)
        if table.status is Status.LOBBY:
            changed = await leave_lobby(self.context.core, table.id, who)
            return await self._done(interaction, changed, _("Your seat at the table is free again."))
        tables = reversed(await get_open_tables(self.context.core, channel_id=table.channel_id))
        playing = [one for one in tables if one.has_seat(who.user_id) and one.status is Status.PLAYING] or [table]
        questions: list[tuple[str, TablePress, str]] = []
        for one in playing:
            text = _("Leave for good? The house plays your seat to the end, and you cannot come back to this game.")
            if leaves_unbegun(one, seat_of_player(one, who.user_id)):
                text = _(
                    "Leave for good? Without a roll of yours, your seat does not count, and the game goes on without"
                    " you."
                )
            text += f" {table_link(one)}" if len(playing) > 1 else ""
            questions.append((text, table_press(one, Verb.QUIT), _("Leave the game")))
        return await self._ask(interaction, render_questions(questions))

    @app_commands.command(description="Skip a turn, remove somebody or cancel the game (host or moderators)")
    @app_commands.describe(action="What to do at this channel's table", player="Who is to be removed")
    @app_commands.choices(
        action=[
            app_commands.Choice(name="skip: let the house play the turn everybody waits for", value=_Action.SKIP.value),
            app_commands.Choice(name="remove: take somebody's seat away", value=_Action.REMOVE.value),
            app_commands.Choice(name="cancel: end the game; others may have to agree", value=_Action.CANCEL.value),
        ]
    )
    @answers(AnswerKind.PRIVATE)
    async def table(self, interaction: Interaction, action: str, player: discord.User | None = None) -> Private:
        """Skip or remove at once; ask before cancelling, which ends the game for everybody."""
        todo, who, table = choice_of(_Action, action), person_of(interaction), await self._table(interaction, player)
        if todo is _Action.REMOVE and player is not None:
            changed = await kick_player(self.context.core, table.id, who, player.id)
        elif todo is _Action.REMOVE or player is not None:
            # Whose turn is skipped follows from the game: whoever names somebody means another turn than that.
            raise Refused(
                _("The option **player** says who is removed: **remove** needs it, and nothing else takes it.")
            )
        elif todo is _Action.CANCEL:
            found = await find_cancellable(self.context.core, table.channel_id, who)
            return await self._ask(interaction, render_cancel_question(*found))
        else:
            changed = await skip_turn(self.context.core, table.id, who)
        return await self._done(interaction, changed)

    async def _table(self, interaction: Interaction, player: discord.User | None = None) -> Table:
        named_id = None if player is None else player.id
        return await get_open_table(self.context.core, channel_id_of(interaction), person_of(interaction), named_id)

    async def _ask(self, interaction: Interaction, question: Rendered) -> Private:
        return Private(replace(question, content=(question.content or "") + await warn_of_obstacle(interaction)))

    async def _done(self, interaction: Interaction, changed: Table, text: str | None = None) -> Private:
        self.context.display.request_redraw(changed.id)
        text = text or _("Done: {link}").format(link=table_link(changed))
        return Private(Rendered(content=text + await warn_of_obstacle(interaction)))


async def quit_game(context: Context, interaction: Interaction, press: TablePress) -> Answer:
    """Leave a running game for good, after the confirmation."""
    table = await leave_game(context.core, press.table_id, person_of(interaction))
    context.display.request_redraw(table.id)
    return Answer(Rendered(content=_("Your seat at the table is free again.")))


async def cancel_game(context: Context, interaction: Interaction, press: CancelPress) -> Answer:
    """Cancel a table, or ask the others to agree, after the confirmation."""
    table = await cancel_table(context.core, press.table_id, person_of(interaction), only_ask=press.only_ask)
    if table.status.open and not seats_yet_to_answer(table):
        return Answer(render_cancel_question((table, ())))
    context.display.request_redraw(table.id)
    done = _("The others are asked: {link}") if table.status.open else _("Done: {link}")
    return Answer(Rendered(content=done.format(link=table_link(table))))


async def answer_cancelling(context: Context, interaction: Interaction, press: TablePress) -> Redraw:
    """Agree to the host's request on the page that was pressed, or decline it."""
    agrees = press.verb is Verb.AGREE
    table = await answer_request(context.core, press.table_id, person_of(interaction), press.version, agrees=agrees)
    return Redraw(table, render_cancel_notice(agrees=agrees) if table.status.open else None)

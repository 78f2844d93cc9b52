"""/highscore away, leave and table: absences, leaving, skipping, removing and cancelling."""

from dataclasses import replace
from datetime import timedelta
from enum import Enum
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.cogs.common import Answer, Choices, Feature, Private, Redraw, UserRequest, answers, choice_of, suggests
from bot.cogs.lobby import ask_to_leave
from bot.discord_api.permissions import explain_obstacle
from bot.domain.cancelling import seats_yet_to_answer
from bot.domain.errors import Refused
from bot.domain.table import Status, Table, leaves_unbegun
from bot.locales import _, format_day
from bot.services import away as service
from bot.services.cancelling import answer_request, cancel_table, find_cancellable
from bot.services.core import get_open_table, get_open_tables, get_server_settings
from bot.services.lobby import leave_lobby
from bot.ui.buttons import AwayPress, CancelPress, TablePress, Verb, table_press
from bot.ui.cancelling import render_cancel_notice, render_cancel_question, render_questions
from bot.ui.message import Rendered
from bot.ui.reminders import render_away_notice
from bot.ui.text import table_link


class AwayCommands(Feature):
    @app_commands.command(description="Say that you are away: the house plays for you if somebody is waiting")
    @app_commands.describe(days="For how many days", until="The day of your return")
    @answers()
    async def away(
        self,
        request: UserRequest,
        days: app_commands.Range[int, 1, service.MOST_DAYS] | None = None,
        until: str | None = None,
    ) -> Answer:
        core, guild_id, user_id = request.core, request.guild_id, request.user_id
        if days is None and until is None:
            return Answer(render_away_notice(await service.get_absence_end(core, guild_id, user_id)))
        back = await service.begin_absence(core, guild_id, user_id, days=days, until=until)
        request.context.wake_at(core.now())
        return Answer(render_away_notice(back))

    @away.autocomplete("until")
    @suggests
    async def complete_until(self, request: UserRequest, _typed: str) -> Choices:
        settings = await get_server_settings(request.core, request.guild_id)
        today = request.core.now().astimezone(ZoneInfo(settings.zone)).date()
        days = [today + timedelta(days=after) for after in range(1, service.MOST_DAYS + 1)]
        return [(format_day(day), day.isoformat()) for day in days]


async def end_absence(request: UserRequest, _press: AwayPress) -> Answer:
    await service.finish_absence(request.core, request.guild_id, request.user_id)
    request.context.wake_at(request.core.now())
    return Answer(render_away_notice(None))


class _Action(Enum):
    SKIP = "skip"
    REMOVE = "remove"
    CANCEL = "cancel"


class SeatCommands(Feature):
    @app_commands.command(description="Leave this channel's table; in a running game, the house plays on for you")
    @answers()
    async def leave(self, request: UserRequest) -> Private:
        """Leave a lobby, or ask whether to leave. Ask in a running game, and if leaving a lobby would close it for
        invited people."""
        who = request.person
        table = await get_open_table(request.core, request.channel_id, who)
        if question := ask_to_leave(table, who.user_id):
            return await self._ask(request, question)
        if table.status is Status.LOBBY:
            changed = await leave_lobby(request.core, table.id, who)
            return await self._done(request, changed, _("You have left the table."))
        tables = reversed(await get_open_tables(request.core, channel_id=table.channel_id))
        playing = [one for one in tables if one.has_seat(who.user_id) and one.status is Status.PLAYING] or [table]
        questions: list[tuple[str, TablePress, str]] = []
        for one in playing:
            text = _("Leave for good? The house plays the rest of your turns, and you can't come back to this game.")
            if leaves_unbegun(one, service.seat_of_player(one, who.user_id)):
                text = _(
                    "Leave for good? You haven't rolled yet, so the game goes on without you and your seat doesn't"
                    " count."
                )
            text += f" {table_link(one)}" if len(playing) > 1 else ""
            questions.append((text, table_press(one, Verb.QUIT), _("Leave the game")))
        return await self._ask(request, render_questions(questions))

    @app_commands.command(description="Skip a turn, remove somebody or cancel the game (host or moderators)")
    @app_commands.describe(action="What to do at this channel's table", player="The player to remove")
    @app_commands.choices(
        action=[
            app_commands.Choice(
                name="skip: let the house play the turn everybody is waiting for", value=_Action.SKIP.value
            ),
            app_commands.Choice(name="remove: take somebody's seat away", value=_Action.REMOVE.value),
            app_commands.Choice(name="cancel: end the game; others may have to agree", value=_Action.CANCEL.value),
        ]
    )
    @answers()
    async def table(self, request: UserRequest, action: str, player: discord.User | None = None) -> Private:
        """Skip a turn, remove a player, or ask whether to cancel a game. Only cancelling needs a confirmation, because
        it ends the game for everybody."""
        todo, who = choice_of(_Action, action), request.person
        table = await get_open_table(request.core, request.channel_id, who, None if player is None else player.id)
        if todo is _Action.REMOVE and player is not None:
            changed = await service.kick_player(request.core, table.id, who, player.id)
        elif todo is _Action.REMOVE or player is not None:
            # Only the player the others are waiting for can be skipped. A user who names somebody may mean another one.
            raise Refused(
                _("With **remove**, name the person in the option **player**. The other actions don't use that option.")
            )
        elif todo is _Action.CANCEL:
            found = await find_cancellable(request.core, table.channel_id, who)
            return await self._ask(request, render_cancel_question(*found))
        else:
            changed = await service.skip_turn(request.core, table.id, who)
        return await self._done(request, changed)

    async def _ask(self, request: UserRequest, question: Rendered) -> Private:
        return Private(replace(question, content=(question.content or "") + await _warn_of_obstacle(request)))

    async def _done(self, request: UserRequest, changed: Table, text: str | None = None) -> Private:
        request.display.request_redraw(changed.id)
        text = text or _("Done: {link}").format(link=table_link(changed))
        return Private(Rendered(content=text + await _warn_of_obstacle(request)))


async def _warn_of_obstacle(request: UserRequest) -> str:
    """Return a line that says why the bot cannot play in this channel; empty if it can."""
    obstacle = await explain_obstacle(request.interaction)
    return f"\n⚠️ {_('The game is paused.')} {obstacle}" if obstacle else ""


async def quit_game(request: UserRequest, press: TablePress) -> Answer:
    """Leave a running game for good. The user has confirmed it."""
    table = await service.leave_game(request.core, press.table_id, request.person)
    request.display.request_redraw(table.id)
    return Answer(Rendered(content=_("You have left the table.")))


async def cancel_game(request: UserRequest, press: CancelPress) -> Answer:
    """Cancel a game, or ask the other players to agree. The user has already confirmed this.

    The confirmation may have said that the other players would be asked. If nobody has to agree any more, do nothing,
    and ask the user to confirm that the game ends now.
    """
    table = await cancel_table(request.core, press.table_id, request.person, only_ask=press.only_ask)
    if table.status.open and not seats_yet_to_answer(table):
        return Answer(render_cancel_question((table, ())))
    request.display.request_redraw(table.id)
    done = _("I have asked the others: {link}") if table.status.open else _("Done: {link}")
    return Answer(Rendered(content=done.format(link=table_link(table))))


async def answer_cancelling(request: UserRequest, press: TablePress) -> Redraw:
    agrees = press.verb is Verb.AGREE
    table = await answer_request(request.core, press.table_id, request.person, press.version, agrees=agrees)
    return Redraw(table, render_cancel_notice(agrees=agrees) if table.status.open else None)

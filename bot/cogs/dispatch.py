"""Finds the handler of each press and command, and answers with its result or error."""

import logging
import time
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from typing import Any

import discord

from bot.cogs.common import Answer, Context, Picked, Private, Redraw, Result, TableHere, UserRequest
from bot.cogs.failures import reply_failure, reply_if_possible, reply_not_shown
from bot.cogs.routes import DIALOGS, ROUTES, Handler, Route, find_route, refuse_unknown
from bot.cogs.table import redraw_table, refresh_message, show_picked_dice, show_table_here
from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.messages import custom_ids_of
from bot.discord_api.rate_limit import RateLimit
from bot.discord_api.replies import ARRIVED, ASKED, AnswerKind, Interaction, Reply, TakeBack
from bot.domain.errors import Refused, WrongServer
from bot.domain.recent import Recent
from bot.locales import _, language_for, speak_language
from bot.observing.in_flight import InFlightInteractions, Stopping
from bot.services.core import check_guild
from bot.ui.buttons import Action, EndRuns, RunPress, TablePress
from bot.ui.message import Rendered
from highscore.errors import IllegalChoice

REMEMBERED = 500
"""This many private messages are remembered, so that the next one with the same key can replace them."""


class Dispatcher:
    """Answers every interaction once, in time and in the user's language, even if its handler fails."""

    def __init__(self, context: Context, rate_limit: RateLimit, in_flight: InFlightInteractions) -> None:
        self.context = context
        self.rate_limit = rate_limit
        self._in_flight = in_flight
        self._private: Recent[tuple[int, str], TakeBack] = Recent(REMEMBERED)

    async def answer_press(
        self, interaction: Interaction, custom_id: str, routes: Mapping[str, Route] = ROUTES, *, is_forged: bool = False
    ) -> None:
        """Answer a press, or a dialog. Never raises."""
        route, action = find_route(custom_id, routes)
        if not await self.start(interaction, action.command or custom_id.split(":")[1], action.subject_id):
            return
        request = UserRequest(self.context, interaction)
        handler = refuse_unknown if is_forged else route.handler
        error = await self.answer(interaction, route.kind, self._handle(request, action, handler))
        refused = isinstance(error, Refused | IllegalChoice) and not isinstance(error, WrongServer)
        if refused and isinstance(action, TablePress):
            await refresh_message(request, action)

    async def answer_other(self, interaction: Interaction) -> None:
        """Answer a dialog, or a forged press on a button that is not on its message. discord.py handles neither.

        Never raises.
        """
        data: dict[str, Any] = dict(interaction.data or {})
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit:
            await self.answer_press(interaction, custom_id, DIALOGS)
        elif interaction.type is discord.InteractionType.component:
            # discord.py handles a press only if its message has a component of this id and this type.
            kind, message = data.get("component_type"), interaction.message
            carried = message is not None and custom_id in custom_ids_of(message, kind)
            if not carried:
                await self.answer_press(interaction, custom_id, is_forged=True)

    async def _handle(self, request: UserRequest, action: Action, handler: Handler[Any]) -> Result:
        if isinstance(action, TablePress | RunPress | EndRuns):
            request.core.clicks[action.table_id, request.user_id] = request.core.now()
        if action.subject_id is not None:
            await check_guild(request.core, action.subject_id, request.interaction.guild_id)
        return await handler(request, action)

    async def start(self, interaction: Interaction, command: str, game: str | None = None) -> bool:
        """Register an interaction, with ``command`` as its name in the log. Return whether it may be handled.

        It is refused here if the user sends too many, if the bot is not on the server, or if the bot is stopping.
        Never raises.
        """
        speak_language(language_for(interaction.locale))
        if not await self.rate_limit.admits(interaction):
            return False
        if interaction.guild_id and interaction.is_user_integration() and not interaction.is_guild_integration():
            # The user has installed the commands for their account.
            await _send_private(
                interaction, _("I'm not on this server. Somebody with the Manage Server permission can add me.")
            )
            return False
        try:
            self._in_flight.begin(
                ASKED[interaction.type],
                interaction.extras.get(ARRIVED, time.perf_counter()),
                game=game,
                guild=interaction.guild_id,
                channel=interaction.channel_id,
                interaction=interaction.id,
                user=interaction.user.id,
                command=command,
            )
        except Stopping:
            text = _("I'm restarting right now, so nothing was changed. Please try again in a minute.")
            await _send_private(interaction, text)
            return False
        return True

    async def answer(self, interaction: Interaction, kind: AnswerKind, work: Awaitable[Result]) -> BaseException | None:
        """Answer an interaction with the result of ``work``, or with an explanation of its error.

        Return the error of ``work``, or None. Never raises.
        """
        async with Reply(interaction, kind) as reply:
            try:
                result = await work
            except Exception as error:
                await reply_failure(reply, error)
                return error
            notice: Rendered | None = None
            try:
                match result:
                    case Redraw(table, notice):
                        await redraw_table(reply, self.context.display, table)
                    case Picked():
                        await show_picked_dice(reply, self.context.display, result)
                    case TableHere(table, notice):
                        await show_table_here(reply, self.context.display, table)
                    case Answer(rendered, notice, note_shown):
                        message_id = await reply.show(rendered)
                        if note_shown is not None and message_id is not None:
                            await note_shown(message_id)
                    case Private(rendered, instead_of):
                        take_back = await reply.send_private(rendered)
                        if instead_of is not None:
                            await self._replace((interaction.user.id, instead_of), take_back)
                    case discord.ui.Modal():
                        await reply.open(result)
                if notice is not None:
                    await reply_if_possible(reply, notice)
            except Exception as error:
                await reply_not_shown(reply, result, error)
        return None

    async def _replace(self, key: tuple[int, str], take_back: TakeBack) -> None:
        earlier = self._private.pop(key, None)
        self._private[key] = take_back
        if earlier is not None:
            with suppress(*DISCORD_ERRORS):  # The person may have dismissed it.
                await earlier()


log = logging.getLogger(__name__)


async def _send_private(interaction: Interaction, text: str) -> None:
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await Reply(interaction, AnswerKind.PRIVATE).send_private(Rendered(content=text))
    except (*DISCORD_ERRORS, RuntimeError) as error:  # During a stop the connection may be closed: a RuntimeError.
        log.info("interaction %s was refused, but the user could not be told why: %s", interaction.id, error)

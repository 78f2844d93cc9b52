"""From a press or a command to its handler, and from what that returns or raises to an answer."""

import re
import time
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord

from bot.cogs.answers import Answer, OpenModal, Picked, Private, Redraw, Result, TableHere
from bot.cogs.away import tell_missed
from bot.cogs.context import Context
from bot.cogs.failures import tell_failure, tell_not_shown, try_to_tell, turn_away
from bot.cogs.redraw import redraw, refresh, show_here, show_picked
from bot.cogs.routes import DIALOGS, prefix_of, route_of
from bot.cogs.turn_buttons import Route
from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.messages import custom_ids_of
from bot.discord_api.rate_limit import RateLimit
from bot.discord_api.replies import ARRIVED, ASKED, AnswerKind, Interaction, Reply, TakeBack
from bot.domain.errors import Elsewhere, Refused
from bot.domain.recent import Recent
from bot.locales import _, language_for, speak_language
from bot.observing.in_flight import InFlightInteractions, Stopping
from bot.services.core import check_guild
from bot.ui.actions import Action
from bot.ui.buttons import ActionItem, Kind, PracticePress, Press
from bot.ui.lucky_words import WordDialog
from bot.ui.message import Rendered
from highscore.errors import IllegalChoice

REMEMBERED = 500
"""Private messages that the next one takes the place of, the latest ones."""


async def _not_carried(_context: Context, _interaction: Interaction, _action: Action) -> Result:
    raise Refused(_("This message does not have that button any more, so nothing was done."))


class Dispatcher:
    """Answers everything people do: once, in time, in their language, whatever happens."""

    def __init__(self, context: Context, rate_limit: RateLimit, in_flight: InFlightInteractions) -> None:
        self.context = context
        self.rate_limit = rate_limit
        self._in_flight = in_flight
        self._private: Recent[tuple[int, str], TakeBack] = Recent(REMEMBERED)

    async def press(self, interaction: Interaction, custom_id: str, route: Route[Any] | None = None) -> None:
        """Answer a press of one of our buttons, or a dialog with a route of its own. Never raises."""
        route = route or route_of(custom_id)
        action = route.codec.parse(custom_id)
        if not await self.start(interaction, action.command, getattr(action, "game_id", None)):
            return
        error = await self.run(interaction, route.kind, self._handle(route, interaction, action))
        if not isinstance(action, Press):
            return
        refused = isinstance(error, Refused | IllegalChoice) and not isinstance(error, Elsewhere)
        if refused and action.kind is Kind.TABLE:
            await refresh(self.context, interaction, action)
        if (note := tell_missed(self.context, action.table_id, interaction.user.id)) is not None:
            # After the answer, and of what that has read: nobody waits for it.
            await try_to_tell(Reply(interaction, route.kind), note)

    async def hear(self, interaction: Interaction) -> None:
        """Answer what discord.py leaves alone: a dialog, and a button that its message does not carry. Never raises."""
        data: dict[str, Any] = dict(interaction.data or {})
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit:
            dialog = DIALOGS.get(prefix_of(custom_id))
            if dialog is not None and re.fullmatch(dialog.codec.pattern, custom_id):
                await self.press(interaction, custom_id, dialog)
        elif interaction.type is discord.InteractionType.component:
            carried = interaction.message is not None and custom_id in custom_ids_of(interaction.message)
            if not carried and ActionItem.reads(custom_id):
                await self.press(interaction, custom_id, replace(route_of(custom_id), handler=_not_carried))

    async def _handle(self, route: Route[Any], interaction: Interaction, action: Action) -> Result:
        if isinstance(action, Press) and action.kind is not Kind.DAILY:
            self.context.clicked(action.table_id, interaction.user.id)
        if isinstance(action, Press | PracticePress | WordDialog):
            await check_guild(self.context.core, action.game_id, interaction.guild_id)
        return await route.handler(self.context, interaction, action)

    async def start(self, interaction: Interaction, command: str, game: str | None = None) -> bool:
        """Begin to work on an interaction; with False it has been answered: too many of them, or the bot is stopping.

        ``command`` is the name of the button or the command, for the log; ``game`` the game it is about. Never raises.
        """
        speak_language(language_for(interaction.locale))
        if not await self.rate_limit.admits(interaction):
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
            await turn_away(interaction)
            return False
        return True

    async def run(self, interaction: Interaction, kind: AnswerKind, work: Awaitable[Result]) -> BaseException | None:
        """Answer an interaction with what ``work`` returns, or with why it raises, which is returned. Never raises."""
        async with Reply(interaction, kind) as reply:
            try:
                result = await work
            except Exception as error:
                await tell_failure(reply, error)
                return error
            note: Rendered | None = None
            try:
                match result:
                    case Redraw(table, note):
                        await redraw(reply, self.context.display, table)
                    case Picked():
                        await show_picked(reply, self.context.display, result)
                    case TableHere(table, note):
                        await show_here(reply, self.context.display, table)
                    case Answer(rendered, note, shown):
                        message_id = await reply.show(rendered)
                        if shown is not None and message_id is not None:
                            await shown(message_id)
                    case Private(rendered, instead_of):
                        take_back = await reply.tell(rendered)
                        if instead_of is not None:
                            await self._replace((interaction.user.id, instead_of), take_back)
                    case OpenModal(modal):
                        await reply.open(modal)
                if note is not None:
                    await try_to_tell(reply, note)
            except Exception as error:
                await tell_not_shown(reply, result, error)
        return None

    async def _replace(self, key: tuple[int, str], take_back: TakeBack) -> None:
        """Take back the private message that another one has taken the place of."""
        earlier = self._private.pop(key, None)
        self._private[key] = take_back
        if earlier is not None:
            with suppress(*DISCORD_ERRORS):  # Dismissed already, or sent more than 15 minutes ago.
                await earlier()

"""The way from a press to its handler, and from what that returns or raises to an answer."""

import re
from dataclasses import replace
from typing import Any

import discord

from bot.cogs.answers import Result
from bot.cogs.away import since
from bot.cogs.context import Context
from bot.cogs.failures import try_to_tell
from bot.cogs.redraw import refresh
from bot.cogs.routes import DIALOGS, prefix, route_of
from bot.cogs.runner import Runner
from bot.cogs.turn_buttons import Route
from bot.discord_api.messages import custom_ids
from bot.discord_api.replies import Interaction, Reply
from bot.domain.errors import Elsewhere, Refused
from bot.locales import _
from bot.services.core import check_guild
from bot.ui.actions import Action
from bot.ui.buttons import ActionItem, Kind, PracticePress, Press
from bot.ui.lucky_words import WordDialog
from highscore.errors import IllegalChoice


async def _not_carried(_context: Context, _interaction: Interaction, _action: Action) -> Result:
    raise Refused(_("This message does not have that button any more, so nothing was done."))


class Dispatcher(Runner):
    """Answers every press, and runs every command."""

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
        if (note := since(self.context, action.table_id, interaction.user.id)) is not None:
            # After the answer, and of what that has read: nobody waits for it.
            await try_to_tell(Reply(interaction, route.kind), note)

    async def hear(self, interaction: Interaction) -> None:
        """Answer what discord.py leaves alone: a dialog, and a button that its message does not carry. Never raises."""
        data: dict[str, Any] = dict(interaction.data or {})
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit:
            dialog = DIALOGS.get(prefix(custom_id))
            if dialog is not None and re.fullmatch(dialog.codec.pattern, custom_id):
                await self.press(interaction, custom_id, dialog)
        elif interaction.type is discord.InteractionType.component:
            carried = interaction.message is not None and custom_id in custom_ids(interaction.message)
            if not carried and ActionItem.reads(custom_id):
                await self.press(interaction, custom_id, replace(route_of(custom_id), handler=_not_carried))

    async def _handle(self, route: Route[Any], interaction: Interaction, action: Action) -> Result:
        if isinstance(action, Press) and action.kind is not Kind.DAILY:
            self.context.clicked(action.table_id, interaction.user.id)
        if isinstance(action, Press | PracticePress | WordDialog):
            await check_guild(self.context.core, action.game_id, interaction.guild_id)
        return await route.handler(self.context, interaction, action)

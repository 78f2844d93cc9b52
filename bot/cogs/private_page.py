"""The buttons of a private page, on which somebody plays a run alone: the same at a table and in a daily challenge."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.cogs.answers import Answer, Private
from bot.cogs.context import Context
from bot.cogs.guide import explain_card
from bot.cogs.turn_buttons import Route, check_picked, turn_routes
from bot.discord_api.replies import Interaction
from bot.domain.errors import MovedOn
from bot.observing.in_flight import note_result
from bot.observing.metrics import InteractionResult
from bot.services.core import Core
from bot.ui.buttons import Press, Verb
from bot.ui.private_page import PrivatePage, render_private
from highscore.turn_order import TurnOrder

S = TypeVar("S")
Handler = Callable[[Context, Interaction, Press], Awaitable[Answer | Private]]


@dataclass(frozen=True, slots=True)
class PrivateGame(Generic[S]):
    """How a kind of run is read, played and shown. What it is read as is in a MovedOn, too."""

    look: Callable[[Core, str, int, int], Awaitable[S]]
    """The run of a user at this step. Raises MovedOn unless it is there."""
    decide: Callable[[Context, Interaction, Press], Awaitable[S]]
    page: Callable[[Core, S], Awaitable[PrivatePage]]

    def routes(self, kind: str) -> Mapping[str, Route[Press]]:
        present = self.or_present
        return turn_routes(kind, Press, present(self._play), present(self._pick), present(self._explain))

    async def _play(self, context: Context, interaction: Interaction, press: Press) -> Answer:
        run = await self.decide(context, interaction, press)
        context.decided[interaction.user.id] = press
        return Answer(render_private(await self.page(context.core, run)))

    async def _pick(self, context: Context, interaction: Interaction, press: Press) -> Answer:
        """Pick a die or put it back, or be asked: both live in the message's buttons."""
        page = await self._page_at(context, interaction, press)
        check_picked(page.run.turn, press)
        return Answer(render_private(page, press.positions, asking=press.verb is Verb.ASK))

    async def _explain(self, context: Context, interaction: Interaction, press: Press) -> Private:
        page = await self._page_at(context, interaction, press)
        return Private(await explain_card(context, page.run.card, page.players, TurnOrder.OWN_PACE))

    async def _page_at(self, context: Context, interaction: Interaction, press: Press) -> PrivatePage:
        """The page on which a button was pressed. Raises MovedOn when the run has gone on since."""
        run = await self.look(context.core, press.table_id, interaction.user.id, press.version)
        return await self.page(context.core, run)

    def or_present(self, handler: Handler) -> Handler:
        """A handler in which an older copy of a page turns into what is so now, and says so unless this very press has
        brought it there: somebody has pressed twice."""

        async def present(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
            try:
                return await handler(context, interaction, press)
            except MovedOn as moved:
                note_result(InteractionResult.STALE)
                twice = context.decided.get(interaction.user.id) == press
                note = None if twice else str(moved)
                return Answer(render_private(await self.page(context.core, moved.now), note=note))

        return present

"""The buttons of a private page, on which a person plays a run: the same at a table and in a daily challenge."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from bot.cogs.answers import Answer, Private
from bot.cogs.context import Context
from bot.cogs.guide import explain_card
from bot.cogs.turn import Route, check_picked_dice, make_turn_routes
from bot.discord_api.replies import Interaction
from bot.domain.errors import MovedOn
from bot.locales import _
from bot.observing.in_flight import note_result
from bot.observing.metrics import InteractionResult
from bot.services.core import Core
from bot.services.history import find_best
from bot.ui.buttons import Press, Verb
from bot.ui.challenge import PrivatePage, render_private
from highscore.turn_order import TurnOrder

S = TypeVar("S")
Handler = Callable[[Context, Interaction, Press], Awaitable[Answer | Private]]


async def add_best(core: Core, page: PrivatePage, guild_id: int, user_id: int) -> PrivatePage:
    """Return the page with its player's best result on the card that is played."""
    card = page.run.card
    if card is None:
        return page
    return replace(page, best=await find_best(core, guild_id, user_id, card))


@dataclass(frozen=True, slots=True)
class PrivateGame(Generic[S]):
    """The functions that view a run of one kind, decide in it, and make its page. A MovedOn holds the run, too."""

    view: Callable[[Core, str, int, int], Awaitable[S]]
    """The function that loads a user's run at a step. Raises MovedOn unless the run is there."""
    decide: Callable[[Context, Interaction, Press], Awaitable[S]]
    make_page: Callable[[Core, S], Awaitable[PrivatePage]]

    def routes(self, kind: str) -> Mapping[str, Route[Press]]:
        """Make the routes of the buttons of this ``kind``."""
        present = self.present_if_moved
        return make_turn_routes(
            kind, Press, play=present(self._play), pick=present(self._pick), explain=present(self._explain)
        )

    async def _play(self, context: Context, interaction: Interaction, press: Press) -> Answer:
        run = await self.decide(context, interaction, press)
        context.decided[interaction.user.id] = press
        return Answer(render_private(await self.make_page(context.core, run)))

    async def _pick(self, context: Context, interaction: Interaction, press: Press) -> Answer:
        """Pick a die or put it back, or ask about a small keep; only the message's buttons know of it."""
        page = await self._make_page_at(context, interaction, press)
        check_picked_dice(page.run.turn, press)
        return Answer(render_private(page, press.positions, asking=press.verb is Verb.ASK))

    async def _explain(self, context: Context, interaction: Interaction, press: Press) -> Private:
        page = await self._make_page_at(context, interaction, press)
        return Private(await explain_card(context, page.run.card, page.players, TurnOrder.OWN_PACE))

    async def _make_page_at(self, context: Context, interaction: Interaction, press: Press) -> PrivatePage:
        """Make the page on which a button was pressed. Raise MovedOn when the run has gone on since."""
        run = await self.view(context.core, press.table_id, interaction.user.id, press.version)
        return await self.make_page(context.core, run)

    def present_if_moved(self, handler: Handler) -> Handler:
        """Make a handler show the present page for an older copy, with a sentence unless the press came twice."""

        async def present(context: Context, interaction: Interaction, press: Press) -> Answer | Private:
            try:
                return await handler(context, interaction, press)
            except MovedOn as moved:
                note_result(InteractionResult.STALE)
                twice = context.decided.get(interaction.user.id) == press
                sentence = None if twice else _("That page was an older one. This is where you are now.")
                return Answer(render_private(await self.make_page(context.core, moved.now), sentence=sentence))

        return present

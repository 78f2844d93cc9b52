"""The buttons of a private page, on which a person plays a run: the same at a table and in a daily challenge."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Generic, TypeVar

from bot.cogs.answers import Answer, Private
from bot.cogs.context import Context
from bot.cogs.guide import explain_card
from bot.cogs.turn import check_picked_dice
from bot.discord_api.replies import Interaction
from bot.domain.errors import MovedOn
from bot.locales import _
from bot.observing.in_flight import note_result
from bot.observing.metrics import InteractionResult
from bot.services.core import Core
from bot.services.history import find_best
from bot.ui.buttons import ChallengePress, RunPress, Verb
from bot.ui.challenge import PrivatePage, render_private
from highscore.turn_order import TurnOrder

P = TypeVar("P", RunPress, ChallengePress)
S = TypeVar("S")
Method = Callable[[Any, Context, Interaction, P], Awaitable[Answer | Private]]


async def add_best(core: Core, page: PrivatePage, guild_id: int, user_id: int) -> PrivatePage:
    """Return the page with its player's best result on the card that is played."""
    card = page.run.card
    if card is None:
        return page
    return replace(page, best=await find_best(core, guild_id, user_id, card))


def or_present_page(method: Method[P]) -> Method[P]:
    """Make a method show the present page for an older copy, with a sentence unless the press came twice."""

    @wraps(method)
    async def answer(
        self: "PrivateGame[P, Any]", context: Context, interaction: Interaction, press: P
    ) -> Answer | Private:
        try:
            return await method(self, context, interaction, press)
        except MovedOn as moved:
            note_result(InteractionResult.STALE)
            twice = context.decided.get(interaction.user.id) == press
            sentence = None if twice else _("That page was an older one. This is where you are now.")
            return Answer(render_private(await self.make_page(context.core, moved.now), sentence=sentence))

    return answer


class PrivateGame(ABC, Generic[P, S]):
    """The handlers of the turn on a private page, for runs of one kind."""

    __slots__ = ()

    @abstractmethod
    async def view(self, core: Core, press: P, user_id: int) -> S:
        """Load a user's run. Raise MovedOn with the run unless it is at the step of the press."""

    @abstractmethod
    async def decide(self, context: Context, interaction: Interaction, press: P) -> S:
        """Decide in the run. Raise MovedOn with the run unless it is at the step of the press."""

    @abstractmethod
    async def make_page(self, core: Core, run: S) -> PrivatePage: ...

    @or_present_page
    async def play(self, context: Context, interaction: Interaction, press: P) -> Answer:
        run = await self.decide(context, interaction, press)
        context.decided[interaction.user.id] = press
        return Answer(render_private(await self.make_page(context.core, run)))

    @or_present_page
    async def pick(self, context: Context, interaction: Interaction, press: P) -> Answer:
        """Pick a die or put it back, or ask about a small keep; only the message's buttons know of it."""
        page = await self.make_page(context.core, await self.view(context.core, press, interaction.user.id))
        check_picked_dice(page.run.turn, press)
        return Answer(render_private(page, press.dice, asking=press.verb is Verb.ASK))

    @or_present_page
    async def explain(self, context: Context, interaction: Interaction, press: P) -> Private:
        page = await self.make_page(context.core, await self.view(context.core, press, interaction.user.id))
        return Private(await explain_card(context, page.run.card, page.players, TurnOrder.OWN_PACE))

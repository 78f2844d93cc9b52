"""The buttons of the private page on which a user plays alone: a run in own pace, a daily challenge, a leg of a cup, or
a dare."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial, wraps
from typing import Any, Generic, TypeVar

from bot.cogs.common import Answer, Private, UserRequest
from bot.cogs.guide import explain_card
from bot.cogs.proof import make_proof_message
from bot.cogs.turn import DECISION_OF, check_picked_dice
from bot.domain.challenge import Attempt, Kind
from bot.domain.errors import MovedOn
from bot.locales import _
from bot.observing.in_flight import note_result
from bot.observing.metrics import InteractionResult
from bot.services import challenge as service
from bot.services.core import Core
from bot.services.history import find_best
from bot.ui.buttons import ActionItem, ChallengePress, ReviewPress, RunPress, Verb
from bot.ui.challenge import PrivatePage, attempt_press, attempt_text, private_buttons, render_private
from bot.ui.coaching import render_hint, render_review
from bot.ui.message import change_buttons
from bot.ui.proof import proof_lines
from highscore.turn_order import TurnOrder

P = TypeVar("P", RunPress, ChallengePress)
S = TypeVar("S")
Method = Callable[[Any, UserRequest, P], Awaitable[Answer | Private]]


async def add_best(core: Core, page: PrivatePage, guild_id: int, user_id: int) -> PrivatePage:
    card = page.run.card
    if card is None:
        return page
    return replace(page, best=await find_best(core, guild_id, user_id, card))


def or_present_page(method: Method[P]) -> Method[P]:
    """Wrap a handler, so that a press on an older copy of the page changes nothing and shows the newest page.

    The answer says that the page was out of date, unless the press was the second one of a double click.
    """

    @wraps(method)
    async def answer(self: "PrivateGame[P, Any]", request: UserRequest, press: P) -> Answer | Private:
        try:
            return await method(self, request, press)
        except MovedOn as moved:
            note_result(InteractionResult.STALE)
            twice = request.context.decided.get(request.user_id) == press
            sentence = None if twice else _("That page was out of date. This is where you are now.")
            return Answer(render_private(await self.make_page(request.core, moved.now), sentence=sentence))

    return answer


class PrivateGame(ABC, Generic[P, S]):
    """The handlers of the buttons of a turn on a private page, for one kind of run."""

    __slots__ = ()

    @abstractmethod
    async def view(self, core: Core, press: P, user_id: int) -> S:
        """Load a user's run. Raise MovedOn, with the run, if it is not at the step that the press names."""

    @abstractmethod
    async def decide(self, request: UserRequest, press: P) -> S:
        """Carry out a user's decision. Raise MovedOn, with the run, if it is not at the step that the press names."""

    @abstractmethod
    async def make_page(self, core: Core, run: S) -> PrivatePage: ...

    @or_present_page
    async def play(self, request: UserRequest, press: P) -> Answer:
        run = await self.decide(request, press)
        request.context.decided[request.user_id] = press
        return Answer(render_private(await self.make_page(request.core, run)))

    @or_present_page
    async def pick(self, request: UserRequest, press: P) -> Answer:
        """Show the picked dice, or ask whether the turn should really end with 0 or less. Picked dice are stored only
        in the buttons."""
        page = await self.make_page(request.core, await self.view(request.core, press, request.user_id))
        check_picked_dice(page.run.turn, press)
        return Answer(change_buttons(private_buttons(page, press.dice, asking=press.verb is Verb.ASK)))

    @or_present_page
    async def explain(self, request: UserRequest, press: P) -> Private:
        page = await self.make_page(request.core, await self.view(request.core, press, request.user_id))
        proof = page.press(Verb.PROOF)
        return Private(await explain_card(request, page.run.card, page.players, TurnOrder.OWN_PACE, proof))


@dataclass(frozen=True, slots=True)
class ChallengeGame(PrivateGame[ChallengePress, Attempt[Kind]]):
    """The handlers of the buttons for one kind of challenge."""

    rules: service.Rules[Kind]
    page_of: Callable[[Core, Attempt[Kind]], Awaitable[PrivatePage]]
    title: Callable[[Kind], str]
    share: Callable[[Attempt[Kind], datetime], Sequence[ActionItem]] = lambda _attempt, _now: ()
    """Makes the buttons for sharing an attempt, which are placed below its review."""

    async def view(self, core: Core, press: ChallengePress, user_id: int) -> Attempt[Kind]:
        return await service.view_attempt(core, self.rules, press.challenge_id, user_id, press.step)

    async def decide(self, request: UserRequest, press: ChallengePress) -> Attempt[Kind]:
        who, where, decision = request.person, request.channel_id, DECISION_OF[press.verb](press)
        return await service.decide_attempt(
            request.core, self.rules, press.challenge_id, who, decision, step=press.step, channel_id=where
        )

    async def make_page(self, core: Core, run: Attempt[Kind]) -> PrivatePage:
        return await self.page_of(core, run)

    @or_present_page
    async def hint(self, request: UserRequest, press: ChallengePress) -> Private:
        """Give a hint. Raise Refused if the challenge is not closed yet."""
        core, who = request.core, request.user_id
        async with request.one_at_a_time():
            attempt, advice = await service.advise_attempt(core, self.rules, press.challenge_id, who, press.step)
        hint = render_hint(attempt.game, advice, partial(attempt_press, attempt))
        return Private(hint, instead_of=attempt.challenge.id)

    async def review(self, request: UserRequest, press: ReviewPress) -> Answer | Private:
        """Show a page of the review, which compares a person's decisions with the best ones."""
        core, who = request.core, request.user_id
        async with request.one_at_a_time():
            attempt, report = await service.review_attempt(core, self.rules, press.challenge_id, who)
        title, share = self.title(attempt.challenge), self.share(attempt, core.now())
        page = render_review(title, attempt, report, press.page, share)
        return Answer(page) if press.page else Private(page)

    async def show_text(self, request: UserRequest, press: ChallengePress) -> Private:
        """Show the result as a block of text that the user can copy."""
        database, who = request.core.database, request.user_id
        attempt = await database.read(service.load_finished, self.rules, press.challenge_id, who)
        return Private(attempt_text(attempt, request.core.now()), instead_of=press.custom_id)

    async def prove(self, request: UserRequest, press: ChallengePress) -> Private:
        core, who = request.core, request.user_id
        async with request.one_at_a_time():
            proof, document = await service.prove_challenge(core, self.rules, press.challenge_id, who)
        return Private(make_proof_message(proof_lines(proof), document, press.challenge_id))

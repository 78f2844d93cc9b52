"""The buttons of the private page on which somebody plays a challenge: of a day, or of a leg of a cup."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from bot.cogs.answers import Answer, Private
from bot.cogs.common import channel_id_of, person_of
from bot.cogs.context import Context
from bot.cogs.private_page import PrivateGame, or_present_page
from bot.cogs.proof import make_proof_message
from bot.cogs.turn import decision_of
from bot.discord_api.replies import Interaction
from bot.domain.challenge import Attempt, Kind
from bot.services.challenge import (
    Rules,
    advise_attempt,
    decide_attempt,
    prove_challenge,
    review_attempt,
    view_attempt,
)
from bot.services.core import Core
from bot.ui.buttons import ActionItem, ChallengePress, ReviewPress
from bot.ui.challenge import PrivatePage, attempt_press
from bot.ui.coaching import render_hint, render_review
from bot.ui.proof import proof_lines


@dataclass(frozen=True, slots=True)
class ChallengeGame(PrivateGame[ChallengePress, Attempt[Kind]]):
    """The rules of challenges of one kind, and how an attempt is shown."""

    rules: Rules[Kind]
    page_of: Callable[[Core, Attempt[Kind]], Awaitable[PrivatePage]]
    title: Callable[[Kind], str]
    """The function that names a challenge."""
    share: Callable[[Attempt[Kind], datetime], Sequence[ActionItem]] = lambda _attempt, _now: ()
    """The function that makes the buttons below the review by which an attempt is shared."""

    async def view(self, core: Core, press: ChallengePress, user_id: int) -> Attempt[Kind]:
        return await view_attempt(core, self.rules, press.challenge_id, user_id, press.step)

    async def decide(self, context: Context, interaction: Interaction, press: ChallengePress) -> Attempt[Kind]:
        who, where, decision = person_of(interaction), channel_id_of(interaction), decision_of(press)
        return await decide_attempt(
            context.core, self.rules, press.challenge_id, who, decision, step=press.step, channel_id=where
        )

    async def make_page(self, core: Core, run: Attempt[Kind]) -> PrivatePage:
        return await self.page_of(core, run)

    @or_present_page
    async def hint(self, context: Context, interaction: Interaction, press: ChallengePress) -> Private:
        """Advise a person who plays a challenge that is closed."""
        who = interaction.user.id
        async with context.core.helper.one_at_a_time(who):
            attempt, advice = await advise_attempt(context.core, self.rules, press.challenge_id, who, press.step)
        hint = render_hint(attempt.game, advice, partial(attempt_press, attempt))
        return Private(hint, instead_of=attempt.challenge.id)

    async def review(self, context: Context, interaction: Interaction, press: ReviewPress) -> Answer | Private:
        """Show a person's decisions beside the best ones: a message of its own, whose buttons turn its pages."""
        async with context.core.helper.one_at_a_time(interaction.user.id):
            attempt, report = await review_attempt(context.core, self.rules, press.challenge_id, interaction.user.id)
        title, share = self.title(attempt.challenge), self.share(attempt, context.core.now())
        page = render_review(title, attempt, report, press.page, share)
        return Answer(page) if press.page else Private(page)

    async def prove(self, context: Context, interaction: Interaction, press: ChallengePress) -> Private:
        """Check the dice against their seal, and hand out a file that anybody can check again."""
        async with context.core.helper.one_at_a_time(interaction.user.id):
            proof, document = await prove_challenge(context.core, self.rules, press.challenge_id, interaction.user.id)
        return Private(make_proof_message(proof_lines(proof), document, press.challenge_id))

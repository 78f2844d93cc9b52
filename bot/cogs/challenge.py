"""The buttons of the private page on which somebody plays a challenge: of a day, or of a leg of a cup."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Generic

from bot.cogs.answers import Answer, Private
from bot.cogs.common import channel_id_of, person_of
from bot.cogs.context import Context
from bot.cogs.private_page import PrivateGame
from bot.cogs.proof import make_proof_message
from bot.cogs.turn import Route, decision_of
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
from bot.ui.buttons import ActionItem, Press, Verb
from bot.ui.challenge import PrivatePage
from bot.ui.coaching import render_hint, render_review
from bot.ui.proof import proof_lines


@dataclass(frozen=True, slots=True)
class ChallengeGame(Generic[Kind]):
    """The rules of challenges of one kind, and how an attempt is shown."""

    rules: Rules[Kind]
    make_page: Callable[[Core, Attempt[Kind]], Awaitable[PrivatePage]]
    press: Callable[[Attempt[Kind], Verb, int], Press]
    """The function that makes the press of a button of an attempt."""
    title: Callable[[Kind], str]
    """The function that names a challenge."""
    share: Callable[[Attempt[Kind], datetime], Sequence[ActionItem]] = lambda _attempt, _now: ()
    """The function that makes the buttons below the review by which an attempt is shared."""

    def routes(self, kind: str) -> Mapping[str, Route[Press]]:
        """Make the routes of the buttons of this ``kind`` whose ``table_id`` is a challenge."""
        game = PrivateGame(self._view, self._decide, self.make_page)
        return {
            **game.routes(kind),
            f"{kind}:hint": Route(Press, game.present_if_moved(self._hint)),
            f"{kind}:review": Route(Press, self._review),
            f"{kind}:proof": Route(Press, self._prove),
        }

    async def _view(self, core: Core, challenge_id: str, user_id: int, step: int) -> Attempt[Kind]:
        return await view_attempt(core, self.rules, challenge_id, user_id, step)

    async def _decide(self, context: Context, interaction: Interaction, press: Press) -> Attempt[Kind]:
        who, where, decision = person_of(interaction), channel_id_of(interaction), decision_of(press)
        return await decide_attempt(
            context.core, self.rules, press.table_id, who, decision, step=press.version, channel_id=where
        )

    async def _hint(self, context: Context, interaction: Interaction, press: Press) -> Private:
        """Advise a person who plays a challenge that is closed."""
        who = interaction.user.id
        async with context.core.helper.one_at_a_time(who):
            attempt, advice = await advise_attempt(context.core, self.rules, press.table_id, who, press.version)
        hint = render_hint(attempt.game, advice, partial(self.press, attempt))
        return Private(hint, instead_of=attempt.challenge.id)

    async def _review(self, context: Context, interaction: Interaction, press: Press) -> Answer | Private:
        """Show a person's decisions beside the best ones: a message of its own, whose buttons turn its pages."""
        async with context.core.helper.one_at_a_time(interaction.user.id):
            attempt, report = await review_attempt(context.core, self.rules, press.table_id, interaction.user.id)
        title, share = self.title(attempt.challenge), self.share(attempt, context.core.now())
        page = render_review(title, attempt, report, press.argument, partial(self.press, attempt), share)
        return Answer(page) if press.argument else Private(page)

    async def _prove(self, context: Context, interaction: Interaction, press: Press) -> Private:
        """Check the dice against their seal, and hand out a file that anybody can check again."""
        async with context.core.helper.one_at_a_time(interaction.user.id):
            proof, document = await prove_challenge(context.core, self.rules, press.table_id, interaction.user.id)
        return Private(make_proof_message(proof_lines(proof), document, press.table_id))

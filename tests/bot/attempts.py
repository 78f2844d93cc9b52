"""Attempts at days, legs of cups and dares, played through the use cases."""

import random

from bot.domain.challenge import Attempt, Challenge, Kind
from bot.services import challenge
from bot.services.core import Core, Person
from highscore.events import Decision, TakeDice
from highscore.turn import SetAside, Stop, list_choices


def any_decision(attempt: Attempt[Challenge], chance: random.Random | None = None, wild: float = 1.0) -> Decision:
    """Return the decision that keeps most dice, or for this share of the decisions one by chance."""
    turn = attempt.run.turn
    if turn is None:
        return TakeDice()
    legal = list_choices(turn)
    if chance is not None and chance.random() < wild:
        return chance.choice(legal)
    return Stop() if Stop() in legal else SetAside(turn.free)


async def decide(
    core: Core,
    rules: challenge.Rules[Kind],
    attempt: Attempt[Kind],
    decision: Decision | None = None,
    person: Person | None = None,
) -> Attempt[Kind]:
    """Let the player decide at the step of the attempt; by default keep most dice."""
    return await challenge.decide_attempt(
        core,
        rules,
        attempt.challenge.id,
        person or Person(attempt.user_id, attempt.name),
        any_decision(attempt) if decision is None else decision,
        step=attempt.step,
        channel_id=attempt.channel_id,
    )


async def play(
    core: Core,
    rules: challenge.Rules[Kind],
    attempt: Attempt[Kind],
    cards: int = 7,
    chance: random.Random | None = None,
    wild: float = 1.0,
) -> Attempt[Kind]:
    """Play until so many cards are finished; without ``chance`` every turn ends after its first roll."""
    while len(attempt.run.finished) < cards:
        attempt = await decide(core, rules, attempt, any_decision(attempt, chance, wild))
    return attempt

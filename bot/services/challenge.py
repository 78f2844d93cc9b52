"""Attempts at challenges of every kind. After the closing: the review, hints, and the proof of the dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic

from sqlalchemy import Connection

from bot.domain.challenge import Attempt, Challenge, Kind
from bot.domain.errors import MovedOn, Refused
from bot.locales import _
from bot.services.core import Core, Person, Written, write
from bot.services.facts import CameBack, MessagesOutdated
from bot.services.lobby import MAX_NAME
from bot.services.proof import Sealed, check_document
from bot.store.away import end_away
from bot.store.challenge import load_attempt, save_attempt
from bot.store.database import LockScope, hold_challenge, lock_subjects
from bot.store.leaderboard import load_practised
from bot.store.marks import forget_old_interactions, note_interaction
from bot.ui.proof import code_line
from highscore.events import Decided, Decision
from highscore.fairness import play_event
from highscore.game import Game
from highscore.notation import format_results
from highscore.odds.analysis import Report, analyse_game
from highscore.odds.hint import Hint, find_hint
from highscore.proof import Export, Proof
from highscore.turn_order import TurnOrder


@dataclass(frozen=True, slots=True)
class Rules(Generic[Kind]):
    """How one kind of challenge differs from the others."""

    load: Callable[[Connection, str], Kind | None]
    not_begun: Callable[[], str]
    """Returns the text that refuses people who have not begun."""
    over: Callable[[], str] | None = None
    """Returns the text that refuses people who play after the closing, and a review by a person who has not finished a
    card. None if people may still play after the closing, unranked.
    """
    admit: Callable[[Connection, Attempt[Kind]], None] | None = None
    """Raises Refused if a player may not continue."""
    count: Callable[[Connection, Attempt[Kind], Attempt[Kind], datetime], Attempt[Kind]] | None = None
    """Stores further effects of a decision. It takes the attempt before and after the decision and the time, and
    returns the attempt to store.
    """


Change = tuple[Attempt[Kind] | None, Attempt[Kind]]
"""A person's attempt before and after a change. The first is None if the attempt is new."""


def start_attempt(
    connection: Connection, challenge: Kind, person: Person, channel_id: int, now: datetime, *, streak: int = 0
) -> Attempt[Kind]:
    """Return a new attempt with its first card. The caller must lock the person before, and store the attempt."""
    forget_old_interactions(connection, now)
    game, happened = play_event(Game(1, TurnOrder.OWN_PACE), None, challenge.source, challenge.deck)
    practised = load_practised(connection, challenge.guild_id, person.user_id)
    name = person.name[:MAX_NAME]
    return Attempt(challenge, person.user_id, name, channel_id, happened, game, streak=streak, practised=practised)


def resume_attempt(attempt: Attempt[Kind], person: Person, channel_id: int) -> Attempt[Kind]:
    """Return the attempt with its player's current name and channel. A finished attempt is returned unchanged."""
    return attempt if attempt.finished_at else replace(attempt, name=person.name[:MAX_NAME], channel_id=channel_id)


async def decide_attempt(
    core: Core,
    rules: Rules[Kind],
    challenge_id: str,
    person: Person,
    decision: Decision,
    *,
    step: int,
    channel_id: int,
) -> Attempt[Kind]:
    """Carry out a decision that was made at this step of an attempt. An attempt is ranked if it is finished before the
    challenge is closed.

    Raise MovedOn if the attempt is at another step, IllegalChoice, and Refused if the person has not begun, is too late
    or may not continue.
    """

    def work(connection: Connection, now: datetime) -> Change[Kind]:
        hold_challenge(connection, challenge_id)
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        before = _load_at(connection, rules, challenge_id, person.user_id, step, now)
        challenge = before.challenge
        game, happened = play_event(before.game, Decided(0, decision), challenge.source, challenge.deck)
        after = replace(resume_attempt(before, person, channel_id), events=(*before.events, *happened), game=game)
        if game.complete:
            after = replace(after, finished_at=now, ranked=not challenge.is_closed(now))
        return before, after if rules.count is None else rules.count(connection, before, after, now)

    attempt = await change_attempt(core, person, work)
    core.metrics.count_decision(decision)
    return attempt


async def view_attempt(core: Core, rules: Rules[Kind], challenge_id: str, user_id: int, step: int) -> Attempt[Kind]:
    """Return an attempt. Raise MovedOn or Refused under the same conditions as ``decide_attempt``."""
    return await core.database.read(_load_at, rules, challenge_id, user_id, step, core.now())


async def review_attempt(
    core: Core, rules: Rules[Kind], challenge_id: str, user_id: int
) -> tuple[Attempt[Kind], Report]:
    """Return a person's attempt at a closed challenge, and its analysis.

    Raise Refused before the closing, and if the attempt is not finished. If nobody can play after the closing, as in a
    cup, one finished card is enough.
    """
    attempt = await core.database.read(load_begun, rules, challenge_id, user_id)
    _check_closed(core, attempt.challenge)
    if rules.over is None and attempt.finished_at is None:
        raise Refused(_("Play all seven cards first."))
    if rules.over is not None and not attempt.run.finished:
        raise Refused(rules.over())
    return attempt, await core.helper.run(analyse_game, 1, TurnOrder.OWN_PACE, attempt.events)


async def advise_attempt(
    core: Core, rules: Rules[Kind], challenge_id: str, user_id: int, step: int
) -> tuple[Attempt[Kind], Hint]:
    """Return an attempt at a closed challenge, with a hint. Raise Refused before the closing and if there is nothing to
    decide, and everything that ``view_attempt`` raises.
    """
    attempt = await view_attempt(core, rules, challenge_id, user_id, step)
    _check_closed(core, attempt.challenge)
    if attempt.run.turn is None:
        raise Refused(_("There is nothing to decide now."))
    return attempt, await core.helper.run(find_hint, attempt.game, 0)


async def prove_challenge(core: Core, rules: Rules[Kind], challenge_id: str, user_id: int) -> tuple[Proof, str]:
    """Check the dice of a closed challenge, with this person's attempt if they have begun one. Return the proof and the
    text of the document. Raise Sealed if the challenge is still open, Refused if it does not exist, and ProofError if
    the check fails.
    """
    challenge = await core.database.read(_load_challenge, rules, challenge_id)
    if not challenge.is_closed(core.now()):
        raise Sealed(code_line(challenge.lock))
    attempt = await core.database.read(load_attempt, challenge, user_id)
    source = challenge.source
    export = Export(
        version=source.version,
        game=source.game,
        seal=challenge.seal,
        seed=challenge.seed,
        turn_order=TurnOrder.OWN_PACE,
        names=("" if attempt is None else attempt.name,),
        ids=(None,),
        lucky_words=("",),
        deck=challenge.deck,
        events=() if attempt is None else attempt.events,
        lock=source.lock or challenge.lock,
        opening=source.opening,
        results=format_results(Game(1, TurnOrder.OWN_PACE) if attempt is None else attempt.game),
        day=source.day,
        seat=source.seat,
    )
    return await check_document(core, export)


async def change_attempt(
    core: Core, person: Person, work: Callable[[Connection, datetime], Change[Kind]]
) -> Attempt[Kind]:
    """Change an attempt in one transaction, and return it. ``work`` returns the attempt before and after the change, or
    raises Refused.
    """

    def transaction(connection: Connection) -> Written[Attempt[Kind]]:
        now = core.now()
        before, after = work(connection, now)
        if after != before:
            save_attempt(connection, after, now)
            note_interaction(connection, person.interaction_id, now)
        played = before is None or after.step != before.step
        # A person who plays is not away any more.
        back = played and end_away(connection, after.challenge.guild_id, person.user_id, now)
        ended = played and after.finished_at is not None
        return Written(after, [*([CameBack()] if back else []), *([MessagesOutdated()] if ended else [])])

    return await write(core, person.interaction_id, transaction)


def load_begun(connection: Connection, rules: Rules[Kind], challenge_id: str, user_id: int) -> Attempt[Kind]:
    """Return a person's attempt. Raise Refused if they have not begun, or if there is no such challenge."""
    attempt = load_attempt(connection, _load_challenge(connection, rules, challenge_id), user_id)
    if attempt is None:
        raise Refused(rules.not_begun())
    return attempt


def load_finished(connection: Connection, rules: Rules[Kind], challenge_id: str, user_id: int) -> Attempt[Kind]:
    """Return a person's attempt. Raise Refused if they have not finished it."""
    attempt = load_begun(connection, rules, challenge_id, user_id)
    if attempt.finished_at is None:
        raise Refused(_("Play all seven cards first."))
    return attempt


def _load_at(
    connection: Connection, rules: Rules[Kind], challenge_id: str, user_id: int, step: int, now: datetime
) -> Attempt[Kind]:
    attempt = load_begun(connection, rules, challenge_id, user_id)
    if rules.over is not None and attempt.challenge.is_closed(now):
        raise Refused(rules.over())
    if rules.admit is not None:
        rules.admit(connection, attempt)
    if attempt.finished_at is not None or attempt.step != step:
        raise MovedOn(attempt)
    return attempt


def _load_challenge(connection: Connection, rules: Rules[Kind], challenge_id: str) -> Kind:
    if (challenge := rules.load(connection, challenge_id)) is None:
        raise Refused(rules.not_begun())
    return challenge


def _check_closed(core: Core, challenge: Challenge) -> None:
    if not challenge.is_closed(core.now()):
        raise Refused(_("You can see this when the time is up. Others may still be playing."))

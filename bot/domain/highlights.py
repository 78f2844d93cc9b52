"""Highlights of a game that has just ended, besides its figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from highscore.events import Event, Rolled
from highscore.game import Game, replay_events
from highscore.standings import find_winners, rank_players
from highscore.turn import Turn


def ahead_since(game: Game) -> int | None:
    """Return the round since which the winner has led alone; None unless points decided the game."""
    if not find_winners(game):
        return None
    leaders = [_leads_alone(game, rounds) for rounds in range(1, len(game.finished) + 1)]
    before = [rounds for rounds, leader in enumerate(leaders, start=1) if leader != leaders[-1]]
    return None if leaders[-1] is None else max(before, default=0) + 1


def _leads_alone(game: Game, rounds: int) -> int | None:
    """Return the seat that had more points than every other seat after so many rounds, if any."""
    first, second, *_rest = rank_players(replace(game, finished=game.finished[:rounds]))
    return first.seat if first.points > second.points else None


def won_by_last_roll(before: Game, after: Game, log: Callable[[], Iterable[Event]]) -> int | None:
    """Return the seat that has just won by the last roll of the game and would not have won without it, or None.

    ``log`` reads the events up to ``before``. In own pace no roll is the last one.
    """
    if not after.complete or before.hand is None or before.hand.turn.to_roll:
        return None
    if len(after.finished) != len(before.finished) + 1:
        return None
    *earlier, last_round = after.finished
    *others, last = last_round.turns
    turn, rolls = before.hand.turn, before.hand.turn.rolls
    if last.seat != before.hand.seat or last.rolls not in (rolls, rolls + 1) or last.rolls < 2:
        return None
    if last.seat not in find_winners(after):
        return None
    if last.rolls == rolls:
        turn = _before_last_roll(before, tuple(log()))
    kept = replace(last, dice=turn.dice, result=turn.score.total)
    instead = replace(after, finished=(*earlier, replace(last_round, turns=(*others, kept))))
    return None if last.seat in find_winners(instead) else last.seat


def _before_last_roll(game: Game, events: Sequence[Event]) -> Turn:
    """Return the turn before the last roll of a game."""
    last = max(at for at, event in enumerate(events) if isinstance(event, Rolled))
    rolling = replay_events(game.players, game.turn_order, events[:last]).rolling
    assert rolling is not None, "dice are rolled where they are due"
    return rolling.turn

"""What is worth telling of a game that has just ended, besides its figures."""

from dataclasses import replace

from highscore.game import Game
from highscore.standings import standings, winners


def ahead_since(game: Game) -> int | None:
    """The round since which the winner has led alone; None unless points decided the game."""
    if not winners(game):
        return None
    leaders = [_leads_alone(game, rounds) for rounds in range(1, len(game.finished) + 1)]
    if leaders[-1] is None:
        return None
    since = len(leaders)
    while since > 1 and leaders[since - 2] == leaders[-1]:
        since -= 1
    return since


def _leads_alone(game: Game, rounds: int) -> int | None:
    """Who had more points than everybody else after so many rounds."""
    first, second, *_rest = standings(replace(game, finished=game.finished[:rounds]))
    return first.seat if first.points > second.points else None


def won_by_last_roll(before: Game, after: Game) -> int | None:
    """Who has just won the game with its last roll: with the dice as they lay before, they would not have.

    In own pace nobody's roll is the last one.
    """
    if not after.complete or before.hand is None or before.hand.turn.to_roll:
        return None
    *earlier, last_round = after.finished
    *others, last = last_round.turns
    hand = before.hand
    if last.seat != hand.seat or last.rolls != hand.turn.rolls + 1 or hand.turn.rolls == 0:
        return None
    kept = replace(last, dice=hand.turn.dice, result=hand.turn.score.total)
    instead = replace(after, finished=(*earlier, replace(last_round, turns=(*others, kept))))
    return last.seat if last.seat in winners(after) and last.seat not in winners(instead) else None

"""The highlights of a game: how it was won, and its rare turns."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from bot.domain.timing import News, NewsKind
from highscore.events import Decided, Event, TakeDice
from highscore.game import Game
from highscore.odds.facts import RareTurn, find_rare_turns
from highscore.replaying import find_last_rolls
from highscore.standings import find_winners, rank_players

RARE = 20
"""A turn is rare if at most one turn in this many is like it. About one game in five has a rare turn
(``benchmarks.badges``)."""


def find_lead_start(game: Game) -> int | None:
    """Return the round (1 to 7) from which on the winner always had more points than everybody else.

    None if the game is not complete, or if the winner did not have the most points alone.
    """
    if not find_winners(game):
        return None
    leaders = [_leads_alone(game, rounds) for rounds in range(1, len(game.finished) + 1)]
    before = [rounds for rounds, leader in enumerate(leaders, start=1) if leader != leaders[-1]]
    return None if leaders[-1] is None else max(before, default=0) + 1


def _leads_alone(game: Game, rounds: int) -> int | None:
    """Return the seat that had more points than every other seat after ``rounds`` rounds, or None."""
    first, second, *_rest = rank_players(replace(game, finished=game.finished[:rounds]))
    return first.seat if first.points > second.points else None


def find_last_roll_winner(before: Game, after: Game, log: Callable[[], Sequence[Event]]) -> int | None:
    """Return the seat that has just won with the last roll of the game, and would not have won without it; or None.

    ``log`` reads the events up to ``before``; it is only called if they are needed. Always None in own pace, where no
    roll is the last of the game.
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
        events = log()
        began = max(
            at for at, event in enumerate(events) if isinstance(event, Decided) and event.decision == TakeDice()
        )
        (turn,) = find_last_rolls(replace(before, hands=()), events[began:]).values()
    kept = replace(last, dice=turn.dice, result=turn.score.total)
    instead = replace(after, finished=(*earlier, replace(last_round, turns=(*others, kept))))
    return None if last.seat in find_winners(instead) else last.seat


def find_rare(
    before: Game, after: Game, events: Iterable[Event], records: Collection[tuple[int, int | None]] = ()
) -> dict[int, RareTurn]:
    """Return, by round, the rarest of the rare turns that everybody may see after ``events``, but not before."""
    found = sorted(find_rare_turns(before, after, records, events), key=lambda one: one.one_in)
    return {one.round: one for one in found if one.one_in >= RARE}


def find_rare_card(game: Game, events: Iterable[Event]) -> RareTurn | None:
    """Return the turn on the card that was finished last in a game of one run, if it is rare.

    None if the turn is not rare, or if the next card was begun.
    """
    run = game.find_run(0)
    if run.turn is not None:
        return None
    return find_rare(Game(game.players, game.turn_order), game, events).get(len(run.finished))


def rare_news(
    before: Game | None, after: Game | None, news: Sequence[News], events: Iterable[Event]
) -> tuple[News, ...]:
    """Return the news of rare turns after ``events``, at most one for each round.

    ``news`` contains the news so far. A round that has news of a rare turn gets no other.
    """
    if before is None or after is None:
        return ()
    records = {(one.seat, one.round) for one in news if one.kind is NewsKind.RECORD}
    rounds = {one.round for one in news if one.kind is NewsKind.RARE}
    found = find_rare(before, after, events, records)
    return tuple(News(NewsKind.RARE, one.seat, at, str(one)) for at, one in found.items() if at not in rounds)


def find_rarest(news: Iterable[News], number: int | None = None) -> RareTurn | None:
    """Return the rarest turn in the news of round ``number``, or of all rounds. None if there is no such news."""
    rare = [one for one in news if one.kind is NewsKind.RARE and one.round and number in (None, one.round)]
    turns = [RareTurn.parse(one.seat, one.round or 0, one.detail) for one in rare]
    return max(turns, key=lambda turn: turn.one_in, default=None)

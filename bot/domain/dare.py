"""A dare: others play the seven cards of a finished game, with the dice that one of its players had."""

from dataclasses import dataclass, replace

from bot.domain.challenge import Attempt, Challenge
from bot.domain.cup_leg import Match, Played, compare_attempts
from bot.domain.table import Status, Table
from highscore.fairness import EARLIER, Source

MOST_SHOWN = 15
"""The most attempts that the message about a game's dares shows. Further attempts are only counted."""


@dataclass(frozen=True, slots=True)
class Dare(Challenge):
    """The cards and dice of one seat of a finished game. It is closed from the start, because they are public."""

    table: Table
    seat: int
    user_id: int
    """The player in this seat, who offers the dice."""

    @property
    def source(self) -> Source:
        return replace(self.table.source, seat=self.seat)

    @property
    def lock(self) -> str:
        """The code in the opening of the game: the lock, or in an earlier version's game the seal."""
        return self.seal if self.source.version == EARLIER else self.source.lock


@dataclass(frozen=True, slots=True)
class Dares:
    """The dares that players of one game have offered, in seat order, and the attempts at them."""

    table: Table
    dares: tuple[Dare, ...]
    newest: tuple[Attempt[Dare], ...]
    """The newest finished attempts, newest first, at most ``MOST_SHOWN``."""
    finished: int
    """The number of all finished attempts."""


def own_results(table: Table, seat: int) -> tuple[int | None, ...]:
    """Return the result of each card at a seat, with None for the cards on which the house took the dice (R9.6)."""
    finished = () if table.game is None else table.game.find_run(seat).finished
    return tuple(turn.result if turn.own else None for _card, turn in finished)


def may_dare(table: Table, seat: int | None) -> bool:
    """Return whether the dice of a seat can be offered: the game is finished, and a person has played them."""
    played = () if seat is None else own_results(table, seat)
    return table.status is Status.FINISHED and any(result is not None for result in played)


def match_dare(attempt: Attempt[Dare]) -> Match:
    """Compare an attempt with the game, on the cards for which the game's player took the dice themselves."""
    dare = attempt.challenge
    own = own_results(dare.table, dare.seat)
    both = [(turn.result, theirs) for (_card, turn), theirs in zip(attempt.run.finished, own, strict=False)]
    met = [(mine, theirs) for mine, theirs in both if theirs is not None]
    return compare_attempts(Played(tuple(mine for mine, _ in met)), Played(tuple(theirs for _, theirs in met)))

"""A challenge: seven cards and dice that one or several people play, each in one attempt.

There are three kinds: daily challenges (R9.4), the legs of a cup (R9.8), and dares (R9.9).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Generic, TypeVar

from bot.domain.table import knows_card, note_cards
from highscore.cards import Card
from highscore.deck import Deck
from highscore.events import Event
from highscore.fairness import EARLIER, Source, challenge_source, lock_challenge, version_of
from highscore.game import Game
from highscore.runs import Run


@dataclass(frozen=True, slots=True)
class Challenge:
    id: str
    """12 hexadecimal digits. Public."""
    guild_id: int
    cards_name: str
    """The name that decides which cards are drawn: the date of a daily challenge, or ``cup_leg.name_cards``. Empty for
    a dare, which has the cards of its game."""
    ends_at: datetime
    closed_at: datetime | None
    """When results and dice become public. For a daily challenge this is its end, which may be in the future. For a leg
    it is None until the leg is stored as closed, even if its end has passed (R9.8)."""
    locale: str
    deck: Deck
    averages: tuple[float, ...]
    """The expected points of each card under best play. Their sum is the par (R9.4)."""
    seed: bytes = field(repr=False)
    """The secret from which the dice are derived. It is revealed when the challenge is closed."""
    seal: str
    """The stored seal, made when the challenge was opened. It is not computed again, so a changed seed would not
    match."""

    def is_closed(self, now: datetime) -> bool:
        return self.closed_at is not None and self.closed_at <= now

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.source.draw_cards(self.deck)

    @property
    def source(self) -> Source:
        """The source of cards and dice. It has no lucky words, so the same choices give everybody the same dice."""
        return challenge_source(self.seed, self.id, self.cards_name, version_of(self.seal))

    @property
    def lock(self) -> str:
        """The code that is shown before the first roll: the lock, or in an earlier version's challenge the seal."""
        if version_of(self.seal) == EARLIER:
            return self.seal
        return lock_challenge(self.id, self.seal, self.cards_name, self.deck)

    @property
    def par(self) -> float:
        return sum(self.averages)


ENOUGH_FINISHED = 5
"""With fewer finished attempts, a single one would almost decide the medians."""


def compute_medians(results: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """Return the median result on each card of these finished attempts. Empty if there are too few attempts.

    >>> compute_medians([(10, 0), (12, 0), (20, 7), (21, 8), (30, 9), (32, 9)])
    (20.5, 7.5)
    """
    return tuple(map(median, zip(*results, strict=True))) if len(results) >= ENOUGH_FINISHED else ()


Kind = TypeVar("Kind", bound=Challenge)
Kind_co = TypeVar("Kind_co", bound=Challenge, covariant=True)
"""Covariant, so that an ``Attempt[Daily]`` can be passed as an ``Attempt[Challenge]``."""


@dataclass(frozen=True, slots=True)
class Attempt(Generic[Kind_co]):
    """A person's attempt at a challenge. Each person has at most one attempt at a challenge."""

    challenge: Kind_co
    user_id: int
    name: str
    """The player's name on the server when they last played."""
    channel_id: int
    """The channel in which the player last played."""
    events: tuple[Event, ...]
    game: Game
    """The state after the events, a game of one run."""
    finished_at: datetime | None = None
    shared_at: datetime | None = None
    ranked: bool = False
    """True if the attempt was finished before the challenge was closed. A later attempt is in no ranking."""
    streak: int = 0
    """The number of daily challenges finished in a row, including this one if it is finished. 0 if it was finished
    late, and for other challenges."""
    practised: str = ""
    """The scorings and roll types that the person had already played on the server (``domain.table.note_cards``)."""
    medians: tuple[float, ...] = ()
    """The median result on each card when the attempt was finished. Empty if too few had finished by then."""

    def knows(self, card: Card) -> bool:
        """Return whether the player has finished a turn with this card's scoring, and one with its roll type."""
        return knows_card(note_cards((each for each, _turn in self.run.finished), self.practised), card)

    @property
    def run(self) -> Run:
        return self.game.find_run(0)

    @property
    def results(self) -> tuple[int, ...]:
        """The points that each finished card added to the score."""
        return tuple(turn.counted for _card, turn in self.run.finished)

    @property
    def reached(self) -> tuple[bool, ...]:
        """For each finished card, whether its result reached the median or, without one, the average of the card."""
        compared = zip(self.results, self.medians or self.challenge.averages, strict=False)
        return tuple(result >= goal for result, goal in compared)

    @property
    def step(self) -> int:
        """The number of the step that the buttons carry (``highscore.runs.Step``)."""
        return self.run.step.number

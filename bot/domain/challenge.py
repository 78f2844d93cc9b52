"""A challenge: seven cards and a seed for one or several people, and an attempt at it.

A daily challenge and the dice of a cup's group are both one (R9.4, R9.8).
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from bot.domain.practised import knows_card, note_cards
from highscore.cards import Card
from highscore.deck import Deck
from highscore.events import Event
from highscore.fairness import Source, draw_daily_cards
from highscore.game import Game
from highscore.runs import Run


@dataclass(frozen=True, slots=True)
class Challenge:
    """Cards and dice that are the same for everybody who plays them."""

    id: str
    """A public name of 12 hexadecimal digits."""
    guild_id: int
    cards_name: str
    """The name from which the cards follow: the date of a daily challenge, or ``cup_leg.name_cards``."""
    ends_at: datetime
    """The end that is announced."""
    closed_at: datetime | None
    """The moment from which results and dice are no secret any more: the end of a daily challenge. A leg's is None
    until its closing is stored, whatever the clock says (R9.8)."""
    locale: str
    """The language of what everybody sees."""
    deck: Deck
    averages: tuple[float, ...]
    """The points that best play expects of each card; their sum is the par (R9.4)."""
    seed: bytes = field(repr=False)
    """The secret that the dice follow from. It is told when the challenge is closed."""
    seal: str
    """The seal of the seed, made when the challenge was opened and only read since."""

    def is_closed(self, now: datetime) -> bool:
        return self.closed_at is not None and self.closed_at <= now

    @property
    def cards(self) -> tuple[Card, ...]:
        return draw_daily_cards(self.cards_name, self.deck)

    @property
    def source(self) -> Source:
        """The source of the dice. It has no lucky words, so that everybody meets the same dice."""
        return Source(self.seed, self.id, ("",), day=self.cards_name)

    @property
    def par(self) -> float:
        return sum(self.averages)


Kind = TypeVar("Kind", bound=Challenge)
Kind_co = TypeVar("Kind_co", bound=Challenge, covariant=True)
"""The same for values that only hold a challenge, so that one of any kind is a value of ``Challenge``, too."""


@dataclass(frozen=True, slots=True)
class Attempt(Generic[Kind_co]):
    """The one attempt of a person at a challenge."""

    challenge: Kind_co
    user_id: int
    name: str
    """The player's name as the server showed it when they played last."""
    channel_id: int
    """The channel in which the player played last."""
    events: tuple[Event, ...]
    game: Game
    """A game of one run, which the events have led to."""
    finished_at: datetime | None = None
    shared_at: datetime | None = None
    ranked: bool = False
    """True if the attempt was finished before its challenge was closed. A later finish counts for nothing."""
    streak: int = 0
    """The daily challenges finished in a row, with this one if it is finished; 0 if it is finished late."""
    practised: str = ""
    """The scorings and roll types that the person had played on the server before (``domain.practised``)."""

    def knows(self, card: Card) -> bool:
        """Return whether the player has finished a turn with a card's scoring and one with its roll type."""
        return knows_card(note_cards((each for each, _turn in self.run.finished), self.practised), card)

    @property
    def run(self) -> Run:
        return self.game.find_run(0)

    @property
    def step(self) -> int:
        """The progress that the buttons carry; 0 before the first dice."""
        return self.run.step.number

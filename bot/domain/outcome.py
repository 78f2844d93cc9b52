"""The outcome of a finished game: what results, standings, records and badges are computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from bot.domain.calendar import ALL_TIME
from bot.domain.table import MAX_SEATS, Seat
from highscore.cards import Card
from highscore.dice import Dice
from highscore.game import Game
from highscore.standings import rank_players
from highscore.track import Chip

MIN_PEOPLE = 2
"""A game is rated only if at least this many people for whom it counts have begun it (R9.6)."""
OWN_TURNS = 4
"""A person with at least this many own turns, of seven, is ranked as in the standings (R9.6)."""
GAMES_A_DAY = 10
"""For each person, the first games of a server's day count, at most this many (R9.6)."""
UNRATED_DAYS = 30
"""After a person's data was deleted, no game on that server counts for them for this many days (R9.6)."""
MILLIONTHS = 1_000_000
"""Luck and loss are stored in whole millionths of a chip point, so that sums do not depend on the order of adding."""


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    round: int
    card: str
    """The card in the notation of ``highscore.cards``, so that it can be read after the deck has changed."""
    result: int
    dice: Dice
    rolls: int
    chip: Chip | None
    by_house: bool
    """True if the house made any decision of the turn for the player (R9.3)."""
    own: bool
    """True if the player took the dice themselves (R9.6)."""


@dataclass(frozen=True, slots=True)
class Review:
    """The luck and skill of a seat (``highscore.odds.analysis``). Luck and loss are in millionths of a chip point."""

    luck: int
    loss: int
    decisions: int


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    seat: int
    player: Seat
    place: int
    """The place in the final standings, among all seats including house players. Tied seats share a place."""
    points: int
    chips: Mapping[Chip, int]
    turns: tuple[TurnOutcome, ...]

    @property
    def user_id(self) -> int | None:
        return self.player.user_id

    @property
    def own_turns(self) -> int:
        """The number of turns that the seat's own player began. The house may have finished them (R9.6)."""
        return sum(turn.own for turn in self.turns)

    @property
    def unaided(self) -> tuple[TurnOutcome, ...]:
        """The turns in which the house made no decision for the player."""
        return tuple(turn for turn in self.turns if not turn.by_house)

    @property
    def began(self) -> bool:
        """True if a person sits here and took the dice themselves in round one (R9.6)."""
        return self.user_id is not None and self.turns[0].own

    @property
    def rank(self) -> int:
        """The rank for the rating: the place, or ``MAX_SEATS + 1`` for everybody with too few own turns (R9.6)."""
        return self.place if self.played else MAX_SEATS + 1

    @property
    def played(self) -> bool:
        """True if a person sits here and made enough own turns to be ranked as in the standings (R9.6)."""
        return self.user_id is not None and self.own_turns >= OWN_TURNS


@dataclass(frozen=True, slots=True)
class Finish:
    """The facts about the end of a game that are not in its event log."""

    game_id: str
    guild_id: int
    finished_at: datetime
    """Always later than all earlier finishes on the server, even if the clock was set back. Games are rated in this
    order."""
    season: str
    month: str

    @property
    def periods(self) -> tuple[str, ...]:
        """All time, the season and the month. If the season is a month, it is not repeated."""
        return tuple(dict.fromkeys((ALL_TIME, self.season, self.month)))


@dataclass(frozen=True, slots=True)
class GameOutcome:
    finish: Finish
    seats: tuple[SeatOutcome, ...]

    @property
    def people(self) -> tuple[SeatOutcome, ...]:
        """The seats of people who began at least one turn themselves, including people who left later."""
        return tuple(seat for seat in self.seats if seat.user_id is not None and seat.own_turns)


def find_compared(seats: Sequence[SeatOutcome]) -> tuple[SeatOutcome, ...]:
    """Return the seats that are compared for the rating (R9.6). Empty if the game is not rated."""
    begun = [seat for seat in seats if seat.began and seat.player.counts]
    compared = tuple(seat for seat in begun if not seat.player.erased)
    return compared if len(begun) >= MIN_PEOPLE and any(seat.played for seat in compared) else ()


@lru_cache(maxsize=1024)
def card_text(card: Card) -> str:
    return str(card)


def outcome_of(finish: Finish, sitting: Sequence[Seat], game: Game) -> GameOutcome:
    """Return the outcome of a game that was played to the end. Raises ValueError for any other game."""
    if not game.complete:
        raise ValueError(f"game {finish.game_id} was not played to the end")
    return GameOutcome(finish, seat_outcomes(sitting, game))


def seat_outcomes(sitting: Sequence[Seat], game: Game) -> tuple[SeatOutcome, ...]:
    """Return the outcome of each seat of a complete game. Seats that were left out have none."""
    lines = {line.seat: line for line in rank_players(game)}
    turns: dict[int, list[TurnOutcome]] = {at: [] for at in range(len(sitting))}
    for number, ended in enumerate(game.finished, start=1):
        chips = ended.chips
        for turn in ended.turns:
            card, chip = card_text(ended.card), chips.get(turn.seat)
            made = TurnOutcome(number, card, turn.result, turn.dice, turn.rolls, chip, turn.by_house, turn.own)
            turns[turn.seat].append(made)
    return tuple(
        SeatOutcome(
            seat=at,
            player=seat,
            turns=tuple(turns[at]),
            place=lines[at].place,
            points=lines[at].points,
            chips=lines[at].chips,
        )
        for at, seat in enumerate(sitting)
        if at in lines
    )

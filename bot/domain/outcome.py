"""What a finished game was, as far as results, standings and records want to know. Knows no database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from bot.domain.rating import OWN_TURNS, is_rated
from bot.domain.season import periods_of
from bot.domain.table import Seat
from highscore.cards import Card
from highscore.dice import Dice
from highscore.game import Game
from highscore.standings import rank_players
from highscore.track import Chip

MILLIONTHS = 1_000_000
"""Luck and loss are kept as whole millionths of a chip point: sums of them do not depend on the order of adding."""


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """One turn of a seat."""

    round: int
    card: str
    """In the notation of cards, so that it stays readable when the deck changes."""
    result: int
    dice: Dice
    rolls: int
    chip: Chip | None
    by_house: bool
    """Whether the house decided anything in it for the player (R9.3)."""
    own: bool
    """Whether the player made its first decision (R9.6)."""


@dataclass(frozen=True, slots=True)
class Review:
    """The luck and skill of a seat, in millionths of a chip point; see highscore.odds.analysis."""

    luck: int
    loss: int
    decisions: int


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """One seat's game."""

    seat: int
    user_id: int | None
    """None for a house player; negative for somebody whose data was deleted since."""
    house: str | None
    """A house player's temperament."""
    name: str
    hints: int
    counts: bool
    """Whether the game counts for the player, as one of the first of their day."""
    place: int
    """Among all seats, house players too; shared places as in the final standings."""
    points: int
    chips: Mapping[Chip, int]
    turns: tuple[TurnOutcome, ...]

    @property
    def own(self) -> int:
        """How many turns the player began, whoever finished them (R9.6)."""
        return sum(turn.own for turn in self.turns)

    @property
    def unaided(self) -> tuple[TurnOutcome, ...]:
        """The turns in which the house decided nothing for the player."""
        return tuple(turn for turn in self.turns if not turn.by_house)

    @property
    def played(self) -> bool:
        """Whether a person made enough of the turns to gain by the game, and not only to lose."""
        return self.user_id is not None and self.own >= OWN_TURNS


@dataclass(frozen=True, slots=True)
class Finish:
    """When a game ended and in which periods it counts: facts of that moment, which the event log does not tell."""

    game_id: str
    guild_id: int
    finished_at: datetime
    """Later than every earlier finish of the server, whatever is done to the clock: the order of rating."""
    season: str
    month: str

    @property
    def periods(self) -> tuple[str, ...]:
        return periods_of(self.season, self.month)


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """A finished game."""

    finish: Finish
    seats: tuple[SeatOutcome, ...]

    @property
    def people(self) -> tuple[SeatOutcome, ...]:
        """The seats of people who made a turn, also of those who left: for others the house played all of it."""
        return tuple(seat for seat in self.seats if seat.user_id is not None and seat.own)

    @property
    def rated(self) -> bool:
        """Whether enough people played for a rating, and it counts for any of them (R9.6)."""
        return is_rated([seat.own for seat in self.people]) and any(seat.counts for seat in self.people)

    def won(self, seat: SeatOutcome) -> bool:
        """Whether a game is somebody's win: nobody is ahead but people who did not play enough, and take none along."""
        first = min((other.place for other in self.seats if other.user_id is None or other.played), default=None)
        return seat.played and seat.place == first


def count_own_turns(game: Game, seat: int) -> int:
    """How many turns of a seat are over that its player began."""
    return sum(turn.seat == seat and turn.own for ended in game.finished for turn in ended.turns)


@lru_cache(maxsize=1024)
def card_text(card: Card) -> str:
    """A card as it is stored, one text for all games."""
    return str(card)


def outcome_of(finish: Finish, sitting: Sequence[Seat], game: Game) -> GameOutcome:
    """What a game that was played to the end came to. Raises ValueError for any other."""
    if not game.complete:
        raise ValueError(f"game {finish.game_id} was not played to the end")
    lines = {line.seat: line for line in rank_players(game)}
    turns: dict[int, list[TurnOutcome]] = {at: [] for at in range(len(sitting))}
    for number, ended in enumerate(game.finished, start=1):
        chips = ended.chips
        for turn in ended.turns:
            card, chip = card_text(ended.card), chips.get(turn.seat)
            made = TurnOutcome(number, card, turn.result, turn.dice, turn.rolls, chip, turn.by_house, turn.own)
            turns[turn.seat].append(made)
    return GameOutcome(
        finish,
        tuple(
            SeatOutcome(
                seat=at,
                user_id=seat.user_id,
                house=seat.house if seat.user_id is None else None,
                name=seat.name,
                hints=seat.hints,
                counts=seat.counts,
                turns=tuple(turns[at]),
                place=lines[at].place,
                points=lines[at].points,
                chips=lines[at].chips,
            )
            for at, seat in enumerate(sitting)
            if at in lines
        ),
    )

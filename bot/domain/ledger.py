"""The ledger: how finished games change results, ratings, standings, records and badges.

The transaction that ends a game and ``highscore-bot rebuild`` both use it, so they arrive at the same rows. Fields have
the names of the columns in ``bot.store.models``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from openskill.models import BradleyTerryFull

from bot.domain.badges import badges_of_game, badges_of_many_games
from bot.domain.calendar import ALL_TIME
from bot.domain.outcome import MILLIONTHS, MIN_PEOPLE, GameOutcome, Review, SeatOutcome, TurnOutcome, find_compared
from highscore.track import Chip

FORMULA = 3
"""The version of R9.6 and of the model. Raise it with every change, so that ``highscore-bot rebuild`` rates all games
again."""
RANKED_OPPONENTS = 3
"""Ranking by rating requires rated games with this many other people, or with all if fewer play on the server
(R9.6)."""
RANKED_GAMES = 5
"""A player with fewer rated games is not ranked by the share of games won."""
RANKED_DECISIONS = 50
"""A player with fewer decisions than this, in about three games, is not ranked by the loss per decision."""
CHIP_COLUMNS = tuple(chip.name.lower() for chip in Chip)
"""The columns that count chips, in results, standings and cards."""
_CAREFUL = 3.0
"""The shown rating is this many standard deviations below the estimate. So nobody leads after one lucky game."""
_START, _SCALE = 1000, 40
"""The shown rating of a beginner, and how many shown points are one point of the model."""

# openskill's default model, Plackett-Luce, is not used: if two players share the win, it can rate the third above them.
_MODEL = BradleyTerryFull(mu=25.0, sigma=25.0 / 3, beta=25.0 / 6, kappa=0.0001, tau=25.0 / 300)


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength (``mu``), and its standard deviation (``sigma``)."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def careful(self) -> float:
        """The value by which players are ranked, in points of the model; 0 for a beginner."""
        return self.mu - _CAREFUL * self.sigma


BEGINNER = Rating()


def rate_game(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """Return the ratings after a game, given the ratings before it and the places. With fewer than two people, the
    ratings stay the same.

    >>> [shown_rating(after.careful) for after in rate_game([BEGINNER] * 3, places=[1, 2, 2])]
    [1276, 960, 960]
    """
    if len(before) < MIN_PEOPLE:
        return tuple(before)
    teams = [[_MODEL.create_rating([one.mu, one.sigma])] for one in before]
    return tuple(
        Rating(float(team[0].mu), float(team[0].sigma)) for team in _MODEL.rate(teams, ranks=[float(p) for p in places])
    )


def shown_rating(careful: float) -> int:
    return round(_START + _SCALE * careful)


class ChipLine(Protocol):
    gold: int
    silver: int
    bronze: int


def chips_of(line: ChipLine) -> Mapping[Chip, int]:
    return {Chip.GOLD: line.gold, Chip.SILVER: line.silver, Chip.BRONZE: line.bronze}


def add_chips(line: ChipLine, won: Mapping[Chip, int]) -> None:
    line.gold += won.get(Chip.GOLD, 0)
    line.silver += won.get(Chip.SILVER, 0)
    line.bronze += won.get(Chip.BRONZE, 0)


@dataclass(slots=True)
class Result:
    """One seat of a finished game.

    ``mu_after`` and ``sigma_after`` are the rating of all time after the game; None if it does not compare the seat
    (R9.6). ``luck`` and ``loss`` are as in ``Review``; None until the game is reviewed.
    """

    game_id: str
    seat: int
    guild_id: int
    user_id: int | None
    house: str | None
    place: int
    points: int
    gold: int
    silver: int
    bronze: int
    best: int | None
    hints: int
    house_turns: int
    finished_at: datetime
    mu_after: float | None = None
    sigma_after: float | None = None
    luck: int | None = None
    loss: int | None = None
    decisions: int | None = None


@dataclass(slots=True)
class PlayerStanding:
    """A user's games on one server in one period, without games in which they began no turn themselves.

    Wins count only in rated games; chips and points only in rated games with enough own turns (R9.6).
    """

    guild_id: int
    period: str
    user_id: int
    name: str
    games: int = 0
    wins: int = 0
    points: int = 0
    gold: int = 0
    silver: int = 0
    bronze: int = 0
    best: int | None = None
    rated: int = 0
    counted: int = 0
    """The number of rated games with enough own turns. Only these earn chips, points and badges (R9.6)."""
    mu: float = BEGINNER.mu
    sigma: float = BEGINNER.sigma
    rating: float | None = None
    """None before the first rated game. Each period starts with a beginner's rating."""
    opponents: int = 0
    """The number of different people in rated games with the user, at most ``RANKED_OPPONENTS``."""
    streak: int = 0
    """The current number of wins in a row. If negative, the number of rated games since the last win."""
    longest: int = 0
    """The most wins in a row."""
    hints: int = 0
    house_turns: int = 0
    reviewed: int = 0
    """The number of games that ``luck``, ``loss`` and ``decisions`` include."""
    luck: int = 0
    loss: int = 0
    decisions: int = 0
    win_rate: float | None = None
    loss_rate: float | None = None
    """The average loss per decision, in chip points. The rates are None until there are enough games and decisions."""

    def add(self, seat: SeatOutcome) -> None:
        self.name = seat.player.name
        self.games += 1
        self.hints += seat.player.hints
        self.house_turns += len(seat.turns) - seat.own_turns
        best = [turn.result for turn in seat.unaided] + ([] if self.best is None else [self.best])
        self.best = max(best, default=None)

    def add_rated(self, seat: SeatOutcome, rating: Rating, *, won: bool) -> None:
        self.rated += 1
        self.mu, self.sigma, self.rating = rating.mu, rating.sigma, rating.careful
        self.wins += won
        self.streak = max(self.streak, 0) + 1 if won else min(self.streak, 0) - 1
        self.longest = max(self.longest, self.streak)
        self.win_rate = self.wins / self.rated if self.rated >= RANKED_GAMES else None
        if seat.played:
            self.counted += 1
            self.points += seat.points
            add_chips(self, seat.chips)

    def add_review(self, review: Review) -> None:
        self.reviewed += 1
        self.luck += review.luck
        self.loss += review.loss
        self.decisions += review.decisions
        enough = self.decisions >= RANKED_DECISIONS
        self.loss_rate = self.loss / MILLIONTHS / self.decisions if enough else None


@dataclass(slots=True)
class CardStanding:
    """A user's turns on one card on one server. Turns in which the house decided anything are left out."""

    guild_id: int
    user_id: int
    card: str
    best: int
    worst: int
    turns: int = 0
    total: int = 0
    gold: int = 0
    silver: int = 0
    bronze: int = 0

    def add(self, turn: TurnOutcome) -> None:
        self.turns += 1
        self.total += turn.result
        self.best, self.worst = max(self.best, turn.result), min(self.worst, turn.result)
        if turn.chip is not None:
            add_chips(self, {turn.chip: 1})


@dataclass(slots=True)
class Record:
    """The best result ever on one card on one server."""

    guild_id: int
    card: str
    result: int
    user_id: int
    game_id: str
    seat: int
    round: int
    at: datetime


@dataclass(frozen=True, slots=True)
class EarnedBadge:
    guild_id: int
    user_id: int
    badge: str
    """The value of a ``Badge``."""
    game_id: str
    at: datetime


@dataclass(slots=True)
class Ledger:
    """The standings, records and badges of one server. ``add`` changes them."""

    standings: dict[tuple[str, int], PlayerStanding] = field(default_factory=dict)
    """By period and user."""
    cards: dict[tuple[int, str], CardStanding] = field(default_factory=dict)
    """By user and card."""
    records: dict[str, Record] = field(default_factory=dict)
    """By card."""
    broken: set[str] = field(default_factory=set)
    """The cards with a new record, including first results."""
    badges: dict[tuple[int, str], EarnedBadge] = field(default_factory=dict)
    """By user and badge."""
    met: dict[tuple[str, int], set[int]] = field(default_factory=dict)
    """The opponents in rated games, by period and user. Only needed while ``opponents`` is below its limit."""
    earned: list[tuple[int, EarnedBadge]] = field(default_factory=list)
    """The new badges, each with the seat that earned it."""

    def add(self, outcome: GameOutcome, reviews: Mapping[int, Review] | None = None) -> list[Result]:
        """Count a game, and return the result of each seat. ``reviews`` contains the game's known reviews, by seat."""
        finish, known = outcome.finish, reviews or {}
        rated: dict[int, Rating] = {}
        for period in finish.periods:
            for seat in outcome.people:
                line = self._standing(finish.guild_id, period, seat)
                line.add(seat)
                if (review := known.get(seat.seat)) is not None:
                    line.add_review(review)
            changes = self._rate(period, outcome)
            if period == ALL_TIME:
                rated = changes
        for seat in outcome.people:
            self._count_cards(outcome, seat)
            # The id is negative if the user's data was deleted during the game. They earn no badge.
            if _user(seat) > 0:
                self._give_badges(outcome, seat)
        return [_result(outcome, seat, rated.get(seat.seat), known.get(seat.seat)) for seat in outcome.seats]

    def _standing(self, guild_id: int, period: str, seat: SeatOutcome) -> PlayerStanding:
        user_id = _user(seat)
        fresh = PlayerStanding(guild_id, period, user_id, seat.player.name)
        return self.standings.setdefault((period, user_id), fresh)

    def _rate(self, period: str, outcome: GameOutcome) -> dict[int, Rating]:
        """Update a period's ratings after a game, and return the new ratings by seat. Empty if it is not rated."""
        people = find_compared(outcome.seats)
        best = min((seat.rank for seat in people), default=0)
        lines = [self.standings[period, _user(seat)] for seat in people]
        after = rate_game([Rating(line.mu, line.sigma) for line in lines], [seat.rank for seat in people])
        for seat, line, rating in zip(people, lines, after, strict=True):
            line.add_rated(seat, rating, won=seat.rank == best)
            met = self.met.setdefault((period, line.user_id), set())
            # People whose data was deleted have negative ids. They do not count as opponents.
            others = {_user(other) for other in people if other is not seat and _user(other) > 0}
            line.opponents = min(line.opponents + len(others - met), RANKED_OPPONENTS)
            met |= others
        return {seat.seat: rating for seat, rating in zip(people, after, strict=True)}

    def _count_cards(self, outcome: GameOutcome, seat: SeatOutcome) -> None:
        guild_id, user_id = outcome.finish.guild_id, _user(seat)
        for turn in seat.unaided:
            fresh = CardStanding(guild_id, user_id, turn.card, turn.result, turn.result)
            self.cards.setdefault((user_id, turn.card), fresh).add(turn)
            best = self.records.get(turn.card)
            # An equal result does not replace the record.
            if turn.result > (0 if best is None else best.result):
                game_id, at = outcome.finish.game_id, outcome.finish.finished_at
                self.records[turn.card] = Record(
                    guild_id, turn.card, turn.result, user_id, game_id, seat.seat, turn.round, at
                )
                self.broken.add(turn.card)

    def _give_badges(self, outcome: GameOutcome, seat: SeatOutcome) -> None:
        finish, user_id = outcome.finish, _user(seat)
        line = self.standings[ALL_TIME, user_id]
        for badge in (*badges_of_game(seat, outcome), *badges_of_many_games(line.longest, line.counted)):
            earned = EarnedBadge(finish.guild_id, user_id, badge.value, finish.game_id, finish.finished_at)
            if self.badges.setdefault((user_id, badge.value), earned) is earned:
                self.earned.append((seat.seat, earned))


def _user(seat: SeatOutcome) -> int:
    if seat.user_id is None:
        raise ValueError("house players are not in people's books")
    return seat.user_id


def _result(outcome: GameOutcome, seat: SeatOutcome, rated: Rating | None, review: Review | None) -> Result:
    result = Result(
        game_id=outcome.finish.game_id,
        guild_id=outcome.finish.guild_id,
        seat=seat.seat,
        user_id=seat.user_id,
        house=seat.player.house if seat.user_id is None else None,
        place=seat.place,
        points=seat.points,
        gold=seat.chips[Chip.GOLD],
        silver=seat.chips[Chip.SILVER],
        bronze=seat.chips[Chip.BRONZE],
        hints=seat.player.hints,
        best=max((turn.result for turn in seat.unaided), default=None),
        house_turns=len(seat.turns) - seat.own_turns,
        finished_at=outcome.finish.finished_at,
    )
    if rated is not None:
        result.mu_after, result.sigma_after = rated.mu, rated.sigma
    if review is not None:
        result.luck, result.loss, result.decisions = review.luck, review.loss, review.decisions
    return result

"""The books of the plain model: nothing is kept but the games that ended; every line is summed up anew from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.domain.rating import FORMULA, Rating, rate
from bot.domain.season import SeasonLength, last_day, season_of
from highscore.runs import FinishedTurn
from highscore.standings import standings as final_standings
from highscore.track import Chip

if TYPE_CHECKING:
    from tests.faults.model.world import Table, World

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Turn:
    """A turn of a finished game."""

    round: int
    card: str
    result: int
    chip: Chip | None
    own: bool
    """Whether the house decided nothing in it."""


@dataclass(frozen=True)
class Review:
    """Luck and loss of a seat, in millionths of a chip point."""

    luck: int
    loss: int
    decisions: int


@dataclass(frozen=True)
class Result:
    """A seat of a finished game; ``user`` is None for the house and negative for a former player."""

    seat: int
    user: int | None
    house: str | None
    name: str
    hints: int
    place: int
    points: int
    gold: int
    silver: int
    bronze: int
    turns: tuple[Turn, ...]
    review: Review | None = None

    @property
    def best(self) -> int | None:
        return max((turn.result for turn in self.turns if turn.own), default=None)

    @property
    def own(self) -> int:
        return sum(turn.own for turn in self.turns)

    @property
    def house_turns(self) -> int:
        return len(self.turns) - self.own


@dataclass(frozen=True)
class Finished:
    """A game that was played to its end."""

    id: str
    at: datetime
    season: str
    month: str
    results: tuple[Result, ...]
    owed: bool = True
    """Whether luck and loss are still to be worked out."""

    @property
    def people(self) -> list[Result]:
        """Those of them who made a turn themselves."""
        return [one for one in self.results if one.user is not None and one.own]

    @property
    def is_rated(self) -> bool:
        """R9.6: two people have made four of their turns themselves."""
        return len([one for one in self.people if one.own >= 4]) >= 2

    def reviewed(self, reviews: Mapping[int, Review]) -> Finished:
        results = tuple(replace(one, review=reviews.get(one.seat)) for one in self.results)
        return replace(self, results=results, owed=False)

    def with_user(self, user: int, other: int) -> Finished:
        return replace(
            self, results=tuple(replace(one, user=other) if one.user == user else one for one in self.results)
        )


@dataclass(frozen=True)
class Season:
    """A season in which a game ended."""

    locale: str
    ends: datetime


def round_ended(world: World, before: Table, after: Table) -> list[tuple[str, int, int]]:
    """A round has ended, perhaps the last: returns the records it has broken, as news; books a finished game."""
    assert after.game is not None
    known = 0 if before.game is None else len(before.game.finished)
    news: list[tuple[str, int, int]] = []
    best = records(world.finished.get(after.guild, ()))
    for number, ended in enumerate(after.game.finished[known:], known + 1):
        own = [turn for turn in ended.turns if not turn.by_house and after.seats[turn.seat].user is not None]
        first = max(own, key=lambda turn: turn.result, default=None)
        record = best.get(str(ended.card))
        if first is not None and record is not None and first.result > record[0]:
            news.append(("record", first.seat, number))
    if after.status == "finished":
        _book(world, after)
    return news


def _book(world: World, table: Table) -> None:
    settings, games = world.settings_of(table.guild), world.finished.setdefault(table.guild, [])
    at = world.now
    if games and games[-1].at >= at:
        at = games[-1].at + timedelta(microseconds=1)
    day = at.astimezone(ZoneInfo(settings["zone"])).date()
    season = season_of(day, SeasonLength(settings["season"]))
    games.append(Finished(table.id, at, season, f"{day:%Y-%m}", _results(table)))
    midnight = datetime.combine(last_day(season) + timedelta(days=1), datetime.min.time(), ZoneInfo(settings["zone"]))
    world.seasons.setdefault((table.guild, season), Season(table.locale, midnight))
    world.dirty.add("books")


def _results(table: Table) -> tuple[Result, ...]:
    assert table.game is not None
    lines = {line.seat: line for line in final_standings(table.game)}
    turns: dict[int, list[Turn]] = {at: [] for at in range(len(table.seats))}
    for number, ended in enumerate(table.game.finished, start=1):
        for turn in ended.turns:
            turns[turn.seat].append(_turn(number, str(ended.card), turn, ended.chips.get(turn.seat)))
    return tuple(
        Result(
            at,
            seat.user,
            seat.house if seat.user is None else None,
            seat.name,
            seat.hints,
            lines[at].place,
            lines[at].points,
            lines[at].gold,
            lines[at].silver,
            lines[at].bronze,
            tuple(turns[at]),
        )
        for at, seat in enumerate(table.seats)
        if at in lines
    )


def _turn(number: int, card: str, turn: FinishedTurn, chip: Chip | None) -> Turn:
    return Turn(number, card, turn.result, chip, not turn.by_house)


# ---------------------------------------------------------------------------------------------------------- summing up


def records(games: Sequence[Finished]) -> dict[str, tuple[int, int, str, int, int, datetime]]:
    """By card: result, user, game, seat, round, moment. The first keeps a record that is equalled."""
    best: dict[str, tuple[int, int, str, int, int, datetime]] = {}
    for game in games:
        for one in game.people:
            for turn in one.turns:
                assert one.user is not None
                if turn.own and turn.result > max(0, best[turn.card][0] if turn.card in best else 0):
                    best[turn.card] = (turn.result, one.user, game.id, one.seat, turn.round, game.at)
    return best


def periods(game: Finished) -> list[str]:
    return sorted({"all", game.season, game.month})


def rated(games: Sequence[Finished]) -> list[tuple[Finished, dict[int, tuple[Rating, Rating]]]]:
    """The rated games with everybody's rating before and after, by seat."""
    now: dict[int, Rating] = {}
    found: list[tuple[Finished, dict[int, tuple[Rating, Rating]]]] = []
    for game in games:
        people = game.people
        if game.is_rated:
            before = [now.get(one.user or 0, Rating()) for one in people]
            after = list(rate(before, [one.place for one in people]))
            for at, one in enumerate(people):
                if one.own < 4 and after[at].mu - 3 * after[at].sigma >= before[at].mu - 3 * before[at].sigma:
                    after[at] = before[at]
            now |= {one.user or 0: new for one, new in zip(people, after, strict=True)}
            found.append((game, {one.seat: pair for one, *pair in zip(people, before, after, strict=True)}))  # type: ignore[misc]
    return found


def standings(games: Sequence[Finished]) -> dict[tuple[str, int], dict[str, Any]]:
    """Everybody's line of every period, by period and user."""
    lines: dict[tuple[str, int], dict[str, Any]] = {}
    for period in sorted({period for game in games for period in periods(game)}):
        counted = [game for game in games if period in periods(game)]
        ratings = rated(counted)
        for user in sorted({one.user for game in counted for one in game.people if one.user is not None}):
            if user > 0:
                lines[period, user] = _line(user, counted, ratings)
    return lines


def _line(
    user: int, games: Sequence[Finished], ratings: Sequence[tuple[Finished, Mapping[int, tuple[Rating, Rating]]]]
) -> dict[str, Any]:
    mine = [(game, one) for game in games for one in game.people if one.user == user]
    theirs = [one for _game, one in mine]
    in_rated = [one for game, one in mine if game.is_rated]
    won = [one.place == 1 and one.own >= 4 for one in in_rated]
    gained = [one for one in in_rated if one.own >= 4]
    bests = [one.best for one in gained if one.best is not None]
    rates = [seats[one.seat][1] for game, seats in ratings for one in game.people if one.user == user]
    last = rates[-1] if rates else Rating()
    reviews = [one.review for one in theirs if one.review is not None]
    loss, decisions = sum(one.loss for one in reviews), sum(one.decisions for one in reviews)
    runs = "".join("w" if win else "l" for win in won)
    tail = len(runs) - len(runs.rstrip(runs[-1:]))
    return {
        "name": theirs[-1].name,
        "last_at": mine[-1][0].at,
        "games": len(mine),
        "wins": sum(won),
        "points": sum(one.points for one in gained),
        "gold": sum(one.gold for one in gained),
        "silver": sum(one.silver for one in gained),
        "bronze": sum(one.bronze for one in gained),
        "best": max(bests, default=None),
        "rated": len(rates),
        "mu": last.mu,
        "sigma": last.sigma,
        "rating": last.mu - 3 * last.sigma if rates else None,
        "streak": tail if runs.endswith("w") else -tail,
        "longest": max(map(len, runs.split("l"))),
        "hints": sum(one.hints for one in theirs),
        "house_turns": sum(one.house_turns for one in theirs),
        "win_rate": sum(won) / len(won) if len(won) >= 5 else None,
        "reviewed": len(reviews),
        "luck": sum(one.luck for one in reviews),
        "loss": loss,
        "decisions": decisions,
        "loss_rate": loss / 1_000_000 / decisions if decisions >= 50 else None,
    }


def cards(games: Sequence[Finished]) -> dict[tuple[int, str], dict[str, Any]]:
    """Everybody's own turns on each card, by user and card."""
    turns: dict[tuple[int, str], list[Turn]] = {}
    for game in games:
        for one in game.people:
            for turn in one.turns:
                if turn.own and one.user is not None and one.user > 0:
                    turns.setdefault((one.user, turn.card), []).append(turn)
    return {
        key: {
            "turns": len(played),
            "total": sum(turn.result for turn in played),
            "best": max(turn.result for turn in played),
            "worst": min(turn.result for turn in played),
            "gold": sum(turn.chip is Chip.GOLD for turn in played),
            "silver": sum(turn.chip is Chip.SILVER for turn in played),
            "bronze": sum(turn.chip is Chip.BRONZE for turn in played),
        }
        for key, played in turns.items()
    }


def formula(game: Finished) -> int | None:
    return FORMULA if game.is_rated else None

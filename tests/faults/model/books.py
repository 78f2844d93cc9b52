"""The books of the plain model: what each finished game has come to, and the best result on each card.

Sums over several games, and ratings, are not modelled: their figures are those of tests/bot/services/test_results.py,
and the state machine has them made anew from the event logs, after which every row has to be as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.domain.outcome import Review
from bot.domain.rating import FORMULA
from bot.domain.season import SeasonLength, last_day, season_of
from highscore.runs import FinishedTurn
from highscore.standings import standings as final_standings

if TYPE_CHECKING:
    from tests.faults.model.world import Table, World


@dataclass
class Finished:
    """A game that was played to its end, as far as its table does not tell."""

    game_id: str
    finished_at: datetime
    season: str
    month: str
    reviews: Mapping[int, Review] | None = None
    """Luck and loss by seat; None while they are still to be worked out."""


@dataclass(frozen=True)
class Season:
    """A season in which a game ended."""

    locale: str
    ends_at: datetime


def round_ended(world: World, before: Table, after: Table) -> list[tuple[str, int, int]]:
    """A round has ended, perhaps the last: returns the records it has broken, as news; books a finished game."""
    assert after.game is not None
    known = 0 if before.game is None else len(before.game.finished)
    news: list[tuple[str, int, int]] = []
    for number, ended in enumerate(after.game.finished[known:], known + 1):
        first = max(_by_people(after, ended.turns), key=lambda turn: turn.result, default=None)
        record = world.records.get((after.guild_id, str(ended.card)))
        if first is not None and record is not None and first.result > record:
            news.append(("record", first.seat, number))
    if after.status == "finished":
        _book(world, after)
    return news


def _by_people(table: Table, turns: tuple[FinishedTurn, ...]) -> Iterator[FinishedTurn]:
    """The turns that people have made themselves."""
    return (turn for turn in turns if not turn.by_house and table.seats[turn.seat].user_id is not None)


def _book(world: World, table: Table) -> None:
    assert table.game is not None
    settings, games = world.settings_of(table.guild_id), world.finished.setdefault(table.guild_id, [])
    at = world.now
    if games and games[-1].finished_at >= at:
        at = games[-1].finished_at + timedelta(microseconds=1)
    day = at.astimezone(ZoneInfo(settings["zone"])).date()
    season = season_of(day, SeasonLength(settings["season"]))
    games.append(Finished(table.id, at, season, f"{day:%Y-%m}"))
    midnight = datetime.combine(last_day(season) + timedelta(days=1), datetime.min.time(), ZoneInfo(settings["zone"]))
    world.seasons.setdefault((table.guild_id, season), Season(table.locale, midnight))
    for ended in table.game.finished:
        for turn in _by_people(table, ended.turns):
            card = table.guild_id, str(ended.card)
            if turn.result > world.records.get(card, 0):
                world.records[card] = turn.result
    world.dirty.add("books")


def results(table: Table) -> list[dict[str, Any]]:
    """What each seat of a finished game has come to."""
    assert table.game is not None
    found = []
    for line in final_standings(table.game):
        seat = table.seats[line.seat]
        turns = [turn for ended in table.game.finished for turn in ended.turns if turn.seat == line.seat]
        own = [turn.result for turn in turns if not turn.by_house]
        found.append(
            {
                "seat": line.seat,
                "user_id": seat.user_id,
                "house": seat.house if seat.user_id is None else None,
                **{name: getattr(line, name) for name in ("place", "points", "gold", "silver", "bronze")},
                "best": max(own, default=None),
                "hints": seat.hints,
                "own": len(own),
                "house_turns": len(turns) - len(own),
            }
        )
    return found


def formula(table: Table) -> int | None:
    """R9.6: a game is rated in which two people have made four of their turns themselves."""
    rated = [one for one in results(table) if one["user_id"] is not None and one["own"] >= 4]
    return FORMULA if len(rated) >= 2 else None

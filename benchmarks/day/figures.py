"""Figures of a day, and the targets they are held against."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import mean
from typing import Self

from benchmarks.day.tables import DAWN, DAY, SIZES, Day, Playing, Way
from bot.domain.table import Status

TARGETS = {30: 0.95, 60: 0.85}
"""By median: the share of games of four in own pace that end within the day, all coming back and playing on."""
MOST_MENTIONS = 3
"""A person and game, in own pace."""


@dataclass(frozen=True)
class Figures:
    """The figures of a day."""

    way: Way
    median: int
    some_absent: bool
    own: Mapping[int, float]
    """By number of players: the share of games that ended within the day without a turn of a stand-in."""
    stand_ins: float
    """Turns a game."""
    unawaited: int
    mentions: float
    """A person."""
    most_mentions: int
    messages: float
    """A game, as all the following."""
    stay: float
    """Messages that are there in the end."""
    requests: Mapping[str, float]
    busiest_hour: float
    answers: float
    left_out: float
    """People who would have come back, and whose game had ended without them."""
    wrong_ends: tuple[str, ...] = ()
    """Tables in own pace that did not end as they should."""

    @classmethod
    def of(cls, day: Day) -> Self:
        tables, asked, games = len(day.playing), day.discord, day.playing.values()
        mentions = [asked.mentions[user] for one in games for user in one.people]

        def own(players: int) -> float:
            return mean(_ended_by_itself(one) for one in games if len(one.people) == players)

        return cls(
            day.way,
            day.median,
            day.some_absent,
            {players: own(players) for players in SIZES},
            sum(one.stand_ins for one in games) / tables,
            sum(one.unawaited for one in games),
            mean(mentions),
            max(mentions),
            asked.messages.total() / tables,
            (asked.messages.total() - asked.deleted.total()) / tables,
            {kind: count / tables for kind, count in asked.requests.items()},
            max(asked.hours.values()) / tables,
            asked.answers / tables,
            sum(_left_out(one) for one in games) / tables,
            () if day.way.order.shared else tuple(_wrong_ends(day)),
        )

    def row(self) -> Sequence[str]:
        return (
            self.way.name,
            f"{self.median} min",
            "some absent" if self.some_absent else "all",
            " / ".join(f"{100 * share:.0f}" for share in self.own.values()) + " %",
            f"{self.stand_ins:.1f}",
            str(self.unawaited),
            f"{self.mentions:.1f} ({self.most_mentions})",
            f"{self.messages:.1f}, {self.stay:.1f}",
            f"{sum(self.requests.values()):.1f}",
            f"{self.busiest_hour:.1f}",
            f"{self.answers:.0f}",
            f"{self.left_out:.2f}",
        )


def _ended_by_itself(one: Playing) -> bool:
    assert one.table is not None
    complete = one.table.status is Status.FINISHED and not one.stand_ins
    return complete and one.ended is not None and one.ended <= DAWN + DAY


def _left_out(one: Playing) -> int:
    in_game = {one.people[seat] for seat in one.game.seats}
    return len(set(one.people) - in_game - one.absent)


def _wrong_ends(day: Day) -> Iterator[str]:
    """Yield tables that end wrongly: only who has finished a card stays in to the end, at the limit at the latest."""
    limit = DAWN + timedelta(seconds=day.core.paces[day.way.pace].game) + timedelta(minutes=1)
    for one in day.playing.values():
        game = one.game
        played = {turn.seat for done in game.finished for turn in done.turns if not turn.by_house}
        as_due = set(game.seats) == played and game.complete if played else game.abandoned
        if one.ended is None or one.ended > limit or not as_due:
            yield f"{one.id} ended at {one.ended} with seats {game.seats}, where {sorted(played)} have played"


HEADS = (
    "order, pace",
    "median answer",
    "who comes back",
    "end within the day, 2 / 3 / 4 / 5 players",
    "stand-in turns a game",
    "nobody waited for",
    "mentions a person (most)",
    "messages a game, in the end",
    "requests a game",
    "in its busiest hour",
    "answers a game",
    "left out, who would have come back",
)


def missed(figures: Sequence[Figures]) -> list[str]:
    found = []
    for one in figures:
        name = f"{one.way.name}, {one.median} min"
        if one.unawaited:
            found.append(f"{name}: {one.unawaited} stand-in turns that nobody waited for")
        if one.way.order.shared:
            continue
        if one.most_mentions > MOST_MENTIONS:
            found.append(f"{name}: {one.most_mentions} mentions of one person")
        target = TARGETS.get(one.median, 0.0)
        if one.way.plays_on and not (one.way.ends_early or one.some_absent) and one.own[4] < target:
            found.append(f"{name}: {one.own[4]:.0%} of the games of four end within the day, not {target:.0%}")
        found += [f"{name}: {wrong}" for wrong in one.wrong_ends]
    return found

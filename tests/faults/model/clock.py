"""What time does in the plain model: which moments follow from a change, and what happens when they have come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.domain.quiet_hours import QuietHours, add_awake, awake_seconds
from highscore.dealer import play
from highscore.deck import STANDARD_DECK
from highscore.events import Abandoned, Decided, Event, Remarked
from highscore.game import Game
from highscore.house import Temperament, decide
from highscore.turn_order import TurnOrder

if TYPE_CHECKING:
    from tests.faults.model.world import Table, World

Settings = Mapping[str, Any]

WAITS = timedelta(days=1)
"""A lobby, for people."""
HOUSE = timedelta(seconds=2)
LATE = timedelta(seconds=120)
"""What is overdue by more was missed by the bot, not by people."""
SLEEPS = timedelta(days=14)
"""A table at which nobody waits."""
AT_ONCE = 100


def quiet_hours(settings: Settings) -> QuietHours | None:
    if settings["quiet_from"] is None:
        return None
    return QuietHours(
        time.fromisoformat(settings["quiet_from"]),
        time.fromisoformat(settings["quiet_to"]),
        ZoneInfo(settings["zone"]),
    )


def wake(table: Table) -> datetime | None:
    """The next moment at which anything is due at a table."""
    if "paused_at" in table.moments:
        return table.moments.get("retry_at")
    return min((moment for name, moment in table.moments.items() if name != "retry_at"), default=None)


def waited_for(table: Table) -> list[int]:
    """The seats for which people still have to play: whose turn it is, or in open order of the round."""
    if table.game is None:
        return []
    on = table.game.to_play if table.order is TurnOrder.OPEN else table.game.to_play[:1]
    return [at for at in on if table.seats[at].house is None]


def plan(before: Table | None, after: Table, now: datetime, settings: Settings) -> None:
    """Set the moments of a table that has changed."""
    moments, game = after.moments, after.game
    if not after.open:
        moments.clear()
        after.warnings = 0
        return
    if game is None:
        moments.setdefault("deadline", now + WAITS)
        return
    quiet = quiet_hours(settings)
    # A clock that stands still shows the moment at which it was stopped.
    now = moments.get("paused_at", now)
    if "asleep_until" in moments:
        return
    house = [at for at in game.may_act if after.seats[at].house is not None and may_be_played(after, at)]
    _set(moments, "house_at", now + HOUSE if house else None)
    earlier = None if before is None else before.game
    if not waited_for(after):
        moments.pop("deadline", None)
        moments.pop("remind_at", None)
    elif "deadline" not in moments or earlier is None or _stretch(earlier) != _stretch(game):
        moments["deadline"] = add_awake(now, after.allowed, quiet)
        share = settings["remind_percent"] / 100
        _set(moments, "remind_at", add_awake(now, after.allowed * share, quiet) if share else None)
    held = game.seat is not None and after.order is TurnOrder.OPEN and after.seats[game.seat].house is None
    if not held or not may_be_played(after, game.seat or 0):
        moments.pop("hold_deadline", None)
    elif "hold_deadline" not in moments or earlier is None or earlier.seat != game.seat:
        until = add_awake(now, after.hold, quiet)
        moments["hold_deadline"] = min(until, moments.get("deadline", until))
    if not after.waits and not {"house_at", "deadline"} & {*moments}:
        fall_asleep(after, now)


def fall_asleep(table: Table, now: datetime) -> None:
    for name in ("deadline", "hold_deadline", "remind_at", "house_at"):
        table.moments.pop(name, None)
    table.moments["asleep_until"] = now + SLEEPS


def press(table: Table, user: int) -> None:
    """Somebody presses anything: a player waits for all whose turn ended before, and nothing sleeps."""
    at = table.seat_of(user)
    if table.status == "playing" and at is not None and not table.seats[at].left:
        table.seats[at].pressed = table.turns
        table.moments.pop("asleep_until", None)


def may_be_played(table: Table, at: int) -> bool:
    """Whether the house may play a seat's turn: R9.3 for people; its own players' turns are its own."""
    game = table.game
    assert game is not None
    if table.seats[at].user is None:
        return True
    ended, last = 0, 0
    for round_of_turns in [one.turns for one in game.finished] + [game.played]:
        for turn in round_of_turns:
            ended += 1
            last = ended if turn.seat == at else last
    return any(seat.present and seat.pressed >= last for other, seat in enumerate(table.seats) if other != at)


def _stretch(game: Game) -> tuple[int, int]:
    """What people have one deadline for: a turn, or in open order a round."""
    return len(game.finished), 0 if game.turn_order is TurnOrder.OPEN else len(game.played)


def _set(moments: dict[str, datetime], name: str, moment: datetime | None) -> None:
    moments.pop(name, None)
    if moment is not None:
        moments[name] = moment


# -------------------------------------------------------------------------------------------------- when it has come


def run_due(world: World) -> list[str]:
    """Do once what is due everywhere, longest overdue first; returns the tables at which something was."""
    due = sorted((moment, table.id) for table in world.tables.values() if (moment := wake(table)) is not None)
    ids = [table_id for moment, table_id in due if moment <= world.now][:AT_ONCE]
    for table_id in ids:
        _act(world, world.tables[table_id])
    return ids


def _act(world: World, table: Table) -> None:
    paused = "paused_at" in table.moments
    if not paused and table.channel in world.forbidden:
        pause(world, table)
        return
    if not paused and _overdue(table, world.now):
        _release_departed_members(world, table)
    if not paused and _is_due(table, "house_at", world.now):
        if world.tables[table.id].version == table.version:
            _house_decides(world, world.tables[table.id])
        return
    _do_what_is_due(world, world.tables[table.id])


def _release_departed_members(world: World, table: Table) -> None:
    for at in waited_for(table):
        user = table.seats[at].user
        current = world.tables[table.id]
        if user is not None and (table.guild, user) in world.gone and current.status == "playing":
            seat = current.seat_of(user)
            if seat is not None and not current.seats[seat].left:
                vacate(world, current, seat, "gone")


def _house_decides(world: World, table: Table) -> None:
    game = table.game
    assert game is not None
    at = next(at for at in game.may_act if table.seats[at].house is not None)
    decision = decide(game, at, Temperament(table.seats[at].house))
    after = table.copy()
    after.game, events = play(
        game, Decided(at, decision, by_house=table.seats[at].user is not None), table.source, STANDARD_DECK
    )
    finish_if_complete(after)
    world.commit(table, after, events)


def _is_due(table: Table, name: str, now: datetime) -> bool:
    return name in table.moments and table.moments[name] <= now


def _overdue(table: Table, now: datetime) -> list[datetime]:
    return [table.moments[name] for name in ("deadline", "hold_deadline") if _is_due(table, name, now)]


def _do_what_is_due(world: World, table: Table) -> None:
    after, now, settings = table.copy(), world.now, world.settings_of(table.guild)
    if not table.open:
        return
    if "paused_at" in table.moments:
        _while_paused(world, table, after)
    elif overdue := _overdue(table, now):
        if now - min(overdue) > LATE or min(overdue) < world.up_since:
            _postpone(after, now, settings)
            world.commit(table, after)
        elif table.status == "lobby":
            give_up(world, table, after)
        elif late := _late(table, now):
            _time_is_up(world, table, after, late)
        else:
            fall_asleep(after, now)
            world.commit(table, after)
    elif _is_due(table, "asleep_until", now):
        give_up(world, table, after)
    elif _is_due(table, "remind_at", now):
        quiet = quiet_hours(settings)
        del after.moments["remind_at"]
        users: list[int] = []
        if quiet is not None and quiet.holds(now):
            after.moments["remind_at"] = add_awake(now, 0, quiet)
        elif settings["remind_percent"]:
            users = [user for at in waited_for(table) if (user := table.seats[at].user) is not None]
        world.commit(table, after, remind=users)


def _postpone(table: Table, now: datetime, settings: Settings) -> None:
    """What has passed already gets a quarter of its time again, at least a minute."""
    allowed = {
        "deadline": WAITS.total_seconds() if table.status == "lobby" else table.allowed,
        "hold_deadline": table.hold,
    }
    for name, seconds in allowed.items():
        if _is_due(table, name, now):
            table.moments[name] = add_awake(now, max(seconds / 4, 60), quiet_hours(settings))


def _late(table: Table, now: datetime) -> list[int]:
    """Whoever let the time pass, all who are left when the round is up; as far as somebody waits for them."""
    game = table.game
    assert game is not None
    holder = [] if game.seat is None else [game.seat]
    if holder and not may_be_played(table, holder[0]):
        return []
    if table.order is TurnOrder.OPEN and _is_due(table, "deadline", now):
        late = holder + [at for at in waited_for(table) if at not in holder]
    else:
        late = holder or waited_for(table)[:1]
    return [at for at in late if may_be_played(table, at)]


def _time_is_up(world: World, table: Table, after: Table, late: Sequence[int]) -> None:
    """The house plays the turns of these seats."""
    game = table.game
    assert game is not None
    events: list[Event] = []
    news: list[tuple[str, int]] = []
    for at in late:
        game, happened = house_turn(after, game, at)
        seat = after.seats[at]
        if seat.house is None:
            events.append(Remarked(f"seat {at}"))
            seat.misses += 1
            if seat.misses == 2:
                seat.house = "steady"
            news.append(("played" if seat.house is None else "kept", at))
        events += happened
    after.game = game
    finish_if_complete(after)
    world.commit(table, after, events, news=news)


def _while_paused(world: World, table: Table, after: Table) -> None:
    stood = world.now - table.moments["paused_at"]
    if stood >= timedelta(days=14):
        give_up(world, table, after)
        return
    again = min(max(stood.total_seconds() / 4, 600), 6 * 3600)
    after.moments["retry_at"] = world.now + timedelta(seconds=again)
    after.warnings = 1 + (stood >= timedelta(days=12))
    world.commit(table, after)


def pause(world: World, table: Table) -> None:
    """The bot may not post any more: the clock of a table stands still."""
    if "paused_at" in table.moments or not table.open:
        return
    after = table.copy()
    after.moments |= {"paused_at": world.now, "retry_at": world.now}
    after.warnings = 0
    world.commit(table, after)


def resume(world: World, table: Table) -> None:
    """It may again: everything has left what was left of it."""
    if "paused_at" not in table.moments:
        return
    after, settings = table.copy(), world.settings_of(table.guild)
    stopped = after.moments.pop("paused_at")
    after.moments.pop("retry_at", None)
    after.moments.pop("house_at", None)
    after.warnings = 0
    quiet = quiet_hours(settings)
    for name in ("deadline", "hold_deadline", "remind_at"):
        if name in after.moments:
            left = awake_seconds(stopped, after.moments[name], quiet)
            after.moments[name] = add_awake(world.now, left, quiet) if left else world.now
    _postpone(after, world.now, settings)
    world.commit(table, after, news=[("resumed", 0)])


# ------------------------------------------------------------------------------------------- what people may cause too


def house_turn(table: Table, game: Game, at: int) -> tuple[Game, list[Event]]:
    """The house plays what is left of a seat's turn, for a person as steadily as it can."""
    seat, turn = table.seats[at], (len(game.finished), len(game.played))
    events: list[Event] = []
    while (len(game.finished), len(game.played)) == turn:
        decision = decide(game, at, Temperament(seat.house or "steady"))
        game, happened = play(game, Decided(at, decision, seat.user is not None), table.source, STANDARD_DECK)
        events += happened
    return game, events


def finish_if_complete(table: Table) -> None:
    if table.game is not None and table.game.complete:
        table.status = "finished"


def give_up(
    world: World,
    table: Table,
    after: Table,
    who: str = "",
    *,
    before: Sequence[Event] = (),
    news: Sequence[tuple[str, int]] = (),
    by: int | None = None,
    interaction: int | None = None,
) -> None:
    """A table is closed before its end; ``who`` did it, as the log names people."""
    after.status = "abandoned"
    events: list[Event] = [*before]
    if table.game is None:
        events = [Remarked(f"closed {who}")]
    else:
        after.game, happened = play(table.game, Abandoned(who), table.source, STANDARD_DECK)
        events += happened
    world.commit(table, after, events, news=news, by=by, interaction=interaction)


def vacate(
    world: World,
    table: Table,
    at: int,
    how: str,
    who: str = "",
    *,
    by: int | None = None,
    interaction: int | None = None,
) -> None:
    """Somebody leaves a running game; the house plays on, the next person is the host, the last one closes it."""
    after = table.copy()
    seat = after.seats[at]
    seat.left, seat.house = True, seat.house or "steady"
    remark = Remarked(f"seat {at} {who}")
    people = [each.user for each in after.seats if each.present and each.user is not None]
    if not people:
        give_up(world, table, after, before=[remark], by=by, interaction=interaction)
        return
    news = [(how, at)]
    if table.host == seat.user:
        after.host = people[0]
        news.append(("new host", after.seat_of(people[0]) or 0))
    world.commit(table, after, [remark], news=news, by=by, interaction=interaction)

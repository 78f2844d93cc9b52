"""What time does in the plain model: which moments follow from a change, and what happens when they have come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.domain.quiet_hours import QuietHours, add_awake, awake_seconds
from bot.services.core import Person
from highscore.dealer import play
from highscore.deck import STANDARD_DECK
from highscore.events import Abandoned, Decided, Event, LeftOut, Remarked
from highscore.game import Game, apply
from highscore.house import Temperament, decide
from highscore.turn_order import TurnOrder

if TYPE_CHECKING:
    from tests.faults.model.world import Seat, Table, World

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
    return min((at for name, at in table.moments.items() if name not in ("retry_at", "early_at")), default=None)


def waited_for(table: Table) -> list[int]:
    """The seats for which people still have to play: whose turn it is, in open order of the round, or any card."""
    if table.game is None or table.game.over or table.waits:
        return []
    match table.turn_order:
        case TurnOrder.CLOCKWISE:
            on = table.game.to_play[:1]
        case TurnOrder.OPEN:
            on = table.game.to_play
        case TurnOrder.OWN_PACE:
            on = tuple(at for at in table.game.around if table.game.progress(at) < 7)
    return [at for at in on if not is_houses(table, at)]


def is_houses(table: Table, at: int) -> bool:
    """Whether the house plays a seat when its turn comes; in own pace nobody waits for whoever is away."""
    seat = table.seats[at]
    return seat.house is not None or (seat.away_until is not None and not table.own_pace)


def house_plays(table: Table) -> list[int]:
    """The seats for which the house may decide now; in own pace a card once all people have played it (R9.5)."""
    game = table.game
    assert game is not None
    house = [at for at in game.may_act if is_houses(table, at) and may_be_played(table, at)]
    if table.own_pace:
        people = [game.progress(at) for at in game.seats if table.seats[at].house is None]
        house = [at for at in house if game.progress(at) < min(people, default=7)]
    return house


def plan(before: Table | None, after: Table, now: datetime, settings: Settings) -> None:
    """Set the moments of a table that has changed."""
    moments, game = after.moments, after.game
    if not after.open:
        moments.clear()
        after.warnings, after.reminded = 0, False
        return
    if not any(seat.invited for seat in after.seats):
        moments.pop("kept_until", None)
    if game is None:
        moments.setdefault("deadline", now + WAITS)
        return
    quiet = quiet_hours(settings)
    # A clock that stands still shows the moment at which it was stopped.
    now = moments.get("paused_at", now)
    if "asleep_until" in moments:
        return
    _set(moments, "house_at", now + HOUSE if house_plays(after) else None)
    earlier = None if before is None else before.game
    fresh = earlier is None or _stretch(earlier) != _stretch(game)
    after.reminded = after.reminded and not fresh
    if not waited_for(after):
        moments.pop("deadline", None)
        moments.pop("remind_at", None)
    elif fresh or "deadline" not in moments:
        moments["deadline"] = _passed(after, now, 1, quiet)
        share = 0 if after.reminded else settings["remind_percent"] / 100
        _set(moments, "remind_at", _passed(after, now, share, quiet) if share else None)
    if "deadline" in moments and "early_at" not in moments and only_not_begun(after):
        # Those who have not begun are reminded now, but not before they could have looked in.
        if "remind_at" in moments:
            soonest = moments["deadline"] - timedelta(seconds=after.allowed * 7 / 8)
            moments["remind_at"] = min(moments["remind_at"], add_awake(max(now, soonest), 0, quiet))
        else:
            moments["early_at"] = add_awake(now, after.allowed / 8, quiet)
    held = game.seat is not None and after.turn_order is TurnOrder.OPEN and not is_houses(after, game.seat)
    if not held or not may_be_played(after, game.seat or 0):
        moments.pop("hold_deadline", None)
    elif "hold_deadline" not in moments or earlier is None or (earlier.seat, earlier.turn) != (game.seat, game.turn):
        until = add_awake(now, after.hold, quiet)
        moments["hold_deadline"] = min(until, moments.get("deadline", until))
    if not after.own_pace and not after.waits and not {"house_at", "deadline"} & {*moments}:
        fall_asleep(after, now)


def themselves(table: Table) -> list[int]:
    """The seats of those who play their own runs."""
    seats = () if table.game is None else table.game.seats
    return [at for at in seats if table.seats[at].present and table.seats[at].house is None]


def only_not_begun(table: Table) -> bool:
    """Whether in own pace all who have begun are done, and others have not begun."""
    game = table.game
    if game is None or game.over or not table.own_pace:
        return False
    progress = {game.progress(at) for at in themselves(table)}
    return progress == {0, 7}


def _passed(table: Table, now: datetime, share: float, quiet: QuietHours | None) -> datetime:
    """When this share of the time is over. In own pace it passes at night, too, but is not over before the morning."""
    if table.own_pace:
        return add_awake(now + timedelta(seconds=table.allowed * share), 0, quiet)
    return add_awake(now, table.allowed * share, quiet)


def fall_asleep(table: Table, now: datetime) -> None:
    for name in ("deadline", "hold_deadline", "remind_at", "house_at"):
        table.moments.pop(name, None)
    table.moments["asleep_until"] = now + SLEEPS


def press(table: Table, user: int) -> None:
    """Somebody presses anything: a player waits for all whose turn ended before, and nothing sleeps."""
    at = table.seat_of(user)
    if table.status == "playing" and at is not None and not table.seats[at].left and not table.own_pace:
        table.seats[at].pressed = table.turns
        table.moments.pop("asleep_until", None)


def may_be_played(table: Table, at: int) -> bool:
    """Whether the house may play a seat's turn: R9.3 for people; its own players' turns are its own.

    In own pace nobody waits for anybody's turn, and the house has only those whose time is up.
    """
    game = table.game
    assert game is not None
    if table.seats[at].user_id is None or table.own_pace:
        return True
    ended, last = 0, 0
    for round_of_turns in [one.turns for one in game.finished] + [game.played]:
        for turn in round_of_turns:
            ended += 1
            last = ended if turn.seat == at else last
    return any(seat.present and seat.pressed >= last for other, seat in enumerate(table.seats) if other != at)


def _stretch(game: Game) -> tuple[int, int]:
    """What people have one deadline for: a turn, in open order a round, in own pace the game."""
    if game.turn_order is TurnOrder.OWN_PACE:
        return -1, -1
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
    if not paused and table.channel_id in world.forbidden:
        pause(world, table)
        return
    if not paused and _overdue(table, world.now):
        _release_departed_members(world, table)
    if not paused and _is_due(table, "house_at", world.now):
        if world.tables[table.id].version == table.version:
            _house_decides(world, world.tables[table.id])
        return
    current = world.tables[table.id]
    if current is not table and current.open and not current.own_pace and _overdue(current, world.now):
        # Whom the house plays for was thought out before somebody was found to be gone: the next look does it.
        overdue = min(_overdue(current, world.now))
        missed = world.now - overdue > LATE or overdue < world.up_since
        if not missed and current.status == "playing" and _late(current, world.now):
            return
    _do_what_is_due(world, current)


def _release_departed_members(world: World, table: Table) -> None:
    for at in waited_for(table):
        user = table.seats[at].user_id
        current = world.tables[table.id]
        if user is not None and (table.guild_id, user) in world.gone and current.status == "playing":
            seat = current.seat_of(user)
            if seat is not None and not current.seats[seat].left:
                vacate(world, current, seat, "gone")


def _house_decides(world: World, table: Table) -> None:
    game = table.game
    assert game is not None
    if table.own_pace:
        after, played = table.copy(), list[Event]()
        while seats := house_plays(after):
            assert after.game is not None
            after.game, turn = house_turn(after, after.game, seats[0])
            played += turn
        finish_if_complete(after)
        world.commit(table, after, played)
        return
    at = house_plays(table)[0]
    decision = decide(game, at, Temperament(table.seats[at].house or "steady"))
    after = table.copy()
    after.game, events = play(
        game, Decided(at, decision, by_house=table.seats[at].user_id is not None), table.source, STANDARD_DECK
    )
    finish_if_complete(after)
    world.commit(table, after, events)


def _is_due(table: Table, name: str, now: datetime) -> bool:
    return name in table.moments and table.moments[name] <= now


def _overdue(table: Table, now: datetime, *more: str) -> list[datetime]:
    return [table.moments[name] for name in ("deadline", "hold_deadline", *more) if _is_due(table, name, now)]


def _do_what_is_due(world: World, table: Table) -> None:
    after, now, settings = table.copy(), world.now, world.settings_of(table.guild_id)
    if not table.open:
        return
    if "paused_at" in table.moments:
        _while_paused(world, table, after)
    elif overdue := _overdue(table, now, "kept_until"):
        if now - min(overdue) > LATE or min(overdue) < world.up_since:
            _postpone(after, now, settings)
            world.commit(table, after)
        elif not _overdue(table, now):
            only(after, lambda seat: not seat.invited)
            world.commit(table, after)
        elif table.status == "lobby":
            give_up(world, table, after)
        elif table.own_pace:
            runs_end(world, table, after, waited_for(table))
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
            after.reminded = True
            if table.own_pace:
                after.moments["early_at"] = add_awake(now, table.allowed / 8, quiet)
            seats = [table.seats[at] for at in waited_for(table)]
            users = [seat.user_id for seat in seats if seat.user_id is not None and seat.away_until is None]
        world.commit(table, after, remind=users)


def _postpone(table: Table, now: datetime, settings: Settings) -> None:
    """What has passed already gets a quarter of its time again, at least a minute."""
    allowed = {
        "deadline": WAITS.total_seconds() if table.status == "lobby" else table.allowed,
        "hold_deadline": table.hold,
        "kept_until": 3600,
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
    if table.turn_order is TurnOrder.OPEN and _is_due(table, "deadline", now):
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
        if not is_houses(table, at):
            events.append(Remarked(f"seat {at}"))
            seat.misses += 1
            if seat.misses == 2:
                seat.house = "steady"
            news.append(("played" if seat.house is None else "kept", at))
        events += happened
    after.game = game
    finish_if_complete(after)
    world.commit(table, after, events, news=news)


def finished_anything(table: Table) -> bool:
    """Whether anybody has finished a card, also who has left since."""
    game = table.game
    return game is not None and any(table.seats[at].user_id is not None and game.progress(at) for at in game.seats)


def runs_end(world: World, table: Table, after: Table, late: Sequence[int], *, by: Person | None = None) -> None:
    """The time of the game is up: the house plays on for whoever has finished a card, the others are left out.

    ``by`` has ended it early.
    """
    game, events, news = after.game, list[Event](), list[tuple[str, int]]()
    assert game is not None
    if by is not None:
        ended = table.seat_of(by.user_id) or 0
        events, news = [Remarked(f"seat {ended}")], [("ended", ended)]
    if not finished_anything(after):
        give_up(world, table, after)
        return
    for at in late:
        events.append(Remarked(f"seat {at}"))
        if game.progress(at):
            after.seats[at].house = "steady"
        else:
            game, left_out = play(game, LeftOut(at), table.source, STANDARD_DECK)
            events += left_out
    after.game = game
    finish_if_complete(after)
    world.commit(table, after, events, news=news, by=by)


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
    after, settings = table.copy(), world.settings_of(table.guild_id)
    stopped = after.moments.pop("paused_at")
    after.moments.pop("retry_at", None)
    after.moments.pop("house_at", None)
    after.warnings = 0
    quiet = quiet_hours(settings)
    for name in ("deadline", "hold_deadline", "kept_until", "remind_at", "early_at"):
        if name in after.moments:
            left = awake_seconds(stopped, after.moments[name], quiet)
            after.moments[name] = add_awake(world.now, left, quiet) if left else world.now
    _postpone(after, world.now, settings)
    world.commit(table, after, news=[("resumed", 0)])


# ------------------------------------------------------------------------------------------- what people may cause too


def only(table: Table, stays: Callable[[Seat], bool]) -> None:
    """Before a game: take seats away, and what is to be told of them."""
    places = [at for at, seat in enumerate(table.seats) if stays(seat)]
    table.news = [(one[0], places.index(one[1])) for one in table.news if one[1] in places]
    table.seats = [table.seats[at] for at in places]


def house_turn(table: Table, game: Game, at: int) -> tuple[Game, list[Event]]:
    """The house plays what is left of a seat's turn, for a person as steadily as it can."""
    seat, done = table.seats[at], game.progress(at)
    events: list[Event] = []
    while game.progress(at) == done:
        decision = decide(game, at, Temperament(seat.house or "steady"))
        game, happened = play(game, Decided(at, decision, seat.user_id is not None), table.source, STANDARD_DECK)
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
    news: Sequence[tuple[str, int] | tuple[str, int, int]] = (),
    by: Person | None = None,
) -> None:
    """A table is closed before its end; ``who`` did it, as the log names people."""
    after.status = "abandoned"
    events: list[Event] = [*before]
    if after.game is None:
        only(after, lambda seat: not seat.invited)
        events = [Remarked(f"closed {who}")]
    else:
        after.game, happened = play(after.game, Abandoned(who), table.source, STANDARD_DECK)
        events += happened
    world.commit(table, after, events, news=news, by=by)


def vacate(world: World, table: Table, at: int, how: str, who: str = "", *, by: Person | None = None) -> None:
    """Somebody leaves a running game; the house plays on, the next person is the host, the last one closes it.

    In own pace only where nobody who ever sat there has finished a card.
    """
    after = table.copy()
    seat = after.seats[at]
    seat.left, seat.house = True, seat.house or "steady"
    events: list[Event] = [Remarked(f"seat {at} {who}")]
    people = [each.user_id for each in after.seats if each.present and each.user_id is not None]
    if not people and not (after.own_pace and finished_anything(after)):
        give_up(world, table, after, before=events, by=by)
        return
    if after.own_pace and after.game is not None and at in after.game.seats and not after.game.progress(at):
        # Nothing is drawn before the message that opens the game is there.
        out = LeftOut(at)
        after.game, left = (
            (apply(after.game, out), (out,)) if after.waits else play(after.game, out, table.source, STANDARD_DECK)
        )
        events += left
        finish_if_complete(after)
    assert after.game is not None
    news: list[tuple[str, int] | tuple[str, int, int]] = [(how, at, after.game.round)]
    if people and table.host_id == seat.user_id:
        after.host_id = people[0]
        news.append(("new host", after.seat_of(people[0]) or 0))
    if after.open and all_agree(after):
        news.append(("cancelled by all", after.seat_of(after.host_id) or 0))
        give_up(world, table, after, f"user {after.host_id}", before=events, news=news, by=by)
        return
    forget_agreements(after)
    world.commit(table, after, events, news=news, by=by)


def yet_to_agree(table: Table) -> list[int]:
    """Once a round is complete, all who have begun."""
    game = table.game
    if game is None or not table.own_pace or not game.finished:
        return []
    return [at for at in themselves(table) if game.progress(at) and not table.seats[at].gives_up]


def _host_asks(table: Table) -> bool:
    return any(seat.gives_up for seat in table.seats if seat.user_id == table.host_id)


def all_agree(table: Table) -> bool:
    """Whether the host wants to cancel, and nobody is left who has to agree to that."""
    return _host_asks(table) and not yet_to_agree(table)


def forget_agreements(table: Table) -> None:
    """Who has agreed to what the host wants no longer is asked anew the next time."""
    for seat in table.seats:
        seat.gives_up &= _host_asks(table)

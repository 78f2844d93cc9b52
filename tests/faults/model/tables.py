"""What people may do at the tables of the plain model. Each changes the world, or raises ``No`` before it does."""

from dataclasses import dataclass
from datetime import timedelta

from bot.domain.pace import Pace
from bot.domain.quiet_hours import add_awake
from bot.services.core import Person
from bot.services.lobby import NewTable
from highscore.dealer import play
from highscore.deck import STANDARD_DECK
from highscore.events import Decided, Decision, Remarked, TakeDice
from highscore.game import Game, verify_decision
from highscore.turn_order import TurnOrder
from tests.faults.model import away
from tests.faults.model.clock import (
    all_agree,
    finish_if_complete,
    forget_agreements,
    give_up,
    house_turn,
    is_houses,
    only,
    only_not_begun,
    press,
    quiet_hours,
    runs_end,
    themselves,
    vacate,
    yet_to_agree,
)
from tests.faults.model.world import No, Seat, Table, World

LOCALE = "en"
"""The language of everybody's Discord."""
HOUSE = (("steady", "Abacus"), ("shark", "Undertow"), ("cautious", "Pebble"), ("steady", "Metronome"))
"""House players in the order in which they sit down."""


@dataclass(frozen=True)
class Made:
    """What chance gave a new table."""

    id: str
    seed: bytes


def open_table(world: World, who: Person, wishes: NewTable, *, guild: int, channel: int, made: Made | None) -> None:
    settings = world.settings_of(guild)
    may_open(world, who, guild, channel)
    if wishes.house >= wishes.seats:
        raise No("no seat for the host")
    needed = 1 + wishes.house + len(wishes.invited)
    if needed > 5:
        raise No("too many invited")
    pace = wishes.pace or Pace(settings["pace"])
    usual = {Pace.LIVE: TurnOrder.CLOCKWISE, Pace.DAY: TurnOrder.OWN_PACE, Pace.RELAXED: TurnOrder.OPEN}
    order = wishes.order or usual[pace]
    times = world.paces[pace]
    made = _room(world, made, who, guild, channel)
    world.add(
        Table(
            id=made.id,
            guild_id=guild,
            channel_id=channel,
            host_id=who.user_id,
            seed=made.seed,
            turn_order=order,
            max_seats=max(wishes.seats, needed),
            locale=settings["language"] or LOCALE,
            pace=pace,
            allowed={
                TurnOrder.CLOCKWISE: times.turn,
                TurnOrder.OPEN: times.round,
                TurnOrder.OWN_PACE: times.game,
            }[order],
            hold=times.hold,
            hints=wishes.hints,
            pictures=settings["pictures"],
            seats=[
                Seat(who.user_id, who.name, newcomer=world.newcomer(who.user_id)),
                *map(_house, range(wishes.house)),
                *(_reserved(world, guild, one.user_id, one.name) for one in wishes.invited),
            ],
            created_at=world.now,
            may_call=settings["player_role"] is not None,
            moments={"kept_until": add_awake(world.now, 3600, quiet_hours(settings))} if wishes.invited else {},
        )
    )
    away.end(world, guild, who.user_id)


def _reserved(world: World, guild: int, user: int, name: str) -> Seat:
    return Seat(user, name, invited=True, away_until=away.away_until(world, guild, user))


def may_open(world: World, who: Person, guild: int, channel: int) -> None:
    may_play_in(world, guild, channel)
    role = world.settings_of(guild)["opener_role"]
    if role is not None and role not in who.role_ids:
        raise No("no opener")


def may_play_in(world: World, guild: int, channel: int) -> None:
    allowed = world.settings_of(guild)["channels"]
    if allowed and channel not in allowed:
        raise No("elsewhere")


def rematch(world: World, table_id: str, who: Person, *, made: Made | None) -> None:
    old = world.tables.get(table_id)
    if old is None or old.open:
        raise No("no rematch yet")
    at = old.seat_of(who.user_id)
    if at is None or old.seats[at].left:
        raise No("no rematch for them")
    may_open(world, who, old.guild_id, old.channel_id)

    def again(seat: Seat) -> Seat:
        if seat.user_id is None:
            return Seat(None, seat.name, seat.house)
        if seat.user_id == who.user_id:
            return Seat(seat.user_id, seat.name, newcomer=world.newcomer(who.user_id))
        return _reserved(world, old.guild_id, seat.user_id, seat.name)

    made = _room(world, made, who, old.guild_id, old.channel_id)
    world.add(
        Table(
            id=made.id,
            guild_id=old.guild_id,
            channel_id=old.channel_id,
            host_id=who.user_id,
            seed=made.seed,
            turn_order=old.turn_order,
            max_seats=old.max_seats,
            locale=old.locale,
            pace=old.pace,
            allowed=old.allowed,
            hold=old.hold,
            hints=old.hints,
            pictures=old.pictures,
            seats=[again(seat) for seat in old.seats if seat.user_id is None or not seat.left],
            created_at=world.now,
            may_call=world.settings_of(old.guild_id)["player_role"] is not None,
        )
    )
    away.end(world, old.guild_id, who.user_id)


def _room(world: World, made: Made | None, who: Person, guild: int, channel: int) -> Made:
    """There is room for one more table."""
    awake = [
        table
        for table in world.in_channel(channel)
        if table.status == "lobby" or not (table.own_pace or "asleep_until" in table.moments)
    ]
    if len(awake) >= (world.settings_of(guild)["tables_per_channel"] or world.limit):
        raise No("enough tables")
    hosted = [
        table
        for table in world.tables.values()
        if table.open and (table.guild_id, table.host_id) == (guild, who.user_id)
    ]
    if len(hosted) >= world.hosted:
        raise No("hosts enough")
    world.once(who)
    assert made is not None, "this table may be opened"
    return made


def _house(number: int) -> Seat:
    temperament, name = HOUSE[number % len(HOUSE)]
    return Seat(None, name, temperament)


def _lobby(world: World, table_id: str) -> Table:
    table = world.find(table_id)
    if table.status == "playing":
        raise No("started")
    if table.status != "lobby":
        raise No("closed")
    return table


def join(world: World, table_id: str, who: Person) -> None:
    table = _lobby(world, table_id)
    if table.sits(who.user_id):
        raise No("sits already")
    after = table.copy()
    sitting = Seat(who.user_id, who.name, newcomer=world.newcomer(who.user_id))
    if (at := table.seat_of(who.user_id)) is not None:
        after.seats[at] = sitting
        # Of a rematch; whoever opens a table and invites others starts it.
        all_there = "kept_until" not in table.moments and not any(seat.invited for seat in after.seats)
        events = [_started(after)] if all_there else []
        world.commit(table, after, events, by=who)
    else:
        _seat_free(table)
        after.seats.append(sitting)
        world.commit(table, after, by=who)
    away.end(world, table.guild_id, who.user_id)


def _seat_free(table: Table) -> None:
    if len(table.seats) >= table.max_seats:
        raise No("kept for others" if "kept_until" in table.moments else "full")


def leave(world: World, table_id: str, who: Person) -> None:
    table = _lobby(world, table_id)
    if table.seat_of(who.user_id) is None:
        raise No("does not sit")
    _free_seat(world, table, who.user_id, who)


def _free_seat(world: World, table: Table, user: int, by: Person | None = None) -> None:
    """Before the game: the next person is the host, the last one closes the table and keeps the seat."""
    if table.seat_of(user) is None:
        raise No("they do not sit")
    after = table.copy()
    events = [] if by is None or by.user_id == user else [Remarked(f"user {user} user {by.user_id}")]
    people = [seat.user_id for seat in after.seats if seat.present and seat.user_id not in (None, user)]
    if not people:
        after.status = "abandoned"
        only(after, lambda seat: not seat.invited)
    else:
        only(after, lambda seat: seat.user_id != user)
        after.host_id = table.host_id if table.host_id in people else people[0]
    world.commit(table, after, events, by=by)


def add_house(world: World, table_id: str, who: Person) -> None:
    table = _lobby(world, table_id)
    if not table.sits(who.user_id):
        raise No("sit down first")
    _seat_free(table)
    after = table.copy()
    after.seats.append(_house(sum(seat.user_id is None for seat in table.seats)))
    world.commit(table, after, by=who)


def send_house_off(world: World, table_id: str, who: Person) -> None:
    table = _lobby(world, table_id)
    if not table.sits(who.user_id):
        raise No("players only")
    after = table.copy()
    houses = [seat for seat in after.seats if seat.user_id is None]
    if not houses:
        raise No("no house")
    only(after, lambda seat: seat is not houses[-1])
    world.commit(table, after, by=who)


def call_players(world: World, table_id: str, who: Person, role: int) -> None:
    world.find(table_id)
    table = _lobby(world, table_id)
    if not table.sits(who.user_id):
        raise No("sit down to call")
    if not table.may_call:
        raise No("called already")
    _seat_free(table)
    quiet = quiet_hours(world.settings_of(table.guild_id))
    if quiet is not None and quiet.holds(world.now):
        raise No("quiet")
    others = [
        other.called_at for other in world.tables.values() if other.guild_id == table.guild_id and other.called_at
    ]
    if any(world.now < called + timedelta(hours=1) for called in others):
        raise No("called lately")
    after = table.copy()
    after.may_call, after.called_at = False, world.now
    world.commit(table, after, by=who)
    world.called[table_id] = role, world.now
    world.dirty.add("reminders")


def lucky_word(world: World, table_id: str, who: Person, word: str) -> None:
    cleaned = " ".join(word.split())
    world.find(table_id)
    if len(cleaned) > 32:
        raise No("word too long")
    table = _lobby(world, table_id)
    at = table.seat_of(who.user_id)
    if at is None:
        raise No("sit down first")
    after = table.copy()
    after.seats[at].lucky_word = cleaned
    world.commit(table, after, by=who)


def start(world: World, table_id: str, who: Person) -> None:
    table = _lobby(world, table_id)
    if table.host_id != who.user_id:
        raise No("host only")
    if sum(not seat.invited for seat in table.seats) < 2:
        raise No("too few")
    after = table.copy()
    world.commit(table, after, [_started(after)], by=who)


def _started(table: Table) -> Remarked:
    """The game is on, of those who are there."""
    only(table, lambda seat: not seat.invited)
    table.status = "playing"
    table.game, table.words_digest = Game(len(table.seats), table.turn_order), table.source.words_digest
    return Remarked("started")


def begin(world: World, table_id: str, message: int) -> None:
    """The message that opens a game is there. Only the first one counts."""
    table = world.find(table_id)
    if table.waits and table.game is not None:
        after = table.copy()
        after.opening_id = message
        after.game, events = play(table.game, None, after.source, STANDARD_DECK)
        world.commit(table, after, events)


def cancel(world: World, table_id: str, who: Person) -> None:
    table = world.find(table_id)
    if not table.open:
        raise No("over already")
    if table.own_pace and table.game is not None and table.host_id != who.user_id:
        # It opens the seed of cards that others still play (R9.5).
        raise No("only the host")
    if table.host_id != who.user_id and not who.moderator:
        raise No("may not cancel")
    if table.own_pace and table.game is not None and set(yet_to_agree(table)) - {table.seat_of(who.user_id)}:
        after = table.copy()
        after.seats[table.seat_of(who.user_id) or 0].gives_up = True
        world.commit(table, after, by=who)
        return
    # Whose seat is only kept has none when the table is closed.
    there = [seat.user_id for seat in table.seats if not seat.invited]
    at = there.index(who.user_id) if who.user_id in there else None
    news = [("cancelled", at) if at is not None else ("cancelled by a moderator", 0)]
    give_up(world, table, table.copy(), f"user {who.user_id}", news=news, by=who)


def agree(world: World, table_id: str, who: Person) -> None:
    table = world.find(table_id)
    at, host = _runner(table, who.user_id), table.seat_of(table.host_id)
    if not table.open:
        raise No("run over")
    if host is None or not table.seats[host].gives_up:
        raise No("not asked for")
    after = table.copy()
    after.seats[at].gives_up ^= True
    if all_agree(after):
        give_up(world, table, after, f"user {table.host_id}", news=[("cancelled by all", host)], by=who)
    else:
        forget_agreements(after)
        world.commit(table, after, by=who)


def end_early(world: World, table_id: str, who: Person) -> None:
    table = world.find(table_id)
    at = _runner(table, who.user_id)
    if not table.open:
        raise No("run over")
    assert table.game is not None
    if at not in themselves(table) or not table.game.progress(at):
        raise No("not begun themselves")
    if not only_not_begun(table):
        raise No("still playing")
    if "early_at" not in table.moments:
        raise No("reminded first")
    if world.now < table.moments["early_at"]:
        raise No("too early")
    late = [at for at in themselves(table) if not table.game.progress(at)]
    runs_end(world, table, table.copy(), late, by=who)


def close(world: World, table_id: str) -> None:
    """There is no place for a table any more."""
    table = world.find(table_id)
    if table.open:
        give_up(world, table, table.copy())


# -------------------------------------------------------------------------------------------------- while it is played


def _running(table: Table) -> Game:
    if table.game is None:
        raise No("not running")
    if table.status != "playing":
        raise No("over")
    return table.game


def _present(table: Table, user: int, *, other: bool = False) -> int:
    _running(table)
    at = table.seat_of(user)
    if at is None:
        raise No("they do not sit" if other else "not at this table")
    if table.seats[at].left:
        raise No("they left already" if other else "gone already")
    return at


def _may_moderate(table: Table, who: Person) -> None:
    if not who.moderator and table.host_id != who.user_id:
        raise No("may not moderate")


def leave_game(world: World, table_id: str, who: Person) -> None:
    table = world.find(table_id)
    at = _present(table, who.user_id)
    vacate(world, table, at, "left", by=who)


def gone(world: World, table_id: str, user: int) -> None:
    """Somebody is no longer a member of the server."""
    table = world.find(table_id)
    if table.status == "lobby":
        _free_seat(world, table, user)
    else:
        vacate(world, table, _present(table, user), "gone")


def kick(world: World, table_id: str, who: Person, user: int) -> None:
    table = world.find(table_id)
    _may_moderate(table, who)
    if user == who.user_id:
        raise No("not themselves")
    if table.status == "lobby":
        _free_seat(world, table, user, who)
    else:
        at = _present(table, user, other=True)
        vacate(world, table, at, "kicked", f"user {who.user_id}", by=who)


def come_back(world: World, table_id: str, who: Person) -> None:
    table = world.find(table_id)
    at = _present(table, who.user_id)
    if not is_houses(table, at):
        raise No("not away")
    if table.own_pace:
        raise No("time is up")
    after = table.copy()
    _is_there(after.seats[at])
    world.commit(table, after, [Remarked(f"seat {at}")], news=[("back", at)], by=who)
    if table.seats[at].away_until is not None:
        away.end(world, table.guild_id, who.user_id)


def _is_there(seat: Seat) -> None:
    seat.house, seat.misses, seat.away_until = None, 0, None


def wake(world: World, table_id: str, who: Person) -> None:
    """Any press that changes nothing else."""
    table = world.find(table_id)
    _present(table, who.user_id)
    after = table.copy()
    press(after, who.user_id)
    world.commit(table, after, by=who)


def skip(world: World, table_id: str, who: Person) -> None:
    table = world.find(table_id)
    _may_moderate(table, who)
    game = _running(table)
    if table.waits:
        raise No("being opened")
    if table.own_pace:
        raise No("nobody holds up")
    at = game.seat if game.seat is not None else game.to_play[0]
    after = table.copy()
    after.game, events = house_turn(table, game, at)
    finish_if_complete(after)
    remark = Remarked(f"seat {at} user {who.user_id}")
    world.commit(table, after, [remark, *events], news=[("skipped", at)], by=who)


def decide(world: World, table_id: str, who: Person, decision: Decision, version: int) -> None:
    table = world.find(table_id)
    at = _player(table, who.user_id)
    if table.game is None or table.game.over:
        raise No("not started" if table.open else "over")
    if table.version != version or table.own_pace:
        raise No("moved on")
    _decided(world, table, at, who, decision, answered=isinstance(decision, TakeDice))


def decide_run(world: World, table_id: str, who: Person, decision: Decision, step: int) -> None:
    table = world.find(table_id)
    at = _runner(table, who.user_id)
    if step // 100 != at:
        raise No("not their page")
    if table.game is None or table.game.over or table.game.run(at).step != step:
        raise No("attempt moved on")
    if table.seats[at].house is not None:
        raise No("their time is up")
    _decided(world, table, at, who, decision, answered=True)


def _decided(world: World, table: Table, at: int, who: Person, decision: Decision, *, answered: bool) -> None:
    assert table.game is not None
    verify_decision(table.game, at, decision)
    after = table.copy()
    after.game, events = play(table.game, Decided(at, decision), table.source, STANDARD_DECK)
    finish_if_complete(after)
    news = [("back", at)] if is_houses(table, at) else []
    _is_there(after.seats[at])
    world.commit(table, after, events, news=news, by=who, answered=answered)
    away.end(world, table.guild_id, who.user_id)


def hint(world: World, table_id: str, user: int, version: int) -> None:
    table = world.find(table_id)
    at = _player(table, user)
    if table.game is None or table.version != version:
        raise No("moved on")
    if table.game.seat != at:
        raise No("not their turn")
    _hinted(world, table, at)


def hint_run(world: World, table_id: str, user: int, step: int) -> None:
    table = world.find(table_id)
    at = _runner(table, user)
    if step // 100 != at:
        raise No("not their page")
    if table.game is None or table.game.run(at).step != step:
        raise No("attempt moved on")
    _hinted(world, table, at)


def _hinted(world: World, table: Table, at: int) -> None:
    if not table.hints:
        raise No("no hints")
    if table.game is None or at not in table.game.may_act or table.game.run(at).turn is None:
        raise No("nothing to decide")
    after = table.copy()
    after.seats[at].hints += 1
    world.tables[table.id] = after
    world.touched.add(table.id)


def shown(world: World, table_id: str, version: int, page: int, message: int) -> None:
    """People have seen a version of a table. An older one never hides a newer one."""
    table = world.tables.get(table_id)
    if table is not None and table.shown_version <= version:
        after = table.copy()
        after.shown_version, after.shown_page, after.message_id = version, page, message
        world.tables[table_id] = after
        world.touched.add(table_id)


def _runner(table: Table, user: int) -> int:
    """The seat of somebody who plays a run."""
    if table.game is None:
        raise No("no runs yet")
    if not table.own_pace:
        raise No("same dice")
    at = _player(table, user)
    if table.waits:
        raise No("being opened")
    if at in table.game.left_out:
        raise No("left out")
    return at


def _player(table: Table, user: int) -> int:
    at = table.seat_of(user)
    if at is None:
        raise No("spectator")
    if table.seats[at].left:
        raise No("left")
    return at

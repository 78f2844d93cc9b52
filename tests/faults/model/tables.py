"""What people may do at the tables of the plain model. Each changes the world, or raises ``No`` before it does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.domain.pace import Pace
from bot.services.lobby import NewTable
from highscore.dealer import play
from highscore.deck import STANDARD_DECK
from highscore.events import Decided, Decision, Remarked, TakeDice
from highscore.game import Game, verify_decision
from highscore.turn_order import TurnOrder
from tests.faults.model.clock import finish_if_complete, give_up, house_turn, press, vacate
from tests.faults.model.world import No, Seat, Table, World

LOCALE = "en"
"""The language of everybody's Discord."""
HOUSE = (("steady", "Abacus"), ("shark", "Undertow"), ("cautious", "Pebble"), ("steady", "Metronome"))
"""House players in the order in which they sit down."""


@dataclass(frozen=True)
class Who:
    """Somebody who asks for something."""

    user: int
    name: str
    moderator: bool = False
    roles: Collection[int] = ()


@dataclass(frozen=True)
class Made:
    """What chance gave a new table."""

    id: str
    seed: bytes


def open_table(
    world: World, who: Who, wishes: NewTable, *, guild: int, channel: int, made: Made | None, interaction: int | None
) -> None:
    settings = world.settings_of(guild)
    may_open(world, who, guild, channel)
    if wishes.house >= wishes.seats:
        raise No("no seat for the host")
    pace = wishes.pace or Pace(settings["pace"])
    order = wishes.order or (TurnOrder.CLOCKWISE if pace is Pace.LIVE else TurnOrder.OPEN)
    times = world.paces[pace]
    made = _room(world, made, who.user, guild, channel, interaction)
    world.add(
        Table(
            id=made.id,
            guild=guild,
            channel=channel,
            host=who.user,
            seed=made.seed,
            order=order,
            most=wishes.seats,
            locale=settings["language"] or LOCALE,
            pace=pace,
            allowed=times.turn if order is TurnOrder.CLOCKWISE else times.round,
            hold=times.hold,
            hints=wishes.hints,
            pictures=settings["pictures"],
            seats=[Seat(who.user, who.name), *map(_house, range(wishes.house))],
            newcomers={who.user} if world.newcomer(who.user) else set(),
            created=world.now,
        )
    )


def may_open(world: World, who: Who, guild: int, channel: int) -> None:
    may_play_in(world, guild, channel)
    role = world.settings_of(guild)["opener_role"]
    if role is not None and role not in who.roles:
        raise No("no opener")


def may_play_in(world: World, guild: int, channel: int) -> None:
    allowed = world.settings_of(guild)["channels"]
    if allowed and channel not in allowed:
        raise No("elsewhere")


def rematch(world: World, table_id: str, who: Who, *, made: Made | None, interaction: int | None) -> None:
    old = world.tables.get(table_id)
    if old is None or old.open:
        raise No("no rematch yet")
    at = old.seat_of(who.user)
    if at is None or old.seats[at].left:
        raise No("no rematch for them")
    may_open(world, who, old.guild, old.channel)

    def reserved(seat: Seat) -> bool:
        return seat.user is not None and seat.user != who.user

    made = _room(world, made, who.user, old.guild, old.channel, interaction)
    world.add(
        Table(
            id=made.id,
            guild=old.guild,
            channel=old.channel,
            host=who.user,
            seed=made.seed,
            order=old.order,
            most=old.most,
            locale=old.locale,
            pace=old.pace,
            allowed=old.allowed,
            hold=old.hold,
            hints=old.hints,
            pictures=old.pictures,
            seats=[
                Seat(seat.user, seat.name, seat.house if seat.user is None else None, invited=reserved(seat))
                for seat in old.seats
                if seat.user is None or not seat.left
            ],
            newcomers={user for user in old.newcomers if world.newcomer(user)},
            created=world.now,
        )
    )


def _room(world: World, made: Made | None, host: int, guild: int, channel: int, interaction: int | None) -> Made:
    """There is room for one more table."""
    awake = [table for table in world.in_channel(channel) if "asleep_until" not in table.moments]
    if len(awake) >= (world.settings_of(guild)["tables_per_channel"] or world.limit):
        raise No("enough tables")
    if sum(table.open and (table.guild, table.host) == (guild, host) for table in world.tables.values()) >= 5:
        raise No("hosts enough")
    world.once(interaction)
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


def join(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = _lobby(world, table_id)
    if table.sits(who.user):
        raise No("sits already")
    after = table.copy()
    if (at := table.seat_of(who.user)) is not None:
        after.seats[at].invited, after.seats[at].name = False, who.name
        all_there = not any(seat.invited for seat in after.seats)
        events = [_started(after)] if all_there else []
        world.commit(table, after, events, by=who.user, interaction=interaction)
        return
    if len(table.seats) >= table.most:
        raise No("full")
    after.seats.append(Seat(who.user, who.name))
    if world.newcomer(who.user):
        after.newcomers.add(who.user)
    world.commit(table, after, interaction=interaction)


def leave(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = _lobby(world, table_id)
    if table.seat_of(who.user) is None:
        raise No("does not sit")
    _free_seat(world, table, who.user, interaction=interaction)


def _free_seat(world: World, table: Table, user: int, by: int | None = None, interaction: int | None = None) -> None:
    """Before the game: the next person is the host, the last one closes the table and keeps the seat."""
    if table.seat_of(user) is None:
        raise No("they do not sit")
    after = table.copy()
    events = [] if by is None else [Remarked(f"user {user} user {by}")]
    rest = [seat for seat in after.seats if seat.user != user]
    people = [seat.user for seat in rest if seat.present and seat.user is not None]
    if not people:
        after.status = "abandoned"
    else:
        after.seats = rest
        after.newcomers.discard(user)
        after.host = table.host if table.host in people else people[0]
    world.commit(table, after, events, by=by, interaction=interaction)


def add_house(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = _lobby(world, table_id)
    if not table.sits(who.user):
        raise No("sit down first")
    if len(table.seats) >= table.most:
        raise No("full")
    after = table.copy()
    after.seats.append(_house(sum(seat.user is None for seat in table.seats)))
    world.commit(table, after, interaction=interaction)


def send_house_off(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = _lobby(world, table_id)
    if not table.sits(who.user):
        raise No("players only")
    houses = [at for at, seat in enumerate(table.seats) if seat.user is None]
    if not houses:
        raise No("no house")
    after = table.copy()
    del after.seats[houses[-1]]
    world.commit(table, after, interaction=interaction)


def lucky_word(world: World, table_id: str, who: Who, word: str, interaction: int | None = None) -> None:
    cleaned = " ".join(word.split())
    if len(cleaned) > 32:
        raise No("word too long")
    table = _lobby(world, table_id)
    at = table.seat_of(who.user)
    if at is None:
        raise No("sit down first")
    after = table.copy()
    after.seats[at].word = cleaned
    world.commit(table, after, interaction=interaction)


def start(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = _lobby(world, table_id)
    if table.host != who.user:
        raise No("host only")
    if sum(not seat.invited for seat in table.seats) < 2:
        raise No("too few")
    after = table.copy()
    world.commit(table, after, [_started(after)], by=who.user, interaction=interaction)


def _started(table: Table) -> Remarked:
    """The game is on, of those who are there."""
    table.seats = [seat for seat in table.seats if not seat.invited]
    table.status = "playing"
    table.game, table.words_digest = Game(len(table.seats), table.order), table.source.words_digest
    return Remarked("started")


def begin(world: World, table_id: str, message: int) -> None:
    """The message that opens a game is there. Only the first one counts."""
    table = world.find(table_id)
    if table.waits and table.game is not None:
        after = table.copy()
        after.opening = message
        after.game, events = play(table.game, None, after.source, STANDARD_DECK)
        world.commit(table, after, events)


def cancel(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = world.find(table_id)
    if not table.open:
        raise No("over already")
    if table.host != who.user and not who.moderator:
        raise No("may not cancel")
    at = table.seat_of(who.user)
    news = [("cancelled", at) if at is not None else ("cancelled by a moderator", 0)]
    give_up(world, table, table.copy(), f"user {who.user}", news=news, by=who.user, interaction=interaction)


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


def _may_moderate(table: Table, who: Who) -> None:
    if not who.moderator and table.host != who.user:
        raise No("may not moderate")


def leave_game(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = world.find(table_id)
    at = _present(table, who.user)
    vacate(world, table, at, "left", by=who.user, interaction=interaction)


def gone(world: World, table_id: str, user: int) -> None:
    """Somebody is no longer a member of the server."""
    table = world.find(table_id)
    if table.status == "lobby":
        _free_seat(world, table, user)
    else:
        vacate(world, table, _present(table, user), "gone")


def kick(world: World, table_id: str, who: Who, user: int, interaction: int | None = None) -> None:
    table = world.find(table_id)
    _may_moderate(table, who)
    if user == who.user:
        raise No("not themselves")
    if table.status == "lobby":
        _free_seat(world, table, user, who.user, interaction)
    else:
        at = _present(table, user, other=True)
        vacate(world, table, at, "kicked", f"user {who.user}", by=who.user, interaction=interaction)


def come_back(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = world.find(table_id)
    at = _present(table, who.user)
    if table.seats[at].house is None:
        raise No("not away")
    after = table.copy()
    after.seats[at].house, after.seats[at].misses = None, 0
    world.commit(table, after, [Remarked(f"seat {at}")], news=[("back", at)], by=who.user, interaction=interaction)


def wake(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    """Any press that changes nothing else."""
    table = world.find(table_id)
    _present(table, who.user)
    after = table.copy()
    press(after, who.user)
    world.commit(table, after, by=who.user, interaction=interaction)


def skip(world: World, table_id: str, who: Who, interaction: int | None = None) -> None:
    table = world.find(table_id)
    _may_moderate(table, who)
    game = _running(table)
    if table.waits:
        raise No("being opened")
    at = game.seat if game.seat is not None else game.to_play[0]
    after = table.copy()
    after.game, events = house_turn(table, game, at)
    finish_if_complete(after)
    remark = Remarked(f"seat {at} user {who.user}")
    world.commit(table, after, [remark, *events], news=[("skipped", at)], by=who.user, interaction=interaction)


def decide(
    world: World, table_id: str, user: int, decision: Decision, *, version: int, interaction: int | None = None
) -> None:
    table = world.find(table_id)
    at = _player(table, user)
    if table.game is None or table.game.over:
        raise No("not started" if table.open else "over")
    if table.version != version:
        raise No("moved on")
    verify_decision(table.game, at, decision)
    after = table.copy()
    after.game, events = play(table.game, Decided(at, decision), table.source, STANDARD_DECK)
    finish_if_complete(after)
    seat = after.seats[at]
    news = [("back", at)] if seat.house is not None else []
    seat.house, seat.misses = None, 0
    answered = user if isinstance(decision, TakeDice) else None
    world.commit(table, after, events, news=news, by=user, interaction=interaction, answered=answered)


def hint(world: World, table_id: str, user: int, version: int) -> None:
    table = world.find(table_id)
    if not table.hints:
        raise No("no hints")
    at = _player(table, user)
    if table.game is None or table.version != version:
        raise No("moved on")
    if table.game.seat != at:
        raise No("not their turn")
    after = table.copy()
    after.seats[at].hints += 1
    world.tables[table_id] = after
    world.touched.add(table_id)


def shown(world: World, table_id: str, version: int, page: int, message: int) -> None:
    """People have seen a version of a table. An older one never hides a newer one."""
    table = world.tables.get(table_id)
    if table is not None and table.shown[0] <= version:
        after = table.copy()
        after.shown = (version, page, message)
        world.tables[table_id] = after
        world.touched.add(table_id)


def _player(table: Table, user: int) -> int:
    at = table.seat_of(user)
    if at is None:
        raise No("spectator")
    if table.seats[at].left:
        raise No("left")
    return at

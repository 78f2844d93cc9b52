"""Daily challenges in the plain model."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.services.core import Person
from highscore.dealer import play
from highscore.deck import STANDARD_DECK
from highscore.events import Decided, Decision, Event
from highscore.fairness import Source
from highscore.game import Game, verify_decision
from highscore.notation import format_event
from highscore.turn_order import TurnOrder
from tests.faults.model import away
from tests.faults.model.tables import Made, may_play_in
from tests.faults.model.world import No, World


@dataclass
class Attempt:
    """Somebody's way through the cards of a day."""

    name: str
    channel_id: int
    game: Game
    finished_at: datetime | None = None
    streak: int | None = None
    shared_at: datetime | None = None
    post_at: datetime | None = None
    post_tries: int = 0
    log: list[str] = field(default_factory=list)

    @property
    def step(self) -> int:
        return self.game.run(0).step


@dataclass
class Day:
    """A day of a server."""

    id: str
    guild_id: int
    day: date
    ends_at: datetime
    locale: str
    seed: bytes
    post_at: datetime | None
    created_at: datetime
    post_tries: int = 0
    attempts: dict[int, Attempt] = field(default_factory=dict)

    def go_on(self, game: Game, decision: Decision | None) -> tuple[Game, tuple[Event, ...]]:
        source = Source(self.seed, self.id, ("",), day=self.day.isoformat())
        return play(game, None if decision is None else Decided(0, decision), source, STANDARD_DECK)


def begin(world: World, who: Person, *, guild: int, channel: int, locale: str, made: Made | None) -> Day:
    """Begin or look at the challenge of the day."""
    may_play_in(world, guild, channel)
    days = [day for day in world.days.values() if day.guild_id == guild]
    found = next((day for day in days if day.ends_at > world.now), None)
    if found is None:
        settings = world.settings_of(guild)
        zone = ZoneInfo(settings["zone"])
        today = world.now.astimezone(zone).date()
        if any(day.day == today for day in days):
            raise No("day played")
        assert made is not None, "this day may begin"
        ends = datetime.combine(today + timedelta(days=1), datetime.min.time(), zone)
        found = Day(made.id, guild, today, ends, settings["language"] or locale, made.seed, ends, world.now)
        world.days[found.id] = found
    attempt = found.attempts.get(who.user_id)
    if attempt is None:
        game, events = found.go_on(Game(1, TurnOrder.OWN_PACE), None)
        attempt = found.attempts[who.user_id] = Attempt(who.name, channel, game)
        attempt.log += map(format_event, events)
        away.end(world, guild, who.user_id)
    elif attempt.finished_at is None:
        attempt.name, attempt.channel_id = who.name, channel
    world.dirty.add("days")
    return found


def decide(world: World, day_id: str, who: Person, decision: Decision, *, step: int, channel: int) -> None:
    """Play a decision of a challenge."""
    day = world.days.get(day_id)
    if day is None:
        raise No("no such day")
    if (attempt := day.attempts.get(who.user_id)) is None:
        raise No("not begun")
    if attempt.finished_at is not None:
        raise No("all cards")
    if attempt.step != step:
        raise No("attempt moved on")
    verify_decision(attempt.game, 0, decision)
    attempt.game, events = day.go_on(attempt.game, decision)
    attempt.name, attempt.channel_id = who.name, channel
    attempt.log += map(format_event, events)
    away.end(world, day.guild_id, who.user_id)
    if attempt.game.complete:
        attempt.finished_at = world.now
        if world.now < day.ends_at:
            attempt.streak = 1 + (streak_before(world, day, who.user_id) or 0)
    world.dirty.add("days")


def share(world: World, day_id: str, who: Person, *, channel: int) -> None:
    """Tell a channel of a finished challenge: once on its day, and once more when that is over."""
    day = world.days.get(day_id)
    if day is None:
        raise No("no such day")
    if (attempt := day.attempts.get(who.user_id)) is None:
        raise No("not begun")
    if attempt.finished_at is None:
        raise No("not finished")
    if attempt.shared_at is not None and not attempt.shared_at < day.ends_at <= world.now:
        raise No("shared already")
    attempt.shared_at = attempt.post_at = world.now
    attempt.channel_id, attempt.post_tries = channel, 0
    world.dirty.add("days")


def streak_before(world: World, day: Day, user: int) -> int | None:
    before = day.day - timedelta(days=1)
    for other in world.days.values():
        if other.guild_id == day.guild_id and other.day == before and user in other.attempts:
            return other.attempts[user].streak
    return None


def owed(world: World) -> list[tuple[str, int | None]]:
    """The messages that are due: ends of days first, each sort longest waiting first."""
    days = list(world.days.values())
    podiums = sorted((day.post_at, day.id) for day in days if day.post_at is not None and day.post_at <= world.now)
    lines = sorted(
        (attempt.post_at, day.id, user)
        for day in days
        for user, attempt in day.attempts.items()
        if attempt.post_at is not None and attempt.post_at <= world.now
    )
    return [*((day_id, None) for _post, day_id in podiums), *((day_id, user) for _post, day_id, user in lines)]


def claim(world: World) -> None:
    """Whoever claims a message has a minute, twice as long after each try, an hour at most."""
    for day_id, user in owed(world):
        one: Day | Attempt = world.days[day_id] if user is None else world.days[day_id].attempts[user]
        one.post_at = world.now + min(timedelta(minutes=2**one.post_tries), timedelta(hours=1))
        one.post_tries += 1
    world.dirty.add("days")


def posted(world: World, day_id: str, user: int | None) -> None:
    one: Day | Attempt = world.days[day_id] if user is None else world.days[day_id].attempts[user]
    one.post_at = None
    world.dirty.add("days")

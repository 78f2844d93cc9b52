"""Stage of bots that are killed: a Discord with servers and people, a database, and checks of the end."""

import asyncio
import random
import shutil
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import or_, select

from bot.app import utc_now
from bot.config import Settings
from bot.domain.table import Status
from bot.services.core import Core, get_table
from bot.services.setup import change_settings
from bot.store.database import Database, parse_url
from bot.store.models import IS_OPEN, IS_UNSHOWN, games, old_messages
from bot.store.schema import migrate_database
from bot.ui.buttons import Verb
from tests.bot.cli.process import scale_stop
from tests.discord import TOKEN, Discord, Person, shown_in
from tests.discord.crowd import Crowd, Place
from tests.discord.ledger import MOVES, Ledger, Pressed
from tests.discord.state import Guild, Message
from tests.faults.lives import Seat

LIVE_TURN_MINUTES, LIVE_GAME_MINUTES = 0.01, 0.05
"""The limit of the hasty tables, which live by seconds: one second, and three for a game in own pace."""
PATIENT_STOP = 12
"""So many times ten seconds a stop may take here. bot/observing/test_in_flight.py tests how long it takes."""
SHOW_SECONDS = 2.0
"""The lease for showing a table, and the wait before progress in own pace is shown."""
CONSTANTS = {
    "bot.domain.deadlines.HOUSE_SECONDS": 0.05,
    "bot.domain.deadlines.LEAST_AGAIN_SECONDS": 0.2,
    "bot.workers.reminders.PRESENT": 0.0,
    "bot.workers.reminders.RETRY_SECONDS": 0.2,
    "bot.workers.delivery.FIRST_RETRY": 0.05,
    "bot.workers.worker.FIRST_RETRY": 0.2,
    "bot.store.claims.SHOW_PROGRESS_LEASE": SHOW_SECONDS,
    "bot.store.claims.SHOW_LEASE": SHOW_SECONDS,
    **scale_stop(PATIENT_STOP),
}
"""The bot waits as often as ever, but not as long."""
SETTLED = 180.0
"""Seconds within which every change has to be shown. It takes less than one, but the machine may be busy."""
PATIENCE = 0.3
"""Seconds people wait for an answer: it may be that nobody lives who could give one."""
GLANCE = 0.02
OLD = 1.0
"""Seconds after which an old button is pressed that is left of a table with nothing more to show."""
THINKING = 0.2
"""Seconds that people look at a table where it is others who are waited for, so that they do not take all the time."""
COMING_AND_GOING = frozenset({Verb.LEAVE, Verb.BACK, Verb.QUIT})


@dataclass
class Stage:
    fake: Discord
    folder: Path
    settings: Settings
    chance: random.Random
    places: list[Place] = field(default_factory=list)
    presses: list[Pressed] = field(default_factory=list)
    constants: dict[str, float] = field(default_factory=lambda: dict(CONSTANTS))
    seat: Seat | None = None
    """The place of the process that was begun last and is to live."""
    _lives: int = 0

    # ------------------------------------------------------------------ the world

    def add_guild(self, *ways: tuple[str, int], people: int = 2) -> Guild:
        """Make a server with a channel for each way of playing: pace, and number of house players."""
        number = len(self.fake.world.guilds)
        guild = self.fake.add_guild(f"guild{number}", [], channels=len(ways))
        for channel, (pace, house) in zip(list(guild.channels.values()), ways, strict=True):
            names = [f"{channel.name}-{seat}" for seat in range(people)]
            sitting = [Person(self.fake, self.fake.add_user(name), PATIENCE) for name in names]
            guild.members |= {person.id: person.user for person in sitting}
            self.places.append(Place(guild, channel, sitting, pace, house=house))
        return guild

    def start(self, seat: Seat, **settings: str) -> None:
        """Start a process, and do not wait for it."""
        self._lives += 1
        usual = {
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": self.settings.database_url.get_secret_value(),
            "EMOJI": "false",
            "LOG_LEVEL": "WARNING",
            "PRESS_LIMIT": "0",
            "COMMAND_LIMIT": "0",
            "LIVE_TURN_MINUTES": f"{LIVE_TURN_MINUTES}",
            "LIVE_ROUND_MINUTES": f"{LIVE_TURN_MINUTES}",
            "LIVE_GAME_MINUTES": f"{LIVE_GAME_MINUTES}",
        }
        found, log = (self.fake.rest, self.fake.gateway), self.folder / f"life-{self._lives}.log"
        seat.begin(log, usual | settings, folder=str(self.folder), fake=found, constants=self.constants)

    async def begin(self, seat: Seat, **settings: str) -> None:
        """Start a process, and wait until it is connected; or has ended already.

        Only then may a test open the database: the bot has to be the first to find what was killed.
        """
        begun = len(self.fake.hub.identified)
        self.start(seat, **settings)
        self.seat = seat
        await self.connected(seat, begun)

    async def connected(self, seat: Seat, begun: int) -> None:
        """Wait until more processes than so many have introduced themselves: the fake may not have noticed yet that an
        earlier one is gone."""
        hub = self.fake.hub
        await self.fake.until(
            lambda: not seat.alive or (len(hub.identified) > begun and bool(hub.connected)), what="connected"
        )

    # ------------------------------------------------------------------ the database

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Core]:
        """Open the database too. Only while a bot lives, because the first process after a kill repairs it."""
        database = Database(parse_url(self.settings.database_url.get_secret_value()), checkpoints=False)
        try:
            yield Core(
                *(database, utc_now, self.settings.load_deck(), 1, self.settings.paces),
            )
        finally:
            await database.close()

    async def prepare(self) -> None:
        """Make the database. No server has pictures: to draw them was a third of what the bots computed, and it is
        test_sockets.py that has them.
        """
        async with self.reading() as core:
            await migrate_database(core.database)
            for guild_id in self.fake.world.guilds:
                await change_settings(core, guild_id, pictures=False)

    async def ledger(self) -> Ledger:
        """Return everything that is stored. Of SQLite a copy is read, as a kill left it."""
        url = parse_url(self.settings.database_url.get_secret_value())
        if url.get_backend_name() == "sqlite":
            assert url.database is not None
            file, copy = Path(url.database), self.folder / "copy.sqlite3"
            for end in ("", "-wal"):
                there, here = file.with_name(file.name + end), copy.with_name(copy.name + end)
                here.unlink(missing_ok=True)
                if there.exists():
                    shutil.copyfile(there, here)
            return Ledger.read(copy)
        return await Ledger.read_at(self.settings.database_url.get_secret_value())

    # ------------------------------------------------------------------ people

    async def play(self, core: Core, enough: Callable[[], bool], *, waiting: bool = False) -> None:
        """Let everybody play until it is enough; with ``waiting`` those who play in haste let their time pass."""
        crowd = Crowd(self.fake, core, self.chance, patience=PATIENCE, over=enough)
        crowd.thinking = THINKING if waiting else 0.0
        crowd.presses = self.presses
        async with asyncio.TaskGroup() as group:
            for place in self.places:
                if waiting and place.pace == "live":
                    group.create_task(self._let_pass(crowd, place, enough))
                else:
                    group.create_task(crowd.play_in(place, enough))
            group.create_task(self._tell_when(enough))

    async def _tell_when(self, enough: Callable[[], bool]) -> None:
        """Let those look again who wait for an answer."""
        while not enough():  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(GLANCE)
        self.fake.changed()

    async def _let_pass(self, crowd: Crowd, place: Place, enough: Callable[[], bool]) -> None:
        """Begin a game where there is none, and decide nothing in it; wake it when it sleeps."""

        def begun() -> bool:
            looks = shown_in(place.where)
            verbs = {press.verb for press in looks[-1].presses} if looks else set()
            return bool(verbs & (MOVES - {Verb.START})) and Verb.WAKE not in verbs

        while not enough():
            await crowd.play_in(place, lambda: enough() or begun())
            await asyncio.sleep(GLANCE)

    # ------------------------------------------------------------------ what has to hold

    async def settle(self, core: Core, or_else: Callable[[], bool] = lambda: False) -> None:
        """Wait until every table was seen at its newest version on exactly one message, or until ``or_else``.

        Fail if the bot ends before.
        """
        begin = time.monotonic()
        look_again = begin + OLD
        left: set[str] | None = None
        while left is None or left:
            if or_else():
                return
            unshown = await self._unshown(core)
            left = unshown if left is None else left & unshown
            assert time.monotonic() < begin + SETTLED, f"not shown: {await self._describe(core, left)}"
            assert self.seat is None or self.seat.alive, (
                f"the bot is gone: {self.seat.logs[-1].read_text('utf-8')[-4000:]}"
            )
            if time.monotonic() > look_again:
                await self._press_old(core, left)
                look_again = time.monotonic() + OLD
            await asyncio.sleep(GLANCE)

    async def _press_old(self, core: Core, left: Iterable[str]) -> None:
        """Press a button of an older version, which puts the message right.

        Two edits of a message can cross on their way to Discord; the bot looks for that when they come back, which it
        does not live to do when it is killed just then.
        """
        for table_id in left:
            table = await get_table(core, table_id)
            place = next(place for place in self.places if place.channel.id == table.channel_id)
            for look in shown_in(place.channel, table_id):
                press = next((each for each in look.presses if each.verb not in COMING_AND_GOING), None)
                if table.is_unshown or look.own_pace or look.version == table.version or press is None:
                    continue
                interaction = place.people[0].begin_press(look.message, press.custom_id)
                self.presses.append(Pressed(place.people[0], press, interaction))
                await self.fake.until_answered(interaction, PATIENCE)

    async def _unshown(self, core: Core) -> set[str]:
        async with core.database.reading() as connection:
            found = await connection.execute(
                select(
                    *(games.c.id, games.c.channel_id, games.c.message_id),
                    *(games.c.version, games.c.status, IS_UNSHOWN.label("unshown")),
                ).where(or_(IS_OPEN, IS_UNSHOWN))
            )
            tables = found.all()
            due = await connection.execute(select(old_messages.c.game_id).where(old_messages.c.due_at.is_not(None)))
            unshown = set(due.scalars())
        for table_id, channel_id, message_id, version, status, is_unshown in tables:
            channel = self.fake.world.channel(channel_id)
            looks = [] if channel is None else shown_in(channel, table_id)
            if len(looks) > 1:
                asked_for = any(look.message.id == message_id and _asked_for(look.message) for look in looks)
                looks = [
                    look
                    for look in looks
                    if look.message.id == message_id or not (asked_for or _asked_for(look.message))
                ]
            versions = [version if look.own_pace else look.version for look in looks]
            if is_unshown or (Status(status).open and versions != [version]):
                unshown.add(table_id)
        return unshown

    async def _describe(self, core: Core, table_ids: Iterable[str]) -> list[object]:
        async with core.database.reading() as connection:
            found = (await connection.execute(select(games).where(games.c.id.in_(table_ids)))).mappings().all()
        return [dict(row) for row in found]

    async def check(self) -> Ledger:
        """Check what holds at every moment, also while no process lives."""
        ledger = await self.ledger()
        ledger.check_presses(self.presses)
        ledger.check_messages(self.fake)
        return ledger

    async def stop(self, seat: Seat) -> None:
        """Stop the bot by SIGTERM, and check that everything was shown without errors."""
        seat.signal(signal.SIGTERM)
        await seat.stopped()
        check_logs(seat)
        await self.check()


def _asked_for(message: Message) -> bool:
    """Return whether it is the answer to ``/highscore show``.

    The next bot does not know such a message if the one before was killed before it stored its id. Nothing was
    unshown, so the bot does not look for it. Or the message before still has its buttons. A press on a stale button
    removes them.
    """
    by = message.by_interaction
    return by is not None and any(option["name"] == "show" for option in by.data.get("options", ()))


def check_logs(seat: Seat) -> None:
    """Fail if a process wrote an error."""
    for log in seat.logs:
        text = log.read_text("utf-8")
        assert " ERROR " not in text, text[-4000:]
        assert "Traceback" not in text, text[-4000:]
    seat.logs.clear()


@asynccontextmanager
async def staged(
    folder: Path,
    chance: random.Random,
    build: Callable[[Stage], None],
    url: str | None = None,
    *,
    prepared: bool = True,
) -> AsyncIterator[Stage]:
    """Give a stage on a Discord that serves, with an empty database; unless ``prepared``, also without tables."""
    values = {
        "database_url": url or f"sqlite+aiosqlite:///{folder / 'games.sqlite3'}",
        "live_turn_minutes": LIVE_TURN_MINUTES,
        "live_round_minutes": LIVE_TURN_MINUTES,
    }
    stage = Stage(Discord(), folder, Settings(_env_file=None, **values), chance)  # type: ignore[call-arg, arg-type]
    build(stage)
    async with stage.fake.serving():
        if prepared:
            await stage.prepare()
        yield stage

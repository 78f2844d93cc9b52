"""Cost that people who ask for expensive things cause others: ``python -m benchmarks.attackers``.

``highscore-bot run`` is a process of its own, on the fake Discord over real sockets. Two people play, one click after
the other, first alone and then beside four people who press as often as the bot lets them: reports, proofs, files and
replays of one finished game after the other, and the export of two thousand games; and while somebody with as many
games has everything deleted.

Targets: the 99th percentile of click to answer is at most twice what it is alone, in the best of three rounds; and no
turn of the bot's event loop takes 50 ms of its thread's processor time (benchmarks/turns.py).
"""

import asyncio
import copy
import random
import sqlite3
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.games import copy_game
from benchmarks.processes import BOT, on_fake
from benchmarks.report import Arguments, Report, clock, p99, run
from benchmarks.turns import ASKED
from bot.app import utc_now
from bot.cli.common import open_database
from bot.config import Settings
from bot.domain.table import Table
from bot.services.core import Core, get_table
from bot.store.database import parse_url
from bot.store.schema import migrate_database
from bot.ui.buttons import DataPress, RecordPress, ReplayPress, Step, TablePress, Verb, Wish
from highscore.deck import STANDARD_DECK
from tests.bot.cli.process import environment
from tests.bot.games import Club, people
from tests.discord.ledger import MOVES
from tests.discord.people import Person
from tests.discord.server import TOKEN, Discord
from tests.discord.state import Channel, Interaction, Message
from tests.discord.tables import Seen, shown_in, until_shown

ATTACKERS = 4
COPIES = 2_000
GAMES = 24
CLICKS = 200
ROUNDS = 3
EVERY = 1 / 6
"""Seconds between two presses of an attacker, which is the limit of presses."""
EXPORTS = 12
"""Every so manieth press asks for one's data."""
THINKING = 0.1
"""Seconds between two clicks of the players: together they keep below the limit of presses."""
PATIENCE = 60.0
MOST_RATIO, MOST_MS = 2.0, 50.0


@dataclass
class Part:
    """The figures of one situation."""

    name: str
    seconds: list[float]
    turn: float
    """Milliseconds of the longest turn of the event loop."""

    @property
    def p99(self) -> float:
        """Milliseconds from click to answer."""
        return p99(self.seconds) * 1000

    def __str__(self) -> str:
        return "".join(f"{each:9.1f}" for each in (median(self.seconds) * 1000, self.p99, self.turn))


class Scene:
    """A bot, the players whom nobody should be able to disturb, and those who try."""

    def __init__(self, fake: Discord, core: Core, channel: Channel, people: list[Person]) -> None:
        self.fake, self.core, self.channel = fake, core, channel
        self.players, self.attackers, self.leaver = people[:2], people[2:-1], people[-1]
        self.rng = random.Random(1)
        self.games: list[Table] = []
        self.look: Seen | None = None
        """The game of the players."""
        self.answers = 0

    async def stock(self, file: Path) -> None:
        """Store finished games of the attackers; of one of them many copies, so that everybody has much to export."""
        assert self.channel.guild is not None
        club, guild = Club(self.core), self.channel.guild.id
        seats = people(*(person.id for person in (*self.attackers, self.leaver)))
        self.games = [await club.finish(seats, guild) for _ in range(GAMES)]
        with closing(sqlite3.connect(file, timeout=30)) as connection, connection:
            # They are in channels that nobody sees.
            connection.execute("update games set shown_content_version = content_version")
            connection.execute("update finished_games set review_owed = false")
            # What is unique stays with the original.
            finished = "'2020-01-01 00:00:00.' || printf('%06d', :number)"
            copy_game(
                connection,
                self.games[0].id,
                range(GAMES + 1, GAMES + 1 + COPIES),
                interaction_id="NULL",
                finished_at=finished,
            )

    async def begin(self) -> Seen:
        """Let the players open a table, sit down and start; return its first turn."""
        host, other = self.players
        asked = await host.slash(self.channel, "highscore new", order="open", seats=2)

        def opened() -> Seen | None:
            return next((look for look in shown_in(self.channel) if look.press(Verb.JOIN)), None)

        look = await self.fake.until(opened, PATIENCE, what=f"a table, but {asked.private!r}")
        assert look is not None
        await other.press(look.message, look.custom_id(Verb.JOIN))
        look = await until_shown(self.fake, self.channel, look.table_id, look.version + 1, PATIENCE)
        await host.press(look.message, look.custom_id(Verb.START))
        return await until_shown(self.fake, self.channel, look.table_id, look.version + 2, PATIENCE)

    async def clicks(self, number: int) -> list[float]:
        seconds: list[float] = []
        while len(seconds) < number:
            look = self.look = self.look or await self.begin()
            table = await get_table(self.core, look.table_id)
            if not table.status.open:
                self.look = None
                continue
            assert table.game is not None
            look = await until_shown(self.fake, self.channel, table.id, table.version, PATIENCE)
            seat = self.rng.choice(table.game.may_act)
            player = next(person for person in self.players if person.id == table.seats[seat].user_id)
            moves = [press for press in look.presses if press.verb in MOVES]
            picks = [press for press in look.presses if press.verb is Verb.TOGGLE]
            press = self.rng.choice([*moves, *self.rng.sample(picks, min(len(picks), 1))])
            began = clock()
            pressed = player.begin_press(look.message, press.custom_id)
            assert await self.fake.until_answered(pressed), "a click was not answered"
            seconds.append(clock() - began)
            await asyncio.sleep(THINKING)
        return seconds

    def press(self, person: Person, message: Message, custom_id: str) -> Interaction:
        """Press a button, which the message is made to carry."""
        button = {"type": 2, "style": 2, "label": "press", "custom_id": custom_id, "id": 99, "disabled": False}
        carrying = copy.copy(message)
        carrying.components = [{"type": 1, "id": 98, "components": [button]}]
        return person.begin_press(carrying, custom_id)

    async def attack(self, attacker: Person) -> None:
        """Press as often as the bot lets people press, whatever is answered."""
        for number in range(1, 1_000_000):
            game = self.rng.choice(self.games)
            wanted = self.rng.choice(
                (
                    TablePress(Verb.REPORT, game.id, game.version),
                    TablePress(Verb.PROOF, game.id, game.version),
                    RecordPress(Step.FILE, game.id),
                    ReplayPress(Step.LAST, game.id, 9999),
                )
            )
            asked = wanted if number % EXPORTS else DataPress(Wish.FILE, attacker.id)
            pressed = self.press(attacker, self.channel.shown[-1], asked.custom_id)
            await asyncio.sleep(EVERY)
            self.answers += pressed.acknowledged

    @asynccontextmanager
    async def attacked(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self.attack(attacker)) for attacker in self.attackers]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def bot(fake: Discord, settings: dict[str, str], folder: Path) -> AsyncIterator[Callable[[], Awaitable[float]]]:
    """Run the bot in a process; yield a function that asks it for its longest turn since the last call."""
    watching = "from benchmarks.turns import watch; watch()"
    process = await asyncio.create_subprocess_exec(
        *on_fake(fake, BOT, watching), env=environment(settings), cwd=folder, stdin=PIPE, stdout=PIPE
    )
    asking, told = process.stdin, process.stdout
    assert asking is not None
    assert told is not None

    async def longest() -> float:
        asking.write(b"\n")
        while not (line := (await told.readline()).decode()).startswith(ASKED):
            assert line, "the bot has ended"
        return float(line.removeprefix(ASKED))

    try:
        await fake.until_connected(seconds=PATIENCE)
        yield longest
    finally:
        process.terminate()
        await process.communicate()


async def measure(folder: Path) -> AsyncIterator[Part]:
    """Measure each situation: the players' seconds, and the longest turn of the loop."""
    fake, defaults = Discord(), Settings(_env_file=None)  # type: ignore[call-arg]
    # How long it takes is measured; that Discord no longer waits is told elsewhere.
    fake.api.answering.answer_seconds = PATIENCE
    persons = [Person(fake, fake.add_user(f"person{at}")) for at in range(2 + ATTACKERS + 1)]
    guild = fake.add_guild("Tavern", [person.user for person in persons], channels=1)
    channel = next(iter(guild.channels.values()))
    file = folder / "games.sqlite3"
    url = f"sqlite+aiosqlite:///{file}"
    settings = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": url, "EMOJI": "false", "LOG_LEVEL": "ERROR"}
    async with open_database(parse_url(url)) as database:
        await migrate_database(database)
        core = Core(database, utc_now, STANDARD_DECK, 20, defaults.paces)
        on = Scene(fake, core, channel, persons)
        await on.stock(file)
        async with fake.serving(), bot(fake, settings, folder) as longest:
            await on.clicks(20)
            for _ in range(ROUNDS):
                await longest()
                yield Part("alone", await on.clicks(CLICKS), await longest())
                async with on.attacked():
                    await asyncio.sleep(0.5)
                    await longest()
                    yield Part("beside attackers", await on.clicks(CLICKS), await longest())
            await longest()
            forever = DataPress(Wish.FOREVER, on.leaver.id).custom_id
            leaving = on.press(on.leaver, channel.shown[-1], forever)
            yield Part("during a deletion", await on.clicks(CLICKS), await longest())
            await fake.until(lambda: "deleted" in str(leaving.response and leaving.response.text), PATIENCE)
            print(f"{on.answers} presses of the attackers were answered")


async def press(_options: Arguments, report: Report) -> None:
    """Measure each situation some times; the best of them counts."""
    best: dict[str, Part] = {}
    own = 0.0
    print("ms" + "".join(f"{head:>9}" for head in ("median", "p99", "turn")))
    with tempfile.TemporaryDirectory() as folder:
        async for part in measure(Path(folder)):
            report.line(part.name, part)
            best[part.name] = min(best.get(part.name, part), part, key=lambda each: each.p99)
            own = max(own, part.turn)
    for name, part in best.items():
        times = part.p99 / best["alone"].p99
        figures = f"best p99 {part.p99:.1f} ms, {times:.2f} of alone"
        report.line(name, figures, f"{MOST_RATIO:g}", times <= MOST_RATIO)
    report.line("longest turn of the loop, its own processor time", f"{own:.1f} ms", f"{MOST_MS:g} ms", own < MOST_MS)


if __name__ == "__main__":
    run(__doc__, press)

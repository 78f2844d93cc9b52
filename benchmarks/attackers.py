"""How much expensive requests slow other players down: ``python -m benchmarks.attackers``.

Two people play, one click after the other, while ``highscore-bot run`` serves a fake Discord over real sockets. Their
clicks are measured in three situations:

* alone;
* while four people press buttons as often as the bot allows: reports, proofs, files and replays of finished games, and
  exports of two thousand games;
* while the bot deletes all data of a person with two thousand games.

Targets: the 99th percentile from click to answer is at most twice as long as alone (the best of three rounds counts),
and no iteration of the bot's event loop (benchmarks/iterations.py) takes more than 50 ms of processor time. It takes
about three minutes.
"""

import asyncio
import copy
import random
import sqlite3
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.databases import open_core
from benchmarks.games import copy_game
from benchmarks.iterations import REPLY
from benchmarks.processes import BOT, PATIENCE, connected
from benchmarks.report import Arguments, Report, clock, p99, run
from bot.domain.table import Table
from bot.services.core import Core, get_table
from bot.ui.buttons import DataPress, RecordPress, ReplayPress, Step, TablePress, Verb, Wish
from tests.bot.games import Club, people
from tests.discord.ledger import MOVES
from tests.discord.people import Person
from tests.discord.server import Discord
from tests.discord.state import Channel, Interaction, Message
from tests.discord.tables import Seen, shown_in, until_shown

ATTACKERS = 4
COPIES = 2_000
GAMES = 24
CLICKS = 200
ROUNDS = 3
EVERY = 1 / 6
"""Seconds between two presses of an attacker. The bot does not allow more presses."""
EXPORTS = 12
"""An attacker exports their data with every twelfth press."""
THINKING = 0.1
"""Seconds between two clicks of the players, who stay below the limit of presses."""
MOST_RATIO, MOST_MS = 2.0, 50.0


@dataclass
class Result:
    """The figures of one situation."""

    name: str
    seconds: list[float]
    iteration: float
    """Milliseconds of the longest iteration of the event loop."""

    @property
    def p99(self) -> float:
        """Milliseconds from click to answer."""
        return p99(self.seconds) * 1000

    def __str__(self) -> str:
        return "".join(f"{each:9.1f}" for each in (median(self.seconds) * 1000, self.p99, self.iteration))


class Scene:
    """The two players, the attackers, and the leaver, who has all their data deleted."""

    def __init__(self, fake: Discord, core: Core, channel: Channel, people: list[Person]) -> None:
        self.fake, self.core, self.channel = fake, core, channel
        self.players, self.attackers, self.leaver = people[:2], people[2:-1], people[-1]
        self.rng = random.Random(1)
        self.games: list[Table] = []
        self.look: Seen | None = None
        """The message of the players' game; None before the first game and after the end of each."""
        self.answers = 0

    async def store_games(self, file: Path) -> None:
        """Store finished games of the attackers and the leaver, and copies of one game, so that each person has much
        data."""
        assert self.channel.guild is not None
        club, guild = Club(self.core), self.channel.guild.id
        seats = people(*(person.id for person in (*self.attackers, self.leaver)))
        self.games = [await club.finish(seats, guild) for _ in range(GAMES)]
        with closing(sqlite3.connect(file, timeout=30)) as connection, connection:
            # The bot should neither show these games, whose channels do not exist, nor review them.
            connection.execute("update games set shown_content_version = content_version")
            connection.execute("update finished_games set review_owed = false")
            # These columns are unique, so the copies need other values.
            finished = "'2020-01-01 00:00:00.' || printf('%06d', :number)"
            copy_game(
                connection,
                self.games[0].id,
                range(GAMES + 1, GAMES + 1 + COPIES),
                interaction_id="NULL",
                finished_at=finished,
            )

    async def begin_game(self) -> Seen:
        """Let the players open a table and start a game. Return the message of its first turn."""
        host, other = self.players
        asked = await host.slash(self.channel, "highscore new", order="open", seats=2)

        def find_lobby() -> Seen | None:
            return next((look for look in shown_in(self.channel) if look.press(Verb.JOIN)), None)

        look = await self.fake.until(find_lobby, PATIENCE, what=f"a table, but {asked.private!r}")
        assert look is not None
        await other.press(look.message, look.custom_id(Verb.JOIN))
        look = await until_shown(self.fake, self.channel, look.table_id, look.version + 1, PATIENCE)
        await host.press(look.message, look.custom_id(Verb.START))
        return await until_shown(self.fake, self.channel, look.table_id, look.version + 2, PATIENCE)

    async def measure_clicks(self, number: int) -> list[float]:
        """Let the players click this many times, in game after game, and return the seconds of each click."""
        seconds: list[float] = []
        while len(seconds) < number:
            look = self.look = self.look or await self.begin_game()
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
        """Press a button as if the message had it."""
        button = {"type": 2, "style": 2, "label": "press", "custom_id": custom_id, "id": 99, "disabled": False}
        carrying = copy.copy(message)
        carrying.components = [{"type": 1, "id": 98, "components": [button]}]
        return person.begin_press(carrying, custom_id)

    async def attack(self, attacker: Person) -> None:
        """Press buttons as often as the bot allows, without waiting for the answers."""
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
    async def attacking(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self.attack(attacker)) for attacker in self.attackers]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def longest_iteration(process: Process) -> float:
    """Return the milliseconds of the longest iteration of the bot's event loop since the last call."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"\n")
    while not (line := (await process.stdout.readline()).decode()).startswith(REPLY):
        assert line, "the bot has ended"
    return float(line.removeprefix(REPLY))


async def measure(folder: Path) -> AsyncIterator[Result]:
    """Yield the figures of each situation, round by round."""
    fake = Discord()
    # Slow answers should be measured, so the fake Discord waits longer than the real one.
    fake.api.answering.answer_seconds = PATIENCE
    persons = [Person(fake, fake.add_user(f"person{at}")) for at in range(2 + ATTACKERS + 1)]
    guild = fake.add_guild("Tavern", [person.user for person in persons], channels=1)
    channel = next(iter(guild.channels.values()))
    file = folder / "games.sqlite3"
    settings = {"DATABASE_URL": f"sqlite+aiosqlite:///{file}"}
    watching = "from benchmarks.iterations import watch; watch()"
    async with open_core(file) as core:
        scene = Scene(fake, core, channel, persons)
        await scene.store_games(file)
        async with fake.serving(), connected(fake, folder, BOT, settings, watching, PIPE) as process:

            async def measure_part(name: str) -> Result:
                await longest_iteration(process)
                return Result(name, await scene.measure_clicks(CLICKS), await longest_iteration(process))

            await scene.measure_clicks(20)
            for _ in range(ROUNDS):
                yield await measure_part("alone")
                async with scene.attacking():
                    await asyncio.sleep(0.5)
                    yield await measure_part("next to attackers")
            forever = DataPress(Wish.FOREVER, scene.leaver.id).custom_id
            leaving = scene.press(scene.leaver, channel.shown[-1], forever)
            yield await measure_part("during a deletion")
            await fake.until(lambda: "deleted" in str(leaving.response and leaving.response.text), PATIENCE)
            print(f"{scene.answers} presses of the attackers were answered")


async def compare(_options: Arguments, report: Report) -> None:
    best: dict[str, Result] = {}
    iteration = 0.0
    print("ms" + "".join(f"{head:>9}" for head in ("median", "p99", "loop")))
    with tempfile.TemporaryDirectory() as folder:
        async for result in measure(Path(folder)):
            report.line(result.name, result)
            best[result.name] = min(best.get(result.name, result), result, key=lambda each: each.p99)
            iteration = max(iteration, result.iteration)
    for name, result in best.items():
        report.check(f"{name}: best p99, times as long as alone", result.p99 / best["alone"].p99, MOST_RATIO)
    report.check("longest iteration of the event loop: processor", iteration, MOST_MS, " ms")


if __name__ == "__main__":
    run(__doc__, compare)

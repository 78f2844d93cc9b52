"""How long a click takes: ``python -m benchmarks.moves [--check] [--quick] [--folder FOLDER]``.

Measures, in one run on a simulated Discord (simcord) with a real database file:

* from a click to its answer, for every decision of whole games, beside the *floor*: a bot whose button only answers,
  with the very same messages; and beside one durable commit of the same rows by bare ``sqlite3``. Target: the median is
  at most 3 times (floor + commit). Tables with pictures are measured too: what they take more is the drawing;
* the same until everything that follows is done (the next turn's message sent, the note of it written), and how many
  moves a second that makes, one after the other and at many tables at once;
* starting with 10,000 open tables beside starting with none. Target: the median is at most 1.1 times.

The bots take turns, game by game, so that whatever else the machine does hits all of them. ``--check`` exits with 1
when a target is missed. ``--folder`` puts the databases on another disk: a commit costs what its disk costs.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Self

import discord
import simcord
from discord.ext import commands
from pydantic import SecretStr
from simcord import Env

from bot.client import HighScoreBot
from bot.services import lobby
from bot.services.core import Person, load
from bot.services.preferences import Wishes as ServerWishes
from bot.services.preferences import change_settings
from bot.settings import Settings
from bot.store.database import Database, parse_url
from bot.store.schema import migrate
from bot.table import Table
from bot.ui.buttons import Press, Verb, bits
from highscore.game import Decision, TakeDice, legal_decisions
from highscore.turn import Roll, SetAside
from tests import simulation
from tests.bot.server import Server, serve
from tests.simulation import Click

CLICK_TARGET = 3.0
START_TARGET = 1.1
PLAYERS = 3
TABLES_AT_ONCE = 20
OPEN_TABLES = 10_000

clock = time.perf_counter


@dataclass
class Measured:
    """Seconds of everything that was done more than once."""

    floor: list[float] = field(default_factory=list)
    commit: list[float] = field(default_factory=list)
    answer: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    """From the click to the answer, without and with pictures."""
    settled: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    """From the click until nothing more is to be done."""
    together: list[tuple[int, float]] = field(default_factory=list)
    """Moves that were asked for at the same time, and the seconds until all were done."""
    start: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    """Starting with no open tables, and with many."""


# ------------------------------------------------------------------------------------------------------- the floor


Answer = dict[str, Any]
"""A message as it goes to Discord: content, embeds, components."""


class OnlyAnswer(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=re.compile("floor:(?P<count>[0-9]+):[0-9]+")
):
    """A button that answers with the next message of a list."""

    def __init__(self, count: int, button: discord.ui.Button[discord.ui.View]) -> None:
        super().__init__(button)
        self.count = count

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["count"]), discord.ui.Button(custom_id=match.string))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        bot: Floor = interaction.client
        await interaction.response.edit_message(**bot.message(self.count))


class Floor(commands.Bot):
    """A bot that does nothing but answer: with the messages another bot has answered with."""

    def __init__(self, given: Sequence[Answer]) -> None:
        super().__init__(command_prefix=commands.when_mentioned, intents=discord.Intents(guilds=True))
        self._given = given

    async def setup_hook(self) -> None:
        self.add_dynamic_items(OnlyAnswer)

    def message(self, count: int) -> dict[str, Any]:
        """The message to answer with, made of new objects as a bot has to make them."""
        given = self._given[count]
        view = discord.ui.View(timeout=None)
        for row, parts in enumerate(given["components"]):
            for at, part in enumerate(parts["components"]):
                button: discord.ui.Button[discord.ui.View] = discord.ui.Button(
                    custom_id=f"floor:{count}:{row * 5 + at}",
                    label=part.get("label"),
                    emoji=discord.PartialEmoji.from_dict(part["emoji"]) if "emoji" in part else None,
                    style=discord.ButtonStyle(part["style"]),
                    disabled=part["disabled"],
                    row=row,
                )
                view.add_item(OnlyAnswer(count, button))
        embeds = [discord.Embed.from_dict(embed) for embed in given["embeds"]]
        return {
            "content": given["content"],
            "embeds": embeds,
            "view": view,
            "attachments": [],
            "allowed_mentions": discord.AllowedMentions(everyone=False, roles=False, users=[], replied_user=False),
        }


async def press_floor(measured: Measured, given: Sequence[Answer]) -> None:
    """Press the button of the floor's bot."""
    env = Env(Floor(given), check_errors=False)
    await env.start()
    try:
        guild = env.create_guild()
        channel = guild.create_text_channel("floor")
        member = guild.add_member(env.create_user("ada"))
        await env.settle()
        message = await env.bot.get_partial_messageable(channel.id).send("Press")
        stopwatch = Stopwatch(env, channel)
        with stopwatch.watching():
            for count in range(len(given)):
                _began, taken = await stopwatch.click(Click(member, message.id, f"floor:{count}:0"))
                measured.floor.append(taken)
                await env.settle()
        assert stopwatch.answers == [changed_ids(answer, count) for count, answer in enumerate(given)]
    finally:
        await env.bot.close()
        await env.shutdown()


def changed_ids(answer: Answer, count: int) -> Answer:
    """An answer as the floor gives it: only what its buttons say when they are pressed is different."""
    rows = [
        {
            **parts,
            "components": [
                {**part, "custom_id": f"floor:{count}:{row * 5 + at}"} for at, part in enumerate(parts["components"])
            ],
        }
        for row, parts in enumerate(answer["components"])
    ]
    return {**answer, "components": rows}


class Stopwatch:
    """Clicks, and takes the time until the answer has arrived at Discord.

    simcord would look whether the bot is idle over and over while the bot waits for its database, which takes the bot
    more time than the work itself. So nothing is looked at before the bot is done.
    """

    def __init__(self, env: Env, channel: simcord.ChannelHandle) -> None:
        self._env = env
        self._channel = channel
        self._answered = asyncio.Event()
        self._moment = 0.0
        self.answers: list[Answer] = []
        """The messages that were answered with, as they went to Discord; not those with files."""

    async def click(self, click: Click) -> tuple[float, float]:
        """Press a button: when that was, and the seconds until it was answered."""
        self._answered.clear()
        env: Any = self._env
        env._settle_internal = self._until_answered
        try:
            began = clock()
            await simulation.click(env, self._channel, click)
        finally:
            del env._settle_internal
        return began, self._moment - began

    async def _until_answered(self, **_options: Any) -> None:
        await asyncio.wait_for(self._answered.wait(), 10)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Inside, answers are noticed."""
        with simulation.answers(self._wrap):
            yield

    def _wrap(self, request: simulation.Request) -> simulation.Request:
        async def send(*args: Any, **kwargs: Any) -> Any:
            result = await request(*args, **kwargs)
            if not self._answered.is_set():
                self._moment = clock()
                self._answered.set()
                if kwargs.get("payload") is not None:
                    self.answers.append(kwargs["payload"]["data"])
            return result

        return send


# ------------------------------------------------------------------------------------------------------- the moves


@asynccontextmanager
async def serving(file: Path, *, pictures: bool) -> AsyncIterator[Server]:
    """The bot with a database in this file."""
    async with serve(settings_for(file)) as server:
        await change_settings(server.bot.core, server.guild.id, ServerWishes(pictures=pictures))
        yield server


def settings_for(file: Path) -> Settings:
    """The default settings, whatever the environment says, and a database in this file."""
    defaults = {name: one.default for name, one in Settings.model_fields.items()}
    return Settings(
        **{
            **defaults,
            "database_url": SecretStr(f"sqlite+aiosqlite:///{file.as_posix()}"),
            "tables_per_channel": TABLES_AT_ONCE,
            # A simulated player presses faster than anybody.
            "press_limit": 0,
            "command_limit": 0,
        }
    )


async def begin(server: Server) -> Table:
    """Open a table, start the game and show it."""
    core = server.bot.core
    host, *others = (Person(member.id, f"Player {at}") for at, member in enumerate(server.members[:PLAYERS]))
    table = await lobby.open_table(
        core, host, guild_id=server.guild.id, channel_id=server.channel.id, locale="en", wishes=lobby.Wishes()
    )
    for other in others:
        await lobby.join(core, table.id, other)
    table = await lobby.start(core, table.id, host)
    server.bot.delivery.owe(table.id)
    await server.bot.delivery.settled()
    return await current(server, table)


async def current(server: Server, table: Table) -> Table:
    """The table as it is now, with the message that shows it."""
    return server.bot.delivery.current(await load(server.bot.core, table.id))


def some_click(server: Server, table: Table, rng: random.Random) -> Click:
    """Some legal decision of a player whose turn it is, as the press of a button."""
    assert table.game is not None
    assert table.message_id is not None
    seat = rng.choice(table.game.may_act)
    member = server.member(table.seats[seat].user_id)
    press = as_press(table, rng.choice(legal_decisions(table.game, seat)))
    return Click(member, table.message_id, press.custom_id)


def as_press(table: Table, decision: Decision) -> Press:
    """The button that asks for a decision."""
    match decision:
        case TakeDice():
            return Press(Verb.TAKE, table.id, table.version)
        case Roll():
            return Press(Verb.ROLL, table.id, table.version, bits(decision.positions))
        case SetAside():
            return Press(Verb.SET_ASIDE, table.id, table.version, bits(decision.positions))
        case _:
            return Press(Verb.STOP, table.id, table.version)


async def play_game(measured: Measured, folder: Path, rng: random.Random, *, pictures: bool) -> list[Answer]:
    """Play one game, a click after the other; after each the same rows are committed by bare sqlite3.

    Returns what the clicks were answered with, for the floor.
    """
    file = folder / "game.sqlite3"
    async with serving(file, pictures=pictures) as server:
        table = await begin(server)
        stopwatch = Stopwatch(server.env, server.channel)
        with Rows(file, folder / "bare.sqlite3", table.id) as rows, stopwatch.watching():
            while table.status.open:
                began, taken = await stopwatch.click(some_click(server, table, rng))
                measured.answer[pictures].append(taken)
                await server.bot.delivery.settled()
                measured.settled[pictures].append(clock() - began)
                await server.env.settle()
                before, table = table, await current(server, table)
                assert table.version == before.version + 1, "the click was refused"
                measured.commit.append(rows.commit())
    remove(file, folder / "bare.sqlite3")
    return stopwatch.answers


async def play_together(measured: Measured, folder: Path, rng: random.Random) -> None:
    """Play at many tables, a click at each of them at the same time."""
    file = folder / "together.sqlite3"
    async with serving(file, pictures=False) as server:
        tables = [await begin(server) for _ in range(TABLES_AT_ONCE)]
        while tables:
            clicks = [some_click(server, table, rng) for table in tables]
            began = clock()
            await simulation.click_together(server.env, server.channel, clicks)
            measured.together.append((len(clicks), clock() - began))
            tables = [table for before in tables if (table := await current(server, before)).status.open]
    remove(file)


class Rows:
    """What a move writes, written once more by bare sqlite3 into a file of its own, with the same durability."""

    def __init__(self, written: Path, own: Path, table_id: str) -> None:
        self._written = sqlite3.connect(written)
        self._written.row_factory = sqlite3.Row
        self._own = sqlite3.connect(own, isolation_level=None)
        for (statement,) in self._written.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
            self._own.execute(statement)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            self._own.execute(f"PRAGMA {pragma}")
        self._table_id = table_id
        self._game = self._row("SELECT * FROM games WHERE id = ?", table_id)
        self._insert("games", self._game)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._written.close()
        self._own.close()

    def commit(self) -> float:
        """Commit what the last move changed and appended; the seconds it took."""
        game = self._row("SELECT * FROM games WHERE id = ?", self._table_id)
        event = self._row("SELECT * FROM events WHERE game_id = ? ORDER BY seq DESC LIMIT 1", self._table_id)
        changed = {name: value for name, value in game.items() if value != self._game[name]}
        assert "state" in changed
        update = f"UPDATE games SET {', '.join(f'{name} = ?' for name in changed)} WHERE id = ? AND version = ?"  # noqa: S608
        values = (*changed.values(), self._table_id, self._game["version"])
        self._game = game
        began = clock()
        self._own.execute("BEGIN IMMEDIATE")
        assert self._own.execute(update, values).rowcount == 1
        self._insert("events", event)
        self._own.execute("COMMIT")
        return clock() - began

    def _row(self, query: str, table_id: str) -> dict[str, Any]:
        return dict(self._written.execute(query, (table_id,)).fetchone())

    def _insert(self, name: str, row: dict[str, Any]) -> None:
        self._own.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", tuple(row.values()))  # noqa: S608


# ------------------------------------------------------------------------------------------------------- the start


async def make_open_tables(file: Path, count: int) -> None:
    """A database with this many games in their middle, each in a channel of its own."""
    rng = random.Random(count)
    async with serving(file, pictures=True) as server:
        table = await begin(server)
        for _ in range(20):
            await simulation.click(server.env, server.channel, some_click(server, table, rng))
            table = await current(server, table)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.row_factory = sqlite3.Row
        for name, key in (("seats", "game_id"), ("events", "game_id"), ("games", "id")):
            rows = [dict(row) for row in connection.execute(f"SELECT * FROM {name}")]  # noqa: S608
            connection.execute(f"DELETE FROM {name}")  # noqa: S608
            columns = ", ".join(f":{column}" for column in rows[0])
            connection.executemany(
                f"INSERT INTO {name} VALUES ({columns})",  # noqa: S608
                (copied(row, key, number) for number in range(count) for row in rows),
            )
        # The server that ``start`` makes: simcord numbers the first one alike every time.
        connection.execute("UPDATE games SET guild_id = ?", (Env(HighScoreBot(settings_for(file))).create_guild().id,))
        connection.execute("PRAGMA foreign_key_check")


def copied(row: dict[str, Any], key: str, number: int) -> dict[str, Any]:
    """A row of a game as a row of another game in another channel."""
    changed = {**row, key: f"{number:012x}"}
    for name in ("channel_id", "message_id", "interaction_id"):
        if row.get(name) is not None:
            changed[name] = row[name] + number * 1_000_000
    return changed


async def start(file: Path) -> float:
    """The seconds from making the bot until it is ready."""
    began = clock()
    env = Env(HighScoreBot(settings_for(file)), shard_count=1, check_errors=False)
    guild = env.create_guild()
    await env.start()
    await env.bot.wait_until_ready()
    taken = clock() - began
    with closing(sqlite3.connect(file)) as connection:
        elsewhere = "SELECT count(*) FROM games WHERE guild_id <> ?"
        assert connection.execute(elsewhere, (guild.id,)).fetchone() == (0,), "or their games would be closed now"
    await env.bot.close()
    await env.shutdown()
    return taken


def measure_starts(measured: Measured, folder: Path, times: int) -> None:
    """Start with none and with many, in turns."""
    files = {False: folder / "none.sqlite3", True: folder / "many.sqlite3"}
    asyncio.run(make_open_tables(files[True], OPEN_TABLES))
    asyncio.run(migrated(files[False]))
    with closing(sqlite3.connect(files[True])) as connection:
        query = "SELECT count(*) FROM games WHERE status = 'playing' AND shown_version = version"
        assert connection.execute(query).fetchone() == (OPEN_TABLES,)
    for count in range(times):
        for many in (False, True) if count % 2 else (True, False):
            taken = asyncio.run(start(files[many]))
            if count > 0:
                measured.start[many].append(taken)
    remove(*files.values())


async def migrated(file: Path) -> None:
    """An empty database at this version's schema."""
    database = Database(parse_url(settings_for(file).database_url.get_secret_value()))
    await migrate(database)
    await database.close()


# ------------------------------------------------------------------------------------------------------ the report


def remove(*files: Path) -> None:
    """Delete databases with what SQLite keeps beside them."""
    for file in files:
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)


def in_ms(seconds: list[float]) -> str:
    """Median and the slow end, in milliseconds."""
    return f"{median(seconds) * 1000:9.2f} ms {quantiles(seconds, n=100)[94] * 1000:9.2f} ms {len(seconds):7}"


def report(measured: Measured) -> list[str]:
    """Print the table; the targets that were missed."""
    missed = []
    budget = median(measured.floor) + median(measured.commit)
    print(f"{'':44} {'median':>12} {'95 %':>12} {'times':>7}   ratio")
    print(f"{'floor: click to answer, nothing else':44} {in_ms(measured.floor)}")
    print(f"{'one durable commit of the same rows, sqlite3':44} {in_ms(measured.commit)}")
    for pictures, what in ((False, "in text"), (True, "with pictures")):
        ratio = median(measured.answer[pictures]) / budget
        target = "" if pictures else f" of floor + commit, target {CLICK_TARGET:g}"
        print(f"{f'move {what}: click to answer':44} {in_ms(measured.answer[pictures])}   {ratio:5.2f}{target}")
        if not pictures and ratio > CLICK_TARGET:
            missed.append(f"a move takes {ratio:.2f} times (floor + commit), target {CLICK_TARGET:g}")
        print(f"{f'move {what}: click until all is done':44} {in_ms(measured.settled[pictures])}")
    for pictures, what in ((False, "in text"), (True, "with pictures")):
        rate = len(measured.settled[pictures]) / sum(measured.settled[pictures])
        print(f"{f'moves a second, one after the other, {what}':44} {rate:9.0f}")
    moves, seconds = map(sum, zip(*measured.together, strict=True))
    print(f"{f'moves a second, {TABLES_AT_ONCE} tables at once, in text':44} {moves / seconds:9.0f}")
    none, many = median(measured.start[False]), median(measured.start[True])
    print(f"{'start with no open table':44} {in_ms(measured.start[False])}")
    start_line = f"{many / none:5.2f} of none, target {START_TARGET:g}"
    print(f"{f'start with {OPEN_TABLES:,} open tables':44} {in_ms(measured.start[True])}   {start_line}")
    if many / none > START_TARGET:
        missed.append(f"a start takes {many / none:.2f} times that with no tables, target {START_TARGET:g}")
    return missed


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say whether the targets were met."""
    parser = argparse.ArgumentParser(prog="benchmarks.moves", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument("--quick", action="store_true", help="a small run, to see that it works")
    parser.add_argument("--folder", type=Path, help="where the databases go")
    options = parser.parse_args(arguments)
    rounds, starts = (2, 6) if options.quick else (6, 26)
    logging.disable(logging.INFO)
    measured, rng = Measured(), random.Random(1)
    with tempfile.TemporaryDirectory(dir=options.folder) as name, idle(1e-5):
        folder = Path(name)
        for number in range(rounds + 1):
            # The first round warms everything up and does not count.
            kept = measured if number else Measured()
            given = asyncio.run(play_game(kept, folder, rng, pictures=False))
            asyncio.run(press_floor(kept, given))
            asyncio.run(play_game(kept, folder, rng, pictures=True))
        asyncio.run(play_together(measured, folder, rng))
        measure_starts(measured, folder, starts)
    missed = report(measured)
    for sentence in missed:
        print(f"MISSED: {sentence}")
    return 1 if missed and options.check else 0


@contextmanager
def idle(seconds: float) -> Iterator[None]:
    """Let simcord look that often whether the bot is idle; its waiting would be most of what is measured."""
    before, simulation.IDLE = simulation.IDLE, seconds
    try:
        with simulation.hurried():
            yield
    finally:
        simulation.IDLE = before


if __name__ == "__main__":
    sys.exit(main())

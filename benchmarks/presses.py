"""Time that a press takes: ``python -m benchmarks.presses``.

From a press until Discord has its answer, over real sockets: ``highscore-bot run`` and its helper are processes of
their own, with pictures and a database file, on the fake Discord of the tests. Beside them a bot whose button only
answers, with the very same messages; both take turns in short pieces, so that whatever else the machine does hits both.

* at one table, a press after the other;
* at one table, nothing but taps on dice, which change only buttons;
* at 20 tables at the same moment;
* at 200 tables, half in the rulebook's order and half in own pace, at 25 and at 100 presses a second;
* five people press at the same moment on one lobby, and every answer takes 200 ms: from these presses until the last
  is acknowledged, and until the newest picture is there.

Targets: at one table 1.6 times the other bot's median, 3 times its 99th percentile; taps 1.3 times its median;
everywhere 5 ms of the bot's processor a press. What the helper takes, which gives way to the bot, is printed next to
it. A press is any that plays: most decide something, one in three in a turn taps a die.
"""

import asyncio
import json
import os
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import answering
from benchmarks.people import ANSWER, SOON, Floor, Place, Stopwatch, Table
from benchmarks.processes import BOT, children_of, on_fake, processor_seconds
from benchmarks.report import FOLDER, QUICK, Arguments, Report, clock, in_ms, p99, run
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.bot.cli.process import environment
from tests.discord import TOKEN, Channel, Discord, Person, shown_in
from tests.discord.calls import Call
from tests.discord.state import BUTTON, UPDATE

MEDIAN_TARGET, TAP_TARGET, P99_TARGET, PROCESSOR_TARGET = 1.6, 1.3, 3.0, 0.005
LAST_ANSWER_TARGET, NEWEST_PICTURE_TARGET = 1.0, 0.7
MANY, AT_ONCE, LATE = 200, 20, 0.2
PAUSE = 0.03
"""Seconds between two presses, or two moments of presses, in which what follows an answer is done."""
OPENED_TOGETHER = 8


@dataclass
class Took:
    """The times that presses took."""

    seconds: list[float] = field(default_factory=list)
    processor: float = 0.0
    helper: float = 0.0


@dataclass
class Side:
    """A bot on a Discord of its own, and where it can be pressed."""

    discord: Discord
    process: Process
    places: Sequence[Place]
    watch: Stopwatch

    async def measured(self, press: Callable[["Side"], Awaitable[None]], took: Took) -> None:
        """Let people press, and note what that took."""
        helpers, before = children_of(self.process.pid), len(self.watch.seconds)
        processes = [self.process.pid, *helpers]
        began = [*map(processor_seconds, processes)]
        await press(self)
        await self.watch.settle()
        await asyncio.sleep(PAUSE)
        bot, *others = (after - at for after, at in zip(map(processor_seconds, processes), began, strict=True))
        took.processor += bot
        took.helper += sum(others)
        took.seconds += self.watch.seconds[before:]


# ------------------------------------------------------------------------------------------------------ how they press


def in_turns(count: int) -> Callable[[Side], Awaitable[None]]:
    """Press so many times at one table, each time when the press before is answered."""

    async def press(side: Side) -> None:
        for _ in range(count):
            await asyncio.sleep(PAUSE)
            side.watch.press(await side.places[0].until_ready())
            await side.watch.settle()

    return press


def taps(count: int) -> Callable[[Side], Awaitable[None]]:
    """Tap so many dice at one table, each when the tap before is answered."""

    async def press(side: Side) -> None:
        for _ in range(count):
            await asyncio.sleep(PAUSE)
            side.watch.press(await side.places[0].until_tap(side.watch))
            await side.watch.settle()

    return press


def at_once(count: int) -> Callable[[Side], Awaitable[None]]:
    """Press so many times, each time at many tables at the same moment."""

    async def press(side: Side) -> None:
        for _ in range(count):
            ready = [await place.until_ready() for place in side.places[:AT_ONCE]]
            await asyncio.sleep(PAUSE)
            for each in ready:
                side.watch.press(each)
            await side.watch.settle()

    return press


def at_rate(rate: float, seconds: float) -> Callable[[Side], Awaitable[None]]:
    """Press at all tables, one after the other, at a steady rate whether the bot keeps up or not."""

    async def press(side: Side) -> None:
        began, places = clock(), cycle(side.places)
        for number in range(round(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - clock()))
            while (ready := next(places).ready()) is None:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0)
            side.watch.press(ready)

    return press


# ------------------------------------------------------------------------------------------------------------- the bots


@asynccontextmanager
async def connected(fake: Discord, folder: Path, program: str, **settings: str) -> AsyncIterator[Process]:
    """Run a bot as a process of its own; yield it when it is connected and at rest."""
    command = on_fake(fake, program)
    ours = {"DISCORD_TOKEN": TOKEN, "EMOJI": "false", "LOG_LEVEL": "ERROR", "PRESS_LIMIT": "0", "COMMAND_LIMIT": "0"}
    process = await asyncio.create_subprocess_exec(
        *command, env=environment(ours | settings), cwd=folder, stdout=DEVNULL
    )
    try:
        await fake.until_connected(seconds=SOON)
        busy = -1.0
        while (now := sum(map(processor_seconds, [process.pid, *children_of(process.pid)]))) > busy + 0.05:
            busy = now
            await asyncio.sleep(1)
        yield process
    finally:
        process.terminate()
        await process.wait()


def a_discord(channels: int) -> tuple[Discord, list[tuple[Channel, list[Person]]]]:
    """Make a fake Discord: a server with so many channels, and two people for each."""
    fake = Discord()
    people = [Person(fake, fake.add_user(f"Player {number}")) for number in range(2 * channels)]
    guild = fake.add_guild("Tavern", [person.user for person in people], channels=channels)
    return fake, list(zip(guild.channels.values(), map(list, zip(people[::2], people[1::2], strict=True)), strict=True))


async def the_bot(fake: Discord, process: Process, places: list[tuple[Channel, list[Person]]]) -> Side:
    """Open the bot's tables: those that are played one at a time and 20 at once are in the rulebook's order."""
    orders = [TurnOrder.CLOCKWISE if at < len(places) / 2 else TurnOrder.OWN_PACE for at in range(len(places))]
    tables = [Table(fake, *place, order) for place, order in zip(places, orders, strict=True)]
    for at in range(0, len(tables), OPENED_TOGETHER):
        await asyncio.gather(*(table.open() for table in tables[at : at + OPENED_TOGETHER]))
    return Side(fake, process, tables, Stopwatch(fake))


def answers_of(fake: Discord) -> list[dict[str, Any]]:
    """Return what presses were answered with: boards with buttons, and for taps on dice nothing but buttons.

    A private page leaves its picture as it is. The other bot would be measured with half of the work.
    """
    given: list[dict[str, Any]] = []
    for call in fake.calls:
        if call.is_like(*ANSWER) and call.body["type"] == UPDATE:
            data = call.body["data"]
            parts = {part["type"] for row in data.get("components", ()) for part in row["components"]}
            if is_tap(data) and parts == {BUTTON}:
                given.append({"message": {"components": data["components"]}, "files": []})
            elif call.files and parts == {BUTTON}:
                given.append({"message": {"content": None, "embeds": [], **data}, "files": call.files})
    return given


def is_tap(data: dict[str, Any]) -> bool:
    """Return whether an answer changes nothing but buttons."""
    return "components" in data and not data.keys() & {"content", "embeds", "attachments"}


# ------------------------------------------------------------------------------------------------- late answers


@dataclass
class Late:
    """Seconds from five presses at the same moment."""

    answered: list[float] = field(default_factory=list)
    """The seconds until the last is acknowledged."""
    shown: list[float] = field(default_factory=list)
    """The seconds until the newest picture is there."""

    async def measure(self, fake: Discord) -> None:
        """Measure a new lobby at which one gets up and four sit down, all at the same moment."""
        guild = next(iter(fake.world.guilds.values()))
        host, one, *others = (Person(fake, fake.add_user(f"Guest {number}")) for number in range(6))
        guild.members |= {person.id: person.user for person in (host, one, *others)}
        channel = fake.add_channel(guild, "late")
        await host.slash(channel, "highscore new", order=TurnOrder.OPEN.value)
        (look,) = await fake.until(lambda: shown_in(channel))
        await one.press(look.message, look.custom_id(Verb.JOIN))
        (look,) = await fake.until(lambda: [each for each in shown_in(channel) if each.press(Verb.START)])
        answers: list[float] = []

        async def wait(_call: Call) -> None:
            await asyncio.sleep(LATE)

        async def answered(_call: Call) -> None:
            answers.append(clock())

        hooks = [fake.before(*ANSWER, wait, times=None), fake.acted(*ANSWER, answered, times=None)]
        pressed = [(one, Verb.LEAVE), *((other, Verb.JOIN) for other in others)]
        began, newest = clock(), look.version + len(pressed)
        for person, verb in pressed:
            person.begin_press(look.message, look.custom_id(verb))
        await fake.until(lambda: [each.version for each in shown_in(channel)] == [newest], SOON, what="the newest")
        self.shown.append(clock() - began)
        await fake.until(lambda: len(answers) == len(pressed), SOON, what="every answer")
        self.answered.append(max(answers) - began)
        for hook in hooks:
            fake.hooks.remove(hook)


# ----------------------------------------------------------------------------------------------------------- in one run


async def compare(options: Arguments, report: Report) -> None:
    """Measure both bots in turns, way by way."""
    times = 1 if options.quick else 5
    ways = {
        "one table": in_turns(50),
        "taps on dice": taps(50),
        f"{AT_ONCE} at once": at_once(5),
        f"{MANY} tables, 25 a second": at_rate(25, 3),
        f"{MANY} tables, 100 a second": at_rate(100, 1.5),
    }
    took = {what: (Took(), Took()) for what in ways}
    late = Late()
    with TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        given = folder / "answers.json"
        (fake, places), (other, messages) = a_discord(MANY), a_discord(MANY)
        settings = {"DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'game.sqlite3'}"}
        async with fake.serving(), connected(fake, folder, BOT, **settings) as process:
            bot = await the_bot(fake, process, places)
            for press in (at_rate(25, 4), at_once(2)):
                await bot.measured(press, Took())  # Its first presses do not count, and show what is answered.
            given.write_text(json.dumps(answers_of(fake)), encoding="utf-8")
            async with (
                other.serving(),
                connected(other, folder, answering.PROGRAM, **{answering.GIVEN: str(given)}) as process,
            ):
                places_of_other = [Floor(other, channel, people[0]) for channel, people in messages]
                only_answers = Side(other, process, places_of_other, Stopwatch(other))
                await only_answers.measured(in_turns(10), Took())
                for _ in range(2 * times):
                    for what, press in ways.items():
                        for side, found in zip((bot, only_answers), took[what], strict=True):
                            await side.measured(press, found)
                for _ in range(4 * times):
                    await late.measure(fake)
        refused = bot.watch.refused, only_answers.watch.refused
    assert max(refused) <= len(bot.watch.seconds) / 100, f"answered otherwise than by an edit: {refused}"
    tell(took, late, report)


def tell(took: dict[str, tuple[Took, Took]], late: Late, report: Report) -> None:
    print(f"{'load ' + ', '.join(f'{each:.1f}' for each in os.getloadavg()):52} {'median, p99':>30}")
    for at, (what, (ours, floor)) in enumerate(took.items()):
        report.line(f"{what}: a bot that only answers", in_ms(floor.seconds))
        report.line(f"{what}: the bot", in_ms(ours.seconds))
        halves, tails = (of(ours.seconds) / of(floor.seconds) for of in (median, p99))
        processor, helper = (each / len(ours.seconds) for each in (ours.processor, ours.helper))
        target = {0: MEDIAN_TARGET, 1: TAP_TARGET}.get(at)
        report.line(
            f"{what}: times its median", f"{halves:.2f}", f"{target or '':}", target is None or halves <= target
        )
        report.line(
            f"{what}: times its p99", f"{tails:.2f}", f"{P99_TARGET:g}" if at < 2 else "", at > 1 or tails <= P99_TARGET
        )
        told = f"{processor * 1000:.2f} + {helper * 1000:.2f} ms"
        met = processor <= PROCESSOR_TARGET
        report.line(f"{what}: processor a press, helper", told, f"{PROCESSOR_TARGET * 1000:g} ms", met)
        report.line(f"{what}: of the other bot", f"{floor.processor / len(floor.seconds) * 1000:.2f} ms")
    for what, found, target in (
        ("the last is answered", late.answered, LAST_ANSWER_TARGET),
        ("the newest picture", late.shown, NEWEST_PICTURE_TARGET),
    ):
        report.line(f"five at once, answers 200 ms late: {what}", in_ms(found), f"{target:g} s", max(found) <= target)


if __name__ == "__main__":
    run(__doc__, compare, QUICK, FOLDER)

"""How long a press takes: ``python -m benchmarks.presses``.

A press is measured until Discord has its answer. The bot and its helper run as processes of their own, with pictures
and a database file, and talk to a fake Discord over real sockets. They are compared with a minimal bot, whose buttons
only answer with the same messages. The two bots take turns, so that other work on the machine slows both down.

These situations are measured:

* at one table, one press after the other;
* at one table, taps on dice, which change only buttons;
* at 20 tables at the same time;
* at 200 tables, half in the rulebook's order and half in own pace, with 25 and with 100 presses a second;
* five people press at the same time on one lobby, and every answer takes 200 ms. This measures, for the bot alone, how
  long it takes until the last answer has arrived and until the newest picture is shown.

Targets: at one table 1.6 times the median of the minimal bot and 3 times its 99th percentile; 1.3 times the median for
taps; and at most 5 ms of the bot's processor time for a press. The helper runs at a lower priority, so its time is
shown but has no target. A press is a decision or, one time in three, a tap on a die. The benchmark takes about six
minutes, with ``--quick`` two.
"""

import asyncio
import json
import os
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import answering
from benchmarks.people import ANSWER, MinimalTable, Stopwatch, Table
from benchmarks.processes import BOT, PATIENCE, children_of, connected, processor_seconds
from benchmarks.report import FOLDER, QUICK, Arguments, Report, clock, in_ms, p99, run
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.discord import Channel, Discord, Person, shown_in
from tests.discord.calls import Call
from tests.discord.state import BUTTON, UPDATE

MEDIAN_TARGET, TAP_TARGET, P99_TARGET, PROCESSOR_TARGET = 1.6, 1.3, 3.0, 5.0
LAST_ANSWER_TARGET, NEWEST_PICTURE_TARGET = 1.0, 0.7
MANY, AT_ONCE, LATE = 200, 20, 0.2
PAUSE = 0.03
"""Seconds between two presses. The bot needs them for the work that follows an answer."""
OPENED_TOGETHER = 8


@dataclass
class Times:
    """The seconds of presses, and the processor seconds of the bot and of its helper."""

    seconds: list[float] = field(default_factory=list)
    processor: float = 0.0
    helper: float = 0.0


@dataclass
class Side:
    """A bot with its own fake Discord, and the tables at which people press."""

    discord: Discord
    process: Process
    tables: Sequence[Table | MinimalTable]
    watch: Stopwatch

    async def measure(self, press: Callable[["Side"], Awaitable[None]], times: Times) -> None:
        """Let people press, and add the times of the presses and of the processes to ``times``."""
        helpers, before = children_of(self.process.pid), len(self.watch.seconds)
        processes = [self.process.pid, *helpers]
        began = [*map(processor_seconds, processes)]
        await press(self)
        await self.watch.settle()
        await asyncio.sleep(PAUSE)
        bot, *others = (after - at for after, at in zip(map(processor_seconds, processes), began, strict=True))
        times.processor += bot
        times.helper += sum(others)
        times.seconds += self.watch.seconds[before:]


# ------------------------------------------------------------------------------------------------------ how they press


def press_one_by_one(count: int, *, is_tap: bool = False) -> Callable[[Side], Awaitable[None]]:
    """Press this many times at one table, each time after the answer to the press before."""

    async def press(side: Side) -> None:
        for _ in range(count):
            await asyncio.sleep(PAUSE)
            table = side.tables[0]
            side.watch.press(await (table.until_tap(side.watch) if is_tap else table.until_ready()))
            await side.watch.settle()

    return press


def press_at_once(count: int) -> Callable[[Side], Awaitable[None]]:
    """Press this many times, each time at many tables at the same time."""

    async def press(side: Side) -> None:
        for _ in range(count):
            ready = [await table.until_ready() for table in side.tables[:AT_ONCE]]
            await asyncio.sleep(PAUSE)
            for each in ready:
                side.watch.press(each)
            await side.watch.settle()

    return press


def press_at_rate(rate: float, seconds: float) -> Callable[[Side], Awaitable[None]]:
    """Press at one table after the other, at a steady rate, even if the bot falls behind."""

    async def press(side: Side) -> None:
        began, tables = clock(), cycle(side.tables)
        for number in range(round(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - clock()))
            while (ready := next(tables).ready()) is None:  # noqa: ASYNC110 - nothing announces it
                await asyncio.sleep(0)
            side.watch.press(ready)

    return press


# ------------------------------------------------------------------------------------------------------------- the bots


def make_discord(channels: int) -> tuple[Discord, list[tuple[Channel, list[Person]]]]:
    """Make a fake Discord whose server has this many channels, with two people for each."""
    fake = Discord()
    people = [Person(fake, fake.add_user(f"Player {number}")) for number in range(2 * channels)]
    guild = fake.add_guild("Tavern", [person.user for person in people], channels=channels)
    return fake, list(zip(guild.channels.values(), map(list, zip(people[::2], people[1::2], strict=True)), strict=True))


async def open_tables(fake: Discord, channels: list[tuple[Channel, list[Person]]]) -> list[Table]:
    """Open a table in each channel: the first half in the rulebook's order, the others in own pace."""
    orders = [TurnOrder.CLOCKWISE if at < len(channels) / 2 else TurnOrder.OWN_PACE for at in range(len(channels))]
    tables = [Table(fake, *channel, order) for channel, order in zip(channels, orders, strict=True)]
    for at in range(0, len(tables), OPENED_TOGETHER):
        await asyncio.gather(*(table.open() for table in tables[at : at + OPENED_TOGETHER]))
    return tables


def find_answers(fake: Discord) -> list[dict[str, Any]]:
    """Return the answers for the minimal bot: boards with buttons, and the buttons that answer a tap on a die.

    Answers that do not change the picture, as on private pages, are left out, because they are less work to send.
    """
    answers: list[dict[str, Any]] = []
    for call in fake.calls:
        if call.is_like(*ANSWER) and call.body["type"] == UPDATE:
            data = call.body["data"]
            parts = {part["type"] for row in data.get("components", ()) for part in row["components"]}
            has_only_buttons = not data.keys() & {"content", "embeds", "attachments"}
            if has_only_buttons and parts == {BUTTON}:
                answers.append({"message": {"components": data["components"]}, "files": []})
            elif call.files and parts == {BUTTON}:
                answers.append({"message": {"content": None, "embeds": [], **data}, "files": call.files})
    return answers


@dataclass
class LateAnswers:
    """The seconds after five presses at the same time while every answer is late."""

    answered: list[float] = field(default_factory=list)
    """Until the last answer has arrived."""
    shown: list[float] = field(default_factory=list)
    """Until the newest picture is shown."""

    async def measure(self, fake: Discord) -> None:
        """Measure a new lobby that one person leaves and four join, all at the same time."""
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

        async def note(_call: Call) -> None:
            answers.append(clock())

        hooks = [fake.before(*ANSWER, wait, times=None), fake.acted(*ANSWER, note, times=None)]
        pressed = [(one, Verb.LEAVE), *((other, Verb.JOIN) for other in others)]
        began, message = clock(), look.message
        asked = [person.begin_press(message, look.custom_id(verb)) for person, verb in pressed]

        def is_newest_shown() -> bool:
            # If the four have joined before the one has left, the last of them is refused.
            refused = sum("All seats" in each.private for each in asked)
            return [each.version for each in shown_in(channel)] == [look.version + len(asked) - refused]

        await fake.until(is_newest_shown, PATIENCE, what="the newest")
        self.shown.append(clock() - began)
        await fake.until(lambda: len(answers) == len(pressed), PATIENCE, what="every answer")
        self.answered.append(max(answers) - began)
        for hook in hooks:
            fake.hooks.remove(hook)


async def compare(options: Arguments, report: Report) -> None:
    """Let both bots take turns, situation by situation. Then measure the late answers."""
    times = 1 if options.quick else 5
    situations = {
        "one table": press_one_by_one(50),
        "taps on dice": press_one_by_one(50, is_tap=True),
        f"{AT_ONCE} at once": press_at_once(5),
        f"{MANY} tables, 25 a second": press_at_rate(25, 3),
        f"{MANY} tables, 100 a second": press_at_rate(100, 1.5),
    }
    found = {name: (Times(), Times()) for name in situations}
    late = LateAnswers()
    (fake, channels), (other, other_channels) = make_discord(MANY), make_discord(MANY)
    with TemporaryDirectory(dir=options.folder) as temporary:
        folder = Path(temporary)
        answers = folder / "answers.json"
        settings = {
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'game.sqlite3'}",
            "PRESS_LIMIT": "0",
            "COMMAND_LIMIT": "0",
        }
        async with fake.serving(), connected(fake, folder, BOT, settings) as process:
            bot = Side(fake, process, await open_tables(fake, channels), Stopwatch(fake))
            # These first presses are not counted. The minimal bot will send their answers.
            for press in (press_at_rate(25, 4), press_at_once(2)):
                await bot.measure(press, Times())
            answers.write_text(json.dumps(find_answers(fake)), encoding="utf-8")
            given = {answering.ANSWERS: str(answers)}
            async with other.serving(), connected(other, folder, answering.PROGRAM, given) as process:
                tables = [MinimalTable(other, channel, people[0]) for channel, people in other_channels]
                minimal = Side(other, process, tables, Stopwatch(other))
                await minimal.measure(press_one_by_one(10), Times())
                for _ in range(2 * times):
                    for name, press in situations.items():
                        for side, side_times in zip((bot, minimal), found[name], strict=True):
                            await side.measure(press, side_times)
                for _ in range(4 * times):
                    await late.measure(fake)
    refused = bot.watch.refused, minimal.watch.refused
    assert max(refused) <= len(bot.watch.seconds) / 100, f"the machine is too busy: {refused} answers were not an edit"
    print_times(found, report)
    report.check("five at once, answers 200 ms late: last answer", max(late.answered), LAST_ANSWER_TARGET, " s")
    report.check("five at once, answers 200 ms late: newest picture", max(late.shown), NEWEST_PICTURE_TARGET, " s")


def print_times(found: dict[str, tuple[Times, Times]], report: Report) -> None:
    print(f"{'load ' + ', '.join(f'{each:.1f}' for each in os.getloadavg()):52} {'median, p99':>30}")
    targets = {"one table": MEDIAN_TARGET, "taps on dice": TAP_TARGET}
    for name, (ours, minimal) in found.items():
        report.line(f"{name}: the minimal bot", in_ms(minimal.seconds))
        report.line(f"{name}: the bot", in_ms(ours.seconds))
        medians, tails = (of(ours.seconds) / of(minimal.seconds) for of in (median, p99))
        if name in targets:
            report.check(f"{name}: times the minimal bot's median", medians, targets[name])
            report.check(f"{name}: times its p99", tails, P99_TARGET)
        else:
            report.line(f"{name}: times the minimal bot's median, p99", f"{medians:.2f}, {tails:.2f}")
        milliseconds = 1000 / len(ours.seconds)
        report.check(f"{name}: processor for a press", ours.processor * milliseconds, PROCESSOR_TARGET, " ms")
        report.line(f"{name}: of the helper", f"{ours.helper * milliseconds:.2f} ms")
        report.line(f"{name}: of the minimal bot", f"{minimal.processor * 1000 / len(minimal.seconds):.2f} ms")


if __name__ == "__main__":
    run(__doc__, compare, QUICK, FOLDER)

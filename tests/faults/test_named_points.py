"""SIGKILL of the whole bot at each kind of request and at random times: what was acknowledged is stored and shown once.

The bot is a separate process, started as ``highscore-bot run`` starts it. Discord is the fake one, on real sockets.
A bot that is killed before a request has had an effect leaves what its last commit has left.
"""

import asyncio
import random
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from tests.discord import ledger, server, tables
from tests.discord.calls import Call, When
from tests.discord.faults import fault
from tests.discord.state import UPDATE
from tests.faults import posts
from tests.faults.lives import Seat
from tests.faults.posts import POST
from tests.faults.stage import SETTLED, Stage, check_logs, staged
from tests.sampling import LARGE

pytestmark = pytest.mark.long

KILLS = 100 if LARGE else 1
"""The kills at each point."""
KILLS_OF_A_STAGE = 3
"""The kills at each point before a new stage: checking everything takes longer after each kill."""
KILLS_BY_CHANCE = 5 if LARGE else 2
"""At moments by chance, in between."""
SIDE_BY_SIDE = 2
"""Bots at the same time, each with a Discord and a database of its own: most of the time goes by waiting."""
LONGEST_LIFE = 1.2
"""Seconds after which a bot is killed at the latest, where the moment is by chance."""
AT_THE_START = 0.25
"""The share of kills that are armed from the bot's start, and not when everything is shown."""
SEVERAL = 4 if LARGE else 1
"""A point is passed up to so many times before the bot is killed there."""
FEW = 0.05


class Request(Enum):
    """A request to Discord by method, path, and the form of its nonce."""

    ANSWER = "the answer to a move", "POST", "/interactions/*/*/callback", None
    PAGE = "a new page", "POST", "/channels/*/messages", r"[0-9a-f]{12}\.\d+\.\d+"
    EDIT = "the edit of a table", "PATCH", "/channels/*/messages/*", None
    DELETION = "the deletion of a page", "DELETE", "/channels/*/messages/*", None
    REMINDER = "a reminder", "POST", "/channels/*/messages", r"r[0-9a-f]{12}\.\d+"
    PODIUM = "a season's podium", "POST", "/channels/*/messages", POST
    DAILY = "a message about the daily challenge", "POST", "/channels/*/messages", POST

    def __init__(self, words: str, method: str, path: str, nonce: str | None) -> None:
        self.words = words
        self.method = method
        self.path = path
        self.nonce = nonce

    def matches(self, discord: server.Discord, call: Call) -> bool:
        if self is Request.ANSWER:
            interaction = discord.world.interactions[int(call.path.split("/")[2])]
            press = tables.parsed(interaction.custom_id)
            return press is not None and press.verb in ledger.MOVES and call.body["type"] == UPDATE
        return self.nonce is None or re.fullmatch(self.nonce, str(call.body.get("nonce", ""))) is not None


@dataclass(eq=False)
class Point:
    request: Request
    when: When
    waiting: bool = False
    """True if those who play in haste have to let their time pass."""
    owing: posts.Owing | None = None
    """Makes something due that the bot then posts."""
    left: int = 1
    """The number of such requests until the kill."""

    def __str__(self) -> str:
        return f"{self.request.words}, {self.when.value}"

    def arm(self, discord: server.Discord, seat: Seat) -> None:
        """Kill the bot in a seat when it comes to this point."""

        async def kill(call: Call) -> None:
            if not seat.alive or not self.request.matches(discord, call):
                return
            self.left -= 1
            if self.left == 0:
                seat.kill()
                discord.hooks.remove(hooked)
                if self.when is When.BEFORE:
                    # The request has arrived but has no effect.
                    discord.faults.next.append((call.method, call.path, fault("reset")))

        hooked = discord.hooks.add(self.when, self.request.method, self.request.path, kill, None)


def points(chance: random.Random) -> list[Point]:
    """Return new points. Which post about the daily challenge is due is left to chance."""
    kinds: list[tuple[Request, bool, posts.Owing | None]] = [
        (Request.ANSWER, False, None),
        (Request.PAGE, False, None),
        (Request.DELETION, False, None),
        (Request.EDIT, True, None),
        (Request.REMINDER, True, None),
        (Request.PODIUM, False, posts.owe_podium),
        (Request.DAILY, False, chance.choice((posts.owe_line, posts.owe_day))),
    ]
    return [Point(request, when, waiting, owing) for request, waiting, owing in kinds for when in When]


def build(stage: Stage) -> None:
    """Make two servers, with tables that play in haste and tables with the house."""
    stage.add_guild(("relaxed", 0), ("live", 0))
    stage.add_guild(("relaxed", 1), people=3)


async def test_a_kill_at_a_named_point_or_a_random_moment_loses_nothing_and_doubles_nothing(
    tmp_path: Path, pair: tuple[Seat, ...]
) -> None:
    async with asyncio.TaskGroup() as group:
        for part, seat in enumerate(pair):
            group.create_task(kill_at_points(seat, part, folder_in(tmp_path, part)))


async def kill_at_points(seat: Seat, part: int, folder: Path) -> None:
    """Kill the bot of a seat at its part of the points, so often at each, and at some moments by chance."""
    chance = random.Random(f"points {part} {KILLS}")
    for number in range(0, KILLS, KILLS_OF_A_STAGE):
        async with staged(folder_in(folder, number), chance, build) as stage:
            times = min(KILLS_OF_A_STAGE, KILLS - number)
            wanted: list[Point | None] = [None] * KILLS_BY_CHANCE
            for _time in range(times):
                wanted += points(chance)[part::SIDE_BY_SIDE]
            chance.shuffle(wanted)
            for point in wanted:
                await (kill_soon(stage, seat) if point is None else kill_at(stage, seat, point))
            await end(stage, seat)


async def kill_at(stage: Stage, seat: Seat, point: Point) -> None:
    fake, chance = stage.fake, stage.chance
    if point.owing is not None:
        async with stage.reading() as core:
            await point.owing(core, chance.choice(stage.places).channel)
    point.left = 1 if point.owing is not None or point.waiting else chance.randint(1, SEVERAL)
    armed = point.owing is not None or chance.random() < AT_THE_START
    begun = len(fake.hub.identified)
    stage.start(seat)

    def over() -> bool:
        return not seat.alive

    if armed:
        point.arm(fake, seat)
    await stage.connected(seat, begun)
    async with stage.reading() as core:
        await stage.settle(core, over)
        if not armed:
            point.arm(fake, seat)
        try:
            async with asyncio.timeout(SETTLED):
                await stage.play(core, over, waiting=point.waiting)
        except TimeoutError:
            raise AssertionError(f"it did not come to {point}: {seat.logs[-1].read_text('utf-8')[-4000:]}") from None
    await seat.killed()
    await stage.check()
    check_logs(seat)


async def kill_soon(stage: Stage, seat: Seat) -> None:
    """Live for a random time; a short life ends while the bot starts."""
    begun = len(stage.fake.hub.identified)
    stage.start(seat)
    killing = asyncio.get_running_loop().call_later(stage.chance.uniform(0, LONGEST_LIFE), seat.kill)
    await stage.connected(seat, begun)
    async with stage.reading() as core:
        await stage.play(core, lambda: not seat.alive, waiting=stage.chance.random() < FEW)
    killing.cancel()
    await seat.killed()
    await stage.check()
    check_logs(seat)


async def end(stage: Stage, seat: Seat) -> None:
    """Start once more: everything is shown and posted. Then it ends in order."""
    await stage.begin(seat)
    async with stage.reading() as core:
        await stage.settle(core)
        (await stage.ledger()).check_logs(stage.fake)
        async with asyncio.timeout(SETTLED):
            while await posts.still_owed(core):  # noqa: ASYNC110 - another process does it
                await asyncio.sleep(FEW)
    await stage.stop(seat)


def folder_in(folder: Path, number: int) -> Path:
    made = folder / str(number)
    made.mkdir()
    return made

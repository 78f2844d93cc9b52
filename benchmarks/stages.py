"""Stages of a click, and the time of each: ``python -m benchmarks.stages``.

Stamps on the way of a decision, in text and with pictures, on a simulated Discord (simcord) with a real database file.
Each line is the median of what one stage takes, so that together they are about the median of the whole. Of simcord
and discord.py are the first and the last.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection

from benchmarks.clicking import Stopwatch as Answered
from benchmarks.clicking import begin, hurried_folder, play, remove, serving
from benchmarks.report import Arguments, Report, clock, run
from bot.cogs.dispatch import Dispatcher
from bot.discord_api.replies import Reply
from bot.services import core
from bot.store.database import Database
from bot.store.sqlite import Writer
from bot.ui.message import Picture
from tests import simulation

GAMES = 5
STAGES = (
    ("pressed", "dispatched", "simcord and discord.py: to our callback"),
    ("dispatched", "writing", "rate limit, route, handler"),
    ("writing", "begun", "to the writer's thread, BEGIN"),
    ("begun", "loaded", "load the table"),
    ("loaded", "planned", "the rules: dice, track, version, moments"),
    ("planned", "written", "write it: UPDATE, INSERT"),
    ("written", "committed", "COMMIT"),
    ("committed", "back", "back to the event loop"),
    ("back", "showing", "tell those who want to know; texts and buttons"),
    ("showing", "drawn", "draw the picture"),
    ("drawn", "sending", "the message for discord.py"),
    ("sending", "answered", "discord.py and simcord: to the answer"),
)


class Stamps:
    """The moments of one click after the other; each name once a click, the first time it is passed."""

    def __init__(self) -> None:
        self.clicks: list[dict[str, float]] = []

    def stamp(self, name: str) -> None:
        if self.clicks and "answered" not in self.clicks[-1]:
            self.clicks[-1].setdefault(name, clock())

    def stages(self) -> Iterator[tuple[str, float]]:
        """Yield the seconds of each stage; clicks that did not pass all of them do not count."""
        whole = [moments for moments in self.clicks if len(moments) == len(STAGES) + 1]
        for start, end, what in STAGES:
            yield what, median(moments[end] - moments[start] for moments in whole)


@contextmanager
def stamped(stamps: Stamps) -> Iterator[None]:
    """Let clicks inside leave their stamps."""

    def around(owner: Any, name: str, before: str | None, after: str | None) -> Any:
        function = getattr(owner, name)

        def passed(which: str | None) -> None:
            if which is not None:
                stamps.stamp(which)

        @wraps(function)
        def plain(*args: Any, **kwargs: Any) -> Any:
            passed(before)
            result = function(*args, **kwargs)
            passed(after)
            return result

        @wraps(function)
        async def awaited(*args: Any, **kwargs: Any) -> Any:
            passed(before)
            result = await function(*args, **kwargs)
            passed(after)
            return result

        return patch.object(owner, name, awaited if asyncio.iscoroutinefunction(function) else plain)

    def transact(writer: Writer, work: Callable[[Connection], Any]) -> Any:
        connection = writer._connection()
        with connection.begin():
            stamps.stamp("begun")
            result = work(connection)
            stamps.stamp("written")
        stamps.stamp("committed")
        return result

    with ExitStack() as stack:
        for each in (
            around(Dispatcher, "answer_press", "dispatched", None),
            around(Database, "write", "writing", "back"),
            patch.object(Writer, "_transact", transact),
            around(core, "load_stored", None, "loaded"),
            around(core, "update_table", "planned", None),
            around(Reply, "show", "showing", None),
            around(Picture, "attach", None, "drawn"),
        ):
            stack.enter_context(each)
        yield


class Stopwatch(Answered):
    """Clicks, with the stamps of a press and of its answer."""

    stamps: Stamps

    async def click(self, click: simulation.Click) -> tuple[float, float]:
        self.stamps.clicks.append({"pressed": clock()})
        return await super().click(click)

    def _wrap(self, request: simulation.Request) -> simulation.Request:
        inner = super()._wrap(request)

        async def send(*args: Any, **kwargs: Any) -> Any:
            self.stamps.stamp("drawn")  # In text there is nothing to draw.
            self.stamps.stamp("sending")
            result = await inner(*args, **kwargs)
            self.stamps.stamp("answered")
            return result

        return send


async def play_game(stamps: Stamps, file: Path, rng: random.Random, *, pictures: bool) -> None:
    async with serving(file, pictures=pictures) as server:
        stopwatch = Stopwatch(server.env, server.channel)
        stopwatch.stamps = stamps
        async for _click in play(server, await begin(server), rng, stopwatch):
            pass
    remove(file)


def measure(_options: Arguments, report: Report) -> None:
    """Measure the median of each stage."""
    found: dict[bool, dict[str, float]] = {}
    with hurried_folder(None) as folder:
        for pictures in (False, True):
            for number in range(GAMES + 1):
                if number <= 1:  # The first game warms everything up.
                    stamps = Stamps()
                with stamped(stamps):
                    asyncio.run(play_game(stamps, folder / "game.sqlite3", random.Random(number), pictures=pictures))
            found[pictures] = dict(stamps.stages())
            found[pictures]["together"] = sum(found[pictures].values())
    report.line("ms, medians", "text, with pictures")
    for what, seconds in found[False].items():
        report.line(what, f"{seconds * 1000:.3f}, {found[True][what] * 1000:.3f}")


if __name__ == "__main__":
    run(__doc__, measure)

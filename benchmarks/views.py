"""How long each view blocks the event loop: ``python -m benchmarks.views``.

The bot serves a simulated Discord (simcord) with a large database file. The server has about 3,000 finished games, and
the person who looks at the views has played more of them than anybody else. The benchmark measures every command, every
button that shows a lot, and the messages and private pages of a league of 128 people and 14 legs.

Target: at most 10 ms of processor time for the longest step of the handler, or of preparing the message that it sends.
A step is the code from one ``await`` to the next. The quickest of three requests counts. Work that takes longer belongs
in the helper process. The benchmark takes about two minutes, with ``--quick`` half a minute.
"""

import asyncio
import gc
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from simcord import MemberActor

from benchmarks.community import make_community
from benchmarks.databases import quiet_folder, settings_for
from benchmarks.report import FOLDER, QUICK, Arguments, Report, run
from bot.cogs.dispatch import Dispatcher
from bot.domain.cup import CupPost, CupView
from bot.domain.cup_leg import Format
from bot.domain.leaderboard import Order
from bot.services.core import Core
from bot.services.cup import add_league_table
from bot.ui.buttons import (
    FAME,
    DataPress,
    HistoryPress,
    LeaderboardPress,
    RecordPress,
    ReplayPress,
    SetupStep,
    Step,
    TablePress,
    Verb,
    Wish,
)
from bot.ui.cup import render_cup, render_cup_post, render_results
from bot.ui.message import Rendered
from tests.bot.passing import moderator
from tests.bot.played import finished
from tests.bot.server import Server, serve
from tests.bot.ui.cups import played_cup, view_of

GAMES, ENTRANTS, LEGS = 20_000, 128, 14
MOST_MS = 10.0
TIMES = 3

View = Callable[[], Awaitable[object]]
"""A function that requests a view and waits for it."""


class Steps:
    """Awaits ``work`` and measures each of its steps on the event loop."""

    longest = 0.0
    """The longest step, in milliseconds of the thread's processor time."""

    def __init__(self, work: Awaitable[Any]) -> None:
        self._work = work

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._work.__await__()
        throw: BaseException | None = None
        while True:
            began = time.thread_time()
            try:
                waited_for = next(steps) if throw is None else steps.throw(throw)
            except StopIteration as stop:
                return stop.value
            finally:
                Steps.longest = max(Steps.longest, (time.thread_time() - began) * 1000)
            throw = None
            try:
                yield waited_for
            except BaseException as error:
                throw = error


async def measure_view(view: View) -> float:
    """Return the longest step of a view in milliseconds, from the quickest of three tries.

    Garbage collection is off during a try, because its duration varies.
    """
    best = float("inf")
    for _ in range(TIMES):
        gc.collect()
        gc.disable()
        Steps.longest = 0.0
        await view()
        gc.enable()
        best = min(best, Steps.longest)
    return best


def move_largest(file: Path, server: Server) -> list[str]:
    """Give the busiest person's data to the first member of the simulated server, and the data of their server to that
    server. Return the ids of its newest 20 games."""
    with closing(sqlite3.connect(file, timeout=30)) as connection, connection:
        busiest = "SELECT guild_id, user_id FROM standings WHERE period = 'all' ORDER BY games DESC"
        guild, user = connection.execute(busiest).fetchone()
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            for column, new, old in (("guild_id", server.guild.id, guild), ("user_id", server.members[0].id, user)):
                if column in columns:
                    change = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = ?"  # noqa: S608
                    connection.execute(change, (new, old))
        newest = "SELECT game_id FROM finished_games WHERE guild_id = ? ORDER BY finished_at DESC LIMIT 20"
        return [row[0] for row in connection.execute(newest, (server.guild.id,))]


async def list_views(server: Server, games: list[str]) -> dict[str, View]:
    ada, mod, table = server.members[0], await moderator(server), await finished(server, 5)

    def slash(name: str, member: MemberActor = ada, **options: Any) -> View:
        return lambda: server.slash(member, name, **options)

    def press(custom_id: str, member: MemberActor = ada) -> View:
        return lambda: server.send(member, custom_id, 0)

    verbs = Verb.REPORT, Verb.PROOF, Verb.SHARE, Verb.SHARE_FINAL
    return {
        **{f"leaderboard, {order.value}": slash("leaderboard", period="all", order=order.value) for order in Order},
        "leaderboard, records": slash("leaderboard", order=FAME),
        "leaderboard, another page": press(LeaderboardPress(Order.RATING.value, "all", 5, ada.id).custom_id),
        "history": slash("history"),
        "history of a person": slash("history", player=ada),
        "history, another page": press(HistoryPress(Step.OLDER, games[-1], ada.id).custom_id),
        **{f"replay, position {at}": press(ReplayPress(Step.NEXT, table.id, at).custom_id) for at in (0, 40, 9999)},
        "replay, export": press(RecordPress(Step.FILE, table.id).custom_id),
        **{f"game, {verb.value}": press(TablePress(verb, table.id, table.version).custom_id) for verb in verbs},
        **{name: slash(name) for name in ("stats", "me", "rules", "daily", "cup", "learn", "away", "show")},
        "setup": slash("setup", mod),
        "setup, another step": press(SetupStep(1).custom_id, mod),
        "me, as a file": press(DataPress(Wish.FILE, ada.id).custom_id),
    }


async def measure_server(file: Path, report: Report) -> None:
    """Measure all commands and buttons, then the cups."""
    answer, prepare_message = Dispatcher.answer, Rendered.prepare_message

    async def stepping_answer(self: Dispatcher, interaction: Any, kind: Any, work: Awaitable[Any]) -> Any:
        return await answer(self, interaction, kind, Steps(work))

    async def stepping_prepare(self: Rendered) -> Any:
        return await Steps(prepare_message(self))

    with (
        patch.object(Dispatcher, "answer", stepping_answer),
        patch.object(Rendered, "prepare_message", stepping_prepare),
    ):
        async with serve(settings_for(file)) as server:
            games = await asyncio.to_thread(move_largest, file, server)
            for name, view in (await list_views(server, games)).items():
                report.check(name, await measure_view(view), MOST_MS, " ms")
            await measure_cups(server.bot.core, report)


async def measure_cups(core: Core, report: Report) -> None:
    """Measure the messages and private pages of a large league: while its last leg is open, and after its end."""
    names = [f"Player with a long name {number}" for number in range(ENTRANTS)]
    played = played_cup(ENTRANTS, Format.LEAGUE, LEGS)
    for closed, post in ((LEGS - 1, CupPost.LEG), (LEGS, CupPost.OVER)):
        view = view_of(played, names, closed)
        shown: dict[str, Callable[[CupView], object]] = {
            "page": partial(render_cup, user_id=3, moderates=True),
            "results": partial(render_results, leg=closed, user_id=3, challenge_id=None),
            "post": partial(render_cup_post, what=post, leg=LEGS, argument=0),
        }
        for name, show in shown.items():
            took = await measure_view(partial(show_cup, core, view, show))
            report.check(f"league after {closed} legs, {name}", took, MOST_MS, " ms")


async def show_cup(core: Core, view: CupView, show: Callable[[CupView], object]) -> None:
    async def work() -> None:
        show(await add_league_table(core, view))

    await Steps(work())


async def measure(options: Arguments, report: Report) -> None:
    with quiet_folder(options.folder) as folder:
        file = folder / "views.sqlite3"
        await make_community(file, 500 if options.quick else GAMES)
        await measure_server(file, report)


if __name__ == "__main__":
    sys.setswitchinterval(0.001)
    run(__doc__, measure, QUICK, FOLDER)

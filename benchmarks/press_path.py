"""Lists every function that runs when somebody presses *Roll*: ``python -m benchmarks.press_path > docs/press.txt``.

The list begins with the gateway's event and ends when the message is stored as shown. The listed roll is the third one
of a game, when the caches are filled. Functions are listed by file, in the order of their first call. Lambdas,
comprehensions and generator expressions count as part of the function around them. The program takes half a minute.
"""

import asyncio
import random
import sys
import threading
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

import bot
from benchmarks.databases import settings_for
from bot.domain.table import Table
from bot.services.core import Person, Place, get_table
from bot.services.lobby import NewTable, join_table, open_table, start_game
from bot.ui.buttons import TurnPress, Verb
from highscore.events import Decision, TakeDice
from highscore.game import list_decisions
from highscore.turn import Roll, SetAside
from highscore.turn_order import TurnOrder
from tests import simulation
from tests.bot.server import Server, serve
from tests.simulation import Click

SOURCES = Path(bot.__file__).parent.parent
ROOMS = ("app", "cogs", "services", "workers", "discord_api", "store")
"""The rooms that a press passes through. The other rooms (domain, screens, pictures, engine) only compute values."""
PLAYERS = 3
UNLISTED_ROLLS = 2
"""The number of rolls before the one that is listed."""


async def begin_game(server: Server) -> Table:
    """Open a table, start its game, and return the table once its message is sent."""
    core = server.bot.core
    host, *others = (Person(member.id, f"Player {at}") for at, member in enumerate(server.members[:PLAYERS]))
    table = await open_table(
        core, host, Place(server.guild.id, server.channel.id, "en"), NewTable(order=TurnOrder.OPEN)
    )
    for other in others:
        await join_table(core, table.id, other)
    await start_game(core, table.id, host)
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settle()
    return await reload(server, table)


async def reload(server: Server, table: Table) -> Table:
    """Load the table again, with the id of the message that shows it."""
    return server.bot.delivery.current(await get_table(server.bot.core, table.id))


def click_for(server: Server, table: Table, seat: int, decision: Decision) -> Click:
    assert table.message_id is not None
    match decision:
        case TakeDice():
            press = TurnPress(Verb.TAKE, table.id, table.version)
        case Roll():
            press = TurnPress(Verb.ROLL, table.id, table.version, decision.positions)
        case SetAside():
            press = TurnPress(Verb.SET_ASIDE, table.id, table.version, decision.positions)
        case _:
            press = TurnPress(Verb.STOP, table.id, table.version)
    return Click(server.member(table.seats[seat].user_id), table.message_id, press.custom_id)


class Recorder:
    """A profiler that records the functions of the project that are called in any thread while it is on."""

    def __init__(self) -> None:
        self.is_on = False
        self.calls: dict[str, dict[str, None]] = defaultdict(dict)
        self._files: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if not self.is_on or event != "call":
            return
        code = frame.f_code
        if code not in self._files:
            self._files[code] = _find_file(code)
        if (file := self._files[code]) is not None:
            self.calls[file][code.co_qualname] = None


def _find_file(code: CodeType) -> str | None:
    """Return the path of a function's file in the repository; None if it is neither the bot's nor the engine's."""
    path = Path(code.co_filename)
    if code.co_name.startswith("<") or not path.is_relative_to(SOURCES):
        return None
    file = path.relative_to(SOURCES).as_posix()
    return file if file.startswith(("bot/", "highscore/")) else None


async def press(server: Server, table: Table, recorder: Recorder, *, is_listed: bool) -> bool:
    """Roll if a player can, otherwise make the first possible decision. Return whether it was a roll."""
    assert table.game is not None
    choices = [(seat, each) for seat in table.game.may_act for each in list_decisions(table.game, seat)]
    seat, decision = next((one for one in choices if isinstance(one[1], Roll)), choices[0])
    is_roll = isinstance(decision, Roll)
    click = click_for(server, table, seat, decision)
    recorder.is_on = is_listed and is_roll
    await simulation.click(server.env, server.channel, click)
    recorder.is_on = False
    await server.bot.delivery.settle()
    await server.env.settle()
    return is_roll


async def record(recorder: Recorder, folder: Path) -> None:
    async with serve(settings_for(folder / "path.sqlite3")) as server:
        table = await begin_game(server)
        rolls = 0
        while rolls <= UNLISTED_ROLLS:
            rolls += await press(server, table, recorder, is_listed=rolls == UNLISTED_ROLLS)
            table = await reload(server, table)


def main() -> None:
    recorder = Recorder()
    # A thread gets the profiler when it starts. The threads of the database start after this line.
    threading.setprofile(recorder)
    chance = random.Random(1)
    with (
        TemporaryDirectory() as folder,
        patch("secrets.token_bytes", chance.randbytes),
        patch("secrets.token_hex", lambda size: chance.randbytes(size).hex()),
    ):
        sys.setprofile(recorder)
        asyncio.run(record(recorder, Path(folder)))
        sys.setprofile(None)
    in_rooms = {file: calls for file, calls in recorder.calls.items() if file.removeprefix("bot/").startswith(ROOMS)}
    for name, files in (("the six rooms", in_rooms), ("all rooms", recorder.calls)):
        print(f"{name}: {sum(map(len, files.values()))} functions in {len(files)} files")
    for file, calls in recorder.calls.items():
        print(f"\n{file}")
        for call in calls:
            print(f"    {call}")


if __name__ == "__main__":
    main()

"""The functions that one *Roll* runs, from the gateway's event until the message's new content is stored as shown.

    python -m benchmarks.press_path > docs/press.txt

The third roll of a game is listed, so caches are warm. Functions are listed by file, in the order of their first call;
lambdas, comprehensions and generator expressions belong to the function around them.
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
from benchmarks.clicking import as_press, begin, current, serving
from bot.domain.table import Table
from highscore.game import list_decisions
from highscore.turn import Roll
from tests import simulation
from tests.bot.server import Server

SOURCES = Path(bot.__file__).parent.parent
ROOMS = ("app", "cogs", "services", "workers", "discord_api", "store")
"""The rooms that a reader goes through; domain, screens, pictures and engine are looked up on the way."""
WARM = 2
"""The rolls before the one that is listed."""


class Recorder:
    """Notes which functions of the project are called, in every thread, while it is switched on."""

    def __init__(self) -> None:
        self.on = False
        self.calls: dict[str, dict[str, None]] = defaultdict(dict)
        self._files: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if not self.on or event != "call":
            return
        code = frame.f_code
        if code not in self._files:
            self._files[code] = _find_file(code)
        if (file := self._files[code]) is not None:
            self.calls[file][code.co_qualname] = None


def _find_file(code: CodeType) -> str | None:
    """Return the file of a function of the bot or the engine, relative to the repository; None for anything else."""
    path = Path(code.co_filename)
    if code.co_name.startswith("<") or not path.is_relative_to(SOURCES):
        return None
    file = path.relative_to(SOURCES).as_posix()
    return file if file.startswith(("bot/", "highscore/")) else None


async def press(server: Server, table: Table, recorder: Recorder, *, listed: bool) -> bool:
    """Roll if somebody can, or else make the first decision; return whether it was a roll. Wait for everything."""
    assert table.game is not None
    assert table.message_id is not None
    choices = [(seat, each) for seat in table.game.may_act for each in list_decisions(table.game, seat)]
    seat, decision = next((one for one in choices if isinstance(one[1], Roll)), choices[0])
    is_roll = isinstance(decision, Roll)
    member = server.member(table.seats[seat].user_id)
    click = simulation.Click(member, table.message_id, as_press(table, decision).custom_id)
    recorder.on = listed and is_roll
    await simulation.click(server.env, server.channel, click)
    recorder.on = False
    await server.bot.delivery.settle()
    await server.env.settle()
    return is_roll


async def record(recorder: Recorder, folder: Path) -> None:
    async with serving(folder / "path.sqlite3", pictures=True) as server:
        table = await begin(server)
        rolls = 0
        while rolls <= WARM:
            rolls += await press(server, table, recorder, listed=rolls == WARM)
            table = await current(server, table)


def main() -> None:
    """Print the list."""
    recorder = Recorder()
    # The threads of the database begin later, so they inherit it.
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

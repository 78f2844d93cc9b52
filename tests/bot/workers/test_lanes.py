"""Turns at a table: one at a time, answers before upkeep, and the newest of those with the same message."""

import asyncio
from dataclasses import replace

from bot.domain.table import Table
from bot.workers.delivery import Lanes
from highscore.turn_order import TurnOrder
from tests.bot.ui.tables import table_of
from tests.bot.workers.turned import rest

UPKEEP, MESSAGE, OTHER = None, 50, 60
TABLE = table_of(0, TurnOrder.CLOCKWISE)


def at(content_version: int) -> Table:
    return replace(TABLE, content_version=content_version)


class Turns:
    """Those who want turns at a table. Whoever has one has it until it is ended."""

    def __init__(self) -> None:
        self.lanes = Lanes()
        self.had: list[str] = []
        """The names of those who have had a turn, in this order."""
        self.now: dict[str, asyncio.Event] = {}
        """The events that end the present turns, by name."""

    async def ask(self, name: str, offer: int | None = UPKEEP) -> asyncio.Task[bool]:
        """Ask for a turn; the task says whether it was had."""
        task = asyncio.create_task(self._have(name, offer))
        await rest()
        return task

    async def _have(self, name: str, offer: int | None) -> bool:
        async with self.lanes.turn(TABLE.id, offer) as has_turn:
            if has_turn:
                assert not self.now
                self.had.append(name)
                self.now[name] = asyncio.Event()
                try:
                    await self.now[name].wait()
                finally:
                    del self.now[name]
            return has_turn

    async def end(self) -> None:
        for over in self.now.values():
            over.set()
        await rest()

    async def end_all(self) -> None:
        while self.now:
            await self.end()
        assert self.lanes.is_free(TABLE.id)


async def test_one_turn_is_under_way_at_a_time_and_answers_come_before_upkeep() -> None:
    turns = Turns()
    await turns.ask("first")
    for name, offer in (("upkeep", UPKEEP), ("more upkeep", UPKEEP), ("answer", MESSAGE), ("another", OTHER)):
        await turns.ask(name, offer)
    assert (turns.had, turns.lanes.is_free(TABLE.id)) == (["first"], False)
    await turns.end_all()
    assert turns.had == ["first", "answer", "another", "upkeep", "more upkeep"]


async def test_a_newer_answer_takes_the_place_of_one_with_the_same_message() -> None:
    turns = Turns()
    await turns.ask("first")
    older, other, newer = [
        await turns.ask(name, offer) for name, offer in (("older", MESSAGE), ("other", OTHER), ("newer", MESSAGE))
    ]
    assert older.result() is False
    await turns.end_all()
    assert turns.had == ["first", "other", "newer"]
    assert [other.result(), newer.result()] == [True, True]


async def test_whoever_is_cut_off_while_waiting_is_passed_over() -> None:
    turns = Turns()
    await turns.ask("first")
    for each in (await turns.ask("answer", MESSAGE), await turns.ask("upkeep")):
        each.cancel()
    await rest()
    await turns.ask("newer", MESSAGE)
    await turns.ask("more upkeep")
    await turns.end_all()
    assert turns.had == ["first", "newer", "more upkeep"]


async def test_whoever_is_cut_off_as_their_turn_comes_leaves_it_to_the_next() -> None:
    turns = Turns()
    async with turns.lanes.turn(TABLE.id):
        answer = await turns.ask("answer", MESSAGE)
        await turns.ask("upkeep")
    answer.cancel()
    await rest()
    assert answer.cancelled()
    await turns.end_all()
    assert turns.had == ["upkeep"]


async def test_whoever_is_cut_off_as_another_takes_their_place_ends_nobodys_turn() -> None:
    turns = Turns()
    await turns.ask("first")
    older = await turns.ask("older", MESSAGE)
    asyncio.get_running_loop().call_soon(lambda: asyncio.get_running_loop().call_soon(older.cancel))
    await turns.ask("newer", MESSAGE)
    assert (older.cancelled(), turns.had) == (True, ["first"])
    await turns.end_all()
    assert turns.had == ["first", "newer"]


async def test_whose_turn_comes_knows_the_newest_table_that_was_committed_meanwhile() -> None:
    lanes = Lanes()
    lanes.note_committed(at(5))
    assert lanes.newest(at(3)).content_version == 3, "nobody has a turn, and nothing is kept"
    async with lanes.turn(TABLE.id):
        for content_version, newest in ((5, 5), (4, 5), (6, 6)):
            lanes.note_committed(at(content_version))
            assert lanes.newest(at(2)).content_version == newest
        assert lanes.newest(at(7)).content_version == 7
        waiting = asyncio.create_task(lanes.turn(TABLE.id, MESSAGE, at(8)).__aenter__())
        await rest()
        assert lanes.newest(at(2)).content_version == 8
        waiting.cancel()
        assert lanes.newest(replace(at(1), id="another")).content_version == 1

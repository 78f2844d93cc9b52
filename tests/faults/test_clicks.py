"""Many people who click at once, and each of them several times: every set of duplicates counts once.

The use cases by themselves, hundreds at a time and also with the same interaction delivered several times, to two
processes; tests/bot/cogs/test_presses.py has the whole bot. Large: 10,000 uses.
"""

import asyncio
import os
import random
from collections import Counter
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field, replace

from bot.config import Settings
from bot.domain.errors import PlayedElsewhere, Refused, Stale
from bot.domain.table import MAX_SEATS, Status, Table
from bot.services import lobby
from bot.services.core import Core, Person, latest, load
from bot.services.lobby import NewTable
from bot.services.turn import decide
from bot.store.table import load_events
from highscore.errors import IllegalChoice
from highscore.events import Decision
from highscore.game import legal_decisions, replay
from highscore.turn import Stop
from highscore.turn_order import TurnOrder
from tests.bot.cores import GUILD, opened
from tests.bot.databases import rows

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
CLICKS = 10_000 if LARGE else 200
TABLES = 3
CROWD = 12
HUNDREDS = 400 if LARGE else 60
"""Uses of the services that are on their way at once."""

PEOPLE = [Person(7_000_001 + at, f"Guest {at}") for at in range(CROWD)]


@dataclass
class Hall:
    """Several tables that are played by everybody at once, without Discord, in two processes."""

    cores: tuple[Core, Core]
    settings: Settings
    chance: random.Random
    tables: list[Table] = field(default_factory=list)
    clicks: int = 0
    told: Counter[str] = field(default_factory=Counter)
    games: int = 0
    moves: int = 0

    async def open(self, at: int) -> Table:
        """A lobby into which everybody wants at once, several times; then many start it at once."""
        order = (TurnOrder.CLOCKWISE, TurnOrder.OPEN)[at % 2]
        host = self.chance.choice(PEOPLE)
        wishes, asked = NewTable(order=order), self._new()
        # Allowed to have more tables: it is for the interaction alone that there is one.
        opening = [
            lobby.open_table(
                self._core(),
                replace(host, interaction_id=asked),
                guild_id=GUILD,
                channel_id=100 + at,
                locale="en",
                wishes=wishes,
            )
            for _delivery in range(4)
        ]
        assert await self._at_once(opening) == 1
        table = await latest(self._core(), 100 + at)
        guests = [self.chance.choice(PEOPLE) for _press in range(2 * CROWD)] + PEOPLE
        presses = [(one, self._new()) for one in guests]
        presses += [self.chance.choice(presses) for _again in range(CROWD)]
        self.chance.shuffle(presses)
        await self._at_once(
            lobby.join(self._core(), table.id, replace(one, interaction_id=number)) for one, number in presses
        )
        table = await load(self._core(), table.id)
        sitting = [seat.user_id for seat in table.seats]
        assert len(sitting) == len(set(sitting)) == MAX_SEATS == table.version + 1
        people = [host] * 10 + PEOPLE
        starts = [lobby.start(self._core(), table.id, replace(one, interaction_id=self._new())) for one in people]
        assert await self._at_once(starts) == 1
        # Whoever published the opening says so, and again where that was not noted; the first message counts.
        openings = [self._new() for _delivery in range(3)]
        begun = await asyncio.gather(*(lobby.begin(self._core(), table.id, number) for number in openings))
        (opening_id,) = {one.opening_id for one in begun}
        assert opening_id in openings
        self.games += 1
        return await load(self._core(), table.id)

    def _core(self) -> Core:
        return self.chance.choice(self.cores)

    async def wave(self, size: int) -> None:
        """At every table the right press several times, the same interaction again, wrong and late ones, all mixed."""
        share, presses = size // len(self.tables), list[Awaitable[Table]]()
        rights: list[set[int]] = []
        for table in self.tables:
            assert table.game is not None
            seats = list(table.game.may_act)
            decisions = {seat: self._decision(table, seat) for seat in seats}
            # In open order several people reach for the dice at once, and each of them often.
            asked = [(self.chance.choice(seats), self._new()) for _press in range(share // 3)]
            asked += [self.chance.choice(asked) for _again in range(share // 3)]
            presses += [self._decide(table, seat, decisions[seat], number) for seat, number in asked]
            rights.append({number for _seat, number in asked})
            presses += [self._wrong(table, decisions) for _press in range(share - len(asked))]
        self.chance.shuffle(presses)
        await self._at_once(presses)
        for at, table in enumerate(self.tables):
            after = await load(self._core(), table.id)
            assert after.version == table.version + 1, "one press of all of them counts"
            sql = "select interaction_id from events where game_id = ? and seq > ?"
            ((counted,),) = rows(self.settings, sql, table.id, table.version)
            assert counted in rights[at]
            self.moves += 1
            self.tables[at] = after if after.status is Status.PLAYING else await self._again(at, after)

    async def _again(self, at: int, over: Table) -> Table:
        assert over.status is Status.FINISHED
        await check(self._core(), over)
        return await self.open(at)

    def _decision(self, table: Table, seat: int) -> Decision:
        assert table.game is not None
        options = legal_decisions(table.game, seat)
        stops = [option for option in options if isinstance(option, Stop)]
        return self.chance.choice(stops or [options[-1]] if self.chance.random() < 0.6 else options)

    def _decide(self, table: Table, seat: int, decision: Decision, number: int) -> Awaitable[Table]:
        user_id = table.seats[seat].user_id
        assert user_id is not None
        return decide(self._core(), table.id, user_id, decision, version=table.version, interaction_id=number)

    def _wrong(self, table: Table, decisions: dict[int, Decision]) -> Awaitable[Table]:
        """A press of an older picture, or of somebody who may not."""
        decision = self.chance.choice(list(decisions.values()))
        on = [table.seats[seat].user_id for seat in decisions]
        back = self.chance.choice((0, 1, 1, 2))
        user_id = self.chance.choice([one.user_id for one in PEOPLE if back or one.user_id not in on])
        return decide(
            self._core(), table.id, user_id, decision, version=table.version - back, interaction_id=self._new()
        )

    def _new(self) -> int:
        self.clicks += 1
        return self.clicks

    async def _at_once(self, work: Iterable[Awaitable[Table]]) -> int:
        """Wait for all of it; everybody is told what became of it. Returns how many counted."""
        counted = 0
        for result in await asyncio.gather(*work, return_exceptions=True):
            match result:
                case Table():
                    counted += 1
                    self.told["counted"] += 1
                case PlayedElsewhere() | Stale() | Refused() | IllegalChoice():
                    self.told[type(result).__name__] += 1
                case _:
                    raise AssertionError(f"an error, not an answer: {result!r}")
        return counted


async def check(core: Core, table: Table) -> None:
    """What is stored is what the log leads to."""
    events = await core.database.read(load_events, table.id)
    assert replay(len(table.seats), table.turn_order, events) == table.game


async def test_of_hundreds_of_uses_at_once_each_set_of_duplicates_counts_once(settings: Settings) -> None:
    several = settings.model_copy(update={"tables_per_channel": 3})
    async with opened(several) as core, opened(several) as other:
        hall = Hall((core, other), settings, random.Random(CLICKS))
        hall.tables = [await hall.open(at) for at in range(TABLES)]
        while hall.clicks < CLICKS:
            await hall.wave(HUNDREDS)
        for table in hall.tables:
            await check(core, table)
        print(f"{hall.told.total()} uses at {hall.games} tables, {hall.moves} moves: {dict(hall.told)}")
    numbers = [number for (number,) in rows(settings, "select interaction_id from events") if number is not None]
    assert len(numbers) == len(set(numbers))

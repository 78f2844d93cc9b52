"""Hundreds of presses at once, from two processes and many of them twice: at each table one of them counts.

tests/bot/services has what people want at once in a lobby (test_two_processes.py) and every use case that is delivered
twice (test_interactions.py), tests/bot/cogs/test_presses.py the whole bot. Large: 10,000 presses.
"""

import asyncio
import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator

from bot.config import Settings
from bot.domain.errors import PlayedElsewhere, Refused, Stale
from bot.domain.table import Status, Table
from bot.services.core import Core, load
from bot.services.turn import decide
from bot.store.table import load_events
from highscore.errors import IllegalChoice
from highscore.events import Decision
from highscore.game import legal_decisions, replay
from highscore.turn import Stop
from highscore.turn_order import TurnOrder
from tests.bot.cores import PEOPLE, begun, game_of, opened, seated
from tests.bot.databases import rows

PRESSES = 10_000 if os.environ.get("HIGHSCORE_LARGE") == "1" else 200
TABLES = 3
AT_ONCE = 20
"""Presses at each table that are on their way at once: a third, the same ones again, and what is wrong or late."""
STRANGERS = range(7_000_001, 7_000_008)

Press = tuple[Table, int, Decision, int, int]
"""Table, person, decision, the version that they look at, and the interaction."""


async def new_game(core: Core, number: int) -> Table:
    order = (TurnOrder.CLOCKWISE, TurnOrder.OPEN)[number % 2]
    return await begun(core, (await seated(core, len(PEOPLE), order, channel_id=number)).id)


def presses_at(table: Table, chance: random.Random, interactions: Iterator[int]) -> list[Press]:
    """Those who may act press often, and everybody presses what is late or not theirs."""
    game = game_of(table)
    right: list[Press] = []
    # In open order several people reach for the dice at once, and each of them often.
    decisions = {seat: _decision(table, seat, chance) for seat in game.may_act}
    for _press in range(AT_ONCE // 3):
        seat = chance.choice(game.may_act)
        user_id = table.seats[seat].user_id or 0
        right.append((table, user_id, decisions[seat], table.version, next(interactions)))
    again = [chance.choice(right) for _press in right]
    may = [table.seats[seat].user_id for seat in game.may_act]
    users = [*STRANGERS, *(one.user_id for one in PEOPLE)]
    wrong: list[Press] = []
    while len(right) + len(again) + len(wrong) < AT_ONCE:
        back = chance.choice((0, 1, 1, 2))
        user_id = chance.choice([one for one in users if back or one not in may])
        decision = chance.choice(list(decisions.values()))
        wrong.append((table, user_id, decision, table.version - back, next(interactions)))
    return right + again + wrong


def _decision(table: Table, seat: int, chance: random.Random) -> Decision:
    options = legal_decisions(game_of(table), seat)
    stops = [option for option in options if isinstance(option, Stop)]
    return chance.choice(stops or [options[-1]] if chance.random() < 0.6 else options)


async def check(core: Core, settings: Settings, before: Table, presses: list[Press]) -> Table:
    """One press of all of them counts, of somebody who might; what is stored is what the log leads to."""
    after = await load(core, before.id)
    assert after.version == before.version + 1
    sql = "select interaction_id from events where game_id = ? and seq > ?"
    ((counted,),) = rows(settings, sql, before.id, before.version)
    may = {before.seats[seat].user_id for seat in game_of(before).may_act}
    right = [
        user_id in may and seen == before.version for _table, user_id, _what, seen, asked in presses if asked == counted
    ]
    assert right
    assert all(right)
    events = await core.database.read(load_events, after.id)
    assert replay(len(after.seats), after.turn_order, events) == after.game
    return after


async def test_of_hundreds_of_presses_at_once_each_set_of_duplicates_counts_once(settings: Settings) -> None:
    chance, interactions, told = random.Random(PRESSES), itertools.count(1), Counter[str]()
    async with opened(settings) as core, opened(settings) as other:
        tables = [await new_game(core, number) for number in range(TABLES)]
        while told.total() < PRESSES:
            presses = [press for table in tables for press in presses_at(table, chance, interactions)]
            chance.shuffle(presses)
            answers = await asyncio.gather(
                *(
                    decide(chance.choice((core, other)), table.id, user_id, what, version=seen, interaction_id=asked)
                    for table, user_id, what, seen, asked in presses
                ),
                return_exceptions=True,
            )
            for answer in answers:
                assert isinstance(answer, Table | PlayedElsewhere | Stale | Refused | IllegalChoice), repr(answer)
                told[type(answer).__name__] += 1
            tables = [await check(other, settings, table, presses) for table in tables]
            tables = [
                table if table.status is Status.PLAYING else await new_game(core, number)
                for number, table in enumerate(tables)
            ]
    print(f"{told.total()} presses: {dict(told)}")
    numbers = [number for (number,) in rows(settings, "select interaction_id from events") if number is not None]
    assert len(numbers) == len(set(numbers))

"""An interaction that Discord delivers to two processes, which happens while one takes over from the other.

Two cores on one database are the two processes. Whichever gets it first acts on it, the other one does nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.config import Settings
from bot.domain.errors import AlreadyHandled
from bot.domain.table import Table
from bot.services import cancelling, coaching, cup, daily, lobby, turn
from bot.services.core import Core, Person, Place, claim_interaction, get_open_table
from bot.services.cup import NewCup
from bot.services.lobby import start_rematch
from bot.store.marks import STORED_FOR
from bot.ui.buttons import Verb
from highscore.events import TakeDice
from tests.bot import attempts
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, GUILD, NOW, on_turn, open_one, opened, seated, started
from tests.bot.databases import everything, rows
from tests.bot.passing import moderator
from tests.bot.server import Server

pytestmark = pytest.mark.both_databases

ASKED = 1_400_000_000_000_000_001
"""The interaction that is delivered twice."""
TABLES = 5

Call = Callable[[Core], Awaitable[Any]]


@pytest.fixture
async def cores(settings: Settings) -> AsyncIterator[tuple[Core, Core]]:
    allowed = settings.model_copy(update={"tables_per_channel": TABLES})
    async with opened(allowed) as one, opened(allowed) as other:
        yield one, other


def _asking(person: Person, interaction_id: int = ASKED) -> Person:
    return replace(person, interaction_id=interaction_id)


async def _cancel_the_newest(core: Core) -> Table:
    # As the command does: whichever table is the channel's newest one then.
    table = await get_open_table(core, CHANNEL, _asking(ADA))
    return await cancelling.cancel_table(core, table.id, _asking(ADA))


IN_LOBBY: dict[str, tuple[int, Callable[[Core, str], Awaitable[Any]]]] = {
    "join": (1, lambda core, table_id: lobby.join_table(core, table_id, _asking(BEN))),
    "leave as the last": (1, lambda core, table_id: lobby.leave_lobby(core, table_id, _asking(ADA))),
}
"""The requests in a lobby, each with the number of people at the table."""
IN_GAME: dict[str, Callable[[Core, Table], Awaitable[Any]]] = {
    "take the dice": lambda core, table: turn.decide_turn(
        core, table.id, on_turn(table), TakeDice(), version=table.version, interaction_id=ASKED
    ),
}


async def _seat_two_tables(core: Core) -> Call:
    for _number in range(2):
        await seated(core, 1)
    return _cancel_the_newest


async def _end_a_game(core: Core) -> Call:
    table = await started(core)
    await cancelling.cancel_table(core, table.id, ADA)
    return lambda core: start_rematch(core, table.id, _asking(ADA))


async def _roll(core: Core) -> Call:
    table = await started(core)
    table = await turn.decide_turn(core, table.id, on_turn(table), TakeDice(), version=table.version)
    return lambda core: coaching.give_hint(core, table.id, on_turn(table), table.version, interaction_id=ASKED)


async def _begin_the_daily(core: Core) -> Call:
    attempt = await daily.begin_attempt(core, ADA, Place(GUILD, CHANNEL, "en"))
    return lambda core: attempts.decide(core, daily.DAYS, attempt, person=_asking(ADA))


PREPARED = {
    "cancel one of two": _seat_two_tables,
    "rematch": _end_a_game,
    "ask for a hint": _roll,
    "play the daily": _begin_the_daily,
}
"""The state that a request needs."""
AT_ONCE: dict[str, Call] = {
    "open": lambda core: open_one(core, _asking(BEN), house=1),
    "open a thread": lambda core: claim_interaction(core, ASKED),
    "open a cup": lambda core: cup.open_cup(core, _asking(BEN), Place(GUILD, CHANNEL, "en"), NewCup("Spring")),
}


async def _prepare(core: Core, what: str) -> Call:
    if what in IN_LOBBY:
        players, ask = IN_LOBBY[what]
        table_id = (await seated(core, players)).id
        return lambda core: ask(core, table_id)
    if what in IN_GAME:
        table = await started(core, 3)
        return lambda core: IN_GAME[what](core, table)
    return await PREPARED[what](core) if what in PREPARED else AT_ONCE[what]


@pytest.mark.parametrize("what", [*IN_LOBBY, *IN_GAME, *PREPARED, *AT_ONCE])
async def test_what_is_delivered_to_two_processes_is_done_by_one(
    cores: tuple[Core, Core], settings: Settings, what: str
) -> None:
    one, other = cores
    call = await _prepare(one, what)
    before = everything(settings)
    answers = await asyncio.gather(call(one), call(other), return_exceptions=True)
    assert sum(isinstance(answer, AlreadyHandled) for answer in answers) == 1
    assert sum(isinstance(answer, BaseException) for answer in answers) == 1
    sql = " union all ".join(
        f"select interaction_id from {table} where interaction_id = {ASKED}"  # noqa: S608 - our own names
        for table in ("events", "interactions")
    )
    assert rows(settings, sql) == [(ASKED,)]
    done = everything(settings)
    assert done != before
    for again in (other, one):
        with pytest.raises(AlreadyHandled):
            await call(again)
        assert everything(settings) == done


async def test_interactions_are_forgotten_after_an_hour(cores: tuple[Core, Core], settings: Settings) -> None:
    one, other = cores
    table = await seated(one, 1)
    await lobby.join_table(one, table.id, _asking(BEN))
    for core in (one, other):
        core.now = lambda: NOW + STORED_FOR
    await lobby.join_table(one, table.id, _asking(CEM, ASKED + 1))
    await seated(one, 1)
    assert rows(settings, "select interaction_id from interactions order by 1") == [(ASKED,), (ASKED + 1,)]
    for core in (one, other):
        core.now = lambda: NOW + STORED_FOR + timedelta(seconds=1)
    await asyncio.gather(seated(one, 1), seated(other, 1, channel_id=CHANNEL + 1))
    assert rows(settings, "select interaction_id from interactions") == [(ASKED + 1,)]


def _known(server: Server) -> int:
    return sum(
        int(number)
        for (number,) in server.rows(
            "select count(*) from interactions union all select count(*) from events where interaction_id is not null"
        )
    )


@pytest.mark.only_sqlite("what is asked decides, not how it is stored")
async def test_every_command_and_every_button_that_changes_something_leaves_its_number(server: Server) -> None:
    ada, ben = server.members[:2]
    mod = await moderator(server)

    async def lucky_word() -> None:
        await ada.submit_modal(await server.press(ada, Verb.LUCKY_WORD), {"word": "clover"})

    async def play() -> None:
        await server.press(server.on_turn(await server.table()), Verb.TAKE)

    async def hint() -> None:
        await server.press(server.on_turn(await server.table()), Verb.HINT)

    asks: list[Callable[[], Awaitable[object]]] = [
        lambda: server.slash(ada, "new", order="open"),
        lambda: server.press(ada, Verb.ADD_HOUSE),
        lambda: server.press(ada, Verb.DROP_HOUSE),
        lambda: server.press(ben, Verb.JOIN),
        lambda: server.press(ben, Verb.LEAVE),
        lucky_word,
        lambda: server.press(ben, Verb.JOIN),
        lambda: server.slash(ben, "leave"),
        lambda: server.press(ben, Verb.JOIN),
        lambda: server.slash(ada, "table", action="remove", player=ben),
        lambda: server.press(ben, Verb.JOIN),
        lambda: server.press(ada, Verb.START),
        lambda: server.slash(mod, "table", action="skip"),
        play,
        hint,
        lambda: server.cancel(mod),
        lambda: server.press(ben, Verb.REMATCH),
        lambda: server.cancel(ben),
        lambda: server.slash(ben, "new", thread=True),
        lambda: server.slash(ben, "daily"),
    ]
    for number, ask in enumerate(asks, start=1):
        await ask()
        assert _known(server) == number

import asyncio
import random
from dataclasses import replace

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from bot.domain.errors import Stale
from bot.domain.table import Status, Table
from bot.services import cancelling, facts, lobby
from bot.services.core import Core, get_table
from bot.services.lobby import start_rematch
from bot.services.proof import export_finished as export_game
from bot.services.turn import decide_turn
from bot.store.models import events
from bot.store.table import Conflict, append_events, update_table
from highscore import StartPlayerDrawn, TakeDice, TurnOrder, list_decisions, proof, replay_events
from tests.bot.cores import ADA, BEN, NOW, on_turn, seated, started

pytestmark = pytest.mark.both_databases


async def _decide(core: Core, table: Table, chance: random.Random, interaction_id: int) -> Table:
    assert table.game is not None
    seat = chance.choice(table.game.may_act)
    user_id = table.seats[seat].user_id
    assert user_id is not None
    decision = chance.choice(list_decisions(table.game, seat))
    return await decide_turn(core, table.id, user_id, decision, version=table.version, interaction_id=interaction_id)


async def test_every_move_is_stored_as_what_its_events_lead_to(core: Core) -> None:
    chance = random.Random("moves")
    table = await started(core, 3, TurnOrder.OPEN)
    moves = 0
    while table.status is Status.PLAYING:
        before = table
        table = await _decide(core, table, chance, interaction_id=10_000 + moves)
        moves += 1
        assert table.version == before.version + 1
        assert await get_table(core, table.id) == table
    assert table.status is Status.FINISHED
    document = await export_game(core, table.id)
    assert replay_events(3, TurnOrder.OPEN, document.events) == proof.verify_export(document).state == table.game
    async with core.database.reading() as connection:
        seqs = list(await connection.scalars(select(events.c.seq).order_by(events.c.seq)))
    assert seqs == list(range(table.version - moves - 1, table.version + 1))


async def test_two_decisions_at_once_are_one_move(core: Core) -> None:
    table = await started(core)
    committed: list[Table] = []
    core.facts.subscribe(facts.TableChanged, lambda fact: committed.append(fact.after))
    tries = (
        decide_turn(core, table.id, on_turn(table), TakeDice(), version=table.version, interaction_id=number)
        for number in range(20)
    )
    results = await asyncio.gather(*tries, return_exceptions=True)
    (after,) = [result for result in results if isinstance(result, Table)]
    # A person who comes too late is shown the table as it is. Listeners are told of commits only.
    assert [result.table for result in results if isinstance(result, Stale)] == [after] * 19
    assert committed == [after] == [await get_table(core, table.id)]
    assert after.version == table.version + 1


async def test_a_number_of_an_event_is_used_once(core: Core) -> None:
    table = await started(core)
    drawn = [StartPlayerDrawn(0)]
    with pytest.raises(IntegrityError):
        await core.database.write(append_events, table, drawn, NOW, user_id=None, interaction_id=None)


async def test_a_table_that_was_changed_since_it_was_read_is_a_conflict(core: Core) -> None:
    read = await seated(core, 1)
    await lobby.join_table(core, read.id, BEN)
    changed = replace(read, host_id=1, version=read.version + 1)
    with pytest.raises(Conflict, match=read.id):
        await core.database.write(update_table, changed, read.version, NOW)
    assert (await get_table(core, read.id)).host_id == ADA.user_id


async def test_a_change_that_fails_after_writing_is_undone_completely(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(core)

    def broken(*_arguments: object, **_options: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("bot.store.table.append_events", broken)
    with pytest.raises(OSError, match="disk"):
        await decide_turn(core, table.id, on_turn(table), TakeDice(), version=table.version)
    assert await get_table(core, table.id) == table


async def test_a_game_keeps_its_deck_when_the_deck_file_changes(core: Core) -> None:
    table = await started(core)
    other = replace(core.deck, name="other", cards=core.deck.cards[7:14])
    core.deck = other
    assert (await get_table(core, table.id)).deck == table.deck != other
    await cancelling.cancel_table(core, table.id, ADA)
    assert (await start_rematch(core, table.id, ADA)).deck == other

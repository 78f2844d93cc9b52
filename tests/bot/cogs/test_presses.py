"""Buttons: every press that comes too late, twice, from the wrong person or from nowhere."""

from itertools import product
from typing import Any

import pytest

from bot.cogs.routes import ROUTES
from bot.domain.table import Table
from bot.store.database import Database
from bot.ui.buttons import TablePress, TurnPress, Verb
from bot.ui.text import table_link
from highscore import cards, default_choice
from tests import simulation
from tests.bot import cores, decks, passing
from tests.bot.databases import everything, execute, traces
from tests.bot.server import Server, private
from tests.simulation import Click

CROWD = 30
DURING_A_TURN = (Verb.TAKE, Verb.STOP, Verb.ROLL, Verb.SET_ASIDE, Verb.TOGGLE)
IN_THE_LOBBY = (Verb.JOIN, Verb.LEAVE, Verb.START, Verb.LUCKY_WORD)
VERSIONED = (*DURING_A_TURN, *IN_THE_LOBBY, Verb.REMATCH, Verb.PROOF)
"""Verbs that do nothing in a running game unless they were pressed looking at its newest version."""


def _press_of(table: Table, verb: Verb) -> str:
    return _forge(verb, table.id, table.version, 127 if verb in (Verb.ROLL, Verb.SET_ASIDE) else 0)


def _forge(verb: Verb, table_id: str, version: int, last: int) -> str:
    return f"hs:{verb.value}:{table_id}:{version}:{last}"


async def _turn(server: Server, roll_type: cards.RollType, players: int = 2) -> Table:
    """Begin a turn on a card of this roll type without frozen dice, up to its first choice."""
    server.bot.core.deck = decks.of_type(roll_type)
    return await server.begin_turn(players)


async def test_presses_that_are_refused_change_nothing_and_get_a_sentence(server: Server) -> None:
    table = await _turn(server, cards.RollType.ANY_THREE, 3)
    image, looks = everything(server.settings), server.looks()
    player, waiting, spectator = server.on_turn(table), server.off_turn(table), server.members[4]
    assert "not your turn" in private(await server.send(waiting, _press_of(table, Verb.TAKE)))
    for member in (waiting, spectator):
        assert private(await server.press(member, Verb.TOGGLE))
    for verb in DURING_A_TURN:
        assert "not playing" in private(await server.send(spectator, _press_of(table, verb)))
    for verb in [verb for verb in Verb if f"hs:{verb.value}" in ROUTES and verb is not Verb.RULES]:
        told = private(await server.send(player, _forge(verb, "f" * 12, 3, 1)))
        assert "no table here" in told or "over" in told
    for verb, (version, argument) in product(VERSIONED, ((0, 128), (999_999_999, 999))):
        assert private(await server.send(player, _forge(verb, table.id, version, argument)))
    assert (everything(server.settings), server.looks()) == (image, looks)

    await server.cancel(await passing.moderator(server))
    image = everything(server.settings)
    for verb, later in product((*DURING_A_TURN, *IN_THE_LOBBY), (0, 1)):
        assert private(await server.send(player, _forge(verb, table.id, table.version + later, 1)))
    assert everything(server.settings) == image


async def test_a_stale_press_changes_nothing_and_shows_the_table(server: Server) -> None:
    old = await server.begin(2)
    player = server.on_turn(old)
    await server.press(player, Verb.TAKE)
    table, image = await server.table(), everything(server.settings)
    for verb in VERSIONED:
        told = private(await server.send(player, _press_of(old, verb)))
        if verb in DURING_A_TURN:
            assert all(part in told for part in ("moved on", table_link(table), "Worth **"))
    assert everything(server.settings) == image

    execute(server.settings, "delete from games")
    for verb in (Verb.TAKE, Verb.TOGGLE, Verb.STOP):
        assert "no table here" in private(await server.send(player, _press_of(table, verb)))


async def test_picking_dice_writes_nothing_to_the_database_and_outlives_a_restart(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    mod = await passing.moderator(server)
    written: list[object] = []
    write = Database.write

    async def count(database: Database, work: Any, *values: Any) -> Any:
        written.append(work)
        return await write(database, work, *values)

    monkeypatch.setattr(Database, "write", count)
    for roll_type, verb in ((cards.RollType.SET_ASIDE, Verb.SET_ASIDE), (cards.RollType.ANY_THREE, Verb.ROLL)):
        table = await _turn(server, roll_type)
        player = server.on_turn(table)
        await server.settle()
        before = traces(server.settings)
        assert before
        turn = cores.game_of(table).turn
        assert turn is not None
        kept = set(default_choice.find_default_choice(turn).kept)
        written.clear()
        for at in (0, 3, 0):
            await server.press(player, Verb.TOGGLE, nth=at)
        await server.settle()
        assert (written, traces(server.settings)) == ([], before)
        await server.restart()
        before = traces(server.settings)
        await server.press(player, Verb.TOGGLE, nth=6)
        assert traces(server.settings) == before
        kept ^= {3, 6}
        dice = tuple(kept if verb is Verb.SET_ASIDE else set(range(7)) - kept)
        assert server.buttons(verb)[0].custom_id == TurnPress(verb, table.id, table.version, dice).custom_id
        await server.press(player, verb, nth=0)
        assert (await server.table()).version == table.version + 1
        assert traces(server.settings) != before
        if verb is Verb.ROLL:
            ((lines,),) = server.rows("select lines from events where game_id = ? order by seq desc limit 1", table.id)
            assert lines.splitlines()[0].endswith(f"roll {' '.join(str(at + 1) for at in dice)}")
        await server.cancel(mod)


async def test_dice_that_lie_still_or_are_not_there_cannot_be_picked(server: Server) -> None:
    table = await _turn(server, cards.RollType.SET_ASIDE)
    player = server.on_turn(table)
    for argument in (128, 255, 999):
        forged = await server.send(player, _forge(Verb.TOGGLE, table.id, table.version, argument))
        assert "doesn't work here" in private(forged)
        assert all(0 <= int(str(button.custom_id).split(":")[-1]) < 128 for button in server.buttons())
    assert (await server.table()).version == table.version
    await server.send(player, TurnPress(Verb.SET_ASIDE, table.id, table.version, (0,)).custom_id)
    table, before = await server.table(), server.looks()
    for verb, reason in ((Verb.TOGGLE, "cannot be picked"), (Verb.SET_ASIDE, "stays there")):
        assert reason in private(await server.send(player, TurnPress(verb, table.id, table.version, (0,)).custom_id))
    assert server.looks() == before
    assert (await server.table()).version == table.version


async def test_many_clicks_on_one_button_are_one_move_and_one_new_message(server: Server) -> None:
    table = await server.begin(2)
    player, message = server.on_turn(table), server.shown
    button = TablePress(Verb.TAKE, table.id, table.version).custom_id
    presses = [Click(player, message.id, button)] * CROWD
    results = await simulation.click_together(server.env, server.channel, presses)
    after = await server.table()
    assert after.version == table.version + 1
    assert server.rows("select count(*) from events where seq > ?", table.version) == [(1,)]
    assert all(result.acknowledged for result in results)
    told = [result for result in results if result.response is not None and result.response.ephemeral]
    assert len(told) == CROWD - 1
    assert all("moved on" in private(result) for result in told)
    assert (after.is_unshown, server.shown.id) == (False, message.id)

    # The press that ends the turn, while everybody picks dice.
    count, end = len(server.messages), Click(player, message.id, await server.end_turn())
    toggle = TurnPress(Verb.TOGGLE, after.id, after.version, (0,)).custom_id
    toggles = [Click(member, message.id, toggle) for member in server.members]
    await simulation.click_together(server.env, server.channel, [*toggles, *[end] * (CROWD // 4), *toggles])
    ended = await server.table()
    assert ended.version == after.version + 1
    assert len(server.messages) == count
    assert (ended.is_unshown, ended.message_id) == (False, server.shown.id)
    assert message.id not in [each.id for each in server.messages]

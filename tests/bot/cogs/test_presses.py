"""Buttons: every press that comes too late, twice, from the wrong person or from nowhere."""

from __future__ import annotations

import pytest

from bot.domain.table import Status, Table
from bot.ui.buttons import Press, Verb
from bot.ui.names import link_to
from highscore.cards import RollType
from tests import simulation
from tests.bot.databases import everything, execute, traces
from tests.bot.decks import Cards, with_cards
from tests.bot.server import Server, private

DURING_A_TURN = (Verb.TAKE, Verb.STOP, Verb.ROLL, Verb.SET_ASIDE, Verb.TOGGLE)
IN_THE_LOBBY = (Verb.JOIN, Verb.LEAVE, Verb.START, Verb.LUCKY_WORD)
VERSIONED = (*DURING_A_TURN, *IN_THE_LOBBY, Verb.REMATCH, Verb.PROOF)
"""Verbs that do nothing in a running game unless they were pressed looking at its newest version."""


def _press_of(table: Table, verb: Verb) -> str:
    argument = 127 if verb in (Verb.ROLL, Verb.SET_ASIDE) else 0
    return Press(verb, table.id, table.version, argument).custom_id


async def test_a_press_out_of_turn_gets_a_private_no(server: Server) -> None:
    table = await server.begin(3)
    result = await server.press(server.off_turn(table), Verb.TAKE)
    assert "not your turn" in private(result)
    assert (await server.table()).version == table.version


async def test_dice_are_picked_by_their_player_only(server: Server) -> None:
    table = await _turn(server, RollType.ANY_THREE)
    before = server.looks()
    for member in (server.off_turn(table), server.members[4]):
        assert private(await server.press(member, Verb.TOGGLE))
    assert server.looks() == before


async def test_a_spectator_gets_a_private_no(server: Server) -> None:
    table = await server.begin_turn(2)
    image = everything(server.settings)
    for verb in DURING_A_TURN:
        assert "not playing" in private(await server.send(server.members[4], _press_of(table, verb)))
    assert everything(server.settings) == image


async def test_what_the_lobby_refuses_is_said_in_private(server: Server) -> None:
    table = await server.seat(1, seats=2)
    assert Verb.START not in server.verbs()
    ada, ben, cem = server.members[:3]
    assert "two players" in private(await server.send(ada, _press_of(table, Verb.START)))
    await server.press(ben, Verb.JOIN)
    image = everything(server.settings)
    for member, verb, reason in ((cem, Verb.START, "host"), (ben, Verb.JOIN, "already"), (cem, Verb.JOIN, "taken")):
        assert reason in private(await server.send(member, _press_of(table, verb)))
    assert everything(server.settings) == image
    await server.press(ada, Verb.START)
    image = everything(server.settings)
    for verb in IN_THE_LOBBY:
        assert "started" in private(await server.send(ada, _press_of(table, verb)))
    assert everything(server.settings) == image


async def test_a_stale_press_changes_nothing_and_shows_the_table(server: Server) -> None:
    old = await server.begin(2)
    player = server.on_turn(old)
    await server.press(player, Verb.TAKE)
    table, image = await server.table(), everything(server.settings)
    for verb in VERSIONED:
        told = private(await server.send(player, _press_of(old, verb)))
        if verb in DURING_A_TURN:
            assert link_to(table) in told
            assert "Round 1" in told
    assert everything(server.settings) == image


async def test_a_double_press_is_played_once(server: Server) -> None:
    table = await server.begin(2)
    player, button = server.on_turn(table), server.buttons(Verb.TAKE)[0].custom_id
    assert button is not None
    await server.send(player, button)
    assert "moved on" in private(await server.send(player, button))
    assert (await server.table()).version == table.version + 1


async def test_nothing_is_played_in_a_game_that_is_over(server: Server) -> None:
    table = await server.begin_turn(2)
    await server.slash(server.members[0], "cancel")
    image = everything(server.settings)
    for verb in (*DURING_A_TURN, *IN_THE_LOBBY):
        for version in (table.version, table.version + 1):
            press = Press(verb, table.id, version, 1)
            assert private(await server.send(server.on_turn(table), press.custom_id))
    assert everything(server.settings) == image


async def test_a_table_that_does_not_exist_gets_a_sentence(server: Server) -> None:
    await server.begin(2)
    image = everything(server.settings)
    for verb in Verb:
        result = await server.send(server.members[0], Press(verb, "f" * 12, 3, 5).custom_id)
        assert "does not exist" in private(result) or "over" in private(result)
    assert everything(server.settings) == image


async def test_a_game_whose_row_was_deleted_gets_a_sentence(server: Server) -> None:
    table = await server.begin_turn(2)
    execute(server.settings, "delete from games")
    for verb in (Verb.TAKE, Verb.TOGGLE, Verb.STOP):
        assert "does not exist" in private(await server.send(server.on_turn(table), _press_of(table, verb)))


async def test_forged_numbers_do_no_harm(server: Server) -> None:
    table = await server.begin_turn(2)
    image = everything(server.settings)
    for verb in VERSIONED:
        for version in (0, 999_999_999):
            for argument in (0, 128, 999):
                press = Press(verb, table.id, version, argument)
                assert private(await server.send(server.on_turn(table), press.custom_id))
    assert everything(server.settings) == image


LEGAL = {
    RollType.FOUR_FULL: [(Verb.STOP, 0), (Verb.STOP, 999), (Verb.ROLL, 127), (Verb.ROLL, 255)],
    RollType.ANY_THREE: [(Verb.STOP, 0), (Verb.ROLL, 5), (Verb.ROLL, 255), (Verb.ROLL, 999)],
    RollType.SET_ASIDE: [(Verb.SET_ASIDE, 5), (Verb.SET_ASIDE, 127), (Verb.SET_ASIDE, 999)],
}
"""Of the forged decisions, those that are legal at the first choice: bits of dice that do not exist say nothing."""
ILLEGAL = {
    RollType.FOUR_FULL: [(Verb.TAKE, 0), (Verb.ROLL, 0), (Verb.ROLL, 5), (Verb.ROLL, 128), (Verb.SET_ASIDE, 5)],
    RollType.ANY_THREE: [(Verb.TAKE, 5), (Verb.ROLL, 0), (Verb.ROLL, 128), (Verb.SET_ASIDE, 127)],
    RollType.SET_ASIDE: [(Verb.TAKE, 0), (Verb.STOP, 0), (Verb.ROLL, 127), (Verb.SET_ASIDE, 0), (Verb.SET_ASIDE, 128)],
}


@pytest.mark.parametrize("roll_type", list(RollType))
async def test_a_forged_decision_is_played_if_it_is_legal(server: Server, roll_type: RollType) -> None:
    for verb, argument in LEGAL[roll_type]:
        table = await _turn(server, roll_type)
        player, image = server.on_turn(table), everything(server.settings)
        for illegal, forged in ILLEGAL[roll_type]:
            assert private(await server.send(player, Press(illegal, table.id, table.version, forged).custom_id))
        assert everything(server.settings) == image
        await server.send(player, Press(verb, table.id, table.version, argument).custom_id)
        assert (await server.table()).version == table.version + 1
        await server.slash(server.members[0], "cancel")


async def test_nobody_stops_where_dice_are_set_aside(server: Server) -> None:
    table = await _turn(server, RollType.SET_ASIDE)
    result = await server.send(server.on_turn(table), Press(Verb.STOP, table.id, table.version).custom_id)
    assert "setting all your dice aside" in private(result)


async def _turn(server: Server, roll_type: RollType) -> Table:
    """A turn on a card of this roll type without frozen dice, at its first choice."""
    with_cards(server, Cards.of(roll_type))
    return await server.begin_turn(2)


@pytest.mark.parametrize("roll_type", [RollType.ANY_THREE, RollType.SET_ASIDE])
async def test_picking_dice_writes_nothing_to_the_database(server: Server, roll_type: RollType) -> None:
    table = await _turn(server, roll_type)
    player = server.on_turn(table)
    await server.bot.delivery.settled()
    before = traces(server.settings)
    assert before
    for at in (0, 3, 0, 6):
        await server.press(player, Verb.TOGGLE, nth=at)
    assert traces(server.settings) == before
    verb = Verb.ROLL if roll_type is RollType.ANY_THREE else Verb.SET_ASIDE
    picked = [Press(verb, table.id, table.version, 1 << 3 | 1 << 6).custom_id]
    assert [button.custom_id for button in server.buttons(verb)][-1:] == picked
    await server.press(player, verb, nth=-1)
    assert (await server.table()).version == table.version + 1
    assert traces(server.settings) != before


async def test_dice_that_were_picked_are_still_picked_after_a_restart(server: Server) -> None:
    table = await _turn(server, RollType.ANY_THREE)
    player = server.on_turn(table)
    await server.press(player, Verb.TOGGLE, nth=2)
    await server.restart()
    await server.press(player, Verb.TOGGLE, nth=4)
    await server.press(player, Verb.ROLL)
    table = await server.table()
    assert table.game is not None
    assert server.rows("select lines from events order by seq desc limit 1")[0][0].splitlines()[0].endswith("roll 3 5")


async def test_forged_picks_offer_no_die_that_is_not_there(server: Server) -> None:
    table = await _turn(server, RollType.ANY_THREE)
    for argument in (128, 255, 999):
        await server.send(server.on_turn(table), Press(Verb.TOGGLE, table.id, table.version, argument).custom_id)
        assert all(0 <= int(str(button.custom_id).split(":")[-1]) < 128 for button in server.buttons())
    assert (await server.table()).version == table.version


async def test_dice_that_lie_still_cannot_be_picked(server: Server) -> None:
    table = await _turn(server, RollType.SET_ASIDE)
    player = server.on_turn(table)
    await server.press(player, Verb.TOGGLE, nth=0)
    await server.press(player, Verb.SET_ASIDE, nth=-1)
    table = await server.table()
    before = server.looks()
    result = await server.send(player, Press(Verb.TOGGLE, table.id, table.version, 1).custom_id)
    assert "cannot be picked" in private(result)
    assert server.looks() == before
    result = await server.send(player, Press(Verb.SET_ASIDE, table.id, table.version, 1).custom_id)
    assert "stays there" in private(result)
    assert (await server.table()).version == table.version


async def test_a_turn_goes_on_when_the_message_before_was_deleted(server: Server) -> None:
    table = await server.begin(2)
    lobby = server.messages[0]
    simulation.delete_message(server.env, server.channel, lobby.id)
    await server.press(server.on_turn(table), Verb.TAKE)
    assert (await server.table()).version == table.version + 1


async def test_a_press_on_an_older_copy_plays_where_the_table_lives(server: Server) -> None:
    table = await server.begin_turn(2)
    player, copy = server.on_turn(table), server.shown
    custom_id = server.end_turn()
    await server.slash(player, "show")
    await server.send(player, custom_id, copy.id)
    after = await server.table()
    assert after.version == table.version + 1
    assert not after.owed
    assert not server.buttons(message=server.message(copy.id))
    assert [message.id for message in server.messages if server.buttons(message=message)] == [after.message_id]


async def test_everything_works_after_a_restart(server: Server) -> None:
    await server.seat(2)
    await server.restart()
    await server.press(server.members[2], Verb.JOIN)
    await server.restart()
    await server.press(server.members[0], Verb.START)
    table = await server.table()
    assert (table.status, len(table.seats)) == (Status.PLAYING, 3)
    await server.restart()
    await server.press(server.on_turn(table), Verb.TAKE)
    assert (await server.table()).version == table.version + 1


async def test_a_restart_repeats_no_message(server: Server) -> None:
    await server.begin_turn(3)
    before = [message.id for message in server.messages]
    for _ in range(3):
        await server.restart()
    assert [message.id for message in server.messages] == before

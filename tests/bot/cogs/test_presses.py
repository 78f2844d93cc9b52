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


async def _press_of(server: Server, table: Table, verb: Verb) -> str:
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


@pytest.mark.parametrize("verb", DURING_A_TURN)
async def test_a_spectator_gets_a_private_no(server: Server, verb: Verb) -> None:
    table = await server.begin_turn(2)
    result = await server.send(server.members[4], await _press_of(server, table, verb))
    assert "not playing" in private(result)
    assert (await server.table()).version == table.version


async def test_a_spectator_cannot_start_the_game(server: Server) -> None:
    table = await server.seat(2)
    assert "host" in private(await server.press(server.members[4], Verb.START))
    assert (await server.table()).version == table.version


async def test_the_host_cannot_start_alone(server: Server) -> None:
    table = await server.seat(1)
    assert Verb.START not in server.verbs()
    result = await server.send(server.members[0], await _press_of(server, table, Verb.START))
    assert "two players" in private(result)


async def test_nobody_sits_down_twice(server: Server) -> None:
    table = await server.seat(2)
    assert "already" in private(await server.press(server.members[1], Verb.JOIN))
    assert len((await server.table()).seats) == len(table.seats) == 2


async def test_a_full_table_takes_nobody(server: Server) -> None:
    table = await server.seat(2, seats=2)
    result = await server.send(server.members[2], await _press_of(server, table, Verb.JOIN))
    assert "taken" in private(result)


@pytest.mark.parametrize("verb", IN_THE_LOBBY)
async def test_the_lobby_is_closed_once_the_game_has_started(server: Server, verb: Verb) -> None:
    table = await server.begin(2)
    result = await server.send(server.members[0], await _press_of(server, table, verb))
    assert "started" in private(result)
    assert (await server.table()).version == table.version


@pytest.mark.parametrize("verb", VERSIONED)
async def test_a_stale_press_changes_nothing_and_shows_the_table(server: Server, verb: Verb) -> None:
    old = await server.begin(2)
    player = server.on_turn(old)
    await server.press(player, Verb.TAKE)
    table, image = await server.table(), everything(server.settings)
    result = await server.send(player, await _press_of(server, old, verb))
    if verb in DURING_A_TURN:
        assert link_to(table) in private(result)
        assert "Round 1" in private(result)
    else:
        assert private(result)
    assert everything(server.settings) == image


async def test_a_double_press_is_played_once(server: Server) -> None:
    table = await server.begin(2)
    player, button = server.on_turn(table), server.buttons(Verb.TAKE)[0].custom_id
    assert button is not None
    await server.send(player, button)
    assert "moved on" in private(await server.send(player, button))
    assert (await server.table()).version == table.version + 1


@pytest.mark.parametrize("verb", [*DURING_A_TURN, *IN_THE_LOBBY])
async def test_nothing_is_played_in_a_game_that_is_over(server: Server, verb: Verb) -> None:
    table = await server.begin_turn(2)
    await server.slash(server.members[0], "cancel")
    image = everything(server.settings)
    for version in (table.version, table.version + 1):
        result = await server.send(server.on_turn(table), Press(verb, table.id, version, 1).custom_id)
        assert private(result)
    assert everything(server.settings) == image


async def test_a_table_that_does_not_exist_gets_a_sentence(server: Server) -> None:
    await server.begin(2)
    image = everything(server.settings)
    for verb in Verb:
        result = await server.send(server.members[0], Press(verb, "f" * 12, 3, 5).custom_id)
        assert "does not exist" in private(result) or "over" in private(result)
    assert everything(server.settings) == image


@pytest.mark.parametrize("verb", [Verb.TAKE, Verb.TOGGLE, Verb.STOP])
async def test_a_game_whose_row_was_deleted_gets_a_sentence(server: Server, verb: Verb) -> None:
    table = await server.begin_turn(2)
    execute(server.settings, "delete from games")
    result = await server.send(server.on_turn(table), await _press_of(server, table, verb))
    assert "does not exist" in private(result)


@pytest.mark.parametrize("verb", VERSIONED)
async def test_forged_numbers_do_no_harm(server: Server, verb: Verb) -> None:
    table = await server.begin_turn(2)
    image = everything(server.settings)
    for version in (0, 999_999_999):
        for argument in (0, 128, 999):
            press = Press(verb, table.id, version, argument)
            assert private(await server.send(server.on_turn(table), press.custom_id))
    assert everything(server.settings) == image


LEGAL = {
    RollType.FOUR_FULL: {(Verb.STOP, 0), (Verb.STOP, 5), (Verb.STOP, 999), (Verb.ROLL, 127), (Verb.ROLL, 255)},
    RollType.ANY_THREE: {(Verb.STOP, 0), (Verb.ROLL, 5), (Verb.ROLL, 127), (Verb.ROLL, 255), (Verb.ROLL, 999)},
    RollType.SET_ASIDE: {(Verb.SET_ASIDE, 5), (Verb.SET_ASIDE, 127), (Verb.SET_ASIDE, 255), (Verb.SET_ASIDE, 999)},
}
"""Of the forged decisions, those that are legal at the first choice: bits of dice that do not exist say nothing."""


@pytest.mark.parametrize("roll_type", list(RollType))
async def test_a_forged_decision_that_is_not_legal_is_refused(server: Server, roll_type: RollType) -> None:
    table = await _turn(server, roll_type)
    image = everything(server.settings)
    for verb in (Verb.TAKE, Verb.STOP, Verb.ROLL, Verb.SET_ASIDE):
        for argument in (0, 5, 127, 128, 255, 999):
            press = Press(verb, table.id, table.version, argument)
            if (verb, argument) not in LEGAL[roll_type] and verb is not Verb.STOP:
                assert private(await server.send(server.on_turn(table), press.custom_id))
    assert everything(server.settings) == image


@pytest.mark.parametrize(
    ("roll_type", "verb", "argument"),
    [(roll_type, *press) for roll_type, presses in LEGAL.items() for press in sorted(presses, key=str)],
)
async def test_a_forged_decision_that_is_legal_is_played(
    server: Server, roll_type: RollType, verb: Verb, argument: int
) -> None:
    table = await _turn(server, roll_type)
    await server.send(server.on_turn(table), Press(verb, table.id, table.version, argument).custom_id)
    assert (await server.table()).version == table.version + 1


async def test_nobody_stops_where_dice_are_set_aside(server: Server) -> None:
    table = await _turn(server, RollType.SET_ASIDE)
    result = await server.send(server.on_turn(table), Press(Verb.STOP, table.id, table.version).custom_id)
    assert "setting all your dice aside" in private(result)
    assert (await server.table()).version == table.version


@pytest.mark.parametrize(
    "custom_id",
    ["hs:die:0:0:0", "hs:nothing:000000000000:0:0", "hs:take:000000000000:9999999999:0", "hs:take", "x" * 100],
)
async def test_ids_that_are_none_of_ours_are_left_alone(server: Server, custom_id: str) -> None:
    await server.begin(2)
    image = everything(server.settings)
    press = simulation.Click(server.members[0], server.shown.id, custom_id)
    result = await simulation.click(server.env, server.channel, press)
    assert not result.acknowledged
    assert everything(server.settings) == image


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


@pytest.mark.parametrize("argument", [128, 255, 999])
async def test_forged_picks_offer_no_die_that_is_not_there(server: Server, argument: int) -> None:
    table = await _turn(server, RollType.ANY_THREE)
    player = server.on_turn(table)
    await server.send(player, Press(Verb.TOGGLE, table.id, table.version, argument).custom_id)
    for button in server.buttons():
        assert button.custom_id is not None
        assert 0 <= int(button.custom_id.split(":")[-1]) < 128
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


async def test_the_table_comes_back_when_its_message_was_deleted(server: Server) -> None:
    table = await server.begin_turn(2)
    player, deleted = server.on_turn(table), server.shown
    custom_id = server.end_turn()
    simulation.delete_message(server.env, server.channel, deleted.id)
    await server.env.settle()
    press = simulation.Click(player, deleted.id, custom_id)
    await simulation.click(server.env, server.channel, press)
    after = await server.table()
    assert after.version == table.version + 1
    assert not after.owed
    assert after.message_id == server.shown.id != deleted.id
    assert server.buttons()


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

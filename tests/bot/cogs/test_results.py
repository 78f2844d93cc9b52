"""The buttons of a game that is over: rematch and proof."""

from __future__ import annotations

import json
import re

import pytest
from simcord import InteractionResult

from bot.domain.table import Status, Table
from bot.ui.buttons import Press, Verb
from bot.ui.names import link_to
from highscore.game import TurnOrder
from highscore.proof import read_export, verify
from tests.bot.server import Server, private


async def _cancelled(server: Server, players: int = 2) -> Table:
    await server.begin_turn(players)
    await server.slash(server.members[0], "cancel")
    return await server.table()


async def _file(result: InteractionResult) -> bytes:
    told = [message for message in (result.response, *result.followups) if message is not None]
    (attachment,) = told[-1].attachments
    assert attachment.filename.endswith(".json")
    return await attachment.read()


async def test_anybody_gets_a_proof_whose_file_verifies(server: Server) -> None:
    table = await _cancelled(server)
    result = await server.press(server.members[4], Verb.PROOF)
    assert table.seal in private(result)
    content = await _file(result)
    proof = verify(read_export(content))
    assert proof.state == table.game
    assert proof.export.seal == table.seal


async def test_a_proof_of_other_dice_fails(server: Server) -> None:
    await _cancelled(server)
    document = json.loads(await _file(await server.press(server.members[0], Verb.PROOF)))
    at = next(at for at, line in enumerate(document["events"]) if line.startswith("rolled"))
    document["events"][at] = re.sub(r"[1-5V]$", lambda face: "1" if face[0] != "1" else "2", document["events"][at])
    with pytest.raises(ValueError, match=f"Event {at + 1}"):
        verify(read_export(json.dumps(document)))


async def test_the_seed_stays_sealed_while_the_game_is_played(server: Server) -> None:
    table = await server.begin_turn(2)
    result = await server.send(server.members[0], Press(Verb.PROOF, table.id, table.version).custom_id)
    assert "sealed" in private(result)
    assert server.requests("POST", "/callback")[-1].json is not None
    assert table.seed.hex() not in str([entry.json for entry in server.env.http_requests])


async def test_a_table_closed_in_the_lobby_has_nothing_to_prove(server: Server) -> None:
    table = await server.seat(2)
    await server.slash(server.members[0], "cancel")
    result = await server.send(server.members[0], Press(Verb.PROOF, table.id, table.version).custom_id)
    assert "before it started" in private(result)


async def test_names_in_a_proof_format_nothing(server: Server) -> None:
    loud = server.guild.add_member(server.env.create_user("loud", global_name="**LOUD** @everyone"))
    await server.seat(1)
    await server.press(loud, Verb.JOIN)
    await server.press(server.members[0], Verb.START)
    await server.slash(server.members[0], "cancel")
    text = private(await server.press(loud, Verb.PROOF))
    assert "**LOUD**" not in text
    assert "@everyone" not in text


async def test_a_rematch_opens_a_table_for_the_same_people(server: Server) -> None:
    old = await _cancelled(server, 3)
    await server.press(server.members[1], Verb.REMATCH)
    table = await server.table()
    assert table.id != old.id
    assert table.seed != old.seed
    assert table.status is Status.LOBBY
    assert table.host_id == server.members[1].id
    assert [seat.user_id for seat in table.seats] == [seat.user_id for seat in old.seats]
    assert table.message_id == server.shown.id
    await server.press(server.members[1], Verb.START)
    assert (await server.table()).status is Status.PLAYING


async def test_a_rematch_keeps_the_turn_order_and_forgets_lucky_words(server: Server) -> None:
    await server.seat(2, order=TurnOrder.OPEN.value, seats=3)
    shown = await server.press(server.members[0], Verb.LUCKY_WORD)
    await server.members[0].submit_modal(shown, {"word": "clover"})
    await server.press(server.members[0], Verb.START)
    await server.slash(server.members[0], "cancel")
    await server.press(server.members[0], Verb.REMATCH)
    table = await server.table()
    assert (table.turn_order, table.max_seats) == (TurnOrder.OPEN, 3)
    assert [seat.lucky_word for seat in table.seats] == ["", ""]


async def test_only_its_players_ask_for_a_rematch(server: Server) -> None:
    old = await _cancelled(server)
    assert "Only the players" in private(await server.press(server.members[4], Verb.REMATCH))
    assert (await server.table()).id == old.id


async def test_the_second_to_ask_is_shown_the_table_of_the_first(server: Server) -> None:
    await _cancelled(server)
    finished = server.shown
    await server.press(server.members[0], Verb.REMATCH, message=finished)
    table = await server.table()
    assert link_to(table) in private(await server.press(server.members[1], Verb.REMATCH, message=finished))
    assert server.rows("select count(*) from games") == [(2,)]


async def test_a_game_that_is_played_has_no_rematch(server: Server) -> None:
    table = await server.begin(2)
    result = await server.send(server.members[0], Press(Verb.REMATCH, table.id, table.version).custom_id)
    assert "over" in private(result)
    assert server.rows("select count(*) from games") == [(1,)]

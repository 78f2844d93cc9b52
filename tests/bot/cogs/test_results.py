"""The buttons of a game that is over: rematch and proof."""

from bot.domain.table import Status
from bot.ui.buttons import Press, Verb
from bot.ui.names import table_link
from highscore.proof import read_export, verify_export
from highscore.turn_order import TurnOrder
from tests.bot.passing import calls, moderator
from tests.bot.server import Server, private


async def test_the_opening_says_from_the_beginning_on_what_is_sealed_and_in_the_end_proves_it(server: Server) -> None:
    await server.begin(2)
    (opening,) = [message for message in server.messages if server.buttons(Verb.PROOF, message)]
    told = private(await server.press(server.members[4], Verb.PROOF, message=opening))
    assert all(words in told for words in ("sealed", "behind bars", "the message that opened", "verify FILE --seal"))
    table = await server.table()
    for secret in (table.seal, table.words_digest):
        assert f"{secret}||" in str(opening.embeds[0].description)
    assert table.seed.hex() not in str([entry.json for entry in server.env.http_requests])
    await server.cancel(server.members[0])
    opening = server.message(opening.id)
    assert opening.edited_at is None
    assert "matches the seal" in private(await server.press(server.members[4], Verb.PROOF, message=opening))


async def test_anybody_gets_a_proof_whose_file_verifies_once_the_game_is_over(server: Server) -> None:
    table = await server.begin_turn(2)
    ada = server.members[0]
    shared = [(verb, "when the game is over") for verb in (Verb.SHARE, Verb.SHARE_FINAL)]
    for verb, reason in ((Verb.PROOF, "sealed"), (Verb.REMATCH, "over"), *shared):
        assert reason in private(await server.send(ada, Press(verb, table.id, table.version).custom_id))
    assert server.requests("POST", "/callback")[-1].json is not None
    assert table.seed.hex() not in str([entry.json for entry in server.env.http_requests])
    await server.cancel(await moderator(server))
    table = await server.table()
    result = await server.press(server.members[4], Verb.PROOF)
    assert table.seal in private(result)
    told = [message for message in (result.response, *result.followups) if message is not None]
    (attachment,) = told[-1].attachments
    assert attachment.filename.endswith(".json")
    proof = verify_export(read_export(await attachment.read()))
    assert (proof.state, proof.export.seal) == (table.game, table.seal)

    closed = await server.seat(2)
    await server.cancel(ada)
    result = await server.send(ada, Press(Verb.PROOF, closed.id, closed.version).custom_id)
    assert "Nobody played" in private(result)


async def test_a_rematch_opens_one_table_for_the_same_people(server: Server) -> None:
    ada, ben = server.members[:2]
    await server.seat(3, order=TurnOrder.OPEN.value, seats=3)
    shown = await server.press(ada, Verb.LUCKY_WORD)
    await ada.submit_modal(shown, {"word": "clover"})
    await server.press(ada, Verb.START)
    await server.cancel(ada)
    old, finished = await server.table(), server.shown
    assert "not playing" in private(await server.press(server.members[4], Verb.REMATCH))
    assert (await server.table()).id == old.id
    told = len(calls(server))
    await server.press(ben, Verb.REMATCH)
    table = await server.table()
    assert table.id != old.id
    assert table.seed != old.seed
    assert (table.status, table.host_id, table.message_id) == (Status.LOBBY, ben.id, server.shown.id)
    assert (table.turn_order, table.max_seats) == (TurnOrder.OPEN, 3)
    assert [(seat.user_id, seat.lucky_word) for seat in table.seats] == [(seat.user_id, "") for seat in old.seats]
    assert table_link(table) in private(await server.press(ada, Verb.REMATCH, message=finished))
    assert server.rows("select count(*) from games") == [(2,)]
    cem = server.members[2]
    assert [call.user_id for call in calls(server)[told:]] == [ada.id, cem.id]
    assert Verb.START not in server.verbs()
    await server.press(ada, Verb.JOIN)
    assert Verb.START in server.verbs()
    assert len(calls(server)) == told + 2, "they are called once"
    await server.press(cem, Verb.JOIN)
    assert (await server.table()).status is Status.PLAYING

from bot.domain.table import Status
from bot.ui.buttons import TablePress, Verb
from highscore.fairness import format_code
from highscore.proof import read_export, verify_export
from tests.bot import passing, played
from tests.bot.server import PrivatePage, Server, private


async def test_anybody_gets_a_proof_whose_file_verifies_once_the_game_is_over(server: Server) -> None:
    table = await server.begin_turn(2)
    ada = server.members[0]
    shared = [(verb, "when the game is over") for verb in (Verb.SHARE, Verb.SHARE_FINAL)]
    for verb, reason in ((Verb.PROOF, "sealed"), (Verb.REMATCH, "over"), *shared):
        assert reason in private(await server.send(ada, TablePress(verb, table.id, table.version).custom_id))
    assert server.requests("POST", "/callback")[-1].json is not None
    assert table.seed.hex() not in str([entry.json for entry in server.env.http_requests])
    await server.cancel(await passing.moderator(server))
    table = await server.table()
    result = await server.press(server.members[4], Verb.PROOF)
    assert format_code(table.seal) in private(result)
    assert format_code(table.make_lock()) in private(result)
    told = [message for message in (result.response, *result.followups) if message is not None]
    (attachment,) = told[-1].attachments
    assert attachment.filename.endswith(".json")
    proof = verify_export(read_export(await attachment.read()))
    assert (proof.state, proof.export.seal) == (table.game, table.seal)

    closed = await server.seat(2)
    await server.cancel(ada)
    result = await server.send(ada, TablePress(Verb.PROOF, closed.id, closed.version).custom_id)
    assert "Nobody played" in private(result)


async def test_the_host_of_a_rematch_is_asked_before_leaving_closes_it(server: Server) -> None:
    ada, ben = server.members[:2]
    await server.begin(2)
    await server.redraw(await played.play_out(server.bot.core, await server.table()))
    await server.press(ada, Verb.REMATCH)
    question = PrivatePage.of(server, ada, await server.press(ada, Verb.LEAVE))
    asked = await server.table()
    assert (asked.status, asked.people, asked.invited) == (Status.LOBBY, (ada.id,), (ben.id,))
    await question.press(Verb.LEAVE)
    assert (await server.table()).status is Status.ABANDONED

"""Discord fails: what was committed stays, and is shown later by itself, once."""

from __future__ import annotations

import logging

import aiohttp
import pytest
from simcord import InteractionResult

from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from tests import simulation
from tests.bot.server import RETRY, Server, private
from tests.faults.tools import (
    ANSWER,
    EDIT,
    LATE,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NEW_MESSAGE,
    PASSING,
    TOO_OLD,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    Failure,
    fail,
    is_answer,
    is_new_message,
    lost_replies,
    mend,
)

ANY_ANSWER_FAILURE = (*PASSING, *LATE, UNKNOWN_MESSAGE, MISSING_PERMISSIONS)


async def _end_turn(server: Server, table: Table) -> InteractionResult:
    return await server.on_turn(table).click(server.shown, custom_id=server.end_turn())


def _no_traceback(server: Server) -> None:
    shown = str([[message.content, *(embed.to_dict() for embed in message.embeds)] for message in server.messages])
    assert "Traceback" not in shown
    assert "Error" not in shown


async def _shown_once(server: Server, table: Table, messages: int) -> None:
    """The newest version is on the newest message, and only there are buttons."""
    after = await server.table()
    assert after.version == table.version + 1
    assert not after.owed
    assert after.message_id == server.shown.id
    assert len(server.messages) == messages
    assert str(after.version) in {str(button.custom_id).split(":")[3] for button in server.buttons()}
    _no_traceback(server)


@pytest.mark.parametrize("failure", ANY_ANSWER_FAILURE, ids=str)
async def test_a_roll_whose_answer_fails_is_shown_by_itself(server: Server, failure: Failure) -> None:
    table = await server.begin(2)
    messages = len(server.messages)
    fail(server, "POST", ANSWER, failure)
    # Of a message that is gone one is told in private.
    await server.press(server.on_turn(table), Verb.TAKE, acknowledged=failure is UNKNOWN_MESSAGE)
    await _shown_once(server, table, messages)


@pytest.mark.parametrize("failure", ANY_ANSWER_FAILURE, ids=str)
async def test_a_turn_whose_answer_fails_is_shown_by_itself(server: Server, failure: Failure) -> None:
    table = await server.begin_turn(2)
    messages, old = len(server.messages), server.shown
    fail(server, "POST", ANSWER, failure)
    await _end_turn(server, table)
    await _shown_once(server, table, messages + 1)
    assert not server.buttons(message=server.message(old.id))


@pytest.mark.parametrize("failure", PASSING, ids=str)
async def test_a_new_turn_is_shown_when_discord_works_again(server: Server, failure: Failure) -> None:
    table = await server.begin_turn(2)
    messages = len(server.messages)
    fail(server, "POST", NEW_MESSAGE, failure, times=3)
    await _end_turn(server, table)
    assert (await server.table()).owed
    assert len(server.messages) == messages
    await server.env.advance_time(RETRY)
    assert (await server.table()).owed
    await server.env.advance_time(10 * RETRY)
    await _shown_once(server, table, messages + 1)


@pytest.mark.parametrize("failure", PASSING, ids=str)
async def test_a_new_turn_that_was_owed_is_shown_once_after_a_restart(server: Server, failure: Failure) -> None:
    table = await server.begin_turn(3)
    messages = len(server.messages)
    fail(server, "POST", NEW_MESSAGE, failure, times=None)
    await _end_turn(server, table)
    mend(server)
    await server.restart()
    await _shown_once(server, table, messages + 1)
    await server.restart()
    await _shown_once(server, table, messages + 1)


async def test_the_new_turn_still_calls_its_player_when_it_comes_late(server: Server) -> None:
    table = await server.begin_turn(2)
    fail(server, "POST", NEW_MESSAGE, PASSING[2])
    await _end_turn(server, table)
    await server.env.advance_time(RETRY)
    player = server.on_turn(await server.table())
    body = server.sent[-1].json
    assert body is not None
    assert body["allowed_mentions"]["users"] == [str(player.id)] or body["allowed_mentions"]["users"] == [player.id]
    assert player.mention in server.shown.content


@pytest.mark.parametrize("failure", [UNKNOWN_MESSAGE, TOO_OLD], ids=str)
async def test_a_message_that_cannot_be_edited_is_replaced(server: Server, failure: Failure) -> None:
    table = await server.begin(2)
    old, messages = server.shown, len(server.messages)
    fail(server, "POST", ANSWER, LATE[0])
    fail(server, "PATCH", EDIT, failure)
    await server.press(server.on_turn(table), Verb.TAKE, acknowledged=False)
    await _shown_once(server, table, messages + 1)
    assert server.shown.id != old.id


@pytest.mark.parametrize("failure", [UNKNOWN_MESSAGE, TOO_OLD, MISSING_PERMISSIONS], ids=str)
async def test_an_old_message_that_keeps_its_buttons_holds_nothing_up(server: Server, failure: Failure) -> None:
    table = await server.begin_turn(2)
    messages, old = len(server.messages), server.shown
    stale = server.end_turn()
    fail(server, "POST", ANSWER, LATE[0])
    fail(server, "PATCH", EDIT, failure)
    await _end_turn(server, table)
    await _shown_once(server, table, messages + 1)
    assert server.buttons(message=server.message(old.id))
    assert "moved on" in private(await server.send(server.on_turn(table), stale, old.id))


@pytest.mark.parametrize("failure", PASSING, ids=str)
async def test_an_edit_that_fails_is_repeated(server: Server, failure: Failure) -> None:
    table = await server.begin(2)
    messages = len(server.messages)
    fail(server, "POST", ANSWER, LATE[0])
    fail(server, "PATCH", EDIT, failure)
    await server.press(server.on_turn(table), Verb.TAKE, acknowledged=False)
    assert (await server.table()).owed
    await server.env.advance_time(RETRY)
    await _shown_once(server, table, messages)


@pytest.mark.parametrize("failure", [MISSING_PERMISSIONS, MISSING_ACCESS], ids=str)
async def test_a_lost_permission_is_no_loss_of_the_move(server: Server, failure: Failure) -> None:
    table = await server.begin_turn(2)
    messages = len(server.messages)
    fail(server, "POST", NEW_MESSAGE, failure, times=None)
    await _end_turn(server, table)
    after = await server.table()
    assert after.version == table.version + 1
    assert after.owed
    mend(server)
    await server.restart()
    await _shown_once(server, table, messages + 1)


async def test_a_table_shown_on_demand_after_a_lost_permission_is_no_longer_owed(server: Server) -> None:
    table = await server.begin_turn(2)
    fail(server, "POST", NEW_MESSAGE, MISSING_PERMISSIONS)
    await _end_turn(server, table)
    await server.slash(server.members[0], "show")
    after = await server.table()
    assert not after.owed
    assert after.message_id == server.shown.id


async def test_a_game_ends_with_its_channel(server: Server) -> None:
    table = await server.begin_turn(2)
    simulation.delete_channel(server.env, server.channel)
    await server.env.settle()
    assert (await server.table(table.id)).status is Status.ABANDONED
    await server.restart()
    assert (await server.table(table.id)).status is Status.ABANDONED


async def test_a_game_whose_channel_is_unknown_is_closed(server: Server) -> None:
    table = await server.begin_turn(2)
    fail(server, "POST", NEW_MESSAGE, UNKNOWN_CHANNEL)
    await _end_turn(server, table)
    assert (await server.table(table.id)).status is Status.ABANDONED


@pytest.mark.parametrize("failure", [*PASSING, *LATE], ids=str)
async def test_a_new_table_whose_answer_fails_is_shown_by_itself(server: Server, failure: Failure) -> None:
    fail(server, "POST", ANSWER, failure)
    result = await server.members[0].slash(server.channel, "highscore new")
    table = await server.table()
    assert not table.owed
    assert table.message_id == server.messages[0].id
    assert len(server.messages) == 1
    await server.press(server.members[1], Verb.JOIN)
    assert len((await server.table()).seats) == 2
    if failure in PASSING:
        assert "soon" in private(result)


@pytest.mark.parametrize("failure", PASSING, ids=str)
async def test_the_private_no_that_fails_changes_nothing(server: Server, failure: Failure) -> None:
    table = await server.begin(2)
    fail(server, "POST", ANSWER, failure)
    await server.press(server.off_turn(table), Verb.TAKE, acknowledged=False)
    assert (await server.table()).version == table.version


async def test_a_picked_die_whose_answer_fails_gets_a_sentence(server: Server) -> None:
    table = await server.begin_turn(2)
    if not server.buttons(Verb.TOGGLE):
        await _end_turn(server, table)
        await _begin_a_turn_with_picks(server)
    table = await server.table()
    fail(server, "POST", ANSWER, PASSING[0])
    result = await server.press(server.on_turn(table), Verb.TOGGLE)
    assert "Something went wrong" in private(result)
    assert (await server.table()).version == table.version


async def _begin_a_turn_with_picks(server: Server) -> None:
    while not server.buttons(Verb.TOGGLE):
        table = await server.table()
        if server.buttons(Verb.TAKE):
            await server.press(server.on_turn(table), Verb.TAKE)
        else:
            await _end_turn(server, table)


@pytest.mark.parametrize(
    "error",
    [ConnectionResetError(104, "Connection reset by peer"), TimeoutError(), aiohttp.ServerDisconnectedError()],
    ids=lambda error: type(error).__name__,
)
async def test_a_broken_connection_is_tried_again(server: Server, error: Exception) -> None:
    table = await server.begin_turn(2)
    with lost_replies(is_new_message, error):
        await _end_turn(server, table)
        assert (await server.table()).owed
        await server.env.advance_time(RETRY)
    after = await server.table()
    assert not after.owed
    assert after.message_id == server.shown.id
    # Discord did send the first one: repeated with the same nonce, it answers with that message. simcord does not.
    first, second = (entry.json for entry in server.sent[-2:])
    assert first is not None
    assert second is not None
    assert first["nonce"] == second["nonce"]
    assert first["enforce_nonce"] is second["enforce_nonce"] is True
    assert len(str(first["nonce"])) <= 25


async def test_a_reply_lost_on_its_way_back_is_harmless(server: Server) -> None:
    table = await server.begin(2)
    with lost_replies(is_answer, ConnectionResetError(104, "Connection reset by peer")):
        await server.press(server.on_turn(table), Verb.TAKE)
    await _shown_once(server, table, len(server.messages))


async def test_a_mistake_of_ours_is_logged_and_answered_with_a_sentence(
    server: Server, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    table = await server.begin(2)

    def broken(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr("bot.services.turn.play", broken)
    result = await server.press(server.on_turn(table), Verb.TAKE)
    assert "Something went wrong" in private(result)
    assert "mistake" not in private(result)
    assert (await server.table()).version == table.version
    (record,) = error_log
    assert record.exc_info is not None
    assert str(server.guild.id) in record.getMessage()
    error_log.clear()
    _no_traceback(server)


async def test_a_table_that_cannot_be_drawn_is_reported_and_others_go_on(
    server: Server, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    table = await server.begin_turn(2)
    with monkeypatch.context() as broken:
        broken.setattr("bot.ui.table.finished_turn_embed", lambda *_arguments: 1 / 0)
        result = await _end_turn(server, table)
    assert (await server.table()).version == table.version + 1
    assert result.acknowledged
    assert error_log
    error_log.clear()
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settled()
    assert not (await server.table()).owed, "it is shown as soon as it can be drawn again"


async def test_a_picture_that_cannot_be_drawn_costs_the_picture_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    table = await server.begin_turn(2)
    monkeypatch.setattr("bot.ui.table.board_png", lambda *_arguments: 1 / 0)
    await _end_turn(server, table)
    await server.bot.delivery.settled()
    assert not (await server.table()).owed
    assert any("could not be drawn" in record.getMessage() for record in error_log)
    error_log.clear()

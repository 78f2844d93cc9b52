"""Discord fails: what was committed stays, and is shown later by itself, once."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import aiohttp
import pytest
from simcord import InteractionResult

from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from highscore.cards import RollType
from tests import simulation
from tests.bot.decks import Cards, with_cards
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
    fail,
    is_answer,
    is_new_message,
    lost_replies,
    mend,
)

pytestmark = pytest.mark.only_sqlite("Discord fails, not the database")

ANY_ANSWER_FAILURE = (*PASSING, *LATE, UNKNOWN_MESSAGE, MISSING_PERMISSIONS)
RESET = ConnectionResetError(104, "Connection reset by peer")


@dataclass
class Play:
    """A game in which every turn ends whenever somebody wants."""

    server: Server
    messages: int = 0
    """How many were there when the last turn began."""

    async def take(self, *, acknowledged: bool = True) -> Table:
        """Begin a turn; the table before."""
        table = await self.server.table()
        self.messages = len(self.server.messages)
        await self.server.press(self.server.on_turn(table), Verb.TAKE, acknowledged=acknowledged)
        return table

    async def turn(self) -> Table:
        """Be in a turn that has begun."""
        if self.server.buttons(Verb.TAKE):
            await self.take()
        self.messages = len(self.server.messages)
        return await self.server.table()

    async def end(self) -> InteractionResult:
        """End the turn."""
        table = await self.server.table()
        return await self.server.on_turn(table).click(self.server.shown, custom_id=self.server.end_turn())

    async def is_shown_once(self, before: Table, more: int = 0) -> None:
        """One move later the newest version is on the newest message, with so many messages more."""
        server = self.server
        after = await server.table()
        assert after.version == before.version + 1
        assert not after.owed
        assert after.message_id == server.shown.id
        assert len(server.messages) == self.messages + more
        assert str(after.version) in {str(button.custom_id).split(":")[3] for button in server.buttons()}
        texts = str([[message.content, *(embed.to_dict() for embed in message.embeds)] for message in server.messages])
        assert "Traceback" not in texts
        assert "Error" not in texts


@pytest.fixture
async def game(server: Server) -> Play:
    with_cards(server, Cards.of(RollType.ANY_THREE))
    await server.begin(2)
    return Play(server)


async def test_a_move_whose_answer_fails_is_shown_by_itself(game: Play) -> None:
    server = game.server
    for failure in ANY_ANSWER_FAILURE:
        fail(server, "POST", ANSWER, failure)
        # Of a message that is gone one is told in private.
        await game.is_shown_once(await game.take(acknowledged=failure is UNKNOWN_MESSAGE))
        table, old = await game.turn(), server.shown
        fail(server, "POST", ANSWER, failure)
        await game.end()
        await game.is_shown_once(table, more=1)
        assert not server.buttons(message=server.message(old.id))


async def test_a_new_turn_is_shown_when_discord_works_again(game: Play) -> None:
    server = game.server
    for failure in PASSING:
        table = await game.turn()
        fail(server, "POST", NEW_MESSAGE, failure, times=3)
        await game.end()
        assert (await server.table()).owed
        assert len(server.messages) == game.messages
        await server.env.advance_time(RETRY)
        assert (await server.table()).owed
        await server.env.advance_time(10 * RETRY)
        await game.is_shown_once(table, more=1)
        player = server.on_turn(await server.table())
        assert server.sent[-1].json is not None
        assert [int(user) for user in server.sent[-1].json["allowed_mentions"]["users"]] == [player.id]
        assert player.mention in server.shown.content


async def test_a_new_turn_that_was_owed_is_shown_once_after_a_restart(game: Play) -> None:
    server = game.server
    for failure in (PASSING[-1], MISSING_PERMISSIONS, MISSING_ACCESS):
        table = await game.turn()
        fail(server, "POST", NEW_MESSAGE, failure, times=None)
        await game.end()
        assert (await server.table()).owed
        mend(server)
        await server.restart()
        await game.is_shown_once(table, more=1)
    await server.restart()
    await game.is_shown_once(table, more=1)


async def test_a_message_that_cannot_be_edited_is_replaced(game: Play) -> None:
    server = game.server
    for failure in (UNKNOWN_MESSAGE, TOO_OLD):
        old = server.shown
        fail(server, "POST", ANSWER, LATE[0])
        fail(server, "PATCH", EDIT, failure)
        await game.is_shown_once(await game.take(acknowledged=False), more=1)
        assert server.shown.id != old.id
        await game.end()


async def test_an_old_message_that_keeps_its_buttons_holds_nothing_up(game: Play) -> None:
    server = game.server
    for failure in (UNKNOWN_MESSAGE, TOO_OLD, MISSING_PERMISSIONS):
        table, old, stale = await game.turn(), server.shown, server.end_turn()
        fail(server, "POST", ANSWER, LATE[0])
        fail(server, "PATCH", EDIT, failure)
        await game.end()
        await game.is_shown_once(table, more=1)
        assert server.buttons(message=server.message(old.id))
        assert "moved on" in private(await server.send(server.on_turn(table), stale, old.id))


async def test_an_edit_that_fails_is_repeated(game: Play) -> None:
    server = game.server
    for failure in PASSING:
        fail(server, "POST", ANSWER, LATE[0])
        fail(server, "PATCH", EDIT, failure)
        table = await game.take(acknowledged=False)
        assert (await server.table()).owed
        await server.env.advance_time(RETRY)
        await game.is_shown_once(table)
        await game.end()


async def test_a_table_shown_on_demand_after_a_lost_permission_is_no_longer_owed(game: Play) -> None:
    server = game.server
    await game.turn()
    fail(server, "POST", NEW_MESSAGE, MISSING_PERMISSIONS)
    await game.end()
    await server.slash(server.members[0], "show")
    after = await server.table()
    assert not after.owed
    assert after.message_id == server.shown.id


async def test_a_game_ends_with_its_channel(game: Play) -> None:
    server, table = game.server, await game.turn()
    simulation.delete_channel(server.env, server.channel)
    await server.env.settle()
    assert (await server.table(table.id)).status is Status.ABANDONED
    await server.restart()
    assert (await server.table(table.id)).status is Status.ABANDONED


async def test_a_game_whose_channel_is_unknown_is_closed(game: Play) -> None:
    server, table = game.server, await game.turn()
    fail(server, "POST", NEW_MESSAGE, UNKNOWN_CHANNEL)
    await game.end()
    assert (await server.table(table.id)).status is Status.ABANDONED


async def test_a_new_table_whose_answer_fails_is_shown_by_itself(server: Server) -> None:
    for failure in (*PASSING, *LATE):
        messages = len(server.messages)
        fail(server, "POST", ANSWER, failure)
        result = await server.members[0].slash(server.channel, "highscore new")
        table = await server.table()
        assert not table.owed
        assert table.message_id == server.shown.id
        assert len(server.messages) == messages + 1
        await server.press(server.members[1], Verb.JOIN)
        assert len((await server.table()).seats) == 2
        if failure in PASSING:
            assert "soon" in private(result)
        await server.slash(server.members[0], "cancel")


async def test_a_private_no_or_a_picked_die_whose_answer_fails_changes_nothing(game: Play) -> None:
    server, table = game.server, await game.server.table()
    for failure in PASSING:
        fail(server, "POST", ANSWER, failure)
        await server.press(server.off_turn(table), Verb.TAKE, acknowledged=False)
        assert (await server.table()).version == table.version
    table = await game.turn()
    fail(server, "POST", ANSWER, PASSING[0])
    result = await server.press(server.on_turn(table), Verb.TOGGLE)
    assert "Something went wrong" in private(result)
    assert (await server.table()).version == table.version


async def test_a_broken_connection_is_tried_again(game: Play) -> None:
    server = game.server
    for error in (RESET, TimeoutError(), aiohttp.ServerDisconnectedError()):
        await game.turn()
        with lost_replies(is_new_message, error):
            await game.end()
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


async def test_a_reply_lost_on_its_way_back_is_harmless(game: Play) -> None:
    with lost_replies(is_answer, RESET):
        await game.is_shown_once(await game.take())


async def test_a_mistake_of_ours_is_logged_and_answered_with_a_sentence(
    game: Play, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    server, table = game.server, await game.server.table()

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


async def test_a_table_that_cannot_be_drawn_is_reported_and_others_go_on(
    game: Play, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    server, table = game.server, await game.turn()
    with monkeypatch.context() as broken:
        broken.setattr("bot.ui.table.finished_turn_embed", lambda *_arguments: 1 / 0)
        result = await game.end()
    assert (await server.table()).version == table.version + 1
    assert result.acknowledged
    assert error_log
    error_log.clear()
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settled()
    assert not (await server.table()).owed, "it is shown as soon as it can be drawn again"


async def test_a_picture_that_cannot_be_drawn_costs_the_picture_alone(
    game: Play, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    await game.turn()
    monkeypatch.setattr("bot.ui.table.board_png", lambda *_arguments: 1 / 0)
    await game.end()
    await game.server.bot.delivery.settled()
    assert not (await game.server.table()).owed
    assert any("could not be drawn" in record.getMessage() for record in error_log)
    error_log.clear()

"""Mistakes of ours: what was committed stays, whoever pressed is told, and the others go on."""

import logging

import pytest

from bot.ui.buttons import Verb
from tests.bot.server import Server, private

pytestmark = pytest.mark.only_sqlite("the bot fails, not the database")


def broken(*_arguments: object, **_options: object) -> None:
    raise ZeroDivisionError("a mistake")


async def test_a_mistake_is_logged_and_answered_with_a_sentence(
    server: Server, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    table = await server.begin(2)
    monkeypatch.setattr("bot.services.turn.play", broken)
    result = await server.press(server.on_turn(table), Verb.TAKE)
    assert "Something went wrong" in private(result)
    assert "mistake" not in private(result)
    assert (await server.table()).version == table.version
    (record,) = error_log
    assert record.exc_info is not None
    assert str(server.guild.id) in record.getMessage()
    error_log.clear()


@pytest.mark.parametrize("what", ["table.turn_embed", "turn_parts.board_png"])
async def test_a_table_is_shown_as_soon_as_it_can_be_drawn_again_and_without_a_picture_at_once(
    server: Server, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord], what: str
) -> None:
    table = await server.begin_turn(2)
    ends_turn = await server.end_turn()
    with monkeypatch.context() as patch:
        patch.setattr(f"bot.ui.{what}", broken)
        result = await server.on_turn(table).click(server.shown, custom_id=ends_turn)
        await server.bot.delivery.settled()
    assert result.acknowledged
    assert error_log
    error_log.clear()
    after = await server.table()
    assert (after.version, after.owed) == (table.version + 1, what == "table.turn_embed")
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settled()
    assert not (await server.table()).owed

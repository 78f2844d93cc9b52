"""The dialog that asks for a lucky word."""

from __future__ import annotations

from simcord import InteractionResult

from bot.domain.table import MAX_LUCKY_WORD
from bot.ui.buttons import Press, Verb
from bot.ui.lucky_words import WORD_FIELD
from tests.bot.server import Server, private


async def _words(server: Server) -> list[str]:
    return [seat.lucky_word for seat in (await server.table()).seats]


async def _submit(server: Server, at: int, shown: InteractionResult, word: str) -> InteractionResult:
    result = await server.members[at].submit_modal(shown, {WORD_FIELD: word})
    assert result.acknowledged
    return result


async def test_a_lucky_word_is_taken_and_shown(server: Server) -> None:
    await server.seat(2)
    shown = await server.press(server.members[1], Verb.LUCKY_WORD)
    assert shown.modal is not None
    await _submit(server, 1, shown, "  seven \n of  nine ")
    assert await _words(server) == ["", "seven of nine"]
    assert "seven of nine" in str(server.shown.embeds[0].to_dict())


async def test_the_dialog_offers_the_word_again_and_an_empty_one_takes_it_back(server: Server) -> None:
    await server.seat(2)
    await _submit(server, 0, await server.press(server.members[0], Verb.LUCKY_WORD), "clover")
    again = await server.press(server.members[0], Verb.LUCKY_WORD)
    assert "clover" in str(again.modal)
    await _submit(server, 0, again, "")
    assert await _words(server) == ["", ""]


async def test_a_lucky_word_changes_the_dice(server: Server) -> None:
    table = await server.seat(2)
    await _submit(server, 0, await server.press(server.members[0], Verb.LUCKY_WORD), "clover")
    changed = await server.table()
    assert changed.source.roll(1, 0, 1) != table.source.roll(1, 0, 1)
    assert changed.seal == table.seal


async def test_the_dialog_survives_a_restart(server: Server) -> None:
    await server.seat(2)
    shown = await server.press(server.members[1], Verb.LUCKY_WORD)
    await server.restart()
    await _submit(server, 1, shown, "phoenix")
    assert await _words(server) == ["", "phoenix"]
    assert "phoenix" in str(server.shown.embeds[0].to_dict())


async def test_two_dialogs_of_one_table_are_open_at_once(server: Server) -> None:
    await server.seat(2)
    first = await server.press(server.members[0], Verb.LUCKY_WORD)
    second = await server.press(server.members[1], Verb.LUCKY_WORD)
    await _submit(server, 0, first, "one")
    await _submit(server, 1, second, "two")
    assert await _words(server) == ["one", "two"]


async def test_a_spectator_gets_no_dialog(server: Server) -> None:
    await server.seat(2)
    result = await server.press(server.members[4], Verb.LUCKY_WORD)
    assert result.modal is None
    assert "Sit down" in private(result)


async def test_a_word_of_somebody_who_got_up_meanwhile_is_refused(server: Server) -> None:
    await server.seat(3)
    shown = await server.press(server.members[2], Verb.LUCKY_WORD)
    await server.press(server.members[2], Verb.LEAVE)
    assert "Sit down" in private(await _submit(server, 2, shown, "late"))
    assert await _words(server) == ["", ""]


async def test_a_word_that_comes_after_the_start_is_refused(server: Server) -> None:
    await server.seat(2)
    shown = await server.press(server.members[1], Verb.LUCKY_WORD)
    await server.press(server.members[0], Verb.START)
    table = await server.table()
    assert "started" in private(await _submit(server, 1, shown, "late"))
    assert (await server.table()) == table


async def test_a_word_is_as_long_as_the_dialog_allows(server: Server) -> None:
    await server.seat(2)
    shown = await server.press(server.members[1], Verb.LUCKY_WORD)
    assert f"'max_length': {MAX_LUCKY_WORD}" in str(shown.modal)
    await _submit(server, 1, shown, "x" * MAX_LUCKY_WORD)
    assert await _words(server) == ["", "x" * MAX_LUCKY_WORD]


async def test_a_word_formats_and_mentions_nothing(server: Server) -> None:
    await server.seat(2)
    for word in ("**bold** @everyone <@1>", "\u202e\u200b\u200d", "`" * 32, "🎲" * 32):
        await _submit(server, 1, await server.press(server.members[1], Verb.LUCKY_WORD), word)
        text = str(server.shown.embeds[0].to_dict()["fields"])
        assert not [mark for mark in ("**bold**", "@everyone", "\u202e") if mark in text]


async def test_the_button_of_a_table_that_is_gone_opens_no_dialog(server: Server) -> None:
    await server.seat(2)
    result = await server.send(server.members[0], Press(Verb.LUCKY_WORD, "0" * 12, 0).custom_id)
    assert result.modal is None
    assert private(result)

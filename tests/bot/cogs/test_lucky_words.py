"""The dialog that asks for a lucky word."""

from simcord import InteractionResult

from bot.domain.table import MAX_LUCKY_WORD
from bot.ui.buttons import Verb
from bot.ui.lobby import WORD_FIELD
from tests.bot.server import Server


async def _words(server: Server) -> list[str]:
    return [seat.lucky_word for seat in (await server.table()).seats]


async def _submit(server: Server, at: int, shown: InteractionResult, word: str) -> InteractionResult:
    result = await server.members[at].submit_modal(shown, {WORD_FIELD: word})
    assert result.acknowledged
    return result


async def test_lucky_words_are_taken_shown_and_taken_back(server: Server) -> None:
    table = await server.seat(2)
    ada, ben = server.members[:2]
    hers, his = await server.press(ada, Verb.LUCKY_WORD), await server.press(ben, Verb.LUCKY_WORD)
    assert f"'max_length': {MAX_LUCKY_WORD}" in str(hers.modal)
    # Two dialogs of one table are open at once, also over a restart.
    await server.restart()
    await _submit(server, 1, his, "  seven \n of  nine ")
    assert "seven of nine" in str(server.shown.embeds[0].to_dict())
    await _submit(server, 0, hers, "x" * MAX_LUCKY_WORD)
    assert await _words(server) == ["x" * MAX_LUCKY_WORD, "seven of nine"]
    changed = await server.table()
    assert changed.source.draw_faces(1, 0, 1) != table.source.draw_faces(1, 0, 1)
    assert changed.seal == table.seal
    again = await server.press(ada, Verb.LUCKY_WORD)
    assert "x" * MAX_LUCKY_WORD in str(again.modal)
    await _submit(server, 0, again, "")
    assert await _words(server) == ["", "seven of nine"]

import pytest

from bot.domain.errors import Refused
from bot.services.core import Core
from bot.services.lobby import set_lucky_word
from tests.bot.cores import ADA, BEN, begun, seated, started
from tests.highscore.referee import code, of_deck


async def test_a_lucky_word_comes_too_late_once_the_game_has_started(core: Core) -> None:
    table = await started(core)
    with pytest.raises(Refused):
        await set_lucky_word(core, table.id, ADA, "clover")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Clover", "Clover"),
        (" \t odd \u3000\u00a0\nfive\u2028", "odd five"),
        ("od\x00d\x7f\ud800", "odd"),
        ("e\u0301\u00e9", "e\u0301\u00e9"),
        ("\u200b\u202eclover", "\u200b\u202eclover"),
        (" \n ", ""),
    ],
    ids=["plain", "white space", "control", "no NFC", "not shown", "empty"],
)
async def test_the_lock_has_the_word_with_single_spaces_and_no_control_characters(
    core: Core, typed: str, stored: str
) -> None:
    """The lock is as docs/fairness.md says."""
    lobby = await seated(core, 2)
    await set_lucky_word(core, lobby.id, ADA, typed)
    table = await begun(core, lobby.id)
    assert table.seats[0].lucky_word == stored
    deck = of_deck({"name": table.deck.name, "cards": [str(card) for card in table.deck]})
    fixed = table.id, table.seal, table.turn_order.value, *deck
    assert table.lock == code("game", *fixed, str(ADA.user_id), stored, str(BEN.user_id), "")

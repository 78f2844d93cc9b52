import random

import discord
import pytest

from bot.ui.buttons import LessonPress
from bot.ui.pictures.views import game_view
from bot.ui.turn import choice_buttons
from highscore import STANDARD_DECK, TurnOrder
from highscore.turn import parse_turn
from tests.bot.ui.tables import states, table_of


def looks(turn: str, picked: tuple[int, ...]) -> list[tuple[str | None, str, discord.ButtonStyle]]:
    """Return the label, the emoji's name and the colour of the buttons of the dice."""
    items = choice_buttons(parse_turn(turn, STANDARD_DECK), picked, lambda verb, dice=(): LessonPress(verb, 0, dice))
    buttons = [item.item for item in items if ":die:" in item.item.custom_id]  # type: ignore[attr-defined]
    return [(button.label, button.emoji.name, button.style) for button in buttons]  # type: ignore[attr-defined]


def test_a_die_that_lies_still_says_so_also_without_our_emoji() -> None:
    found = looks("total-frozen | (4) 5 2 4 5 2 [V] | 2", ())
    assert [name for _label, name, _style in found] == ["🔒", "5️⃣", "2️⃣", "4️⃣", "5️⃣", "2️⃣", "❄️"]


@pytest.mark.parametrize("order", TurnOrder)
def test_the_stake_is_known_where_the_dice_are_shared(order: TurnOrder) -> None:
    known = 0
    for table in states(table_of(3, order), random.Random(1)):
        assert table.game is not None
        known += table.game.card is not None and game_view(table.game).stake is not None
    assert (known > 20) is order.shared

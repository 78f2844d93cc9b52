"""The buttons of a turn: what a press of a die means looks like what it does."""

import discord
import pytest

from bot.ui import dice
from bot.ui.buttons import LessonPress
from bot.ui.turn_parts import choice_buttons
from highscore import STANDARD_DECK
from highscore.turn import parse_turn


def looks(turn: str, picked: tuple[int, ...]) -> list[tuple[str | None, str, discord.ButtonStyle]]:
    """Return the label, the emoji's name and the colour of the buttons of the dice."""
    items = choice_buttons(parse_turn(turn, STANDARD_DECK), picked, lambda verb, dice: LessonPress(verb, 0, dice))
    buttons = [item.item for item in items if ":die:" in item.item.custom_id]  # type: ignore[attr-defined]
    return [(button.label, button.emoji.name, button.style) for button in buttons]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("turn", "name", "style"),
    [
        ("pairs-minus-zero | 4 5 2 4 5 2 V | 2", "hs_die_5_roll", discord.ButtonStyle.primary),
        ("pairs-minus-five | 4 5 2 4 5 2 V | 1", "hs_die_5_keep", discord.ButtonStyle.success),
    ],
)
def test_to_roll_again_is_blue_and_to_keep_is_green(turn: str, name: str, style: discord.ButtonStyle) -> None:
    dice.use_emoji({each: f"<:{each}:100000000000000001>" for each in (name, "hs_die_4")})
    try:
        found = looks(turn, (1,))
    finally:
        dice.use_emoji({})
    assert found[:2] == [(None, "hs_die_4", discord.ButtonStyle.secondary), (None, name, style)]


def test_a_die_set_aside_has_a_lock() -> None:
    assert [label for label, _emoji, _style in looks("pairs-minus-five | (4) 5 2 4 5 2 V | 2", ())] == [
        "🔒",
        *[None] * 6,
    ]

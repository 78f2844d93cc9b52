"""The buttons of a turn: what a press of a die means looks like what it does."""

import random
from typing import Any

import discord
import pytest

from bot.ui import dice
from bot.ui.buttons import LessonPress, Press
from bot.ui.pictures.views import find_stake
from bot.ui.turn_parts import choice_buttons
from highscore import STANDARD_DECK
from highscore.track import Chip
from highscore.turn import parse_turn
from highscore.turn_order import TurnOrder
from tests.bot.ui.tables import states, table_of


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


def test_a_die_that_lies_still_says_so_also_without_our_emoji() -> None:
    found = looks("total-frozen | (4) 5 2 4 5 2 [V] | 2", ())
    assert [name for _label, name, _style in found] == ["🔒", "5️⃣", "2️⃣", "4️⃣", "5️⃣", "2️⃣", "❄️"]


GREY, BLUE, GREEN, RED = (
    discord.ButtonStyle.secondary,
    discord.ButtonStyle.primary,
    discord.ButtonStyle.success,
    discord.ButtonStyle.danger,
)


@pytest.mark.parametrize(
    ("turn", "picked", "stake", "roll", "keep"),
    [
        ("pairs-minus-zero | 4 4 5 5 1 2 3 | 2", (), None, ("Roll", GREY), ("Keep 12", GREY)),
        ("pairs-minus-zero | 4 4 5 5 1 2 3 | 2", (4, 5), None, ("Roll 2", BLUE), ("Keep 12", GREY)),
        ("pairs-minus-zero | 4 4 5 5 1 2 3 | 2", (), Chip.BRONZE, ("Roll", GREY), ("Keep 12 · 🥉", GREY)),
        ("pairs-minus-zero | 4 4 5 5 1 2 3 | 2", (), Chip.GOLD, ("Roll", GREY), ("Keep 12 · 🥇", GREEN)),
        ("pairs-minus-zero | 4 4 5 5 1 2 3 | 2", (4,), Chip.GOLD, ("Roll 1", BLUE), ("Keep 12 · 🥇", GREY)),
        ("pairs-six | 4 4 5 5 1 2 3 | 2", (), Chip.SILVER, ("Roll 7", BLUE), ("Keep 18 · 🥈", GREY)),
        ("pairs-six | 4 4 5 5 1 2 3 | 2", (), Chip.GOLD, ("Roll 7", GREY), ("Keep 18 · 🥇", GREEN)),
        ("pairs-minus-five | 4 5 2 4 5 2 V | 1", (), None, ("Roll", GREY), ("Keep all: 17", GREY)),
        ("pairs-minus-five | 4 5 2 4 5 2 V | 1", (1, 4), None, ("Roll 5", BLUE), ("Keep all: 17", GREY)),
    ],
)
def test_one_button_has_a_colour_to_keep_what_leads_or_else_to_roll(
    turn: str, picked: tuple[int, ...], stake: Chip | None, roll: tuple[str, Any], keep: tuple[str, Any]
) -> None:
    assert look_below(turn, picked, stake) == [roll, keep]


@pytest.mark.parametrize(
    ("asking", "looks"), [(False, [("Roll 7", BLUE), ("Keep −9", GREY)]), (True, [("Roll 7", GREY), ("Keep −9?", RED)])]
)
def test_who_is_asked_about_keeping_so_little_sees_the_question_in_red(asking: bool, looks: list[Any]) -> None:
    assert look_below("total-minus5 | V V V V 5 5 1 | 2", (), None, asking=asking) == looks


def look_below(turn: str, picked: tuple[int, ...], stake: Chip | None, *, asking: bool = False) -> list[Any]:
    """Return the label and the colour of the buttons in the row below the dice."""
    items = choice_buttons(
        parse_turn(turn, STANDARD_DECK),
        picked,
        lambda verb, dice: Press(verb, "0" * 12, 1, dice),
        asking=asking,
        stake=stake,
    )
    rolling = next(item.item.row for item in items if item.item.emoji and item.item.emoji.name == "🎲")  # type: ignore[attr-defined]
    return [(item.item.label, item.item.style) for item in items if item.item.row == rolling]  # type: ignore[attr-defined]


@pytest.mark.parametrize("order", TurnOrder)
def test_the_stake_is_known_where_the_dice_are_shared(order: TurnOrder) -> None:
    known = 0
    for table in states(table_of(3, order), random.Random(1)):
        assert table.game is not None
        known += find_stake(table.game.turn, table.game.placements, table.game.players) is not None
    assert (known > 20) is order.shared

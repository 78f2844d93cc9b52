"""The buttons of a turn: what a press of a die means looks like what it does."""

import random
from typing import Any

import discord
import pytest

from bot.ui import dice
from bot.ui.buttons import LessonPress
from bot.ui.pictures.views import game_view
from bot.ui.turn_parts import Stake, choice_buttons, game_stake
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


def test_a_die_set_aside_has_a_lock() -> None:
    assert [label for label, _emoji, _style in looks("pairs-minus-five | (4) 5 2 4 5 2 V | 2", ())] == [
        "🔒",
        *[None] * 6,
    ]


@pytest.mark.parametrize(
    ("stake", "label", "style"),
    [
        (None, "Keep 18", discord.ButtonStyle.success),
        (Stake(Chip.GOLD), "Keep 18 · 🥇", discord.ButtonStyle.success),
        (Stake(Chip.BRONZE), "Keep 18 · 🥉", discord.ButtonStyle.secondary),
        (Stake(None), "Keep 18", discord.ButtonStyle.secondary),
    ],
)
def test_keeping_says_what_is_at_stake(stake: Stake | None, label: str, style: discord.ButtonStyle) -> None:
    turn = parse_turn("pairs-six | 4 4 5 5 1 2 3 | 2", STANDARD_DECK)
    keep, *_others = choice_buttons(turn, (), lambda verb, dice: LessonPress(verb, 0, dice), stake=stake)
    look: Any = keep.item
    assert (look.label, look.style) == (label, style)


@pytest.mark.parametrize("order", TurnOrder)
def test_the_stake_is_known_where_the_dice_are_shared(order: TurnOrder) -> None:
    known = 0
    for table in states(table_of(3, order), random.Random(1)):
        assert table.game is not None
        stake = game_stake(table.game)
        known += stake is not None
        assert table.game.card is None or (stake.chip if stake else None) == game_view(table.game).stake
    assert (known > 20) is order.shared

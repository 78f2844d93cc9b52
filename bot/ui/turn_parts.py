"""What a turn at a table and one of a daily challenge share: what the dice are worth, and the buttons."""

from collections.abc import Callable, Collection

import discord

from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, Press, Verb, bits, button
from bot.ui.dice import dice_line, die
from bot.ui.text import signed
from bot.ui.words import explain
from highscore.cards import Card, RollType
from highscore.deck import ROUNDS
from highscore.dice import Dice
from highscore.scoring import score
from highscore.turn import DieState, SetAside, Turn, can_choose

DICE_PER_ROW = 4
"""Discord has five buttons in a row; four and three keep the seven dice together on a phone."""

PressOf = Callable[[Verb, int], Press]
"""Makes the press of a verb and its argument, for the table or the daily challenge the turn belongs to."""


def round_title(number: int) -> str:
    """The heading of a round."""
    return _("Round {number} of {rounds}").format(number=number, rounds=ROUNDS)


def worth(turn: Turn) -> str:
    """What the dice are worth as they lie, and why."""
    return _("Worth now: **{result}** — {why}").format(result=signed(turn.score.total), why=explain(turn.score))


def scored_lines(card: Card, dice: Dice) -> list[str]:
    """Dice in text, and what they are worth on a card."""
    result = score(card, dice)
    return [dice_line(dice), f"**{signed(result.total)}** — {explain(result)}"]


def what_now(turn: Turn) -> str:
    """What the player can do, in a small line."""
    rolls = ngettext("{number} roll left", "{number} rolls left", turn.rolls_left).format(number=turn.rolls_left)
    match turn.card.roll_type:
        case RollType.SET_ASIDE if turn.froze:
            text = _("Pick dice to set aside, or just roll on: the frozen vortex counts as set aside.")
        case RollType.SET_ASIDE:
            text = _("Pick the dice to set aside; the others are rolled again.")
        case RollType.ANY_THREE:
            text = f"{rolls}. " + _("Pick the dice to roll again.")
        case RollType.FOUR_FULL:
            text = f"{rolls}."
    return f"-# {text}"


def first_steps(turn: Turn) -> str:
    """What somebody presses now who has never played."""
    return {
        RollType.FOUR_FULL: _(
            "Happy with the points? **Keep** ends your turn. Not yet? Roll all dice again, for better or worse."
        ),
        RollType.ANY_THREE: _("Press the dice you want to roll again, then the blue button. **Keep** ends your turn."),
        RollType.SET_ASIDE: _(
            "Press the dice you like, then the blue button: they stay, the others roll. Green ends your turn."
        ),
    }[turn.card.roll_type]


def help_line(text: str) -> str:
    """A small line of help for somebody who has not finished a game yet."""
    return f"-# 💡 {text}"


def choice_buttons(turn: Turn, selected: Collection[int], press: PressOf) -> list[ActionItem]:
    """The choices of a turn. ``selected`` are the dice the player has picked, which only the message knows."""
    if turn.card.roll_type is RollType.FOUR_FULL:
        return _full_roll_buttons(turn, press)
    buttons = [_die_button(turn, at, selected, press) for at in range(len(turn.faces))]
    row = (len(buttons) + DICE_PER_ROW - 1) // DICE_PER_ROW
    if turn.card.roll_type is RollType.ANY_THREE:
        return buttons + _any_three_buttons(turn, selected, press, row)
    return buttons + _set_aside_buttons(turn, selected, press, row)


def _full_roll_buttons(turn: Turn, press: PressOf) -> list[ActionItem]:
    frozen = len(turn.free) < len(turn.faces)
    label = _("Roll all free dice again") if frozen else _("Roll all again")
    return [_roll_button(press(Verb.ROLL, bits(turn.free)), label, row=0), _keep_button(turn, press, row=0)]


def _any_three_buttons(turn: Turn, selected: Collection[int], press: PressOf, row: int) -> list[ActionItem]:
    # Keep stays in its place whether dice are picked or not, so nobody ends a turn by a button that has moved.
    buttons = [_keep_button(turn, press, row=row)]
    if selected:
        label = ngettext("Roll {number} die again", "Roll {number} dice again", len(selected))
        buttons.append(_roll_button(press(Verb.ROLL, bits(selected)), label.format(number=len(selected)), row=row))
    return buttons


def _set_aside_buttons(turn: Turn, selected: Collection[int], press: PressOf, row: int) -> list[ActionItem]:
    total = turn.score.total
    label = ngettext("Set all aside: {result} point", "Set all aside: {result} points", abs(total))
    label = label.format(result=signed(total))
    everything = press(Verb.SET_ASIDE, bits(turn.free))
    buttons = [button(everything, label, style=discord.ButtonStyle.success, row=row)]
    rest = len(turn.free) - len(selected)
    if rest and can_choose(turn, SetAside(tuple(sorted(selected)))):
        label = (
            ngettext("Set aside, roll {number} die", "Set aside, roll {number} dice", rest)
            if selected
            else ngettext("Roll {number} die", "Roll {number} dice", rest)
        )
        buttons.append(_roll_button(press(Verb.SET_ASIDE, bits(selected)), label.format(number=rest), row=row))
    return buttons


def _roll_button(press: Press, label: str, row: int) -> ActionItem:
    return button(press, label, emoji="🎲", style=discord.ButtonStyle.primary, row=row)


def _keep_button(turn: Turn, press: PressOf, row: int) -> ActionItem:
    total = turn.score.total
    label = ngettext("Keep: {result} point", "Keep: {result} points", abs(total)).format(result=signed(total))
    return button(press(Verb.STOP, 0), label, style=discord.ButtonStyle.success, row=row)


def _die_button(turn: Turn, at: int, selected: Collection[int], press: PressOf) -> ActionItem:
    """A die: a press picks it or puts it back. The button carries what would be picked after that."""
    face = turn.faces[at]
    state = turn.states[at]
    return button(
        press(Verb.TOGGLE, bits(set(selected) ^ {at})),
        {DieState.FREE: None, DieState.SET_ASIDE: "✔", DieState.FROZEN: "❄"}[state],
        emoji=die(face, state, picked=at in selected),
        style=discord.ButtonStyle.primary if at in selected else discord.ButtonStyle.secondary,
        disabled=state is not DieState.FREE,
        row=at // DICE_PER_ROW,
    )

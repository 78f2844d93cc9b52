"""The parts that a turn at a table and one of a daily challenge share: the worth of the dice, and the buttons."""

from collections.abc import Callable, Collection, Sequence

import discord

from bot.locales import _
from bot.ui.actions import Action
from bot.ui.buttons import ActionItem, Verb, button, to_bits
from bot.ui.chips import CHIPS
from bot.ui.dice import dice_code, die_text
from bot.ui.message import Picture
from bot.ui.pictures.board import board_png
from bot.ui.pictures.sentences import board_sentences
from bot.ui.pictures.views import BoardView, Pick
from bot.ui.text import format_signed
from bot.ui.words import card_lines, card_names_line, explain, scoring_line
from highscore.cards import Card, RollType
from highscore.deck import ROUNDS
from highscore.dice import Dice
from highscore.scoring import score_dice
from highscore.track import Chip
from highscore.turn import DieState, SetAside, Turn, can_choose

DICE_PER_ROW = 4
"""The dice in a row of buttons: Discord has five, but four and three keep the seven dice together on a phone."""

PressOf = Callable[[Verb, int], Action]
"""The function that makes the press of a verb and its argument, for what the turn belongs to."""


def board_picture(view: BoardView, names: Sequence[str]) -> Picture:
    """Return the board as a picture; nearly all of its parts are kept."""
    name = "" if view.leader is None else names[view.leader]
    return Picture("board.png", board_sentences(view, names), board_png, (view, name), quick=True)


def require_card(card: Card | None) -> Card:
    """Return the card that is turned up: chance is always played out before anything is shown."""
    if card is None:
        raise ValueError("no card is turned up")
    return card


def round_title(number: int) -> str:
    return _("Round {number} of {rounds}").format(number=number, rounds=ROUNDS)


def worth_line(turn: Turn) -> str:
    return _("Worth **{result}**").format(result=format_signed(turn.score.total)) + f" — {explain(turn.score)}"


def scored_lines(card: Card, dice: Dice) -> list[str]:
    result = score_dice(card, dice)
    return [dice_code(dice), f"**{format_signed(result.total)}** — {explain(result)}"]


def card_and_dice_lines(card: Card, turn: Turn | None, steps: str | None, *, known: bool) -> list[str]:
    """Return a card and the worth of its dice, which the picture shows; of a card that is known only its names.

    ``steps`` says what to press now; None while nobody has to, which needs no words.
    """
    if known:
        return [] if steps is None else [card_names_line(card)]
    help_lines = [] if steps is None else [f"-# 💡 {steps}"]
    if turn is None:
        return [card_lines(card), *help_lines]
    return [scoring_line(card), worth_line(turn), *help_lines]


def first_steps_sentence(turn: Turn | None) -> str:
    if turn is None:
        return _("Just roll: you decide afterwards.")
    if turn.froze and turn.card.roll_type is RollType.SET_ASIDE:
        return _("Pick dice to set aside, or just roll on: the frozen vortex counts as set aside.")
    return {
        RollType.FOUR_FULL: _("Good enough? **Keep** ends your turn. Or roll all dice again, for better or worse."),
        RollType.ANY_THREE: _("Press dice to roll again, then the blue button. **Keep** ends your turn."),
        RollType.SET_ASIDE: _("Press dice to keep, then the blue button. **Keep all** ends your turn."),
    }[turn.card.roll_type]


def choice_buttons(
    turn: Turn | None,
    selected: Collection[int],
    press: PressOf,
    *,
    asking: bool = False,
    hints: bool = False,
    begin: str | None = None,
    stake: Chip | None = None,
) -> list[ActionItem]:
    """Return the buttons of a turn: the dice, below them rolling and keeping, hint, card; before the turn, its begin.

    ``selected`` are the dice the player has picked, ``asking`` is True while they are asked if they mean to keep so
    little; only the message knows these. ``stake`` is the chip that keeping would win now, where one is known. A button
    that can do nothing now is grey and stays, so that nobody ends a turn by a button that has moved. Besides picked
    dice one button at most has a colour: rolling, unless keeping leads or is asked about.
    """
    if turn is None:
        return [_dice_button(press(Verb.TAKE, 0), begin or _("Roll the dice"), 0), card_button(press, 1)]
    picks = turn.card.roll_type is not RollType.FOUR_FULL
    dice = [_die_button(turn, at, selected, press) for at in range(len(turn.faces)) if picks]
    row = (len(dice) + DICE_PER_ROW - 1) // DICE_PER_ROW
    style = discord.ButtonStyle.success if stake is Chip.GOLD and not selected else discord.ButtonStyle.secondary
    if asking and _asks(turn):
        style = discord.ButtonStyle.danger
    roll = _roll_button(turn, selected, press, row, quiet=style is not discord.ButtonStyle.secondary)
    buttons = [*dice, roll, _keep_button(turn, selected, press, row, style, stake)]
    if hints:
        buttons.append(button(press(Verb.HINT, 0), _("Hint"), emoji="💡", row=row + 1))
    return [*buttons, card_button(press, row + 1)]


def card_button(press: PressOf, row: int = 0) -> ActionItem:
    return button(press(Verb.CARD, 0), _("Card"), emoji="❓", row=row)


def _roll_button(turn: Turn, selected: Collection[int], press: PressOf, row: int, *, quiet: bool) -> ActionItem:
    """Return the button that rolls, with the number of the dice; ``quiet`` where another one has the colour."""
    match turn.card.roll_type:
        case RollType.FOUR_FULL:
            verb, said, rolled = Verb.ROLL, turn.free, len(turn.free)
        case RollType.ANY_THREE:
            verb, said, rolled = Verb.ROLL, tuple(selected), len(selected)
        case RollType.SET_ASIDE:
            verb, said = Verb.SET_ASIDE, tuple(sorted(selected))
            rolled = len(turn.free) - len(said) if can_choose(turn, SetAside(said)) else 0
    if not rolled:
        return _dice_button(press(verb, 0), _("Roll"), row, disabled=True)
    return _dice_button(press(verb, to_bits(said)), _("Roll {dice}").format(dice=rolled), row, quiet=quiet)


def _dice_button(press: Action, label: str, row: int, *, disabled: bool = False, quiet: bool = False) -> ActionItem:
    style = discord.ButtonStyle.secondary if disabled or quiet else discord.ButtonStyle.primary
    return button(press, label, emoji="🎲", style=style, disabled=disabled, row=row)


def _asks(turn: Turn) -> bool:
    """Return whether keeping brings nothing and rolls are left, so that it is asked about first."""
    return turn.score.total <= 0 and turn.rolls_left > 0


def _keep_button(
    turn: Turn, selected: Collection[int], press: PressOf, row: int, style: discord.ButtonStyle, stake: Chip | None
) -> ActionItem:
    """Return the button that ends the turn, with the chip that would win; a red one is the answer to the question."""
    everything, asked = turn.card.roll_type is RollType.SET_ASIDE, style is discord.ButtonStyle.danger
    keep = press(Verb.SET_ASIDE, to_bits(turn.free)) if everything else press(Verb.STOP, 0)
    label = _("Keep all: {result}") if everything else _("Keep {result}")
    if asked:
        label = _("Keep {result}?")
    elif _asks(turn):
        keep = press(Verb.ASK, to_bits(selected))
    mark = "" if stake is None else f" · {CHIPS[stake]}"
    return button(keep, label.format(result=format_signed(turn.score.total)) + mark, style=style, row=row)


_PICK_STYLES = {
    None: discord.ButtonStyle.secondary,
    Pick.ROLL: discord.ButtonStyle.primary,
    Pick.KEEP: discord.ButtonStyle.success,
}


def _die_button(turn: Turn, at: int, selected: Collection[int], press: PressOf) -> ActionItem:
    """Return the button that picks a die or puts it back. It carries what would be picked after that."""
    face, state = turn.faces[at], turn.states[at]
    pick = Pick.of(turn.card.roll_type) if at in selected else None
    return button(
        press(Verb.TOGGLE, to_bits(set(selected) ^ {at})),
        emoji=die_text(face, state, pick),
        style=_PICK_STYLES[pick],
        disabled=state is not DieState.FREE,
        row=at // DICE_PER_ROW,
    )

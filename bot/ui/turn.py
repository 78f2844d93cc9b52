"""The screen of a turn: the card, the dice and their worth, the track so far, and the buttons of the player.

Most functions from ``board_picture`` on are also used by the private pages on which a user plays alone.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Protocol

import discord

from bot.domain.deadlines import seats_waited_for
from bot.domain.table import Table
from bot.locales import _, labelled, ngettext
from bot.ui import words
from bot.ui.buttons import Action, ActionItem, Verb, button, table_press, turn_press
from bot.ui.cancelling import cancel_buttons, cancel_lines
from bot.ui.message import ACCENT, QUIET, SEAT_COLOURS, Picture, make_embed
from bot.ui.pictures.board import board_png
from bot.ui.pictures.dice import die_emoji
from bot.ui.pictures.views import BoardView, board_sentences, sort_placements
from bot.ui.reminders import away_lines, deadline_line, news_lines
from bot.ui.text import CHIPS, HOUSE, format_signed, player_name
from highscore.cards import Card, RollType
from highscore.deck import ROUNDS
from highscore.default_choice import compute_average, find_default_choice
from highscore.dice import Dice, Face
from highscore.game import Game
from highscore.runs import FinishedRound, FinishedTurn
from highscore.scoring import score_dice
from highscore.track import Chip, Placement, find_chip, place_pieces, rank_placements
from highscore.turn import DieState, SetAside, Stop, Turn, can_choose, keep_dice
from highscore.turn_order import TurnOrder

_LAST_ROW = 4


def whose_turn_line(table: Table) -> str | None:
    """Return the line that mentions the players whose turn it is; None if no person has a turn.

    The mention pings them when the message is sent, but not when it is edited.
    """
    game = require_game(table)
    users = [f"<@{table.seats[seat].user_id}>" for seat in seats_waited_for(table)]
    if not users:
        return None
    if game.turn_order.in_seat_order:
        return _("{player}, it's your turn.").format(player=users[0])
    if len(game.to_play) == 1:
        return _("{player}, only your turn is left in this round.").format(player=users[0])
    return _("Still to play this round: {players}").format(players=" ".join(users))


def turn_embed(table: Table) -> discord.Embed:
    game = require_game(table)
    card = require_card(game.card)
    people = [seat for seat in game.may_act if not table.house_plays(seat)]
    known = all(table.knows(seat, card) for seat in people)
    return make_embed(
        _turn_title(table, game),
        *news_lines(table),
        *card_and_dice_lines(card, game.turn, known=known, acts=bool(people)),
        stake_line(table, game) if known and people else None,
        deadline_line(table),
        *cancel_lines(table),
        *away_lines(table),
        colour=SEAT_COLOURS[game.may_act[0]] if len(game.may_act) == 1 else ACCENT,
    )


def finished_turn_embed(table: Table, number: int) -> discord.Embed:
    """Show a finished turn: its dice, its result and how that is made up. ``number`` counts from 0 over the whole game.

    If the game ended before the turn was over, the embed says so.
    """
    game = require_game(table)
    finished = _find_turn(game, number)
    if finished is None:
        given_up = _("The game ended before this turn was over.")
        return make_embed(round_title(game.round), words.card_name(require_card(game.card)), given_up, colour=QUIET)
    card, turns = finished
    turn = turns[-1]
    return make_embed(
        labelled(player_name(table, turn.seat), words.points_words(turn.result)),
        f"{words.card_name(card)} · {words.roll_type_name(card.roll_type)}",
        *scored_lines(card, turn.dice),
        track_sentence(place_pieces({each.seat: each.result for each in turns})[-1]),
        _("Played by the house.") if turn.by_house else None,
        colour=QUIET,
    )


def turn_buttons(table: Table, kept: Collection[int] | None = None, *, asking: bool = False) -> list[ActionItem]:
    """Return the buttons below a shared table. ``choice_buttons`` explains ``kept`` and ``asking``."""
    game, press = require_game(table), partial(turn_press, table)
    if table.timing.asleep_until is not None and table.people:
        wake = button(table_press(table, Verb.WAKE), _("Go on"), emoji="⏰", style=discord.ButtonStyle.success)
        buttons = [wake, _card_button(press, 1)]
    elif all(table.house_plays(seat) for seat in game.may_act):
        buttons = [_card_button(press)]
    else:
        begin = _("Take the dice") if game.turn_order is TurnOrder.OPEN else None
        buttons = choice_buttons(game.turn, kept, press, asking=asking, hints=table.options.hints, begin=begin)
    # The house plays for players who are away until they press this.
    if any(table.house_plays(at) and seat.present for at, seat in enumerate(table.seats)):
        buttons.append(button(table_press(table, Verb.BACK), _("I'm back"), emoji="👋", row=_LAST_ROW))
    return [*buttons, *cancel_buttons(table, _LAST_ROW)]


def require_game(table: Table) -> Game:
    """Return the game at a table, running or over. Raise ValueError if no game was started."""
    if table.game is None:
        raise ValueError(f"table {table.id} is in the lobby and has no game to show")
    return table.game


def _turn_title(table: Table, game: Game) -> str | None:
    """Return the title of a turn; None if the picture and the line above the embed already say whose turn it is."""
    seat = game.may_act[0]
    house = table.house_plays(seat) and table.timing.asleep_until is None
    if len(game.may_act) > 1:
        title = _("The dice are free")
    elif house and table.seats[seat].user_id is not None:
        title = _("The house plays for {player}").format(player=player_name(table, seat, marked=False))
    else:
        title = _("{player}'s turn").format(player=player_name(table, seat))
    taken = game.turn_order is TurnOrder.OPEN and game.seat is not None and len(game.to_play) > 1
    return title if house or taken else None


def played_lines(table: Table, ended: FinishedRound) -> list[str]:
    """Return a line for each turn of a round, in the order of the track. No other message shows these dice any more."""
    played, chips = {turn.seat: turn for turn in ended.turns}, ended.chips
    return [
        f"{player_name(table, placed.seat, marked=False)}{f' {HOUSE}' if played[placed.seat].by_house else ''} "
        f"**{_result_words(placed)}**{f' {CHIPS[chips[placed.seat]]}' if placed.seat in chips else ''} "
        f"{words.dice_code(played[placed.seat].dice)}"
        for placed in sort_placements(ended.placements)
    ]


def _result_words(placed: Placement) -> str:
    """Return a result, followed by the position of its piece if that is different."""
    result = format_signed(placed.result)
    if placed.waiting:
        return f"{result} → <1"
    return result if placed.position in (None, placed.result) else f"{result} → {placed.position}"


def equal_results_lines(table: Table, ended: FinishedRound) -> list[str]:
    """Return the line that explains the order of equal results in own pace, where being quicker is no advantage (R9.5).

    Empty in other games, and if no piece had to move.
    """
    moved = any(placed.result > 0 and placed.position != placed.result for placed in ended.placements)
    if table.turn_order.shared or not moved:
        return []
    text = _("Equal results are placed in seat order. First in this round: {player}")
    return ["-# " + text.format(player=player_name(table, ended.turns[0].seat, marked=False))]


def track_sentence(placed: Placement) -> str:
    if placed.waiting:
        return _("All lower spaces are taken, so the piece waits below space 1.")
    if placed.position is None:
        return _("With a result of 0 or less, the piece stays off the track.")
    if placed.position != placed.result:
        text = _("{result} was already taken, so the piece stands on {position}.")
        return text.format(result=placed.result, position=placed.position)
    return _("The piece stands on {position}.").format(position=placed.position)


def _find_turn(game: Game, number: int) -> tuple[Card, tuple[FinishedTurn, ...]] | None:
    """Return the card of a turn and the finished turns of its round up to this one; None if it was never finished.

    ``number`` counts from 0 over the whole game.
    """
    rounds = [*((ended.card, ended.turns) for ended in game.finished), (game.card, game.played)]
    for card, turns in rounds:
        if card is not None and number < len(turns):
            return card, turns[: number + 1]
        number -= len(turns)
    return None


KEYCAPS = {
    Face.ONE: "1️⃣",
    Face.TWO: "2️⃣",
    Face.THREE: "3️⃣",
    Face.FOUR: "4️⃣",
    Face.FIVE: "5️⃣",
    Face.VORTEX: words.VORTEX,
}
_LYING = {DieState.SET_ASIDE: "🔒", DieState.FROZEN: words.FROZEN}

# Global, because a process runs one bot. The emoji are known once they are uploaded.
_uploaded: dict[str, str] = {}


def use_emoji(emoji: Mapping[str, str]) -> None:
    """Use these application emoji (name to ``<:name:id>``) for dice from now on. Without any, keycaps are used."""
    _uploaded.clear()
    _uploaded.update(emoji)


def die_text(face: Face | None, state: DieState = DieState.FREE, *, kept: bool = False) -> str:
    """Return the emoji of a die's button. Only the bot's own emoji show both the face and the state of the die."""
    plain = words.UNROLLED if face is None else _LYING.get(state, KEYCAPS[face])
    return _uploaded.get(die_emoji(face, state, kept=kept), plain)


_DICE_PER_ROW = 4
"""The dice in a row of buttons. Discord allows five, but rows of four and three stay together on a phone."""
_NAMED_DICE = 3
"""Up to this number, the roll button names the dice that are kept. Above it, the button says only how many."""


class MakePress(Protocol):
    """Makes the action of a button of a turn, for the table, run, challenge, lesson or exercise that is played."""

    def __call__(self, verb: Verb, dice: tuple[int, ...] = ...) -> Action: ...


def board_picture(view: BoardView, names: Sequence[str]) -> Picture:
    """Return the board as a picture. Nearly all of its parts are cached, so it is drawn on the event loop."""
    name = "" if view.leader is None else names[view.leader]
    previous = "" if view.previous is None else names[view.previous.seat]
    return Picture("board.png", board_sentences(view, names), board_png, (view, name, previous), quick=True)


def require_card(card: Card | None) -> Card:
    """Return the card that is turned up. Raise ValueError for None: cards are drawn before anything is shown."""
    if card is None:
        raise ValueError("no card is turned up")
    return card


def round_title(number: int) -> str:
    return _("Round {number} of {rounds}").format(number=number, rounds=ROUNDS)


def stake_line(table: Table, game: Game) -> str | None:
    """Return what the dice would win now and how many points are missing for a better chip.

    If no player has finished this round yet, return the dice's result and the card's average. Before the player takes
    the dice, return the result to beat, or None if there is none. Only for turn orders in which everybody sees all
    results (R9.5).
    """
    turn, ahead = game.turn, rank_placements(game.placements)
    if turn is None:
        to_beat = _("**{result}** to beat for {chip}")
        return to_beat.format(result=ahead[0].position or 1, chip=CHIPS[Chip.GOLD]) if ahead else None
    worth = f"**{format_signed(turn.score.total)}**"
    if not game.placements:
        text = _("{result} · average on this card: {average}")
        return text.format(result=worth, average=compute_average(turn.card))
    chip = find_chip(turn.score.total, game.placements, game.players)
    if chip is not None:
        worth = _("{result} wins {chip}").format(result=worth, chip=CHIPS[chip])
    if chip is Chip.GOLD:
        player = player_name(table, ahead[0].seat, marked=False) if ahead else None
        return worth if player is None else _("{result}, ahead of {player}").format(result=worth, player=player)
    points, better = _find_better(turn.score.total, game)
    return f"{worth} · " + _("{points} more for {chip}").format(points=points, chip=CHIPS[better])


def _find_better(result: int, game: Game) -> tuple[int, Chip]:
    """Return the points missing for a better chip, and that chip. ``result`` must not win gold already."""
    now = find_chip(result, game.placements, game.players)
    for more in count(max(1, 1 - result)):
        chip = find_chip(result + more, game.placements, game.players)
        if chip is not None and (now is None or chip.points > now.points):
            return more, chip
    raise AssertionError("a result above all others wins gold")


def worth_line(turn: Turn) -> str:
    return _("Worth **{result}**").format(result=format_signed(turn.score.total)) + f" — {words.explain(turn.score)}"


def scored_lines(card: Card, dice: Dice) -> list[str]:
    result = score_dice(card, dice)
    return [words.dice_code(dice), f"**{format_signed(result.total)}** — {words.explain(result)}"]


def card_and_dice_lines(card: Card, turn: Turn | None, *, known: bool, acts: bool = True) -> list[str]:
    """Return the lines about the card, the worth of the dice, and what to press.

    If all players know the card's scoring and roll type (``known``), return only a line with their names. If only the
    house can play (``acts`` is False), leave out that line and what to press.
    """
    if known:
        return [words.card_names_line(card)] if acts else []
    help_lines = [f"-# 💡 {_first_steps_sentence(turn)}"] if acts else []
    if turn is None:
        return [words.card_lines(card), *help_lines]
    return [words.scoring_line(card), worth_line(turn), *help_lines]


def _first_steps_sentence(turn: Turn | None) -> str:
    if turn is None:
        return _("Just roll: you decide afterwards.")
    return {
        RollType.FOUR_FULL: _("Good enough? **Keep** ends your turn. Or roll all dice again, for better or worse."),
        RollType.ANY_THREE: _("Blue dice are kept, the others are rolled again. Tap a die to change that."),
        RollType.SET_ASIDE: _("Blue dice are locked for good, the others are rolled again. Tap a die to change that."),
    }[turn.card.roll_type]


def choice_buttons(
    turn: Turn | None,
    kept: Collection[int] | None,
    press: MakePress,
    *,
    asking: bool = False,
    hints: bool = False,
    begin: str | None = None,
) -> list[ActionItem]:
    """Return the buttons of a turn: dice, roll, keep, hint and card. Without a turn: take the dice, and card.

    ``kept`` are the positions of the dice that a roll would keep; None means the default choice. ``asking`` is True
    while the player is asked whether to keep a result of 0 or less. Both are stored only in the message. ``begin`` is
    the label of the button that takes the dice.

    Dice that are kept are blue. The button to press next is green. While the player is asked, the keep button is red
    and none is green.
    """
    if turn is None:
        return [_dice_button(press(Verb.TAKE), begin or _("Roll the dice"), 0), _card_button(press, 1)]
    default = find_default_choice(turn)
    ends = kept is None and default.choice == keep_dice(turn, turn.free)
    kept = default.kept if kept is None else kept
    picks = turn.card.roll_type is not RollType.FOUR_FULL
    dice = [_die_button(turn, at, kept, press) for at in range(len(turn.faces)) if picks]
    row = (len(dice) + _DICE_PER_ROW - 1) // _DICE_PER_ROW
    asks = asking and _needs_question(turn)
    roll = _roll_button(turn, kept, press, row, quiet=ends or asks)
    card = _card_button(press, 1)
    # On a phone, a roll button that names dice fills a row, so the card button stands next to the last three dice.
    row += picks and roll is not None
    keep = _keep_button(turn, kept, press, row, highlighted=ends or len(kept) == len(turn.free), asked=asks)
    hint = button(press(Verb.HINT), _("Hint"), emoji="💡", row=row + (not picks)) if hints else None
    # In the order of the rows, because Discord lists them so.
    buttons = [*dice, card, roll, keep, hint] if picks else [roll, keep, hint, card]
    return [each for each in buttons if each is not None]


def _card_button(press: MakePress, row: int = 0) -> ActionItem:
    return button(press(Verb.CARD), _("Card"), emoji="❓", row=row)


def _roll_button(turn: Turn, kept: Collection[int], press: MakePress, row: int, *, quiet: bool) -> ActionItem | None:
    """Return the button that keeps the dice at ``kept`` and rolls the others. It is grey if ``quiet``.

    None if no dice would be rolled, or if the rules do not allow this choice.
    """
    choice = keep_dice(turn, kept)
    rolled = len(turn.free) - len(kept)
    if isinstance(choice, Stop) or not rolled or not can_choose(turn, choice):
        return None
    sets_aside = isinstance(choice, SetAside)
    verb = Verb.SET_ASIDE if sets_aside else Verb.ROLL
    if not kept:
        label = _("Roll {dice}").format(dice=rolled)
    elif len(kept) <= _NAMED_DICE:
        text = (
            ngettext("Lock {faces} · roll {number} die", "Lock {faces} · roll {number} dice", rolled)
            if sets_aside
            else ngettext("Keep {faces} · roll {number} die", "Keep {faces} · roll {number} dice", rolled)
        )
        label = text.format(faces=" ".join(words.die_mark(turn.faces[at]) for at in sorted(kept)), number=rolled)
    else:
        text = _("Lock {count} dice · roll {number}") if sets_aside else _("Keep {count} dice · roll {number}")
        label = text.format(count=len(kept), number=rolled)
    return _dice_button(press(verb, choice.positions), label, row, quiet=quiet)


def _dice_button(press: Action, label: str, row: int, *, quiet: bool = False) -> ActionItem:
    style = discord.ButtonStyle.secondary if quiet else discord.ButtonStyle.success
    return button(press, label, emoji="🎲", style=style, row=row)


def _needs_question(turn: Turn) -> bool:
    """Return whether to ask before the turn ends: it would end with 0 or less, and rolls are left."""
    return turn.score.total <= 0 and turn.rolls_left > 0


def _keep_button(
    turn: Turn, kept: Collection[int], press: MakePress, row: int, *, highlighted: bool, asked: bool
) -> ActionItem:
    """Return the button that ends the turn. If the result needs a question, the first press asks, and makes it red."""
    everything = turn.card.roll_type is RollType.SET_ASIDE
    keep = press(Verb.SET_ASIDE, turn.free) if everything else press(Verb.STOP)
    style = discord.ButtonStyle.success if highlighted else discord.ButtonStyle.secondary
    label = _("Keep all: {result}") if everything else _("Keep {result}")
    if asked:
        style, label = discord.ButtonStyle.danger, _("Keep {result}?")
    elif _needs_question(turn):
        keep = press(Verb.ASK, tuple(sorted(kept)))
    return button(keep, label.format(result=format_signed(turn.score.total)), style=style, row=row)


def _die_button(turn: Turn, at: int, kept: Collection[int], press: MakePress) -> ActionItem:
    """Return the button that switches a die between keeping and rolling. It carries the dice kept after the press."""
    face, state = turn.faces[at], turn.states[at]
    return button(
        press(Verb.TOGGLE, tuple(sorted(set(kept) ^ {at}))),
        emoji=die_text(face, state, kept=at in kept),
        style=discord.ButtonStyle.primary if at in kept else discord.ButtonStyle.secondary,
        disabled=state is not DieState.FREE,
        row=at // _DICE_PER_ROW,
    )

"""A turn: the card, the dice, what they are worth, the track so far, and what can be done now."""

from collections.abc import Collection, Iterator
from functools import partial

import discord

from bot.domain.deadlines import seats_waited_for
from bot.domain.table import Table
from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, Verb, button, table_press
from bot.ui.cancelling import cancel_buttons, cancel_lines
from bot.ui.chips import CHIPS
from bot.ui.dice import dice_code
from bot.ui.message import ACCENT, QUIET, SEAT_COLOURS, make_embed
from bot.ui.names import player_name
from bot.ui.pictures.views import find_stake, track_order
from bot.ui.reminders import away_lines, deadline_line, news_lines
from bot.ui.text import HOUSE, format_signed
from bot.ui.turn_parts import (
    card_and_dice_lines,
    card_button,
    choice_buttons,
    first_steps_sentence,
    require_card,
    round_title,
    scored_lines,
)
from bot.ui.words import card_name, roll_type_name
from highscore.cards import Card
from highscore.game import Game
from highscore.runs import FinishedRound, FinishedTurn
from highscore.track import Placement, place_pieces
from highscore.turn_order import TurnOrder

LAST_ROW = 4


def turn_call(table: Table) -> str | None:
    """Return the line that names, and once notifies, those whose turn it is; None while only the house has one."""
    game = require_game(table)
    users = [f"<@{table.seats[seat].user_id}>" for seat in seats_waited_for(table)]
    if not users:
        return None
    if game.turn_order.in_seat_order:
        return _("{player}, your turn.").format(player=users[0])
    if len(game.to_play) == 1:
        return _("{player}, only your turn is left in this round.").format(player=users[0])
    return _("To play this round: {players}").format(players=" ".join(users))


def turn_embed(table: Table) -> discord.Embed:
    """Show the turn that is played, or the dice waiting for the next player."""
    game = require_game(table)
    card = require_card(game.card)
    people = [seat for seat in game.may_act if not table.house_plays(seat)]
    lines = card_and_dice_lines(
        card,
        game.turn,
        first_steps_sentence(game.turn) if people else None,
        known=all(table.knows(seat, card) for seat in people),
    )
    return make_embed(
        _turn_title(table, game),
        *news_lines(table),
        *lines,
        deadline_line(table),
        *cancel_lines(table),
        *away_lines(table),
        colour=SEAT_COLOURS[game.may_act[0]] if len(game.may_act) == 1 else ACCENT,
    )


def finished_turn_embed(table: Table, number: int) -> discord.Embed:
    """Show a turn that is over, counted from 0 over the whole game: dice, result and why."""
    game = require_game(table)
    finished = _find_turn(game, number)
    if finished is None:
        given_up = _("The game was given up before this turn was over.")
        return make_embed(round_title(game.round), card_name(require_card(game.card)), given_up, colour=QUIET)
    card, turns = finished
    turn = turns[-1]
    title = ngettext("{player}: {result} point", "{player}: {result} points", turn.result)
    return make_embed(
        title.format(player=player_name(table, turn.seat), result=format_signed(turn.result)),
        f"{card_name(card)} · {roll_type_name(card.roll_type)}",
        *scored_lines(card, turn.dice),
        track_sentence(place_pieces({each.seat: each.result for each in turns})[-1]),
        _("Played by the house.") if turn.by_house else None,
        colour=QUIET,
    )


def turn_buttons(table: Table, selected: Collection[int], *, asking: bool = False) -> list[ActionItem]:
    game, press = require_game(table), partial(table_press, table)
    if table.timing.asleep_until is not None and table.people:
        wake = button(press(Verb.WAKE), _("Go on"), emoji="⏰", style=discord.ButtonStyle.success)
        buttons = [wake, card_button(press, 1)]
    elif all(table.house_plays(seat) for seat in game.may_act):
        buttons = [card_button(press)]
    else:
        begin = _("Take the dice") if game.turn_order is TurnOrder.OPEN else None
        buttons = choice_buttons(
            game.turn,
            selected,
            press,
            asking=asking,
            hints=table.options.hints,
            begin=begin,
            stake=find_stake(game.turn, game.placements, game.players),
        )
    # The button is for whoever is away: the house keeps their seat until they press it.
    if any(table.house_plays(at) and seat.present for at, seat in enumerate(table.seats)):
        buttons.append(button(table_press(table, Verb.BACK), _("I'm back"), emoji="👋", row=LAST_ROW))
    return [*buttons, *cancel_buttons(table, LAST_ROW)]


def require_game(table: Table) -> Game:
    """Return the game that is played or over at a table. Raise ValueError in the lobby."""
    if table.game is None:
        raise ValueError(f"table {table.id} is in the lobby and has no game to show")
    return table.game


def _turn_title(table: Table, game: Game) -> str | None:
    """Return whose turn it is; None where the picture and the call above say so."""
    seat = game.may_act[0]
    house = table.house_plays(seat) and table.timing.asleep_until is None
    if len(game.may_act) > 1:
        title = _("The dice are free")
    elif house and table.seats[seat].user_id is not None:
        title = _("{player}: the house plays").format(player=player_name(table, seat, marked=False))
    else:
        title = _("{player}'s turn").format(player=player_name(table, seat))
    taken = game.turn_order is TurnOrder.OPEN and game.seat is not None and len(game.to_play) > 1
    return title if house or taken else None


def played_lines(table: Table, ended: FinishedRound) -> list[str]:
    """Return the turns of a round by where their pieces are, with the dice, which no other message shows any more."""
    played = {turn.seat: turn for turn in ended.turns}
    chips = {seat: f" {CHIPS[won]}" for seat, won in ended.chips.items()}
    return [
        f"{player_name(table, placed.seat, marked=False)}{f' {HOUSE}' if played[placed.seat].by_house else ''} "
        f"**{format_signed(placed.result)}**{chips.get(placed.seat, '')}"
        + "".join(f" · {words}" for words in (*_track_words(placed), dice_code(played[placed.seat].dice)))
        for placed in track_order(ended.placements)
    ]


def _track_words(placed: Placement) -> Iterator[str]:
    """Yield where a piece is on the track, as far as its result does not say it."""
    if placed.waiting:
        yield _("No space free, waits below 1")
    elif placed.position is None:
        yield _("Not on the track")
    else:
        if placed.markers:
            yield _("30+ and space {space}").format(space=placed.space)
        if placed.position != placed.result:
            yield _("Taken, so {position}").format(position=placed.position)


def equal_lines(table: Table, ended: FinishedRound) -> list[str]:
    """Return why a piece is behind that of an equal result in own pace, where nobody was there first (R9.5)."""
    moved = any(placed.result > 0 and placed.position != placed.result for placed in ended.placements)
    if table.turn_order.shared or not moved:
        return []
    text = _("Equal results go in seat order. First in this round: {player}")
    return ["-# " + text.format(player=player_name(table, ended.turns[0].seat, marked=False))]


def track_sentence(placed: Placement) -> str:
    if placed.waiting:
        return _("Every space from there down is taken: the piece waits below space 1.")
    if placed.position is None:
        return _("A result of 0 or less puts no piece on the track.")
    if placed.position != placed.result:
        text = _("{result} was taken already, so the piece stands on {position}.")
        return text.format(result=placed.result, position=placed.position)
    return _("The piece stands on {position}.").format(position=placed.position)


def _find_turn(game: Game, number: int) -> tuple[Card, tuple[FinishedTurn, ...]] | None:
    """Return the card of a turn, counted over the game, and its round's turns up to it; None if never finished."""
    rounds = [*((ended.card, ended.turns) for ended in game.finished), (game.card, game.played)]
    for card, turns in rounds:
        if card is not None and number < len(turns):
            return card, turns[: number + 1]
        number -= len(turns)
    return None

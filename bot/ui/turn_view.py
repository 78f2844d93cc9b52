"""A turn: the card, the dice, what they are worth, the track so far, and what can be done now."""

from __future__ import annotations

from collections.abc import Collection

import discord

from bot.locales import _, listed, ngettext
from bot.table import Table
from bot.ui import symbols
from bot.ui.buttons import Press, TableButton, Verb, bits
from bot.ui.dice_text import dice_line, turn_lines
from bot.ui.names import player_name
from bot.ui.reminder_view import deadline_line, news_lines
from bot.ui.style import ACCENT, QUIET
from bot.ui.text import signed
from bot.ui.words import card_lines, card_name, explain, roll_type_name
from highscore.cards import Card, RollType
from highscore.deck import ROUNDS
from highscore.game import FinishedRound, FinishedTurn, Game, TurnOrder
from highscore.scoring import score
from highscore.standings import standings
from highscore.track import Placement, place
from highscore.turn import DieState, SetAside, Turn, can_choose

LAST_ROW = 4
DICE_PER_ROW = 4
"""Discord has five buttons in a row; four and three keep the seven dice together on a phone."""


def on_turn(table: Table) -> int | None:
    """The user whose decision the game waits for; None when it is anybody's, or the house's."""
    waiting = () if table.game is None else table.game.may_act
    if len(waiting) != 1 or table.seats[waiting[0]].house is not None:
        return None
    return table.seats[waiting[0]].user_id


def call(user_id: int) -> str:
    """The line that names, and once notifies, the player whose turn it is."""
    return _("<@{user}>, it is your turn.").format(user=user_id)


def embed(table: Table, selected: Collection[int]) -> discord.Embed:
    """The turn that is played, or the dice waiting for the next player."""
    game = _playing(table)
    card = _card(game)
    shown = discord.Embed(title=_round_title(game.round), colour=ACCENT)
    lines = [*news_lines(table), card_lines(card)]
    if game.turn is None or game.seat is None:
        lines.append("\n" + _waiting_line(table, game))
    else:
        # The picture shows the dice; without it they are told in text.
        dice = [] if table.options.pictures else ["", turn_lines(game.turn)]
        lines += [*dice, _worth(game.turn), _what_now(game.turn)]
    if (until := deadline_line(table)) is not None:
        lines.append(until)
    shown.description = "\n".join(lines)
    _add_track(shown, table, game)
    shown.set_footer(text=_points_line(table, game))
    return shown


def finished_embed(table: Table, number: int) -> discord.Embed:
    """A turn that is over, counted from 0 over the whole game: dice, result and why."""
    found = _find_turn(_playing(table), number)
    if found is None:
        return _unfinished_embed(table)
    card, turns, at = found
    turn = turns[at]
    name = player_name(table, turn.seat)
    title = _("{player}: {result} points").format(player=name, result=signed(turn.result))
    shown = discord.Embed(title=title, colour=QUIET)
    placed = place((each.seat, each.result) for each in turns[: at + 1])[-1]
    lines = [
        f"{card_name(card)} · {roll_type_name(card.roll_type)}",
        dice_line(turn.dice),
        f"**{signed(turn.result)}** — {explain(score(card, turn.dice))}",
        _place_sentence(placed),
    ]
    if turn.by_house:
        lines.append(_("Played by the house."))
    shown.description = "\n".join(lines)
    return shown


def _unfinished_embed(table: Table) -> discord.Embed:
    """The page of the turn in which the game was given up."""
    game = _playing(table)
    shown = discord.Embed(title=_round_title(game.round), colour=QUIET)
    shown.description = card_name(_card(game)) + "\n" + _("The game was given up before this turn was over.")
    return shown


def buttons(table: Table, selected: Collection[int]) -> list[TableButton]:
    """What can be done now, and nothing else."""
    found = _turn_buttons(table, selected)
    if found and table.options.hints and _playing(table).turn is not None:
        row = max(button.item.row or 0 for button in found)
        found.append(TableButton(Press(Verb.HINT, table.id, table.version), _("Hint"), emoji="💡", row=row))
    return found + _back_button(table)


def _back_button(table: Table) -> list[TableButton]:
    """For whoever is away: the house keeps their seat until they press it."""
    if not any(seat.house is not None and seat.present for seat in table.seats):
        return []
    return [TableButton(Press(Verb.BACK, table.id, table.version), _("I'm back"), emoji="👋", row=LAST_ROW)]


def _turn_buttons(table: Table, selected: Collection[int]) -> list[TableButton]:
    game = _playing(table)
    if not any(table.seats[seat].house is None for seat in game.may_act):
        return []
    if game.turn is None:
        take = Press(Verb.TAKE, table.id, table.version)
        label = _("Roll the dice") if game.turn_order is TurnOrder.CLOCKWISE else _("Take the dice")
        return [TableButton(take, label, emoji="🎲", style=discord.ButtonStyle.primary)]
    if game.turn.card.roll_type is RollType.FOUR_FULL:
        return _full_roll_buttons(table, game.turn)
    found = [_die_button(table, game.turn, at, selected) for at in range(len(game.turn.faces))]
    row = (len(found) + DICE_PER_ROW - 1) // DICE_PER_ROW
    if game.turn.card.roll_type is RollType.ANY_THREE:
        return found + _any_three_buttons(table, game.turn, selected, row)
    return found + _set_aside_buttons(table, game.turn, selected, row)


def _full_roll_buttons(table: Table, turn: Turn) -> list[TableButton]:
    roll = Press(Verb.ROLL, table.id, table.version, bits(turn.free))
    frozen = len(turn.free) < len(turn.faces)
    label = _("Roll all free dice again") if frozen else _("Roll all again")
    return [
        TableButton(roll, label, emoji="🎲", style=discord.ButtonStyle.primary),
        _keep_button(table, turn, row=0),
    ]


def _any_three_buttons(table: Table, turn: Turn, selected: Collection[int], row: int) -> list[TableButton]:
    # Keep stays in its place whether dice are picked or not, so nobody ends a turn by a button that has moved.
    found = [_keep_button(table, turn, row=row)]
    if selected:
        label = ngettext("Roll {number} die again", "Roll {number} dice again", len(selected))
        found.append(
            TableButton(
                Press(Verb.ROLL, table.id, table.version, bits(selected)),
                label.format(number=len(selected)),
                emoji="🎲",
                style=discord.ButtonStyle.primary,
                row=row,
            )
        )
    return found


def _set_aside_buttons(table: Table, turn: Turn, selected: Collection[int], row: int) -> list[TableButton]:
    everything = Press(Verb.SET_ASIDE, table.id, table.version, bits(turn.free))
    result = signed(turn.score.total)
    found = [
        TableButton(
            everything,
            _("Set all aside: {result} points").format(result=result),
            style=discord.ButtonStyle.success,
            row=row,
        )
    ]
    rest = len(turn.free) - len(selected)
    if rest and can_choose(turn, SetAside(tuple(sorted(selected)))):
        label = (
            ngettext("Set aside, roll {number} die", "Set aside, roll {number} dice", rest)
            if selected
            else ngettext("Roll {number} die", "Roll {number} dice", rest)
        )
        found.append(
            TableButton(
                Press(Verb.SET_ASIDE, table.id, table.version, bits(selected)),
                label.format(number=rest),
                emoji="🎲",
                style=discord.ButtonStyle.primary,
                row=row,
            )
        )
    return found


def _keep_button(table: Table, turn: Turn, row: int) -> TableButton:
    label = _("Keep: {result} points").format(result=signed(turn.score.total))
    return TableButton(Press(Verb.STOP, table.id, table.version), label, style=discord.ButtonStyle.success, row=row)


def _die_button(table: Table, turn: Turn, at: int, selected: Collection[int]) -> TableButton:
    """A die: a press picks it or puts it back. The button carries what would be picked after that."""
    picked = set(selected) ^ {at}
    face = turn.faces[at]
    state = turn.states[at]
    style = discord.ButtonStyle.primary if at in selected else discord.ButtonStyle.secondary
    label = {DieState.FREE: None, DieState.SET_ASIDE: "✔", DieState.FROZEN: "❄"}[state]
    return TableButton(
        Press(Verb.TOGGLE, table.id, table.version, bits(picked)),
        label,
        emoji=symbols.die(face, state, picked=at in selected),
        style=style,
        disabled=state is not DieState.FREE,
        row=at // DICE_PER_ROW,
    )


def _playing(table: Table) -> Game:
    if table.game is None:
        raise ValueError(f"table {table.id} is in the lobby and has no turn to show")
    return table.game


def _card(game: Game) -> Card:
    if game.card is None:
        raise ValueError("the game has no card turned up; chance is always played out before a table is shown")
    return game.card


def _round_title(number: int) -> str:
    return _("Round {number} of {rounds}").format(number=number, rounds=ROUNDS)


def _waiting_line(table: Table, game: Game) -> str:
    names = [player_name(table, seat) for seat in game.may_act]
    if game.turn_order is TurnOrder.CLOCKWISE:
        return "🎲 " + _("**{player}** is on.").format(player=names[0])
    return "🎲 " + _("The dice are free: {players} may take them.").format(players=listed(names))


def _worth(turn: Turn) -> str:
    found = turn.score
    return _("Worth now: **{result}** — {why}").format(result=signed(found.total), why=explain(found))


def _what_now(turn: Turn) -> str:
    left = turn.rolls_left
    match turn.card.roll_type:
        case RollType.SET_ASIDE if turn.froze:
            return "-# " + _("Pick dice to set aside, or just roll on: the frozen vortex counts as set aside.")
        case RollType.SET_ASIDE:
            return "-# " + _("Pick the dice to set aside; the others are rolled again.")
        case RollType.ANY_THREE:
            rolls = ngettext("{number} roll left", "{number} rolls left", left).format(number=left)
            return f"-# {rolls}. " + _("Pick the dice to roll again.")
        case RollType.FOUR_FULL:
            return "-# " + ngettext("{number} roll left", "{number} rolls left", left).format(number=left) + "."


def _add_track(shown: discord.Embed, table: Table, game: Game) -> None:
    lines = [] if table.options.pictures else track_lines(table, game.placements)
    waiting = [player_name(table, seat) for seat in game.to_play if seat != game.seat]
    if lines:
        shown.add_field(name=_("On the track"), value="\n".join(lines), inline=False)
    if waiting and (game.seat is not None or game.turn_order is TurnOrder.CLOCKWISE):
        following = waiting if game.seat is not None else waiting[1:]
        if following:
            name = _("Then") if game.turn_order is TurnOrder.CLOCKWISE else _("Still to play")
            shown.add_field(name=name, value=", ".join(following), inline=False)


def track_lines(table: Table, placements: Collection[Placement]) -> list[str]:
    """The pieces of a round, furthest ahead first; then who waits below space 1, then who is not placed."""
    order = sorted(placements, key=lambda placed: (-(placed.position or 0), not placed.waiting))
    return [f"{player_name(table, placed.seat)} **{signed(placed.result)}**{_where(placed)}" for placed in order]


def _where(placed: Placement) -> str:
    if placed.waiting:
        return " · " + _("no space free, waits below 1")
    if placed.position is None:
        return " · " + _("not placed")
    text = " · " + _("30+ and space {space}").format(space=placed.space) if placed.markers else ""
    if placed.position != placed.result:
        text += " · " + _("taken, so {position}").format(position=placed.position)
    return text


def _place_sentence(placed: Placement) -> str:
    if placed.waiting:
        return _("Every space from there down is taken: the piece waits below space 1.")
    if placed.position is None:
        return _("A result of 0 or less puts no piece on the track.")
    if placed.position != placed.result:
        return _("{result} was taken already, so the piece stands on {position}.").format(
            result=placed.result, position=placed.position
        )
    return _("The piece stands on {position}.").format(position=placed.position)


def _points_line(table: Table, game: Game) -> str:
    points = {line.seat: line.points for line in standings(game)}
    return " · ".join(f"{player_name(table, seat)} {points[seat]}" for seat in range(game.players))


def _find_turn(game: Game, number: int) -> tuple[Card, tuple[FinishedTurn, ...], int] | None:
    """The card, the turns of its round and the index in them of a turn counted over the whole game.

    None for a turn that was never finished.
    """
    rounds: list[FinishedRound] = list(game.finished)
    if game.played and game.card is not None:
        rounds.append(FinishedRound(game.card, game.played))
    for played in rounds:
        if number < len(played.turns):
            return played.card, played.turns, number
        number -= len(played.turns)
    return None

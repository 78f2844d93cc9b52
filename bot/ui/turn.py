"""A turn: the card, the dice, what they are worth, the track so far, and what can be done now."""

from __future__ import annotations

from collections.abc import Collection

import discord

from bot.domain.table import Table
from bot.locales import _, listed, ngettext
from bot.ui.buttons import ActionItem, Press, Verb, button
from bot.ui.dice import dice_line, turn_lines
from bot.ui.names import player_name, player_name_in_footer
from bot.ui.reminders import deadline_line, news_lines
from bot.ui.style import ACCENT, QUIET
from bot.ui.text import signed
from bot.ui.turn_parts import first_steps, help_line, round_title, turn_buttons, what_now, worth
from bot.ui.words import card_lines, card_name, card_reminder, explain, roll_type_name
from highscore.cards import Card
from highscore.game import FinishedRound, FinishedTurn, Game, TurnOrder
from highscore.scoring import score
from highscore.standings import standings
from highscore.track import Placement, place

LAST_ROW = 4


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
    shown = discord.Embed(title=round_title(game.round), colour=ACCENT)
    # The whole card while it is new; once the dice lie there, the line below them says what can be done with them.
    lines = [*news_lines(table), card_lines(card) if game.turn is None else card_reminder(card)]
    if game.turn is None or game.seat is None:
        lines.append("\n" + _waiting_line(table, game))
    else:
        # The picture shows the dice; without it they are told in text.
        dice = [] if table.options.pictures else ["", turn_lines(game.turn)]
        lines += [*dice, worth(game.turn), what_now(game.turn)]
    if (steps := _first_steps(table, game)) is not None:
        lines.append(help_line(steps))
    lines += [line for line in (deadline_line(table), _following_line(table, game)) if line]
    shown.description = "\n".join(lines)
    if not table.options.pictures and game.played:
        placed = "\n".join(track_lines(table, game.placements))
        shown.add_field(name=_("On the track"), value=placed, inline=False)
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
    title = ngettext("{player}: {result} point", "{player}: {result} points", abs(turn.result))
    title = title.format(player=name, result=signed(turn.result))
    shown = discord.Embed(title=title, colour=QUIET)
    placed = place((each.seat, each.result) for each in turns[: at + 1])[-1]
    lines = [
        f"{card_name(card)} · {roll_type_name(card.roll_type)}",
        dice_line(turn.dice),
        f"**{signed(turn.result)}** — {explain(score(card, turn.dice))}",
        place_sentence(placed),
    ]
    if turn.by_house:
        lines.append(_("Played by the house."))
    shown.description = "\n".join(lines)
    return shown


def _unfinished_embed(table: Table) -> discord.Embed:
    """The page of the turn in which the game was given up."""
    game = _playing(table)
    shown = discord.Embed(title=round_title(game.round), colour=QUIET)
    shown.description = card_name(_card(game)) + "\n" + _("The game was given up before this turn was over.")
    return shown


def buttons(table: Table, selected: Collection[int]) -> list[ActionItem]:
    """What can be done now, and nothing else."""
    found = _turn_buttons(table, selected)
    if found and table.options.hints and _playing(table).turn is not None:
        row = max(button.item.row or 0 for button in found)
        found.append(button(Press(Verb.HINT, table.id, table.version), _("Hint"), emoji="💡", row=row))
    return found + _back_button(table)


def _back_button(table: Table) -> list[ActionItem]:
    """For whoever is away: the house keeps their seat until they press it."""
    if not any(seat.house is not None and seat.present for seat in table.seats):
        return []
    return [button(Press(Verb.BACK, table.id, table.version), _("I'm back"), emoji="👋", row=LAST_ROW)]


def _turn_buttons(table: Table, selected: Collection[int]) -> list[ActionItem]:
    game = _playing(table)
    if not any(table.seats[seat].house is None for seat in game.may_act):
        return []
    if game.turn is None:
        take = Press(Verb.TAKE, table.id, table.version)
        label = _("Roll the dice") if game.turn_order is TurnOrder.CLOCKWISE else _("Take the dice")
        return [button(take, label, emoji="🎲", style=discord.ButtonStyle.primary)]

    def press(verb: Verb, argument: int) -> Press:
        return Press(verb, table.id, table.version, argument)

    return turn_buttons(game.turn, selected, press)


def _playing(table: Table) -> Game:
    if table.game is None:
        raise ValueError(f"table {table.id} is in the lobby and has no turn to show")
    return table.game


def _card(game: Game) -> Card:
    if game.card is None:
        raise ValueError("the game has no card turned up; chance is always played out before a table is shown")
    return game.card


def _waiting_line(table: Table, game: Game) -> str:
    names = [player_name(table, seat) for seat in game.may_act]
    if game.turn_order is TurnOrder.CLOCKWISE:
        return "🎲 " + _("**{player}** is on.").format(player=names[0])
    return "🎲 " + _("The dice are free: {players} may take them.").format(players=listed(names))


def _first_steps(table: Table, game: Game) -> str | None:
    """What to press now, for players who have never finished a game."""
    waiting = [table.seats[seat] for seat in game.may_act]
    if not any(seat.user_id in table.options.newcomers and seat.house is None for seat in waiting):
        return None
    if game.turn is not None:
        return first_steps(game.turn)
    if game.turn_order is TurnOrder.CLOCKWISE:
        return _("The card says what counts. Just roll: you decide afterwards what to do with the dice.")
    return _("The card says what counts. Whoever takes the dice first rolls first.")


def _following_line(table: Table, game: Game) -> str | None:
    """Who is still to play in this round; where several may take the dice, they are named already."""
    if game.seat is None and game.turn_order is TurnOrder.OPEN:
        return None
    following = [player_name(table, seat) for seat in game.to_play if seat not in (game.seat, *game.may_act)]
    if not following:
        return None
    clockwise = game.turn_order is TurnOrder.CLOCKWISE
    text = _("Then: {players}") if clockwise else _("Still to play: {players}")
    return "-# " + text.format(players=", ".join(following))


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


def place_sentence(placed: Placement) -> str:
    """Where a piece was put."""
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
    return " · ".join(f"{player_name_in_footer(table, seat)} {points[seat]}" for seat in range(game.players))


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

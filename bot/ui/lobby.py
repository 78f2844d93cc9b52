"""The lobby: who sits at the table, how it will be played, and the buttons to sit down and start."""

from __future__ import annotations

import discord

from bot.domain.table import MIN_PLAYERS, Seat, Status, Table
from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, Press, Verb, button
from bot.ui.marks import HOUSE
from bot.ui.names import character, player_name
from bot.ui.reminders import deadline_line, pace_sentence
from bot.ui.style import ACCENT, QUIET
from bot.ui.text import lucky, plain
from bot.ui.turn_parts import help_line
from highscore.deck import STANDARD_DECK
from highscore.game import TurnOrder


def embed(table: Table) -> discord.Embed:
    """The lobby as people see it."""
    if table.status is not Status.LOBBY:
        return closed_embed(table)
    shown = discord.Embed(title=_("High Score: a table is open"), colour=ACCENT, description=_pitch(table))
    shown.add_field(
        name=_("Seats ({taken} of {seats})").format(taken=len(table.seats), seats=table.max_seats),
        value="\n".join([*(_seat_line(table, at) for at in range(len(table.seats))), *_free(table)]),
        inline=False,
    )
    shown.add_field(name=_("Order of play"), value=order_sentence(table.turn_order), inline=False)
    shown.add_field(name=_("Pace"), value=_pace(table), inline=False)
    if table.deck != STANDARD_DECK:
        shown.add_field(name=_("Deck"), value=plain(table.deck.name, 60), inline=False)
    shown.set_footer(text=seal_line(table))
    return shown


def closed_embed(table: Table) -> discord.Embed:
    """The lobby after the game has started, or after the table was closed without a game."""
    if table.game is None:
        shown = discord.Embed(
            title=_("This table is closed"),
            colour=QUIET,
            description=_("Nobody played. `/highscore new` opens another one."),
        )
        shown.set_footer(text=_("Sealed seed: {seed}").format(seed=table.seed.hex()))
        return shown
    shown = discord.Embed(title=_("The game has started"), colour=QUIET)
    shown.add_field(
        name=_("Players"), value="\n".join(_seat_line(table, at) for at in range(len(table.seats))), inline=False
    )
    shown.set_footer(text=seal_line(table))
    return shown


def buttons(table: Table) -> list[ActionItem]:
    """What can be done in the lobby."""
    if table.status is not Status.LOBBY:
        return []

    def press(verb: Verb) -> Press:
        return Press(verb, table.id, table.version)

    found: list[ActionItem] = []
    if len(table.seats) < table.max_seats:
        found.append(button(press(Verb.JOIN), _("Join"), style=discord.ButtonStyle.success))
    found.append(button(press(Verb.LEAVE), _("Leave")))
    found.append(button(press(Verb.LUCKY_WORD), _("Lucky word"), emoji="🍀"))
    if len(table.seats) < table.max_seats:
        found.append(button(press(Verb.ADD_HOUSE), _("House player"), emoji=HOUSE, row=1))
    if any(seat.user_id is None for seat in table.seats):
        found.append(button(press(Verb.DROP_HOUSE), _("Send the house away"), row=1))
    if len(table.seats) >= MIN_PLAYERS:
        found.append(button(press(Verb.START), _("Start"), emoji="🎲", style=discord.ButtonStyle.primary, row=1))
    return found


def order_sentence(order: TurnOrder) -> str:
    """A turn order, explained in one sentence."""
    match order:
        case TurnOrder.CLOCKWISE:
            return _("One after the other, as in the rulebook; the winner of gold starts the next round.")
        case TurnOrder.OPEN:
            return _("Open: in each round, whoever has not played yet may take the dice when they are free.")


def seal_line(table: Table) -> str:
    """The seal of the dice, complete, so that it can be compared later."""
    return _("Dice sealed: {seal}").format(seal=table.seal)


def _pace(table: Table) -> str:
    hints = _("Hints are allowed.") if table.options.hints else _("No hints at this table.")
    lines = [pace_sentence(table.options, table.turn_order), f"💡 {hints}", deadline_line(table)]
    return "\n".join(line for line in lines if line)


def _pitch(table: Table) -> str:
    pitch = _(
        "Seven dice, seven rounds, and every round another challenge card changes what counts."
        " The best result of a round wins the gold chip. Play when you have time: every roll is a click."
    )
    if not any(seat.user_id in table.options.newcomers for seat in table.seats):
        return pitch
    return f"{pitch}\n{help_line(first_steps(table))}"


def first_steps(table: Table) -> str:
    """What somebody does in the lobby who has never played."""
    if len(table.seats) < MIN_PLAYERS:
        return _("Press **Join** to play along. Nobody there? **House player** lets the bot take a seat.")
    return _("Enough for a game! Whoever opened the table presses **Start**; until then others may **Join**.")


def _seat_line(table: Table, at: int) -> str:
    seat: Seat = table.seats[at]
    host = " · " + _("host") if seat.user_id == table.host_id else ""
    word = f" · 🍀 {lucky(seat.lucky_word)}" if seat.lucky_word else ""
    line = character(table, at)
    return f"{player_name(table, at)}{host}{word}" + (f" · *{line}*" if line else "")


def _free(table: Table) -> list[str]:
    free = table.max_seats - len(table.seats)
    return ["▫️ " + ngettext("{number} seat free", "{number} seats free", free).format(number=free)] if free else []

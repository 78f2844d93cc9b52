"""The pace and the turn order of a table in words, and the selects by which its host decides them."""

from enum import Enum

import discord

from bot.domain.pace import Pace
from bot.domain.table import Table
from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, Verb, select, table_press
from highscore.turn_order import TurnOrder


def pace_selects(table: Table, row: int) -> list[ActionItem]:
    """Return the selects of pace and turn order, for the host."""
    paces = [_option(pace, pace_name(pace), "⏱️", table.options.pace) for pace in Pace]
    by_wait = (TurnOrder.OWN_PACE, TurnOrder.OPEN, TurnOrder.CLOCKWISE)
    orders = [_option(order, order_name(order), "🔀", table.turn_order, order_sentence(order)) for order in by_wait]
    return [
        select(table_press(table, Verb.PACE), paces, row=row),
        select(table_press(table, Verb.ORDER), orders, row=row + 1),
    ]


def _option(choice: Enum, name: str, emoji: str, chosen: Enum, meaning: str | None = None) -> discord.SelectOption:
    default = choice is chosen
    return discord.SelectOption(label=name, value=choice.value, description=meaning, emoji=emoji, default=default)


def pace_name(pace: Pace) -> str:
    return {Pace.LIVE: _("Live"), Pace.DAY: _("Within a day"), Pace.RELAXED: _("Relaxed")}[pace]


def order_name(order: TurnOrder) -> str:
    return {
        TurnOrder.CLOCKWISE: _("Rulebook order"),
        TurnOrder.OPEN: _("Open order"),
        TurnOrder.OWN_PACE: _("Own pace"),
    }[order]


def order_sentence(order: TurnOrder) -> str:
    return {
        TurnOrder.CLOCKWISE: _("One after the other; the winner of gold starts the next round."),
        TurnOrder.OPEN: _("In each round, whoever has not played yet may take the dice when they are free."),
        TurnOrder.OWN_PACE: _("Everybody plays all seven cards in private, whenever they like."),
    }[order]


def play_line(table: Table) -> str:
    """Return order, pace, time and hints, with when the host has changed them under somebody else's eyes."""
    times = {
        TurnOrder.CLOCKWISE: _("Per turn: {time}"),
        TurnOrder.OPEN: _("Per round: {time}"),
        TurnOrder.OWN_PACE: _("Per game: {time}"),
    }[table.turn_order].format(time=format_duration(table.options.allowed_seconds))
    hints = _("With hints") if table.options.hints else _("No hints")
    line = f"**{order_name(table.turn_order)}** · {pace_name(table.options.pace)} · {times} · {hints}"
    if (since := table.changed_at) is None:
        return line
    return "✏️ " + _("Changed {when}:").format(when=f"<t:{since}:R>") + f" {line}"


def house_sentence(table: Table) -> str:
    """Return what becomes of those whose time is up."""
    if table.turn_order is TurnOrder.OWN_PACE:
        return _("When the time is up, the house finishes for those who have begun; the others are left out.")
    if table.turn_order is TurnOrder.OPEN:
        text = _("When time is up, the house plays if somebody is waiting. Most time with the dice: {hold}")
        return text.format(hold=format_duration(table.options.hold_seconds))
    return _("When time is up and somebody is waiting, the house plays.")


def format_duration(seconds: int) -> str:
    """Return a time in hours and minutes, from two days on in days."""
    days, rest = divmod(seconds, 86_400) if seconds >= 2 * 86_400 else (0, seconds)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    whole_days = ngettext("{number} day", "{number} days", days)
    parts = [(days, whole_days), (hours, _("{number} h")), (minutes, _("{number} min")), (rest, _("{number} s"))]
    return " ".join(text.format(number=number) for number, text in parts if number)

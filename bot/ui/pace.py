"""The pace and the turn order of a table in words, and the selects by which its host decides them."""

from enum import Enum

import discord

from bot.domain.pace import Pace
from bot.domain.table import Options, Table
from bot.locales import _, ngettext
from bot.ui.buttons import ActionItem, Verb, select, table_press
from highscore.turn_order import TurnOrder


def pace_selects(table: Table, row: int) -> list[ActionItem]:
    """Return the selects of pace and turn order, each choice with its meaning. All see them, the host may pick."""
    paces = [_option(pace, pace_name(pace), pace_meaning(pace), "⏱️", table.options.pace) for pace in Pace]
    by_wait = (TurnOrder.OWN_PACE, TurnOrder.OPEN, TurnOrder.CLOCKWISE)
    orders = [_option(order, order_name(order), order_sentence(order), "🔀", table.turn_order) for order in by_wait]
    return [
        select(table_press(table, Verb.PACE), paces, row=row),
        select(table_press(table, Verb.ORDER), orders, row=row + 1),
    ]


def _option(choice: Enum, name: str, meaning: str, emoji: str, chosen: Enum) -> discord.SelectOption:
    default = choice is chosen
    return discord.SelectOption(label=name, value=choice.value, description=meaning, emoji=emoji, default=default)


def pace_name(pace: Pace) -> str:
    return {Pace.LIVE: _("Live"), Pace.DAY: _("Within a day"), Pace.RELAXED: _("Relaxed")}[pace]


def pace_meaning(pace: Pace) -> str:
    return {
        Pace.LIVE: _("Everybody is there now and rolls within minutes."),
        Pace.DAY: _("Everybody looks in now and then; the game is over within a day."),
        Pace.RELAXED: _("No hurry at all: whole days instead of hours."),
    }[pace]


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


def pace_sentence(options: Options, order: TurnOrder) -> str:
    """Return the pace with its numbers, for people before they join."""
    allowed = format_duration(options.allowed_seconds)
    match order:
        case TurnOrder.CLOCKWISE:
            times = _("{time} for a turn").format(time=allowed)
        case TurnOrder.OPEN:
            times = _("{time} for a round, {hold} once you hold the dice")
            times = times.format(time=allowed, hold=format_duration(options.hold_seconds))
        case TurnOrder.OWN_PACE:
            late = _("After that the house finishes for those who have begun; the others are left out.")
            return f"**{pace_name(options.pace)}**: " + _("{time} for the game.").format(time=allowed) + f" {late}"
    return f"**{pace_name(options.pace)}**: {times}. " + _("When time is up and somebody is waiting, the house plays.")


def format_duration(seconds: int) -> str:
    """Return a time in hours and minutes, from two days on in days."""
    days, rest = divmod(seconds, 86_400) if seconds >= 2 * 86_400 else (0, seconds)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    whole_days = ngettext("{number} day", "{number} days", days)
    parts = [(days, whole_days), (hours, _("{number} h")), (minutes, _("{number} min")), (rest, _("{number} s"))]
    return " ".join(text.format(number=number) for number, text in parts if number)

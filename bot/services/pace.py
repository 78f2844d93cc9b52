"""Pace and turn order of a table, chosen while it is in its lobby."""

from collections.abc import Mapping
from dataclasses import replace

from bot.domain.errors import Refused
from bot.domain.pace import Pace, PaceTimes
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.locales import _
from bot.services.core import Change, Person, use_case
from bot.services.lobby import check_in_lobby
from highscore.turn_order import TurnOrder


@use_case
def choose_pace(table: Table, person: Person, pace: Pace, paces: Mapping[Pace, PaceTimes]) -> Change:
    """Give the table another pace. A turn order that was the pace's usual one follows it. Only the host may."""
    usual = table.turn_order is table.options.pace.usual_order
    return _change_play(table, person, pace, pace.usual_order if usual else table.turn_order, paces)


@use_case
def choose_order(table: Table, person: Person, order: TurnOrder, paces: Mapping[Pace, PaceTimes]) -> Change:
    """Give the table another turn order. Only the host may."""
    return _change_play(table, person, table.options.pace, order, paces)


def _change_play(table: Table, person: Person, pace: Pace, order: TurnOrder, paces: Mapping[Pace, PaceTimes]) -> Change:
    check_in_lobby(table)
    if person.user_id != table.host_id:
        raise Refused(_("Only the host decides on pace and order of play. Ask them, or open a table of your own."))
    times = paces[pace]
    options = replace(table.options, pace=pace, allowed_seconds=times.allowed(order), hold_seconds=times.hold)
    changed = replace(table, turn_order=order, options=options)
    news = News(NewsKind.CHANGED, table.seat_of(table.host_id) or 0)
    return Change(changed, news=() if changed == table or news in table.news else (news,))

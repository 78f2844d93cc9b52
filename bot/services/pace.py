"""Pace and turn order of a table, chosen while it is in its lobby."""

from collections.abc import Mapping
from dataclasses import replace

from bot.domain.pace import Pace, PaceTimes
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.services.core import Change, Person, use_case
from bot.services.lobby import check_hosts
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
    check_hosts(table, person.user_id)
    times = paces[pace]
    options = replace(table.options, pace=pace, allowed_seconds=times.allowed(order), hold_seconds=times.hold)
    changed = replace(table, turn_order=order, options=options)
    if changed == table or len(table.people) < 2:
        return Change(changed)
    # The latest change counts: another one makes people look once more.
    others = tuple(news for news in table.news if news.kind is not NewsKind.CHANGED)
    return Change(replace(changed, news=others), news=(News(NewsKind.CHANGED, table.seat_of(person.user_id) or 0),))

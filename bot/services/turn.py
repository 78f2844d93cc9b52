"""Decisions of players at shared tables."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.errors import Refused, Stale
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.locales import _
from bot.services.away import seat_of_player
from bot.services.core import Change, Core, change_table
from highscore.events import Decided, Decision, Event, TakeDice
from highscore.fairness import play_event


async def decide_turn(
    core: Core, table_id: str, user_id: int, decision: Decision, *, version: int, interaction_id: int | None = None
) -> Table:
    """Carry out a player's decision, and draw all dice that follow from it.

    ``version`` is the version of the table that the player was looking at. Raise Refused if the user does not play,
    Stale if the table has changed or is in own pace, and the engine's IllegalChoice, for example NotYourTurn.
    """

    def work(table: Table) -> Change:
        seat = seat_of_player(table, user_id)
        game = table.game
        if game is None or game.over or table.version != version or not table.turn_order.shared:
            raise Stale(table)
        game, happened = play_event(game, Decided(seat, decision), table.source, table.deck)
        begins = isinstance(decision, TakeDice)
        return change_by_person(replace(table, game=game), seat, happened, answered=user_id if begins else None)

    return await change_table(core, table_id, work, user_id=user_id, interaction_id=interaction_id)


def change_by_person(table: Table, seat: int, happened: Sequence[Event], answered: int | None) -> Change:
    """Return the change after a person's own decision. A person who was away, or for whom the house played, is back
    now. ``answered`` is passed on to ``Change``.
    """
    sitting = table.seats[seat]
    if sitting.house is None and sitting.misses == 0 and sitting.away_until is None:
        return Change(table, happened, answered=answered)
    news = (News(NewsKind.BACK, seat),) if table.house_plays(seat) else ()
    back = table.with_seat(seat, house=None, misses=0, away_until=None)
    return Change(back, happened, news=news, answered=answered)


def check_turn(table: Table, user_id: int, version: int) -> None:
    """Raise Refused if it is not this user's turn, Stale if the table is no longer at this version."""
    seat = seat_of_player(table, user_id)
    if table.game is None or table.version != version:
        raise Stale(table)
    if seat != table.game.seat:
        raise Refused(_("It is not your turn yet."))

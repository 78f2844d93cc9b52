"""The coach: what the best choice is now, and afterwards who was lucky and who played well."""

import asyncio
from functools import lru_cache

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Core, asked_once, load
from bot.services.turn import check_turn
from bot.store.interactions import note
from bot.store.table import count_hint, load_events
from highscore.cards import Card
from highscore.game import Awaiting, CardRevealed, Event, Game, StartPlayerDrawn, TurnOrder, replay
from highscore.odds import Hint, Prospect, chip_chances, chip_utility, hint, solve
from highscore.odds.analysis import Report, analyse
from highscore.odds.hint import prospect
from highscore.turn import begin

TYPICAL_PLAYERS = 4
"""Players of the round that a card's chances of chips are given for."""


async def give_hint(
    core: Core, table_id: str, user_id: int, version: int, *, interaction_id: int | None = None
) -> tuple[Table, Hint]:
    """Advice for the player whose choice it is; counted at their seat. Raises Refused to everybody else."""
    table = await load(core, table_id)
    if not table.options.hints:
        raise Refused(_("There are no hints at this table."))
    check_turn(table, user_id, version)
    game, seat = table.game, table.seat_of(user_id)
    if game is None or seat is None or game.awaiting is not Awaiting.CHOICE:
        raise Refused(_("There is nothing to decide now."))
    advice = await asyncio.to_thread(hint, game)

    async def count(connection: AsyncConnection) -> None:
        await count_hint(connection, table_id, seat)
        if interaction_id is not None:
            await note(connection, interaction_id, core.now())

    await asked_once(core, count, interaction_id)
    return table, advice


async def report(core: Core, table_id: str) -> tuple[Table, Report]:
    """The luck and skill of a game that is over. Raises Refused before that."""
    table = await load(core, table_id)
    if table.status.open:
        raise Refused(_("The report is here when the game is over."))
    async with core.database.read() as connection:
        events = await load_events(connection, table_id)
    if not events:
        raise Refused(_("Nobody played at this table."))
    return table, await asyncio.to_thread(analysed, len(table.seats), table.turn_order, events)


# Several people look at the report of a game just finished; working it out takes up to half a second.
@lru_cache(maxsize=32)
def analysed(players: int, order: TurnOrder, events: tuple[Event, ...]) -> Report:
    """The analysis of a game, remembered for the last 32; slow, so not for the event loop."""
    return analyse(players, order, events)


@lru_cache(maxsize=256)
def typical_chances(card: Card) -> Prospect:
    """The chances of chips of whoever begins a round of four on a card, everybody playing for chips at their best."""
    game: Game = replay(TYPICAL_PLAYERS, TurnOrder.CLOCKWISE, [StartPlayerDrawn(0), CardRevealed(card)])
    policy = solve(card, chip_utility(game))
    return prospect(chip_chances(game), policy.outcome(begin(card)))

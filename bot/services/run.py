"""Own pace: each person plays their run in private (R9.5)."""

from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.locales import _
from bot.services.absence import with_game
from bot.services.core import Change, Core, Person, change, load, open_tables_at
from bot.services.turn import by_a_person, seat_of_player
from highscore.dealer import play
from highscore.events import Decided, Decision


class MovedOn(Refused):
    """A press on a copy of a run that has gone on since. Carries the table as it is now."""

    def __init__(self, table: Table) -> None:
        super().__init__(_("A moment too late: this is where you are now."))
        self.table = table


async def look(core: Core, table_id: str, user_id: int, step: int | None = None) -> tuple[Table, int]:
    """The table as this player may see it, and their seat. Raises Refused to others, MovedOn unless at this step."""
    table = await load(core, table_id)
    seat = _seat(table, user_id)
    seen = table.seen_by(seat)
    if step is not None and (seen.game is None or seen.game.run(seat).step != step):
        raise MovedOn(seen)
    return seen, seat


async def decide(core: Core, table_id: str, person: Person, decision: Decision, *, step: int) -> tuple[Table, int]:
    """Play a decision of the person's own run that was made at this step of it; nobody else's step matters.

    Returns the table as this player may see it, and their seat. Raises Refused to others, MovedOn when the run has
    gone on, and the engine's IllegalChoice with its sentence; nothing has changed then.
    """

    def work(table: Table) -> Change:
        seat = _seat(table, person.user_id)
        if table.game is None or table.game.over or table.game.run(seat).step != step:
            raise MovedOn(table.seen_by(seat))
        game, happened = play(table.game, Decided(seat, decision), table.source, table.deck)
        return by_a_person(with_game(table, game), seat, happened, answered=person.user_id)

    table = await change(core, table_id, work, user_id=person.user_id, interaction_id=person.interaction_id)
    seat = _seat(table, person.user_id)
    return table.seen_by(seat), seat


async def waiting(core: Core, guild_id: int, user_id: int) -> Table | None:
    """The table of a server at which somebody has something to do, the one that waits longest; None where none does."""
    for table in await open_tables_at(core, guild_id=guild_id):
        seat, game = table.seat_of(user_id), table.game
        if game is not None and seat is not None and not table.seats[seat].left and seat in game.may_act:
            return table
    return None


def _seat(table: Table, user_id: int) -> int:
    """The seat of somebody who plays. Raises Refused to spectators, and before the game has begun."""
    if table.game is None:
        raise Refused(_("The game has not started."))
    if table.turn_order.shared:
        raise Refused(_("At this table everybody plays with the same dice."))
    seat = seat_of_player(table, user_id)
    if table.opening:
        raise Refused(_("It is nobody's turn yet: the game is just being opened."))
    if seat not in table.game.seats:
        raise Refused(_("The time is up, and you had not finished a card, so this game goes on without you."))
    return seat

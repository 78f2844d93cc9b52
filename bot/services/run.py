"""Own pace: each person plays their run in private (R9.5)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.deadlines import EARLY_SHARE
from bot.domain.errors import MovedOn, Refused, Stale
from bot.domain.table import Table, people_begun, seats_begun, seats_yet_to_begin, waits_only_for_unbegun
from bot.domain.timing import News, NewsKind
from bot.locales import _
from bot.services.away import STAND_IN, abandon_table, seat_of_player
from bot.services.core import Change, Core, Person, change_table, get_open_tables, get_table
from bot.services.turn import change_by_person
from highscore.events import Decided, Decision, Event, LeftOut, Remarked
from highscore.fairness import play_event
from highscore.game import Game
from highscore.runs import Step


async def view_run(core: Core, table_id: str, user_id: int, step: int | None = None) -> tuple[Table, int]:
    """Return the table as this player may see it, and their seat. Raise MovedOn if ``step`` is given and the player's
    run is at another step, and the errors of ``find_own_seat``.
    """
    table = await get_table(core, table_id)
    seat = find_own_seat(table, user_id)
    seen = table.seen_by(seat)
    if step is not None:
        _check_step(table, seat, step)
    return seen, seat


async def decide_run(core: Core, table_id: str, person: Person, decision: Decision, *, step: int) -> tuple[Table, int]:
    """Carry out a decision that was made at this step of the person's own run. The steps of other runs do not matter.

    Return the table as this player may see it, and their seat. Raise MovedOn if the run is at another step or the house
    plays the rest of it, IllegalChoice, and the errors of ``find_own_seat``.
    """

    def work(table: Table) -> Change:
        seat = find_own_seat(table, person.user_id)
        game = _check_step(table, seat, step)
        if game.over or table.seats[seat].house is not None:
            raise _make_moved_on(table, seat)
        game, happened = play_event(game, Decided(seat, decision), table.source, table.deck)
        return change_by_person(replace(table, game=game), seat, happened, answered=person.user_id)

    table = await change_table(core, table_id, work, user_id=person.user_id, interaction_id=person.interaction_id)
    seat = find_own_seat(table, person.user_id)
    return table.seen_by(seat), seat


async def find_waiting_run(core: Core, guild_id: int, user_id: int) -> Table | None:
    """Return the oldest open table of a server at which this person can play now, or None."""
    for table in await get_open_tables(core, guild_id=guild_id):
        seat, game = table.seat_of(user_id), table.game
        if game is None or seat is None or seat not in game.may_act or table.seats[seat].left:
            continue
        if table.turn_order.shared or table.seats[seat].house is None:
            return table
    return None


def end_runs(table: Table, late: Sequence[int]) -> Change:
    """Return the change that ends the runs of these seats (R9.5). The house plays the rest for people who have begun,
    and the others are left out of the game. If no person has begun, the table is closed.
    """
    game, happened = table.game, list[Event]()
    if game is None or not late:
        return Change(table)
    if not people_begun(table):
        return abandon_table(table, "nobody has begun")
    for seat in late:
        happened.append(Remarked(f"the time of seat {seat} was up"))
        if seat in game.begun:
            table = table.with_seat(seat, house=STAND_IN.value)
        else:
            game, events = play_event(game, LeftOut(seat), table.source, table.deck)
            happened += events
    return Change(replace(table, game=game), happened)


async def end_runs_early(core: Core, table_id: str, person: Person, reachable_since: datetime | None = None) -> Table:
    """End a game in own pace before its time is up. The people who have not begun are left out of it (R9.5). Raise
    the errors of ``check_may_end``.
    """
    now = core.now()

    def work(table: Table) -> Change:
        seat = check_may_end(table, person.user_id, now, reachable_since)
        ended = end_runs(table, seats_yet_to_begin(table))
        return replace(
            ended, events=[Remarked(f"seat {seat} ended the game"), *ended.events], news=(News(NewsKind.ENDED, seat),)
        )

    return await change_table(core, table_id, work, user_id=person.user_id, interaction_id=person.interaction_id)


def check_may_end(table: Table, user_id: int, now: datetime, reachable_since: datetime | None) -> int:
    """Return the seat of a person who may end a game in own pace early. Raise Refused, with the reason, if they may
    not, and Stale if the players share the dice.

    The others have some hours after their reminder to begin. If that time ended in an outage, they get a quarter of it
    again, from ``reachable_since`` on.
    """
    seat = find_own_seat(table, user_id)
    if not table.status.open:
        raise Refused(_("This game is over."))
    if seat not in seats_begun(table):
        raise Refused(_("Only players who have started can end the game early. Press **Play** to see your cards."))
    if not waits_only_for_unbegun(table) or table.timing.early_end_at is None:
        raise Refused(
            _(
                "You can't end the game yet. Everybody who has started must finish first, and the others get a"
                " reminder and some hours to start."
            )
        )
    early_at = table.timing.early_end_at
    if reachable_since is not None and reachable_since > early_at:
        early_at = reachable_since + timedelta(seconds=table.options.allowed_seconds * EARLY_SHARE / 4)
    if now < early_at:
        text = _("You can end the game after {when} if the others haven't started by then.")
        raise Refused(text.format(when=f"<t:{int(early_at.timestamp())}:f>"))
    return seat


def _check_step(table: Table, seat: int, step: int) -> Game:
    """Return the game if this seat's run is at this step. Raise MovedOn if it is at another one, Refused if the step
    belongs to another seat's run.
    """
    if Step.from_number(step).seat != seat:
        raise Refused(_("This button doesn't work here."))
    if table.game is None or table.game.find_run(seat).step.number != step:
        raise _make_moved_on(table, seat)
    return table.game


def _make_moved_on(table: Table, seat: int) -> MovedOn:
    return MovedOn((table.seen_by(seat), seat))


def find_own_seat(table: Table, user_id: int) -> int:
    """Return the seat of a person who plays in own pace. Raise Refused for other users, for players who are left out of
    the game, and before it has begun. Raise Stale if the players share the dice.
    """
    if table.turn_order.shared:
        raise Stale(table)
    seat = seat_of_player(table, user_id)
    if table.game is None or table.awaits_opening:
        raise Refused(_("The game has not started yet."))
    if seat not in table.game.seats:
        raise Refused(_("It's too late to start, so this game goes on without you."))
    return seat

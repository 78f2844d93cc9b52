"""Cancelling: by the host alone, by agreement, or by a moderator of the server (R9.7)."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.domain.cancelling import cannot_cancel, is_cancel_requested, seats_yet_to_agree, start_silence
from bot.domain.errors import Refused, Stale
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.locales import _
from bot.services.absence import abandon_table, seat_of_player
from bot.services.core import Change, Core, Person, change_table, get_server_settings, get_table, use_case


@use_case
def cancel_table(table: Table, person: Person, *, only_ask: bool = False) -> Change:
    """Cancel a game, or ask those who have to agree first; with ``only_ask``, change nothing if nobody has to."""
    if check_may_cancel(table, person):
        asked = table.timing.asked if is_cancel_requested(table) else table.version + 1
        asking = table.with_seat(table.seat_of(person.user_id) or 0, gives_up=True)
        return Change(replace(asking, timing=replace(table.timing, asked=asked)))
    if only_ask:
        return Change(table)
    by = f"user {person.user_id}"
    if person.user_id == table.host_id:
        return _close_cancelled(table, by, NewsKind.CANCELLED)
    return _close_cancelled(table, by, NewsKind.CANCELLED_BY_MODERATOR, detail=by)


def check_may_cancel(table: Table, person: Person) -> tuple[int, ...]:
    """Return the seats whose agreement is missing. Raise Refused if this person cannot cancel the game."""
    if not table.status.open:
        raise Stale(table)
    if person.manages_server and not table.sits(person.user_id):
        return ()
    if person.user_id != table.host_id:
        raise Refused(_("Only the host, or somebody who manages the server and does not play, can cancel the game."))
    if cannot_cancel(table):
        raise Refused(
            _("A seat is given up for good, so only somebody who manages the server and does not play can cancel.")
        )
    at = table.seat_of(person.user_id)
    if at is not None and table.seats[at].gives_up is False:
        raise Refused(_("Your question is taken back. You can ask again after the next round."))
    return seats_yet_to_agree(table)


@use_case
def give_agreement(table: Table, person: Person, version: int) -> Change:
    """Agree to cancel the game, as a page of this version asks. Raise Stale if that request has ended."""
    seat = _check_may_answer(table, person)
    if version < table.timing.asked:
        raise Stale(table)
    return take_answers(table, [seat], agrees=True)


@use_case
def refuse_agreement(table: Table, person: Person) -> Change:
    """Refuse to cancel the game, also after having agreed; a host takes the question back."""
    return take_answers(table, [_check_may_answer(table, person)], agrees=False)


async def note_called(core: Core, table_id: str, user_ids: Collection[int]) -> None:
    """Note that people were asked whether they agree: from now on their silence is counted."""
    quiet = (await get_server_settings(core, (await get_table(core, table_id)).guild_id)).clock_rules.quiet
    await change_table(core, table_id, lambda table: Change(start_silence(table, user_ids, core.now(), quiet)))


def _check_may_answer(table: Table, person: Person) -> int:
    if not is_cancel_requested(table):
        raise Stale(table)
    return seat_of_player(table, person.user_id)


def take_answers(table: Table, seats: Sequence[int], *, agrees: bool) -> Change:
    """Return the change after these have answered, or have agreed by silence."""
    for seat in seats:
        table = table.with_seat(seat, gives_up=agrees)
    if not agrees or seats_yet_to_agree(table):
        return Change(table)
    return _close_cancelled(table, f"user {table.host_id}", NewsKind.CANCELLED_BY_ALL)


def _close_cancelled(table: Table, by: str, kind: NewsKind, detail: str = "") -> Change:
    closed = abandon_table(table, by)
    return replace(closed, news=(News(kind, closed.table.seat_of(table.host_id) or 0, detail=detail),))

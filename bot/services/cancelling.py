"""Cancelling a game: by the host alone, by agreement, or by a manager of the server (R9.7)."""

from contextlib import suppress
from dataclasses import replace

from bot.domain.cancelling import has_lost_player, is_declined, seats_asked, seats_yet_to_agree, seats_yet_to_answer
from bot.domain.errors import Refused, Stale
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.locales import _
from bot.services.away import abandon_table, seat_of_player
from bot.services.core import Change, Core, Person, get_open_table, get_open_tables, use_case


@use_case
def cancel_table(table: Table, person: Person, *, only_ask: bool = False) -> Change:
    """Cancel a game, or ask the players who must agree first.

    Change nothing if they were asked already, or with ``only_ask`` if nobody has to agree. Raise Refused if this person
    cannot cancel the game, Stale if it is over.
    """
    if check_may_cancel(table, person):
        if seats_yet_to_answer(table):
            return Change(table)
        asking = table.with_seat(seat_of_player(table, person.user_id), gives_up=True)
        return Change(replace(asking, timing=replace(table.timing, cancel_asked_at_version=table.version + 1)))
    if only_ask:
        return Change(table)
    by = f"user {person.user_id}"
    if person.user_id == table.host_id:
        return _close_cancelled(table, by, NewsKind.CANCELLED)
    return _close_cancelled(table, by, NewsKind.CANCELLED_BY_MODERATOR, detail=by)


async def find_cancellable(core: Core, channel_id: int, person: Person) -> list[tuple[Table, tuple[int, ...]]]:
    """Return the tables of a channel that a person can cancel, newest first, each with the seats that still have to
    agree. Raise Refused if there is none, and AlreadyHandled under the same condition as ``get_open_table``.
    """
    found: list[tuple[Table, tuple[int, ...]]] = []
    for table in reversed(await get_open_tables(core, channel_id=channel_id)):
        with suppress(Refused):
            found.append((table, check_may_cancel(table, person)))
    if not found:
        table = await get_open_table(core, channel_id, person)
        found.append((table, check_may_cancel(table, person)))
    return found


def check_may_cancel(table: Table, person: Person) -> tuple[int, ...]:
    """Return the seats that still have to agree. Raise Refused if this person cannot cancel the game, Stale if it is
    over.
    """
    if not table.status.open:
        raise Stale(table)
    if person.manages_server and not table.sits(person.user_id):
        return ()
    if person.user_id != table.host_id:
        raise Refused(
            _("Only the host can cancel the game, or somebody with the Manage Server permission who isn't playing.")
        )
    if has_lost_player(table):
        raise Refused(
            _(
                "A player who had started has left. Now only somebody with the Manage Server permission who isn't"
                " playing can cancel the game."
            )
        )
    missing = seats_yet_to_agree(table)
    if missing and is_declined(table):
        raise Refused(_("The game goes on. The host can ask again when this round is over."))
    return missing


@use_case
def answer_request(table: Table, person: Person, version: int, *, agrees: bool) -> Change:
    """Agree or decline to cancel the game. Raise Stale if the request that this version shows has ended, and Refused if
    this player was not asked.

    The last agreement cancels the game. The request ends when anybody declines. A host who declines withdraws it.
    """
    seat = seat_of_player(table, person.user_id)
    if version < table.timing.cancel_asked_at_version or not seats_yet_to_answer(table):
        raise Stale(table)
    if person.user_id != table.host_id and seat not in seats_asked(table):
        raise Refused(_("Only players who have started playing can decide that."))
    answered = table.with_seat(seat, gives_up=agrees)
    if not agrees or seats_yet_to_agree(answered):
        return Change(answered)
    return _close_cancelled(answered, f"user {table.host_id}", NewsKind.CANCELLED)


def _close_cancelled(table: Table, by: str, kind: NewsKind, detail: str = "") -> Change:
    closed = abandon_table(table, by)
    return replace(closed, news=(News(kind, closed.table.seat_of(table.host_id) or 0, detail=detail),))

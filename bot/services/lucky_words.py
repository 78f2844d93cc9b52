"""The lucky words of a table's players, given while it is in its lobby."""

from bot.domain.clean_text import make_storable
from bot.domain.errors import Refused
from bot.domain.table import MAX_LUCKY_WORD, Table
from bot.locales import _
from bot.services.core import Change, Person, use_case
from bot.services.lobby import check_in_lobby


@use_case
def set_lucky_word(table: Table, person: Person, word: str) -> Change:
    """Add a word of one's own to what the dice are drawn from, or take it back with an empty one."""
    cleaned = " ".join(make_storable(word).split())
    if len(cleaned) > MAX_LUCKY_WORD:
        raise Refused(_("A lucky word has at most {limit} characters.").format(limit=MAX_LUCKY_WORD))
    at = check_lucky_word(table, person.user_id)
    return Change(table.with_seat(at, lucky_word=cleaned))


def check_lucky_word(table: Table, user_id: int) -> int:
    """Return the seat of somebody who may give a lucky word now. Raise Refused to others."""
    check_in_lobby(table)
    at = table.seat_of(user_id)
    if at is None:
        raise Refused(_("Take a seat first; lucky words are for the players."))
    return at

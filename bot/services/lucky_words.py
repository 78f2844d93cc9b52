"""The lucky words of a table's players, given while it is in its lobby."""

from bot.domain.clean_text import make_storable
from bot.domain.errors import Refused
from bot.domain.table import MAX_LUCKY_WORD, Table
from bot.locales import _
from bot.services.core import Change, Person, use_case
from bot.services.lobby import check_sits


@use_case
def set_lucky_word(table: Table, person: Person, word: str) -> Change:
    """Add a word of one's own to what the dice are drawn from, or take it back with an empty one."""
    cleaned = " ".join(make_storable(word).split())
    if len(cleaned) > MAX_LUCKY_WORD:
        raise Refused(_("That lucky word is too long. Most characters: {number}").format(number=MAX_LUCKY_WORD))
    return Change(table.with_seat(check_sits(table, person.user_id), lucky_word=cleaned))

"""People who come back to a table, and are told once what has happened since."""

from collections.abc import Iterable

from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.domain.timing import LastPress
from highscore.events import Decided, Event

REMEMBERED = 1_000


class Returns:
    """The people to tell after the answer to their press, and the people who were told already."""

    def __init__(self) -> None:
        self._owed: Recent[tuple[str, int], tuple[Table, LastPress]] = Recent(REMEMBERED)
        self._told: Recent[tuple[str, int], LastPress] = Recent(REMEMBERED)
        """The returns so far, by the press before: a press that changes nothing is not stored, and returns again."""

    def note(self, table: Table, user_id: int | None, last: LastPress | None) -> None:
        """Remember that a user is back at a table, after the last press before; None if there is nothing to tell."""
        if user_id is None or last is None:
            return
        if self._told.get(key := (table.id, user_id)) != last:
            self._told[key] = last
            self._owed[key] = table, last

    def take(self, table_id: str, user_id: int) -> tuple[Table, LastPress] | None:
        """Return the table and the last press of a user who is to be told, once; else None."""
        return self._owed.pop((table_id, user_id), None)


def is_there(before: Table, after: Table, user_id: int, happened: Iterable[Event]) -> bool:
    """Return whether a user has made a decision with a change of a table, has sat down, or is no longer away."""
    if any(isinstance(event, Decided) and not event.by_house for event in happened):
        # An absence may not be known to this table yet.
        return True
    came = not before.sits(user_id) or (before.is_away(user_id) and not after.is_away(user_id))
    return came and after.sits(user_id)

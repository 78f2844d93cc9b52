"""People who come back to a table: what they are told has happened since, once."""

from collections.abc import Iterable

from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.domain.timing import LastPress
from highscore.events import Decided, Event

REMEMBERED = 1_000


class Returns:
    """Whom to tell after the answer to their press, and whom that was told already."""

    def __init__(self) -> None:
        self._owed: Recent[tuple[str, int], tuple[Table, LastPress]] = Recent(REMEMBERED)
        self._told: Recent[tuple[str, int], LastPress] = Recent(REMEMBERED)
        """A press that changes nothing is not noted with the table: it would be the first one again."""

    def note(self, table: Table, user_id: int | None, last: LastPress | None) -> None:
        """Somebody is back at a table whose last press was this one, if it is so long ago that they want to know."""
        if user_id is None or last is None:
            return
        if self._told.get(key := (table.id, user_id)) != last:
            self._told[key] = last
            self._owed[key] = table, last

    def take(self, table_id: str, user_id: int) -> tuple[Table, LastPress] | None:
        """The table, and the last press before, of somebody who is to be told; nobody is told twice."""
        return self._owed.pop((table_id, user_id), None)


def is_there(before: Table, after: Table, user_id: int, happened: Iterable[Event]) -> bool:
    """Whether somebody has made a decision with a change of a table, has sat down, or is no longer away."""
    if any(isinstance(event, Decided) and not event.by_house for event in happened):
        # Also at a table that has not been told that they are away.
        return True
    return after.sits(user_id) and (not before.sits(user_id) or (before.away(user_id) and not after.away(user_id)))

"""Marks the seats of players who are away from a server, and unmarks them when the players are back."""

from collections.abc import Callable

from sqlalchemy import RowMapping

from bot.observing.logs import set_log_fields
from bot.services.away import announce_absence
from bot.services.core import Core
from bot.store.away import Absence
from bot.store.claims import ABSENCES
from bot.store.rows import from_row
from bot.workers.worker import Clock, Posts


class Absences(Posts):
    name = "absences"
    rows = ABSENCES
    slots = 2

    def __init__(self, core: Core, clock: Clock, show: Callable[[str], None]) -> None:
        super().__init__(core, clock)
        self._show = show

    async def post(self, row: RowMapping) -> bool:
        set_log_fields(guild=row["guild_id"])
        for table in await announce_absence(self._core, from_row(Absence, row)):
            self._show(table.id)
        return True

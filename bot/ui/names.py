"""Players' names and pieces."""

from __future__ import annotations

from bot.table import Table
from bot.ui.text import plain
from bot.ui.words import PIECES
from highscore.house import Temperament

HOUSE = "🤖"


def player_name(table: Table, seat: int) -> str:
    """A player's piece and name, harmless in any embed; marked when the house plays the seat."""
    sitting = table.seats[seat]
    if sitting.user_id is None:
        return f"{PIECES[seat]} {HOUSE} {Temperament(sitting.house).person}"
    return f"{PIECES[seat]} {plain(sitting.name)}" + (f" {HOUSE}" if sitting.house is not None else "")

"""Knowledge of a process about the tables it has shown, and when the database knows more."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.display import There
from bot.workers.display_state import DisplayState
from highscore.turn_order import TurnOrder
from tests.bot.ui.tables import table_of

TABLE = table_of(0, TurnOrder.CLOCKWISE)
KNOWN: dict[str, Any] = {"shown_picture": 5, "message_id": 50, "shown_page": 4}
"""The record of a round, which is noted with the page that follows it."""


@pytest.mark.parametrize(
    ("picture", "message_id", "later"),
    [(4, 40, False), (4, 60, False), (5, 40, False), (5, 50, False), (5, 60, True), (6, 40, True)],
)
def test_the_later_picture_is_known_and_of_one_picture_the_later_message(
    picture: int, message_id: int, later: bool
) -> None:
    """The database may not have this process's picture yet, or may have another process's."""
    core: Any = SimpleNamespace()
    state = DisplayState(core)
    state.note_all_found(replace(TABLE, **KNOWN))
    stored = replace(TABLE, shown_picture=picture, message_id=message_id, shown_page=3)
    assert state.current(stored) == (stored if later else replace(TABLE, **KNOWN))


def test_a_message_that_shows_what_is_noted_is_neither_in_doubt_nor_lost_nor_closed() -> None:
    core: Any = SimpleNamespace(now=lambda: datetime.now(UTC))
    state = DisplayState(core)
    for message_id in (50, 60):
        state.doubt(TABLE.id, message_id)
    state.note_known(TABLE.id, lost=50, closed=50)
    state.trust(TABLE.id, 50)
    assert state.get_known(TABLE) == There(doubtful=frozenset({60}))

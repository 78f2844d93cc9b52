"""The page of somebody's statistics: what it says of wins and games without one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.domain.history import Statistics
from bot.domain.ledger import PlayerStanding
from bot.ui.stats import stats_page

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("streak", "longest", "said"),
    [
        (2, 3, "2 wins in a row · longest: 3"),
        (-1, 1, "1 game since the last win · longest: 1"),
        (-4, 0, None),
    ],
)
def test_a_last_win_is_told_of_whoever_has_won(streak: int, longest: int, said: str | None) -> None:
    standing = PlayerStanding(1, "all", 1, "Ada", NOW, games=4, rated=4, streak=streak, longest=longest)
    (embed,) = stats_page(Statistics(standing, [], [], ())).embeds
    if said is None:
        assert "longest" not in str(embed.description)
    else:
        assert said in str(embed.description)

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.domain import cup_leg, daily
from bot.ui.pictures import board, cup, lobby, results
from bot.ui.pictures.daily import morning_png
from highscore.dice import Dice
from tests.bot.ui.cups import draw_picture, played_view
from tests.bot.ui.pictures.samples import busy_board, full_results


def _all_kept() -> dict[str, Any]:
    """Return every function of the pictures that keeps what it has drawn."""
    return {
        f"{name}.{each}": kept
        for name, module in sys.modules.items()
        if name.startswith("bot.ui.pictures.")
        for each, kept in vars(module).items()
        if hasattr(kept, "cache_clear")
    }


NAMED: dict[str, Callable[[str], bytes]] = {
    "turn": lambda name: board.board_png(busy_board(), name),
    "standings": lambda name: results.results_png(replace(full_results(), names=(name,) * 5)),
    "rare turn": lambda name: results.rare_png(3, Dice.parse("V V V V V 3 1"), -30, "47", name),
    "bracket": lambda name: draw_picture(played_view(4, names=(name,) * 4)),
    "table": lambda name: draw_picture(played_view(4, cup_leg.Format.LEAGUE, 2, names=(name,) * 4)),
    "cup": lambda name: cup.cup_png(name, 1, cup.TableView((), 0)),
    "lobby": lambda name: lobby.lobby_png([lobby.SeatPlace(lobby.SeatState.TAKEN, name)] * 2),
    "sign-up": lambda name: cup.sign_up_png(name, 4, [(0, name)]),
    "morning": lambda name: morning_png(9, [daily.Ranked(1, name, 210, 1, place=1)], None, "123.4"),
}


@pytest.mark.parametrize("picture", NAMED)
def test_no_name_is_kept_as_its_person_may_delete_it(picture: str) -> None:
    first = NAMED[picture]("Ada")
    misses = {where: kept.cache_info().misses for where, kept in _all_kept().items()}
    assert NAMED[picture]("daA") != first, "the same letters, each of which is known"
    assert {where: kept.cache_info().misses for where, kept in _all_kept().items()} == misses

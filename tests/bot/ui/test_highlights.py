"""Rare turns: told at once, and for ever by the record of their round."""

import random
from dataclasses import replace

import pytest

from bot.domain.screens import record_of
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.ui.message import Rendered
from bot.ui.table import render_screen
from highscore.odds.facts import Feat
from highscore.turn_order import TurnOrder
from tests.bot.cores import game_of
from tests.bot.ui.limits import check_message
from tests.bot.ui.tables import HOSTILE, states, table_of


def rare(table: Table, seat: int, number: int = 1, feat: Feat = Feat.ALIKE, one_in: int = 1300) -> Table:
    return replace(table, news=(*table.news, News(NewsKind.RARE, seat, number, f"{feat.value} {one_in} 24")))


def texts(page: Rendered) -> list[str]:
    return [str(embed.description) for embed in page.embeds]


def played(players: int = 2, order: TurnOrder = TurnOrder.CLOCKWISE) -> list[Table]:
    return [each for each in states(table_of(players, order, ("Ada", "Ben", "Cem")), random.Random(3)) if each.game]


def test_the_record_of_a_round_keeps_its_rarest_turn() -> None:
    over = rare(rare(played()[-1], 0, one_in=120), 1, feat=Feat.THIRTY, one_in=1300)
    page = render_screen(over, record_of(game_of(over), 0))
    check_message(page)
    assert page.inset is not None
    assert "exactly 30 points" in texts(page)[0]
    assert "1\N{NARROW NO-BREAK SPACE}300 such turns" in texts(page)[0]
    result = game_of(over).find_run(1).finished[0].turn
    assert page.inset.alt.startswith(f"🔷 Ben: {str(result.result).replace('-', '−')} point")
    assert page.inset.alt.count(", ") >= 6, "all seven dice"
    other = render_screen(over, record_of(game_of(over), 1))
    assert (other.inset, len(other.embeds)) == (None, 1)


@pytest.mark.parametrize("feat", Feat)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_way_has_a_sentence_with_the_longest_names(feat: Feat, language: str) -> None:
    table = list(states(replace(table_of(5, names=HOSTILE), locale=language), random.Random(1)))[-1]
    page = render_screen(rare(table, 3, feat=feat, one_in=1_000_000_000), record_of(game_of(table), 0))
    check_message(page)
    assert page.inset is not None
    assert len(page.inset.alt) <= 1024

import random
from dataclasses import replace

import pytest

from bot.domain.screens import record_of
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.ui.table import render_screen
from highscore.odds.facts import Feat
from tests.bot.cores import game_of
from tests.bot.ui.limits import check_message
from tests.bot.ui.tables import HOSTILE, states, table_of


def rare(table: Table, seat: int, number: int = 1, feat: Feat = Feat.ALIKE, one_in: int = 1300) -> Table:
    return replace(table, news=(*table.news, News(NewsKind.RARE, seat, number, f"{feat.value} {one_in} 24")))


@pytest.mark.parametrize("feat", Feat)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_way_has_a_sentence_with_the_longest_names(feat: Feat, language: str) -> None:
    table = list(states(replace(table_of(5, names=HOSTILE), locale=language), random.Random(1)))[-1]
    page = render_screen(rare(table, 3, feat=feat, one_in=1_000_000_000), record_of(game_of(table), 0))
    check_message(page)
    assert page.inset is not None
    assert len(page.inset.alt) <= 1024

"""What the table itself says about records and ratings."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.ui.table import render
from bot.ui.text import signed
from tests.bot.ui.tables import states, table_of

RECORD = "A new record on this server"


def _fields(table: Table) -> str:
    return "\n".join(f"{field.name}\n{field.value}" for embed in render(table).embeds for field in embed.fields)


def test_a_record_is_told_with_the_round_that_ended() -> None:
    games = list(states(table_of(2, names=("*Zoe*", "Ben")), random.Random(1)))
    one_round = next(table for table in games if table.game is not None and len(table.game.finished) == 1)
    assert one_round.game is not None
    assert RECORD not in _fields(one_round)
    result = next(turn.result for turn in one_round.game.finished[0].turns if turn.seat == 0)
    told = replace(one_round, news=(News(NewsKind.RECORD, 0),))
    assert f"{RECORD}\n🔴 \\*Zoe\\* has the best result ever on this card: **{signed(result)}**" in _fields(told)
    assert "📣" not in str([embed.to_dict() for embed in render(told).embeds])
    assert RECORD in _fields(replace(games[-1], news=(News(NewsKind.RECORD, 1),)))


def test_a_game_with_one_person_says_that_it_is_not_rated() -> None:
    lobby = table_of(3)
    *_earlier, together = states(lobby, random.Random(2))
    one, *others = lobby.seats
    alone = replace(together, seats=(one, *(replace(seat, user_id=None, house="steady") for seat in others)))
    assert "Not rated" in _fields(alone)
    assert "Not rated" not in _fields(together)

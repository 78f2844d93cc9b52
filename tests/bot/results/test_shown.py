"""What the table itself says about records and ratings."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.ui.table import render
from bot.ui.text import signed
from tests.bot.results.games import Club, house, people, person

RECORD = "A new record on this server"


def _fields(table: Table) -> str:
    return "\n".join(f"{field.name}\n{field.value}" for embed in render(table).embeds for field in embed.fields)


async def test_a_record_is_told_with_the_round(games: Club) -> None:
    table = await games.play_on(await games.open([person(1, name="*Zoe*"), person(2)]), rounds=1)
    assert RECORD not in _fields(table)
    result = next(turn.result for turn in table.game.finished[0].turns if turn.seat == 0) if table.game else 0
    told = replace(table, news=(News(NewsKind.RECORD, 0),))
    assert f"{RECORD}\n🔴 \\*Zoe\\* has the best result ever on this card: **{signed(result)}**" in _fields(told)
    assert "📣" not in str([embed.to_dict() for embed in render(told).embeds])


async def test_a_record_of_the_last_round_is_told_at_the_end(games: Club) -> None:
    table = await games.finish(people(1, 2))
    assert table.status is Status.FINISHED
    assert RECORD in _fields(replace(table, news=(News(NewsKind.RECORD, 1),)))


async def test_a_game_with_one_person_says_that_it_is_not_rated(games: Club) -> None:
    alone, together = await games.finish([person(1), house()]), await games.finish([*people(1, 2), house()])
    assert "Not rated" in _fields(alone)
    assert "Not rated" not in _fields(together)

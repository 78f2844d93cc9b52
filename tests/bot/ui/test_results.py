"""What the table itself says about records and ratings."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.ui.table import render
from bot.ui.text import signed
from tests.bot.games import scored, wins
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


def _ended(*own: int | None) -> str:
    """The fields of the last page of a game in which people made so many turns themselves; None is a house player."""
    lobby = table_of(len(own), names=("Ada", "Ben", "Cem")[: len(own)])
    seats = [
        seat if made is not None else replace(seat, user_id=None, house="steady")
        for seat, made in zip(lobby.seats, own, strict=True)
    ]
    away = {at: 7 - (made or 0) for at, made in enumerate(own)}
    game = scored(*wins(0, len(own)), by_house=away)
    return _fields(replace(lobby, seats=tuple(seats), game=game, status=Status.FINISHED))


def test_the_standings_say_for_whom_a_game_is_not_rated_or_only_if_they_lose() -> None:
    assert "Rating" not in _ended(7, 4)
    for too_few in ((7, None), (7, 3), (3, 3, None)):
        assert "Not rated: that takes two people who each play at least four" in _ended(*too_few)
    assert "Rating\n🟩 Cem: fewer than four turns of their own, so this game can only lower" in _ended(7, 4, 3)
    assert "Rating\n🟩 Cem: no turn of their own, so not rated." in _ended(7, 4, 0)
    assert "Rating" not in _ended(7, 4, None)

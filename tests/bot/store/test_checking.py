import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.pool import NullPool

from bot.store.backup import find_wrong_games
from highscore import Game, TurnOrder, notation
from tests.bot.stocked import stocked


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{stocked(tmp_path / 'games.sqlite3')}", poolclass=NullPool)
    with engine.connect() as opened:
        yield opened


def test_everything_that_was_played_fits(connection: Connection) -> None:
    assert find_wrong_games(connection) == []


BEGUN = json.dumps(notation.encode_game(Game(2, TurnOrder.OPEN)))


DAMAGES = (
    "update events set lines = replace(lines, 'rolled 5', 'rolled 4') where {it}",
    "delete from events where {it} and seq = 2",
    "update events set lines = 'nonsense' where {it} and seq = 2",
    "update games set state = :begun where {it}",
    "update games set state = '{{}}' where {it}",
    "update games set state = '[' where {it}",
    "update games set state = '[]' where {it}",
    "update games set state = replace(hex(zeroblob(50000)), '0', '[') where {it}",
    "update games set state = null where {it}",
    "update games set turn_order = 'backwards' where {it}",
    "delete from seats where {it} and seat = 0",
)


def test_an_open_game_that_does_not_fit_is_named(connection: Connection) -> None:
    query = text("select id from games where status = :status limit 1")
    game, over = (connection.scalar(query, {"status": status}) for status in ("playing", "finished"))
    for damage in DAMAGES:
        for one, found in ((game, [game]), (over, [])):
            it = f"{'id' if 'games' in damage else 'game_id'} = :game"
            connection.execute(text(damage.format(it=it)), {"begun": BEGUN, "game": one})
            assert find_wrong_games(connection) == found, damage
            connection.rollback()


def test_a_lobby_has_no_moves(connection: Connection) -> None:
    lobby = connection.scalar(text("select id from games where status = 'lobby'"))
    playing = connection.scalar(text("select id from games where status = 'playing'"))
    log = "update events set game_id = :lobby where seq = 2 and game_id = :playing"
    connection.execute(text(log), {"lobby": lobby, "playing": playing})
    assert lobby in find_wrong_games(connection)

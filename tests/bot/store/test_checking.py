"""Replaying what is stored: whatever does not fit is found and named."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.pool import NullPool

from bot.store.checking import Replays, check_replays
from highscore.game import Game
from highscore.notation import encode_game
from highscore.turn_order import TurnOrder
from tests.bot.stocked import TABLES, stocked


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """Connect to a database with something in every table."""
    engine = create_engine(f"sqlite:///{stocked(tmp_path / 'games.sqlite3')}", poolclass=NullPool)
    with engine.connect() as opened:
        yield opened


def test_everything_that_was_played_fits(connection: Connection) -> None:
    assert check_replays(connection) == Replays(games=TABLES, attempts=1)


def test_only_the_newest_are_looked_at_where_that_is_enough(connection: Connection) -> None:
    connection.execute(text("update games set state = null where id = (select min(id) from games)"))
    assert check_replays(connection, newest=TABLES - 1) == Replays(games=TABLES - 1, attempts=1)
    assert len(check_replays(connection).wrong) == 1


UNREADABLE = "the seed, the deck or the par of the challenge "
BEGUN = json.dumps(encode_game(Game(2, TurnOrder.OPEN)))


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


def test_a_game_that_does_not_fit_is_named(connection: Connection) -> None:
    game = connection.scalar(text("select id from games where status = 'finished' limit 1"))
    for damage in DAMAGES:
        it = f"{'id' if 'games' in damage else 'game_id'} = :game"
        connection.execute(text(damage.format(it=it)), {"begun": BEGUN, "game": game})
        found = check_replays(connection)
        assert found.games == TABLES
        assert found.wrong == [f"the events of game {game} do not lead to its stored state"], damage
        connection.rollback()
    assert check_replays(connection).wrong == []


@pytest.mark.parametrize(
    "damage",
    [
        "seed = x'00'",
        "seed = null",
        "deck = '['",
        """deck = '{"name": "x", "cards": []}'""",
        "options = '['",
        "timing = '1'",
        "news = 'x'",
    ],
)
def test_what_a_game_cannot_be_loaded_with_is_named(damage: str, connection: Connection) -> None:
    game = connection.scalar(text("select id from games where status = 'finished' limit 1"))
    connection.execute(text("create table changed as select * from games"))
    connection.execute(text(f"update changed set {damage} where id = :game"), {"game": game})  # noqa: S608
    connection.execute(text("alter table games rename to before"))
    connection.execute(text("alter table changed rename to games"))
    assert check_replays(connection).wrong == [f"the seed, the deck or the settings of game {game} cannot be read"]


def test_a_sample_includes_the_games_that_are_played_on(connection: Connection) -> None:
    assert check_replays(connection, newest=0) == Replays()
    assert check_replays(connection, newest=0, open_too=True) == Replays(games=2), "one in play, and a lobby"
    connection.execute(text("update games set state = null where status = 'playing'"))
    assert len(check_replays(connection, newest=0, open_too=True).wrong) == 1


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("update challenges set seed = x'00'", UNREADABLE),
        ("update challenges set deck = '{'", UNREADABLE),
        ("update challenges set averages = '[x]'", UNREADABLE),
        ("update attempts set events = replace(events, 'rolled', 'nonsense')", "the events of "),
        ("update attempts set events = ''", "the events of "),
        ("update attempts set step = step + 1", "the events of "),
    ],
)
def test_a_challenge_that_does_not_fit_is_named_without_its_player(
    damage: str, sentence: str, connection: Connection
) -> None:
    connection.execute(text(damage))
    (found,) = check_replays(connection).wrong
    assert found.startswith(sentence)
    assert str(connection.scalar(text("select id from challenges"))) in found
    assert str(connection.scalar(text("select user_id from attempts"))) not in found


def test_a_database_of_an_older_version_or_with_nothing_in_it(connection: Connection) -> None:
    for table in ("attempts", "dailies", "challenges"):
        connection.execute(text(f"drop table {table}"))
    assert check_replays(connection) == Replays(games=TABLES)
    empty = create_engine("sqlite://", poolclass=NullPool)
    with empty.connect() as nothing:
        assert check_replays(nothing) == Replays()

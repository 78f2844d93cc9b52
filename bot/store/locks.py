"""Locks for what is read first and written afterwards.

On SQLite every write transaction is alone anyway, and nothing is done. On PostgreSQL a lock is held until the
transaction ends, and is taken *before* reading: in READ COMMITTED every statement sees what was committed before it, so
what is read after the lock is what the last holder left.
"""

from collections.abc import Sequence
from enum import Enum
from hashlib import blake2b

from sqlalchemy import BigInteger, Connection, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY

from bot.store.models import challenges, cups, games


class LockScope(Enum):
    """A thing that can be held, beside rows."""

    CHANNEL = "channel"
    """For the number of open tables in it."""
    GUILD = "guild"
    """For its standings, records and seasons; its settings; its daily challenge."""
    PERSON = "person"
    """For the seats a person has; their settings; their attempts at challenges."""
    SCHEMA = "schema"


def lock_subjects(connection: Connection, what: LockScope, *ids: int) -> None:
    """Hold these, in everybody's order, until the transaction ends. PERSON is taken last."""
    if ids and connection.dialect.name == "postgresql":
        connection.execute(_HOLD, {"keys": sorted({_make_key(what, one) for one in ids})})


def lock_game(connection: Connection, game_id: str) -> None:
    """Hold a game's row, before its seats are read: a waiting statement would see them as before the wait."""
    lock_games(connection, [game_id])


def lock_games(connection: Connection, game_ids: Sequence[str]) -> None:
    if game_ids and connection.dialect.name == "postgresql":
        connection.execute(_HOLD_GAMES, {"games": game_ids})


def hold_challenge(connection: Connection, challenge_id: str) -> None:
    """Keep a challenge as it is, before it and its attempts are read, until the transaction ends.

    Whoever plays holds it together with the others, so nobody waits for a player. The one who stores that it is closed
    changes its row, and so waits for those who play: what is read after that is all that was played.
    """
    if connection.dialect.name == "postgresql":
        row = select(challenges.c.id).where(challenges.c.id == challenge_id)
        connection.execute(row.with_for_update(read=True))


def lock_cups(connection: Connection, *cup_ids: str) -> None:
    """Hold cups' rows, before their entrants and legs are read."""
    if cup_ids and connection.dialect.name == "postgresql":
        rows = select(cups.c.id).where(cups.c.id.in_(cup_ids)).order_by(cups.c.id)
        connection.execute(rows.with_for_update(key_share=True))


def _make_key(what: LockScope, one: int) -> int:
    """Return an advisory lock's number of 64 bits: https://www.postgresql.org/docs/current/explicit-locking.html."""
    return int.from_bytes(blake2b(f"highscore {what.value} {one}".encode(), digest_size=8).digest(), signed=True)


_HOLD = select(func.pg_advisory_xact_lock(func.unnest(bindparam("keys", type_=ARRAY(BigInteger))).column_valued("key")))
# "Key share": rows that refer to a game may be inserted meanwhile. They only need it to stay there.
_SOME = games.c.id.in_(bindparam("games", expanding=True))
_HOLD_GAMES = select(games.c.id).where(_SOME).order_by(games.c.id).with_for_update(key_share=True)

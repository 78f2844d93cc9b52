"""Acting on an interaction once, in whichever process."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bot.domain.errors import PlayedElsewhere, Refused
from bot.observing.in_flight import note_committed
from bot.store.database import Database
from bot.store.interactions import is_known, note_interaction

Result = TypeVar("Result")


async def write_once(
    database: Database, transaction: Callable[[Connection], Result], interaction_id: int | None
) -> Result:
    """Run a write transaction that stores the interaction's id, with an event or by itself.

    Raise PlayedElsewhere if it is stored already: while one process takes over from another, Discord sends each to
    both. Otherwise raise what the transaction raises.
    """

    def asked(connection: Connection) -> Result:
        try:
            return transaction(connection)
        except Refused:
            if interaction_id is not None and is_known(connection, interaction_id):
                raise PlayedElsewhere from None  # Refused because of what it has itself done meanwhile.
            raise

    try:
        result = await database.write(asked)
    except IntegrityError:
        if interaction_id is not None and await database.read(is_known, interaction_id):
            raise PlayedElsewhere from None  # Stopped by the id that is there already.
        raise
    note_committed()
    return result


async def claim_interaction(database: Database, interaction_id: int, now: datetime) -> None:
    """Store an interaction's id before something is done for it outside of the database. Raise as ``write_once``."""
    await write_once(database, partial(note_interaction, interaction_id=interaction_id, now=now), interaction_id)

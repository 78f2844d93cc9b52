"""Interactions that were acted on already. Every function works inside the caller's transaction.

While one process takes over from another, Discord sends each interaction to both. The table ``events`` has a unique
column for an interaction's id; whatever else must not be done twice stores the id here.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, delete, insert, select, union_all

from bot.store.models import events, interactions

KEPT = timedelta(hours=1)
"""The time an id is kept. Discord surely delivers no interaction so late: it can be answered for 15 minutes."""


def note_interaction(connection: Connection, interaction_id: int | None, now: datetime) -> None:
    """Store the id of an interaction, if there is one. Raise IntegrityError if it is stored already."""
    if interaction_id is not None:
        connection.execute(insert(interactions).values(interaction_id=interaction_id, at=now))


def is_known(connection: Connection, interaction_id: int) -> bool:
    return connection.execute(_KNOWN, {"interaction": interaction_id}).first() is not None


def forget_old_interactions(connection: Connection, now: datetime) -> None:
    """Delete the ids stored more than ``KEPT`` ago."""
    # Two transactions that do this at once skip each other's rows, or they could wait for each other.
    old = select(interactions.c.interaction_id).where(interactions.c.at < now - KEPT).with_for_update(skip_locked=True)
    connection.execute(delete(interactions).where(interactions.c.interaction_id.in_(old)))


_KNOWN = union_all(
    *(
        select(table.c.interaction_id).where(table.c.interaction_id == bindparam("interaction"))
        for table in (events, interactions)
    )
)

"""Interactions that were acted on already. Every function works inside the caller's transaction.

While one process takes over from another, Discord sends what people ask to both. What is logged in ``events`` carries
the interaction's id, which is unique there; everything else that must not be done twice is noted here.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, delete, insert, select, union_all

from bot.store.models import events, interactions

KEPT = timedelta(hours=1)
"""After so long Discord surely delivers an interaction to nobody any more: it can be answered for 15 minutes."""


def note_interaction(connection: Connection, interaction_id: int | None, now: datetime) -> None:
    """Note that an interaction, if there is one, is acted on in this transaction. Raises IntegrityError when it was
    before."""
    if interaction_id is not None:
        connection.execute(insert(interactions).values(interaction_id=interaction_id, at=now))


def is_known(connection: Connection, interaction_id: int) -> bool:
    """Whether an interaction was acted on, whatever it asked for."""
    return connection.execute(_KNOWN, {"interaction": interaction_id}).first() is not None


def forget_old_interactions(connection: Connection, now: datetime) -> None:
    """Delete what was noted more than ``KEPT`` ago."""
    # Two who do this at once leave each other's rows alone, or they could wait for each other.
    old = select(interactions.c.interaction_id).where(interactions.c.at < now - KEPT).with_for_update(skip_locked=True)
    connection.execute(delete(interactions).where(interactions.c.interaction_id.in_(old)))


_KNOWN = union_all(
    *(
        select(table.c.interaction_id).where(table.c.interaction_id == bindparam("interaction"))
        for table in (events, interactions)
    )
)

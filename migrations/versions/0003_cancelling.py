"""R9.7: a request to cancel no longer counts as agreed after days of silence, so tables no longer store that time.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

GAMES = sa.table("games", sa.column("id"), sa.column("timing"), sa.column("wake_at", sa.DateTime(timezone=True)))
MOMENTS = ("deadline", "hold_deadline", "kept_until", "remind_at", "house_at", "asleep_until")


def upgrade() -> None:
    connection = op.get_bind()
    # The bot no longer acts on these two times. If ``wake_at`` were one of them, it would wake the clock repeatedly.
    waiting = sa.select(GAMES.c.id, GAMES.c.timing).where(GAMES.c.timing.like('%"silence_at"%'))
    for table_id, text in connection.execute(waiting).all():
        timing = json.loads(text)
        for name in ("agrees_at", "silence_at"):
            timing.pop(name, None)
        due = [timing.get(name) for name in (("retry_at",) if timing.get("paused_at") else MOMENTS)]
        moments = [datetime.fromisoformat(moment).astimezone(UTC) for moment in due if moment is not None]
        changed = {"timing": json.dumps(timing), "wake_at": min(moments, default=None)}
        connection.execute(sa.update(GAMES).where(GAMES.c.id == table_id).values(changed))
    # News of the kind "cancelled" are now used both if the host has cancelled alone and if the others have agreed.
    connection.execute(sa.text("UPDATE games SET news = replace(news, '\"cancelled by all\"', '\"cancelled\"')"))


def downgrade() -> None:
    # Nothing has to be restored, because the version before asks the players again.
    pass

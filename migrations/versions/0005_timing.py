"""Tables no longer store each seat's last press, nor the reason for a pause, because there was only one reason. Two
kinds of news with the same text become one kind.

Revision ID: 0005
Revises: 0004
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

GAMES = sa.table("games", sa.column("id"), sa.column("timing"))
GONE = ("last_presses", "pause_reason")


def upgrade() -> None:
    connection = op.get_bind()
    holding = sa.or_(*(GAMES.c.timing.like(f'%"{name}"%') for name in GONE))
    for table_id, text in connection.execute(sa.select(GAMES.c.id, GAMES.c.timing).where(holding)).all():
        timing = {name: value for name, value in json.loads(text).items() if name not in GONE}
        connection.execute(sa.update(GAMES).where(GAMES.c.id == table_id).values(timing=json.dumps(timing)))
    connection.execute(sa.text("UPDATE games SET news = replace(news, '\"kept\"', '\"played\"')"))


def downgrade() -> None:
    # The version before assumes the only possible reason for a pause, and shows no notice to a seat without a stored
    # press.
    pass

"""Simpler cups (R9.8). They have no measured outages and no points given away, and a separate post starts the cup.

Running cups go on. Their digest includes entrants who had withdrawn before the entries were closed. These entrants now
count as having left during the first leg, so that the digest still fits.

Revision ID: 0004
Revises: 0003
"""

from __future__ import annotations

from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    # Not in batches, because Alembic's batches would make the SQLite tables again with a rowid.
    _run("ALTER TABLE cup_legs RENAME COLUMN planned_at TO ends_at")
    op.drop_column("cup_legs", "outages")
    op.add_column("cup_legs", sa.Column("posted_at", WHEN))
    _run("UPDATE cup_legs SET posted_at = began_at")
    op.drop_column("cup_legs", "began_at")
    _run("ALTER TABLE cup_legs RENAME COLUMN posted_at TO began_at")
    for name in ("prolonged", "moved"):
        op.add_column("cup_legs", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.drop_column("cup_results", "given_away")
    # A leg that an outage has prolonged ends at its announced end, which is stored with its challenges.
    _run(
        "UPDATE cup_legs SET ends_at = (SELECT max(challenges.ends_at) FROM challenges JOIN cup_groups"
        " ON cup_groups.challenge_id = challenges.id WHERE cup_groups.cup_id = cup_legs.cup_id"
        " AND cup_groups.leg = cup_legs.number) WHERE closed_at IS NULL AND EXISTS (SELECT 1 FROM cup_groups"
        " WHERE cup_groups.cup_id = cup_legs.cup_id AND cup_groups.leg = cup_legs.number)"
    )
    _run(
        "UPDATE cup_legs SET prolonged = :yes WHERE EXISTS (SELECT 1 FROM cup_posts WHERE what = 'prolonged'"
        " AND cup_posts.cup_id = cup_legs.cup_id AND cup_posts.leg = cup_legs.number)",
        yes=True,
    )
    # A leg begins with its post.
    _run(
        "UPDATE cup_legs SET began_at = NULL WHERE closed_at IS NULL AND EXISTS (SELECT 1 FROM cup_posts"
        " WHERE what = 'leg' AND message_id IS NULL AND post_at IS NOT NULL"
        " AND cup_posts.cup_id = cup_legs.cup_id AND cup_posts.leg = cup_legs.number)"
    )
    _run(
        "DELETE FROM cup_posts WHERE what = 'reminder' AND EXISTS (SELECT 1 FROM cup_legs WHERE began_at IS NULL"
        " AND cup_posts.cup_id = cup_legs.cup_id AND cup_posts.leg = cup_legs.number)"
    )
    _keep_in_digests()
    # In the version before, the first leg's post also started the cup. It may have been sent before the leg was drawn.
    _run(
        "UPDATE cup_posts SET what = 'start', leg = 0 WHERE what = 'leg'"
        " AND cup_id IN (SELECT id FROM cups WHERE status = 'starting')"
    )


def downgrade() -> None:
    # The version before plans the first leg's post when it closes the entries. It has no separate post for the start.
    _run(
        "UPDATE cup_posts SET what = 'leg', leg = 1 WHERE what = 'start'"
        " AND cup_id IN (SELECT id FROM cups WHERE status = 'starting')"
    )
    _run("DELETE FROM cup_posts WHERE what = 'start'")
    _run("UPDATE cup_posts SET argument = 1 WHERE what = 'ended' AND argument = 2")
    _run("UPDATE cup_posts SET argument = 24 WHERE what = 'prolonged'")
    _run("UPDATE cup_legs SET began_at = ends_at WHERE began_at IS NULL")
    op.add_column("cup_results", sa.Column("given_away", sa.Integer()))
    for name in ("prolonged", "moved"):
        op.drop_column("cup_legs", name)
    never = sa.text("'1970-01-01 00:00:00.000000'")
    op.add_column("cup_legs", sa.Column("was_to_begin", WHEN, nullable=False, server_default=never))
    _run("UPDATE cup_legs SET was_to_begin = began_at")
    op.drop_column("cup_legs", "began_at")
    _run("ALTER TABLE cup_legs RENAME COLUMN was_to_begin TO began_at")
    op.add_column("cup_legs", sa.Column("outages", sa.Text(), nullable=False, server_default="[]"))
    _run("ALTER TABLE cup_legs RENAME COLUMN ends_at TO planned_at")


def _keep_in_digests() -> None:
    """Let entrants who withdrew early count as having left during the first leg, if the cup's digest includes them."""
    started = op.get_bind().execute(sa.text("SELECT id, digest FROM cups WHERE digest IS NOT NULL"))
    for cup_id, digest in started.all():
        query = sa.text('SELECT user_id, "left" FROM cup_entrants WHERE cup_id = :cup ORDER BY number')
        entrants = op.get_bind().execute(query, {"cup": cup_id}).all()
        ids = [str(user_id) for user_id, left in entrants if left != 0]
        if sha256("".join(f"{len(each)}:{each}" for each in ids).encode()).hexdigest() != digest:
            _run('UPDATE cup_entrants SET "left" = 1 WHERE "left" = 0 AND cup_id = :cup', cup=cup_id)


def _run(statement: str, **values: object) -> None:
    op.get_bind().execute(sa.text(statement), values)

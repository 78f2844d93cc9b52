"""Standings of people who never played, for tests of what is shown of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ledger import PlayerStanding
from bot.store.database import Database
from bot.store.models import standings

SEASON = "2026-Q1"
"""The season in which simcord's time begins."""


def standing(guild_id: int, user_id: int, name: str, period: str = SEASON, **figures: Any) -> PlayerStanding:
    """Somebody's line."""
    return PlayerStanding(guild_id, period, user_id, name, datetime(2026, 1, 1, tzinfo=UTC), **figures)


async def add(database: Database, lines: Sequence[PlayerStanding]) -> None:
    """Store lines."""

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(insert(standings), [asdict(line) for line in lines])

    await database.write(work)

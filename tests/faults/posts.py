"""Posts that are due at once: podiums of seasons and of days, shared lines."""

import itertools
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, insert, select, update

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily
from bot.services import challenge, daily, setup
from bot.services.core import Core, Person, Place, get_server_settings
from bot.store.models import attempts, dailies, seasons, standings
from highscore import events, turn
from tests.discord.state import Channel, World

_SOMEBODY = itertools.count(10**16)
"""Accounts of people, and of servers, that nobody else in a test has."""
_CALENDAR = itertools.count(1)
POST = r"[0-9a-f]{25}"
"""The form of the nonce of a podium or a line."""


Owing = Callable[[Core, Channel], Awaitable[None]]
"""Makes something due."""


async def owe_podium(core: Core, channel: Channel) -> None:
    """End a season of the channel's server, whose podium is to be posted there."""
    assert channel.guild is not None
    guild_id, now = channel.guild.id, core.now()
    if (await get_server_settings(core, guild_id)).season_channel is None:
        await setup.change_settings(core, guild_id, season_channel=channel.id)
    season = f"{1000 + next(_CALENDAR)}"
    numbers = {column.name: 0 for column in standings.c if not column.nullable}
    champion = {"guild_id": guild_id, "period": season, "user_id": next(_SOMEBODY), "name": "Eve"}

    def end(connection: Connection) -> None:
        connection.execute(
            insert(standings).values({**numbers, **champion, "games": 1, "rated": 1, "mu": 27.0, "rating": 19.0})
        )
        connection.execute(
            insert(seasons).values(guild_id=guild_id, season=season, locale="en", ends_at=now, post_at=now)
        )

    await core.database.write(end)


async def owe_line(core: Core, channel: Channel) -> None:
    """Finish the daily challenge, and share the result in the channel."""
    assert channel.guild is not None
    attempt = await _finish(core, channel.guild.id, channel)
    await daily.share_attempt(core, attempt.challenge.id, Person(attempt.user_id, "Eve"), channel.id)


async def owe_day(core: Core, channel: Channel) -> None:
    """End a day, whose podium is to be posted, of a server without anything else."""
    before, now = core.now() - timedelta(days=2), core.now()
    attempt = await _finish(replace(core, now=lambda: before), next(_SOMEBODY) << 8, channel)
    # The day is over already, so a bot may have dropped its podium before anybody had played.
    due = update(dailies).where(dailies.c.challenge_id == attempt.challenge.id).values(post_at=now, post_until=None)
    await core.database.write(lambda connection: connection.execute(due))


OWING: tuple[Owing, ...] = (owe_podium, owe_line, owe_day)


async def _finish(core: Core, guild_id: int, channel: Channel) -> Attempt[Daily]:
    person = Person(next(_SOMEBODY), "Eve")
    attempt = await daily.begin_attempt(core, person, Place(guild_id, channel.id, "en"))
    while not attempt.game.complete:
        decision = events.TakeDice() if attempt.run.turn is None else turn.list_choices(attempt.run.turn)[-1]
        attempt = await challenge.decide_attempt(
            core, daily.DAYS, attempt.challenge.id, person, decision, step=attempt.step, channel_id=channel.id
        )
    return attempt


async def still_owed(core: Core) -> int:
    async with core.database.reading() as connection:
        found = [
            (await connection.execute(select(table.c.post_at).where(table.c.post_at <= datetime.now(UTC)))).all()
            for table in (seasons, dailies, attempts)
        ]
    return sum(map(len, found))


def made_in(world: World) -> Counter[str]:
    return Counter(nonce for message in world.messages() if re.fullmatch(POST, nonce := message.nonce or ""))

"""Daily challenges whose days the test turns, played through the use cases."""

import random
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import text

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily
from bot.services import daily, setup
from bot.services.core import Core, Person, Place
from highscore import STANDARD_DECK, Source, events
from tests.bot import attempts
from tests.bot.cores import ADA, CHANNEL, GUILD, NOW


@dataclass
class Days:
    """The use cases on a database whose clock is turned by hand."""

    core: Core
    now: datetime = NOW

    def __post_init__(self) -> None:
        self.core.now = lambda: self.now

    def turn_to(self, moment: str) -> None:
        self.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)

    async def begin(self, person: Person = ADA, guild_id: int = GUILD, number: int | None = None) -> Attempt[Daily]:
        return await daily.begin_attempt(self.core, person, Place(guild_id, CHANNEL, "en"), number)

    async def decide(self, attempt: Attempt[Daily], decision: events.Decision | None = None) -> Attempt[Daily]:
        return await attempts.decide(self.core, daily.DAYS, attempt, decision)

    async def play(
        self, attempt: Attempt[Daily], cards: int = 7, chance: random.Random | None = None
    ) -> Attempt[Daily]:
        return await attempts.play(self.core, daily.DAYS, attempt, cards, chance)

    async def finish(self, person: Person = ADA, guild_id: int = GUILD) -> Attempt[Daily]:
        return await self.play(await self.begin(person, guild_id))

    async def zone(self, zone: str) -> None:
        await setup.change_settings(self.core, GUILD, zone=zone)

    async def count(self, table: str) -> int:
        async with self.core.database.reading() as connection:
            found = await connection.scalar(text(f"select count(*) from {table}"))  # noqa: S608
        assert isinstance(found, int)
        return found


def make_day(source: Source, day: date, averages: tuple[float, ...], *, ends_at: datetime) -> Daily:
    sealed = STANDARD_DECK, averages, source.seed, source.seal
    return Daily(source.game, 1, day.isoformat(), ends_at, ends_at, "en", *sealed, day)

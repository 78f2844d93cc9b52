"""Daily challenges whose days the test turns, played through the use cases."""

import random
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import text

from bot.domain.challenge import Attempt, Challenge
from bot.domain.daily import Daily
from bot.services import challenge, daily, setup
from bot.services.core import Core, Person, Place
from highscore import STANDARD_DECK, Source, events
from highscore.turn import SetAside, Stop, list_choices
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

    async def decide(
        self, attempt: Attempt[Daily], decision: events.Decision, person: Person | None = None, step: int | None = None
    ) -> Attempt[Daily]:
        return await challenge.decide_attempt(
            self.core,
            daily.DAYS,
            attempt.challenge.id,
            person or Person(attempt.user_id, attempt.name),
            decision,
            step=attempt.step if step is None else step,
            channel_id=attempt.channel_id,
        )

    async def play(
        self, attempt: Attempt[Daily], cards: int = 7, chance: random.Random | None = None
    ) -> Attempt[Daily]:
        """Play until so many cards are finished; without ``chance`` every turn ends after its first roll."""
        while len(attempt.run.finished) < cards:
            attempt = await self.decide(attempt, any_decision(attempt, chance))
        return attempt

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


def any_decision(attempt: Attempt[Challenge], chance: random.Random | None) -> events.Decision:
    turn = attempt.run.turn
    if turn is None:
        return events.TakeDice()
    legal = list_choices(turn)
    if chance is not None:
        return chance.choice(legal)
    return Stop() if Stop() in legal else SetAside(turn.free)

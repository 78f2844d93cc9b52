import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.app import HighScoreBot, utc_now
from bot.config import Settings
from bot.services.core import get_table
from bot.services.helper import Helper
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.bot.databases import empty_sqlite
from tests.discord import server, tables
from tests.discord.connecting import found_by_discord_py, give_up_after, hurried
from tests.discord.people import Person
from tests.discord.state import Channel, Guild

HURRY, TIMEOUT = 0.02, 0.5
"""discord.py's pauses take this part of their time; seconds until a request gives up, once the bot is
connected."""


def settings(folder: Path, **wanted: Any) -> Settings:
    """Return settings with a new, migrated database, and no others."""
    return Settings(_env_file=None, **{"database_url": empty_sqlite(folder), "emoji": False, **wanted})  # type: ignore[call-arg]


@asynccontextmanager
async def connected(
    fake: server.Discord, wanted: Settings, helper: Helper | None = None, now: Callable[[], datetime] = utc_now
) -> AsyncIterator[HighScoreBot]:
    """Return the bot, connected until it is closed. The fake has to be serving."""
    with found_by_discord_py(fake), hurried(HURRY):
        async with HighScoreBot(wanted, helper=helper or Helper(), now=now) as bot:
            # discord.py waits for more servers for two seconds; here there are no more.
            bot._connection.guild_ready_timeout *= HURRY
            await bot.login(server.TOKEN)
            connecting = asyncio.create_task(bot.connect(), name="connect")
            try:
                await fake.until(lambda: connecting.done() or bool(fake.hub.connected and bot.guilds))
                give_up_after(bot, TIMEOUT)
                yield bot
            finally:
                await bot.close()
                with suppress(asyncio.CancelledError):
                    await connecting


@dataclass
class Tavern:
    discord: server.Discord
    bot: HighScoreBot
    guild: Guild
    people: list[Person]

    @property
    def channel(self) -> Channel:
        return next(iter(self.guild.channels.values()))

    async def lobby_of_two(self, channel: Channel | None = None) -> tables.Seen:
        """Open a table, in the first channel if no other is named."""
        ada, ben, _cem = self.people
        where = channel or self.channel
        await ada.slash(where, "highscore new", order=TurnOrder.CLOCKWISE.value)
        return await self.press(ben, Verb.JOIN, await tables.newest(self.discord, where))

    async def begin(self, channel: Channel | None = None) -> tables.Seen:
        return await self.press(self.people[0], Verb.START, await self.lobby_of_two(channel))

    async def press(self, person: Person, verb: Verb, look: tables.Seen | None = None) -> tables.Seen:
        look = look or await tables.newest(self.discord, self.channel)
        assert (await person.press(look.message, look.custom_id(verb))).acknowledged
        return await tables.until_shown(self.discord, look.message.channel, look.table_id, look.version + 1)

    async def on_turn(self, look: tables.Seen) -> Person:
        table = await get_table(self.bot.core, look.table_id)
        assert table.game is not None
        return next(person for person in self.people if person.id == table.seats[table.game.may_act[0]].user_id)


@asynccontextmanager
async def a_tavern(folder: Path, now: Callable[[], datetime] = utc_now, **wanted: Any) -> AsyncIterator[Tavern]:
    fake = server.Discord()
    people = [Person(fake, fake.add_user(name)) for name in ("Ada", "Ben", "Cem")]
    guild = fake.add_guild("Tavern", [person.user for person in people], channels=2)
    async with fake.serving(), connected(fake, settings(folder, **wanted), now=now) as bot:
        yield Tavern(fake, bot, guild, people)

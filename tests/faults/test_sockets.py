"""Faults between the bot and Discord on real sockets: no move is lost or doubled, every table is shown in the end.

simcord stands in for discord.py's HTTP client; here the real one is at work, with its own retries, its rate limits and
its reconnects, and the connections really break.
"""

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

import bot.discord_api.messages
from bot.app import HighScoreBot
from bot.services.setup import change_settings
from tests.discord import Discord, Person, bots, faults, gateway
from tests.discord.crowd import Crowd, Place
from tests.discord.ledger import Ledger
from tests.sampling import LARGE

FAULTS = 10_000 if LARGE else 60
GUILDS, CHANNELS = (6, 5) if LARGE else (4, 4)
RATE, STORM = 0.25, 0.8
"""The share of requests that fail; ordinarily, and in a storm of a second or two."""
TURN_MINUTES, GAME_MINUTES = 0.03, 0.1
"""The limit of the live pace: short, so that turns pass, people are reminded and the house plays."""
LONGEST = 1800.0 if LARGE else 300.0
"""Seconds for everything; ordinarily it takes a tenth of them, or less."""
COUNTED_SECONDS = 0.2
"""The seconds between two looks whether there was enough."""
SETTLED = 180.0
"""Seconds in which every change has to be shown when Discord works again."""
WEIGHTS = {"10003": 0.1, "50001": 0.3, "50013": 1.5, "50007": 8.0, "timeout": 0.3, "timeout after acting": 0.5}
"""The weights of some kinds compared to the others: those that take long, or end a game, are rarer."""
BREAKS = ("broken off", "broken off for good", "closed", "asked to reconnect", "invalid", "invalid but resumable")


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bot wait as often as ever, but not as long."""
    monkeypatch.setattr("bot.discord_api.messages.PATIENCE", 0.0)
    monkeypatch.setattr("bot.workers.delivery.FIRST_RETRY", 0.02)
    monkeypatch.setattr("bot.workers.delivery.LAST_RETRY", 0.3)
    monkeypatch.setattr("bot.workers.worker.FIRST_RETRY", 0.2)
    monkeypatch.setattr("bot.workers.worker.Posts.longest", 1.0)
    monkeypatch.setattr("bot.workers.reminders.RETRY_SECONDS", 0.2)
    monkeypatch.setattr("bot.workers.reminders.PRESENT", timedelta(0))
    monkeypatch.setattr("bot.services.deadlines.RETRY_SECONDS", 0.5)
    monkeypatch.setattr("bot.services.deadlines.LAST_RETRY_SECONDS", 1.0)
    monkeypatch.setattr("bot.workers.deadlines.WARN_AGAIN_SECONDS", 0.5)
    monkeypatch.setattr("bot.domain.deadlines.HOUSE_SECONDS", 0.1)
    monkeypatch.setattr("bot.discord_api.messages.NONCE_KNOWN", timedelta(seconds=1))
    monkeypatch.setattr("bot.store.claims.SHOW_PROGRESS_LEASE", timedelta(seconds=0.2))


@pytest.mark.long
async def test_no_move_is_lost_or_doubled_and_every_table_is_shown(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, error_log: list[logging.LogRecord], database_url: str
) -> None:
    caplog.set_level(logging.WARNING)
    chance = random.Random(f"sockets {FAULTS}")
    fake = Discord()
    fake.faults.chance = random.Random(f"weather {FAULTS}")
    fake.faults.weights = WEIGHTS
    fake.faults.unseen_first = True
    # Much longer than a busy machine takes to send a direct message again: the bot cannot look for those, so the nonce
    # alone keeps them from being sent twice.
    fake.api.messages.nonce_seconds = 20.0
    places = _places(fake, chance)
    begin = time.monotonic()
    wanted = bots.settings(
        tmp_path,
        database_url=database_url,
        live_turn_minutes=TURN_MINUTES,
        live_round_minutes=TURN_MINUTES,
        live_game_minutes=GAME_MINUTES,
    )
    async with fake.serving(), bots.connected(fake, wanted) as bot:
        await _prepare(bot, places)
        fake.faults.rate = RATE
        crowd = Crowd(fake, bot.core, chance)
        breaks: Counter[str] = Counter()
        enough = asyncio.Event()

        async with asyncio.TaskGroup() as group:
            for place in places:
                group.create_task(crowd.play_in(place, enough.is_set))
            group.create_task(_break_connections(fake, chance, breaks, enough.is_set))
            group.create_task(_change_the_weather(fake, chance, enough.is_set))
            # Counted by one alone: all presses are gone through, also those that are answered late.
            while fake.faults.total < FAULTS or crowd.moved < FAULTS / 4:
                assert time.monotonic() - begin < LONGEST, (fake.faults.total, crowd.moved)
                await asyncio.sleep(COUNTED_SECONDS)
            enough.set()
        await _settle(fake, bot, database_url)
        # discord.py calls it an error if reconnecting takes too long.
        error_log[:] = [record for record in error_log if record.name != "discord.shard"]
    ledger = await Ledger.read_at(database_url)
    acknowledged = ledger.check_presses(crowd.presses)
    ledger.check_shown(fake)
    ledger.check_messages(fake)
    assert acknowledged >= FAULTS / 4
    missing = {fault.name for fault in faults.ALL} - set(fake.faults.counts)
    # A fault of only one kind of request may not happen among so few.
    assert len(missing) <= (0 if LARGE else 3), missing
    if LARGE:
        assert set(breaks) == set(BREAKS)


def _places(fake: Discord, chance: random.Random) -> list[Place]:
    found = []
    for guild_number in range(GUILDS):
        guild = fake.add_guild(f"guild{guild_number}", [], channels=CHANNELS)
        for number, channel in enumerate(guild.channels.values()):
            names = [f"{channel.name}-{seat}" for seat in range(chance.randint(2, 5))]
            people = [Person(fake, fake.add_user(name)) for name in names]
            guild.members |= {person.id: person.user for person in people}
            hasty = number % 2 == 0
            absent = TURN_MINUTES * 60 if hasty else 0.0
            found.append(Place(guild, channel, people, "live" if hasty else "relaxed", number % 3 == 0, absent))
    return found


async def _prepare(bot: HighScoreBot, places: list[Place]) -> None:
    """Let every third server have pictures, and every other person want direct messages."""
    for number, guild in enumerate({place.guild.id: place.guild for place in places}.values()):
        await change_settings(bot.core, guild.id, pictures=number % 3 == 0)
    for place in places:
        for person in place.people[::2]:
            answer = await person.slash(place.channel, "highscore me", reminders="dm")
            assert answer.acknowledged


async def _break_connections(
    fake: Discord, chance: random.Random, breaks: Counter[str], enough: Callable[[], bool]
) -> None:
    """Break connections to the gateway now and then."""
    while not enough():
        await asyncio.sleep(chance.uniform(0.2, 2.0))
        for session in fake.hub.connected:
            how = chance.choice(BREAKS)
            breaks[how] += 1
            await _break(fake, session, how)


async def _change_the_weather(fake: Discord, chance: random.Random, enough: Callable[[], bool]) -> None:
    """Let storms come and go; and at times let the bot acknowledge every press before it looks at it."""
    while not enough():
        fake.faults.rate = RATE
        await asyncio.sleep(chance.uniform(1.0, 6.0))
        bot.discord_api.messages.PATIENCE = chance.choice((0.0, 2.0))
        if chance.random() < 0.5:
            fake.faults.rate = STORM
            await asyncio.sleep(chance.uniform(0.5, 2.5))


async def _break(fake: Discord, session: gateway.Session, how: str) -> None:
    match how:
        case "broken off":
            fake.hub.break_off(session)
        case "broken off for good":
            fake.hub.break_off(session, resumable=False)
        case "closed":
            await fake.hub.close(session, 4000)
        case "asked to reconnect":
            fake.hub.ask_to_reconnect(session)
        case _:
            fake.hub.invalidate(session, resumable=how != "invalid")


async def _settle(fake: Discord, bot: HighScoreBot, database_url: str) -> None:
    """Let Discord work again, without presses, until everything is shown and no table is paused."""
    fake.faults.rate = 0.0
    end = time.monotonic() + SETTLED
    while True:
        # Somebody's mere progress in own pace is looked for when a lease would have run out.
        bot.delivery.wake()
        await asyncio.sleep(0.3)
        async with bot.core.database.reading() as connection:
            unshown = await connection.exec_driver_sql(
                "select id, status, content_version, shown_content_version, timing from games"
                " where shown_content_version < content_version or timing like '%paused_at%'"
                " or exists (select 1 from old_messages where old_messages.game_id = games.id and due_at is not null)"
            )
            left = unshown.fetchall()
        if not left:
            try:
                # Edits that crossed on their way are put right when they have come back.
                (await Ledger.read_at(database_url)).check_shown(fake)
            except AssertionError:
                if time.monotonic() > end:
                    raise
            else:
                return
        assert time.monotonic() < end, left

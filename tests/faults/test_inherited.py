"""What the next bot finds after a kill or a stop: messages it does not know, half of a migration."""

import asyncio
import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.services.core import get_table
from bot.ui.buttons import Verb
from tests.discord import Person, Seen, newest, shown_in, until_shown
from tests.discord.calls import Call
from tests.faults.lives import Seat
from tests.faults.stage import Stage, staged
from tests.sampling import LARGE

MIGRATIONS = 60 if LARGE else 3
"""The number of migrations that are killed."""
MIGRATING = 0.1
"""Seconds in which it is killed, counted from the moment in which the file is there."""
EARLY_STOPS = 200 if LARGE else 4
"""The number of stops of bots that have just been started."""
STARTED = 0.3
"""Seconds until the stop at most. Connecting takes about a fifth of that."""
CALLBACK = "/interactions/*/*/callback"
MESSAGES = "/channels/*/messages"


def build(stage: Stage) -> None:
    stage.add_guild(("relaxed", 0))


async def press(stage: Stage, person: Person, verb: Verb) -> Seen:
    """Press a button of the channel's newest table. Return how it looked before."""
    look = await newest(stage.fake, stage.places[0].channel)
    await person.press(look.message, look.custom_id(verb))
    return look


async def test_a_table_whose_command_was_answered_before_the_kill_is_shown_once(tmp_path: Path, seat: Seat) -> None:
    async with staged(tmp_path, random.Random(1), build) as stage:
        fake, place = stage.fake, stage.places[0]

        async def kill(_call: Call) -> None:
            seat.kill()

        await stage.begin(seat)
        fake.acted("POST", CALLBACK, kill)
        await place.people[0].slash(place.channel, "highscore new")
        await seat.killed()
        (look,) = shown_in(place.channel)
        await stage.begin(seat)
        async with stage.reading() as core:
            await stage.settle(core)
        assert [each.message for each in shown_in(place.channel)] == [look.message]
        await press(stage, place.people[1], Verb.JOIN)
        await until_shown(fake, place.channel, look.table_id, look.version + 1)
        await stage.stop(seat)


@pytest.mark.parametrize("nth", [1, 2], ids=["the opening", "the first turn"])
async def test_a_page_that_was_sent_before_the_kill_is_found_when_discord_has_forgotten_it(
    nth: int, tmp_path: Path, seat: Seat
) -> None:
    async with staged(tmp_path, random.Random(1), build) as stage:
        fake, place = stage.fake, stage.places[0]
        fake.api.messages.nonce_seconds = 0.0
        sent: list[Call] = []

        async def kill(call: Call) -> None:
            sent.append(call)
            if len(sent) == nth:
                seat.kill()

        await stage.begin(seat)
        await place.people[0].slash(place.channel, "highscore new", order="clockwise")
        look = await press(stage, place.people[1], Verb.JOIN)
        await until_shown(fake, place.channel, look.table_id, look.version + 1)
        fake.acted("POST", MESSAGES, kill, times=nth)
        await press(stage, place.people[0], Verb.START)
        await seat.killed()
        killed = [message.id for message in place.channel.shown][-nth:]
        await stage.begin(seat)
        async with stage.reading() as core:
            await stage.settle(core)
            assert (await get_table(core, look.table_id)).opening_id == killed[0]
        (page,) = shown_in(place.channel)
        assert page.press(Verb.TAKE) is not None
        assert [message.id for message in place.channel.shown][-2:] == [*killed, page.message.id][:2]
        assert [len(message.notified) for message in place.channel.shown][-2:] == [2, 0]
        await stage.stop(seat)


@pytest.mark.long
async def test_a_stop_ends_a_bot_that_is_starting(tmp_path: Path, seat: Seat) -> None:
    """tests/bot/observing/test_in_flight.py stops bots that play."""
    chance = random.Random(f"early stops {EARLY_STOPS}")
    async with staged(tmp_path, chance, build) as stage:
        for _number in range(EARLY_STOPS):
            stage.start(seat)
            await asyncio.sleep(chance.uniform(0, STARTED))
            seat.signal(signal.SIGTERM)
            status = await seat.ended()
            log = seat.logs[-1].read_text("utf-8")
            # Until the program listens for the signal, the system ends it.
            assert status == 0 or (status == -signal.SIGTERM and not log), (status, log[-4000:])
            # A thread of aiosqlite that was opening the file may log that the event loop is closed.
            seat.logs.clear()


@pytest.mark.long
async def test_a_migration_that_is_killed_happened_or_did_not(tmp_path: Path, seat: Seat) -> None:
    chance = random.Random(5)
    async with staged(tmp_path, chance, build, prepared=False) as stage:
        for run in range(MIGRATIONS):
            database = tmp_path / f"{run}.sqlite3"
            address = {"DATABASE_URL": f"sqlite+aiosqlite:///{database}"}
            stage.start(seat, **address)
            while seat.alive and not database.exists():  # noqa: ASYNC110 - another process makes it
                await asyncio.sleep(0.001)
            await asyncio.sleep(chance.uniform(0, MIGRATING))
            seat.kill()
            await seat.killed()
            left = tables_of(database)
            await stage.begin(seat, **address)
            seat.signal(signal.SIGTERM)
            await seat.stopped()
            assert left in (set(), tables_of(database))


def tables_of(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        return {name for (name,) in connection.execute("select name from sqlite_master")}

"""Tables that a bot has left owed when it was killed: what Discord had taken from it by then is found again."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ui.buttons import Verb
from tests.discord import Person, Seen, shown_in, until_shown
from tests.discord.calls import Call
from tests.faults.lives import Seat, seats
from tests.faults.stage import Stage, staged

CALLBACK = "/interactions/*/*/callback"
MESSAGES = "/channels/*/messages"


@pytest.fixture
async def seat() -> AsyncIterator[Seat]:
    async with seats() as (found,):
        yield found


def build(stage: Stage) -> None:
    stage.add_guild(("relaxed", 0))


async def live(stage: Stage, seat: Seat) -> None:
    """Start the bot and wait until it is connected."""
    await seat.begin(stage.life())
    await stage.fake.until(lambda: stage.fake.hub.connected, what="connected")


async def press(stage: Stage, person: Person, verb: Verb) -> Seen:
    """Press a button of the channel's newest table; what was seen before."""
    look = shown_in(stage.places[0].channel)[-1]
    found = look.press(verb)
    assert found is not None
    await person.press(look.message, found.custom_id)
    return look


async def test_a_table_whose_command_was_answered_before_the_kill_is_shown_once(tmp_path: Path, seat: Seat) -> None:
    async with staged(tmp_path, random.Random(1), build) as stage:
        fake, place = stage.fake, stage.places[0]

        async def kill(_call: Call) -> None:
            seat.kill()

        await live(stage, seat)
        fake.acted("POST", CALLBACK, kill)
        await place.people[0].slash(place.channel, "highscore new")
        await seat.killed()
        (look,) = shown_in(place.channel)
        await live(stage, seat)
        async with stage.reading() as core:
            await stage.settled(core)
        assert [each.message for each in shown_in(place.channel)] == [look.message]
        await press(stage, place.people[1], Verb.JOIN)
        await until_shown(fake, place.channel, look.table_id, look.version + 1)
        await stage.farewell(seat)


async def test_a_page_that_was_sent_before_the_kill_is_found_when_discord_has_forgotten_it(
    tmp_path: Path, seat: Seat
) -> None:
    async with staged(tmp_path, random.Random(1), build) as stage:
        fake, place = stage.fake, stage.places[0]
        fake.api.messages.nonce_seconds = 0.0

        async def kill(_call: Call) -> None:
            seat.kill()

        await live(stage, seat)
        await place.people[0].slash(place.channel, "highscore new", order="clockwise")
        look = await press(stage, place.people[1], Verb.JOIN)
        await until_shown(fake, place.channel, look.table_id, look.version + 1)
        fake.acted("POST", MESSAGES, kill)
        await press(stage, place.people[0], Verb.START)
        await seat.killed()
        page = shown_in(place.channel)[-1]
        assert page.press(Verb.TAKE) is not None
        await live(stage, seat)
        async with stage.reading() as core:
            await stage.settled(core)
        assert [each.message for each in shown_in(place.channel)] == [page.message]
        assert sum(len(message.notified) for message in place.channel.shown) == 1
        await stage.farewell(seat)

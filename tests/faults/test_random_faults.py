"""Random faults in Discord's answers, while people play: no move is lost, doubled or left unshown."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

import bot.domain.deadlines
from bot.config import Settings
from bot.domain.table import Status, Table
from bot.ui.buttons import Press
from highscore.game import TurnOrder
from tests import simulation
from tests.bot.server import RETRY, Server, serve
from tests.e2e import watcher
from tests.faults.people import choose
from tests.faults.weather import AFTER, BEFORE, LATE, Weather

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
FAULTS = 1_000 if LARGE else 60
RATE = 0.45
LONGEST = 150
"""Tries after which a table has to be shown, however often Discord fails in between."""


async def test_no_move_is_lost_doubled_or_left_unshown(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", RETRY)
    chance = random.Random(f"faults {FAULTS}")
    async with serve(settings) as server:
        weather = Weather(chance, server.env.now)
        with weather.blowing():
            games = 0
            while weather.faults.total() < FAULTS:
                await _play(server, weather, TurnOrder.OPEN if games % 2 else TurnOrder.CLOCKWISE)
                games += 1
        if LARGE:
            assert set(weather.faults) == {*BEFORE, *AFTER, *LATE}
        print(f"{weather.faults.total()} faults in {games} games: {dict(weather.faults)}")


async def _play(server: Server, weather: Weather, order: TurnOrder) -> None:
    """A game, from its opening, until it is over or there were enough faults."""
    weather.rate = 0.0
    table = await server.begin(2 + weather.chance.randrange(3), order=order.value, pace="relaxed")
    first = len(weather.sent)
    while table.status.open and weather.faults.total() < FAULTS:
        weather.rate = RATE
        player, press = choose(weather.chance, table)
        result = await _send(server, player, press)
        decided = table.version + 1
        table = await server.table()
        # Whatever became of the answer: the move is made, and made once.
        assert table.version == decided, result
        if weather.chance.random() < 0.3:
            # The same press again, by somebody who saw nothing happen.
            await _send(server, player, press)
            assert (await server.table()).version == decided
        if weather.chance.random() < 0.05:
            weather.rate = 0.0
            await server.restart()
            weather.rate = RATE
        await _until_shown(server, table)
    weather.rate = 0.0
    if table.status.open:
        await server.slash(server.members[0], "cancel")
        await server.env.settle()
    table = await server.table()
    await watcher.check_replay(server, table)
    # One message for each page and no more, and nobody was called twice for one turn.
    pages = Counter(sent.nonce for sent in weather.sent[first:])
    assert set(pages.values()) == {1}
    assert len(pages) <= table.page
    assert len(weather.sent) - first <= table.page


async def _send(server: Server, member: int, press: Press) -> object:
    assert (await server.table()).message_id is not None
    message_id = (await server.table()).message_id or 0
    click = simulation.Click(server.member(member), message_id, press.custom_id)
    return await simulation.click(server.env, server.channel, click)


async def _until_shown(server: Server, table: Table) -> None:
    """Wait, while Discord goes on failing, until everybody sees what was committed."""
    for _try in range(LONGEST):
        if not _unshown(server, await server.table()):
            break
        await server.env.advance_time(RETRY)
    table = await server.table()
    assert not _unshown(server, table)
    assert not server.bot.delivery.current(table).owed


def _unshown(server: Server, table: Table) -> str:
    """What is wrong with what people see; empty when all is well."""
    table = server.bot.delivery.current(table)
    if table.status is not Status.PLAYING:
        return "owed" if table.owed else ""
    showing = [
        message.id
        for message in server.messages
        if any(
            f":{table.id}:{table.version}:" in (button.custom_id or "") for button in server.buttons(message=message)
        )
    ]
    return "" if showing == [table.message_id] and not table.owed else f"{showing} shows {table}"

"""A simulated week of many tables, with everything that goes wrong in a week; every game ends, and nobody is nagged."""

from __future__ import annotations

import os
import random
from collections import Counter
from datetime import timedelta

import pytest

import bot.domain.deadlines
from bot.config import Settings
from bot.domain.table import Status, Table
from bot.services.settings import SettingsChange, change_settings
from bot.store import table as store
from highscore.game import Game, TurnOrder, apply
from tests.bot.server import RETRY, Server, serve
from tests.e2e import watcher
from tests.faults.town import Place, Town
from tests.faults.weather import Sent, Weather

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
TABLES, DAYS, PEOPLE = (50, 7, 40) if LARGE else (4, 2, 8)
PACES = ("day", "day", "relaxed", "live") if LARGE else ("day", "day", "live")


async def test_in_a_week_every_game_ends_and_nobody_is_nagged(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", RETRY)
    chance = random.Random(f"week {TABLES}")
    async with serve(settings, members=PEOPLE) as server:
        town = Town(server, Weather(chance, server.env.now), chance)
        wishes = SettingsChange(zone="Europe/Berlin", quiet="23:00-08:00", pictures=False)
        await change_settings(server.bot.core, server.guild.id, wishes)
        with town.weather.blowing():
            await town.settle_in(TABLES, PACES, timedelta(days=DAYS) * 0.7)
            await town.live(timedelta(days=DAYS))
            open_after = sum(table.status.open for table in await town.tables())
            await town.rest(timedelta(days=21))
        assert len(town.places) == TABLES
        ended: Counter[Status] = Counter()
        for place, table in zip(town.places, await town.tables(), strict=True):
            assert not table.status.open, table
            ended[table.status] += 1
            if table.game is not None:
                await watcher.check_replay(server, table)
            if not place.gone:
                assert not server.bot.delivery.current(table).owed
            await _check_messages(server, town, place, table)
        assert ended[Status.FINISHED] >= TABLES * 0.6
        told = ", ".join(f"{count} {what}" for what, count in sorted(town.happened.items()))
        faults = dict(town.weather.faults)
        print(
            f"\n{TABLES} tables, {DAYS} days: {dict(ended)}, {open_after} open after the week; {told}; faults {faults}"
        )


async def _check_messages(server: Server, town: Town, place: Place, table: Table) -> None:
    """One message a turn; one mention a person and turn, and one reminder."""
    sent = [each for each in town.weather.sent if each.nonce.startswith((table.id, f"r{table.id}"))]
    shown = [each for each in sent if each.nonce.startswith(table.id)]
    assert len(shown) <= table.page + place.deleted + 1
    spans = await _spans(server, table)
    turns = Counter((user_id, _span(each, spans)) for each in shown for user_id in each.called)
    assert set(turns.values()) <= {1}, turns
    reminded = Counter((user_id, each.nonce) for each in sent if each not in shown for user_id in _told(each, server))
    assert set(reminded.values()) <= {1}, reminded
    assert {user_id for user_id, _nonce in reminded} <= {seat.user_id for seat in table.seats}


def _told(reminder: Sent, server: Server) -> tuple[int, ...]:
    """Whom a reminder was for: by direct message its reader."""
    reader = [member.id for member in server.members if member.user.dm_channel.id == reminder.channel_id]
    return reminder.called or tuple(reader)


async def _spans(server: Server, table: Table) -> dict[int, tuple[int, int]]:
    """What each version of a table was waiting for: a turn, or in open order a round."""
    async with server.bot.core.database.read() as connection:
        logged = server.rows("select seq from events where game_id = ? order by seq", table.id)
        events = list(await store.load_events(connection, table.id))
        lines = server.rows("select lines from events where game_id = ? order by seq", table.id)
    game = Game(len(table.seats), table.turn_order)
    found: dict[int, tuple[int, int]] = {}
    for (seq,), (text,) in zip(logged, lines, strict=True):
        for _line in text.splitlines():
            game = apply(game, events.pop(0))
        clockwise = table.turn_order is TurnOrder.CLOCKWISE
        found[seq] = (len(game.finished), len(game.played) if clockwise else -1)
    return found


def _span(sent: Sent, spans: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """What somebody was called for. A version without events waits for the same as the one before."""
    assert sent.version is not None
    return spans[max(version for version in spans if version <= sent.version)]

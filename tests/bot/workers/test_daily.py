"""What the channel is told of the daily challenge: each thing once, through faults, kills and restarts."""

from __future__ import annotations

import asyncio
import io
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest

import bot.store.claims
import bot.workers.daily
import bot.workers.worker
from bot.services import settings as preferences
from bot.services.settings import SettingsChange
from bot.ui.buttons import Verb
from bot.ui.words import card_name
from bot.workers.daily import DailyPosts
from highscore import STANDARD_DECK
from highscore.daily import cards_of
from highscore.daily_proof import read_daily_export, verify_daily
from tests import simulation
from tests.bot.dailies import Player, words
from tests.bot.server import Server, private

pytestmark = pytest.mark.only_sqlite("what people see; test_isolation.py and test_claims.py have both databases")

END = datetime(2026, 1, 2, tzinfo=UTC)
"""Of the day on which every simulation begins, in UTC."""
POSTS = "/channels/*/messages"
FOR_EVER = timedelta(days=365).total_seconds()


async def until(server: Server, moment: datetime, seconds: float = 0) -> None:
    await server.env.advance_time((moment - server.env.now()).total_seconds() + seconds)


def podiums(server: Server) -> list[discord.Message]:
    return [message for message in server.messages if "is over" in words(message)]


def lines(server: Server) -> list[discord.Message]:
    return [message for message in server.messages if "has finished" in message.content]


def nonces(server: Server) -> list[str]:
    """Of every message that was tried to be sent to a channel."""
    return [entry.json["nonce"] for entry in server.sent if isinstance(entry.json, dict)]


# ------------------------------------------------------------------------------------------------------- the podium


async def test_the_podium_is_posted_once_when_the_day_ends(server: Server) -> None:
    ada, ben = [await Player.begin(server, member) for member in server.members[:2]]
    await ada.play_cards()
    await ben.play_cards(3)
    ((seed, seal),) = server.rows("select seed, seal from dailies")
    await until(server, END, -1)
    assert podiums(server) == []
    assert seed.hex() not in str([words(message) for message in server.messages])
    await until(server, END, 1)
    (podium,) = podiums(server)
    text = words(podium)
    assert seed.hex() in text
    assert seal in text
    assert f"🥇 Ada **{ada.play.score}**" in text
    assert "Ben" not in text
    assert "Par 117.0" in text
    for card in cards_of("2026-01-01", STANDARD_DECK):
        assert card_name(card) in text
    assert podium.flags.suppress_notifications
    for _ in range(2):
        await server.restart()
        await server.env.advance_time(2 * 24 * 3600)
    assert len(podiums(server)) == 1


async def test_the_day_ends_by_the_servers_clock(server: Server) -> None:
    await preferences.change_settings(server.bot.core, server.guild.id, SettingsChange(zone="Asia/Tokyo"))
    await (await Player.begin(server, server.members[0])).play_cards(1)
    end = datetime(2026, 1, 1, 15, tzinfo=UTC)
    await until(server, end, -1)
    assert podiums(server) == []
    await until(server, end, 1)
    (podium,) = podiums(server)
    assert "Jan 1, 2026" in words(podium)
    assert "Nobody finished" in words(podium)


async def test_the_day_is_an_hour_shorter_when_the_clocks_are_put_forward(server: Server) -> None:
    await preferences.change_settings(server.bot.core, server.guild.id, SettingsChange(zone="Europe/Berlin"))
    await until(server, datetime(2026, 3, 28, 23, tzinfo=UTC), 60)
    ada = await Player.begin(server, server.members[0])
    await ada.play_cards()
    await until(server, datetime(2026, 3, 29, 22, tzinfo=UTC), -1)
    assert podiums(server) == []
    await until(server, datetime(2026, 3, 29, 22, tzinfo=UTC), 1)
    assert len(podiums(server)) == 1


async def test_a_day_that_ended_while_the_bot_was_down_is_told_of_at_the_start(server: Server) -> None:
    await (await Player.begin(server, server.members[0])).play_cards()
    await server.bot.close()
    await until(server, END, 5 * 3600)
    assert podiums(server) == []
    await server.restart()
    assert len(podiums(server)) == 1


async def test_a_press_after_midnight_is_told_kindly_and_the_next_day_begins(server: Server) -> None:
    ada = await Player.begin(server, server.members[0])
    await ada.play_cards(6)
    button = ada.buttons(Verb.TAKE)[0].custom_id
    assert button is not None
    await until(server, END, 1)
    assert "can't be finished any more" in private(await ada.send(button))
    again = await Player.begin(server, server.members[0])
    assert "Jan 2, 2026: card 1 of 7" in again.text
    assert not again.play.finished


@pytest.mark.parametrize("begun", [True, False])
async def test_a_server_where_nobody_rolled_gets_no_post(server: Server, begun: bool) -> None:
    if begun:
        await Player.begin(server, server.members[0])
    await until(server, END, 24 * 3600)
    assert server.messages == []
    assert server.rows("select count(*) from dailies where post_at is not null") == [(0,)]


async def test_streaks_are_told_from_the_second_day_on(server: Server) -> None:
    for day in range(3):
        await until(server, END, (day - 1) * 24 * 3600 + 60)
        ada = await Player.begin(server, server.members[0])
        assert ("Your streak" in ada.text) is (day > 0)
        await ada.play_cards()
    assert [("🔥" in line.content, f"🔥 {day}" in line.content) for day, line in enumerate(lines(server), 1)] == [
        (False, False),
        (True, True),
        (True, True),
    ]
    assert "3 days in a row" in ada.text
    await until(server, END, 2 * 24 * 3600 + 60)
    assert "🔥 3" in words(podiums(server)[-1])


async def test_the_podium_is_where_the_day_was_played_last(server: Server) -> None:
    other = server.guild.create_text_channel("other")
    await (await Player.begin(server, server.members[0])).play_cards()
    await (await Player.begin(server, server.members[1], other)).play_cards(1)
    await until(server, END, 1)
    assert podiums(server) == []
    assert "is over" in words(other.history()[-1])


async def test_the_podium_goes_elsewhere_when_that_channel_is_gone(server: Server) -> None:
    other = server.guild.create_text_channel("other")
    await (await Player.begin(server, server.members[0])).play_cards()
    await (await Player.begin(server, server.members[1], other)).play_cards()
    simulation.delete_channel(server.env, other)
    await until(server, END, 1)
    assert len(podiums(server)) == 1
    assert "Ben" in words(podiums(server)[0])


async def test_nothing_is_tried_again_where_no_channel_is_left(server: Server) -> None:
    await (await Player.begin(server, server.members[0])).play_cards()
    simulation.delete_channel(server.env, server.channel)
    await until(server, END, 60)
    tries = len(server.sent)
    await until(server, END, 24 * 3600)
    assert len(server.sent) == tries
    assert server.rows("select count(*) from dailies where post_at is not null") == [(0,)]


async def test_shared_places_have_the_same_medal(server: Server) -> None:
    for member in server.members[:4]:
        await (await Player.begin(server, member)).play_cards()
    await until(server, END, 1)
    (podium,) = podiums(server)
    assert words(podium).count("🥇") == 4
    assert "🥈" not in words(podium)


async def test_the_proof_of_a_day_can_be_checked_by_everybody(server: Server) -> None:
    ada, ben = [await Player.begin(server, member) for member in server.members[:2]]
    await ada.play_cards()
    await ben.play_cards(2)
    await until(server, END, 1)
    await server.restart()
    (podium,) = podiums(server)
    for player, played in ((ada, 7), (ben, 2)):
        result = await server.press(player.member, Verb.PROOF, message=podium)
        assert "highscore-bot verify" in private(result)
        proof = verify_daily(read_daily_export(await _file(result.response)))
        assert len(proof.state.finished) == played
        assert proof.state.finished == player.play.finished
        assert proof.export.seal in words(podium)
    result = await server.press(server.members[3], Verb.PROOF, message=podium)
    assert not verify_daily(read_daily_export(await _file(result.response))).export.events
    assert [message.id for message in server.messages][-1] == podium.id


async def _file(answer: Any) -> str:
    assert answer is not None
    (attachment,) = answer.attachments
    held = io.BytesIO()
    await attachment.save(held)
    return held.getvalue().decode()


# ---------------------------------------------------------------------------------------------- faults and restarts


@pytest.mark.parametrize("times", [1, 3])
async def test_a_message_that_discord_did_not_take_is_posted_later_and_once(server: Server, times: int) -> None:
    ada = await Player.begin(server, server.members[0])
    server.env.inject_error("POST", POSTS, status=503, times=times)
    await ada.play_cards()
    assert lines(server) == []
    await server.env.advance_time(3600)
    assert len(lines(server)) == 1
    await until(server, END, -1)
    server.env.inject_error("POST", POSTS, status=503, times=times)
    await until(server, END, 3600)
    await until(server, END, 48 * 3600)
    assert (len(lines(server)), len(podiums(server))) == (1, 1)
    assert [nonces(server).count(nonce) for nonce in dict.fromkeys(nonces(server))] == [times + 1, times + 1]


async def test_a_permission_that_is_given_back_brings_the_podium(server: Server) -> None:
    await (await Player.begin(server, server.members[0])).play_cards()
    # Tried after 0, 1, 3, 7, 15, 31, 63 and 123 minutes.
    server.env.inject_error("POST", POSTS, status=403, code=50013, times=8)
    await until(server, END, 3 * 3600)
    assert podiums(server) == []
    await until(server, END, 4 * 3600)
    assert len(podiums(server)) == 1


async def test_a_message_is_given_up_after_a_day(server: Server) -> None:
    await (await Player.begin(server, server.members[0])).play_cards()
    server.env.inject_error("POST", POSTS, status=503, times=None)
    await until(server, END, 48 * 3600)
    tries = nonces(server)[1:]
    assert len(tries) == bot.workers.daily.MOST_TRIES
    await until(server, END, 96 * 3600)
    assert len(nonces(server)) == 1 + len(tries)


async def test_a_message_that_discord_refuses_is_logged_and_not_repeated(
    server: Server, error_log: list[logging.LogRecord]
) -> None:
    ada = await Player.begin(server, server.members[0])
    server.env.inject_error("POST", POSTS, status=400, code=50035)
    await ada.play_cards()
    await server.env.advance_time(3600)
    assert lines(server) == []
    assert len(nonces(server)) == 1
    assert "does not take" in error_log.pop().getMessage()


async def test_a_finish_is_no_news_after_the_podium(server: Server) -> None:
    ada = await Player.begin(server, server.members[0])
    server.env.inject_error("POST", POSTS, status=503, times=1)
    await ada.play_cards()
    await server.bot.close()
    await until(server, END, 2 * 3600)
    await server.restart()
    assert (len(lines(server)), len(podiums(server))) == (0, 1)


async def test_an_error_of_our_own_is_logged_and_tried_again(
    server: Server, error_log: list[logging.LogRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await Player.begin(server, server.members[0])
    with monkeypatch.context() as broken:
        broken.setattr("bot.workers.daily.finish_line", lambda attempt: 1 / 0)
        await ada.play_cards()
    assert "is tried again" in error_log.pop().getMessage()
    await server.env.advance_time(61)
    assert len(lines(server)) == 1


@pytest.mark.parametrize("when", ["claimed", "sending", "sent"])
@pytest.mark.parametrize("what", ["line", "podium"])
async def test_a_kill_at_any_step_loses_nothing_and_discord_can_tell_a_repetition(
    server: Server, monkeypatch: pytest.MonkeyPatch, when: str, what: str
) -> None:
    monkeypatch.setattr(bot.workers.worker, "DRAIN_SECONDS", 0.01)
    # Longer than a simulated start may take, which would wait for it in real seconds.
    monkeypatch.setattr(bot.store.claims, "FIRST_RETRY", timedelta(minutes=2))
    ada = await Player.begin(server, server.members[0])
    await ada.play_cards(7 if what == "podium" else 6)
    before = len(server.messages)
    with monkeypatch.context() as stuck:
        match when:
            case "claimed":
                stuck.setattr(DailyPosts, "handle", _for_ever)
            case "sending":
                stuck.setattr(DailyPosts, "_send", _for_ever)
            case "sent":
                stuck.setattr(DailyPosts, "_send", _send_and_hang)
        if what == "podium":
            await until(server, END, 0.5)
        else:
            await ada.play_cards()
        expected = before + (when == "sent")
        assert len(server.messages) == expected
        await server.bot.close()
    await server.restart()
    assert len(server.messages) == expected
    await server.env.advance_time(timedelta(minutes=2, seconds=5).total_seconds())
    found = lines(server) if what == "line" else podiums(server)
    # simcord takes every message; Discord answers one whose nonce it knows with the message it has.
    assert len(found) == (2 if when == "sent" else 1)
    mine = nonces(server)[before:]
    assert len(mine) == len(found)
    assert len(set(mine)) == 1
    assert 0 < len(mine[0]) <= 25
    await until(server, END, 96 * 3600)
    assert len(lines(server) if what == "line" else podiums(server)) == len(found)


async def _for_ever(*_arguments: Any) -> None:
    await asyncio.sleep(FOR_EVER)


_send = DailyPosts._send


async def _send_and_hang(posts: DailyPosts, *arguments: Any) -> None:
    await _send(posts, *arguments)
    await asyncio.sleep(FOR_EVER)

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from tests.bot.workers.posting import refusal

ANSWERS = [
    (404, [10062, 10015], Trouble.LATE),
    (401, [50027], Trouble.LATE),
    (400, [40094, 40060], Trouble.LATE),
    (404, [10008], Trouble.MESSAGE_GONE),
    (429, [30046], Trouble.TOO_OLD),
    (400, [30046], Trouble.TOO_OLD),
    (404, [10003, 10004], Trouble.CHANNEL_GONE),
    (403, [50013, 50001, 0, 50007, 50278], Trouble.FORBIDDEN),
    (400, [50033, 200000, 200001, 240000, 160004, 160005, 160006, 160007, 30033, 50008], Trouble.FORBIDDEN),
    (404, [0, 10002, 10097, 987654], Trouble.FORBIDDEN),
    (401, [0, 50014], Trouble.FORBIDDEN),
    (409, [0], Trouble.FORBIDDEN),
    (400, [50083], Trouble.ARCHIVED),
    (408, [0], Trouble.PASSING),
    (429, [0, 20028], Trouble.PASSING),
    (500, [0], Trouble.PASSING),
    (502, [0], Trouble.PASSING),
    (503, [0], Trouble.PASSING),
    (504, [0], Trouble.PASSING),
    (403, [40004], Trouble.PASSING),
    (400, [40003, 130000], Trouble.PASSING),
    (400, [50035, 0, 50006], Trouble.REFUSED),
    (413, [40005], Trouble.REFUSED),
    (405, [0], Trouble.REFUSED),
]


@pytest.mark.parametrize(
    ("status", "code", "meaning"), [(status, code, meaning) for status, codes, meaning in ANSWERS for code in codes]
)
def test_an_answer_of_discord_is_sorted(status: int, code: int, meaning: Trouble) -> None:
    assert trouble_of(refusal(status, code)) is meaning


@pytest.mark.parametrize(
    "error",
    [
        ConnectionResetError(104, "Connection reset by peer"),
        TimeoutError(),
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientPayloadError(),
        OSError(113, "No route to host"),
        discord.RateLimited(12.0),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_broken_way_to_discord_passes(error: Exception) -> None:
    assert isinstance(error, DISCORD_ERRORS)
    assert trouble_of(error) is Trouble.PASSING


def test_an_interaction_answered_twice_is_late() -> None:
    interaction: Any = SimpleNamespace()
    assert trouble_of(discord.InteractionResponded(interaction)) is Trouble.LATE


@pytest.mark.parametrize("error", [ValueError(), KeyError(), ZeroDivisionError(), AssertionError(), RuntimeError()])
def test_our_own_mistakes_are_no_trouble_with_discord(error: Exception) -> None:
    assert not isinstance(error, DISCORD_ERRORS)

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of


def _answer(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="because", headers={})
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    kind = discord.DiscordServerError if status >= 500 else kinds.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": "no"})


@pytest.mark.parametrize(
    ("status", "code", "meaning"),
    [
        (404, 10062, Trouble.LATE),
        (404, 10015, Trouble.LATE),
        (401, 50027, Trouble.LATE),
        (400, 40094, Trouble.LATE),
        (400, 40060, Trouble.LATE),
        (404, 10008, Trouble.MESSAGE_GONE),
        (429, 30046, Trouble.TOO_OLD),
        (400, 30046, Trouble.TOO_OLD),
        (404, 10003, Trouble.CHANNEL_GONE),
        (404, 10004, Trouble.CHANNEL_GONE),
        (403, 50013, Trouble.FORBIDDEN),
        (403, 50001, Trouble.FORBIDDEN),
        (403, 0, Trouble.FORBIDDEN),
        (403, 50007, Trouble.FORBIDDEN),
        (403, 50278, Trouble.FORBIDDEN),
        (400, 50033, Trouble.FORBIDDEN),
        (400, 200000, Trouble.FORBIDDEN),
        (400, 200001, Trouble.FORBIDDEN),
        (400, 240000, Trouble.FORBIDDEN),
        (400, 160004, Trouble.FORBIDDEN),
        (400, 160005, Trouble.FORBIDDEN),
        (400, 160006, Trouble.FORBIDDEN),
        (400, 160007, Trouble.FORBIDDEN),
        (400, 30033, Trouble.FORBIDDEN),
        (400, 50008, Trouble.FORBIDDEN),
        (404, 0, Trouble.FORBIDDEN),
        (404, 10002, Trouble.FORBIDDEN),
        (404, 10097, Trouble.FORBIDDEN),
        (404, 987654, Trouble.FORBIDDEN),
        (401, 0, Trouble.FORBIDDEN),
        (401, 50014, Trouble.FORBIDDEN),
        (409, 0, Trouble.FORBIDDEN),
        (400, 50083, Trouble.ARCHIVED),
        (408, 0, Trouble.PASSING),
        (429, 0, Trouble.PASSING),
        (500, 0, Trouble.PASSING),
        (502, 0, Trouble.PASSING),
        (503, 0, Trouble.PASSING),
        (504, 0, Trouble.PASSING),
        (429, 20028, Trouble.PASSING),
        (403, 40004, Trouble.PASSING),
        (400, 40003, Trouble.PASSING),
        (400, 130000, Trouble.PASSING),
        (400, 50035, Trouble.REFUSED),
        (413, 40005, Trouble.REFUSED),
        (400, 0, Trouble.REFUSED),
        (400, 50006, Trouble.REFUSED),
        (405, 0, Trouble.REFUSED),
    ],
)
def test_an_answer_of_discord_is_sorted(status: int, code: int, meaning: Trouble) -> None:
    assert trouble_of(_answer(status, code)) is meaning


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

"""The judge of requests and answers notices what Discord would refuse, and the fake is held to it."""

from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
import pytest

from tests.discord import TOKEN, Discord, contract
from tests.discord.state import Json

COMMANDS = "PUT /applications/1/commands"
CALLBACK = "POST /interactions/1/token/callback"
MESSAGES = "POST /channels/1/messages"
Made = Callable[[int], Any]


@pytest.fixture(autouse=True)
def noted() -> Iterator[list[str]]:
    """Have differences that the test makes noted as its own."""
    yield contract.broken
    contract.broken.clear()


def held(route: str, body: Any) -> list[str]:
    """Return the differences that a request has."""
    contract.broken.clear()
    method, path = route.split()
    contract.hold_request(method, path, (), body)
    return list(contract.broken)


def command(**parts: Any) -> list[Json]:
    return [{"name": "highscore", "description": "A game", **parts}]


def option(**parts: Any) -> list[Json]:
    return command(options=[{"type": 3, "name": "card", "description": "A card", **parts}])


def options(number: int) -> list[Json]:
    return [{"type": 3, "name": f"o{at}", "description": "An option"} for at in range(number)]


def choices(number: int, length: int = 2) -> list[Json]:
    return [{"name": f"{at:0{length}}", "value": f"{at}"} for at in range(number)]


def large(total: int) -> list[Json]:
    """Return a command of so many characters, most of them in German only."""
    german = {"description_localizations": {"de": "x" * 90}}
    parts = [{**each, **german, "name": f"{at:010}"} for at, each in enumerate(options(24))]
    groups = [{"type": 1, "name": f"g{at}", "description": "x" * 98} for at in range(7)]
    filled = [{**each, "options": parts} for each in groups[:3]]
    left = total - len("highscore") - 7 * 100 - 3 * 24 * 100
    return command(description="x" * left, options=[*filled, *groups[3:]])


def thread(name: str) -> Json:
    return {"name": name, "type": 11}


def message(**parts: Any) -> Json:
    return {"content": "hello", **parts}


def select(number: int) -> Json:
    chosen = [{"type": "user", "id": at} for at in range(number)]
    return message(components=[{"type": 1, "components": [{"type": 5, "custom_id": "x", "default_values": chosen}]}])


def modal(title: int = 1, value: int = 1) -> Json:
    field = {"type": 4, "custom_id": "words", "style": 1, "value": "x" * value}
    label = {"type": 18, "label": "Lucky words", "component": field}
    return {"type": 9, "data": {"custom_id": "x", "title": "x" * title, "components": [label]}}


def completing(found: list[Json]) -> Json:
    return {"type": 8, "data": {"choices": found}}


@pytest.mark.parametrize(
    ("route", "most", "make", "where"),
    [
        (COMMANDS, 32, lambda n: command(name="x" * n), "[0].name"),
        (COMMANDS, 32, lambda n: command(name_localizations={"de": "x" * n}), "[0].name_localizations.de"),
        (COMMANDS, 100, lambda n: command(description="x" * n), "[0].description"),
        (COMMANDS, 100, lambda n: command(description_localizations={"de": "x" * n}), "[0].description_localizations"),
        (COMMANDS, 25, lambda n: command(options=options(n)), "[0].options"),
        (COMMANDS, 32, lambda n: option(name="x" * n), "[0].options[0].name"),
        (COMMANDS, 100, lambda n: option(description="x" * n), "[0].options[0].description"),
        (COMMANDS, 25, lambda n: option(choices=choices(n)), "[0].options[0].choices"),
        (COMMANDS, 100, lambda n: option(choices=choices(1, n)), "[0].options[0].choices[0].name"),
        (COMMANDS, 100, lambda n: option(choices=[{"name": "x", "value": "x" * n}]), ".choices[0].value"),
        (COMMANDS, 8000, large, ": Invalid Form Body: /highscore in characters"),
        (CALLBACK, 25, lambda n: completing(choices(n)), ".data.choices"),
        (CALLBACK, 100, lambda n: completing(choices(1, n)), ".data.choices[0].name"),
        (CALLBACK, 45, lambda n: modal(title=n), ".data.title"),
        (CALLBACK, 4000, lambda n: modal(value=n), ".data.components[0].component.value"),
        ("POST /channels/1/threads", 100, lambda n: thread("x" * n), ".name"),
        ("POST /channels/1/threads", 100, lambda n: thread("🎲" * (n // 2) + "x" * (n % 2)), ".name"),
        ("POST /applications/1/emojis", 32, lambda n: {"name": "x" * n, "image": "data"}, ".name"),
        (MESSAGES, 25, select, ".components[0].components[0].default_values"),
        (MESSAGES, 1024, lambda n: message(attachments=[{"id": 0, "filename": "x" * n}]), ".attachments[0].filename"),
        (MESSAGES, 25, lambda n: message(nonce="x" * n), ".nonce"),
    ],
)
def test_one_more_than_a_limit_is_noticed(route: str, most: int, make: Made, where: str) -> None:
    assert held(route, make(most)) == []
    (found,) = held(route, make(most + 1))
    assert where in found
    assert str(most + 1) in found


@pytest.mark.parametrize(
    ("route", "body", "wrong"),
    [
        (MESSAGES, message(colour=1), "request.colour is not described"),
        (MESSAGES, message(flags="64"), "request.flags is '64', not "),
        (MESSAGES, message(embeds=[{"fields": [{"name": "x"}]}]), "request.embeds[0].fields[0].value is missing"),
        (MESSAGES, message(components=[{"type": 99}]), "request.components[0].type is 99, none of "),
        (MESSAGES, message(allowed_mentions={"users": [5, "5"]}), "request.allowed_mentions.users is [5, '5'], with"),
        (CALLBACK, {"type": 3}, "request.type is 3, none of "),
        (CALLBACK, {"type": 4, "data": {"colour": 1}}, "request.data.colour is not described"),
        ("POST /applications/1/emojis", {"name": "x", "image": "data"}, "request.name has 1 where 2 to 32 are allowed"),
        ("POST /users/@me/channels", {"recipient_id": "ada"}, "request.recipient_id is 'ada', not an id"),
        ("POST /users/@me/channels", {"recipient_id": -5}, "request.recipient_id is -5, not an id"),
        ("POST /users/@me/channels", {"recipient_id": 10**40}, "not an id"),
        ("GET /users/@me", {}, "request is {}, not null"),
        ("POST /channels/1/pins", None, "POST /channels/1/pins (not in contract.json)"),
        (COMMANDS, command(name="High Score"), "'High Score' is no name"),
        (COMMANDS, command(options=[*options(1), {**options(2)[1], "required": True}]), "o1 is required, but"),
        (COMMANDS, command(options=[*options(2), *options(1)]), "a name twice among"),
        (
            COMMANDS,
            option(choices=[{**each, "name_localizations": {"de": "x"}} for each in choices(2)]),
            "a name twice",
        ),
    ],
)
def test_what_discord_does_not_describe_is_noticed(route: str, body: Any, wrong: str) -> None:
    (found,) = held(route, body)
    assert wrong in found


def test_what_discord_puts_up_with_passes() -> None:
    assert held("POST /users/@me/channels", {"recipient_id": 1}) == []
    assert held("PATCH /channels/1/messages/2", {"tts": False, "embeds": [{"flags": 0}]}) == []
    assert held(COMMANDS, command(nsfw=False)) == []


@pytest.mark.parametrize(
    ("status", "answer", "wrong"),
    [
        (200, {"type": 0}, ".id is missing"),
        (200, {"id": 5}, ".id is 5, not an id"),
        (201, {}, "answer 201 is not described"),
        (200, None, "answer 200 is None, not "),
        (404, {"message": "Unknown Channel"}, "answer 404.code is missing"),
    ],
)
def test_answers_are_held_to_it_too(status: int, answer: Any, wrong: str, noted: list[str]) -> None:
    contract.hold_answer("POST", "/channels/1/messages", status, answer)
    assert any(wrong in each for each in noted)


async def test_what_the_fake_on_sockets_carries_is_judged(noted: list[str]) -> None:
    async with Discord().serving() as fake, aiohttp.ClientSession(headers={"Authorization": f"Bot {TOKEN}"}) as session:
        fake.world.emojis.append({"id": 5})
        async with session.get(f"{fake.rest}/applications/1/emojis?sorted=1"):
            pass
    emojis = "GET /applications/{application_id}/emojis, "
    assert {f"{emojis}request: no parameter 'sorted'", f"{emojis}answer 200.items[0].name is missing"} <= set(noted)

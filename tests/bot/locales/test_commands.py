"""The commands as Discord gets them: in every language, and within its limits.

https://discord.com/developers/docs/interactions/application-commands#application-command-object
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from simcord.enums import AppCommandType

from bot.locales import catalogues, language_for, language_name, languages
from tests.bot.server import Server, private
from tests.simulation import locales

pytestmark = pytest.mark.only_sqlite("commands are registered without the database")

NAME = re.compile(r"[-_\w]{1,32}")
MOST_OF_A_TEXT = 100
MOST_OF_A_COMMAND = 8000
"""Characters of all names, descriptions and values of a command, in the longest of its languages."""


@pytest.fixture
def payload(server: Server) -> dict[str, Any]:
    """/highscore as it was registered."""
    command = server.env.backend.find_command("highscore", None, type=AppCommandType.CHAT_INPUT)
    assert command is not None
    return dict(command)


def parts(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command and everything in it that has a name."""
    yield command
    for option in command.get("options") or []:
        yield from parts(option)
    yield from command.get("choices") or []


def in_language(part: dict[str, Any], key: str, locale: str) -> str:
    return str((part.get(f"{key}_localizations") or {}).get(locale) or part[key])


def translated() -> list[str]:
    return [locale.value for locale in discord.Locale if language_for(locale) in catalogues.found()]


async def test_german_is_registered(payload: dict[str, Any]) -> None:
    assert "de" in translated()
    new = next(option for option in payload["options"] if option["name"] == "new")
    assert new["name_localizations"]["de"] == "neu"
    assert new["description_localizations"]["de"] == "Einen Tisch in diesem Kanal öffnen"
    seats = next(option for option in new["options"] if option["name"] == "seats")
    assert seats["name_localizations"]["de"] == "plätze"
    pace = next(option for option in new["options"] if option["name"] == "pace")
    assert pace["choices"][0]["name_localizations"]["de"] == "live: alle sind da"
    assert "name_localizations" not in payload or "de" not in payload["name_localizations"]


async def test_everything_has_a_translation(payload: dict[str, Any]) -> None:
    own_names = {language_name(language) for language in languages()}
    same_in_german = {"highscore", "thread", "podium"} | own_names
    for part in parts(payload):
        for key in ("name", "description"):
            if key in part and part[key] not in same_in_german:
                assert set(part.get(f"{key}_localizations") or {}) >= set(translated()), part[key]


async def test_nothing_is_registered_for_languages_without_a_catalogue(payload: dict[str, Any]) -> None:
    known = set(translated())
    for part in parts(payload):
        for key in ("name", "description"):
            assert set(part.get(f"{key}_localizations") or {}) <= known


@pytest.mark.parametrize("locale", ["en-US", *translated()])
async def test_discord_takes_every_name_and_text(payload: dict[str, Any], locale: str) -> None:
    total = 0
    for part in parts(payload):
        name = in_language(part, "name", locale)
        assert 1 <= len(name) <= MOST_OF_A_TEXT
        total += len(name) + len(str(part.get("value", "")))
        if "description" in part:
            # Only choices have none, and only their names are free text.
            assert NAME.fullmatch(name), name
            assert name == name.lower()
            description = in_language(part, "description", locale)
            assert 1 <= len(description) <= MOST_OF_A_TEXT, description
            total += len(description)
    assert total <= MOST_OF_A_COMMAND


@pytest.mark.parametrize("locale", ["en-US", *translated()])
async def test_names_beside_each_other_differ(payload: dict[str, Any], locale: str) -> None:
    for part in parts(payload):
        for beside in (part.get("options") or [], part.get("choices") or []):
            names = [in_language(each, "name", locale) for each in beside]
            assert len(set(names)) == len(names)


async def test_what_is_offered_while_typing_is_in_the_language_of_who_types(server: Server) -> None:
    ada, ben = server.members[:2]
    with locales({ben.id: "de"}, guild="en-US"):
        english = await ada.autocomplete(server.channel, "highscore rules", "card", "")
        german = await ben.autocomplete(server.channel, "highscore rules", "card", "")
    assert [choice["value"] for choice in english] == [choice["value"] for choice in german]
    assert "Total" in english[0]["name"]
    assert "Summe" in german[0]["name"]
    for choice in (*english, *german):
        assert 1 <= len(choice["name"]) <= MOST_OF_A_TEXT


async def test_a_card_is_found_by_its_german_name(server: Server) -> None:
    ben = server.members[1]
    with locales({ben.id: "de"}, guild="en-US"):
        (pairs, *_others) = await ben.autocomplete(server.channel, "highscore rules", "card", "paare minus")
        found = await server.slash(ben, "rules", card=pairs["name"])
        missing = await server.slash(ben, "rules", card="no such card")
    assert "Paare minus Rest" in private(found)
    assert "Diese Karte gibt es nicht." in private(missing)


async def test_the_help_names_commands_as_discord_shows_them(server: Server, payload: dict[str, Any]) -> None:
    ada, ben = server.members[:2]
    with locales({ben.id: "de"}, guild="en-US"):
        texts = {
            "en-US": private(await server.slash(ada, "help")),
            "de": private(await server.slash(ben, "help")),
        }
    for locale, text in texts.items():
        for command in payload["options"]:
            assert f"`/highscore {in_language(command, 'name', locale)}`" in text

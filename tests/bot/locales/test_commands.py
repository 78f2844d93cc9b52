"""The commands as Discord gets them: in every language, and within its limits.

https://discord.com/developers/docs/interactions/application-commands#application-command-object
"""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.cli.extract_messages import command_group
from bot.locales import catalogues, language_for, language_name, languages
from bot.locales.commands import CommandTranslator

NAME = re.compile(r"[-_\w]{1,32}")
MOST_OF_A_TEXT = 100
MOST_OF_A_COMMAND = 8000
"""Characters of all names, descriptions and values of a command, in the longest of its languages."""


@pytest.fixture(scope="module")
def payload() -> dict[str, Any]:
    """/highscore as it is registered."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    return asyncio.run(command_group().get_translated_payload(tree, CommandTranslator()))


def parts(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command and everything in it that has a name."""
    yield command
    for option in command.get("options") or []:
        yield from parts(option)
    yield from command.get("choices") or []


def in_language(part: dict[str, Any], key: str, locale: str) -> str:
    return str((part.get(f"{key}_localizations") or {}).get(locale) or part[key])


def translated() -> list[str]:
    return [locale.value for locale in discord.Locale if language_for(locale) in catalogues.catalogue_languages()]


def test_how_to_begin_is_registered_first(payload: dict[str, Any]) -> None:
    assert [option["name"] for option in payload["options"]][:4] == ["new", "show", "play", "daily"]


def test_everything_has_a_translation_into_the_languages_with_a_catalogue_and_no_other(payload: dict[str, Any]) -> None:
    own_names = {language_name(language) for language in languages()}
    same_in_german = {"highscore", "thread", "podium"} | own_names
    for part in parts(payload):
        for key in ("name", "description"):
            if key in part:
                found = set(part.get(f"{key}_localizations") or {})
                assert found <= set(translated())
                assert found == set(translated()) or part[key] in same_in_german, part[key]


@pytest.mark.parametrize("locale", ["en-US", *translated()])
def test_discord_takes_every_text_and_no_name_twice(payload: dict[str, Any], locale: str) -> None:
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
        for beside in (part.get("options") or [], part.get("choices") or []):
            names = [in_language(each, "name", locale) for each in beside]
            assert len(set(names)) == len(names)
    assert total <= MOST_OF_A_COMMAND

"""The commands as Discord gets them, in every language. Its limits are held wherever a bot starts.

https://discord.com/developers/docs/interactions/application-commands#application-command-object
"""

import asyncio
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.cli.extract_messages import make_cog
from bot.locales import commands, language_for, language_name, languages
from tests.discord.validation import COMMAND, check_commands, parts_of, size_of


async def translate() -> list[dict[str, Any]]:
    """Return /highscore and the menus of users and messages as they are registered."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    group = (cog := make_cog()).app_command
    assert isinstance(group, app_commands.Group)
    commands_there: list[app_commands.Group | app_commands.ContextMenu] = [group, *cog.make_menus()]
    return [await each.get_translated_payload(tree, commands.CommandTranslator()) for each in commands_there]


@pytest.fixture(scope="module")
def payloads() -> list[dict[str, Any]]:
    return asyncio.run(translate())


@pytest.fixture(scope="module")
def payload(payloads: list[dict[str, Any]]) -> dict[str, Any]:
    return payloads[0]


def translated() -> list[str]:
    return [locale.value for locale in discord.Locale if language_for(locale) in languages()[1:]]


def test_how_to_begin_is_registered_first(payload: dict[str, Any]) -> None:
    assert [option["name"] for option in payload["options"]][:4] == ["new", "show", "play", "daily"]


def test_everything_has_a_translation_into_the_languages_with_a_catalogue_and_no_other(
    payloads: list[dict[str, Any]],
) -> None:
    """A name of one word may be the same in another language, and is left out then."""
    never = {language_name(language) for language in languages()}
    for part in (part for payload in payloads for part in parts_of(payload)):
        for key in ("name", "description"):
            if key in part and part[key] not in never:
                found = set(part.get(f"{key}_localizations") or {})
                assert found <= set(translated())
                assert found == set(translated()) or " " not in part[key], part[key]


def test_the_commands_have_room_for_longer_languages(payload: dict[str, Any]) -> None:
    """Each text counts with the longest of its languages; a third of Discord's room is for what is still to come."""
    check_commands([payload])
    assert sum(map(size_of, parts_of(payload))) < COMMAND * 2 / 3


def test_menus_have_names_for_servers_that_fit(payloads: list[dict[str, Any]]) -> None:
    """https://discord.com/developers/docs/interactions/application-commands#application-command-object-naming"""
    menus = payloads[1:]
    check_commands(menus)
    assert [menu["type"] for menu in menus] == [2, 2, 3], "users, users and messages"
    for menu in menus:
        assert (menu["contexts"], menu["integration_types"]) == ([0], [0])
        assert all(0 < len(name) <= 32 for name in (menu["name"], *menu["name_localizations"].values()))

"""Translations of the slash commands.

Discord needs all translations of a command when the command is registered, not when somebody looks at it:
https://discord.com/developers/docs/interactions/application-commands#localization
"""

from functools import cache
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.locales import DEFAULT, language_for
from bot.locales.catalogues import read_translations

COMMAND = "command name"
OPTION = "option name"
"""The gettext contexts of the names of commands and options. Such a name is one lower-case word of at most 32
characters."""
MENU = "menu name"
"""The gettext context of the names in the menus of users and messages. Such a name has at most 32 characters."""

_CONTEXTS = {
    Location.command_name: COMMAND,
    Location.group_name: COMMAND,
    Location.parameter_name: OPTION,
}


def context_of(location: Location) -> str | None:
    """Return the gettext context of a name. Return None for descriptions and choices, which need no context."""
    return _CONTEXTS.get(location)


class CommandTranslator(app_commands.Translator):
    """Translates names, descriptions, options and choices when the commands are registered.

    It has catalogues of its own, which are freed with it.
    """

    def __init__(self) -> None:
        self._catalogue_of = cache(read_translations)

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """Translate a text into one of Discord's languages. Return None if Discord should show the English text."""
        language = language_for(locale)
        if language == DEFAULT:
            return None
        catalogue = self._catalogue_of(language)
        in_menu = isinstance(context.data, app_commands.ContextMenu)
        in_context = MENU if in_menu else context_of(context.location)
        english = string.message
        translated = catalogue.gettext(english) if in_context is None else catalogue.pgettext(in_context, english)
        return None if translated == english else translated

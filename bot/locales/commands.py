"""The slash commands in the languages Discord shows them in.

Discord asks for every translation when the commands are registered, not when somebody looks at them:
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
"""The gettext contexts of names. A name is one lower-case word of at most 32 characters."""
MENU = "menu name"
"""The gettext context of the names in the menus of users and messages. Such a name has at most 32 characters."""

_CONTEXTS = {
    Location.command_name: COMMAND,
    Location.group_name: COMMAND,
    Location.parameter_name: OPTION,
}


def context_of(location: Location) -> str | None:
    """Return the gettext context of a command's text; None for whole sentences, which have only one meaning."""
    return _CONTEXTS.get(location)


class CommandTranslator(app_commands.Translator):
    """The translator of names, descriptions, options and choices, used when the commands are registered.

    It keeps its own catalogues, of all languages, and they go with it: few of them are spoken in one process.
    """

    def __init__(self) -> None:
        self._catalogue_of = cache(read_translations)

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """Translate a text into one of Discord's languages. Return None if the English text is to be shown."""
        language = language_for(locale)
        if language == DEFAULT:
            return None
        catalogue = self._catalogue_of(language)
        in_menu = isinstance(context.data, app_commands.ContextMenu)
        in_context = MENU if in_menu else context_of(context.location)
        english = string.message
        translated = catalogue.gettext(english) if in_context is None else catalogue.pgettext(in_context, english)
        return None if translated == english else translated

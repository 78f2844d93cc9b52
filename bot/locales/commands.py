"""Translations of the slash commands.

Discord needs all translations of a command when the command is registered, not when somebody looks at it:
https://discord.com/developers/docs/interactions/application-commands#localization
"""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.locales import DEFAULT, language_for, load_translations

COMMAND = "command name"
OPTION = "option name"
"""The gettext contexts of the names of commands and options. Such a name is one lower-case word of at most 32
characters."""
MENU = "menu name"
"""The gettext context of the names in the menus of users and messages. Such a name has at most 32 characters."""

CONTEXTS = {Location.command_name: COMMAND, Location.group_name: COMMAND, Location.parameter_name: OPTION}
"""The gettext contexts by place. Descriptions and choices need none."""


class CommandTranslator(app_commands.Translator):
    """Translates names, descriptions, options and choices when the commands are registered."""

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
        catalogue = load_translations(language)
        in_menu = isinstance(context.data, app_commands.ContextMenu)
        in_context = MENU if in_menu else CONTEXTS.get(context.location)
        english = string.message
        translated = catalogue.gettext(english) if in_context is None else catalogue.pgettext(in_context, english)
        return None if translated == english else translated

"""Updates the catalogues from the code: ``python -m bot.cli.extract_messages [LANGUAGE ...]``, in a clone.

New messages are added without a translation, or with the translation of a similar message, marked as fuzzy. Unused
messages are removed. If a given language has no catalogue, one is made. The files contain no dates and no line numbers,
so the same code and translations always give the same files.
"""

import ast
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from babel.messages import Catalog
from babel.messages.catalog import Message as CatalogMessage
from babel.messages.pofile import write_po
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot import locales
from bot.cogs.routes import HighScore
from bot.locales import language_name, languages
from bot.locales.commands import CONTEXTS, MENU

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "highscore")
KEYWORDS = ("_", "locale_str", "IllegalChoice", "NotYourTurn", "GameOver", "ProofError")
"""The functions that translate their first argument, and the engine's errors, whose messages the bot translates."""

_WIDTH = 110
_DATED = (b'"POT-Creation-Date:', b'"PO-Revision-Date:', b'"Generated-By:', b'"Language-Team:', b'"Last-Translator:')


class Message(NamedTuple):
    id: str | tuple[str, str]
    """The English text, or its singular and plural if the text depends on a number."""
    context: str | None = None


def find_messages() -> list[tuple[str, Message]]:
    """Return every message that players see, with the file that contains it: sorted by file, then by place in it."""
    entries: list[tuple[str, Message]] = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            entries += [(name, message) for message in read_code(path.read_text("utf-8"))]
    cog = make_cog()
    assert isinstance(cog.app_command, app_commands.Group)
    found = [*read_commands(cog.app_command), *(Message(menu.name, MENU) for menu in cog.make_menus())]
    return entries + [("bot/cogs", message) for message in found]


def make_cog() -> HighScore:
    """Make the cog without a context. This is enough to read the names and texts of its commands."""
    return HighScore(cast("Any", None), cast("Any", None))


def read_code(source: str) -> Iterator[Message]:
    """Yield the messages of a Python file in order. Babel could do this too, but its results depend on the version of
    Python.
    """
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if not isinstance(call.func, ast.Name | ast.Attribute):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
        texts = [each.value if isinstance(each, ast.Constant) else None for each in call.args]
        match name, texts:
            case "ngettext", [str(singular), str(plural), *_]:
                yield Message((singular, plural))
            case "pgettext", [str(context), str(text)]:
                yield Message(text, context)
            case _, [str(text), *_] if name in KEYWORDS:
                yield Message(text)


def read_commands(command: app_commands.Group | app_commands.Command[Any, Any, Any]) -> Iterator[Message]:
    """Yield the texts of a command that Discord shows: names, descriptions, options and choices."""
    if command.parent is not None:  # /highscore itself has the same name in every language.
        yield Message(command.name, CONTEXTS.get(Location.command_name))
    yield Message(command.description, CONTEXTS.get(Location.command_description))
    if isinstance(command, app_commands.Group):
        for child in command.commands:
            yield from read_commands(child)
        return
    for option in command.parameters:
        yield Message(option.display_name, CONTEXTS.get(Location.parameter_name))
        yield Message(str(option.description), CONTEXTS.get(Location.parameter_description))
        for choice in option.choices:
            if choice.name not in map(language_name, languages()):
                yield Message(choice.name, CONTEXTS.get(Location.choice_name))


def update_catalogue(language: str, entries: Iterable[tuple[str, Message]], before: Catalog | None) -> Catalog:
    """Return the catalogue of a language with these messages and the translations of its earlier catalogue."""
    template = Catalog(domain=locales.DOMAIN)
    for file, message in entries:
        template.add(message.id, locations=[(file, 0)], context=message.context)
    catalog = before if before is not None else Catalog(locale=language, domain=locales.DOMAIN)
    catalog.update(template, update_header_comment=False)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    catalog.project = "highscore-bot"
    catalog.version = "1"
    catalog.msgid_bugs_address = ""
    title = f"High Score on Discord, {language_name(language)}"
    catalog.header_comment = f"# {title}. How to translate: docs/translating.md"
    return catalog


def format_catalogue(catalog: Catalog) -> bytes:
    """Format a catalogue as it is stored, without the header's lines that depend on the day or the machine."""
    text = io.BytesIO()
    write_po(text, catalog, width=_WIDTH, sort_by_file=True, include_lineno=False, ignore_obsolete=True)
    lines = text.getvalue().rstrip(b"\n").split(b"\n")
    return b"\n".join(line for line in lines if not line.startswith(_DATED)) + b"\n"


def main(new_languages: Iterable[str]) -> None:
    entries = find_messages()
    for language in dict.fromkeys((*languages()[1:], *new_languages)):
        path = locales.catalogue_path(language)
        catalog = update_catalogue(language, entries, locales.read_catalogue(language) if path.exists() else None)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(format_catalogue(catalog))
        todo = sum(message.fuzzy or not is_translated(message) for message in catalog if message.id)
        sys.stdout.write(f"{language}: {len(catalog)} messages, {todo} to translate or to look at\n")


def is_translated(message: CatalogMessage) -> bool:
    return bool(message.string) and (isinstance(message.string, str) or all(message.string or ()))


if __name__ == "__main__":
    main(sys.argv[1:])

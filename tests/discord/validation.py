"""Validation: all that Discord refuses with 50035, as far as the bot could send it; tests have its limits from here.

https://discord.com/developers/docs/resources/message, https://discord.com/developers/docs/components/reference
"""

import re
from collections.abc import Iterator

from tests.discord.errors import EMPTY_MESSAGE, Refusal, invalid_form
from tests.discord.state import BUTTON, Json

CONTENT, NONCE, EMBEDS, ROWS, IN_ROW, CUSTOM_ID, LABEL = 2000, 25, 10, 5, 5, 100, 80
EMBED_TOTAL, TITLE, DESCRIPTION, FIELDS, FIELD_NAME, FIELD_VALUE, FOOTER = 6000, 256, 4096, 25, 256, 1024, 2048
FILES, FILE_BYTES, ALT = 10, 10 * 2**20, 1024
OPTIONS, OPTION = 25, 100
COMMAND = 8000
"""Characters of all names, descriptions and values of a command, each text in the longest of its languages."""
NAME = re.compile(r"[-_'\w]{1,32}")
SUBCOMMAND, GROUP = 1, 2
ENTRY_POINT = 4
"""The type of a command that Discord adds to an application with activities."""


def length(text: str | None) -> int:
    """Return the number of characters that Discord's clients may count: one outside the basic plane is two."""
    if text is None or text.isascii():
        return len(text or "")
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_message(body: Json, files: list[Json], *, new: bool) -> None:
    """Raise what Discord would for a message that is too long, has too much in it, or nothing."""
    content, embeds = body.get("content") or "", body.get("embeds") or []
    components = body.get("components") or []
    if new and not (content or embeds or files or components):
        raise Refusal(*EMPTY_MESSAGE)
    _no_longer(content, CONTENT, "content")
    _no_longer(str(body.get("nonce") or ""), NONCE, "nonce")
    _no_more(len(embeds), EMBEDS, "embeds")
    _no_more(sum(map(_check_embed, embeds)), EMBED_TOTAL, "embeds in characters")
    _check_components(components)
    _no_more(len(files), FILES, "files")
    for file in files:
        _no_more(file["size"], FILE_BYTES, "a file's bytes")
        _no_longer(file.get("description") or "", ALT, "a file's description")
    names = {file["filename"] for file in files}
    for embed in embeds:
        url = str((embed.get("image") or {}).get("url", ""))
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in names:
            raise invalid_form(f"{url} is not among the files")


def _check_embed(embed: Json) -> int:
    fields = embed.get("fields") or []
    _no_more(len(fields), FIELDS, "an embed's fields")
    texts = [
        ("title", embed.get("title"), TITLE),
        ("description", embed.get("description"), DESCRIPTION),
        ("footer", (embed.get("footer") or {}).get("text"), FOOTER),
        ("author", (embed.get("author") or {}).get("name"), TITLE),
    ]
    for each in fields:
        if not each["name"].strip() or not each["value"].strip():
            raise invalid_form("a field is empty")
        texts += [("field's name", each["name"], FIELD_NAME), ("field's value", each["value"], FIELD_VALUE)]
    for what, text, most in texts:
        _no_longer(text or "", most, f"an embed's {what}")
    return sum(length(text) for _what, text, _most in texts)


def _check_components(rows: list[Json]) -> None:
    _no_more(len(rows), ROWS, "rows")
    seen: set[str] = set()
    for row in rows:
        inner = row.get("components", [])
        if not inner:
            raise invalid_form("an empty row")
        _no_more(len(inner), IN_ROW, "components in a row")
        for child in inner:
            _no_longer(child.get("label") or "", LABEL, "a label")
            if child.get("type") == BUTTON and not (child.get("label") or child.get("emoji")):
                raise invalid_form("a button says nothing")
            _check_options(child.get("options"))
            if (custom_id := child.get("custom_id")) is not None:
                _no_longer(custom_id, CUSTOM_ID, "a custom_id")
                if not custom_id or custom_id in seen:
                    raise invalid_form("a custom_id is empty or not unique")
                seen.add(custom_id)


def _check_options(options: list[Json] | None) -> None:
    _no_more(len(options or ()), OPTIONS, "options")
    for option in options or ():
        for name in ("label", "value"):
            if not option[name]:
                raise invalid_form(f"an option's {name} is empty")
        for name in ("label", "value", "description"):
            _no_longer(option.get(name) or "", OPTION, f"an option's {name}")


def _no_longer(text: str, most: int, what: str) -> None:
    _no_more(length(text), most, f"{what} in characters")


def _no_more(number: int, most: int, what: str) -> None:
    if number > most:
        raise invalid_form(f"{what}: {number} where {most} are allowed")


def check_commands(commands: list[Json]) -> None:
    """Raise what Discord would for commands whose texts are too many together, misspelt, or not told apart.

    https://discord.com/developers/docs/interactions/application-commands#application-command-object
    """
    for command in commands:
        _no_more(sum(map(size_of, parts_of(command))), COMMAND, f"/{command['name']} in characters")
        for part in parts_of(command) if command.get("type") != ENTRY_POINT else ():
            for name in _texts(part, "name").values():
                if "description" in part and (NAME.fullmatch(name) is None or name != name.lower()):
                    raise invalid_form(f"{name!r} is no name")
            for beside in (part.get("options") or [], part.get("choices") or []):
                _check_beside(beside)


def parts_of(command: Json) -> Iterator[Json]:
    """Return a command and everything in it that has a name."""
    yield command
    for option in command.get("options") or ():
        yield from parts_of(option)
    yield from command.get("choices") or ()


def _texts(part: Json, key: str) -> dict[str, str]:
    """Return a text of a command by language, with the unnamed ones under an empty name."""
    return {"": part[key], **(part.get(f"{key}_localizations") or {})}


def size_of(part: Json) -> int:
    """Return the number of characters of a part, each text in the longest of its languages."""
    texts = [_texts(part, key) for key in ("name", "description") if key in part]
    return sum(max(map(length, each.values())) for each in texts) + length(str(part.get("value", "")))


def _check_beside(parts: list[Json]) -> None:
    optional = False
    for part in parts:
        if optional and part.get("required"):
            raise invalid_form(f"{part['name']} is required, but comes after what is not")
        optional = part.get("type", 0) not in (SUBCOMMAND, GROUP) and not part.get("required")
    names = [_texts(part, "name") for part in parts]
    for language in {language for each in names for language in each}:
        spoken = [each.get(language, each[""]) for each in names]
        if len(set(spoken)) < len(spoken):
            raise invalid_form(f"a name twice among {spoken}")

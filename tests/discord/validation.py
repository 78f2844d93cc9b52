"""Validation: what Discord refuses with 50035 and its description (contract.py) does not say, as far as the bot could
send it.

https://discord.com/developers/docs/resources/message, https://discord.com/developers/docs/components/reference
"""

import re
from collections.abc import Iterator

from tests.discord.errors import EMPTY_MESSAGE, Refusal, invalid_form
from tests.discord.state import BUTTON, Json

CONTENT, EMBED_TOTAL, ROWS, FILE_BYTES = 2000, 6000, 5, 10 * 2**20
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
    _no_more(length(content), CONTENT, "content in characters")
    _no_more(sum(map(_check_embed, embeds)), EMBED_TOTAL, "embeds in characters")
    _check_components(components)
    for file in files:
        _no_more(file["size"], FILE_BYTES, "a file's bytes")
    names = {file["filename"] for file in files}
    for embed in embeds:
        url = str((embed.get("image") or {}).get("url", ""))
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in names:
            raise invalid_form(f"{url} is not among the files")


def _check_embed(embed: Json) -> int:
    """Return the number of characters that count together."""
    fields = embed.get("fields") or []
    if not all(each[part].strip() for each in fields for part in ("name", "value")):
        raise invalid_form("a field is empty")
    footer, author = embed.get("footer") or {}, embed.get("author") or {}
    texts = [embed.get("title"), embed.get("description"), footer.get("text"), author.get("name")]
    return sum(map(length, [*texts, *(each[part] for each in fields for part in ("name", "value"))]))


def _check_components(rows: list[Json]) -> None:
    _no_more(len(rows), ROWS, "rows")
    inner = [child for row in rows for child in row["components"]]
    if any(child["type"] == BUTTON and not (child.get("label") or child.get("emoji")) for child in inner):
        raise invalid_form("a button says nothing")
    custom_ids = [child["custom_id"] for child in inner if child.get("custom_id") is not None]
    if len(set(custom_ids)) < len(custom_ids):
        raise invalid_form("a custom_id is not unique")


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

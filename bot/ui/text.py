"""The bot's own marks, names of people and of commands, text made harmless, and small helpers for sentences."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from discord.utils import escape_mentions

from bot.domain.table import Table
from bot.locales import _, format_percentage, labelled, pgettext
from bot.locales.commands import COMMAND
from highscore.track import Chip

TROPHY = "🏆"
"""The mark before the name of a winner."""
HOUSE = "🤖"
"""The mark of a house player; after a person's name, that the house plays for them."""
AWAY = "💤"
"""The mark after the name of somebody who is away, or has let a game's time pass."""
BADGE = "🎖️"
"""The mark before the name of somebody who has won a badge."""
PIECES = ("🔴", "🔷", "🟩", "⭐", "💜")
"""The playing pieces by seat, distinct in shape as well as in colour."""
MEDALS = ("🥇", "🥈", "🥉")
"""The first three places of a ranking."""
CHIPS = dict(zip((Chip.GOLD, Chip.SILVER, Chip.BRONZE), MEDALS, strict=True))
DOTS = "\u00b7\u2022\u2027\u2219\u22c5\u30fb\uff65\ua78f\u2e31\u2e33\u1427\u16eb\U00010101"
"""A dot between a name and what is said of somebody ("· host"), and dots that look like it."""

MAX_NAME = 32
"""The longest name shown, in characters: Discord's own limit for names."""
_NAMES_KEPT = 1000
"""The number of names whose harmless form is kept in memory: the same few are on every picture of a table."""
MOST_MARKS = 3
"""The most accents on one letter that are kept. No living language writes more; towers of them cover other lines."""
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
"""The marks around a text from right to left, which keep the text after it in its place: points after an Arabic name
would stand before it. https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
"""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""The categories of control, formatting (right-to-left overrides, zero-width), private use and line separators."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""The characters that count as letters, marks or symbols and show nothing."""
_NEVER_SHOWN = ((0xFDD0, 0xFDEF), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
"""The code points that mean no character, or that a program ignores if it does not know them.
https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
"""
_MARKS = frozenset({"Mn", "Me"})
_OURS = frozenset((HOUSE, TROPHY, AWAY, BADGE[0], *PIECES, *CHIPS.values()))
"""The marks by which the bot distinguishes people."""
_SEPARATOR = re.compile(rf"(?<![^\W_{DOTS}])[{DOTS}]|[{DOTS}](?![^\W_{DOTS}])")
"""A dot that stands between words. Within one it belongs there: it is a letter's in Catalan, a blank in Japanese."""
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})

_FORMATTING = re.compile(r"[\\*_~|`<>\[\]()#:/]|^(?:[-+]|\d+(?=\.))")
"""The characters of Discord's Markdown, and the beginning of a line of a list. The colon and the slash are among them
because they make a link of ``https://``, and an invitation of ``discord.gg/``.
"""


@lru_cache(_NAMES_KEPT)
def escape_name(text: str, longest: int = MAX_NAME) -> str:
    """Return a name or word that formats nothing, mentions nobody, turns no text around it, and has none of our marks.

    It is one line. Emoji sequences lose their zero-width joiners; a text with nothing visible left becomes "?". Not for
    places where Discord shows text as it is, see ``clean_name``.
    """
    return _escape(_clean(text, longest))


def escape_lucky_word(word: str) -> str:
    """Return a lucky word, harmless as a name. Stars or medals alone stay: the word stands behind a clover."""
    return escape_name(word) if is_visible(word) else _escape(_clean(word, MAX_NAME, taken=frozenset()))


@lru_cache(_NAMES_KEPT)
def clean_name(text: str, longest: int = MAX_NAME) -> str:
    """Return a name for footers, button labels and files, where Discord formats nothing and shows a backslash."""
    return _isolate(_clean(text, longest))


def forget_names() -> None:
    escape_name.cache_clear()
    clean_name.cache_clear()


def escape_sentence(text: str) -> str:
    """Return a plain text, in which names are as of ``clean_name``, for places where Discord formats what it shows."""
    return escape_mentions(_FORMATTING.sub(_escape_match, text))


def is_visible(text: str) -> bool:
    return bool(_shown_text(text))


def shorten(text: str, longest: int) -> str:
    """Return the beginning of a text that Discord takes, however it counts: rare characters and emoji as two."""
    if _units(text) <= longest:
        return text
    kept = text[: longest - 2]
    while _units(kept) > longest - 2:
        kept = kept[:-1]
    return kept.rstrip() + "…" + (END_ISOLATE if kept.count(ISOLATE) > kept.count(END_ISOLATE) else "")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def hide(text: str) -> str:
    """Return a text that is in a message for whoever opens it: a seal is public, and nobody has to read it."""
    return f"||{text}||"


def hidden_line(text: str) -> str:
    # With spaces that do not break: otherwise a phone begins a new line before the digits.
    return f"-# 🔏\xa0{hide(text.replace(' ', chr(0xA0)))}"


def format_signed(number: int) -> str:
    """Return a number with a real minus sign."""
    return str(number).replace("-", "−")


def place_number(place: int) -> str:
    """Return a place for the beginning of a line, its dot escaped: Discord numbers a list itself, without ties."""
    return f"{place}\\."


def _escape(text: str) -> str:
    return _isolate(escape_sentence(text))


def _escape_match(match: re.Match[str]) -> str:
    # A backslash before a digit would be shown, so the dot after the number is escaped.
    return f"{match[0]}\\" if match[0].isdecimal() else f"\\{match[0]}"


def _clean(text: str, longest: int, taken: frozenset[str] = _OURS) -> str:
    short = _shown_text(text, taken)
    if len(short) > longest:
        short = short[: longest - 1].rstrip(f" {DOTS}") + "…"
    return short or "?"


def _shown_text(text: str, taken: frozenset[str] = _OURS) -> str:
    """Return the visible part of a text without the marks in ``taken``; may be empty."""
    spaced = "".join(" " if character.isspace() else character for character in unicodedata.normalize("NFC", text))
    parts = _SEPARATOR.sub(" ", "".join(_visible_characters(spaced, taken)))
    # The second pass takes accents whose letter has gone with a dot. Composing again joins a letter and its accent when
    # a character between them was taken out.
    return " ".join(unicodedata.normalize("NFC", "".join(_visible_characters(parts, taken))).split())


def _visible_characters(text: str, taken: frozenset[str]) -> Iterator[str]:
    """Yield the visible characters of a text, and accents as far as they sit on a letter."""
    marks = MOST_MARKS
    for character in text:
        category = unicodedata.category(character)
        if category in _INVISIBLE or character in _BLANK or character in taken or _is_never_shown(ord(character)):
            continue
        if category in _MARKS:
            marks += 1
            if marks > MOST_MARKS:
                continue
        else:
            marks = MOST_MARKS if character == " " else 0
        yield character


def _is_never_shown(code: int) -> bool:
    return code & 0xFFFE == 0xFFFE or any(first <= code <= last for first, last in _NEVER_SHOWN)


def _isolate(text: str) -> str:
    turns = any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text)
    return f"{ISOLATE}{text}{END_ISOLATE}" if turns else text


def format_chance(chance: float) -> str:
    """Return a chance, 0 to 1, in whole per cent: 0 only for what is impossible, 100 only for what is sure."""
    if 0 < chance < 0.01:
        return "<" + format_percentage(0.01)
    if 0.99 < chance < 1:
        return ">" + format_percentage(0.99)
    return format_percentage(chance)


def player_name(table: Table, seat: int, harmless: Callable[[str], str] = escape_name, *, marked: bool = True) -> str:
    """Return a player's piece and name, harmless in any embed; marked when the house plays a person's seat."""
    sitting = table.seats[seat]
    if sitting.user_id is None:
        return f"{PIECES[seat]} {HOUSE} {harmless(sitting.name)}"
    if sitting.former:
        return f"{PIECES[seat]} {former_player_name()}"
    return f"{PIECES[seat]} {harmless(sitting.name)}" + (f" {HOUSE}" if marked and table.house_plays(seat) else "")


def footer_names(table: Table) -> tuple[str, ...]:
    """Return the names in seat order for places where Discord formats nothing and a backslash would be seen."""
    return tuple(player_name(table, seat, clean_name) for seat in range(len(table.seats)))


def picture_name(table: Table, seat: int) -> str:
    """Return the name alone: in a picture the piece stands beside it."""
    sitting = table.seats[seat]
    return former_player_name() if sitting.former else clean_name(sitting.name).strip(ISOLATE + END_ISOLATE)


def mention_words(user_ids: Iterable[int]) -> str:
    return " ".join(f"<@{user_id}>" for user_id in user_ids)


def address_sentence(user_ids: Iterable[int], text: str) -> str:
    """Put mentions before a sentence; a direct message to its reader needs none."""
    names = mention_words(user_ids)
    return labelled(names, text) if names else text


def host_name(table: Table) -> str:
    return player_name(table, table.seat_of(table.host_id) or 0)


def former_player_name() -> str:
    return _("Deleted account")


def table_link(table: Table) -> str:
    channel = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return channel if table.message_id is None else f"{channel}/{table.message_id}"


GROUP = "highscore"

# A process has one bot, whose commands are the same for everybody: they are known once they are registered.
_ids: dict[str, int] = {}


def link_commands(ids: Mapping[str, int]) -> None:
    """Link the commands with these ids, by their names, from now on; an empty mapping goes back to text."""
    _ids.clear()
    _ids.update(ids)


def command_mention(name: str, *, public: bool = False) -> str:
    """Return a command of the group as Discord shows it to somebody with this language; in public, to be clicked.

    A link carries the English name, and works in every language:
    https://discord.com/developers/docs/reference#message-formatting
    """
    shown = pgettext(COMMAND, name)
    if GROUP in _ids and (public or shown == name):
        return f"</{GROUP} {name}:{_ids[GROUP]}>"
    return f"`/{GROUP} {shown}`"

"""Names and other texts of users, made safe to show; the bot's own symbols; small helpers for sentences."""

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
"""Stands before the name of a winner."""
HOUSE = "🤖"
"""Stands before a house player's name and, if the house plays for a person, after the person's name."""
AWAY = "💤"
"""Stands after the name of a player who is away."""
BADGE = "🎖️"
"""Stands before the name of a player who won a badge."""
PIECES = ("🔴", "🔷", "🟩", "⭐", "💜")
"""The playing pieces by seat, distinct in shape as well as in colour."""
MEDALS = ("🥇", "🥈", "🥉")
CHIPS = dict(zip((Chip.GOLD, Chip.SILVER, Chip.BRONZE), MEDALS, strict=True))
REACHED, NOT_REACHED = "🟩", "⚪"
"""The signs of a result that is copied as text. They differ in shape and brightness, for readers who cannot tell
colours apart, and both are visible on white and on black.
"""
DOTS = "\u00b7\u2022\u2027\u2219\u22c5\u30fb\uff65\ua78f\u2e31\u2e33\u1427\u16eb\U00010101"
"""The dot that the bot writes after a name ("· Host"), and characters that look like it."""

MAX_NAME = 32
"""The longest name shown, in characters: Discord's own limit for names."""
_NAMES_KEPT = 1000
"""The size of the caches of names made safe. Every picture of a table shows the same few names."""
MOST_MARKS = 3
"""The most accents on one letter. No living language needs more, and a tower of accents would cover other lines."""
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
"""Characters around text that is written from right to left. Without them, points after an Arabic name would be
displayed before it. https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
"""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""The categories of control, format (right-to-left overrides, zero-width), private use and separator characters."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""Characters that Unicode counts as letters, marks or symbols, but that show nothing."""
_NEVER_SHOWN = ((0xFDD0, 0xFDEF), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
"""Ranges of code points that are no characters, or that programs ignore by default.
https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
"""
_MARKS = frozenset({"Mn", "Me"})
_OURS = frozenset((HOUSE, TROPHY, AWAY, BADGE[0], *PIECES, *CHIPS.values()))
"""The bot's own symbols. They are removed from names, so that nobody can pass for a winner or a house player."""
_SEPARATOR = re.compile(rf"(?<![^\W_{DOTS}])[{DOTS}]|[{DOTS}](?![^\W_{DOTS}])")
"""A dot between words. A dot inside a word is not matched: Catalan and Japanese write it there."""
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})

_FORMATTING = re.compile(r"[\\*_~|`<>\[\]()#:/]|^(?:[-+]|\d+(?=\.))")
"""The characters of Discord's Markdown, and a list marker at the beginning of the text. The colon and the slash are
escaped because Discord makes links of ``https://`` and ``discord.gg/``.
"""


@lru_cache(_NAMES_KEPT)
def escape_name(text: str, longest: int = MAX_NAME) -> str:
    """Make a user's text safe in Markdown. It cannot format, mention, reverse the text around it or use our symbols.

    The result is one line of at most ``longest`` characters, not counting backslashes. Emoji sequences lose their
    zero-width joiners. If nothing visible is left, the result is "?". Use ``clean_name`` where Discord does not format
    text.
    """
    return _escape(_clean(text, longest))


def escape_lucky_word(word: str) -> str:
    """Make a lucky word safe like a name. A word of only our symbols may stay. After a clover, it misleads nobody."""
    return escape_name(word) if is_visible(word) else _escape(_clean(word, MAX_NAME, removed=frozenset()))


@lru_cache(_NAMES_KEPT)
def clean_name(text: str, longest: int = MAX_NAME) -> str:
    """Make a name safe for footers, button labels and files, where Discord formats nothing and shows backslashes."""
    return _isolate(_clean(text, longest))


def forget_names() -> None:
    escape_name.cache_clear()
    clean_name.cache_clear()


def escape_sentence(text: str) -> str:
    """Escape a plain text for places where Discord formats Markdown. Names in it must come from ``clean_name``."""
    return escape_mentions(_FORMATTING.sub(_escape_match, text))


def is_visible(text: str) -> bool:
    return bool(_shown_text(text))


def shorten(text: str, longest: int) -> str:
    """Cut a text to ``longest`` UTF-16 units. Discord may count a rare character or an emoji as one or as two."""
    if _units(text) <= longest:
        return text
    kept = text[: longest - 2]
    while _units(kept) > longest - 2:
        kept = kept[:-1]
    return kept.rstrip() + "…" + (END_ISOLATE if kept.count(ISOLATE) > kept.count(END_ISOLATE) else "")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def format_signed(number: int) -> str:
    """Return a number with a typographic minus sign."""
    return str(number).replace("-", "−")


def place_number(place: int) -> str:
    """Return a place for the beginning of a line. Its dot is escaped, or Discord would renumber lists with ties."""
    return f"{place}\\."


def _escape(text: str) -> str:
    return _isolate(escape_sentence(text))


def _escape_match(match: re.Match[str]) -> str:
    # A backslash before a digit would be shown, so the dot after the number is escaped.
    return f"{match[0]}\\" if match[0].isdecimal() else f"\\{match[0]}"


def _clean(text: str, longest: int, removed: frozenset[str] = _OURS) -> str:
    short = _shown_text(text, removed)
    if len(short) > longest:
        short = short[: longest - 1].rstrip(f" {DOTS}") + "…"
    return short or "?"


def _shown_text(text: str, removed: frozenset[str] = _OURS) -> str:
    """Return the visible characters of a text, without the symbols in ``removed``, without dots between words and with
    single spaces. Return an empty text if nothing is left.
    """
    spaced = "".join(" " if character.isspace() else character for character in unicodedata.normalize("NFC", text))
    parts = _SEPARATOR.sub(" ", "".join(_visible_characters(spaced, removed)))
    # The second pass removes accents that sat on a removed dot. Normalizing again joins a letter and its accent if a
    # character between them was removed.
    return " ".join(unicodedata.normalize("NFC", "".join(_visible_characters(parts, removed))).split())


def _visible_characters(text: str, removed: frozenset[str]) -> Iterator[str]:
    """Yield the visible characters of a text. Accents are visible on a letter, up to ``MOST_MARKS`` of them."""
    marks = MOST_MARKS
    for character in text:
        category = unicodedata.category(character)
        if category in _INVISIBLE or character in _BLANK or character in removed or _is_never_shown(ord(character)):
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
    """Return a chance (0 to 1) in whole per cent. Only an impossible event has 0 %, only a certain one 100 %.

    >>> [format_chance(chance) for chance in (0, 0.004, 0.5, 0.996, 1)]
    ['0%', '<1%', '50%', '>99%', '100%']
    """
    if 0 < chance < 0.01:
        return "<" + format_percentage(0.01)
    if 0.99 < chance < 1:
        return ">" + format_percentage(0.99)
    return format_percentage(chance)


def player_name(table: Table, seat: int, escape: Callable[[str], str] = escape_name, *, marked: bool = True) -> str:
    """Return a player's piece and name. ``escape`` makes the name safe for where it is shown.

    If ``marked``, a person whose seat the house plays has the house's symbol after the name.
    """
    sitting = table.seats[seat]
    if sitting.user_id is None:
        return f"{PIECES[seat]} {HOUSE} {escape(sitting.name)}"
    if sitting.former:
        return f"{PIECES[seat]} {former_player_name()}"
    return f"{PIECES[seat]} {escape(sitting.name)}" + (f" {HOUSE}" if marked and table.house_plays(seat) else "")


def footer_names(table: Table) -> tuple[str, ...]:
    """Return all players' names in seat order, for footers and other places where Discord formats nothing."""
    return tuple(player_name(table, seat, clean_name) for seat in range(len(table.seats)))


def picture_name(table: Table, seat: int) -> str:
    """Return a player's name without the piece, which the picture draws next to it."""
    sitting = table.seats[seat]
    return former_player_name() if sitting.former else drawn_name(sitting.name)


def drawn_name(name: str) -> str:
    """Return a name for a picture, which draws it without isolates."""
    return clean_name(name).strip(ISOLATE + END_ISOLATE)


def mention_words(user_ids: Iterable[int]) -> str:
    return " ".join(f"<@{user_id}>" for user_id in user_ids)


def address_sentence(user_ids: Iterable[int], text: str) -> str:
    """Put mentions before a sentence. Without users, as in a direct message, return the sentence alone."""
    names = mention_words(user_ids)
    return labelled(names, text) if names else text


def host_name(table: Table) -> str:
    return player_name(table, table.seat_of(table.host_id) or 0)


def former_player_name() -> str:
    return _("Deleted account")


def stored_name(name: str | None, escape: Callable[[str], str] = escape_name) -> str:
    """Return a stored name, made safe by ``escape``. No name is stored for a person whose data was deleted."""
    return escape(name) if name else former_player_name()


def table_link(table: Table) -> str:
    channel = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return channel if table.message_id is None else f"{channel}/{table.message_id}"


GROUP = "highscore"

# Global, because a process runs one bot. The ids are known once the commands are registered.
_ids: dict[str, int] = {}


def link_commands(ids: Mapping[str, int]) -> None:
    """Show commands as links from now on. ``ids`` are their ids by name; without any, commands are shown as text."""
    _ids.clear()
    _ids.update(ids)


def command_mention(name: str, *, linked: bool = False) -> str:
    """Return a command of the group as a link or, if its name is translated into the current language, as text.

    ``linked`` always gives the link, which shows the English name but works in every language. Before the ids are known
    there are no links. https://discord.com/developers/docs/reference#message-formatting
    """
    shown = pgettext(COMMAND, name)
    if GROUP in _ids and (linked or shown == name):
        return f"</{GROUP} {name}:{_ids[GROUP]}>"
    return f"`/{GROUP} {shown}`"

"""The English sentences as other languages have to say them: what each would make a translator guess."""

import gettext
import re
from collections.abc import Iterator

from bot.domain.badges import Badge
from bot.ui.badges import badge_name
from bot.ui.words import scoring_name
from highscore.cards import Scoring

OPEN, END, CLOSE = "\ue000", "\ue001", "\ue002"
"""The marks before the number of a message, behind it, and behind the text of the message."""
_MARK = re.compile(rf"{OPEN}(\d+){END}|{CLOSE}")
JOINED = {"{list} and {last}", "{list} or {last}", "{label}: {text}"}
"""The messages that make a list, or a line with a label: they may stand wherever what they are made of may."""

PEOPLE = frozenset({"player", "players", "people", "names", "winner", "other", "others", "moderator"})
"""The fields that have names of people."""
_WORDS = PEOPLE | {
    "role",
    "cup",
    "permissions",
    "challenge",
    "when",
    "day",
    "link",
    "thread",
    "channels",
    "command",
    "vortex",
    "gold",
}
"""The fields that have no number."""
_NO_NOUN = "of|or|and|on|to|too|in|at|is|was|minus|with|instead|again"
"""The words that may stand behind a number and take no form from it."""

_FIELD = re.compile(r"\{(\w+)\}")
_NUMBER_AND_NOUN = re.compile(rf"\{{(\w+)\}}[*`]* (?!(?:{_NO_NOUN})\b)[a-z]")
_DONE = r"(?:(?!need)\w+ed|been|begun|done|gone|got|had|kept|led|left|lost|made|ran|said|sat|stood|taken|took|won)"
_AGREES = re.compile(
    rf"\{{(?:{'|'.join(sorted(PEOPLE))})\}} (?:(?:has|have|was|were) (?:\w+ )?)?{_DONE}\b"
    rf"|\byou (?:(?:have|had|did|were)(?: not| already| just)? )?{_DONE}\b|\byou (?:did|were|had)\b"
    rf"|\byou are (?:not )?{_DONE}\b",
    re.IGNORECASE,
)


def has_name_within(text: str) -> bool:
    """Return whether a person's name stands where a language with cases would have to change it."""
    names = (match for match in _FIELD.finditer(text) if match[1] in PEOPLE)
    return any(not re.search(r"(?:^|:) ?[*`]*$", text[: match.start()]) for match in names)


def has_number_without_plural(text: str) -> bool:
    return any(match[1] not in _WORDS for match in _NUMBER_AND_NOUN.finditer(text))


def agrees_with_a_person(text: str) -> bool:
    """Return whether somebody has done or is done something: many languages need to know if it is a man or a woman."""
    return _AGREES.search(text) is not None


def begins_in_lower_case(text: str) -> bool:
    return text[:1].islower()


class Marking(gettext.NullTranslations):
    """English with marks around each message, so that it is known again wherever it has come to stand."""

    def __init__(self) -> None:
        super().__init__()
        self.known: list[str] = []

    def gettext(self, message: str) -> str:
        return self._mark(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._mark(msgid1, msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return message  # the name of a command, which may stand in any sentence

    def _mark(self, name: str, text: str) -> str:
        self.known.append(name)
        return f"{OPEN}{len(self.known) - 1}{END}{text}{CLOSE}"

    def find_nested(self, text: str) -> Iterator[tuple[str, str, bool]]:
        """Yield each message that stands in another one: the outer, the inner, and whether after more than a colon."""
        around: list[tuple[str, int]] = []
        for match in _MARK.finditer(text):
            if match[1] is None:
                around.pop()
                continue
            inner = self.known[int(match[1])]
            outer = next((each for each in reversed(around) if each[0] not in JOINED), None)
            if outer is not None and inner not in JOINED:
                before = _MARK.sub("", text[outer[1] : match.start()])
                yield outer[0], inner, ":" not in before and any(map(str.isalnum, before))
            around.append((inner, match.end()))


_CHIPS = (f"{{number}} {colour} chip" for colour in ("gold", "silver", "bronze"))
_PERMISSIONS = (
    *("View Channel", "Send Messages", "Create Public Threads", "Send Messages in Threads", "Embed Links"),
    *("Mention @everyone, @here, and All Roles", "Attach Files", "Read Message History"),
)
VALUES = frozenset(
    {
        *("You", "Deleted account", "Vortex", "High Score #{number}", "{number} h", "{number} min", "{number} s"),
        *_CHIPS,
        *_PERMISSIONS,
        *map(scoring_name, Scoring),
        *map(badge_name, Badge),
    }
)
"""The messages that are names or measures, and so may be fields of others: first or after a colon."""

"""Buttons and their meanings. A ``custom_id`` says everything, so that nothing has to be remembered or registered.

Each class has the fields of some buttons. Its ``wire`` is the custom_id with the names of the fields, whose types give
the pattern and the parser. bot.cogs.routes lists all buttons with their class and their handler, by the first two parts
of the custom_id. It has 1 to 100 characters:
https://discord.com/developers/docs/components/reference#anatomy-of-a-component
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Self

import discord

from bot.domain import practice
from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import Order
from bot.domain.table import Table
from bot.locales import _

FAME = "fame"


class Verb(Enum):
    """The request of a button of a table, a challenge or a cup."""

    JOIN = "join"
    ENTER = "enter"
    """Join from outside of the table's thread."""
    LEAVE = "leave"
    LUCKY_WORD = "word"
    START = "start"
    OPTIONS = "options"
    """Show, in private, what may be chosen in the lobby."""
    PACE = "pace"
    ORDER = "order"
    PLAY = "play"
    END = "end"
    """End a game in own pace without those who have not begun; with an argument once that was confirmed."""
    AGREE = "agree"
    """Agree that the game is cancelled, as the host asks."""
    DISAGREE = "disagree"
    TAKE = "take"
    TOGGLE = "die"
    ASK = "ask"
    """Ask whether the player means to keep so little. Only the message knows of it, as of picked dice."""
    STOP = "stop"
    ROLL = "roll"
    SET_ASIDE = "set"
    CALL = "call"
    """Call the server's role for players to a lobby with free seats."""
    ADD_HOUSE = "house"
    DROP_HOUSE = "nohouse"
    BACK = "back"
    WAKE = "wake"
    QUIT = "quit"
    CANCEL = "cancel"
    """Cancel the table; with an argument, ask the others to agree."""
    HINT = "hint"
    CARD = "card"
    RULES = "rules"
    REPORT = "report"
    SHARE = "share"
    SHARE_FINAL = "final"
    """Post the standings in the channel, as ``SHARE`` the report; the argument is 1 where the other was posted."""
    REMATCH = "again"
    PROOF = "proof"
    REVIEW = "review"
    """Show the decisions of a day; the argument is the page, 0 for the first."""
    LEARN = "learn"
    """Open the lesson from its beginning."""
    NEXT = "next"
    """Go on with the lesson."""
    NEW = "new"
    """Open a table of one's own, after the lesson."""
    TRY = "try"
    """Try a decision of a finished game again."""
    REMOVE = "remove"
    """Remove an entrant from a cup, as a moderator; the version is 1 once that was confirmed."""
    PROLONG = "prolong"
    """Prolong a leg of a cup."""
    DRAWS = "draws"
    """Check the draws of a finished cup."""
    RETRY = "retry"
    """Go back to where the decision that is tried again began."""


class Step(Enum):
    """The goal of a button of a history or a replay."""

    NEWER = "newer"
    OLDER = "older"
    """The page of the history after (``NEWER``) or before a game."""
    OPEN = "open"
    """The replay of a game, as a message of its own."""
    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    TURN = "turn"
    LAST = "last"
    """A position of a replay, from ``FIRST`` to ``LAST``: two buttons of a message must not have the same id."""
    FILE = "file"
    """The exported game."""
    PROOF = "proof"
    """The proof of a game, on its opening, which is no page of the table."""


class Wish(Enum):
    """The wish of somebody for their data."""

    FILE = "file"
    DELETE = "delete"
    SURE = "sure"
    """The first confirmation."""
    FOREVER = "forever"
    """The second confirmation: the data is deleted."""
    KEEP = "keep"


class SetupVerb(Enum):
    """The request of a button or a select of the setup."""

    OPEN = "open"
    """Begin the setup, in a message of one's own."""
    STEP = "step"
    PICK = "pick"
    """A select: what is picked is set."""
    TYPE = "type"
    """A dialog for what no select has."""
    CLEAR = "clear"
    """Leave out what was deleted among the things that a setting points to."""
    DONE = "done"


def any_of(values: type[Enum]) -> str:
    return "|".join(each.value for each in values)


@dataclass(frozen=True, slots=True)
class Part:
    """The text of a field in a custom_id."""

    pattern: str
    read: Callable[[str], Any] = str
    """The function that parses a text that matches. Raises ValueError for a value out of range."""
    write: Callable[[Any], str] = str


@dataclass(frozen=True, slots=True)
class Action:
    """The meaning of a button that was pressed, or of a dialog that was sent."""

    wire: ClassVar[str]
    """The custom_id, with the names of the fields in braces. A ``0`` is padding, and any number is read in its place:
    older messages have some, and other classes have a field there."""
    command: ClassVar[str] = ""
    """The name in the log, unless it is the second part of the custom_id."""

    @property
    def custom_id(self) -> str:
        """The text Discord sends back when the button is pressed."""
        parts, _pattern = _codec_of(self.__class__)
        return self.wire.format_map({name: part.write(getattr(self, name)) for name, part in parts.items()})

    @property
    def subject_id(self) -> str | None:
        """The table, finished game, challenge or cup that the button is about, if any. They never share an id."""
        return next((getattr(self, each.name) for each in fields(self) if each.type is Id), None)

    @classmethod
    def reads(cls, custom_id: str) -> bool:
        """Return whether a custom_id has the form of this class."""
        _parts, pattern = _codec_of(cls)
        return pattern.fullmatch(custom_id) is not None

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        """Read a custom_id. Raise ValueError unless a button of this class can have it."""
        parts, pattern = _codec_of(cls)
        found = pattern.fullmatch(custom_id)
        if found is None:
            raise ValueError(f"no {cls.__name__} has the id {custom_id!r}")
        return cls(**{name: part.read(found[name]) for name, part in parts.items()})


def _make_codec(action: type[Action]) -> tuple[Mapping[str, Part], re.Pattern[str]]:
    """Return the part of each field, and the pattern of all custom_ids."""
    parts = {each.name: _part_of(each.type) for each in fields(action)}
    groups = {name: f"(?P<{name}>{part.pattern})" for name, part in parts.items()}
    return parts, re.compile(re.sub(r":0\b", ":[0-9]+", action.wire).format_map(groups))


_codec_of: Callable[[Any], tuple[Mapping[str, Part], re.Pattern[str]]] = cache(_make_codec)


def _part_of(kind: Any) -> Part:
    """Return the part of a type: a bool, an Enum, or one that is annotated with a pattern, a range or a part."""
    if kind is bool:
        return Part("[01]", "1".__eq__, lambda value: str(int(value)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Part(any_of(kind), kind, attrgetter("value"))
    match kind.__metadata__[0]:
        case str(pattern):
            return Part(pattern)
        case range() as numbers:
            digits = len(str(numbers[-1]))
            return Part(f"[0-9]{{1,{digits}}}", lambda text: numbers.index(int(text)))
        case Part() as part:
            return part
    raise TypeError(f"no custom_id can have a {kind}")


def _read_spot(text: str) -> practice.Spot:
    return practice.Spot(int(text[0]), int(text[1]), text[2:])


Id = Annotated[str, "[0-9a-f]{12}"]
"""The id of a table or finished game, of a challenge, or of a cup."""
UserId = Annotated[int, range(2**63)]
"""An id of Discord's that a column of the database takes. No real id comes near the limit this century."""
Version = Annotated[int, range(10**9)]
Number = Annotated[int, range(10**9)]
Page = Annotated[int, range(1000)]
Spot = Annotated[
    practice.Spot,
    Part(f"[1-7][0-4]{practice.POSITION}", _read_spot, lambda spot: f"{spot.round}{spot.seat}{spot.start}"),
]
Position = Annotated[str, practice.POSITION]
"""A position of a turn, packed."""
Setting = Annotated[str, "[a-z_]{1,32}"]


class Kind(Enum):
    """The owner of a button."""

    TABLE = "hs"
    DAILY = "hd"
    RUN = "hr"
    """A run in own pace at a table; the version is the step of the run, which begins with the seat."""
    CUP = "hc"
    """A cup, and a leg of it on a private page; the version is the leg, or in play the step of the attempt."""


class TurnPress(Action):
    """A button of a turn, which says a set of dice as bits: die 1 is bit 0."""

    __slots__ = ()
    verb: Verb
    argument: int
    """The dice, for the verbs that have some."""

    @property
    def positions(self) -> tuple[int, ...]:
        """The dice of the argument, as positions 0 to 6."""
        return tuple(at for at in range(7) if self.argument >> at & 1)


@dataclass(frozen=True, slots=True)
class Press(TurnPress):
    """A button of a table or of a daily challenge."""

    wire: ClassVar = "{kind}:{verb}:{table_id}:{version}:{argument}"

    verb: Verb
    table_id: Id
    """The id of the table, of the challenge, or of the cup."""
    version: Version
    argument: Page = 0
    kind: Kind = Kind.TABLE


@dataclass(frozen=True, slots=True)
class LessonPress(TurnPress):
    """A button of the lesson."""

    wire: ClassVar = "hl:{verb}:{step}:{argument}"
    command: ClassVar = "learn"

    verb: Verb
    step: Annotated[int, range(100)] = 0
    argument: Page = 0


@dataclass(frozen=True, slots=True)
class PracticePress(TurnPress):
    """A button of a decision of a finished game that is tried again."""

    wire: ClassVar = "ht:{verb}:{game_id}:{spot}:{position}:{argument}"
    command: ClassVar = "try"

    verb: Verb
    game_id: Id
    spot: Spot
    position: Position
    """The position on the screen."""
    argument: Page = 0


@dataclass(frozen=True, slots=True)
class GuidePress(Action):
    """A button to a page of the guide, counted from 0."""

    wire: ClassVar = "hg:page:{page}"
    command: ClassVar = "rules"

    page: Annotated[int, range(100)]


@dataclass(frozen=True, slots=True)
class HistoryPress(Action):
    """A button to the page of a history after or before a game."""

    wire: ClassVar = "ha:{step}:{game_id}:0:{user_id}"
    command: ClassVar = "replay"

    step: Step
    game_id: Id
    user_id: UserId = 0
    """The user whose history it is; 0 for that of the server."""


@dataclass(frozen=True, slots=True)
class ReplayPress(Action):
    """A button to a position of a replay, counted from 0."""

    wire: ClassVar = "ha:{step}:{game_id}:{position}:0"
    command: ClassVar = "replay"

    step: Step
    game_id: Id
    position: Annotated[int, range(10**6)] = 0


@dataclass(frozen=True, slots=True)
class RecordPress(Action):
    """A button for the file or the proof of a game."""

    wire: ClassVar = "ha:{step}:{table_id}:0:0"
    command: ClassVar = "replay"

    step: Step
    table_id: Id


@dataclass(frozen=True, slots=True)
class LeaderboardPress(Action):
    """A button to a page of a leaderboard or of the hall of fame."""

    wire: ClassVar = "hb:{board}:{period}:{page}:{user_id}"
    command: ClassVar = "leaderboard"

    board: Annotated[str, f"{FAME}|{any_of(Order)}"]
    """The order of the leaderboard (an ``Order``), or the hall of fame."""
    period: Annotated[str, f"{ALL_TIME}|[0-9]{{4}}(?:-[0-9QH][0-9]?)?"]
    page: Annotated[int, range(10**4)]
    user_id: UserId
    """The user who asked for the leaderboard, and whose own line it shows."""


@dataclass(frozen=True, slots=True)
class DataPress(Action):
    """A button about a user's data, for that user only."""

    wire: ClassVar = "hp:{wish}:{user_id}"
    command: ClassVar = "me"

    wish: Wish
    user_id: UserId


@dataclass(frozen=True, slots=True)
class AwayPress(Action):
    """The button that ends an absence."""

    wire: ClassVar = "hw:back"
    command: ClassVar = "away"


@dataclass(frozen=True, slots=True)
class SetupPress(Action):
    """A button that begins or ends the setup."""

    wire: ClassVar = "hu:{verb}:all"
    command: ClassVar = "setup"

    verb: SetupVerb


@dataclass(frozen=True, slots=True)
class SetupStep(Action):
    """A button to a step of the setup, counted from 0."""

    wire: ClassVar = "hu:step:{step}"
    command: ClassVar = "setup"

    step: Annotated[int, range(100)]


@dataclass(frozen=True, slots=True)
class SettingPress(Action):
    """A button or a select of a setting."""

    wire: ClassVar = "hu:{verb}:{setting}"
    command: ClassVar = "setup"

    verb: SetupVerb
    setting: Setting


@dataclass(frozen=True, slots=True)
class WordDialog(Action):
    """The dialog for a lucky word."""

    wire: ClassVar = "hs:word:{table_id}"

    table_id: Id


@dataclass(frozen=True, slots=True)
class SetupDialog(Action):
    """The dialog for a setting that no select has."""

    wire: ClassVar = "hu:typed:{setting}"
    command: ClassVar = "setup"

    setting: Setting


@dataclass(frozen=True, slots=True)
class UnknownPress(Action):
    """A button that there is not: a forged one, or one of another version of the bot."""

    command: ClassVar = "unknown"


class ActionItem(
    discord.ui.DynamicItem[discord.ui.Item[discord.ui.View]],
    # bot.cogs.routes refuses what no button says.
    template=re.compile("h[a-z]:.*", re.DOTALL),
):
    """Any button, or any select, of any message, also of one that was sent before a restart.

    A select's ``custom_id`` says what is picked, not which (``bot.cogs.common.picked_value``).
    """

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the item of a press, for discord.py."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press on to be answered whatever happens: discord.py only logs an error from here."""
        await interaction.client.dispatcher.answer_press(interaction, self.custom_id)


def button(
    action: Action,
    label: str | None = None,
    *,
    emoji: str | None = None,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    disabled: bool = False,
    row: int = 0,
) -> ActionItem:
    look: discord.ui.Button[discord.ui.View] = discord.ui.Button(
        custom_id=action.custom_id, label=label, emoji=emoji and _emoji(emoji), style=style, disabled=disabled, row=row
    )
    return ActionItem(look)


# There are few emoji, and reading one takes longer than all the rest of a button.
_emoji = cache(discord.PartialEmoji.from_str)


def select(
    action: Action,
    options: Sequence[discord.SelectOption],
    *,
    placeholder: str | None = None,
    row: int | None = None,
) -> ActionItem:
    look: discord.ui.Select[discord.ui.View] = discord.ui.Select(
        custom_id=action.custom_id, options=list(options), placeholder=placeholder, row=row
    )
    return ActionItem(look)


def table_press(table: Table, verb: Verb, argument: int = 0) -> Press:
    """Return the press of a button of a table as the table is now."""
    return Press(verb, table.id, table.version, argument)


def to_bits(positions: Iterable[int]) -> int:
    """Return positions 0 to 6 as the argument of a button."""
    return sum(1 << at for at in positions)


def page_buttons(before: Action | None, following: Action | None, row: int = 0) -> list[ActionItem]:
    """Return the buttons to the pages before and after, where there are such."""
    ways = ((before, _("Back"), "◀️"), (following, _("Next"), "▶️"))
    return [button(way, label, emoji=emoji, row=row) for way, label, emoji in ways if way is not None]


def make_view(items: Sequence[ActionItem]) -> discord.ui.View:
    """Make a view for one sending of a message.

    Always a fresh one, of DynamicItems only: discord.py keeps views with ordinary items in memory, and stopping one
    that holds a DynamicItem unregisters the class for the whole bot.
    """
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view

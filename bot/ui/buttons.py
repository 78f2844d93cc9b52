"""Buttons and their actions. The ``custom_id`` says what a press means, so the bot does not store sent buttons.

Each class below is for the buttons that have the same fields. The decorator of a class shows where each field stands in
the custom_id, and the type of a field says how it is written and read. bot.cogs.routes finds the class and the handler
of a button by the first two parts of its custom_id. Discord allows a custom_id 1 to 100 characters:
https://discord.com/developers/docs/components/reference#anatomy-of-a-component
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Self, TypeVar, cast, dataclass_transform

import discord

from bot.domain import practice
from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import Order
from bot.domain.table import Table
from bot.locales import _

A = TypeVar("A", bound="Action")
FAME = "fame"


class Verb(Enum):
    JOIN = "join"
    ENTER = "enter"
    """Join a table from outside its thread, or enter a cup."""
    LEAVE = "leave"
    LUCKY_WORD = "word"
    START = "start"
    START_ALONE = "solo"
    OPTIONS = "options"
    CHANGE = "change"
    """Open the dialog with the options of a table."""
    PLAY = "play"
    END = "end"
    AGREE = "agree"
    DISAGREE = "disagree"
    TAKE = "take"
    TOGGLE = "die"
    ASK = "ask"
    """Ask the player whether to end the turn with 0 or less. Like picked dice, this is stored only in the buttons."""
    STOP = "stop"
    ROLL = "roll"
    SET_ASIDE = "set"
    CALL = "call"
    ADD_HOUSE = "house"
    DROP_HOUSE = "nohouse"
    BACK = "back"
    WAKE = "wake"
    QUIT = "quit"
    CANCEL = "cancel"
    HINT = "hint"
    CARD = "card"
    RULES = "rules"
    REPORT = "report"
    FIGURES = "figures"
    SHARE = "share"
    SHARE_FINAL = "final"
    """Post the standings in the channel; ``SHARE`` posts the report."""
    TEXT = "text"
    REMATCH = "again"
    PROOF = "proof"
    REVIEW = "review"
    LEARN = "learn"
    NEXT = "next"
    NEW = "new"
    TRY = "try"
    REMOVE = "remove"
    PROLONG = "prolong"
    DRAWS = "draws"
    RETRY = "retry"
    DARE = "dare"


class Step(Enum):
    """A step in a list of games or in a replay. Two steps may lead to the same position. They have different values,
    because no two buttons of a message may have the same custom_id.
    """

    NEWER = "newer"
    OLDER = "older"
    OPEN = "open"
    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    TURN = "turn"
    LAST = "last"
    FILE = "file"
    PROOF = "proof"
    """The button of openings that were sent before *Proof* was moved to *Card* and the standings."""


class Wish(Enum):
    FILE = "file"
    DELETE = "delete"
    SURE = "sure"
    FOREVER = "forever"
    """The second confirmation, after which the data is deleted."""
    KEEP = "keep"


class SetupVerb(Enum):
    OPEN = "open"
    PICK = "pick"
    TYPE = "type"
    """Open a dialog for values that no select has."""
    CLEAR = "clear"
    """Remove deleted channels and roles from a setting."""
    DONE = "done"


def enum_pattern(values: type[Enum]) -> str:
    return "|".join(each.value for each in values)


@dataclass(frozen=True, slots=True)
class Part:
    """How a field is written in a custom_id."""

    pattern: str
    read: Callable[[str], Any] = str
    """Parses a text that matches the pattern. Raises ValueError for a value out of range."""
    write: Callable[[Any], str] = str


class Action:
    """The action of a button, a select or a dialog, which can be written as a custom_id and read from one."""

    __slots__ = ()
    layout: ClassVar[str]
    command: ClassVar[str]
    parts: ClassVar[Mapping[str, Part]]
    pattern: ClassVar[re.Pattern[str]]

    @property
    def custom_id(self) -> str:
        return self.layout.format_map({name: part.write(getattr(self, name)) for name, part in self.parts.items()})

    @property
    def subject_id(self) -> str | None:
        """The id of the table, finished game, challenge or cup that the action is about, or None."""
        return next((getattr(self, name) for name, part in self.parts.items() if part is _ID), None)

    @classmethod
    def matches(cls, custom_id: str) -> bool:
        return cls.pattern.fullmatch(custom_id) is not None

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        """Read a custom_id. Raise ValueError if no button of this class can have it."""
        found = cls.pattern.fullmatch(custom_id)
        if found is None:
            raise ValueError(f"no {cls.__name__} has the id {custom_id!r}")
        return cls(**{name: part.read(found[name]) for name, part in cls.parts.items()})


@dataclass_transform(frozen_default=True)
def custom_id(text: str, command: str = "") -> Callable[[type[A]], type[A]]:
    """Make a class a frozen dataclass whose custom_id is ``text``, with the names of the fields in braces.

    A ``0`` in the text is padding. ``parse`` accepts any number there, because buttons of older messages and of other
    classes have a field in that place. The log names the action by ``command`` or, without it, by the second part of
    the custom_id.
    """

    def decorate(action: type[A]) -> type[A]:
        made: Any = dataclass(frozen=True, slots=True)(action)
        made.layout, made.command = text, command
        made.parts = {each.name: _part_of(each.type) for each in fields(made)}
        groups = {name: f"(?P<{name}>{part.pattern})" for name, part in made.parts.items()}
        made.pattern = re.compile(re.sub(r":0\b", ":[0-9]+", text).format_map(groups))
        return cast("type[A]", made)

    return decorate


def _part_of(kind: Any) -> Part:
    """Return how a field of this type is written: a bool, an Enum, or a type annotated with a pattern, a range or a
    ``Part``.
    """
    if kind is bool:
        return Part("[01]", "1".__eq__, lambda value: str(int(value)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Part(enum_pattern(kind), kind, attrgetter("_value_"))
    match kind.__metadata__[0]:
        case str(pattern):
            return Part(pattern)
        case range() as numbers:
            digits = len(str(numbers[-1]))
            return Part(f"[0-9]{{1,{digits}}}", lambda text: numbers.index(int(text)))
        case Part() as part:
            return part
    raise TypeError(f"no custom_id can have a {kind}")


def _read_dice(text: str) -> tuple[int, ...]:
    bits = range(1 << 7).index(int(text))
    return tuple(at for at in range(7) if bits >> at & 1)


def _read_spot(text: str) -> practice.Spot:
    return practice.Spot(int(text[0]), int(text[1]), text[2:])


_ID = Part("[0-9a-f]{12}")
Id = Annotated[str, _ID]
"""The id of a table or finished game, of a challenge, or of a cup."""
UserId = Annotated[int, range(2**63)]
"""A Discord id that fits into a column of the database. No real id comes near the limit this century."""
Number = Annotated[int, range(10**9)]
Page = Annotated[int, range(1000)]
Dice = Annotated[tuple[int, ...], Part("[0-9]{1,3}", _read_dice, lambda dice: str(sum(1 << at for at in dice)))]
"""Positions of dice, 0 to 6, written as a sum of bits: 37 is 1 + 4 + 32, the dice 0, 2 and 5."""
Spot = Annotated[
    practice.Spot,
    Part(f"[1-7][0-4]{practice.POSITION}", _read_spot, lambda spot: f"{spot.round}{spot.seat}{spot.start}"),
]
Position = Annotated[str, practice.POSITION]
Setting = Annotated[str, "[a-z_]{1,32}"]


@custom_id("hs:{verb}:{table_id}:{version}:0")
class TablePress(Action):
    verb: Verb
    table_id: Id
    version: Number


@custom_id("hs:{verb}:{table_id}:{version}:{dice}")
class TurnPress(TablePress):
    dice: Dice = ()


@custom_id("hs:{verb}:{table_id}:{version}:{only_ask}")
class CancelPress(TablePress):
    """The button with which a user confirms that they want to cancel a game."""

    only_ask: bool
    """True if the press only asks the other players to agree."""


@custom_id("hs:{verb}:{table_id}:{version}:{is_last}")
class SharePress(TablePress):
    is_last: bool
    """True if this is the only post that is still offered: either the report or the standings."""


@custom_id("hr:{verb}:{table_id}:{step}:{dice}")
class RunPress(Action):
    """A button on the private page of a run at a table, or the public *Play* button that opens this page. *Play* always
    has step 0.
    """

    verb: Verb
    table_id: Id
    step: Number
    """The step of the run. It contains the seat, so two seats never have the same step."""
    dice: Dice = ()


@custom_id("hr:end:{table_id}:0:{confirmed}")
class EndRuns(Action):
    """The button that ends a game in own pace and leaves out players who have not begun."""

    table_id: Id
    confirmed: bool = False


class ChallengeKind(Enum):
    DAILY = "hd"
    LEG = "hc"
    DARE = "hx"


@custom_id("{kind}:{verb}:{challenge_id}:{step}:{dice}")
class ChallengePress(Action):
    """A button on the private page of a daily challenge, a leg or a dare. With step 0, it may be on a public post."""

    kind: ChallengeKind
    verb: Verb
    challenge_id: Id
    step: Number = 0
    dice: Dice = ()


@custom_id("{kind}:review:{challenge_id}:{step}:{page}")
class ReviewPress(Action):
    kind: ChallengeKind
    challenge_id: Id
    step: Number = 0
    """The step of the attempt. Nothing reads it any more."""
    page: Page = 0
    """The page, counted from 1. 0 opens the review in a message of its own."""


@custom_id("hd:play:{daily_id}:{number}:0")
class DailyPress(Action):
    daily_id: Id
    """The challenge that the message with the button is about."""
    number: Number = 0
    """The number of the day to play; 0 for the day on which the button is pressed."""


@custom_id("hc:{verb}:{cup_id}:{leg}:0")
class CupPress(Action):
    verb: Verb
    cup_id: Id
    leg: Number = 0


@custom_id("hc:options:{cup_id}:{page}:0")
class CupPage(Action):
    """The button or select that shows a cup. ``page`` is the page of the entrants that a moderator can remove."""

    cup_id: Id
    page: Number = 0


@custom_id("hc:report:{cup_id}:{leg}:{row}")
class ResultsPress(Action):
    """A button to the results of a closed leg, or a select of its matches."""

    cup_id: Id
    leg: Number
    row: Page = 0
    """The row of the select. No two selects of a message may have the same custom_id."""


@custom_id("hc:{verb}:{cup_id}:{confirmed}:0")
class CupQuestion(Action):
    """The button that leaves or ends a cup. It asks for confirmation first."""

    verb: Verb
    cup_id: Id
    confirmed: bool = False


@custom_id("hc:remove:{cup_id}:{confirmed}:{entrant}")
class RemoveEntrant(Action):
    """The select of the entrants that a moderator can remove, or the button that confirms one."""

    cup_id: Id
    confirmed: bool = False
    entrant: Page = 0
    """The number of the entrant, if it is ``confirmed``."""


@custom_id("hl:{verb}:{step}:{dice}", command="learn")
class LessonPress(Action):
    verb: Verb
    step: Annotated[int, range(100)] = 0
    dice: Dice = ()


@custom_id("ht:{verb}:{table_id}:{spot}:{position}:{dice}", command="try")
class PracticePress(Action):
    """A button on the page on which a user tries a decision of a finished game again."""

    verb: Verb
    table_id: Id
    spot: Spot
    position: Position
    dice: Dice = ()


DicePress = TurnPress | RunPress | ChallengePress | LessonPress | PracticePress
"""A button of a turn, at a table or played alone. Most of them carry a decision, or the dice picked for one."""


@custom_id("hg:page:{page}", command="rules")
class GuidePress(Action):
    """A button to a page of the guide, counted from 0."""

    page: Annotated[int, range(100)]


@custom_id("hg:help", command="help")
class HelpPress(Action):
    """The button that shows all commands."""


@custom_id("ha:{step}:{game_id}:0:{user_id}", command="replay")
class HistoryPress(Action):
    step: Step
    game_id: Id
    user_id: UserId = 0
    """The user whose games are listed; 0 for all games of the server."""


@custom_id("ha:{step}:{game_id}:{position}:0", command="replay")
class ReplayPress(Action):
    """A button to a position of a replay, counted from 0."""

    step: Step
    game_id: Id
    position: Annotated[int, range(10**6)] = 0


@custom_id("ha:{step}:{table_id}:0:0", command="replay")
class RecordPress(Action):
    step: Step
    table_id: Id


@custom_id("ha:more:{user_id}", command="stats")
class FiguresPress(Action):
    """The button that shows all other figures of a user."""

    user_id: UserId


@custom_id("hb:{board}:{period}:{page}:{user_id}", command="leaderboard")
class LeaderboardPress(Action):
    board: Annotated[str, f"{FAME}|{enum_pattern(Order)}"]
    """The order of the leaderboard (an ``Order``), or the hall of fame."""
    period: Annotated[str, f"{ALL_TIME}|[0-9]{{4}}(?:-[0-9QH][0-9]?)?"]
    page: Annotated[int, range(10**4)]
    user_id: UserId
    """The user who asked for the leaderboard, and whose own line it shows."""


@custom_id("hb:counting:{order}", command="leaderboard")
class CountingPress(Action):
    """The button that explains what a leaderboard counts."""

    order: Order


@custom_id("hp:{wish}:{user_id}", command="me")
class DataPress(Action):
    wish: Wish
    user_id: UserId


@custom_id("hw:back", command="away")
class AwayPress(Action):
    """The button that ends an absence."""


@custom_id("hu:{verb}:all", command="setup")
class SetupPress(Action):
    """A button that begins or ends the setup."""

    verb: SetupVerb


@custom_id("hu:step:{step}", command="setup")
class SetupStep(Action):
    """A button to a step of the setup, counted from 0."""

    step: Annotated[int, range(100)]


@custom_id("hu:{verb}:{setting}", command="setup")
class SettingPress(Action):
    verb: SetupVerb
    setting: Setting


@custom_id("hs:word:{table_id}")
class WordDialog(Action):
    table_id: Id


@custom_id("hs:change:{table_id}")
class OptionsDialog(Action):
    table_id: Id


@custom_id("hu:typed:{setting}", command="setup")
class SetupDialog(Action):
    setting: Setting


@custom_id("", command="unknown")
class UnknownPress(Action):
    """A custom_id that no button has: a forged one, or one from another version of the bot."""


class ActionItem(
    discord.ui.DynamicItem[discord.ui.Item[discord.ui.View]],
    template=re.compile(".*", re.DOTALL),  # bot.cogs.routes refuses unknown custom_ids.
):
    """Any button or select of any message, including messages sent before a restart."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pass the press to the dispatcher, which always answers. discord.py would only log an error raised here."""
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


# There are few emoji, and parsing one takes longer than making the rest of a button.
_emoji = cache(discord.PartialEmoji.from_str)


def select(
    action: Action, options: Sequence[discord.SelectOption], *, placeholder: str | None = None, row: int | None = None
) -> ActionItem:
    look: discord.ui.Select[discord.ui.View] = discord.ui.Select(
        custom_id=action.custom_id, options=list(options), placeholder=placeholder, row=row
    )
    return ActionItem(look)


def table_press(table: Table, verb: Verb) -> TablePress:
    return TablePress(verb, table.id, table.version)


def turn_press(table: Table, verb: Verb, dice: tuple[int, ...] = ()) -> TurnPress:
    return TurnPress(verb, table.id, table.version, dice)


def page_buttons(before: Action | None, following: Action | None, row: int = 0) -> list[ActionItem]:
    pages = ((before, _("Back"), "◀️"), (following, _("Next"), "▶️"))
    return [button(action, label, emoji=emoji, row=row) for action, label, emoji in pages if action is not None]


def make_link_view(label: str, url: str) -> discord.ui.View:
    """Make a view of one link. discord.py does not hold it in memory, because pressing a link sends no interaction."""
    return discord.ui.View(timeout=None).add_item(discord.ui.Button(label=label, url=url))


def make_view(items: Sequence[ActionItem]) -> discord.ui.View:
    """Make a view for one request to Discord.

    Never use a view twice, and put only DynamicItems into it. discord.py holds views with ordinary items in memory, and
    stopping a view with a DynamicItem unregisters its class for the whole bot.
    """
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view

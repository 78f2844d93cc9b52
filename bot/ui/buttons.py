"""Buttons and their meanings. A ``custom_id`` says everything, so that nothing has to be remembered or registered.

========================================  =============================================================
``hs:verb:table:version:argument``        a table, for example ``hs:roll:5f0c9a17e2b4:12:37``
``hd:verb:daily:step:argument``           a daily challenge
``hr:verb:table:step:argument``           one's own run at a table, on a private page
``hc:verb:cup:leg:argument``              a cup; in play ``hc:verb:challenge:step:argument``, as of a daily challenge
``hg:page:leaf``                          the guide
``hl:verb:step:argument``                 the lesson
``ht:verb:game:spot:position:argument``   a decision of a finished game that is tried again
``ha:step:game:number:user``              the history and replays
``hb:board:period:leaf:user``             a leaderboard (``fame`` is the hall of fame)
``hp:wish:user``                          somebody's data: nobody else's press does anything
``hw:back``                               the end of an absence
``hu:verb:what``                          the settings of a server: a step, or a setting
========================================  =============================================================

The first two fields are the prefix by which bot.cogs.routes finds the handler. A custom_id has 1 to 100 characters:
https://discord.com/developers/docs/components/reference#anatomy-of-a-component
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Self

import discord

from bot.domain.practice import POSITION, Spot
from bot.domain.table import Table
from bot.locales import _
from bot.ui.actions import Action, AwayPress, DataPress, GuidePress, HistoryPress, LeaderboardPress, SetupPress, any_of


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
    """Show the decisions of a day; the argument is the leaf, 0 for the first."""
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

    pattern: ClassVar[str] = rf"(?:{any_of(Kind)}):(?:{any_of(Verb)}):[0-9a-f]{{12}}:[0-9]{{1,9}}:[0-9]{{1,3}}"

    verb: Verb
    table_id: str
    """The id of the table, of the challenge, or of the cup."""
    version: int
    argument: int = 0
    kind: Kind = Kind.TABLE

    @property
    def custom_id(self) -> str:
        return f"{self.kind.value}:{self.verb.value}:{self.table_id}:{self.version}:{self.argument}"

    @property
    def command(self) -> str:
        return self.verb.value

    @property
    def game_id(self) -> str:
        return self.table_id

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        kind, verb, table_id, version, argument = custom_id.split(":")
        return cls(Verb(verb), table_id, int(version), int(argument), Kind(kind))


@dataclass(frozen=True, slots=True)
class LessonPress(TurnPress):
    """A button of the lesson."""

    prefix: ClassVar[str] = "hl"
    pattern: ClassVar[str] = "hl:(?:learn|next|new|play|take|die|stop|roll|set|card):[0-9]{1,2}:[0-9]{1,3}"
    command: ClassVar[str] = "learn"

    verb: Verb
    step: int = 0
    """The step of the lesson."""
    argument: int = 0


@dataclass(frozen=True, slots=True)
class PracticePress(TurnPress):
    """A button of a decision that is tried again."""

    pattern: ClassVar[str] = (
        rf"ht:(?:try|retry|die|ask|stop|roll|set|card):[0-9a-f]{{12}}:[1-7][0-4]{POSITION}:{POSITION}:[0-9]{{1,3}}"
    )
    command: ClassVar[str] = "try"

    verb: Verb
    game_id: str
    spot: Spot
    position: str
    """The position on the screen, packed."""
    argument: int = 0

    @property
    def custom_id(self) -> str:
        spot = f"{self.spot.round}{self.spot.seat}{self.spot.start}"
        return f"ht:{self.verb.value}:{self.game_id}:{spot}:{self.position}:{self.argument}"

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        _prefix, verb, game_id, spot, position, argument = custom_id.split(":")
        return cls(Verb(verb), game_id, Spot(int(spot[0]), int(spot[1]), spot[2:]), position, int(argument))


ACTIONS: tuple[type[Action], ...] = (
    Press,
    LessonPress,
    PracticePress,
    GuidePress,
    HistoryPress,
    LeaderboardPress,
    DataPress,
    AwayPress,
    SetupPress,
)


class ActionItem(
    discord.ui.DynamicItem[discord.ui.Item[discord.ui.View]],
    template=re.compile("|".join(action.pattern for action in ACTIONS)),
):
    """Any button, or any select, of any message, also of one that was sent before a restart.

    A select's ``custom_id`` says what is picked, not which (``bot.cogs.common.picked_value``).
    """

    @classmethod
    def reads(cls, custom_id: str) -> bool:
        """Return whether a custom_id is one of our buttons'."""
        return cls.__discord_ui_compiled_template__.fullmatch(custom_id) is not None

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


def leaf_buttons(before: Action | None, following: Action | None, row: int = 0) -> list[ActionItem]:
    """Return the buttons to the leaves before and after, where there are such."""
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

"""Buttons and what they say. A ``custom_id`` says everything, so that nothing has to be remembered or registered.

========================================  =============================================================
``hs:verb:table:version:argument``        a table, for example ``hs:roll:5f0c9a17e2b4:12:37``
``hd:verb:daily:version:argument``        a daily challenge
``hr:verb:table:step:argument``           one's own run at a table, on a private page
``hg:page:number``                        the guide
``ha:step:game:number:user``              the history and replays
``hb:board:period:page:user``             a leaderboard (``fame`` is the hall of fame)
``hp:wish:user``                          somebody's data: nobody else's press does anything
========================================  =============================================================

The first two fields are the prefix by which bot.cogs.routes finds the handler. A custom_id has 1 to 100 characters:
https://discord.com/developers/docs/components/reference#anatomy-of-a-component
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Protocol, Self

import discord

from bot.domain.leaderboard import LAST_PAGE, Order
from bot.domain.season import ALL_TIME
from bot.domain.table import Table

LARGEST_ID = 2**63 - 1
"""The largest id of Discord's that a database's column takes. No id comes near it this century."""


class Verb(Enum):
    """What a button of a table or a daily challenge asks for."""

    JOIN = "join"
    ENTER = "enter"
    """The same from outside of the table's thread."""
    LEAVE = "leave"
    LUCKY_WORD = "word"
    START = "start"
    PLAY = "play"
    TAKE = "take"
    TOGGLE = "die"
    ASK = "ask"
    """Whether the player means to keep so little. Like a pick of a die, it is known to the message alone."""
    STOP = "stop"
    ROLL = "roll"
    SET_ASIDE = "set"
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
    REMATCH = "again"
    PROOF = "proof"


class Kind(Enum):
    """What a button belongs to."""

    TABLE = "hs"
    DAILY = "hd"
    RUN = "hr"
    """One person's own pace at a table; the version is the step of their run."""


class Step(Enum):
    """Where a button of a history or a replay leads."""

    NEWER = "newer"
    OLDER = "older"
    """The page of the history after, or before, a game."""
    OPEN = "open"
    """The replay of a game, as a message of its own."""
    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    TURN = "turn"
    LAST = "last"
    """To a position of a replay. They differ only so that two buttons of a message never have the same id."""
    FILE = "file"
    """The exported game."""


class Wish(Enum):
    """What somebody wants done with their data."""

    FILE = "file"
    DELETE = "delete"
    SURE = "sure"
    """The first confirmation."""
    FOREVER = "forever"
    """The second one: it is done."""
    KEEP = "keep"


class Action(Protocol):
    """What a pressed button says."""

    pattern: ClassVar[str]
    """Regular expression of all its custom_ids."""

    @property
    def custom_id(self) -> str:
        """The text Discord sends back when the button is pressed."""

    @property
    def command(self) -> str:
        """What it is called in the log."""

    @property
    def game_id(self) -> str | None:
        """The table, game or daily challenge it is about."""

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        """Read a custom_id that matches the pattern."""


def _any(values: type[Enum]) -> str:
    return "|".join(each.value for each in values)


@dataclass(frozen=True, slots=True)
class Press:
    """A button of a table or of a daily challenge."""

    pattern: ClassVar[str] = rf"(?:{_any(Kind)}):(?:{_any(Verb)}):[0-9a-f]{{12}}:[0-9]{{1,9}}:[0-9]{{1,3}}"

    verb: Verb
    table_id: str
    """Of the table, or of the daily challenge."""
    version: int
    argument: int = 0
    """A set of dice as bits (die 1 is bit 0), for the verbs that have one."""
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

    @property
    def positions(self) -> tuple[int, ...]:
        """The dice of the argument, as positions 0 to 6."""
        return tuple(at for at in range(7) if self.argument >> at & 1)


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of the guide, counted from 0."""

    pattern: ClassVar[str] = "hg:page:[0-9]{1,2}"
    command: ClassVar[str] = "rules"
    game_id: ClassVar[None] = None

    number: int

    @property
    def custom_id(self) -> str:
        return f"hg:page:{self.number}"

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        return cls(int(custom_id.split(":")[2]))


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of a history, or a position of a replay."""

    pattern: ClassVar[str] = rf"ha:(?:{_any(Step)}):[0-9a-f]{{12}}:[0-9]{{1,6}}:[0-9]{{1,20}}"
    command: ClassVar[str] = "replay"

    step: Step
    game_id: str
    number: int = 0
    """The position to show, counted from 0."""
    user_id: int = 0
    """Whose history it is; 0 for that of the server."""

    @property
    def custom_id(self) -> str:
        return f"ha:{self.step.value}:{self.game_id}:{self.number}:{self.user_id}"

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        _prefix, step, game_id, number, user_id = custom_id.split(":")
        return cls(Step(step), game_id, int(number), min(int(user_id), LARGEST_ID))


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a leaderboard or of the hall of fame."""

    pattern: ClassVar[str] = (
        rf"hb:(?:fame|{_any(Order)}):(?:{ALL_TIME}|[0-9]{{4}}(?:-[0-9QH][0-9]?)?):[0-9]{{1,4}}:[0-9]{{1,20}}"
    )
    command: ClassVar[str] = "leaderboard"
    game_id: ClassVar[None] = None

    order: Order | None
    """None: the hall of fame."""
    period: str
    page: int
    user_id: int
    """Who asked for it, and whose own line it shows."""

    @property
    def custom_id(self) -> str:
        board = "fame" if self.order is None else self.order.value
        return f"hb:{board}:{self.period}:{self.page}:{self.user_id}"

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        _prefix, board, period, page, user_id = custom_id.split(":")
        order = None if board == "fame" else Order(board)
        return cls(order, period, min(int(page), LAST_PAGE), min(int(user_id), LARGEST_ID))


@dataclass(frozen=True, slots=True)
class DataPress:
    """A button about somebody's data."""

    pattern: ClassVar[str] = rf"hp:(?:{_any(Wish)}):[0-9]{{1,20}}"
    command: ClassVar[str] = "me"
    game_id: ClassVar[None] = None

    wish: Wish
    user_id: int

    @property
    def custom_id(self) -> str:
        return f"hp:{self.wish.value}:{self.user_id}"

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        _prefix, wish, user_id = custom_id.split(":")
        return cls(Wish(wish), int(user_id))


ACTIONS: tuple[type[Action], ...] = (Press, GuidePage, HistoryPage, BoardPage, DataPress)


class PressHandler(Protocol):
    """Who answers presses."""

    async def press(self, interaction: discord.Interaction[Any], custom_id: str) -> None:
        """Do what a button says and answer the interaction; never raises."""


class ActionItem(
    discord.ui.DynamicItem[discord.ui.Item[discord.ui.View]],
    template=re.compile("|".join(action.pattern for action in ACTIONS)),
):
    """Any button, or any select, of any message, also of one that was sent before a restart.

    A select's ``custom_id`` says what is picked, not which: its handler finds that in the interaction's ``data``.
    """

    @classmethod
    def reads(cls, custom_id: str) -> bool:
        """Whether this is what one of our buttons says."""
        return cls.__discord_ui_compiled_template__.fullmatch(custom_id) is not None

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a press."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hands the press on to be answered whatever happens: discord.py only logs an error from here."""
        dispatcher: PressHandler = interaction.client.dispatcher
        await dispatcher.press(interaction, self.custom_id)


def button(
    action: Action,
    label: str | None = None,
    *,
    emoji: str | None = None,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    disabled: bool = False,
    row: int = 0,
) -> ActionItem:
    """A button that asks for an action."""
    look: discord.ui.Button[discord.ui.View] = discord.ui.Button(
        custom_id=action.custom_id, label=label, emoji=emoji, style=style, disabled=disabled, row=row
    )
    return ActionItem(look)


def press_of(table: Table, verb: Verb, argument: int = 0) -> Press:
    """What a button of a table says while the table is as it is now."""
    return Press(verb, table.id, table.version, argument)


def bits(positions: Iterable[int]) -> int:
    """Positions 0 to 6 as the argument of a button."""
    return sum(1 << at for at in positions)


def make_view(items: Sequence[ActionItem]) -> discord.ui.View:
    """A view for one sending of a message.

    Always a fresh one, of DynamicItems only: discord.py keeps views with ordinary items in memory, and stopping one
    that holds a DynamicItem unregisters the class for the whole bot.
    """
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view

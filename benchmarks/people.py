"""Those who press buttons on the fake Discord: at tables of the bot, or on messages of a bot that only answers.

They look no further than what Discord shows, so that nothing beside the bot reads its database.
"""

import random
import re
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar

from benchmarks.answering import TAP
from benchmarks.report import clock
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.discord import Discord, Person, shown_in
from tests.discord.calls import Call
from tests.discord.ledger import MOVES
from tests.discord.state import UPDATE, Channel, Interaction, Message
from tests.discord.tables import Seen, page_of

ANSWER = ("POST", "/interactions/*/*/callback")
SOON = 60.0
FIRST = "floor:0"
TAPPED = 1 / 3
"""The share of presses in a turn that tap a die, where there are dice to tap."""
_CALLED = re.compile(r"<@(\d+)>")
Found = TypeVar("Found")
Ready = tuple[Person, Message, str]
"""A press that can be made: who, where, and its custom_id."""


class Stopwatch:
    """Presses, and takes the time until the answer has arrived at Discord."""

    def __init__(self, discord: Discord) -> None:
        self.seconds: list[float] = []
        self.refused = 0
        """Answers other than an edit of the message."""
        self._began: dict[int, float] = {}
        self._uncounted: set[int] = set()
        self._discord = discord
        discord.acted(*ANSWER, self._answered, times=None)

    def press(self, ready: Ready, *, counted: bool = True) -> Interaction:
        """Press a button, and do not wait."""
        person, message, custom_id = ready
        began = clock()
        interaction = person.begin_press(message, custom_id)
        self._began[interaction.id] = began
        if not counted:
            self._uncounted.add(interaction.id)
        return interaction

    async def _answered(self, call: Call) -> None:
        interaction_id = int(call.path.split("/")[2])
        began = self._began.pop(interaction_id, None)
        if began is not None and interaction_id not in self._uncounted:
            self.seconds.append(clock() - began)
            self.refused += call.body["type"] != UPDATE

    async def settle(self) -> None:
        """Wait until every press is answered."""
        await self._discord.until(lambda: not self._began, SOON, what="every press answered")


class Place(Protocol):
    """A place at which one button after the other can be pressed."""

    def ready(self) -> Ready | None:
        """Return the next press; None until the last press's change is shown."""

    async def until_ready(self) -> Ready:
        """Wait for the next press, and return it."""

    async def until_tap(self, watch: Stopwatch) -> Ready:
        """Play on, uncounted, until a die can be tapped, and return that press."""


class Floor:
    """A message of the bot that only answers."""

    def __init__(self, discord: Discord, channel: Channel, person: Person) -> None:
        button = {"type": 2, "style": 2, "label": "Press", "custom_id": FIRST, "disabled": False}
        message = {"content": "Press", "components": [{"type": 1, "components": [button]}]}
        self._ready = person, discord.api.messages.make(channel, message, []), FIRST
        button["custom_id"] = TAP
        self._tap = person, discord.api.messages.make(channel, message, []), TAP

    def ready(self) -> Ready | None:
        return self._ready

    async def until_ready(self) -> Ready:
        return self._ready

    async def until_tap(self, watch: Stopwatch) -> Ready:
        return self._tap


class Table:
    """A table of two people, and another one as soon as its game is over."""

    def __init__(self, discord: Discord, channel: Channel, people: list[Person], order: TurnOrder) -> None:
        self._discord, self._channel, self._people, self._order = discord, channel, people, order
        self._chance = random.Random(channel.id)
        self._table_id = ""
        self._pressed: dict[int, tuple[str, ...]] = {}
        """The buttons that each message had when one of them was pressed last."""

    async def open(self) -> None:
        """Open a table and begin its game; in own pace with everybody's private page."""
        host, *others = self._people
        await host.slash(self._channel, "highscore new", order=self._order.value, pace="relaxed")
        look = await self._until(partial(self._page, Verb.JOIN))
        self._table_id = look.table_id
        for other in others:
            await other.press(look.message, look.custom_id(Verb.JOIN))
        look = await self._until(partial(self._page, Verb.START))
        await host.press(look.message, look.custom_id(Verb.START))
        if self._order is TurnOrder.OWN_PACE:
            look = await self._until(partial(self._page, Verb.PLAY))
            for person in self._people:
                await person.press(look.message, look.custom_id(Verb.PLAY))
                await self._until(partial(page_of, self._channel, person.user, self._table_id))
        else:
            await self._until(partial(self._page, Verb.TAKE))

    def _page(self, verb: Verb) -> Seen | None:
        """Return the newest message of a table that has this button."""
        return next((look for look in reversed(shown_in(self._channel)) if look.press(verb)), None)

    def _pages(self) -> list[tuple[Person, Seen | None]]:
        """Return the pages on which each person can press."""
        if self._order is TurnOrder.OWN_PACE:
            pages = [(person, page_of(self._channel, person.user, self._table_id)) for person in self._people]
            self._chance.shuffle(pages)
            return pages
        looks = shown_in(self._channel, self._table_id)[-1:]
        called = {user_id for look in looks for user_id in _CALLED.findall(look.message.content)}
        return [(person, look) for person in self._people if str(person.id) in called for look in looks]

    def ready(self) -> Ready | None:
        for person, look in self._pages():
            if look is not None and (custom_id := self._choice(look)) is not None:
                return person, look.message, custom_id
        return None

    def _choice(self, look: Seen) -> str | None:
        """Choose a decision, or one time in three a die; None if nothing has changed since the last press."""
        ids = tuple(press.custom_id for press in look.presses)
        if self._pressed.get(look.message.id) == ids:
            return None
        moves = [press.custom_id for press in look.presses if press.verb in (*MOVES, Verb.ASK)]
        dice = [press.custom_id for press in look.presses if press.verb is Verb.TOGGLE]
        if not (moves or dice):
            return None
        self._pressed[look.message.id] = ids
        return self._chance.choice(dice if dice and self._chance.random() < TAPPED else moves or dice)

    async def until_tap(self, watch: Stopwatch) -> Ready:
        while True:
            for person, look in self._pages():
                dice = [] if look is None else [press for press in look.presses if press.verb is Verb.TOGGLE]
                if look is not None and dice:
                    return person, look.message, self._chance.choice(dice).custom_id
            watch.press(await self.until_ready(), counted=False)
            await watch.settle()

    async def until_ready(self) -> Ready:
        while not isinstance(found := await self._discord.until(self._ready_or_over, SOON, what="a press"), tuple):
            await self.open()
        return found

    def _ready_or_over(self) -> Ready | bool:
        return self.ready() or any(look.press(Verb.REMATCH) for look in shown_in(self._channel, self._table_id))

    async def _until(self, condition: Callable[[], Found | None]) -> Found:
        found = await self._discord.until(condition, SOON, what="a table")
        assert found is not None
        return found

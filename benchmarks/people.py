"""People who press buttons on the fake Discord: at tables of the bot, or on messages of the minimal bot.

They see only what Discord shows, so that nothing but the bot reads its database.
"""

import random
import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from benchmarks.answering import PRESS, TAP
from benchmarks.processes import PATIENCE
from benchmarks.report import clock
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.discord import Discord, Person, shown_in
from tests.discord.calls import Call
from tests.discord.ledger import MOVES
from tests.discord.state import UPDATE, Channel, Interaction, Message
from tests.discord.tables import Seen, page_of

ANSWER = ("POST", "/interactions/*/*/callback")
TAPS = 1 / 3
"""The share of presses that tap a die when there are dice to tap."""
_MENTION = re.compile(r"<@(\d+)>")
Found = TypeVar("Found")
Ready = tuple[Person, Message, str]
"""A press that is possible now: the person, the message, and the custom_id of the button."""


class Stopwatch:
    """Presses buttons, and measures the time until the answer has arrived at Discord."""

    def __init__(self, discord: Discord) -> None:
        self.seconds: list[float] = []
        self.refused = 0
        """The number of answers that did not edit the message."""
        self._began: dict[int, float] = {}
        self._uncounted: set[int] = set()
        self._discord = discord
        discord.acted(*ANSWER, self._answered, times=None)

    def press(self, ready: Ready, *, is_counted: bool = True) -> Interaction:
        """Press a button without waiting for the answer."""
        person, message, custom_id = ready
        began = clock()
        interaction = person.begin_press(message, custom_id)
        self._began[interaction.id] = began
        if not is_counted:
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
        await self._discord.until(lambda: not self._began, PATIENCE, what="every press answered")


class MinimalTable:
    """Two messages of the minimal bot: one for presses, one for taps on dice."""

    def __init__(self, discord: Discord, channel: Channel, person: Person) -> None:
        button = {"type": 2, "style": 2, "label": "Press", "custom_id": PRESS, "disabled": False}
        message = {"content": "Press", "components": [{"type": 1, "components": [button]}]}
        self._ready = person, discord.api.messages.make(channel, message, []), PRESS
        button["custom_id"] = TAP
        self._tap = person, discord.api.messages.make(channel, message, []), TAP

    def ready(self) -> Ready | None:
        return self._ready

    async def until_ready(self) -> Ready:
        return self._ready

    async def until_tap(self, watch: Stopwatch) -> Ready:
        return self._tap


class Table:
    """A table of two people, who open another one when their game is over."""

    def __init__(self, discord: Discord, channel: Channel, people: list[Person], order: TurnOrder) -> None:
        self._discord, self._channel, self._people, self._order = discord, channel, people, order
        self._rng = random.Random(channel.id)
        self._table_id = ""
        self._pressed: dict[int, tuple[str, ...]] = {}
        """The buttons of each message when one of them was last pressed."""

    async def open(self) -> None:
        """Open a table and start its game. In own pace, also open both private pages."""
        host, *others = self._people
        await host.slash(self._channel, "highscore new", order=self._order.value, pace="relaxed")
        look = await self._until(partial(self._find_message, Verb.JOIN))
        self._table_id = look.table_id
        for other in others:
            await other.press(look.message, look.custom_id(Verb.JOIN))
        look = await self._until(partial(self._find_message, Verb.START))
        await host.press(look.message, look.custom_id(Verb.START))
        if self._order is TurnOrder.OWN_PACE:
            look = await self._until(partial(self._find_message, Verb.PLAY))
            for person in self._people:
                await person.press(look.message, look.custom_id(Verb.PLAY))
                await self._until(partial(page_of, self._channel, person.user, self._table_id))
        else:
            await self._until(partial(self._find_message, Verb.TAKE))

    def _find_message(self, verb: Verb) -> Seen | None:
        """Return the newest table message with this button."""
        return next((look for look in reversed(shown_in(self._channel)) if look.press(verb)), None)

    def _list_pages(self) -> list[tuple[Person, Seen | None]]:
        """Return the people who may act, each with the message that has their buttons.

        In own pace, return both people, with None for a person without a private page.
        """
        if self._order is TurnOrder.OWN_PACE:
            pages = [(person, page_of(self._channel, person.user, self._table_id)) for person in self._people]
            self._rng.shuffle(pages)
            return pages
        looks = shown_in(self._channel, self._table_id)[-1:]
        mentioned = {user_id for look in looks for user_id in _MENTION.findall(look.message.content)}
        return [(person, look) for person in self._people if str(person.id) in mentioned for look in looks]

    def ready(self) -> Ready | None:
        """Return the next press. None if Discord does not show the result of the last press yet, or if the game is
        over."""
        for person, look in self._list_pages():
            if look is not None and (custom_id := self._choose(look)) is not None:
                return person, look.message, custom_id
        return None

    def _choose(self, look: Seen) -> str | None:
        """Choose a decision or, one time in three, a die. Return None if the buttons are the same as at the last press,
        or if there is nothing to choose."""
        ids = tuple(press.custom_id for press in look.presses)
        if self._pressed.get(look.message.id) == ids:
            return None
        moves = [press.custom_id for press in look.presses if press.verb in (*MOVES, Verb.ASK)]
        dice = [press.custom_id for press in look.presses if press.verb is Verb.TOGGLE]
        if not (moves or dice):
            return None
        self._pressed[look.message.id] = ids
        return self._rng.choice(dice if dice and self._rng.random() < TAPS else moves or dice)

    async def until_tap(self, watch: Stopwatch) -> Ready:
        """Play without counting the presses until a die can be tapped. Return that tap, which is not pressed yet."""
        while True:
            for person, look in self._list_pages():
                dice = [] if look is None else [press for press in look.presses if press.verb is Verb.TOGGLE]
                if look is not None and dice:
                    # A second tap on a die brings back the buttons of the press before.
                    self._pressed[look.message.id] = tuple(press.custom_id for press in look.presses)
                    return person, look.message, self._rng.choice(dice).custom_id
            watch.press(await self.until_ready(), is_counted=False)
            await watch.settle()

    async def until_ready(self) -> Ready:
        while not isinstance(found := await self._discord.until(self._ready_or_over, PATIENCE, what="a press"), tuple):
            await self.open()
        return found

    def _ready_or_over(self) -> Ready | bool:
        return self.ready() or any(look.press(Verb.REMATCH) for look in shown_in(self._channel, self._table_id))

    async def _until(self, condition: Callable[[], Found | None]) -> Found:
        found = await self._discord.until(condition, PATIENCE, what="a table")
        assert found is not None
        return found

"""Cups whose clock the test turns, played through the use cases."""

import random
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select, update

from bot.domain.challenge import Attempt
from bot.domain.cup import Cup, CupPost, CupView, LegChallenge
from bot.services import challenge, cup, cup_leg
from bot.services.core import Core, Person
from bot.services.cup import NewCup
from bot.store.cup import load_view
from bot.store.models import cup_posts
from highscore.events import Decision, TakeDice
from highscore.turn import SetAside, Stop, list_choices
from tests.bot.cores import CHANNEL, GUILD, MOD, NOW

FIRST_MESSAGE = 1424242424242424242


def people(number: int) -> list[Person]:
    return [Person(5001 + at, f"Player {at}") for at in range(number)]


@dataclass
class Cups:
    """A cup on a database whose clock is turned by hand; its posts are taken by nobody but this."""

    core: Core
    now: datetime = NOW
    id: str = ""
    messages: int = FIRST_MESSAGE
    posted: list[CupPost] = field(default_factory=list)
    up_since: datetime = NOW
    """The moment from which on the bot runs."""

    def __post_init__(self) -> None:
        self.core.now = lambda: self.now

    async def open(self, entrants: int, wishes: NewCup) -> Cup:
        """Open a cup, and enter so many people."""
        opened = await cup.open_cup(self.core, MOD, wishes, guild_id=GUILD, channel_id=CHANNEL, locale="en")
        self.id = opened.id
        for person in people(entrants):
            opened = await cup.enter_cup(self.core, self.id, person)
        return opened

    async def view(self) -> CupView:
        found = await self.core.database.read(load_view, self.id)
        assert found is not None
        return found

    async def look(self) -> CupView:
        """Do what is due, post what is owed, and do what follows from that."""
        while True:
            await cup_leg.advance_cup(self.core, self.id, self.up_since)
            if not await self.post():
                return await self.view()

    async def post(self) -> int:
        """Send every message that is due, as if Discord took each. Return their number."""
        due = cup_posts.c.cup_id == self.id, cup_posts.c.post_at <= self.now
        query = select(cup_posts).where(*due).order_by(cup_posts.c.number)
        rows = await self.core.database.read(lambda connection: connection.execute(query).mappings().all())
        for row in rows:
            await self.core.database.write(
                lambda connection, row=row: connection.execute(
                    update(cup_posts).where(*due, cup_posts.c.number == row["number"]).values(post_at=None)
                )
            )
            self.messages += row["message_id"] is None
            message = row["message_id"] or self.messages
            self.posted += [CupPost(row["what"])] * (row["message_id"] is None)
            await cup_leg.note_posted(self.core, self.id, row["number"], message, 999, row["argument"])
        return len(rows)

    async def turn_to_end(self) -> CupView:
        """Turn the clock to the next thing that is due, the reminder aside, and let it happen."""
        view = await self.view()
        self.now = view.open_leg.ends_at if view.open_leg is not None else view.cup.begins_at
        return await self.look()

    async def play(self, person: Person, cards: int, chance: random.Random) -> Attempt[LegChallenge]:
        """Play so many cards of the open leg."""
        attempt = await cup_leg.begin_leg(self.core, person, self.id, CHANNEL)
        while len(attempt.run.finished) < cards:
            attempt = await challenge.decide_attempt(
                self.core,
                cup_leg.RULES,
                attempt.challenge.id,
                person,
                any_decision(attempt, chance),
                step=attempt.step,
                channel_id=CHANNEL,
            )
        return attempt

    async def is_running(self) -> bool:
        return (await self.view()).cup.status.running


def any_decision(attempt: Attempt[LegChallenge], chance: random.Random) -> Decision:
    turn = attempt.run.turn
    if turn is None:
        return TakeDice()
    legal = list_choices(turn)
    if chance.random() < 0.3:
        return chance.choice(legal)
    return Stop() if Stop() in legal else SetAside(turn.free)

"""Cups whose clock the test turns, played through the use cases, and the export of one for the referee."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from bot.domain.challenge import Attempt
from bot.domain.cup import Cup, CupLeg, CupPost, CupView, LegChallenge, Status
from bot.domain.cup_proof import record_cup
from bot.services import challenge, cup, cup_leg
from bot.services.core import Core, Person, Place
from bot.services.cup import NewCup
from bot.store.challenge import save_attempt
from bot.store.cup import find_challenge_of, load_leg_challenge, load_view
from bot.store.models import cup_posts
from highscore import events, fairness
from tests.bot import attempts
from tests.bot.cores import CHANNEL, GUILD, MOD, NOW
from tests.bot.domain.cups import export_cup
from tests.bot.domain.referee import differences

FIRST_MESSAGE = 1424242424242424242
WILD = 0.3
"""The share of decisions that are made by chance."""


def people(number: int) -> list[Person]:
    return [Person(5001 + at, f"Player {at}") for at in range(number)]


def open_leg(view: CupView) -> CupLeg:
    assert view.open_leg is not None
    return view.open_leg


def everybody(leg: CupLeg, cards: int = 7) -> dict[int, int]:
    """Let everybody who plays a leg play so many cards, in ``play_at_once``."""
    return {number: cards for group in leg.leg.groups for number in group.entrants}


@dataclass
class Cups:
    """A cup on a database whose clock is turned by hand; only this class sends its posts."""

    core: Core
    now: datetime = NOW
    id: str = ""
    messages: int = FIRST_MESSAGE
    posted: list[CupPost] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    """The ids of the entrants when the entries were closed. A deletion removes an id from every other place."""

    def __post_init__(self) -> None:
        self.core.now = lambda: self.now

    async def open(self, entrants: int, wishes: NewCup) -> Cup:
        opened = await cup.open_cup(self.core, MOD, Place(GUILD, CHANNEL, "en"), wishes)
        self.id = opened.id
        for person in people(entrants):
            opened = await cup.enter_cup(self.core, self.id, person)
        return opened

    async def view(self) -> CupView:
        found = await self.core.database.read(load_view, self.id)
        assert found is not None
        return found

    async def look(self) -> CupView:
        """Do and post everything that is due, and what follows from that."""
        while True:
            await cup_leg.advance_cup(self.core, self.id)
            await self.note_ids()
            if not await self.post():
                return await self.view()

    async def post(self) -> int:
        """Send every message that is due, as if Discord took each. Return their number."""
        due = cup_posts.c.cup_id == self.id, cup_posts.c.post_at <= self.now
        query = select(cup_posts).where(*due).order_by(cup_posts.c.number)
        rows = await self.core.database.read(lambda connection: connection.execute(query).mappings().all())
        for row in rows:
            done = update(cup_posts).where(*due, cup_posts.c.number == row["number"]).values(post_at=None)
            await self.core.database.write(Connection.execute, done)
            if row["what"] == CupPost.LEG.value and row["message_id"] is None:
                await cup_leg.plan_leg(self.core, self.id)
            self.messages += row["message_id"] is None
            message = row["message_id"] or self.messages
            self.posted += [CupPost(row["what"])] * (row["message_id"] is None)
            await cup_leg.note_posted(self.core, self.id, row["number"], message, 999)
        return len(rows)

    async def note_ids(self) -> None:
        """Note the entrants' ids as soon as nobody can enter any more."""
        view = await self.view()
        if view.cup.status is not Status.ENTRY and not self.ids:
            self.ids = [str(view.cup.entrants[number].user_id) for number in view.cup.drawn_entrants]

    async def turn_to_end(self) -> CupView:
        """Turn the clock to the next thing that is due, the reminder aside, and let it happen."""
        view = await self.view()
        self.now = view.open_leg.ends_at if view.open_leg is not None else view.cup.begins_at
        return await self.look()

    async def finish(self) -> CupView:
        """Let the cup end. Nobody plays any more."""
        while (view := await self.view()).cup.status.running:
            await self.turn_to_end()
        return view

    async def prolong(self) -> None:
        """Press the button as it is shown now."""
        await cup.prolong_leg(self.core, self.id, MOD, (await self.view()).cup.leg)

    async def advance(self) -> None:
        await cup_leg.advance_cup(self.core, self.id)
        await self.note_ids()

    async def close_leg(self) -> None:
        await self.core.database.write(cup_leg._look, self.core, self.id)

    async def play(self, person: Person, cards: int, chance: random.Random) -> Attempt[LegChallenge]:
        attempt = await cup_leg.begin_leg(self.core, person, self.id, CHANNEL)
        return await attempts.play(self.core, cup_leg.RULES, attempt, cards, chance, WILD)

    async def play_at_once(self, cards: Mapping[int, int], chance: random.Random, plain: float = 0.5) -> None:
        """Let entrants, by their numbers, play so many cards in one transaction; none is the first dice alone.

        ``plain`` is the share of those who keep every first roll: in a group they have the same results.
        """

        def work(connection: Connection) -> None:
            view = load_view(connection, self.id)
            assert view is not None
            for number, finished in cards.items():
                found = find_challenge_of(connection, self.id, view.cup.leg, number)
                user_id = view.cup.entrants[number].user_id
                assert found is not None
                assert user_id is not None
                made = load_leg_challenge(connection, found)
                assert made is not None
                attempt = challenge.start_attempt(connection, made, Person(user_id, "x"), CHANNEL, self.now)
                save_attempt(connection, self._play(attempt, finished, chance, chance.random() < plain), self.now)

        await self.core.database.write(work)

    def _play(
        self, attempt: Attempt[LegChallenge], cards: int, chance: random.Random, plain: bool
    ) -> Attempt[LegChallenge]:
        while len(attempt.run.finished) < cards or attempt.step == 0:
            decision = attempts.any_decision(attempt, None if plain else chance, WILD)
            source, deck = attempt.challenge.source, attempt.challenge.deck
            game, happened = fairness.play_event(attempt.game, events.Decided(0, decision), source, deck)
            attempt = replace(attempt, events=(*attempt.events, *happened), game=game)
        done = attempt.game.complete
        return replace(attempt, finished_at=self.now if done else None, ranked=done)

    async def count_due(self) -> int:
        due = cup_posts.c.cup_id == self.id, cup_posts.c.post_at <= self.now
        query = select(func.count()).where(*due)
        async with self.core.database.reading() as connection:
            return await connection.scalar(query) or 0

    async def differences(self) -> list[str]:
        """Return the errors that the referee finds in the finished cup as it is stored."""
        return differences(export_view(await self.view(), self.ids))


def export_view(view: CupView, ids: list[str]) -> str:
    """Return a cup as it is stored, in the form that the referee reads: who has won is read, not worked out."""
    record = record_cup(view)
    people = list(record.entrants)
    for number, user_id in zip(record.contest.entrants, ids, strict=True):
        people[number] = replace(people[number], user_id=int(user_id))
    return export_cup(replace(record, entrants=tuple(people)))

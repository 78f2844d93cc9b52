"""Nobody learns what they may not (R9.5): a viewer of two games that differ only there is sent the same, to the byte.

Two bots play twin games: the same seed, the same people at the same moments, and other decisions on every card that the
viewer has not played. Hours later the viewer gives every command there is and presses every button there is, shown to
them or not. What the bots have asked Discord to show is compared: messages in public, in private and direct ones, their
pictures and files, in the order in which they were sent.
"""

import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import discord
import pytest
from pydantic import SecretStr
from simcord import InteractionResult, MemberActor

from bot.cogs.routes import ROUTES
from bot.config import Settings
from bot.domain.practice import Spot
from bot.domain.table import Status, Table
from bot.services.away import leave_game
from bot.services.core import Person
from bot.services.run import decide_run
from bot.ui.buttons import PracticePress, Step, Verb
from bot.ui.pictures.results import results_png
from highscore import Game, TakeDice, deck, list_decisions
from tests import simulation
from tests.bot import cores, played
from tests.bot.databases import empty_sqlite
from tests.bot.server import Server, serve

PEOPLE = 3
CASES = 40 if os.environ.get("HIGHSCORE_LARGE") == "1" else 1
POSITION = "1234512" + "10"
"""Some position of a turn, as a button to try a decision again says it."""
HOURS = 13
"""The hours until the viewer comes, who was reminded and is told what has happened since they were last there."""
OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "away": [{}, {"days": 2}],
    "history": [{}, {"player": 0}, {"game": ""}],
    "stats": [{}, {"player": 0}],
    "table": [{"action": "skip"}, {"action": "remove"}, {"action": "remove", "player": 0}, {"action": "cancel"}],
    "leaderboard": [{}, {"order": "fame"}],
    "me": [{}, {"reminders": "dm"}],
}
"""The options of commands that need some, or say more with them: a member by number, a game by an empty text."""
NEVER = {
    # A finished card shows more from then on.
    *(f"{kind}:{verb}" for kind in ("hr", "hd") for verb in ("stop", "set", "roll")),
    # Dice that are rolled on trial are drawn anew each time.
    *(f"ht:{verb}" for verb in ("retry", "stop", "set", "roll")),
    # Whoever goes may complete a round for the others.
    *("hs:quit", "hp:forever"),
    # The lobby of another table would be the newest one of the channel.
    *("hl:new", "new", "hs:again"),
}
"""Buttons and commands that the viewer leaves alone."""


@contextmanager
def overheard() -> Iterator[list[str]]:
    """Collect the bot's requests to Discord in a block: their paths, their texts, and the hashes of their files."""
    said: list[str] = []

    def requested(made: simulation.Made) -> None:
        said.append(f"{made.method} {made.path} {made.body!r} {made.params!r} {made.files}")

    with simulation.watched(lambda _user_id, _data: None, requested):
        yield said


@dataclass(frozen=True)
class Case:
    viewer: int
    """The number of the member, who looks on without a seat."""
    leaves: bool
    progress: tuple[int, ...]
    """Cards that each person has finished."""

    @property
    def known(self) -> int:
        """The cards on which the viewer may see what the others did."""
        if self.viewer < PEOPLE and not self.leaves:
            return self.progress[self.viewer]
        return min(cards for at, cards in enumerate(self.progress) if at != self.viewer)


def cases() -> Iterator[Any]:
    chance = random.Random("viewers")
    for number in range(CASES):
        for at, (viewer, leaves) in enumerate(((1, False), (1, True), (PEOPLE, False))):
            # There is something that the viewer may see, and something that they may not.
            own = chance.randint(1, deck.ROUNDS - 1)
            progress = chance.randint(1, deck.ROUNDS - 1), own, chance.randint(own + 1, deck.ROUNDS)
            name = "left" if leaves else "player" if viewer < PEOPLE else "onlooker"
            yield pytest.param(Case(viewer, leaves, progress), id=f"{name} {number}.{at}")


async def play(server: Server, table: Table, case: Case, twin: int) -> None:
    """Play the viewer's cards, then the others' in any order, so that rounds are complete since the viewer was there.

    Nobody looks at anything."""
    order = [at for at, cards in enumerate(case.progress) for _ in range(cards)]
    random.Random(repr(case)).shuffle(order)
    order.sort(key=lambda at: at != case.viewer)
    done = [0] * PEOPLE
    for at in order:
        done[at] += 1
        secret = at != case.viewer and done[at] > case.known
        chance = random.Random(f"{case} {at} {done[at]} {secret and twin}")
        await simulation.as_bot(server.env, finish_card(server, table.id, at, chance))
        await server.env.advance_time(600)
    if twin:
        # Also whether somebody has begun with a card is nobody's business.
        for at in {at for at in range(PEOPLE) if done[at] < deck.ROUNDS} - {case.viewer}:
            who, now = person(server, at), await server.table(table.id)
            step = cores.game_of(now).find_run(now.seat_of(who.user_id) or 0).step.number
            await simulation.as_bot(server.env, decide_run(server.bot.core, table.id, who, TakeDice(), step=step))


async def play_before(server: Server) -> None:
    """Play a game of everybody's before, of which there is something to tell."""
    table = await simulation.as_bot(server.env, played.finished(server, PEOPLE + 1, server.channel.id))
    await server.redraw(table)


async def finish_card(server: Server, table_id: str, at: int, chance: random.Random) -> None:
    """Decide by chance as one person until their card is finished.

    Not by way of Discord, where the ids of all that follows would tell how often somebody has pressed.
    """
    who, before = person(server, at), -1
    table = await server.table(table_id)
    seat = table.seat_of(who.user_id)
    assert seat is not None
    while before < 0 or cores.game_of(table).count_finished(seat) == before:
        game = cores.game_of(table)
        before = game.count_finished(seat)
        decision = chance.choice(list_decisions(game, seat))
        table, _seat = await decide_run(server.bot.core, table_id, who, decision, step=game.find_run(seat).step.number)


def person(server: Server, at: int) -> Person:
    return Person(server.members[at].id, server.members[at].name)


@dataclass
class Visitor:
    """Somebody who tries everything."""

    server: Server
    member: MemberActor
    tried: set[str] = field(default_factory=set)
    """Buttons that were pressed."""

    async def come(self, table: Table) -> None:
        """Press what everybody sees, give every command, and press every button that there might be of the table."""
        server, game = self.server, table.game
        assert game is not None
        for message in server.messages:
            await self.press_all(message)
        for command in server.bot.tree.walk_commands():
            if not isinstance(command, discord.app_commands.Command) or command.name in NEVER:
                continue
            for options in OPTIONS.get(command.name, [{}]):
                await self.command(command.name, options, table)
            for parameter in command.parameters:
                if parameter.autocomplete:
                    await self.member.autocomplete(server.channel, f"highscore {command.name}", parameter.name, "")
        seat = table.seat_of(self.member.id)
        steps = {
            "hs": table.version,
            "hr": 0 if seat is None else game.find_run(seat).step.number,
            "hd": 0,
        }
        forged = [f"{kind}:{verb.value}:{table.id}:{step}:0" for kind, step in steps.items() for verb in Verb]
        forged += [f"ha:{step.value}:{table.id}:0:0" for step in Step]
        spots = [Spot(len(game.finished) + 1, seat, POSITION) for seat in game.seats]
        forged += [PracticePress(Verb.TRY, table.id, spot, POSITION).custom_id for spot in spots]
        newest = server.shown.id
        for custom_id in forged:
            await self.press(newest, custom_id)

    async def command(self, name: str, options: Mapping[str, Any], table: Table) -> None:
        server = self.server
        given = dict(options)
        if "player" in given:
            given["player"] = server.members[given["player"]]
        if "game" in given:
            given["game"] = table.id
        await self.follow(await server.slash(self.member, name, **given))

    async def press_all(self, message: discord.Message) -> None:
        for button in self.server.buttons(message=message):
            await self.press(message.id, str(button.custom_id))

    async def press(self, message_id: int, custom_id: str) -> None:
        """Press a button unless that was done, and all to which it leads."""
        # One die of a turn, one position of a replay, and one page of the guide and of the lesson.
        known = custom_id.rpartition(":")[0] if ":die:" in custom_id else custom_id
        known = custom_id.rsplit(":", 2)[0] if custom_id.startswith("ha:") else known
        prefix = ":".join(custom_id.split(":", 2)[:2])
        known = prefix if custom_id.startswith(("hg:", "hl:")) else known
        if known not in self.tried and prefix in ROUTES and prefix not in NEVER:
            self.tried.add(known)
            await self.follow(await self.server.send(self.member, custom_id, message_id))

    async def follow(self, result: InteractionResult) -> None:
        for told in (result.response, *result.followups):
            if told is not None:
                await self.press_all(told.message)


async def sent_in(settings: Settings, case: Case, twin: int) -> tuple[Game, list[str]]:
    """Play a game; return it with the bot's requests."""
    async with serve(settings) as server:
        with overheard() as said:
            member = server.members[case.viewer]
            await play_before(server)
            await server.slash(member, "me", reminders="dm")
            table = await server.begin(PEOPLE, order="own_pace", house=1)
            await play(server, table, case, twin)
            if case.leaves:
                leaver = person(server, case.viewer)
                await simulation.as_bot(server.env, leave_game(server.bot.core, table.id, leaver))
                # As the button does, or it would be shown before or after the house has played on, as it happens.
                await server.redraw(table)
            await server.env.advance_time(HOURS * 3600)
            table = await server.table(table.id)
            assert table.status is Status.PLAYING
            await Visitor(server, member).come(table)
            await server.settle()
    assert said, "something was said"
    return cores.game_of(table), in_order(said, table.opening_id or 0)


def in_order(said: Sequence[str], opening_id: int) -> list[str]:
    """Sort requests by address and mask later ids: requests at the same time come in any order, which decides those."""

    def known(found: re.Match[str]) -> str:
        return found[0] if int(found[0]) <= opening_id else "a later id"

    told = [re.sub("[0-9]{17,20}", known, one) for one in said]
    return sorted(told, key=lambda one: one.split(maxsplit=2)[:2])


def first_difference(one: str, other: str) -> tuple[str, str, str]:
    """Return the text before the first difference, and both texts after it."""
    pairs = enumerate(zip(one, other, strict=False))
    alike = next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
    return one[max(alike - 200, 0) : alike], one[alike : alike + 100], other[alike : alike + 100]


@pytest.mark.long
@pytest.mark.parametrize("case", list(cases()))
async def test_twin_games_send_the_same(
    settings: Settings, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Most presses show the standings again.
    monkeypatch.setattr("bot.ui.table.results_png", cache(results_png))
    twins: list[tuple[Game, list[str]]] = []
    for twin in range(2):
        chance = random.Random(repr(case))
        monkeypatch.setattr("secrets.token_bytes", lambda size=32, chance=chance: chance.randbytes(size))
        monkeypatch.setattr("secrets.token_hex", lambda size=32, chance=chance: chance.randbytes(size).hex())
        (folder := tmp_path / str(twin)).mkdir()
        own = settings.model_copy(update={"database_url": SecretStr(empty_sqlite(folder))})
        twins.append(await sent_in(own, case, twin))
    (game, said), (its_twin, said_there) = twins
    assert game != its_twin, "there is something that the viewer may not see"
    for one, other in zip(said, said_there, strict=True):
        assert one == other, first_difference(one, other)

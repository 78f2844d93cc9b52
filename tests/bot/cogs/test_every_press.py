"""Every button and select of the bot, pressed with everything that can be in a press: an answer, and no error.

Discord hands on what a changed client sends: values with a button, other values than those of the select, and buttons
for tables, cups and days in states in which no message has them.
"""

import logging
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from simcord import GuildHandle, MemberActor

from bot.cogs.routes import ROUTES
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status, Table
from bot.services import cancelling, cup, daily, deadlines, lobby
from bot.services.away import close_table, kick_player
from bot.services.core import Person, Place
from bot.services.cup import NewCup
from bot.services.lobby import NewTable
from bot.ui.buttons import DataPress, PracticePress
from highscore.turn_order import TurnOrder
from tests import simulation
from tests.bot import passing, played
from tests.bot.cogs.test_cup import Cup
from tests.bot.server import Server
from tests.simulation import Click

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
FEW = 5
"""The presses of each kind that are tried, by lot, except with ``HIGHSCORE_LARGE``."""
FAILED = "Something went wrong"
UNKNOWN = "0" * 12
STRANGE: Sequence[Sequence[str] | None] = (
    *(None, [], [""], ["0"], ["1"], ["-1"], ["5"], ["99"], ["nobody"], [UNKNOWN], ["live"], ["open"]),
    *(["9" * 40], ["x" * 100], ["\x00"], ["٣"], ["1.5"], [" 1"], ["1", "2", "nobody"], [str(at) for at in range(25)]),
)
"""What is picked; None in a press of a button."""
NUMBERS = ("0:0", "1:0", "0:1", "1:1", "7:127", "2:24", "999999999:999", "0:999", "3:3")
"""Versions, steps or legs, with an argument."""
LAST = ("hp:", "hc:end", "hs:cancel", "hs:quit", "hr:end", "hs:leave", "hs:start", "hs:solo")
"""Presses by which people whom they are offered end something: they come after all others."""
CHANNELS = 17
"""The tables that are made, each in a channel of its own."""
POSITION = "12345V1" + "1" + "0"


@dataclass
class World:
    """A server with everything in every state, and some of it elsewhere."""

    server: Server
    ids: Mapping[str, str]
    errors: list[logging.LogRecord]
    boss: MemberActor
    failed: list[str] = field(default_factory=list)
    """The presses that were errors, or not answered."""

    async def press(
        self, member: MemberActor, custom_id: str, values: Sequence[str] | None, message_id: int | None = None
    ) -> None:
        server = self.server
        press = Click(member, message_id or server.messages[0].id, custom_id)
        result = await simulation.click(server.env, server.channel, press, values=values)
        told = str([message.content for message in (result.response, *result.followups) if message is not None])
        if self.errors or not result.acknowledged or FAILED in told:
            what = self.errors[0].exc_info[1] if self.errors and self.errors[0].exc_info else told
            self.failed.append(f"{custom_id} {values} by {member.name}: {what!r:.300}")
            self.errors.clear()


async def closed_lobby(server: Server, channel_id: int, *, kicked: bool) -> Table:
    """Close a lobby at which nobody has played; its log is empty, or says that somebody was sent away."""
    core, ada, ben = server.bot.core, *(Person(member.id, member.name) for member in server.members[:2])
    table = await lobby.open_table(core, ada, Place(server.guild.id, channel_id, "en"), NewTable())
    if kicked:
        await lobby.join_table(core, table.id, ben)
        await kick_player(core, table.id, ada, ben.user_id)
    await lobby.leave_lobby(core, table.id, ada)
    return await close_table(core, table.id, "of the test")


async def make_cups(server: Server, host: MemberActor) -> dict[str, str]:
    """Open cups one after the other, so that nobody is in two, until one plays and one waits for entrants."""
    core, made = server.bot.core, dict[str, str]()
    boss = Person(host.id, "Boss", moderator=True, manages_server=True)

    async def open_one(name: str) -> Cup:
        opened = await Cup.open(server, 3, format="league", legs=3)
        made[f"{name} cup"] = opened.id
        return opened

    await simulation.as_bot(server.env, cup.end_cup(core, (await open_one("cancelled")).id, boss))
    ended = await open_one("ended")
    await ended.go_on()
    await simulation.as_bot(server.env, cup.end_cup(core, ended.id, boss))
    finished = await open_one("finished")
    await finished.go_on()
    for _leg in range(3):
        await finished.play_leg()
    playing = await open_one("playing")
    await playing.go_on()
    await playing.play_leg()
    for name, opened in (("finished", finished), ("playing", playing)):
        view = await opened.view()
        made |= {f"{name} cup's leg {leg.number}": leg.leg.groups[0].id for leg in view.legs}
    wishes, place = NewCup("Another", most=4), Place(server.guild.id, 5, "en")
    entry = await simulation.as_bot(server.env, cup.open_cup(core, Person(9, "Eva"), place, wishes))
    return {**made, "entry cup": entry.id}


async def make_tables(server: Server, channels: Iterator[int]) -> dict[str, Table]:
    core, people = server.bot.core, [Person(member.id, member.name) for member in server.members]
    made: dict[str, Table] = {}
    core.tables_per_host = CHANNELS

    async def opened(order: TurnOrder, players: int = 2) -> Table:
        place = Place(server.guild.id, next(channels), "en")
        table = await lobby.open_table(core, people[0], place, NewTable(5, order=order))
        for person in people[1:players]:
            table = await lobby.join_table(core, table.id, person)
        return table

    async def started(order: TurnOrder) -> Table:
        table = await opened(order)
        await lobby.start_game(core, table.id, people[0])
        return await lobby.begin_game(core, table.id, opening_id=1)

    for order in TurnOrder:
        made[f"{order.value} lobby"] = await opened(order)
        made[f"{order.value} running"] = await started(order)
        made[f"{order.value} finished"] = await played.play_out(core, await started(order))
        made[f"{order.value} cancelled at once"] = await cancelling.cancel_table(
            core, (await started(order)).id, Person(9, "Boss", moderator=True, manages_server=True)
        )
    made["starting"] = await opened(TurnOrder.CLOCKWISE)
    await lobby.start_game(core, made["starting"].id, people[0])
    made["paused"] = await deadlines.pause_table(core, (await started(TurnOrder.CLOCKWISE)).id)
    made["abandoned"] = await close_table(core, (await started(TurnOrder.OPEN)).id, "of the test")
    made["closed unplayed"] = await closed_lobby(server, next(channels), kicked=False)
    made["closed after somebody was sent away"] = await closed_lobby(server, next(channels), kicked=True)
    assert all(made[name].game is None and not made[name].status.open for name in made if name.startswith("closed"))
    assert {table.status for table in made.values()} == set(Status)
    return made


async def make_elsewhere(server: Server, guild: GuildHandle, channels: Sequence[int]) -> dict[str, str]:
    core, ada = server.bot.core, Person(server.members[0].id, "Ada")
    places = [Place(guild.id, channel_id, "en") for channel_id in channels]
    table = await lobby.open_table(core, ada, places[0], NewTable())
    attempt = await daily.begin_attempt(core, ada, places[1])
    away = await cup.open_cup(core, Person(8, "Fay"), places[2], NewCup("Cup", most=4))
    over = await played.play_out(core, await played.begun(server, 2, channels[2], guild.id))
    return {"lobby there": table.id, "day there": attempt.challenge.id, "cup there": away.id, "game there": over.id}


@pytest.fixture
async def world(server: Server, error_log: list[logging.LogRecord]) -> World:
    core, ada = server.bot.core, Person(server.members[0].id, "Ada")
    place = Place(server.guild.id, server.channel.id, "en")
    past = await simulation.as_bot(server.env, daily.begin_attempt(core, ada, place))
    ids = await make_cups(server, boss := await passing.moderator(server))
    ids["past day"] = past.challenge.id
    ids["today"] = (await simulation.as_bot(server.env, daily.begin_attempt(core, ada, place))).challenge.id
    assert ids["today"] != ids["past day"]
    elsewhere = server.env.create_guild("Elsewhere")
    there = [elsewhere.create_text_channel(f"there-{number}").id for number in range(3)]
    here = [server.guild.create_text_channel(f"here-{number}").id for number in range(CHANNELS)]
    await server.env.settle()
    ids |= await simulation.as_bot(server.env, make_elsewhere(server, elsewhere, there))
    tables = await simulation.as_bot(server.env, make_tables(server, iter(here)))
    ids |= {name: table.id for name, table in tables.items()}
    for worker in (*server.bot.workers, server.bot.delivery):
        await worker.settle()
    await server.env.settle()
    return World(server, {**ids, "unknown": UNKNOWN}, error_log, boss)


def ids_for(kind: str, ids: Mapping[str, str]) -> list[str]:
    """Return the ids of everything that a kind of button is for, and one of everything else."""
    own = {"hc": ("cup",), "hd": ("day",)}.get(kind)
    others = "unknown", "today", "playing cup", "playing cup's leg 1", "clockwise finished", "lobby there", "cup there"
    is_own = {name: any(word in name for word in own or ()) for name in ids}
    if own is None:
        is_own = {name: not any(word in name for word in ("cup", "day")) for name in ids}
    return [ids[name] for name in ids if is_own[name] or name in others]


def custom_ids(prefix: str, ids: Mapping[str, str], who: int, chance: random.Random) -> Iterator[str]:
    """Make the custom_ids of a prefix for everything there is, with numbers by chance."""
    action = ROUTES[prefix].action
    if prefix.startswith(("hs:", "hr:", "hd:", "hc:")):
        yield from (f"{prefix}:{item}:{chance.choice(NUMBERS)}" for item in ids_for(prefix[:2], ids))
    elif action is PracticePress:
        yield from (f"{prefix}:{item}:10{POSITION}:{POSITION}:{chance.choice((0, 1, 127))}" for item in ids.values())
    elif prefix.startswith("ha:"):
        yield from (f"{prefix}:{item}:{number}:{who}" for item in ids.values() for number in (0, 999999))
    elif prefix.startswith("hb:"):
        yield from (f"{prefix}:{period}:{page}:{who}" for period in ("all", "2026-Q1", "2026-99") for page in (0, 99))
    elif action is DataPress:
        yield from (f"{prefix}:{user}" for user in (0, who, 10**20 - 1))
    elif prefix.startswith("hu:"):
        names = (*ServerSettings.__dataclass_fields__, "nothing", "0", "99")
        yield from (f"{prefix}:{name}" for name in names)
    elif prefix.startswith("hl:"):
        yield from (f"{prefix}:{step}:{argument}" for step in (0, 1, 5, 99) for argument in (0, 1, 127, 999))
    elif prefix.startswith("hg:"):
        yield from (f"{prefix}:{page}" for page in (0, 1, 99))
    else:
        yield prefix


async def press_what_was_an_error(world: World) -> None:
    """Press: a value where a button has none, and the end of a game for a lobby that was closed before one began."""
    ada, ids = world.server.members[0], world.ids
    for verb, values in product(("leave", "end", "remove", "report"), STRANGE):
        await world.press(ada, f"hc:{verb}:{ids['playing cup']}:{int(verb == 'report')}:0", values)
    closed = [item for name, item in ids.items() if name.startswith("closed")]
    for prefix, item in product(("share", "final", "report", "again", "proof", "hint", "back", "wake"), closed):
        await world.press(ada, f"hs:{prefix}:{item}:0:0", None)
    for step, item in product(("open", "first", "last", "turn", "file", "proof"), closed):
        await world.press(ada, f"ha:{step}:{item}:0:{ada.id}", None)
    # Discord tells of a select where the message has a button.
    message = next(each for each in world.server.messages if world.server.buttons(message=each))
    await world.press(ada, str(world.server.buttons(message=message)[0].custom_id), ["1"], message.id)


@pytest.mark.long
async def test_every_press_is_answered_and_none_is_an_error(world: World) -> None:
    server, chance = world.server, random.Random(0)
    people = server.members[5], server.members[0], world.boss
    patterns: Any = server.bot._connection._view_store._dynamic_items
    await press_what_was_an_error(world)
    ends = [prefix for prefix in ROUTES if prefix.startswith(LAST)]
    for prefix in [*(each for each in ROUTES if each not in ends), *ends]:
        found = [*custom_ids(prefix, world.ids, server.members[0].id, chance)]
        assert all(any(pattern.fullmatch(each) for pattern in patterns) for each in found), prefix
        for custom_id in found if LARGE else chance.sample(found, min(len(found), FEW)):
            for member in people if LARGE else [chance.choice(people)]:
                await world.press(member, custom_id, chance.choice(STRANGE))
    assert world.failed == []

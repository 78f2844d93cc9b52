"""Buttons, options, dialogs and completions that nobody was shown: a sentence, no change, nothing in the log."""

import logging
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from simcord import InteractionResult, MemberActor

from bot.cogs.routes import ROUTES
from bot.domain.server_settings import ServerSettings
from bot.services import cup, daily, dare, deadlines, lobby
from bot.services.away import close_table
from bot.services.core import Person, Place
from bot.services.cup import NewCup
from bot.services.lobby import NewTable
from bot.ui.buttons import Verb
from bot.ui.lobby import WORD_FIELD
from tests import hostile, simulation
from tests.bot.cogs.test_cup import Cup
from tests.bot.databases import everything
from tests.bot.passing import moderator
from tests.bot.played import begun, finished, play_out
from tests.bot.server import Server, private
from tests.bot.ui.limits import length
from tests.simulation import Click

fuzzed = hypothesis_settings(suppress_health_check=[*HealthCheck])
"""One server for all examples: each has to leave it as it was."""

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
IDS = 10
FEW = 8
"""The presses of each kind that are tried, by lot, except with ``HIGHSCORE_LARGE``."""
FAILED = "Something went wrong"


@dataclass
class World:
    """A server with every kind of game in it, another one, and somebody who plays nowhere."""

    server: Server
    ids: Sequence[str]
    errors: list[logging.LogRecord]
    image: object
    """The stored rows, which no input may change."""

    @property
    def nobody(self) -> MemberActor:
        return self.server.members[4]

    async def press(self, custom_id: str) -> None:
        """Press a custom_id and check that nothing comes of it but a sentence."""
        result = await simulation.click(
            self.server.env, self.server.channel, Click(self.nobody, self.server.messages[0].id, custom_id)
        )
        assert result.acknowledged is self.known(custom_id), custom_id
        self.check(result, custom_id)

    def known(self, custom_id: str) -> bool:
        patterns: Any = self.server.bot._connection._view_store._dynamic_items
        return any(pattern.fullmatch(custom_id) for pattern in patterns)

    def check(self, result: InteractionResult, what: object) -> None:
        self.check_answer(result, what)
        assert everything(self.server.settings) == self.image, what

    def check_answer(self, result: InteractionResult, what: object) -> None:
        answers = [message for message in (result.response, *result.followups) if message is not None]
        assert FAILED not in str([message.content for message in answers]), what
        assert self.errors == [], what


@pytest.fixture
async def world(server: Server, error_log: list[logging.LogRecord]) -> World:
    core, ada = server.bot.core, server.members[0]
    other = server.env.create_guild("Elsewhere")
    here = [server.guild.create_text_channel(f"here-{number}").id for number in range(2)]
    there = [other.create_text_channel(f"there-{number}").id for number in range(3)]
    await server.env.settle()
    running = await server.begin(2)
    full = await lobby.open_table(core, Person(1, "Eva"), Place(server.guild.id, here[0], "en"), NewTable(2, house=1))
    lobby_there = await lobby.open_table(core, Person(2, "Uwe"), Place(other.id, there[0], "en"), NewTable())
    days = [
        (await daily.begin_attempt(core, Person(ada.id, "Ada"), Place(guild.id, here[1], "en"))).challenge.id
        for guild in (server.guild, other)
    ]
    over = await finished(server, channel_id=here[1])
    elsewhere = await play_out(core, await begun(server, 2, there[1], other.id))
    playing = await begun(server, 2, there[2], other.id)
    cups = [
        await cup.open_cup(core, host, Place(guild.id, channel, "en"), NewCup("Cup", most=4))
        for host, guild, channel in (
            (Person(1, "Eva"), server.guild, here[1]),
            (Person(2, "Uwe"), other, there[0]),
        )
    ]
    for number in range(4):
        await cup.enter_cup(core, cups[0].id, Person(100 + number, "Uwe"))
    for table in (full, lobby_there, over, elsewhere, playing):
        server.bot.delivery.request_redraw(table.id)
    await server.settle()
    ids = [running.id, full.id, lobby_there.id, *days, over.id, elsewhere.id, playing.id, *(each.id for each in cups)]
    assert len(ids) == IDS
    return World(server, ids, error_log, everything(server.settings))


STEPS = ("0:0", "1:0", "0:1", "1:1", "7:127", "2:24", "999999999:999", "0:999", "3:3")
"""Versions, steps or legs, with an argument."""
POSITION = "12345V1" + "1" + "0"


def custom_ids(prefix: str, ids: Sequence[str], who: object) -> Iterator[str]:
    """Make the custom_ids of a prefix for every game, day, cup and dare."""
    if prefix.startswith(("hs:", "hr:", "hd:", "hc:", "hx:")):
        yield from (f"{prefix}:{item}:{step}" for item in ids for step in STEPS)
    elif prefix.startswith("ht:"):
        yield from (f"{prefix}:{item}:10{POSITION}:{POSITION}:{dice}" for item in ids for dice in (0, 1, 127))
    elif prefix.startswith("ha:"):
        yield from (f"{prefix}:{item}:{number}:{who}" for item in ids for number in (0, 999999))
    elif prefix.startswith("hb:"):
        yield from (f"{prefix}:{period}:{page}:{who}" for period in ("all", "2026-Q1", "2026-99") for page in (0, 99))
    elif prefix.startswith("hp:"):
        yield from (f"{prefix}:{user}" for user in (0, who, 10**20 - 1))
    elif prefix.startswith("hu:"):
        yield from (f"{prefix}:{name}" for name in (*ServerSettings.__dataclass_fields__, "nothing", "0", "99"))
    elif prefix.startswith("hl:"):
        yield from (f"{prefix}:{step}:{argument}" for step in (0, 1, 5, 99) for argument in (0, 1, 127, 999))
    elif prefix.startswith("hg:"):
        yield from (f"{prefix}:{page}" for page in (0, 1, 99))
    else:
        yield prefix


ALLOWED = ("hc:next", "hd:play", "hl:new", "hl:play", "hp:forever", "hs:enter", "hs:final", "hs:share")
"""Presses with which anybody may change something."""
FORMED = st.sampled_from([prefix for prefix in ROUTES if prefix not in ALLOWED]).flatmap(
    lambda prefix: st.sampled_from(
        [*custom_ids(prefix, ["0" * 12, *(f"<{number}>" for number in range(IDS))], "<nobody>")]
    )
)
"""Ids of the form of a button's."""


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Draw such an id with a piece knocked out, doubled, or put in."""
    text = str(draw(FORMED))
    first, last = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    piece = draw(st.sampled_from(["", text[first:last] * 2, ":", "\n", "\x00", "٣", "\ud800"]))
    return text[:first] + piece + text[last:]


CUSTOM_IDS = st.one_of(FORMED, FORMED, damaged(), hostile.TEXTS, st.just("h" * 100))


@fuzzed
@given(custom_id=CUSTOM_IDS)
async def test_a_button_that_nobody_was_shown_does_nothing(world: World, custom_id: str) -> None:
    for number, known in enumerate(world.ids):
        custom_id = custom_id.replace(f"<{number}>", known)
    custom_id = custom_id.replace("<nobody>", str(world.nobody.id))
    await world.press(custom_id[:100] or "?")


@fuzzed
@given(
    select=st.sampled_from(["hc:options:000000000000:0:0", "hc:remove:<8>:0:0", "hu:pick:pace"]),
    text=hostile.TEXTS,
)
async def test_what_nobody_could_pick_gets_a_sentence(world: World, select: str, text: str) -> None:
    for number, known in enumerate(world.ids):
        select = select.replace(f"<{number}>", known)
    server = world.server
    press = Click(world.nobody, server.messages[0].id, select)
    result = await simulation.click(server.env, server.channel, press, values=[text])
    assert private(result)
    world.check(result, (select, text))


STRANGE: Sequence[Sequence[str] | None] = (
    *(None, [], [""], ["0"], ["1"], ["-1"], ["5"], ["99"], ["nobody"], ["0" * 12], ["live"], ["open"]),
    *(["9" * 40], ["x" * 100], ["\x00"], ["٣"], ["1.5"], [" 1"], ["1", "2", "nobody"], [str(at) for at in range(25)]),
)
"""Values of a press; None where it has none."""
LAST = ("hp:", "hc:end", "hs:cancel", "hs:quit", "hr:end", "hs:leave", "hs:start", "hs:solo")
"""Presses that may end something. They are tried after all others."""


async def more_games(server: Server, over: str) -> list[str]:
    """Make a paused game, one without its opening, a lobby that was closed, a cup that is played, and a dare."""
    core, ada = server.bot.core, Person(server.members[0].id, "Ada")
    core.tables_per_host = core.tables_per_channel = IDS
    paused = await deadlines.pause_table(core, (await begun(server, 2, server.channel.id)).id)
    tables = [
        await lobby.open_table(core, ada, Place(server.guild.id, server.channel.id, "en"), NewTable(house=1))
        for _table in range(2)
    ]
    await lobby.start_game(core, tables[0].id, ada)
    await close_table(core, tables[1].id, "of the test")
    played = await Cup.open(server, 3, format="league", legs=3)
    await played.go_on()
    await played.play_leg()
    legs = [group.id for leg in (await played.view()).legs for group in leg.leg.groups]
    dares, _message = await dare.offer_dare(core, over, Person(server.members[1].id, "Ben"))
    return [paused.id, *(table.id for table in tables), played.id, *legs, dares.dares[0].id]


@pytest.mark.long
async def test_every_press_of_people_who_play_is_answered_and_none_is_an_error(world: World) -> None:
    """Discord hands on what a changed client sends: any values, with buttons too, for games in any state."""
    server, chance, ada = world.server, random.Random(0), world.server.members[0]
    people = ada, world.nobody, await moderator(server)
    more = await more_games(server, world.ids[5])
    ids = [*world.ids, *more, "0" * 12]
    await server.settle()

    async def press(member: MemberActor, custom_id: str, values: Sequence[str] | None) -> None:
        click = Click(member, server.messages[0].id, custom_id)
        result = await simulation.click(server.env, server.channel, click, values=values)
        assert result.acknowledged, custom_id
        world.check_answer(result, (custom_id, values, member.name))

    for verb in ("share", "final", "report", "again", "proof", "hint", "back", "wake"):
        await press(ada, f"hs:{verb}:{more[2]}:0:0", None)
    for step in ("open", "first", "last", "turn", "file", "proof"):
        await press(ada, f"ha:{step}:{more[2]}:0:{ada.id}", None)
    for prefix in sorted(ROUTES, key=lambda prefix: prefix.startswith(LAST)):
        found = [*custom_ids(prefix, ids, ada.id)]
        assert all(map(world.known, found)), prefix
        for custom_id in found if LARGE else chance.sample(found, min(len(found), FEW)):
            await press(chance.choice(people), custom_id, chance.choice(STRANGE))


async def test_a_button_of_another_server_does_nothing_here(world: World) -> None:
    """The refusal holds for players of that game, too."""
    server = world.server
    message = server.messages[0].id
    for verb, (kind, at) in product(Verb, (("hd", 4), ("hs", 7), ("hc", 9), ("hx", 4))):
        press = Click(server.members[0], message, f"{kind}:{verb.value}:{world.ids[at]}:1:0")
        result = await simulation.click(server.env, server.channel, press)
        assert "doesn't work here" in private(result), press
    assert everything(server.settings) == world.image


def option(name: str, value: Any, kind: int = 3) -> dict[str, Any]:
    return {"name": name, "type": kind, "value": value}


TEXT_OPTIONS = (
    ("history", "game"),
    ("rules", "card"),
    ("leaderboard", "period"),
    ("leaderboard", "order"),
    ("me", "reminders"),
    ("table", "action"),
    ("new", "pace"),
    ("new", "order"),
)


def means_something(text: str) -> bool:
    """Return whether a text happens to be a value that can be picked."""
    known = {"all", "month", "season", "channel", "dm", "open", "clockwise"}
    word = text.strip().replace(" ", "_").casefold()
    return word in known or (word.isascii() and word.isalnum())


@fuzzed
@given(which=st.sampled_from(TEXT_OPTIONS), text=hostile.TEXTS.filter(lambda text: not means_something(text)))
async def test_an_option_that_cannot_be_picked_gets_a_sentence(world: World, which: tuple[str, str], text: str) -> None:
    name, wanted = which
    server = world.server
    result = await simulation.command(
        server.env, world.nobody, server.channel, f"highscore {name}", [option(wanted, text)]
    )
    assert result.acknowledged
    assert private(result)
    world.check(result, (which, text))


WRONG = (
    *(("new", option("seats", number, 4)) for number in (-1, 0, 1, 6, *hostile.HUGE)),
    *(("new", option("house", number, 4)) for number in (-1, 5, *hostile.HUGE)),
    *(("table", option("player", text, 6)) for text in ("1", "0")),
    *(("cup", option("days", number, 4)) for number in (0, 4, *hostile.HUGE)),
    ("new", option("pace", 5)),
    ("history", option("nothing", "x")),
    ("nothing", option("game", "x")),
    ("me", option("pace", "live")),
)
"""The input that Discord would refuse: numbers out of range, unknown choices, people who are not there."""


async def test_an_option_of_the_wrong_kind_gets_a_sentence(world: World) -> None:
    server = world.server
    channel = server.guild.create_text_channel("empty")
    boss = await moderator(server)
    for name, wrong in WRONG:
        result = await simulation.command(server.env, boss, channel, f"highscore {name}", [wrong])
        assert result.acknowledged, wrong
        assert private(result)
        world.check(result, (name, wrong))


@fuzzed
@given(which=st.sampled_from([("rules", "card"), ("history", "game"), ("leaderboard", "period")]), text=hostile.TEXTS)
async def test_whatever_is_typed_the_choices_fit_into_discord(world: World, which: tuple[str, str], text: str) -> None:
    server, (name, wanted) = world.server, which
    typed = {**option(wanted, text), "focused": True}
    choices = await simulation.complete(server.env, world.nobody, server.channel, f"highscore {name}", [typed])
    assert choices is not None
    assert len(choices) <= 25
    assert all(1 <= length(choice["name"]) <= 100 and 1 <= length(choice["value"]) <= 100 for choice in choices)
    assert world.errors == []


def field(value: object, name: object = WORD_FIELD) -> dict[str, Any]:
    return {"type": 18, "component": {"type": 4, "custom_id": name, "value": value}}


COMPONENTS = st.one_of(
    hostile.TEXTS.map(lambda text: [field(text)]),
    hostile.TEXTS.map(lambda text: [{"type": 1, "components": [{"type": 4, "custom_id": WORD_FIELD, "value": text}]}]),
    hostile.TEXTS.map(lambda text: [field("x" * 33 + text)]),
    hostile.TEXTS.map(lambda name: [field("word", name)]),
    st.sampled_from([[], [field(None)], [field(None, "other")], [{"type": 18}], [{"type": 1, "components": []}]]),
)


@fuzzed
@given(components=COMPONENTS, at=st.integers(0, IDS - 1))
async def test_a_dialog_that_nobody_was_shown_does_nothing(
    world: World, components: list[dict[str, Any]], at: int
) -> None:
    server = world.server
    press = Click(world.nobody, server.messages[0].id, f"hs:word:{world.ids[at]}")
    result = await simulation.submit(server.env, server.channel, press, components)
    assert result.acknowledged
    assert private(result)
    world.check(result, components)

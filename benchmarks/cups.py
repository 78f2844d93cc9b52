"""Requests of a cup, and the time of a leg's end: ``python -m benchmarks.cups``.

* The bot with pictures on the fake Discord of the tests, over real sockets, its clock turned: people enter a league,
  its leg opens, all but every eighth play it to the end, the others are reminded, it ends. Each part is told with what
  Discord was asked for, by route. The answers to presses are not under the limit that all others share.
* The end of a leg, with the next one's draw, beside a press at a plain table on the same database, both without
  Discord; and the presses that are made during such an end.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import FOLDER, QUICK, Arguments, Report, clock, in_ms, run
from bot.app import HighScoreBot, utc_now
from bot.cli.common import open_database
from bot.config import Settings
from bot.domain.cup import CupView, find_reminder
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Table
from bot.services.core import Core
from bot.services.cup import NewCup, list_cups, view_cup
from bot.services.cup_leg import advance_cup
from bot.services.turn import decide_turn
from bot.store.database import parse_url
from bot.store.schema import migrate_database
from bot.ui.buttons import Verb
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.game import list_decisions
from tests.bot.cores import begun, game_of, on_turn, seated
from tests.bot.services.cups import Cups, people
from tests.discord import Channel, Discord, Message, Person
from tests.discord.bots import connected, settings

ENTRANTS = (64, 128)
ABSENT = 8
"""The part of the entrants of whom one does not play."""
AT_ONCE = 8
"""The people who press at the same time."""
MENTIONED = 80
"""The people whom one message can mention."""
QUIET = 4.0
"""The seconds without a request after which nothing more is to come: a sign-up is drawn anew after three."""
DECISIONS = (Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE)
MOST_PRESSES = 300
PRESSES = 300
MOST_IN_PRESSES, MOST_WAITING = 150.0, 0.5
"""The targets of a leg's end: its time in presses, and the seconds that a press may wait for it."""


@dataclass
class Turned:
    """A clock that can be put ahead."""

    ahead: timedelta = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead

    def turn_to(self, moment: datetime) -> None:
        self.ahead += max(moment + timedelta(seconds=1) - self(), timedelta())


@dataclass
class Evening:
    """A cup on the fake Discord."""

    discord: Discord
    bot: HighScoreBot
    now: Turned
    channel: Channel
    people: list[Person]
    asked: dict[str, Counter[str]] = field(default_factory=dict)
    """The requests of each part, by route."""

    @asynccontextmanager
    async def part(self, name: str) -> AsyncIterator[None]:
        """Count what Discord is asked for until it comes to rest."""
        before = len(self.discord.calls)
        yield
        seen = -1
        while seen < len(self.discord.calls):
            seen = len(self.discord.calls)
            await asyncio.sleep(QUIET)
        self.asked[name] = Counter(route(call.method, call.path) for call in self.discord.calls[before:])

    async def view(self) -> CupView:
        (cup,) = await list_cups(self.bot.core, next(iter(self.discord.world.guilds)))
        return await view_cup(self.bot.core, cup.id)

    def turn_to(self, moment: datetime) -> None:
        self.now.turn_to(moment)
        self.bot.clock.start()

    async def all_press(self, verb: Verb) -> None:
        """Let everybody press the newest button of this kind in the channel."""
        message, custom_id = next(
            (message, custom_id)
            for message in reversed(self.channel.shown)
            for custom_id in message.custom_ids
            if custom_id.startswith(f"hc:{verb.value}:")
        )
        turns = asyncio.Semaphore(AT_ONCE)

        async def press(number: int, person: Person) -> None:
            async with turns:
                if verb is Verb.PLAY and number % ABSENT == 0:
                    return
                answer = await person.press(message, custom_id)
                if verb is Verb.PLAY:
                    page = next(each for each in (answer.response, *answer.followups) if each and each.ephemeral)
                    await play(person, page)

        await asyncio.gather(*(press(*each) for each in enumerate(self.people)))


async def play(person: Person, page: Message) -> None:
    """Play all cards of a private page, each with its first roll."""
    for _ in range(MOST_PRESSES):
        found = (custom_id for verb in DECISIONS for custom_id in page.custom_ids if f":{verb.value}:" in custom_id)
        if (custom_id := next(found, None)) is None:
            return
        await person.press(page, custom_id)
    raise AssertionError("the cards do not end")


def route(method: str, path: str) -> str:
    """Name a route as Discord's limits know it, without ids and tokens."""
    path = re.sub(r"^/(interactions|webhooks)/\d+/[^/]+", r"/\1/*/*", path)
    return f"{method} {re.sub(r'/[0-9]+', '/*', path)}"


def is_answer(name: str) -> bool:
    return name.startswith(("POST /interactions", "PATCH /webhooks", "POST /webhooks"))


async def take_part(entrants: int, folder: Path) -> Evening:
    """Let a cup be entered, played and ended, and return what it asked Discord for."""
    fake, now = Discord(), Turned()
    everybody = [Person(fake, fake.add_user(f"Player {number}")) for number in range(entrants)]
    guild = fake.add_guild("Tavern", [person.user for person in everybody])
    channel = next(iter(guild.channels.values()))
    wanted = settings(folder, press_limit=0, command_limit=0)
    async with fake.serving(), connected(fake, wanted, now=now) as bot:
        evening = Evening(fake, bot, now, channel, everybody)
        async with evening.part("opened"):
            await everybody[0].slash(channel, "highscore cup", new="Autumn")
        async with evening.part("all enter"):
            await evening.all_press(Verb.ENTER)
        async with evening.part("the leg opens"):
            evening.turn_to((await evening.view()).cup.begins_at)
            # The message that calls those who play comes after it.
            await fake.until(lambda: any("hc:play:" in str(each.custom_ids) for each in channel.shown), what="a leg")
        leg = (await evening.view()).open_leg
        assert leg is not None
        async with evening.part("all but every eighth play"):
            await evening.all_press(Verb.PLAY)
        async with evening.part("the reminder"):
            evening.turn_to(find_reminder(leg.ends_at, ServerSettings()))
        async with evening.part("the leg ends, the next one opens"):
            evening.turn_to(leg.ends_at)
    return evening


def tell(entrants: int, evening: Evening, report: Report) -> None:
    """Print the requests of each part, beside what may be asked for."""
    calls, playing = ceil(entrants / MENTIONED), entrants - ceil(entrants / ABSENT)
    most = {
        "opened": 2,
        "all enter": 5,
        # The post, its draw, the sign-up without buttons; the calls follow the draw.
        "the leg opens": calls + 3,
        "all but every eighth play": 0,
        "the reminder": 1,
        "the leg ends, the next one opens": calls + 2,
    }
    for name, asked in evening.asked.items():
        others = sum(number for path, number in asked.items() if not is_answer(path))
        answers = asked.total() - others
        report.line(f"{entrants}: {name}", f"{others}, answers {answers}", str(most[name]), others <= most[name])
        for path, number in asked.most_common():
            print(f"  {number} x {path}")
    hour = sum((evening.asked[name] for name in ("the leg opens", "all but every eighth play")), Counter[str]())
    report.line(f"{entrants}: the busiest hour, all", hour.total())
    report.line(f"{entrants}: answers each of {playing} gets", f"{hour.total() / playing:.1f}")


# ------------------------------------------------------------------------------------------------------- a leg's end


async def press_on(core: Core, table: Table, draw: random.Random, seconds: list[float], presses: int) -> Table:
    """Let people press at a table, in a game after the other, and note the seconds of each press."""
    for _ in range(presses):
        game = game_of(table)
        seat = game.may_act[0]
        decision = draw.choice(list_decisions(game, seat))
        began = clock()
        table = await decide_turn(core, table.id, on_turn(table), decision, version=table.version)
        seconds.append(clock() - began)
        if game_of(table).over:
            table = await begun(core, (await seated(core, 2, channel_id=table.channel_id)).id)
    return table


async def measure_end(entrants: int, folder: Path, report: Report) -> None:
    """Measure the ends of the legs of a league, and presses beside them."""
    draw, ends, alone, beside = random.Random(7), list[float](), list[float](), list[float]()
    async with open_database(parse_url(f"sqlite+aiosqlite:///{folder}/cups.sqlite3")) as database:
        paces = Settings(_env_file=None).paces  # type: ignore[call-arg]
        core = Core(database, utc_now, STANDARD_DECK, 1, paces)
        await migrate_database(database)
        cups = Cups(core)
        await cups.open(entrants, NewCup("Autumn", length=3))
        table = await begun(core, (await seated(core, 2, channel_id=1)).id)
        view = await cups.turn_to_end()
        while view.cup.status.running:
            for number, person in enumerate(people(entrants)):
                await cups.play(person, 0 if number % ABSENT == 0 else ROUNDS, draw)
            table = await press_on(core, table, draw, alone, PRESSES)
            assert view.open_leg is not None
            cups.now = view.open_leg.ends_at
            pressing = asyncio.create_task(press_on(core, table, draw, beside, PRESSES))
            began = clock()
            await advance_cup(core, cups.id)
            ends.append(clock() - began)
            table = await pressing
            view = await cups.look()
    ratio = median(ends) / median(alone)
    report.line("a press at a table", in_ms(alone))
    report.line(f"the end of a leg of {entrants}", ", ".join(f"{each * 1000:.0f}" for each in ends) + " ms")
    report.line("in presses", f"{ratio:.0f}", f"{MOST_IN_PRESSES:.0f}", ratio <= MOST_IN_PRESSES)
    report.line("presses beside it", in_ms(beside))
    report.line("the slowest of them", f"{max(beside):.3f} s", f"{MOST_WAITING} s", max(beside) <= MOST_WAITING)


async def measure(options: Arguments, report: Report) -> None:
    """Measure both."""
    sizes = (16,) if options.quick else ENTRANTS
    with TemporaryDirectory(dir=options.folder) as folder:
        await measure_end(sizes[-1], Path(folder), report)
    for entrants in sizes:
        with TemporaryDirectory(dir=options.folder) as folder:
            tell(entrants, await take_part(entrants, Path(folder)), report)


if __name__ == "__main__":
    run(__doc__, measure, QUICK, FOLDER)

"""How many requests a cup sends, and how long the end of a leg takes: ``python -m benchmarks.cups``.

* Requests, with 64 and with 128 people. The bot runs a league on a fake Discord over real sockets. People enter, a leg
  opens, seven of eight people play it, the others are reminded, and the leg ends. The requests of each part are counted
  by route. Each part has a limit, which does not include the answers to presses: they do not count for Discord either.
* The end of a leg with the draw of the next one, with 128 people and without Discord. It takes at most as long as 150
  presses at a table, and a press that is made in the meantime waits at most 0.5 s.

The benchmark takes about ten minutes, with ``--quick`` (16 people in both parts) two.
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

from benchmarks.databases import open_core
from benchmarks.report import FOLDER, QUICK, Arguments, Report, clock, in_ms, run
from bot.app import HighScoreBot, utc_now
from bot.domain.cup import CupView, find_reminder
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Table
from bot.services.core import Core
from bot.services.cup import NewCup, list_cups, view_cup
from bot.services.cup_leg import advance_cup
from bot.services.turn import decide_turn
from bot.ui.buttons import Verb
from highscore.deck import ROUNDS
from highscore.game import list_decisions
from tests.bot.cores import begun, game_of, on_turn, seated
from tests.bot.services.cups import Cups, people
from tests.discord import Channel, Discord, Message, Person
from tests.discord.bots import connected, settings

ENTRANTS = (64, 128)
ABSENT = 8
"""One of every eight entrants does not play."""
AT_ONCE = 8
"""The number of people who press at the same time."""
MENTIONED = 80
"""The most people that one message can mention."""
QUIET = 4.0
"""A part has ended after this many seconds without a request. The bot waits three seconds before it redraws the sign-up
message."""
DECISIONS = (Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE)
MOST_PRESSES = 300
PRESSES = 300
MOST_IN_PRESSES, MOST_WAITING = 150.0, 0.5
"""The targets: the end of a leg takes at most as long as this many presses, which wait at most this many seconds."""


@dataclass
class MovableClock:
    ahead: timedelta = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead

    def move_past(self, time: datetime) -> None:
        self.ahead += max(time + timedelta(seconds=1) - self(), timedelta())


@dataclass
class PlayedCup:
    """A cup on the fake Discord, and the requests of each of its parts."""

    discord: Discord
    bot: HighScoreBot
    now: MovableClock
    channel: Channel
    people: list[Person]
    requests: dict[str, Counter[str]] = field(default_factory=dict)
    """The number of requests by part and route."""

    @asynccontextmanager
    async def counting(self, part: str) -> AsyncIterator[None]:
        """Count the requests of a part, from the start of the block until no more are sent."""
        before = len(self.discord.calls)
        yield
        seen = -1
        while seen < len(self.discord.calls):
            seen = len(self.discord.calls)
            await asyncio.sleep(QUIET)
        self.requests[part] = Counter(route(call.method, call.path) for call in self.discord.calls[before:])

    async def view(self) -> CupView:
        (cup,) = await list_cups(self.bot.core, next(iter(self.discord.world.guilds)))
        return await view_cup(self.bot.core, cup.id)

    def move_past(self, time: datetime) -> None:
        """Move the clock past this time, and let the bot do what is due by then."""
        self.now.move_past(time)
        self.bot.clock.start()

    async def press_by_all(self, verb: Verb) -> None:
        """Let everybody press the newest button of this kind. After *Play*, seven of eight people play all cards."""
        message, custom_id = next(
            (message, custom_id)
            for message in reversed(self.channel.shown)
            for custom_id in message.custom_ids
            if custom_id.startswith(f"hc:{verb.value}:")
        )
        at_once = asyncio.Semaphore(AT_ONCE)

        async def press(number: int, person: Person) -> None:
            async with at_once:
                if verb is Verb.PLAY and number % ABSENT == 0:
                    return
                answer = await person.press(message, custom_id)
                if verb is Verb.PLAY:
                    page = next(each for each in (answer.response, *answer.followups) if each and each.ephemeral)
                    await play(person, page)

        await asyncio.gather(*(press(*each) for each in enumerate(self.people)))


async def play(person: Person, page: Message) -> None:
    """Play all cards on a private page, keeping the first roll of each."""
    for _ in range(MOST_PRESSES):
        found = (custom_id for verb in DECISIONS for custom_id in page.custom_ids if f":{verb.value}:" in custom_id)
        if (custom_id := next(found, None)) is None:
            return
        await person.press(page, custom_id)
    raise AssertionError(f"the cards are not played after {MOST_PRESSES} presses")


def route(method: str, path: str) -> str:
    """Return a request's route without ids and tokens."""
    path = re.sub(r"^/(interactions|webhooks)/\d+/[^/]+", r"/\1/*/*", path)
    return f"{method} {re.sub(r'/[0-9]+', '/*', path)}"


def is_answer(name: str) -> bool:
    return name.startswith(("POST /interactions", "PATCH /webhooks", "POST /webhooks"))


async def play_cup(entrants: int, folder: Path) -> PlayedCup:
    """Play the first leg of a league, and count the requests."""
    fake, now = Discord(), MovableClock()
    everybody = [Person(fake, fake.add_user(f"Player {number}")) for number in range(entrants)]
    guild = fake.add_guild("Tavern", [person.user for person in everybody])
    channel = next(iter(guild.channels.values()))
    wanted = settings(folder, press_limit=0, command_limit=0)
    async with fake.serving(), connected(fake, wanted, now=now) as bot:
        cup = PlayedCup(fake, bot, now, channel, everybody)
        async with cup.counting("opened"):
            await everybody[0].slash(channel, "highscore cup", new="Autumn")
        async with cup.counting("all enter"):
            await cup.press_by_all(Verb.ENTER)
        async with cup.counting("the leg opens"):
            cup.move_past((await cup.view()).cup.begins_at)
            # The message that mentions the players is sent after this one.
            await fake.until(lambda: any("hc:play:" in str(each.custom_ids) for each in channel.shown), what="a leg")
        leg = (await cup.view()).open_leg
        assert leg is not None
        async with cup.counting("all but every eighth play"):
            await cup.press_by_all(Verb.PLAY)
        async with cup.counting("the reminder"):
            cup.move_past(find_reminder(leg.ends_at, ServerSettings()))
        async with cup.counting("the leg ends, the next one opens"):
            cup.move_past(leg.ends_at)
    return cup


def print_requests(entrants: int, cup: PlayedCup, report: Report) -> None:
    """Print the requests of each part next to its limit."""
    calls, playing = ceil(entrants / MENTIONED), entrants - ceil(entrants / ABSENT)
    most = {
        "opened": 2,
        "all enter": 5,
        # The leg's message, its draw, and the sign-up without buttons; then the mentions.
        "the leg opens": calls + 3,
        "all but every eighth play": 0,
        "the reminder": 1,
        "the leg ends, the next one opens": calls + 2,
    }
    for name, requests in cup.requests.items():
        others = sum(number for path, number in requests.items() if not is_answer(path))
        answers = requests.total() - others
        report.line(f"{entrants}: {name}", f"{others}, answers {answers}", str(most[name]), others <= most[name])
        for path, number in requests.most_common():
            print(f"  {number} x {path}")
    hour = sum((cup.requests[name] for name in ("the leg opens", "all but every eighth play")), Counter[str]())
    report.line(f"{entrants}: the busiest hour, all", hour.total())
    report.line(f"{entrants}: answers each of {playing} gets", f"{hour.total() / playing:.1f}")


# ------------------------------------------------------------------------------------------------------- a leg's end


async def press_on(core: Core, table: Table, draw: random.Random, seconds: list[float], presses: int) -> Table:
    """Let people press at a table, in game after game, and add the seconds of each press to ``seconds``."""
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
    """Measure the end of each leg of a league, and presses before and during it."""
    draw, ends, alone, during = random.Random(7), list[float](), list[float](), list[float]()
    async with open_core(folder / "cups.sqlite3") as core:
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
            pressing = asyncio.create_task(press_on(core, table, draw, during, PRESSES))
            began = clock()
            await advance_cup(core, cups.id)
            ends.append(clock() - began)
            table = await pressing
            view = await cups.look()
    report.line("a press at a table", in_ms(alone))
    report.line(f"the end of a leg of {entrants}", ", ".join(f"{each * 1000:.0f}" for each in ends) + " ms")
    report.check("the end of a leg, in presses", median(ends) / median(alone), MOST_IN_PRESSES)
    report.line("presses during the end of a leg", in_ms(during))
    report.check("the slowest of them", max(during), MOST_WAITING, " s")


async def measure(options: Arguments, report: Report) -> None:
    sizes = (16,) if options.quick else ENTRANTS
    with TemporaryDirectory(dir=options.folder) as folder:
        await measure_end(sizes[-1], Path(folder), report)
    for entrants in sizes:
        with TemporaryDirectory(dir=options.folder) as folder:
            print_requests(entrants, await play_cup(entrants, Path(folder)), report)


if __name__ == "__main__":
    run(__doc__, measure, QUICK, FOLDER)

"""Days of daily challenges with restarts, presses that come twice, and a Discord that often does not answer."""

from __future__ import annotations

import os
import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.locales import day_words
from highscore.daily import replay
from highscore.notation import parse_event
from tests import simulation
from tests.bot.dailies import Player, stored_play, words
from tests.bot.server import Server
from tests.simulation import Click

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 4 if LARGE else 2
SEEDS = range(1, 11) if LARGE else (1,)


class Somebody:
    """A person who presses what they see, again when nothing happens, and asks for a new page now and then."""

    def __init__(self, server: Server, at: int, chance: random.Random) -> None:
        self.server = server
        self.member = server.members[at]
        self.chance = chance
        self.player: Player | None = None

    async def act(self) -> None:
        """One press, of a button that is there or was."""
        if self.player is None or self.chance.random() < 0.05 or not self.player.buttons():
            await self._ask()
            return
        button = self.chance.choice(self.player.buttons())
        assert button.custom_id is not None
        press = Click(self.member, self.player.message_id, button.custom_id)
        again = [press] * self.chance.choice((1, 1, 2))
        await simulation.click_together(self.server.env, self.server.channel, again)

    async def _ask(self) -> None:
        result = await self.member.slash(self.server.channel, "highscore daily")
        answered = result.response is not None and result.response.embeds
        self.player = (
            Player(self.server, self.member, self.server.channel, result.response.id)
            if answered and result.response is not None
            else None
        )

    @property
    def finished(self) -> bool:
        return stored_play(self.server, self.member.id).complete


async def _trouble(server: Server, chance: random.Random) -> None:
    match chance.randrange(30):
        case 0:
            await server.restart()
        case 1:
            server.env.inject_error("POST", "/channels/*/messages", status=503, times=chance.randint(1, 2))
        case 2 | 3:
            status, code = chance.choice(((503, 0), (404, 10062), (500, 0)))
            server.env.inject_error("POST", "/interactions/*/callback", status=status, code=code)
        case _:
            return


@pytest.mark.only_sqlite("the model plays the challenge on both databases")
@pytest.mark.parametrize("seed", SEEDS)
async def test_days_of_trouble_lose_and_double_nothing(server: Server, seed: int) -> None:
    chance = random.Random(seed)
    for day in range(DAYS):
        start = FIRST + timedelta(days=day, hours=1)
        await server.env.advance_time(max((start - server.env.now()).total_seconds(), 0))
        people = [Somebody(server, at, chance) for at in range(3) if chance.random() < 0.8]
        # The last one to come does not get far.
        for number, somebody in enumerate(people):
            await somebody._ask()
            while somebody.player is None:
                await somebody._ask()
            presses = 25 if number == 2 else 10_000
            while not somebody.finished and presses:
                presses -= 1
                await _trouble(server, chance)
                await somebody.act()
    await server.env.advance_time(3 * 24 * 3600)
    _check_stored(server)
    _check_told(server)


def _check_stored(server: Server) -> None:
    plays = server.rows("select daily_id, user_id, version from daily_plays")
    assert len(plays) > DAYS
    dice: dict[tuple[str, int], set[str]] = {}
    for daily_id, user_id, version in plays:
        rows = server.rows(
            "select seq, lines from daily_events where daily_id = ? and user_id = ? order by seq", daily_id, user_id
        )
        assert [seq for seq, _lines in rows] == list(range(version + 1))
        events = [parse_event(line) for _seq, lines in rows for line in lines.splitlines()]
        state = replay(events)
        ((finished, score),) = server.rows(
            "select finished_at is not null, score from daily_plays where daily_id = ? and user_id = ?",
            daily_id,
            user_id,
        )
        assert finished == state.complete
        assert score == (state.score if state.complete else None)
        first = [lines.splitlines()[1] for _seq, lines in rows if "take" in lines]
        for card, rolled in enumerate(first):
            dice.setdefault((daily_id, card), set()).add(rolled)
    assert all(len(rolls) == 1 for rolls in dice.values()), "the same first rolls for everybody"


def _check_told(server: Server) -> None:
    finished = server.rows(
        "select d.day, p.name from daily_plays p join dailies d on d.id = p.daily_id where p.finished_at is not null"
    )
    told = Counter(words(message) for message in server.messages)
    assert set(told.values()) == {1}
    lines = [text for text in told if "has finished" in text]
    ends = [(day_words(date.fromisoformat(day)), name) for day, name in finished]
    assert sorted(lines) == sorted(
        text for day, name in ends for text in lines if f"**{name}** has finished" in text and f"of {day}:" in text
    )
    assert len(lines) == len(finished)
    podiums = [text for text in told if "is over" in text]
    days = server.rows("select day from dailies where id in (select daily_id from daily_plays where version > 0)")
    assert len(podiums) == len(days)
    names = [day_words(date.fromisoformat(day)) for (day,) in days]
    assert all(sum(name in text for text in podiums) == 1 for name in names)
    assert len(told) == len(lines) + len(podiums)
    for table in ("dailies", "daily_plays"):
        assert server.rows(f"select count(*) from {table} where post_at is not null") == [(0,)]  # noqa: S608

"""The part of the state machine about everything beside the tables: settings, challenges, data, servers, books."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bot.domain.leaderboard import Order
from bot.domain.outcome import Review
from bot.services import daily, privacy
from bot.services.away import set_notify
from bot.services.core import Person
from bot.services.history import history
from bot.services.leaderboard import leaderboard
from bot.services.purges import came_back, left
from bot.services.setup import choose
from bot.store.claims import OWED_REVIEWS
from bot.store.models import dailies as dailies_table
from bot.store.models import daily_plays, metadata
from bot.store.posts import claim_posts, posted
from bot.store.results import save_reviews
from highscore.events import Decision, TakeDice
from highscore.turn import Roll, Stop
from tests.faults.model import books, dailies, people
from tests.faults.model.machine import (
    CHANNELS,
    EAST,
    IDS,
    NAMES,
    NO_TABLE,
    ROLE,
    TOLD,
    WEST,
    number,
    persons,
    places,
    seldom,
    servers,
)
from tests.faults.model.playing import Playing, soonest
from tests.faults.model.tables import Made

PURGE_DAYS = 30
CHANGES: tuple[tuple[str, list[str], dict[str, Any]], ...] = (
    ("language", ["de"], {"language": "de"}),
    ("language", ["server"], {"language": None}),
    ("pace", ["live"], {"pace": "live"}),
    ("pace", ["relaxed"], {"pace": "relaxed"}),
    ("zone", ["europe/berlin"], {"zone": "Europe/Berlin"}),
    ("zone", ["New York"], {"zone": "America/New_York"}),
    ("zone", ["UTC"], {"zone": "UTC"}),
    ("quiet", ["23:00-08:00"], {"quiet_from": "23:00:00", "quiet_to": "08:00:00"}),
    ("quiet", ["2-24"], {"quiet_from": "02:00:00", "quiet_to": "00:00:00"}),
    ("quiet", ["off"], {"quiet_from": None, "quiet_to": None}),
    ("channels", [str(min(CHANNELS))], {"channels": [min(CHANNELS)]}),
    ("channels", [], {"channels": []}),
    ("opener_role", [str(ROLE)], {"opener_role": ROLE}),
    ("opener_role", [], {"opener_role": None}),
    ("player_role", [str(ROLE)], {"player_role": ROLE}),
    ("tables_per_channel", ["1"], {"tables_per_channel": 1}),
    ("tables_per_channel", ["3"], {"tables_per_channel": 3}),
    ("remind_percent", ["0"], {"remind_percent": 0}),
    ("remind_percent", ["80"], {"remind_percent": 80}),
    ("pictures", ["0"], {"pictures": False}),
    ("season", ["month"], {"season": "month"}),
    ("season", ["year"], {"season": "year"}),
)
"""What an administrator may wish for, and what is stored then."""


class Living(Playing):
    """Everything else."""

    # ------------------------------------------------------------------------------------------------------- settings

    @rule(guild=servers, change=st.sampled_from(CHANGES))
    def an_administrator_changes_a_setting(self, guild: int, change: tuple[str, list[str], dict[str, Any]]) -> None:
        name, values, plain = change
        self.service.run(choose(self.service.core, guild, name, values, own_language="en"))
        people.change_settings(self.world, guild, plain, "en")

    @rule(person=persons, way=st.sampled_from(["channel", "dm", "none"]))
    def somebody_says_how_to_be_reminded(self, person: int, way: str) -> None:
        self.service.run(set_notify(self.service.core, IDS[person], way))
        people.set_notify(self.world, IDS[person], way)

    # ------------------------------------------------------------------------------------------------ daily challenges

    @rule(person=persons, channel=places, decisions=st.integers(0, 6), quickly=st.booleans())
    def somebody_plays_the_daily_challenge(self, person: int, channel: int, decisions: int, quickly: bool) -> None:
        self.asked += 1
        one, guild = replace(self.who(person), interaction_id=self.asked), CHANNELS[channel]
        began = self.twice(
            daily.begin(self.service.core, one, guild_id=guild, channel_id=channel, locale="en"),
            lambda attempt: dailies.begin(
                self.world,
                one,
                guild=guild,
                channel=channel,
                locale="en",
                made=None if attempt is None else Made(attempt.daily.id, attempt.daily.seed),
            ),
        )
        if began is None:
            return
        for _decision in range(decisions * (4 if quickly else 1)):
            attempt = self.world.days[began.daily.id].attempts[one.user_id]
            if attempt.finished_at is not None:
                break
            self._decide_daily(began.daily.id, one, soonest(attempt.game, 0), attempt.step, channel)

    @rule(
        person=persons,
        nth=number,
        back=st.integers(0, 2),
        choice=st.sampled_from(["take", "stop", "roll"]),
        channel=places,
    )
    @precondition(lambda self: bool(self.world.days))
    def somebody_presses_in_a_challenge(self, person: int, nth: int, back: int, choice: str, channel: int) -> None:
        days = list(self.world.days)
        day_id = NO_TABLE if nth == 63 or not days else days[nth % len(days)]
        attempt = None if day_id not in self.world.days else self.world.days[day_id].attempts.get(IDS[person])
        step = max(0 if attempt is None else attempt.step - back, 0)
        decisions: dict[str, Decision] = {"take": TakeDice(), "stop": Stop(), "roll": Roll((0, 3))}
        self._decide_daily(day_id, self.who(person), decisions[choice], step, channel)

    def _decide_daily(self, day_id: str, one: Person, decision: Decision, step: int, channel: int) -> None:
        self.press(
            one,
            lambda asking: self.twice(
                daily.decide(
                    *(self.service.core, day_id, asking, decision),
                    step=step,
                    channel_id=channel,
                ),
                lambda _attempt: dailies.decide(self.world, day_id, asking, decision, step=step, channel=channel),
            ),
        )

    @rule(person=persons, nth=number, channel=places)
    @precondition(lambda self: bool(self.world.days))
    def somebody_shares_a_challenge(self, person: int, nth: int, channel: int) -> None:
        days, one = list(self.world.days), self.who(person)
        day_id = NO_TABLE if nth == 63 else days[nth % len(days)]
        self.twice(
            daily.share(self.service.core, day_id, one, channel),
            lambda _attempt: dailies.share(self.world, day_id, one, channel=channel),
        )

    @rule(sent=st.booleans())
    def what_challenges_owe_is_posted(self, sent: bool) -> None:
        now = self.world.now
        claimed = self.service.write(lambda connection: claim_posts(connection, (dailies_table, daily_plays), now, 100))
        # A podium is the row of its day, a line that of an attempt.
        owed = {post: (post.key[1], post.row.get("user_id")) for post in claimed}
        assert sorted(owed.values(), key=repr) == sorted(dailies.owed(self.world), key=repr)
        dailies.claim(self.world)
        for one in claimed if sent else ():
            self.service.write(lambda connection, one=one: posted(connection, one))  # type: ignore[misc]
            dailies.posted(self.world, *owed[one])

    # -------------------------------------------------------------------------------------------- rights, departures

    @rule(person=persons, sure=seldom)
    def somebody_has_their_data_deleted(self, person: int, sure: bool) -> None:
        one = self.who(person)
        if not sure:
            return
        changed = self.service.run(privacy.forget(self.service.core, one))
        assert set(changed) == people.forget(self.world, one.user_id, -1 - self.service.drawn)
        self._no_trace(person)
        assert not any(self.service.run(privacy.about(self.service.core, one.user_id))[1].values())
        TOLD["deletions"] += 1

    def _no_trace(self, person: int) -> None:
        trace = re.compile(f"{IDS[person]}|{NAMES[person]}", re.IGNORECASE)
        for name in metadata.tables:
            for row in self.service.ask(f"select * from {name}"):  # noqa: S608 - a name of our own
                assert not trace.search(str(row)), f"something of a deleted person is left in {name}: {row}"

    @rule(person=persons)
    def somebody_asks_what_is_stored_about_them(self, person: int) -> None:
        notify, rows = self.service.run(privacy.about(self.service.core, IDS[person]))
        for name, count in rows.items():
            theirs = f"select count(*) from {name} where user_id = {IDS[person]}"  # noqa: S608 - a name of our own
            assert self.service.ask(theirs) == [(count,)]
        assert notify == self.world.notify.get(IDS[person])
        _name, content = self.service.run(privacy.export(self.service.core, IDS[person]))
        tables = json.loads(content)["tables"]
        assert {name: len(tables[name]) for name in rows} == rows
        text = content.decode()
        assert not [other for at, other in enumerate(IDS) if at != person and str(other) in text]

    @rule(guild=servers, step=st.sampled_from(["leaves", "leaves", "comes back", "purge", "later"]))
    def a_server_removes_the_bot(self, guild: int, step: str) -> None:
        core = self.service.core
        match step:
            case "leaves":
                self.service.run(left(core, guild))
                people.guild_left(self.world, guild)
            case "comes back":
                self.service.run(came_back(core, guild))
                people.guild_came_back(self.world, guild)
            case _:
                if step == "later" and self.world.left:
                    self.world.now += timedelta(days=20)
                first = min(self.world.left.values(), default=None)
                expected = None if first is None else first + timedelta(days=30)
                assert self.service.purge(30, lambda there: there == EAST and guild == WEST) == expected
                people.purge(self.world, 30, {EAST} if guild == WEST else ())

    # ------------------------------------------------------------------------------------------------ looking it up

    @rule(guild=servers, person=persons)
    def somebody_looks_at_leaderboard_and_history(self, guild: int, person: int) -> None:
        wins = self.service.ask(
            f"select user_id, wins from standings where guild_id = {guild} and period = 'all'"  # noqa: S608 - a number
        )
        board = self.service.run(leaderboard(self.service.core, guild, "all", Order.WINS, 0, IDS[person]))
        lines = [(line.standing.user_id, line.standing.wins) for line in board.lines]
        assert lines == sorted(wins, key=lambda pair: (-pair[1], -pair[0]))
        assert (board.own is None) == (IDS[person] not in dict(wins))
        games = [self.world.tables[game.game_id] for game in self.world.finished.get(guild, ())]
        mine = [game.id for game in games if any(one["user_id"] == IDS[person] for one in books.results(game))]
        page = self.service.run(history(self.service.core, guild, IDS[person]))
        assert [game.game_id for game in page.games] == mine[::-1][: len(page.games)]
        assert page.older == (len(mine) > len(page.games))

    @rule(made=st.booleans(), luck=st.integers(-3_000_000, 3_000_000), loss=st.integers(0, 5_000_000))
    @precondition(lambda self: any(game.reviews is None for games in self.world.finished.values() for game in games))
    def luck_and_loss_of_a_game_are_worked_out(self, made: bool, luck: int, loss: int) -> None:
        """tests/bot/services/test_results.py looks at the figures; without ``made`` they could not be worked out."""
        owed = self.service.waiting(OWED_REVIEWS)
        games = [game for games in self.world.finished.values() for game in games if game.reviews is None]
        assert owed == [game.game_id for game in sorted(games, key=lambda game: (game.finished_at, game.game_id))]
        (found,) = [game for game in games if game.game_id == owed[0]]
        seats = [one["seat"] for one in books.results(self.world.tables[found.game_id]) if made]
        reviews = {seat: Review(luck * seat, loss + seat, 20 + seat) for seat in seats}
        for first in (True, False):
            assert first is self.service.write(lambda connection: save_reviews(connection, found.game_id, reviews))
        found.reviews = reviews
        self.world.dirty.add("books")
        TOLD["reviews"] += 1

    @rule(sure=seldom)
    def the_books_are_made_anew(self, sure: bool) -> None:
        if sure:
            self.make_books_anew()

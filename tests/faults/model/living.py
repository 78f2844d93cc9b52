"""The part of the state machine about everything beside the tables: settings, challenges, data, servers, books."""

import json
import re
from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import rule

from bot.domain.server_settings import Existing, Target
from bot.services import challenge, daily, privacy, setup
from bot.services.core import Place
from bot.services.privacy import note_guild_back, note_guild_left
from bot.store.models import metadata
from tests.faults.model import machine
from tests.faults.model.playing import Playing, soonest

PURGE_DAYS = 30
CHANGES: tuple[tuple[str, list[str]], ...] = (
    *(("language", [value]) for value in ("de", "server")),
    *(("pace", [value]) for value in ("live", "relaxed")),
    *(("zone", [value]) for value in ("europe/berlin", "New York", "UTC")),
    *(("quiet", [value]) for value in ("23:00-08:00", "2-24", "off")),
    *(("channels", values) for values in ([str(min(machine.CHANNELS))], [])),
    *(("opener_role", values) for values in ([str(machine.ROLE)], [])),
    ("player_role", [str(machine.ROLE)]),
    *(("tables_per_channel", [value]) for value in ("1", "3")),
    *(("remind_percent", [value]) for value in ("0", "80")),
    ("pictures", ["0"]),
    ("rare", ["0"]),
    *(("season", [value]) for value in ("month", "year")),
)
"""The settings that an administrator may choose."""


class Living(Playing):
    @rule(guild=machine.servers, change=st.sampled_from(CHANGES))
    def an_administrator_changes_a_setting(self, guild: int, change: tuple[str, list[str]]) -> None:
        name, values = change
        existing: Existing = {Target.TABLES: machine.CHANNELS, Target.ROLE: {machine.ROLE}}
        self.service.run(setup.choose_setting(self.service.core, guild, name, values, existing, own_language="en"))
        for core in self.service.cores:
            # As the clock does every few seconds.
            core.guilds.clear()
        # A server's public messages are in the new language at once.
        self.other = {table.id for table in self.tables.values() if table.guild_id == guild and name == "language"}

    @rule(person=machine.persons, channel=machine.places, decisions=st.integers(0, 6))
    def somebody_plays_the_daily_challenge(self, person: int, channel: int, decisions: int) -> None:
        one, guild = self.who(person), machine.CHANNELS[channel]
        attempt = self.press(one, lambda core, asking: daily.begin_attempt(core, asking, Place(guild, channel, "en")))
        for _decision in range(decisions):
            if isinstance(attempt, Exception) or attempt.finished_at is not None:
                break
            seen = attempt
            decision = soonest(seen.game, 0)
            for again in (False, True):
                decided = self.press(
                    one,
                    lambda core, asking, seen=seen, decision=decision: challenge.decide_attempt(  # type: ignore[misc]
                        core, daily.DAYS, seen.challenge.id, asking, decision, step=seen.step, channel_id=channel
                    ),
                )
                assert isinstance(decided, Exception) == again, "each step is decided once"
                attempt = attempt if again else decided

    @rule(person=machine.persons, sure=machine.seldom)
    def somebody_has_their_data_deleted(self, person: int, sure: bool) -> None:
        if not sure:
            return
        one = self.who(person)
        self.service.run(privacy.erase_person(self.service.core, one))
        self.other = None
        trace = re.compile(f"{machine.IDS[person]}|{machine.NAMES[person]}", re.IGNORECASE)
        for name in metadata.tables:
            for row in self.service.ask(f"select * from {name}"):  # noqa: S608 - a name of our own
                assert not trace.search(str(row)), f"something of a deleted person is left in {name}: {row}"
        machine.TOLD["deletions"] += 1

    @rule(person=machine.persons)
    def somebody_asks_what_is_stored_about_them(self, person: int) -> None:
        _wishes, rows = self.service.run(privacy.count_about(self.service.core, machine.IDS[person]))
        for name, count in rows.items():
            if "user_id" not in metadata.tables[name].c:
                continue  # Marks, and the results of cups, which name their entrants by numbers.
            theirs = f"select count(*) from {name} where user_id = {machine.IDS[person]}"  # noqa: S608 - a name of our own
            assert self.service.ask(theirs) == [(count,)]
        _name, content = self.service.run(privacy.export_person(self.service.core, machine.IDS[person]))
        tables = json.loads(content)["tables"]
        assert {name: len(tables[name]) for name in rows} == rows
        text = content.decode()
        assert not [other for at, other in enumerate(machine.IDS) if at != person and str(other) in text]

    @rule(guild=machine.servers, step=st.sampled_from(["leaves", "leaves", "comes back", "purge", "later"]))
    def a_server_removes_the_bot(self, guild: int, step: str) -> None:
        if step == "leaves":
            self.service.run(note_guild_left(self.service.core, guild))
        elif step == "comes back":
            self.service.run(note_guild_back(self.service.core, guild))
        else:
            gone: dict[int, str] = dict(self.service.ask("select guild_id, left_at from guilds_left"))
            if step == "later" and gone:
                self.service.now += timedelta(days=PURGE_DAYS)
            there = {machine.EAST} if guild == machine.WEST else set()
            due = {one for one, at in gone.items() if at <= f"{self.now - timedelta(days=PURGE_DAYS)}"} - there
            self.service.purge(PURGE_DAYS, there.__contains__)
            self.other = None
            self.look()
            assert not [table for table in self.tables.values() if table.guild_id in due]

    @rule(nth=machine.number)
    def the_books_are_made_anew(self, nth: int) -> None:
        if nth % 8 == 0:
            self.make_books_anew()

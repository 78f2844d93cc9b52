"""The part of the state machine in which time passes: clocks, absence, restarts, pauses, reminders, delivery."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bot.domain.deadlines import users_waited_for
from bot.domain.share import Share
from bot.domain.table import Table
from bot.services import away, cancelling, run
from bot.services import away as away_service
from bot.services.core import Core
from bot.services.deadlines import pause_table, resume_table
from bot.store import reminders, rows
from bot.store.away import Absence
from bot.store.claims import ABSENCES, UNSHOWN_TABLES, claim_due, load_claimed_row
from bot.store.table import Shown, mark_shown
from tests.faults.model.machine import IDS, TOLD, Machine, number, persons, places, seldom, servers
from tests.faults.model.stored import words

LATENESS = (0, 0, 0, 0, 1, 30, 119, 121, 5_000, 90_000)
"""Seconds by which the clock is late: mostly it is not, and when it is, it was suspended."""


class Waiting(Machine):
    messages = 0

    # --------------------------------------------------------------------------------------------------------- clocks

    def strike(self, late: int) -> None:
        """Go on to the next moment that is due; the clock comes so many seconds late and does all of it."""
        if moments := self._moments():
            self.service.now = max(self.now, min(moments)) + timedelta(seconds=late)
        before, logs = dict(self.tables), {table_id: len(log) for table_id, log in self.stored.logs.items()}
        self.service.shown.clear()
        self.service.run_due()
        self.look()
        assert all(moment > self.now for moment in self._moments()), "everything that was due is done"
        moved = [table for table in self.tables.values() if before[table.id].version != table.version]
        changed = {table.id for table in moved if not table.differs_only_in_progress(before[table.id])}
        assert changed <= set(self.service.shown), "what has changed is to be shown"
        reminded = {one["user_id"] for one in self.stored.reminders}
        for table in self.tables.values():
            if (
                table.timing.reminded
                and not before[table.id].timing.reminded
                and table.deadline_scope == before[table.id].deadline_scope
            ):
                assert set(users_waited_for(table)) <= reminded, "who is waited for is reminded"
            if table.game is not None:
                self._check_remarks(before[table.id], table, logs[table.id])
        TOLD["strikes of the clock"] += 1

    def _check_remarks(self, before: Table, after: Table, known: int) -> None:
        """Check that the log says whose time was up, or who was found to be gone."""
        lines = "\n".join(row["lines"] for row in self.stored.logs[after.id][known:])
        for at, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
            if (now.house, now.misses) not in ((was.house, was.misses), (None, 0)):
                assert f"seat {at} " in lines, "a seat is the house's for a reason"

    def _moments(self) -> list[datetime]:
        """Return the moments at which something is due, at any table."""
        return [moment for table in self.tables.values() if (moment := table.timing.wake_at) is not None]

    @rule(late=st.sampled_from(LATENESS))
    def the_clock_strikes(self, late: int) -> None:
        self.strike(late)

    @rule(times=st.integers(2, 3))
    def nobody_comes_for_a_while(self, times: int) -> None:
        for _time in range(times):
            self.strike(0)

    @rule(
        seconds=st.sampled_from([0, 1, 60, 60, 600, 4_000, 40_000]),
        restarted=st.sampled_from([False, False, True]),
        ripe=st.booleans(),
    )
    def time_passes_while_the_clock_sleeps(self, seconds: int, restarted: bool, ripe: bool) -> None:
        """Let nothing be worked off: people are quicker than the clock, or the bot is down.

        ``ripe``: so long that somebody's time is up, of whoever has the least.
        """
        timings = [table.timing for table in self.tables.values()]
        deadlines = [at for one in timings for at in (one.deadline, one.hold_deadline) if at is not None]
        if ripe and deadlines:
            self.service.now = max(self.now, min(deadlines))
        self.service.now += timedelta(seconds=seconds)
        if restarted:
            self.service.restart()
            TOLD["restarts"] += 1

    # -------------------------------------------------------------------------------------------------------- absence

    @rule(
        verb=st.sampled_from(
            ["leave", "back", "back", "wake", "wake", "skip", "kick", "agree", "disagree", "end", "end"]
        ),
        nth=number,
        person=persons,
        stranger=seldom,
        other=persons,
        moderator=st.booleans(),
    )
    def somebody_leaves_or_comes_back(
        self, verb: str, nth: int, person: int, stranger: bool, other: int, moderator: bool
    ) -> None:
        table_id = self.pick(nth, "playing") if verb != "kick" else self.pick(nth)
        one = self.who(self.sitting(table_id, person, stranger=stranger), moderator=moderator)
        if verb == "kick":
            self.ask(away.kick_player, table_id, one, IDS[self.sitting(table_id, other, stranger=stranger)])
            return
        if verb in ("agree", "disagree"):
            table = self.tables.get(table_id)
            version = 0 if table is None else table.version - other % 2
            self.ask(cancelling.answer_request, table_id, one, version, agrees=verb == "agree")
            return
        use_case = {
            "leave": away.leave_game,
            "back": away.take_seat_back,
            "wake": away.wake_table,
            "end": run.end_runs_early,
            "skip": away.skip_turn,
        }[verb]
        self.ask(use_case, table_id, one)

    @rule(
        person=persons,
        guild=servers,
        days=st.sampled_from([1, 2, 60]),
        day=st.sampled_from([None, None, 0, 1, 5, 62]),
        heard=st.booleans(),
    )
    def somebody_says_that_they_are_away(
        self, person: int, guild: int, days: int, day: int | None, heard: bool
    ) -> None:
        """Announce an absence of so many days, or until the day after so many; their tables may hear of it at once."""
        until = None if day is None else (self.now + timedelta(days=day)).date().isoformat()
        self.say_away(IDS[person], guild, days=days, until=until)
        if heard:
            self.tell_tables()

    def say_away(self, user: int, guild: int, *, days: int, until: str | None) -> None:
        """Announce an absence; the tables hear of it later."""
        self.do(lambda core: away_service.begin_absence(core, guild, user, days=days, until=until))
        self.look()
        TOLD["absences"] += 1

    @rule(person=persons, guild=servers)
    @precondition(lambda self: bool(self.stored.absences))
    def somebody_says_that_they_are_back(self, person: int, guild: int) -> None:
        until = self.stored.absences.get((guild, IDS[person]), {"until": ""})["until"]
        found = self.do(lambda core: away_service.finish_absence(core, guild, IDS[person]))
        assert isinstance(found, Exception) == (until <= words(self.now)), "who was away is back"

    @rule(ripe=st.booleans(), told=st.sampled_from([True, True, True, False]))
    @precondition(lambda self: bool(self.stored.absences))
    def tables_hear_who_is_away(self, ripe: bool, told: bool) -> None:
        """Wait with ``ripe`` until somebody is back by themselves. Without ``told`` the bot is killed before."""
        if ripe:
            first = min(one["post_at"] for one in self.stored.absences.values())
            self.service.now = max(self.now, datetime.fromisoformat(f"{first}+00:00"))
        self.tell_tables(told=told)

    def tell_tables(self, *, told: bool = True) -> None:
        """Tell the tables of all of whom they are to hear."""
        owed = self.service.write(lambda connection: claim_due(connection, ABSENCES, self.now, 100, Share()))
        for one in owed if told else ():
            row = self.service.read(partial(load_claimed_row, rows=ABSENCES, key=one))
            assert row is not None
            absent = rows.from_row(Absence, row)
            changed = self.do(partial(away_service.announce_absence, absence=absent))
            assert isinstance(changed, list)
            self.look()
            until = absent.until if absent.until > self.now else None
            for table in self.tables.values():
                at = table.seat_of(absent.user_id)
                if table.guild_id == absent.guild_id and table.status.open and at is not None:
                    assert table.seats[at].left or table.seats[at].away_until == until, "all their tables know"
            TOLD["tables told who is away"] += len(changed)

    @rule(person=persons, guild=servers, nth=number, at_once=seldom)
    def somebody_leaves_the_server_or_joins_it(self, person: int, guild: int, nth: int, at_once: bool) -> None:
        """Change a membership, which mostly nobody notices before the person is waited for."""
        self.service.gone ^= {(guild, IDS[person])}
        if at_once:
            self.do(lambda core: away.remove_member(core, self.pick(nth), IDS[person]))

    # --------------------------------------------------------------------------------------------------------- places

    @rule(nth=number, sure=seldom)
    def a_channel_is_deleted(self, nth: int, sure: bool) -> None:
        if sure:
            self.do(lambda core: away.close_table(core, self.pick(nth), "its channel is gone"))

    @rule(channel=places)
    def the_bot_may_no_longer_post_or_may_again(self, channel: int) -> None:
        self.service.forbidden ^= {channel}

    @rule(nth=number, on=st.booleans())
    def a_table_is_paused_or_goes_on(self, nth: int, on: bool) -> None:
        act: Any = resume_table if on else pause_table
        table_id = self.pick(nth, "lobby", "playing")

        def work(core: Core) -> Any:
            return act(core, table_id)

        self.do(work)

    # ----------------------------------------------------------------------------------------- messages and reminders

    @rule(nth=number, back=st.sampled_from([0, 0, 0, 1, 3]))
    def people_see_a_table(self, nth: int, back: int) -> None:
        """Deliver a picture, perhaps an old one after a newer one."""
        self.messages += 1
        table_id = self.pick(nth)
        before = self.tables.get(table_id)
        content_version, page = (0, 0) if before is None else (max(before.content_version - back, 0), before.screen)
        shown = [Shown(table_id, content_version, page, self.messages)]
        self.service.write(lambda connection: mark_shown(connection, shown, self.now))
        self.other = {table_id}
        self.look()
        if before is not None and before.shown_content_version <= content_version:
            after = self.tables[table_id]
            assert (after.shown_content_version, after.shown_screen, after.message_id) == (
                content_version,
                page,
                self.messages,
            )

    @rule()
    def what_is_owed_is_looked_up(self) -> None:
        assert {*self.service.waiting(UNSHOWN_TABLES)} == {
            table.id for table in self.tables.values() if table.is_unshown
        }

    @rule(nth=number, sent=st.booleans())
    @precondition(lambda self: bool(self.stored.reminders))
    def reminders_are_sent_or_no_longer_needed(self, nth: int, sent: bool) -> None:
        one = self.stored.reminders[nth % len(self.stored.reminders)]
        table_id, user, now = one["game_id"], one["user_id"], self.now
        if sent:
            self.service.write(lambda connection: reminders.mark_sent(connection, table_id, [user], now))
        else:
            self.service.write(lambda connection: reminders.drop_call(connection, table_id, user))
        TOLD["reminders"] += 1

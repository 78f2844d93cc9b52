"""The part of the state machine in which time passes: clocks, absence, restarts, pauses, reminders, delivery."""

from datetime import datetime, timedelta

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bot.services import absence, run
from bot.services import away as away_service
from bot.services.deadlines import pause, resume
from bot.store.away import Absence
from bot.store.claims import OWED_TABLES
from bot.store.models import absences
from bot.store.posts import claim_posts
from bot.store.reminders import forget, mark_sent
from bot.store.rows import from_row
from bot.store.table import Shown
from tests.faults.model import away, clock, tables
from tests.faults.model.machine import IDS, TOLD, Machine, number, persons, places, seldom, servers
from tests.faults.model.world import Table

LATENESS = (0, 0, 0, 0, 1, 30, 119, 121, 5_000, 90_000)
"""Seconds by which the clock is late: mostly it is not, and when it is, it was suspended."""
DEADLINES = {"deadline", "hold_deadline"}


class Waiting(Machine):
    """While nobody plays."""

    messages = 0

    # --------------------------------------------------------------------------------------------------------- clocks

    def strike(self, late: int) -> None:
        """Time goes on to whatever is due next; the clock comes so many seconds late and works off all that is due."""
        world = self.world
        if moments := self._moments():
            world.now = max(world.now, min(moments)) + timedelta(seconds=late)
        before = dict(world.tables)
        self.service.shown.clear()
        for look in range(self.service.run_due()):
            assert clock.run_due(world), f"at look {look} nothing was due any more"
        assert all(moment > world.now for moment in self._moments()), "everything that was due is done"
        moved = [table for table in world.tables.values() if before[table.id].version != table.version]
        changed = {table.id for table in moved if not _only_progress(before[table.id], table)}
        assert changed <= set(self.service.shown), "what has changed is to be shown"
        TOLD["strikes of the clock"] += 1

    def _moments(self) -> list[datetime]:
        """When something is due, at any table."""
        return [moment for table in self.world.tables.values() if (moment := clock.wake(table)) is not None]

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
        """Nothing is worked off: people are quicker than the clock, or the bot is down.

        ``ripe``: so long that somebody's time is up, of whoever has the least.
        """
        deadlines = [
            table.moments[name] for table in self.world.tables.values() for name in DEADLINES & {*table.moments}
        ]
        if ripe and deadlines:
            self.world.now = max(self.world.now, min(deadlines))
        self.world.now += timedelta(seconds=seconds)
        if restarted:
            self.world.up_since = self.world.now
            self.service.restart()
            TOLD["restarts"] += 1

    # -------------------------------------------------------------------------------------------------------- absence

    @rule(
        verb=st.sampled_from(["leave", "back", "back", "wake", "wake", "skip", "kick", "agree", "end", "end"]),
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
        them = IDS[self.sitting(table_id, other, stranger=stranger)]
        if verb == "kick":
            self.ask(absence.kick, tables.kick, table_id, one, them)
            return
        use_case, plain = {
            "leave": (absence.leave_game, tables.leave_game),
            "back": (absence.come_back, tables.come_back),
            "wake": (absence.wake, tables.wake),
            "agree": (run.agree_to_cancel, tables.agree),
            "end": (run.end_early, tables.end_early),
            "skip": (absence.skip, tables.skip),
        }[verb]
        self.ask(use_case, plain, table_id, one)

    @rule(
        person=persons,
        guild=servers,
        days=st.sampled_from([1, 2, 60]),
        day=st.sampled_from([None, None, 0, 1, 5, 62]),
    )
    def somebody_says_that_they_are_away(self, person: int, guild: int, days: int, day: int | None) -> None:
        """For so many days, or until the day after so many."""
        until = None if day is None else (self.world.now + timedelta(days=day)).date().isoformat()
        self.say_away(IDS[person], guild, days=days, until=until)

    def say_away(self, user: int, guild: int, *, days: int, until: str | None) -> None:
        """Somebody says it; their tables hear of it later."""
        back = self.twice(
            away_service.go_away(self.service.core, guild, user, days=days, until=until),
            lambda _back: away.go_away(self.world, guild, user, days=days, until=until),
        )
        assert back in (None, away.away_until(self.world, guild, user))
        TOLD["absences"] += 1

    @rule(person=persons, guild=servers)
    @precondition(lambda self: bool(self.world.absences))
    def somebody_says_that_they_are_back(self, person: int, guild: int) -> None:
        self.twice(
            away_service.come_back(self.service.core, guild, IDS[person]),
            lambda _none: away.come_back(self.world, guild, IDS[person]),
        )

    @rule(ripe=st.booleans(), told=st.sampled_from([True, True, True, False]))
    @precondition(lambda self: bool(self.world.absences))
    def tables_hear_who_is_away(self, ripe: bool, told: bool) -> None:
        """``ripe``: when somebody is back by themselves. Without ``told`` the bot is killed before."""
        core, world = self.service.core, self.world
        if ripe:
            world.now = max(world.now, min(one.post_at for one in world.absences.values()))
        owed = self.service.write(lambda connection: claim_posts(connection, [absences], world.now, 100))
        claimed = [from_row(Absence, one.row) for one in owed]
        assert [(one.guild_id, one.user_id) for one in claimed] == away.owed(world)
        away.claim(world)
        for one in claimed if told else ():
            changed = self.service.run(away_service.tell_tables(core, one))
            assert {table.id for table in changed} == set(away.tell(world, one.guild_id, one.user_id))
            TOLD["tables told who is away"] += len(changed)

    @rule(person=persons, guild=servers, nth=number, at_once=seldom)
    def somebody_leaves_the_server_or_joins_it(self, person: int, guild: int, nth: int, at_once: bool) -> None:
        """Mostly nobody notices before they are waited for."""
        self.world.gone ^= {(guild, IDS[person])}
        if at_once:
            table_id = self.pick(nth)
            self.twice(
                absence.gone(self.service.core, table_id, IDS[person]),
                lambda _table: tables.gone(self.world, table_id, IDS[person]),
            )

    # --------------------------------------------------------------------------------------------------------- places

    @rule(nth=number, sure=seldom)
    def a_channel_is_deleted(self, nth: int, sure: bool) -> None:
        if sure:
            table_id = self.pick(nth)
            self.twice(
                absence.close(self.service.core, table_id, "its channel is gone"),
                lambda _table: tables.close(self.world, table_id),
            )

    @rule(channel=places)
    def the_bot_may_no_longer_post_or_may_again(self, channel: int) -> None:
        self.world.forbidden ^= {channel}

    @rule(nth=number, on=st.booleans())
    def a_table_is_paused_or_goes_on(self, nth: int, on: bool) -> None:
        table_id = self.pick(nth, "lobby", "playing")
        act, plain = (resume, clock.resume) if on else (pause, clock.pause)
        self.twice(act(self.service.core, table_id), lambda _table: plain(self.world, self.world.find(table_id)))

    # ----------------------------------------------------------------------------------------- messages and reminders

    @rule(nth=number, back=st.sampled_from([0, 0, 0, 1, 3]))
    def people_see_a_table(self, nth: int, back: int) -> None:
        """A version was delivered, perhaps an old one that comes after a newer one."""
        self.messages += 1
        table_id, message = self.pick(nth), self.messages
        table = self.plain(table_id)
        version, page = (0, 0) if table is None else (max(table.version - back, 0), table.page)
        self.service.mark_shown([Shown(table_id, version, page, message)])
        tables.shown(self.world, table_id, version, page, message)

    @rule()
    def what_is_owed_is_looked_up(self) -> None:
        owed = self.service.waiting(OWED_TABLES)
        expected = [table for table in self.world.tables.values() if table.shown_version < table.version]
        assert owed == [table.id for table in sorted(expected, key=lambda table: (table.updated_at, table.id))]

    @rule(person=persons, sent=st.booleans())
    @precondition(lambda self: bool(self.world.reminders))
    def reminders_are_sent_or_no_longer_needed(self, person: int, sent: bool) -> None:
        """Nobody has more than one, over all tables."""
        unsent = sorted(
            self.service.ask("select user_id, game_id from reminders where sent_at is null and kind = 'reminder'")
        )
        pending = self.world.reminders
        assert unsent == sorted((user, one.game_id) for user, one in pending.items() if one.sent_at is None)
        user = sorted(pending)[person % len(pending)]
        now, table_id = self.world.now, pending[user].game_id
        if sent:
            self.service.write(lambda connection: mark_sent(connection, table_id, [user], now))
            pending[user].sent_at = pending[user].sent_at or now
        else:
            self.service.write(lambda connection: forget(connection, table_id, user, now))
            del pending[user]
        self.world.dirty.add("reminders")
        TOLD["reminders"] += 1


def _only_progress(before: Table, after: Table) -> bool:
    """Whether all that has happened in own pace is that the house has played on, which may be shown later."""
    same = (before.seats, before.news, before.page) == (after.seats, after.news, after.page)
    return after.own_pace and after.status == "playing" and same

"""What people, time and operators do to the service."""

import asyncio
import re
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from bot.domain import errors, timing
from bot.domain.deadlines import users_waited_for
from bot.domain.shards import Share
from bot.domain.table import Status, Table
from bot.services import away, cancelling, deadlines, lobby, privacy, run, setup
from bot.services.core import Core, Person, Place
from bot.services.turn import decide_turn
from bot.store import claims, reminders, rows
from bot.store.away import Absence
from bot.store.models import metadata
from bot.store.table import Shown, mark_shown
from highscore import Game, IllegalChoice, Roll, SetAside, Stop, TurnOrder, events, list_decisions
from tests.faults.model import machine
from tests.faults.model.machine import IDS, number, persons, seldom
from tests.faults.model.service import draw_from

OPEN_TABLES = 5
"""One less than the channels take."""
LATENESS = (0, 0, 0, 0, 1, 30, 119, 121, 5_000, 90_000)
"""Seconds by which the clock is late: usually it is not. A clock that is very late was suspended."""
USE_CASES: dict[str, Any] = {
    "leave the lobby": lobby.leave_lobby,
    "add the house": lobby.add_house_player,
    "send the house off": lobby.send_house_player_off,
    "start": lobby.start_game,
    "cancel": cancelling.cancel_table,
    "rematch": lobby.start_rematch,
    "leave": away.leave_game,
    "come back": away.take_seat_back,
    "wake": away.wake_table,
    "skip": away.skip_turn,
    "end early": run.end_runs_early,
}
"""Use cases of one table that need nothing but the person who asks."""


class Playing(machine.Machine):
    messages = 0

    @initialize(seed=st.integers(0, 2**32), people=st.integers(2, 3), order=st.sampled_from(TurnOrder))
    def two_games_begin(self, seed: int, people: int, order: TurnOrder) -> None:
        """Begin with two games, a lobby that needs more people, and a cancelled table."""
        draw_from(seed, self.patch)
        first, second, third = sorted(machine.CHANNELS)
        self.begin(list(range(people)), first, order, timing.Pace.DAY, 0)
        self.begin([1, 3, 4], third, TurnOrder.CLOCKWISE, timing.Pace.LIVE, 0)
        self.open(2, first, lobby.NewTable(seats=people))
        over = self.open(3, second, lobby.NewTable())
        assert over is not None
        self.ask(cancelling.cancel_table, over.id, self.who(3))

    # ---------------------------------------------------------------------------------------------------- lobbies

    def open(self, person: int, channel: int, wishes: lobby.NewTable) -> Table | None:
        place = Place(machine.CHANNELS[channel], channel, "en")
        opened = self.press(self.who(person), lambda core, asking: lobby.open_table(core, asking, place, wishes))
        return opened if isinstance(opened, Table) else None

    def begin(self, people: list[int], channel: int, order: TurnOrder, pace: timing.Pace, house: int) -> None:
        table = self.open(people[0], channel, lobby.NewTable(pace=pace, order=order, house=house))
        if table is not None:
            for person in people[1:]:
                self.ask(lobby.join_table, table.id, self.who(person))
            self.ask(lobby.start_game, table.id, self.who(people[0]))
            self.open_game(table.id)

    @rule(
        people=st.lists(persons, min_size=1, max_size=4, unique=True),
        channel=machine.channels,
        order=st.sampled_from(TurnOrder),
        pace=st.sampled_from(timing.Pace),
        house=st.sampled_from([0, 0, 0, 0, 0, 0, 0, 1]),
        invites=seldom,
    )
    @precondition(lambda self: sum(table.status.open for table in self.tables.values()) < OPEN_TABLES)
    def some_people_begin_a_game(
        self, people: list[int], channel: int, order: TurnOrder, pace: timing.Pace, house: int, invites: bool
    ) -> None:
        """Begin a game, or open a lobby with seats for all of them."""
        if invites or len(people) == 1:
            invited = tuple(self.who(person) for person in people[1:])
            self.open(people[0], channel, lobby.NewTable(pace=pace, order=order, house=house, invited=invited))
        else:
            self.begin(people, channel, order, pace, house)

    @rule(
        verb=st.sampled_from(["join", "join", "join", "start", "start", "word", "call", *USE_CASES]),
        nth=number,
        person=persons,
        stranger=st.booleans(),
        moderator=seldom,
    )
    def somebody_presses_a_button(self, verb: str, nth: int, person: int, stranger: bool, moderator: bool) -> None:
        statuses = {"join": ["lobby"], "word": ["lobby"], "call": ["lobby"], "rematch": ["finished", "abandoned"]}
        table_id = self.pick(nth, *statuses.get(verb, ["lobby", "playing"]))
        one = self.who(self.sitting(table_id, person, stranger=stranger), moderator=moderator)
        match verb:
            case "join":
                self.ask(lobby.join_table, table_id, one)
            case "word":
                self.ask(lobby.set_lucky_word, table_id, one, f"{one.name.lower()}s  luck")
            case "call":
                self.ask(lobby.call_players, table_id, one, machine.ROLE)
            case _:
                self.ask(USE_CASES[verb], table_id, one)

    @rule(nth=number)
    @precondition(lambda self: self.has_table("playing"))
    def the_opening_message_arrives(self, nth: int) -> None:
        """Begin a game that waits for its opening message, or sometimes another game again."""
        waiting = [table.id for table in self.tables.values() if table.awaits_opening]
        self.open_game(waiting[nth % len(waiting)] if waiting and nth % 4 else self.pick(nth, "playing"))

    def open_game(self, table_id: str) -> None:
        self.messages += 1
        before = self.tables.get(table_id)
        self.do(lambda core: lobby.begin_game(core, table_id, self.messages))
        if before is not None:
            opening = self.messages if before.awaits_opening else before.opening_id
            assert self.tables[table_id].opening_id == opening

    # ---------------------------------------------------------------------------------------------------- playing

    @rule(nth=number, seat=number, choice=st.integers(0, 127))
    @precondition(lambda self: self.has_table("playing"))
    def somebody_plays(self, nth: int, seat: int, choice: int) -> None:
        table = self.tables.get(self.pick(nth, "playing"))
        if on := seats_to_play(table):
            assert table is not None
            at = on[seat % len(on)]
            options = list_decisions(game_of(table), at)
            self._decide_now(table, at, options[choice % len(options)])

    @rule(nth=number, decisions=st.sampled_from([2, 3, 5, 8, 13, 60]), last_first=st.booleans())
    @precondition(lambda self: self.has_table("playing"))
    def people_play_for_a_while(self, nth: int, decisions: int, last_first: bool) -> None:
        """Let everybody end the turn soon; wait for the clock where it is the house's turn."""
        table_id = self.pick(nth, "playing")
        for _decision in range(decisions):
            table = self.tables.get(table_id)
            if table is None or table.status is not Status.PLAYING or table.timing.paused_at is not None:
                break
            if on := seats_to_play(table):
                at = on[-1 if last_first else 0]
                self._decide_now(table, at, end_soon(game_of(table), at))
            else:
                self.strike(0)

    def _decide_now(self, table: Table, at: int, decision: events.Decision) -> None:
        """Press on the newest page as the player of a seat: this counts."""
        user, seen = table.seats[at].user_id or 0, step_of(table, at)
        found = self.press(Person(user, ""), lambda core, asking: decide(core, table, asking, decision, seen))
        assert not isinstance(found, Exception)

    @rule(
        nth=number,
        person=persons,
        stranger=st.booleans(),
        back=st.sampled_from([0, 0, 0, 1, 2, 5]),
        kind=st.sampled_from(["take", "stop", "roll", "set"]),
        dice=st.integers(0, 127),
    )
    @precondition(lambda self: self.has_table("playing"))
    def somebody_presses_any_decision(
        self, nth: int, person: int, stranger: bool, back: int, kind: str, dice: int
    ) -> None:
        """Press any button of any version: out of turn, late, against the rules, or legally by chance."""
        table = self.tables.get(self.pick(nth, "playing"))
        if table is None or table.game is None:
            return
        user = IDS[self.sitting(table.id, person, stranger=stranger)]
        picked = tuple(at for at in range(7) if dice >> at & 1)
        decisions: dict[str, events.Decision] = {
            "take": events.TakeDice(),
            "stop": Stop(),
            "roll": Roll(picked),
            "set": SetAside(picked),
        }
        seen = step_of(table, table.seat_of(user) or 0) - back
        found = self.press(Person(user, ""), lambda core, asking: decide(core, table, asking, decisions[kind], seen))
        assert isinstance(found, Exception) or not back, "a late press does not count"

    @rule(nth=number, clicks=st.integers(2, 5), bystanders=st.integers(0, 3))
    @precondition(lambda self: self.has_table("playing"))
    def somebody_clicks_many_times_while_others_click_too(self, nth: int, clicks: int, bystanders: int) -> None:
        """Send all presses, each of them twice, to both processes before the first is answered: one of them counts."""
        table = self.tables.get(self.pick(nth, "playing"))
        if table is None or not (on := seats_to_play(table)):
            return
        decision, seen = end_soon(game_of(table), on[0]), step_of(table, on[0])
        # In own pace others may decide the same at the same step of theirs.
        others = [user for user in IDS[:bystanders] if table.turn_order.shared or table.seat_of(user) is None]
        users = [table.seats[on[0]].user_id or 0] * clicks + others
        presses = [Person(user, "", self.asked + place) for place, user in enumerate(users, start=1)] * 2
        self.asked += len(users)
        answers = self.service.run(gather([decide(self.service.core, table, one, decision, seen) for one in presses]))
        refused = [answer for answer in answers if isinstance(answer, BaseException)]
        assert len(refused) == len(presses) - 1
        assert all(isinstance(answer, errors.Refused | IllegalChoice) for answer in refused)
        assert sum(isinstance(answer, errors.AlreadyHandled) for answer in refused) == 1, "it was delivered twice"

    # ------------------------------------------------------------------------------------------------------- time

    def strike(self, late: int) -> None:
        """Go on to the next time at which something is due. The clock is some seconds late and does all of it."""
        if moments := self._moments():
            self.service.now = max(self.now, min(moments)) + timedelta(seconds=late)
        before = dict(self.tables)
        self.service.shown.clear()
        self.service.run_due()
        self.look()
        assert all(moment > self.now for moment in self._moments()), "something due was not done"
        reminded = {row["user_id"] for row in self.stored.reminders}
        for table in self.tables.values():
            was = before[table.id]
            if table.version != was.version and not table.differs_only_in_progress(was):
                assert table.id in self.service.shown
            same_turn = table.deadline_scope == was.deadline_scope
            if same_turn and table.timing.reminded and not was.timing.reminded:
                assert set(users_waited_for(table)) <= reminded

    def _moments(self) -> list[datetime]:
        return [moment for table in self.tables.values() if (moment := table.timing.wake_at) is not None]

    @rule(late=st.sampled_from(LATENESS), times=st.sampled_from([1, 1, 1, 2, 3]))
    def the_clock_strikes(self, late: int, times: int) -> None:
        for _time in range(times):
            self.strike(late)

    @rule(seconds=st.sampled_from([0, 1, 60, 60, 600, 4_000, 40_000]), restarted=seldom, ripe=st.booleans())
    def time_passes_while_the_clock_sleeps(self, seconds: int, restarted: bool, ripe: bool) -> None:
        """People are quicker than the clock, or the bot is down; if ``ripe``, until after the next deadline."""
        timings = [table.timing for table in self.tables.values()]
        deadlines = [at for one in timings for at in (one.deadline, one.hold_deadline) if at is not None]
        if ripe and deadlines:
            self.service.now = max(self.now, min(deadlines))
        self.service.now += timedelta(seconds=seconds)
        if restarted:
            self.service.restart()

    @rule(nth=number, person=persons, other=persons, stranger=seldom, moderator=st.booleans(), agrees=st.booleans())
    @precondition(lambda self: self.has_table("playing"))
    def somebody_decides_about_others(
        self, nth: int, person: int, other: int, stranger: bool, moderator: bool, agrees: bool
    ) -> None:
        """Answer a request to cancel, or have a player removed."""
        table_id = self.pick(nth, "playing")
        one = self.who(self.sitting(table_id, person, stranger=stranger), moderator=moderator)
        if nth % 2:
            self.ask(away.kick_player, table_id, one, IDS[self.sitting(table_id, other, stranger=stranger)])
        else:
            version = self.tables[table_id].version if table_id in self.tables else 0
            self.press(
                one,
                lambda core, asking: cancelling.answer_request(core, table_id, asking, version, agrees=agrees),
            )

    @rule(person=persons, guild=machine.guilds, days=st.sampled_from([0, 1, 2, 60]), noticed=st.booleans())
    def somebody_says_that_they_are_away(self, person: int, guild: int, days: int, noticed: bool) -> None:
        """Announce an absence of some days, or end it for none. Their tables may notice at once."""
        user = IDS[person]
        if days:
            self.do(lambda core: away.begin_absence(core, guild, user, days=days, until=None))
        else:
            self.do(lambda core: away.finish_absence(core, guild, user))
        if noticed:
            self.tables_notice_who_is_away(ripe=False)

    @rule(ripe=st.booleans())
    @precondition(lambda self: bool(self.stored.absences))
    def tables_notice_who_is_away(self, ripe: bool) -> None:
        """Update the tables of people who are away, or if ``ripe`` of the one who is back first."""
        if ripe and self.stored.absences:
            first = min(row["post_at"] for row in self.stored.absences.values())
            self.service.now = max(self.now, datetime.fromisoformat(f"{first}+00:00"))
        claim = partial(claims.claim_due, rows=claims.ABSENCES, now=self.now, limit=100, share=Share())
        for key in self.service.run(self.service.core.database.write(claim)):
            row = self.service.read(partial(claims.load_claimed_row, rows=claims.ABSENCES, key=key))
            assert row is not None
            absent = rows.from_row(Absence, row)
            self.do(partial(away.announce_absence, absence=absent))
            until = absent.until if absent.until > self.now else None
            for table in self.tables.values():
                at = table.seat_of(absent.user_id)
                if table.guild_id == absent.guild_id and table.status.open and at is not None:
                    assert table.seats[at].left or table.seats[at].away_until == until

    @rule(person=persons, guild=machine.guilds, nth=number, at_once=seldom)
    def somebody_leaves_the_server_or_joins_it(self, person: int, guild: int, nth: int, at_once: bool) -> None:
        """Usually nobody notices before the others wait for this person."""
        self.service.gone ^= {(guild, IDS[person])}
        if at_once:
            self.do(lambda core: away.remove_member(core, self.pick(nth), IDS[person]))

    # -------------------------------------------------------------------------------------------- channels, servers

    @rule(channel=machine.channels)
    def the_bot_may_no_longer_post_or_may_again(self, channel: int) -> None:
        self.service.forbidden ^= {channel}

    @rule(nth=number, what=st.sampled_from(["pause", "resume", "resume", "close"]))
    def a_table_is_paused_or_goes_on_or_loses_its_channel(self, nth: int, what: str) -> None:
        table_id = self.pick(nth, "lobby", "playing")
        if what == "pause":
            self.do(lambda core: deadlines.pause_table(core, table_id))
        elif what == "resume":
            self.do(lambda core: deadlines.resume_table(core, table_id))
        elif nth % 4 == 0:
            self.do(lambda core: away.close_table(core, table_id, "its channel is gone"))

    @rule(nth=number, back=st.sampled_from([0, 0, 0, 1, 3]))
    def people_see_a_table(self, nth: int, back: int) -> None:
        """Store that a message shows a table, perhaps older content after newer content."""
        self.messages += 1
        table_id = self.pick(nth)
        before = self.tables.get(table_id)
        content, screen = (0, 0) if before is None else (max(before.content_version - back, 0), before.screen)
        shown = [Shown(table_id, content, screen, self.messages)]
        self.service.run(self.service.core.database.write(partial(mark_shown, shown=shown, now=self.now)))
        self.silent = {table_id}
        self.look()
        if before is not None and before.shown_content_version <= content:
            after = self.tables[table_id]
            now_shown = (after.shown_content_version, after.shown_screen, after.message_id)
            assert now_shown == (content, screen, self.messages)

    @rule(nth=number, sent=st.booleans())
    @precondition(lambda self: bool(self.stored.reminders))
    def a_reminder_is_sent_or_no_longer_needed(self, nth: int, sent: bool) -> None:
        row = self.stored.reminders[nth % len(self.stored.reminders)]
        table_id, user, now = row["game_id"], row["user_id"], self.now

        def finish(connection: Any) -> None:
            if sent:
                reminders.mark_sent(connection, table_id, [user], now)
            else:
                reminders.drop_call(connection, table_id, user)

        self.service.run(self.service.core.database.write(finish))

    @rule(guild=machine.guilds, language=st.sampled_from(["de", "server"]))
    def an_administrator_changes_the_language(self, guild: int, language: str) -> None:
        work = setup.choose_setting(self.service.core, guild, "language", [language], {}, own_language="en")
        self.service.run(work)
        for core in self.service.cores:
            core.guilds.clear()  # as the clock does every few seconds
        self.silent = {table.id for table in self.tables.values() if table.guild_id == guild}

    @rule(person=persons, sure=seldom)
    def somebody_has_their_data_deleted(self, person: int, sure: bool) -> None:
        if not sure:
            return
        self.service.run(privacy.erase_person(self.service.core, self.who(person)))
        self.silent = None
        trace = re.compile(f"{IDS[person]}|{machine.NAMES[person]}", re.IGNORECASE)
        for name in metadata.tables:
            for row in self.service.ask(f"select * from {name}"):  # noqa: S608 - our own names
                assert not trace.search(str(row)), f"left in {name}: {row}"


def game_of(table: Table) -> Game:
    assert table.game is not None
    return table.game


def seats_to_play(table: Table | None) -> list[int]:
    """Return the seats whose people may decide now. In own pace the house keeps a seat once the time is up."""
    if table is None or table.game is None or table.status is not Status.PLAYING or table.awaits_opening:
        return []
    on = [at for at in table.game.may_act if table.seats[at].present and not table.house_plays(at)]
    return [at for at in on if table.turn_order.shared or table.seats[at].house is None]


def step_of(table: Table, at: int) -> int:
    """Return the number that the newest buttons name: the table's version, or in own pace the step of the run."""
    return table.version if table.turn_order.shared else game_of(table).find_run(at).step.number


async def decide(core: Core, table: Table, person: Person, decision: events.Decision, seen: int) -> object:
    if table.turn_order.shared:
        user, asked = person.user_id, person.interaction_id
        return await decide_turn(core, table.id, user, decision, version=seen, interaction_id=asked)
    return await run.decide_run(core, table.id, person, decision, step=seen)


async def gather(work: list[Any]) -> list[Any]:
    return list(await asyncio.gather(*work, return_exceptions=True))


def end_soon(game: Game, seat: int) -> events.Decision:
    """Return the decision that ends a turn soonest."""
    options = list_decisions(game, seat)
    return next((one for one in options if isinstance(one, Stop)), options[-1])

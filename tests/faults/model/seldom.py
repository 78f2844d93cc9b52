"""The part of the state machine that leads to what hardly ever comes about by chance."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bot.services import absence, lobby, run
from bot.services.core import Person
from bot.services.invitations import call_players
from bot.services.setup import choose
from tests.faults.model import clock, people, tables
from tests.faults.model.living import Living
from tests.faults.model.machine import CHANNELS, IDS, ROLE, number, persons, places
from tests.faults.model.playing import OPEN_TABLES, soonest
from tests.faults.model.world import Table

MOST_DECISIONS = 60
"""Enough for all cards of a run."""
MOST_STRIKES = 4


class Seldom(Living):
    """Everything, and more of what is seldom."""

    def _found(self, nth: int, wanted: list[Table]) -> Table | None:
        return wanted[nth % len(wanted)] if wanted else None

    def _of(self, table: Table, seat: int) -> Person:
        return self.who(IDS.index(table.seats[seat].user_id or 0))

    def _playing(self, *, own: bool) -> list[Table]:
        return [table for table in self.world.tables.values() if table.status == "playing" and table.own_pace == own]

    @rule(nth=number)
    @precondition(lambda self: any(table.waits for table in self.world.tables.values()))
    def a_host_is_impatient_while_a_game_is_being_opened(self, nth: int) -> None:
        table = self._found(nth, [table for table in self.world.tables.values() if table.waits])
        if table is not None and table.host_id in IDS:
            self.ask(absence.skip, tables.skip, table.id, self.who(IDS.index(table.host_id)))

    @rule(nth=number, reminded=st.booleans())
    @precondition(
        lambda self: any(table.own_pace and table.status == "playing" for table in self.world.tables.values())
    )
    def somebody_plays_all_cards_and_wants_to_end_the_game(self, nth: int, reminded: bool) -> None:
        """At once, or when the others were reminded."""
        table = self._found(nth, [table for table in self._playing(own=True) if not table.waits])
        if table is None or not (here := clock.themselves(table)):
            return
        at = here[nth % len(here)]
        for _decision in range(MOST_DECISIONS):
            if table.game is None or table.status != "playing" or at not in table.game.may_act:
                break
            self._decide_now(table, at, soonest(table.game, at))
            table = self.world.tables[table.id]
        for _time in range(MOST_STRIKES):
            waiting = self.world.tables.get(table.id)
            if not reminded or waiting is None or not clock.only_not_begun(waiting) or "early_at" in waiting.moments:
                break
            self.strike(0)
        if table.id in self.world.tables:
            self.ask(run.end_early, tables.end_early, table.id, self._of(table, at))

    @rule(nth=number)
    @precondition(
        lambda self: any(table.own_pace and table.status == "playing" for table in self.world.tables.values())
    )
    def somebody_plays_on_when_the_time_of_their_game_is_up(self, nth: int) -> None:
        """With a card finished, so that the house plays their rest."""
        table = self._found(nth, [table for table in self._playing(own=True) if "deadline" in table.moments])
        if table is None or not (here := clock.themselves(table)):
            return
        at = here[nth % len(here)]
        while table.game is not None and at in table.game.may_act and not table.game.progress(at):
            self._decide_now(table, at, soonest(table.game, at))
            table = self.world.tables[table.id]
        if "deadline" in table.moments:
            self.world.now = max(self.world.now, table.moments["deadline"])
            self.strike(0)
        table = self.world.tables[table.id]
        if table.status == "playing" and table.game is not None and at in table.game.may_act:
            self._decide_now(table, at, soonest(table.game, at))
            self.ask(absence.come_back, tables.come_back, table.id, self._of(table, at))

    @rule(nth=number)
    @precondition(lambda self: self.any_table("playing"))
    def a_host_removes_somebody_twice(self, nth: int) -> None:
        playing = [table for table in self.world.tables.values() if table.status == "playing" and table.host_id in IDS]
        table = self._found(nth, playing)
        others = [] if table is None else [seat.user_id for seat in table.seats if seat.present and seat.user_id in IDS]
        if table is None or len(others) < 3:
            return
        user = next(one for one in others if one != table.host_id)
        for _again in range(2):
            self.ask(absence.kick, tables.kick, table.id, self.who(IDS.index(table.host_id)), user)

    @rule(nth=number)
    @precondition(lambda self: any(table.game for table in self.world.tables.values()))
    def a_hint_is_asked_for_where_there_is_none(self, nth: int) -> None:
        """Before the dice are rolled, or at a table without hints."""
        table = self._found(nth, [table for table in self._playing(own=True) if not table.waits])
        if table is None or table.game is None:
            return
        here = [at for at in clock.themselves(table) if table.game.run(at).turn is None or not table.hints]
        if here:
            self.hint_on_page(table.id, table.seats[here[0]].user_id or 0, table.game.run(here[0]).step)

    @rule(channel=places, person=persons, night=st.booleans())
    @precondition(lambda self: sum(table.open for table in self.world.tables.values()) < OPEN_TABLES - 1)
    def players_are_called_to_two_tables(self, channel: int, person: int, night: bool) -> None:
        """Within an hour, or at night."""
        guild = CHANNELS[channel]
        self._set(guild, "player_role", str(ROLE), player_role=ROLE)
        for place in sorted(at for at in CHANNELS if CHANNELS[at] == guild)[:2]:
            table = self._open(person, place, lobby.NewTable(seats=3))
            if table is None:
                continue
            if night:
                hour = self.world.now.astimezone(ZoneInfo(self.world.settings_of(guild)["zone"])).hour
                begin, end = f"{hour:02}:00", f"{(hour + 1) % 24:02}:00"
                self._set(guild, "quiet", f"{begin}-{end}", quiet_from=f"{begin}:00", quiet_to=f"{end}:00")
            self.ask(call_players, tables.call_players, table.id, self.who(person), ROLE)

    @rule(nth=number, person=persons)
    @precondition(lambda self: bool(self.world.days))
    def a_server_moves_west_after_its_day(self, nth: int, person: int) -> None:
        """The same day begins there once more."""
        day = list(self.world.days.values())[nth % len(self.world.days)]
        self._set(day.guild_id, "zone", "America/New_York", zone="America/New_York")
        self.world.now = max(self.world.now, day.ends_at + timedelta(minutes=1))
        channel = min(at for at in CHANNELS if CHANNELS[at] == day.guild_id)
        self.somebody_plays_the_daily_challenge(person, channel, 0, False)

    def _set(self, guild: int, name: str, value: str, **plain: object) -> None:
        self.service.run(choose(self.service.core, guild, name, [value], own_language="en"))
        people.change_settings(self.world, guild, plain, "en")

"""The part of the state machine in which people sit down and play."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from bot.domain import deadlines, errors, timing
from bot.domain.run import seats_playing_themselves
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Table
from bot.services import away, coaching, lobby, run
from bot.services.away import continue_table, seat_of_player
from bot.services.cancelling import cancel_table
from bot.services.core import Change, Core, Person, Place, get_server_settings
from bot.services.lobby import call_players, start_rematch
from bot.services.run import find_own_seat
from bot.services.turn import change_by_person, decide_turn
from bot.store.leaderboard import load_practised, select_guild_of
from highscore import Game, IllegalChoice, Roll, SetAside, Stop, TurnOrder, events, list_decisions, play_event
from tests.faults.model import service, stored
from tests.faults.model.machine import CHANNELS, IDS, ROLE, TOLD, number, persons, places, seldom
from tests.faults.model.waiting import Waiting

OPEN_TABLES = 5
"""One less than the channels take."""
MOST_DECISIONS = 60
"""Enough for all cards of a run."""


class Playing(Waiting):
    hints = 0

    @initialize(seed=st.integers(0, 2**32), people=st.integers(2, 3), order=st.sampled_from(TurnOrder))
    def two_games_begin(self, seed: int, people: int, order: TurnOrder) -> None:
        """Begin with two games, at which most can happen, and a lobby that waits for people."""
        TOLD["runs"] += 1
        self.service.chance(seed)
        self._begin(list(range(people)), min(CHANNELS), order, timing.Pace.DAY, 0)
        self._begin([1, 3, 4], max(CHANNELS), TurnOrder.CLOCKWISE, timing.Pace.LIVE, 0)
        self._open(2, min(CHANNELS), lobby.NewTable(seats=people))
        over = self._open(3, sorted(CHANNELS)[1], lobby.NewTable())
        assert over is not None
        self.ask(cancel_table, over.id, self.who(3))
        self._rematch(over.id, self.who(3))

    # -------------------------------------------------------------------------------------------------------- lobbies

    @rule(
        person=persons,
        channel=places,
        seats=st.sampled_from([2, 2, 3, 4, 5]),
        pace=st.sampled_from([None, *timing.Pace]),
        order=st.sampled_from([None, *TurnOrder]),
        house=st.sampled_from([0, 0, 0, 0, 0, 0, 1, 1, 2, 4]),
        hints=st.booleans(),
        invited=st.one_of(st.just([]), st.lists(persons, max_size=4, unique=True)),
    )
    @precondition(lambda self: sum(table.status.open for table in self.tables.values()) < OPEN_TABLES)
    def somebody_opens_a_table(
        self,
        person: int,
        channel: int,
        seats: int,
        pace: timing.Pace | None,
        order: TurnOrder | None,
        house: int,
        hints: bool,
        invited: list[int],
    ) -> None:
        people = tuple(self.who(one) for one in invited if one != person)
        wishes = lobby.NewTable(seats=seats, pace=pace, order=order, house=house, hints=hints, invited=people)
        self._open(person, channel, wishes)

    def _open(self, person: int, channel: int, wishes: lobby.NewTable) -> Table | None:
        guild, one = CHANNELS[channel], self.who(person)
        settings = self.service.run(get_server_settings(self.service.cores[0], guild))
        room = self._may_open(settings, one, guild, channel) and wishes.house < wishes.seats and wishes.needed <= 5

        def work(core: Core, asking: Person) -> Coroutine[Any, Any, Table]:
            return lobby.open_table(core, asking, Place(guild, channel, "en"), wishes)

        opened = self.press(one, work)
        assert isinstance(opened, Table) == room, "opened where there is room"
        return opened if isinstance(opened, Table) else None

    def _may_open(self, settings: ServerSettings, one: Person, guild: int, channel: int) -> bool:
        open_ones = [table for table in self.tables.values() if table.status.open]
        there = [table for table in open_ones if table.channel_id == channel and table.counts_towards_limit]
        hosted = [table for table in open_ones if (table.guild_id, table.host_id) == (guild, one.user_id)]
        few = len(there) < (settings.tables_per_channel or service.LIMIT) and len(hosted) < service.HOSTED
        allowed = not settings.channels or channel in settings.channels
        return few and allowed and settings.opener_role in (None, *one.role_ids)

    @rule(
        people=st.lists(persons, min_size=2, max_size=4, unique=True),
        channel=places,
        order=st.sampled_from(TurnOrder),
        pace=st.sampled_from(timing.Pace),
        house=st.sampled_from([0, 0, 0, 0, 0, 0, 0, 1]),
    )
    @precondition(lambda self: sum(table.status.open for table in self.tables.values()) < OPEN_TABLES)
    def some_people_begin_a_game(
        self, people: list[int], channel: int, order: TurnOrder, pace: timing.Pace, house: int
    ) -> None:
        self._begin(people, channel, order, pace, house)

    def _begin(self, people: list[int], channel: int, order: TurnOrder, pace: timing.Pace, house: int) -> None:
        table = self._open(people[0], channel, lobby.NewTable(pace=pace, order=order, house=house, hints=not house))
        if table is not None:
            for person in people[1:]:
                self._in_lobby("join", table.id, person)
            self._in_lobby("start", table.id, people[0])
            self._open_game(table.id)

    @rule(
        verb=st.sampled_from(["join", "join", "join", "leave", "house", "no house", "start", "start", "call"]),
        nth=number,
        person=persons,
        stranger=st.booleans(),
    )
    @precondition(lambda self: self.any_table("lobby"))
    def somebody_presses_in_a_lobby(self, verb: str, nth: int, person: int, stranger: bool) -> None:
        table_id = self.pick(nth, "lobby")
        self._in_lobby(verb, table_id, self.sitting(table_id, person, stranger=stranger))

    def _in_lobby(self, verb: str, table_id: str, person: int) -> None:
        one = self.who(person)
        match verb:
            case "call":
                self.ask(call_players, table_id, one, ROLE)
            case "join":
                practised = self.service.read(
                    partial(load_practised, guild_id=select_guild_of(table_id), user_id=one.user_id)
                )
                pure: Any = lobby._sit_down.__wrapped__  # type: ignore[attr-defined]
                self.press(
                    one,
                    lambda core, asking: lobby.join_table(core, table_id, asking),
                    table_id,
                    lambda table, asking: pure(table, asking, practised),
                )
            case _:
                use_case = {
                    "leave": lobby.leave_lobby,
                    "house": lobby.add_house_player,
                    "no house": lobby.send_house_player_off,
                    "start": lobby.start_game,
                }[verb]
                self.ask(use_case, table_id, one)

    @rule(nth=number)
    @precondition(lambda self: any(table.awaits_opening for table in self.tables.values()))
    def the_message_that_opens_a_game_arrives(self, nth: int) -> None:
        """Begin a table that waits for it, or sometimes another one again."""
        waiting = [table.id for table in self.tables.values() if table.awaits_opening]
        self._open_game(self.pick(nth, "playing") if nth % 4 == 0 else waiting[nth % len(waiting)])

    def _open_game(self, table_id: str) -> None:
        self.messages += 1
        waits = table_id in self.tables and self.tables[table_id].awaits_opening
        before = self.tables.get(table_id)
        self.do(lambda core: lobby.begin_game(core, table_id, self.messages))
        self.look()
        if before is not None:
            assert self.tables[table_id].opening_id == (self.messages if waits else before.opening_id)

    @rule(nth=number, person=persons, stranger=seldom, long=seldom, spaces=st.booleans())
    @precondition(lambda self: self.any_table("lobby"))
    def somebody_gives_a_lucky_word(self, nth: int, person: int, stranger: bool, long: bool, spaces: bool) -> None:
        table_id = self.pick(nth, "lobby")
        one = self.who(self.sitting(table_id, person, stranger=stranger))
        word = f"{one.name.lower()}s{'  ' if spaces else ' '}luck" * (4 if long else 1)
        self.ask(lobby.set_lucky_word, table_id, one, word)

    @rule(nth=number, person=persons, stranger=st.booleans(), moderator=seldom)
    def somebody_cancels_a_table(self, nth: int, person: int, stranger: bool, moderator: bool) -> None:
        table_id = self.pick(nth)
        self.ask(
            cancel_table, table_id, self.who(self.sitting(table_id, person, stranger=stranger), moderator=moderator)
        )

    @rule(nth=number, person=persons, stranger=st.booleans())
    @precondition(lambda self: self.any_table("finished", "abandoned"))
    def somebody_asks_for_a_rematch(self, nth: int, person: int, stranger: bool) -> None:
        table_id = self.pick(nth, "finished", "abandoned")
        self._rematch(table_id, self.who(self.sitting(table_id, person, stranger=stranger)))

    def _rematch(self, table_id: str, one: Person) -> None:
        self.press(one, lambda core, asking: start_rematch(core, table_id, asking))

    # -------------------------------------------------------------------------------------------------------- playing

    def _decide(self, table_id: str, user: int, decision: events.Decision, seen: int, *, own: bool) -> Any:
        """Press a decision, looking at the version ``seen`` of the table, or in ``own`` pace at that step."""
        found = self.press(
            Person(user, ""),
            lambda core, asking: _decision(core, table_id, asking, decision, seen, own=own),
            table_id,
            lambda table, asking: _decided(table, asking, decision, own=own),
        )
        if isinstance(found, tuple):
            self._check_run(*found)
        return found

    def _check_run(self, shown: Table, seat: int) -> None:
        """Check that a player in own pace sees their own run, and of others only what R9.5 allows."""
        game, now = shown.game, self.tables[shown.id].game
        assert game is not None
        assert now is not None
        assert game.find_run(seat) == now.find_run(seat)
        for other in () if now.over else set(now.seats) - {seat}:
            theirs = game.find_run(other)
            assert (theirs.finished, theirs.hand) == (now.find_run(other).finished[: now.count_finished(seat)], None)
            assert game.count_finished(other) == now.count_finished(other)

    def _decide_now(self, table: Table, at: int, decision: events.Decision) -> None:
        """Press on the newest page, as a player: that counts, and ends all calls to them."""
        assert table.game is not None
        user, own = table.seats[at].user_id or 0, not table.turn_order.shared
        seen = table.game.find_run(at).step.number if own else table.version
        found = self._decide(table.id, user, decision, seen, own=own)
        assert isinstance(found, Exception) == (own and table.seats[at].house is not None)
        if own or isinstance(decision, events.TakeDice):
            calls = [one for one in self.stored.reminders if (one["user_id"], one["game_id"]) == (user, table.id)]
            # A player who only takes the dice may still be reminded of the turn (docs/async.md).
            assert all(one["kind"] in ("cancel", "reminder") for one in calls) or isinstance(found, Exception)

    def _played(self, nth: int) -> Table | None:
        table = self.tables.get(self.pick(nth, "playing"))
        return table if table is not None and stored.playing(table) and not table.awaits_opening else None

    @rule(nth=number, seat=number, choice=st.integers(0, 127))
    @precondition(lambda self: self.any_table("playing"))
    def somebody_plays(self, nth: int, seat: int, choice: int) -> None:
        table = self._played(nth)
        if table is None or table.game is None:
            return
        if on := [at for at in table.game.may_act if table.seats[at].present]:
            at = on[seat % len(on)]
            options = list_decisions(table.game, at)
            self._decide_now(table, at, options[choice % len(options)])

    @rule(nth=number, seat=number)
    @precondition(lambda self: self.any_table("playing"))
    def somebody_says_that_they_are_away_and_plays_before_their_table_has_heard(self, nth: int, seat: int) -> None:
        """Decide within a second, which ends the absence, whatever the table hears then."""
        table = self._played(nth)
        if table is None or table.game is None:
            return
        on = [at for at in table.game.may_act if at in seats_playing_themselves(table)]
        if not on or table.seats[at := on[seat % len(on)]].away_until is not None:
            return
        user = table.seats[at].user_id or 0
        self.say_away(user, table.guild_id, days=1, until=None)
        self._decide_now(table, at, soonest(table.game, at))
        found = self.stored.absences[table.guild_id, user]
        assert found["until"] == found["post_at"], "they are there, and their tables are to hear of it"
        TOLD["plays before the table has heard"] += 1

    @rule(nth=number, decisions=st.sampled_from([2, 3, 5, 8, 13, 60]), last_first=st.booleans())
    @precondition(lambda self: self.any_table("playing"))
    def people_play_for_a_while(self, nth: int, decisions: int, last_first: bool) -> None:
        """Let everybody end the turn soon; for people who are away the clock is waited for."""
        table = self._played(nth)
        for _decision in range(decisions):
            if table is None or not stored.playing(table) or table.game is None:
                break
            here = [at for at in table.game.may_act if table.seats[at].house is None or table.turn_order.shared]
            at = here[-1 if last_first else 0] if here else None
            if at is not None and table.seats[at].present and not table.house_plays(at):
                self._decide_now(table, at, soonest(table.game, at))
            elif table.timing.paused_at is not None:
                break
            else:
                self.strike(0)
            table = self.tables.get(table.id)

    @rule(
        nth=number,
        person=persons,
        stranger=st.booleans(),
        back=st.sampled_from([0, 0, 0, 1, 2, 5]),
        kind=st.sampled_from(["take", "stop", "roll", "set"]),
        dice=st.integers(0, 127),
    )
    def somebody_presses_something(
        self, nth: int, person: int, stranger: bool, back: int, kind: str, dice: int
    ) -> None:
        """Press any button of any version: out of turn, late, against the rules, or after all right."""
        table_id = self.pick(nth)
        user = IDS[self.sitting(table_id, person, stranger=stranger)]
        picked = tuple(at for at in range(7) if dice >> at & 1)
        decisions: dict[str, events.Decision] = {
            "take": events.TakeDice(),
            "stop": Stop(),
            "roll": Roll(picked),
            "set": SetAside(picked),
        }
        table = self.tables.get(table_id)
        own = table is not None and table.turn_order.shared == (nth % 8 == 0)
        seen = 0 if table is None else table.version
        if own and table is not None and table.game is not None:
            seen = table.game.find_run(table.seat_of(user) or 0).step.number
        late = table is not None and back > 0
        if not late:
            self._decide(table_id, user, decisions[kind], seen, own=own)
            return
        found = self.press(
            Person(user, ""),
            lambda core, asking: _decision(core, table_id, asking, decisions[kind], seen - back, own=own),
        )
        assert isinstance(found, Exception), "what is late does not count"

    @rule(nth=number, clicks=st.integers(2, 5), bystanders=st.integers(0, 3))
    @precondition(lambda self: self.any_table("playing"))
    def somebody_clicks_many_times_while_others_click_too(self, nth: int, clicks: int, bystanders: int) -> None:
        """Send all presses to both processes before the first is answered: one of them counts."""
        table = self._played(nth)
        if table is None or table.game is None:
            return
        own = not table.turn_order.shared
        # In own pace a seat is the house's for good, once the time is up.
        seats = [at for at in table.game.may_act if not own or table.seats[at].house is None]
        at = next((at for at in seats if table.seats[at].present), None)
        if at is None or (user := table.seats[at].user_id) is None:
            return
        seen = table.game.find_run(at).step.number if own else table.version
        decision, first = soonest(table.game, at), self.asked + 1
        # In own pace others may decide the same at the same step of theirs.
        others = [one for one in IDS[:bystanders] if not own or table.seat_of(one) is None]
        presses = [Person(one, "", first + place) for place, one in enumerate([user] * clicks + others)]
        self.asked += len(presses)
        presses += presses
        answers = self.service.run(
            _together([_decision(self.service.core, table.id, one, decision, seen, own=own) for one in presses])
        )
        may_act = {table.seats[seat].user_id for seat in table.game.may_act}
        counted = [one for one, answer in zip(presses, answers, strict=True) if not isinstance(answer, BaseException)]
        assert len(counted) == 1
        assert counted[0].user_id in may_act
        refused = [answer for answer in answers if isinstance(answer, BaseException)]
        assert all(isinstance(answer, errors.Refused | IllegalChoice) for answer in refused)
        assert sum(isinstance(answer, errors.AlreadyHandled) for answer in refused) == 1, "it was delivered twice"
        expected = _decided(table, counted[0], decision, own=own)
        self._check_change(table, expected, counted[0])
        TOLD["clicks together"] += len(presses)

    @rule(nth=number, reminded=st.booleans())
    @precondition(lambda self: self.any_table("playing"))
    def somebody_plays_all_cards_and_wants_to_end_the_game(self, nth: int, reminded: bool) -> None:
        """End at once, or when the others were reminded and some hours have passed."""
        own = [table for table in self.tables.values() if stored.playing(table) and not table.turn_order.shared]
        table = own[nth % len(own)] if own else None
        if table is None or table.awaits_opening or not (here := seats_playing_themselves(table)):
            return
        at = here[nth % len(here)]
        for _decision in range(MOST_DECISIONS):
            if table.game is None or not stored.playing(table) or at not in table.game.may_act:
                break
            self._decide_now(table, at, soonest(table.game, at))
            table = self.tables[table.id]
        if reminded and table.timing.remind_at is not None:
            self.strike(0)
        table = self.tables[table.id]
        early = table.timing.early_end_at
        if early is not None and reminded:
            self.service.now = max(self.now, early)
        self.ask(run.end_runs_early, table.id, self.who(IDS.index(table.seats[at].user_id or 0)))

    @rule(nth=number)
    @precondition(lambda self: self.any_table("playing"))
    def somebody_plays_on_when_the_time_of_their_game_is_up(self, nth: int) -> None:
        """Play with a card finished, so that the house plays the rest."""
        own = [table for table in self.tables.values() if stored.playing(table) and not table.turn_order.shared]
        table = own[nth % len(own)] if own else None
        if table is None or table.timing.deadline is None or table.timing.paused_at is not None:
            return
        at = deadlines.seats_waited_for(table)[nth % len(deadlines.seats_waited_for(table))]
        while table.game is not None and at in table.game.may_act and not table.game.count_finished(at):
            self._decide_now(table, at, soonest(table.game, at))
            table = self.tables[table.id]
        if table.timing.deadline is not None:
            self.service.now = max(self.now, table.timing.deadline)
            self.strike(0)
        table = self.tables[table.id]
        if stored.playing(table) and table.game is not None and at in table.game.may_act:
            self._decide_now(table, at, soonest(table.game, at))
            self.ask(away.take_seat_back, table.id, self.who(IDS.index(table.seats[at].user_id or 0)))

    @rule(nth=number, person=persons, stranger=seldom, back=st.sampled_from([0, 0, 0, 1]))
    @precondition(lambda self: self.hints < 3)
    def somebody_asks_for_a_hint(self, nth: int, person: int, stranger: bool, back: int) -> None:
        """Ask seldom: it takes longer than everything else."""
        self.hints += 1
        table_id = self.pick(nth, "playing")
        table = self.tables.get(table_id)
        user, seen, own = IDS[self.sitting(table_id, person, stranger=stranger)], 0, False
        if table is not None and table.game is not None:
            seen, own = table.version - back, not table.turn_order.shared
            if table.game.hands and not stranger:
                hand = table.game.hands[0]
                user = table.seats[hand.seat].user_id or user
                seen = table.game.find_run(hand.seat).step.number - back if own else seen
        given = self.do(lambda core: _hint(core, table_id, user, seen, own=own))
        assert isinstance(given, Exception) or not back, "no hint for an older version"
        self.other = {table_id}
        self.look()
        if table is not None and (at := table.seat_of(user)) is not None:
            counted = self.tables[table_id].seats[at].hints - table.seats[at].hints
            assert counted == (0 if isinstance(given, Exception) else 1)


def _decided(table: Table, one: Person, decision: events.Decision, *, own: bool) -> Change:
    seat = find_own_seat(table, one.user_id) if own else seat_of_player(table, one.user_id)
    if table.game is None or table.game.over or table.turn_order.shared == own:
        raise errors.MovedOn(table) if own else errors.Stale(table)
    if own and table.seats[seat].house is not None:
        raise errors.MovedOn(table)
    game, happened = play_event(table.game, events.Decided(seat, decision), table.source, table.deck)
    answered = one.user_id if own or isinstance(decision, events.TakeDice) else None
    return change_by_person(continue_table(table, game), seat, happened, answered)


async def _decision(
    core: Core, table_id: str, one: Person, decision: events.Decision, seen: int, *, own: bool
) -> Table | tuple[Table, int]:
    """Return a press on the table that everybody sees, or on the page of a run."""
    if not own:
        return await decide_turn(core, table_id, one.user_id, decision, version=seen, interaction_id=one.interaction_id)
    return await run.decide_run(core, table_id, one, decision, step=seen)


async def _hint(core: Core, table_id: str, user: int, seen: int, *, own: bool) -> object:
    if not own:
        return await coaching.give_hint(core, table_id, user, seen)
    table, _seat = await run.view_run(core, table_id, user, seen)
    return await coaching.advise_player(core, table, user, None)


async def _together(work: list[Coroutine[Any, Any, Any]]) -> list[Any]:
    return list(await asyncio.gather(*work, return_exceptions=True))


def soonest(game: Game, seat: int) -> events.Decision:
    """Return the decision that ends a turn soonest."""
    options = list_decisions(game, seat)
    return next((one for one in options if isinstance(one, Stop)), options[-1])

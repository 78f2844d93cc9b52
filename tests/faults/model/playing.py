"""The part of the state machine in which people sit down and play."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from bot.domain.pace import Pace
from bot.domain.table import Table
from bot.services import coaching, lobby, lucky_words, run
from bot.services.core import Core, Person
from bot.services.invitations import call_players
from bot.services.rematch import rematch
from bot.services.turn import decide
from highscore.events import Decision, TakeDice
from highscore.game import Game, legal_decisions
from highscore.turn import Roll, SetAside, Stop
from highscore.turn_order import TurnOrder
from tests.faults.model import tables
from tests.faults.model.clock import is_houses
from tests.faults.model.machine import (
    CHANNELS,
    IDS,
    ROLE,
    TOLD,
    Outcome,
    made,
    number,
    persons,
    places,
    seldom,
)
from tests.faults.model.waiting import Waiting
from tests.faults.model.world import Table as Plain

OPEN_TABLES = 5
"""One less than the channels take."""


class Playing(Waiting):
    """At the tables."""

    hints = 0

    @initialize(seed=st.integers(0, 2**32), people=st.integers(2, 3), order=st.sampled_from(TurnOrder))
    def two_games_begin(self, seed: int, people: int, order: TurnOrder) -> None:
        """Most of what can happen happens at tables; and a lobby waits for people."""
        TOLD["runs"] += 1
        self.service.chance(seed)
        self._begin(list(range(people)), min(CHANNELS), order, Pace.DAY, 0)
        self._begin([1, 3, 4], max(CHANNELS), TurnOrder.CLOCKWISE, Pace.LIVE, 0)
        waiting = self._open(2, min(CHANNELS), lobby.NewTable(seats=people))
        if waiting is not None:
            self._in_lobby("no house", waiting.id, 2)
        over = self._open(3, sorted(CHANNELS)[1], lobby.NewTable())
        if over is not None:
            self.ask(lobby.cancel, tables.cancel, over.id, self.who(3))
            self._rematch(over.id, self.who(5))

    # -------------------------------------------------------------------------------------------------------- lobbies

    @rule(
        person=persons,
        channel=places,
        seats=st.sampled_from([2, 2, 3, 4, 5]),
        pace=st.sampled_from([None, *Pace]),
        order=st.sampled_from([None, *TurnOrder]),
        house=st.sampled_from([0, 0, 0, 0, 0, 0, 1, 1, 2, 4]),
        hints=st.booleans(),
        invited=st.one_of(st.just([]), st.lists(persons, max_size=4, unique=True)),
    )
    @precondition(lambda self: sum(table.open for table in self.world.tables.values()) < OPEN_TABLES)
    def somebody_opens_a_table(
        self,
        person: int,
        channel: int,
        seats: int,
        pace: Pace | None,
        order: TurnOrder | None,
        house: int,
        hints: bool,
        invited: list[int],
    ) -> None:
        people = tuple(self.who(one) for one in invited if one != person)
        wishes = lobby.NewTable(seats=seats, pace=pace, order=order, house=house, hints=hints, invited=people)
        self._open(person, channel, wishes)

    @rule(person=persons, others=st.lists(persons, min_size=1, max_size=2, unique=True), channel=places)
    @precondition(lambda self: sum(table.open for table in self.world.tables.values()) < OPEN_TABLES)
    def somebody_keeps_seats_for_others(self, person: int, others: list[int], channel: int) -> None:
        """With no other seats; one of them may sit down."""
        people = tuple(self.who(one) for one in others if one != person)
        table = self._open(person, channel, lobby.NewTable(seats=2, invited=people))
        if table is not None:
            self._in_lobby("join", table.id, others[0])

    def _open(self, person: int, channel: int, wishes: lobby.NewTable) -> Table | None:
        guild, opened = CHANNELS[channel], list[Table | None]()

        def act(one: Person) -> None:
            use_case = lobby.open_table(
                self.service.core, one, guild_id=guild, channel_id=channel, locale="en", wishes=wishes
            )
            table = self.twice(
                use_case,
                lambda table: tables.open_table(
                    self.world, one, wishes, guild=guild, channel=channel, made=made(table)
                ),
            )
            opened.append(table)

        self.press(self.who(person), act)
        return opened[0]

    @rule(
        people=st.lists(persons, min_size=2, max_size=4, unique=True),
        channel=places,
        order=st.sampled_from(TurnOrder),
        pace=st.sampled_from(Pace),
        house=st.sampled_from([0, 0, 0, 0, 0, 0, 0, 1]),
    )
    @precondition(lambda self: sum(table.open for table in self.world.tables.values()) < OPEN_TABLES)
    def some_people_begin_a_game(
        self, people: list[int], channel: int, order: TurnOrder, pace: Pace, house: int
    ) -> None:
        self._begin(people, channel, order, pace, house)

    def _begin(self, people: list[int], channel: int, order: TurnOrder, pace: Pace, house: int) -> None:
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
        if verb == "call":
            self.ask(call_players, tables.call_players, table_id, self.who(person), ROLE)
            return
        use_case, plain = {
            "join": (lobby.join, tables.join),
            "leave": (lobby.leave, tables.leave),
            "house": (lobby.add_house_player, tables.add_house),
            "no house": (lobby.send_house_player_off, tables.send_house_off),
            "start": (lobby.start, tables.start),
        }[verb]
        self.ask(use_case, plain, table_id, self.who(person))

    @rule(nth=number)
    @precondition(lambda self: any(table.waits for table in self.world.tables.values()))
    def the_message_that_opens_a_game_arrives(self, nth: int) -> None:
        """Mostly for a table that waits for it, sometimes once more for another."""
        waiting = [table.id for table in self.world.tables.values() if table.waits]
        self._open_game(self.pick(nth, "playing") if nth % 4 == 0 else waiting[nth % len(waiting)])

    def _open_game(self, table_id: str) -> None:
        self.messages += 1
        message = self.messages
        self.twice(
            lobby.begin(self.service.core, table_id, message),
            lambda _table: tables.begin(self.world, table_id, message),
        )

    @rule(nth=number, person=persons, stranger=seldom, long=seldom, spaces=st.booleans())
    @precondition(lambda self: self.any_table("lobby"))
    def somebody_gives_a_lucky_word(self, nth: int, person: int, stranger: bool, long: bool, spaces: bool) -> None:
        table_id = self.pick(nth, "lobby")
        one = self.who(self.sitting(table_id, person, stranger=stranger))
        word = f"{one.name.lower()}s{'  ' if spaces else ' '}luck" * (4 if long else 1)
        self.ask(lucky_words.set_lucky_word, tables.lucky_word, table_id, one, word)

    @rule(nth=number, person=persons, stranger=st.booleans(), moderator=seldom)
    def somebody_cancels_a_table(self, nth: int, person: int, stranger: bool, moderator: bool) -> None:
        table_id = self.pick(nth)
        one = self.who(self.sitting(table_id, person, stranger=stranger), moderator=moderator)
        self.ask(lobby.cancel, tables.cancel, table_id, one)

    @rule(nth=number, person=persons, stranger=st.booleans())
    @precondition(lambda self: self.any_table("finished", "abandoned"))
    def somebody_asks_for_a_rematch(self, nth: int, person: int, stranger: bool) -> None:
        table_id = self.pick(nth, "finished", "abandoned")
        self._rematch(table_id, self.who(self.sitting(table_id, person, stranger=stranger)))

    def _rematch(self, table_id: str, one: Person) -> None:
        self.press(
            one,
            lambda asking: self.twice(
                rematch(self.service.core, table_id, asking),
                lambda table: tables.rematch(self.world, table_id, asking, made=made(table)),
            ),
        )

    # -------------------------------------------------------------------------------------------------------- playing

    def _decide(self, table_id: str, user: int, decision: Decision, seen: int, *, own: bool) -> None:
        """Somebody presses what decides; ``seen`` is the version of the table, or in ``own`` pace the step of a run."""
        plain = tables.decide_run if own else tables.decide
        self.press(
            Person(user, ""),
            lambda asking: self.twice(
                _decision(self.service.core, table_id, asking, decision, seen, own=own),
                lambda _table: plain(self.world, table_id, asking, decision, seen),
            ),
        )

    def _decide_now(self, table: Plain, at: int, decision: Decision) -> None:
        """Somebody who plays presses what they see."""
        assert table.game is not None
        user, seen = table.seats[at].user_id or 0, table.game.run(at).step if table.own_pace else table.version
        self._decide(table.id, user, decision, seen, own=table.own_pace)

    def _played(self, nth: int) -> Plain | None:
        table = self.plain(self.pick(nth, "playing"))
        return table if table is not None and table.status == "playing" else None

    @rule(nth=number, seat=number, choice=st.integers(0, 127))
    @precondition(lambda self: self.any_table("playing"))
    def somebody_plays(self, nth: int, seat: int, choice: int) -> None:
        table = self._played(nth)
        if table is None or table.game is None:
            return
        on = [at for at in table.game.may_act if table.seats[at].present]
        if on:
            at = on[seat % len(on)]
            options = legal_decisions(table.game, at)
            self._decide_now(table, at, options[choice % len(options)])

    @rule(nth=number, seat=number)
    @precondition(lambda self: self.any_table("playing"))
    def somebody_says_that_they_are_away_and_plays_before_their_table_has_heard(self, nth: int, seat: int) -> None:
        """Within a second: that decision ends it, whatever the table hears then."""
        table = self._played(nth)
        if table is None or table.game is None:
            return
        on = [at for at in table.game.may_act if table.seats[at].present and table.seats[at].house is None]
        if (
            not on
            or (user := table.seats[at := on[seat % len(on)]].user_id) is None
            or table.seats[at].away_until is not None
        ):
            return
        self.say_away(user, table.guild_id, days=1, until=None)
        self._decide_now(table, at, soonest(table.game, at))
        assert self.world.absences[table.guild_id, user].until <= self.world.now
        TOLD["plays before the table has heard"] += 1

    @rule(nth=number, decisions=st.sampled_from([2, 3, 5, 8, 13, 60]), last_first=st.booleans())
    @precondition(lambda self: self.any_table("playing"))
    def people_play_for_a_while(self, nth: int, decisions: int, last_first: bool) -> None:
        """Everybody ends the turn soon; for whoever is away the clock is waited for."""
        table = self._played(nth)
        for _decision in range(decisions):
            if table is None or table.status != "playing" or table.game is None:
                break
            here = [at for at in table.game.may_act if table.seats[at].house is None or not table.own_pace]
            at = here[-1 if last_first else 0] if here else None
            if at is not None and table.seats[at].present and not is_houses(table, at):
                self._decide_now(table, at, soonest(table.game, at))
            elif "paused_at" in table.moments:
                break
            else:
                self.strike(0)
            table = self.plain(table.id)

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
        """Anybody, on any button of any version: out of turn, late, against the rules, or after all right."""
        table_id = self.pick(nth)
        user = IDS[self.sitting(table_id, person, stranger=stranger)]
        picked = tuple(at for at in range(7) if dice >> at & 1)
        decisions: dict[str, Decision] = {
            "take": TakeDice(),
            "stop": Stop(),
            "roll": Roll(picked),
            "set": SetAside(picked),
        }
        table = self.plain(table_id)
        own = table is not None and table.own_pace == (nth % 8 > 0)
        seen = 0 if table is None else table.version
        if own and table is not None and table.game is not None:
            seen = table.game.run(table.seat_of(user) or 0).step
        self._decide(table_id, user, decisions[kind], max(seen - back, 0), own=own)

    @rule(nth=number, clicks=st.integers(2, 5), bystanders=st.integers(0, 3))
    @precondition(lambda self: self.any_table("playing"))
    def somebody_clicks_many_times_while_others_click_too(self, nth: int, clicks: int, bystanders: int) -> None:
        """All presses are on their way before the first is answered: one of them counts."""
        table = self._played(nth)
        if table is None or table.game is None:
            return
        own = table.own_pace
        # In own pace a seat is the house's for good, once the time is up.
        seats = [at for at in table.game.may_act if not own or table.seats[at].house is None]
        at = next((at for at in seats if table.seats[at].present), None)
        user = None if at is None else table.seats[at].user_id
        if at is None or user is None:
            return
        seen = table.game.run(at).step if own else table.version
        decision, first = soonest(table.game, at), self.asked + 1
        # In own pace others may decide the same at the same step of theirs.
        others = [one for one in IDS[:bystanders] if not own or table.seat_of(one) is None]
        presses = [Person(one, "", first + place) for place, one in enumerate([user] * clicks + others)]
        self.asked += len(presses)
        answers = self.service.run(
            _together([_decision(self.service.core, table.id, one, decision, seen, own=own) for one in presses])
        )
        counted = [place for place, answer in enumerate(answers) if not isinstance(answer, BaseException)]
        assert len(counted) == 1, answers

        def plain(place: int) -> Outcome | None:
            decide = tables.decide_run if own else tables.decide
            return self.outcome(lambda: decide(self.world, table.id, presses[place], decision, seen))

        # Which of them it was is nobody's business, and whoever may not act now comes before that one or after it.
        may_act = [table.seats[seat].user_id for seat in table.game.may_act]
        before = {place: plain(place) for place, one in enumerate(presses) if one.user_id not in may_act}
        assert plain(counted[0]) is None
        for place, answer in enumerate(answers):
            if place not in counted:
                self.check_outcome(answer, plain(place), before.get(place))
        TOLD["clicks together"] += len(presses)

    @rule(nth=number, person=persons, stranger=seldom, back=st.sampled_from([0, 0, 0, 1]))
    @precondition(lambda self: self.hints < 3)
    def somebody_asks_for_a_hint(self, nth: int, person: int, stranger: bool, back: int) -> None:
        """Seldom: it takes longer than everything else."""
        self.hints += 1
        table_id = self.pick(nth, "playing")
        table = self.plain(table_id)
        user, version = IDS[self.sitting(table_id, person, stranger=stranger)], 0
        if table is not None:
            version = table.version - back
            if table.game is not None and table.game.hands and not stranger:
                hand = table.game.hands[0]
                user = table.seats[hand.seat].user_id or user
                if table.own_pace:
                    self.hint_on_page(table_id, user, table.game.run(hand.seat).step - back)
                    return
        self.twice(
            coaching.give_hint(self.service.core, table_id, user, version),
            lambda _hint: tables.hint(self.world, table_id, user, version),
        )

    def hint_on_page(self, table_id: str, user: int, step: int) -> None:
        """Somebody asks for one on the page of their run."""
        self.twice(
            _hint(self.service.core, table_id, user, step),
            lambda _hint: tables.hint_run(self.world, table_id, user, step),
        )


async def _decision(
    core: Core, table_id: str, one: Person, decision: Decision, seen: int, *, own: bool
) -> Table | tuple[Table, int]:
    """A press on the table that everybody sees, or on the page of a run."""
    if not own:
        return await decide(core, table_id, one.user_id, decision, version=seen, interaction_id=one.interaction_id)
    return await run.decide(core, table_id, one, decision, step=seen)


async def _hint(core: Core, table_id: str, user: int, step: int) -> object:
    table, _seat = await run.look(core, table_id, user, step)
    return await coaching.advise(core, table, user, None)


async def _together(work: list[Coroutine[Any, Any, Any]]) -> list[Any]:
    return list(await asyncio.gather(*work, return_exceptions=True))


def soonest(game: Game, seat: int) -> Decision:
    """What ends a turn soonest."""
    options = legal_decisions(game, seat)
    return next((one for one in options if isinstance(one, Stop)), options[-1])

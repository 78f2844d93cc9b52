"""What all parts of the state machine share: doing something twice, for real and in the model, and comparing."""

from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.domain.errors import PlayedElsewhere, Refused
from bot.domain.table import Table
from bot.services.core import Person, load
from bot.services.proof import prove
from bot.services.rebuild import rebuild
from bot.store.table import load_events
from highscore.errors import IllegalChoice
from highscore.game import replay
from tests.bot.games import BOOKS
from tests.faults.model import clock
from tests.faults.model.look import NOT_MODELLED, Difference, Looker
from tests.faults.model.service import HOSTED, LIMIT, PACES, Service
from tests.faults.model.tables import Made
from tests.faults.model.world import No, World
from tests.faults.model.world import Table as Plain

START = datetime(2026, 3, 27, 20, tzinfo=UTC)
"""Two days before the clocks are put forward in Europe, some days before a month and a quarter end."""
EAST, WEST = GUILDS = (555_000_111_222_333_444, 666_000_111_222_333_555)
CHANNELS = {700_000_000_000_000_001: EAST, 700_000_000_000_000_002: EAST, 700_000_000_000_000_003: WEST}
ROLE = 88
"""Half of the people have it."""
NAMES = ("Adalind", "Benedikt", "Cemile", "Dorothea", "Everard", "Fayola")
IDS = tuple(900_000_000_000_000_101 + 10_000 * place for place in range(len(NAMES)))
NO_TABLE = "0" * 12

Answer = TypeVar("Answer")
Outcome = tuple[str, str]
"""The kind of a refusal, and words of its sentence."""

TOLD: Counter[str] = Counter()
"""What has happened in all runs, to be printed. Nothing is decided by it."""

number = st.integers(0, 63)
persons = st.integers(0, len(NAMES) - 1)
places = st.sampled_from(sorted(CHANNELS))
servers = st.sampled_from(GUILDS)
seldom = st.integers(0, 7).map(lambda drawn: drawn == 7)


class Machine(RuleBasedStateMachine):
    """The service and the world of the model."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self.world = World(START, PACES, LIMIT, up_since=START, hosted=HOSTED)
        self.service = service
        service.begin(self.world)
        # Where every query travels to a server, looking at everything after every step would take most of the time.
        self.looker = Looker(service.ask, thoroughly=not service.core.database.shared)
        self.asked = 0
        """The id of the last interaction."""
        self.again = False
        """Whether what happens now is a second delivery."""
        self.last: Callable[[], object] | None = None

    # --------------------------------------------------------------------------------------------- doing things twice

    def twice(self, real: Coroutine[Any, Any, Answer], plain: Callable[[Answer | None], object]) -> Answer | None:
        """Both do the same, or refuse it for the same reason. ``plain`` is handed the real answer."""
        answer, refusal = None, None
        try:
            answer = self.service.run(real)
        except (Refused, IllegalChoice) as error:
            refusal = error
        expected = self.outcome(lambda: plain(answer))
        self.check_outcome(refusal, expected)
        if isinstance(answer, Table):
            self._check_answer(answer)
        elif isinstance(answer, tuple) and isinstance(answer[1], int):
            self._check_run(*answer)
        return answer

    def outcome(self, plain: Callable[[], object]) -> Outcome | None:
        """What the model says to something; None when it does it."""
        try:
            plain()
        except No as no:
            TOLD[f"no: {no}"] += 1
            return no.kind, no.words
        except IllegalChoice as illegal:
            TOLD["no: against the rules"] += 1
            return type(illegal).__name__, str(illegal)
        TOLD["done"] += 1
        return None

    def check_outcome(
        self, refusal: BaseException | None, expected: Outcome | None, or_else: Outcome | None = None
    ) -> None:
        """What was refused is what was to be refused, for that reason, or for another that there was a moment ago."""
        if refusal is None or expected is None:
            if refusal is not None:
                raise Difference("this should have been done") from refusal
            if expected is not None:
                raise Difference(f"this was done and should have been refused: {expected}")
            return
        if isinstance(refusal, PlayedElsewhere):
            # That is what is said to an interaction that was acted on before, whatever else there is against it now.
            assert self.again
            return
        reasons = [reason for reason in (expected, or_else) if reason is not None]
        if not any(type(refusal).__name__ == kind and words in str(refusal) for kind, words in reasons):
            raise Difference(f"refused, but not as {expected}") from refusal

    def _check_answer(self, table: Table) -> None:
        """What the person who asked is shown is the table as it is now."""
        plain = self.world.tables[table.id]
        told = table.version, table.status.value, table.host_id, table.game, table.span, table.page
        assert told == (plain.version, plain.status, plain.host_id, plain.game, plain.span, plain.page)
        assert [seat.user_id for seat in table.seats] == [seat.user_id for seat in plain.seats]
        assert table.owed == (plain.shown_version < plain.version)
        news = [(one.kind.value, one.seat) for one in table.news if one.kind.value not in NOT_MODELLED]
        assert news == [one[:2] for one in plain.news]

    def _check_run(self, table: Table, seat: int) -> None:
        """What a player in own pace is shown is their own run, and of others only what R9.5 lets them see."""
        plain = self.world.tables[table.id].game
        assert plain is not None
        assert table.game is not None
        mine, done = table.game.run(seat), plain.progress(seat)
        assert mine == plain.run(seat)
        if plain.over:
            assert table.game == plain
            return
        for other in set(plain.seats) - {seat}:
            theirs = table.game.run(other)
            assert theirs.finished == plain.run(other).finished[:done]
            assert theirs.hand is None
            assert table.game.progress(other) == plain.progress(other)
        assert len(table.game.finished) + len(table.game.cards) <= done + 1

    def press(self, one: Person, act: Callable[[Person], object]) -> None:
        """Somebody does something with an interaction, which may be delivered once more later."""
        self.asked += 1
        asking = replace(one, interaction_id=self.asked)
        act(asking)
        self.last = lambda: act(asking)

    def ask(
        self,
        use_case: Callable[..., Coroutine[Any, Any, Table]],
        plain: Callable[..., object],
        table_id: str,
        one: Person,
        *more: Any,
    ) -> None:
        """Somebody asks for something at a table."""
        self.press(
            one,
            lambda asking: self.twice(
                use_case(self.service.core, table_id, asking, *more),
                lambda _table: plain(self.world, table_id, asking, *more),
            ),
        )

    @rule()
    @precondition(lambda self: self.last is not None)
    def the_last_press_is_delivered_again(self) -> None:
        act, self.last = self.last, None
        assert act is not None
        self.again = True
        try:
            act()
        finally:
            self.again = False

    # ------------------------------------------------------------------------------------------------- choosing things

    def pick(self, nth: int, *statuses: str) -> str:
        """The id of a table: mostly of one in these statuses, the furthest first; sometimes of any, or of none."""
        found = sorted(self.world.tables.values(), key=lambda table: (not table.open, -table.turns, table.id))
        wanted = [table.id for table in found if nth >= 56 or not statuses or table.status in statuses]
        return NO_TABLE if nth == 63 or not wanted else wanted[nth % len(wanted)]

    def any_table(self, *statuses: str) -> bool:
        return any(table.status in statuses for table in self.world.tables.values())

    def plain(self, table_id: str) -> Plain | None:
        return self.world.tables.get(table_id)

    def who(self, person: int, *, moderator: bool = False) -> Person:
        return Person(IDS[person], NAMES[person], None, moderator, (ROLE,) if person % 2 else ())

    def sitting(self, table_id: str, person: int, *, stranger: bool = False) -> int:
        """Somebody who sits at a table, or with ``stranger`` anybody."""
        table = self.world.tables.get(table_id)
        users = [] if table is None else [seat.user_id for seat in table.seats if seat.user_id in IDS]
        user = users[person % len(users)] if users and not stranger else None
        return person if user is None else IDS.index(user)

    # --------------------------------------------------------------------------------------------------------- checks

    @invariant()
    def what_is_stored_is_what_the_model_has(self) -> None:
        TOLD["steps"] += 1
        self.looker.compare(self.world)
        for table in self.world.tables.values():
            users = [seat.user_id for seat in table.seats if seat.user_id is not None]
            assert len(users) == len(set(users)), "everybody sits once"
            if table.open:
                people = [seat.user_id for seat in table.seats if seat.present]
                # In own pace the house plays the rest where everybody has gone.
                assert table.host_id in people or (table.own_pace and not people), "a host is there"
                assert table.waits or clock.wake(table) is not None, "an open table is not forgotten"

    def teardown(self) -> None:
        """Each log tells its game from the first event on, its dice are those of its seal, and so are the books."""
        for table in self.world.tables.values():
            TOLD[table.status] += 1
            if table.game is None:
                continue
            events = self.service.read(
                lambda connection, table_id=table.id: load_events(connection, table_id)  # type: ignore[misc]
            )
            assert replay(len(table.seats), table.turn_order, events) == table.game
            if not table.open:
                proof, _document = self.service.run(prove(self.service.core, table.id))
                assert proof.state == table.game
            assert self.service.run(load(self.service.core, table.id)).game == table.game
        self.make_books_anew()
        self.world.touch_everything()
        self.looker.compare(self.world)

    def make_books_anew(self) -> None:
        """Everything that was counted as the games ended comes out the same from their event logs."""
        counted = self._books()
        rebuilt = self.service.run(rebuild(self.service.core))
        assert rebuilt.failed == []
        assert self._books() == counted

    def _books(self) -> dict[str, list[tuple[Any, ...]]]:
        return {name: sorted(self.service.ask(f"select * from {name}"), key=repr) for name in BOOKS}  # noqa: S608


def made(table: Table | None) -> Made | None:
    return None if table is None else Made(table.id, table.seed)

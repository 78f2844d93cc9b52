"""Base of all parts of the state machine: doing something, perhaps twice, and looking at what has come of it."""

from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.services.core import Change, Core, Person, get_server_settings
from bot.services.leaderboard import rebuild
from bot.services.proof import prove_table
from bot.store import backup, rows
from highscore.errors import IllegalChoice
from tests.bot.databases import SQLITE
from tests.bot.games import BOOKS
from tests.faults.model.service import Service
from tests.faults.model.stored import Stored, as_predicted, changed_to

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
Decide = Callable[[Table], Change]
"""A pure function that makes a change of a table, or refuses it."""

TOLD: Counter[str] = Counter()
"""The numbers of what has happened in all runs, to be printed. Nothing is decided by them."""

number = st.integers(0, 63)
persons = st.integers(0, len(NAMES) - 1)
places = st.sampled_from(sorted(CHANNELS))
servers = st.sampled_from(GUILDS)
seldom = st.integers(0, 7).map(lambda drawn: drawn == 7)


class Machine(RuleBasedStateMachine):
    """The service and what it has stored."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self.service = service
        service.begin(START)
        self.stored = Stored(service)
        self.asked = 0
        """The id of the last interaction."""
        self.other: set[str] | None = set()
        """Tables that this step makes other than by a change that is told; None: anything may be other."""
        self.last: Callable[[], object] | None = None

    @property
    def tables(self) -> dict[str, Table]:
        return self.stored.tables

    @property
    def now(self) -> datetime:
        return self.service.now

    # --------------------------------------------------------------------------------------------------- doing things

    def do(self, work: Callable[[Core], Coroutine[Any, Any, Answer]]) -> Answer | Exception:
        """Do something, or be refused; then nothing has changed."""
        try:
            answer = self.service.run(work(self.service.core))
        except (Refused, IllegalChoice) as error:
            TOLD[f"no: {error}"[:40]] += 1
            assert self.stored.unchanged(), "what was refused has changed something"
            return error
        TOLD["done"] += 1
        return answer

    def look(self) -> None:
        """See what has changed, where a step goes on after it."""
        if self.service.worked:
            self.stored.look(other=self.other)
            self.service.worked = False
        self.other = set()

    def press(
        self,
        one: Person,
        work: Callable[[Core, Person], Coroutine[Any, Any, Answer]],
        table_id: str | None = None,
        decide: Callable[[Table, Person], Change] | None = None,
    ) -> Answer | Exception:
        """Do something with an interaction, which may be delivered once more later.

        ``decide`` returns the change of a table, or refuses it.
        """
        self.asked += 1
        asking = replace(one, interaction_id=self.asked)
        self.last = lambda: self._press(asking, work, table_id, decide)
        return self._press(asking, work, table_id, decide)

    def _press(
        self,
        asking: Person,
        work: Callable[[Core, Person], Coroutine[Any, Any, Answer]],
        table_id: str | None,
        decide: Callable[[Table, Person], Change] | None,
    ) -> Answer | Exception:
        before = self.tables.get(table_id or NO_TABLE)
        known = asking.interaction_id in self.stored.known
        found = self.do(lambda core: work(core, asking))
        if known:
            assert self.stored.unchanged(), "what was done already is not done once more"
            return found
        if before is not None and decide is not None:
            expected = self._expected(before, asking, decide)
            if isinstance(expected, Exception) or isinstance(found, Exception):
                assert type(found) is type(expected), f"{found!r} where {expected!r} was to be"
                assert str(expected) in str(found), "refused for another reason"
            else:
                self._check_change(before, expected, asking)
        self.look()
        return found

    def _expected(self, before: Table, asking: Person, decide: Callable[[Table, Person], Change]) -> Change | Exception:
        try:
            return decide(before, asking)
        except (Refused, IllegalChoice) as error:
            return error

    def _check_change(self, before: Table, change: Change, by: Person | None) -> None:
        """Check that the table and its log are as a change has to make them."""
        after = self.service.told.get(before.id, before)
        rules = self.service.run(get_server_settings(self.service.cores[0], before.guild_id)).clock_rules
        assert as_predicted(after, changed_to(before, change, self.now, rules, by)), "the change that was asked for"
        logged = self.service.ask(f"select lines from events where game_id = '{before.id}' order by seq")  # noqa: S608
        lines = [line for (line,) in logged[len(self.stored.logs[before.id]) :]]
        assert lines == ([rows.events_to_lines(change.events)] if change.events else [])

    def ask(self, use_case: Callable[..., Any], table_id: str, one: Person, *more: Any, **named: Any) -> Any:
        """Ask for something at a table; the answer is a function of that table."""
        pure = getattr(use_case, "__wrapped__", None)
        return self.press(
            one,
            lambda core, asking: use_case(core, table_id, asking, *more, **named),
            table_id,
            None if pure is None else lambda table, asking: pure(table, asking, *more, **named),
        )

    @rule()
    @precondition(lambda self: self.last is not None)
    def the_last_press_is_delivered_again(self) -> None:
        act, self.last = self.last, None
        assert act is not None
        act()

    # ------------------------------------------------------------------------------------------------- choosing things

    def pick(self, nth: int, *statuses: str) -> str:
        """Return the id of a table, mostly of one in these statuses, the furthest first."""
        found = sorted(self.tables.values(), key=lambda table: (not table.status.open, -table.version, table.id))
        wanted = [table.id for table in found if nth >= 56 or not statuses or table.status.value in statuses]
        return NO_TABLE if nth == 63 or not wanted else wanted[nth % len(wanted)]

    def any_table(self, *statuses: str) -> bool:
        return any(table.status.value in statuses for table in self.tables.values())

    def who(self, person: int, *, moderator: bool = False) -> Person:
        return Person(IDS[person], NAMES[person], None, moderator, (ROLE,) if person % 2 else (), moderator)

    def sitting(self, table_id: str, person: int, *, stranger: bool = False) -> int:
        """Return somebody who sits at a table, or with ``stranger`` anybody."""
        table = self.tables.get(table_id)
        users = [] if table is None else [seat.user_id for seat in table.seats if seat.user_id in IDS]
        user = users[person % len(users)] if users and not stranger else None
        return person if user is None else IDS.index(user)

    # --------------------------------------------------------------------------------------------------------- checks

    @invariant()
    def what_is_stored_is_as_it_has_to_be(self) -> None:
        TOLD["steps"] += 1
        self.look()

    def teardown(self) -> None:
        """Check that all logs, dice and books agree."""
        for table in self.tables.values():
            TOLD[table.status.value] += 1
            if table.game is not None and not table.status.open:
                proof, _document = self.service.run(prove_table(self.service.core, table.id))
                assert proof.state == table.game
        self.make_books_anew()
        if self.service.kind == SQLITE:
            assert self.service.read(backup.find_wrong_games) == [], "it could be restored"

    def make_books_anew(self) -> None:
        """Check that a rebuild from the event logs changes no book."""
        counted = self._books()
        rebuilt = self.service.run(rebuild(self.service.core))
        assert rebuilt.failed == []
        assert self._books() == counted

    def _books(self) -> dict[str, list[tuple[Any, ...]]]:
        return {name: sorted(self.service.ask(f"select * from {name}"), key=repr) for name in BOOKS}  # noqa: S608

"""A state machine of Hypothesis: what it can do to the service, what it checks after each step and at the end."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.services.core import Core, Person
from bot.services.leaderboard import rebuild
from bot.services.proof import prove_table
from bot.store import backup
from highscore.errors import IllegalChoice
from tests.bot.databases import SQLITE
from tests.bot.games import BOOKS
from tests.faults.model.service import Service
from tests.faults.model.stored import Stored

START = datetime(2026, 3, 27, 20, tzinfo=UTC)
"""Two days before the clocks are put forward in Europe, some days before a month and a quarter end."""
EAST, WEST = GUILDS = (555_000_111_222_333_444, 666_000_111_222_333_555)
CHANNELS = {700_000_000_000_000_001: EAST, 700_000_000_000_000_002: EAST, 700_000_000_000_000_003: WEST}
ROLE = 88
"""A role that half of the people have."""
NAMES = ("Adalind", "Benedikt", "Cemile", "Dorothea", "Everard", "Fayola")
IDS = tuple(900_000_000_000_000_101 + 10_000 * place for place in range(len(NAMES)))
NO_TABLE = "0" * 12

Answer = TypeVar("Answer")

number = st.integers(0, 63)
persons = st.integers(0, len(NAMES) - 1)
channels = st.sampled_from(sorted(CHANNELS))
guilds = st.sampled_from(GUILDS)
seldom = st.integers(0, 7).map(lambda drawn: drawn == 7)


class Machine(RuleBasedStateMachine):
    def __init__(self, service: Service, patch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.service, self.patch = service, patch
        service.begin(START)
        self.stored = Stored(service)
        self.asked = 0
        """The id of the last interaction."""
        self.silent: set[str] | None = set()
        """Tables that this step may change without announcing it; None: any table."""
        self.last: Callable[[], object] | None = None

    @property
    def tables(self) -> dict[str, Table]:
        return self.stored.tables

    @property
    def now(self) -> datetime:
        return self.service.now

    # ------------------------------------------------------------------------------------------------------ acting

    def press(self, person: Person, work: Callable[[Core, Person], Coroutine[Any, Any, Answer]]) -> Answer | Exception:
        """Act with a new interaction. Discord may deliver it a second time later."""
        self.asked += 1
        asking = replace(person, interaction_id=self.asked)
        self.last = lambda: self.do(lambda core: work(core, asking), self.asked)
        return self.do(lambda core: work(core, asking), self.asked)

    def do(self, work: Callable[[Core], Coroutine[Any, Any, Answer]], interaction: int = 0) -> Answer | Exception:
        """Run a use case. It changes nothing if it is refused, or if the interaction has been handled before."""
        handled = interaction in self.stored.known
        answer: Answer | Exception
        try:
            answer = self.service.run(work(self.service.core))
        except (Refused, IllegalChoice) as error:
            answer = error
        if handled or isinstance(answer, Exception):
            assert self.stored.is_unchanged(), f"changed by {answer}"
        self.look()
        return answer

    def ask(self, use_case: Callable[..., Any], table_id: str, person: Person, *more: Any) -> Any:
        return self.press(person, lambda core, asking: use_case(core, table_id, asking, *more))

    @rule()
    @precondition(lambda self: self.last is not None)
    def deliver_the_last_press_again(self) -> None:
        act, self.last = self.last, None
        assert act is not None
        act()

    # ---------------------------------------------------------------------------------------------------- choosing

    def pick(self, nth: int, *statuses: str) -> str:
        """Return the id of a table, mostly of one in these statuses, those with the most changes first."""
        found = sorted(self.tables.values(), key=lambda table: (not table.status.open, -table.version, table.id))
        wanted = [table.id for table in found if nth >= 56 or not statuses or table.status.value in statuses]
        return NO_TABLE if nth == 63 or not wanted else wanted[nth % len(wanted)]

    def has_table(self, *statuses: str) -> bool:
        return any(table.status.value in statuses for table in self.tables.values())

    def who(self, person: int, *, moderator: bool = False) -> Person:
        return Person(IDS[person], NAMES[person], None, moderator, (ROLE,) if person % 2 else (), moderator)

    def sitting(self, table_id: str, person: int, *, stranger: bool = False) -> int:
        """Return a person who sits at a table, or anybody for a ``stranger`` and an empty table."""
        table = self.tables.get(table_id)
        users = [] if table is None else [seat.user_id for seat in table.seats if seat.user_id in IDS]
        user = users[person % len(users)] if users and not stranger else None
        return person if user is None else IDS.index(user)

    # ---------------------------------------------------------------------------------------------------- checking

    @invariant()
    def look(self) -> None:
        """Check everything that has changed since the last look."""
        if self.service.worked:
            self.stored.look(silent=self.silent)
            self.service.worked = False
        self.silent = set()

    def teardown(self) -> None:
        """Check that the logs give the same states, results and ratings as the ones stored."""
        for table in self.tables.values():
            if table.game is not None and not table.status.open:
                proof, _document = self.service.run(prove_table(self.service.core, table.id))
                assert proof.state == table.game
        counted = self._books()
        assert self.service.run(rebuild(self.service.core)).failed == []
        assert self._books() == counted
        if self.service.kind == SQLITE:
            assert self.service.read(backup.find_wrong_games) == [], "a backup could not be restored"

    def _books(self) -> dict[str, list[tuple[Any, ...]]]:
        return {name: sorted(self.service.ask(f"select * from {name}"), key=repr) for name in BOOKS}  # noqa: S608

"""Tables without a database or a Discord, for tests of what time does to them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.domain.deadlines import ClockRules, plan_timing
from bot.domain.pace import Pace
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Options, Seat, Status, Table
from bot.domain.timing import Timing
from bot.services.house import play_turn
from highscore.dealer import play_event
from highscore.events import Decided, TakeDice
from highscore.game import Game, list_decisions
from highscore.house import Temperament
from highscore.turn import Stop
from highscore.turn_order import TurnOrder
from tests.bot.ui.tables import table_of

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ALLOWED = 7200
HOLD = 900
RULES = ServerSettings().clock_rules
HOUSE = Temperament.STEADY.value


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def lobby(order: TurnOrder = TurnOrder.OPEN, players: int = 3, house: Sequence[int] = ()) -> Table:
    """People in a lobby; house players in these seats."""
    seats = (Seat(None, "h", house=HOUSE) if at in house else Seat(100 + at, f"p{at}") for at in range(players))
    options = Options(Pace.DAY, ALLOWED, HOLD)
    return replace(table_of(0, order), host_id=100, version=3, seats=tuple(seats), options=options)


def planned(before: Table | None, changed: Table, now: datetime = NOW, rules: ClockRules = RULES) -> Table:
    """The changed table with its moments."""
    return replace(changed, timing=plan_timing(before, changed, now, rules))


def started(
    order: TurnOrder = TurnOrder.OPEN,
    players: int = 3,
    house: Sequence[int] = (),
    now: datetime = NOW,
    rules: ClockRules = RULES,
) -> Table:
    """A game that has just begun."""
    waiting = lobby(order, players, house)
    game, _events = play_event(Game(players, order), None, waiting.source, waiting.deck)
    return planned(waiting, replace(waiting, status=Status.PLAYING, game=game), now, rules)


def taken(table: Table, seat: int | None = None, now: datetime = NOW, rules: ClockRules = RULES) -> Table:
    """The table after somebody, the first who may unless another seat is given, has taken the dice."""
    assert table.game is not None
    decided = Decided(table.game.may_act[0] if seat is None else seat, TakeDice())
    game, _events = play_event(table.game, decided, table.source, table.deck)
    return planned(table, replace(table, game=game), now, rules)


def rolled_on(table: Table, now: datetime) -> Table:
    """The table after whoever holds the dice has rolled some of them again."""
    assert table.game is not None
    assert table.game.seat is not None
    roll = next(one for one in list_decisions(table.game, table.game.seat) if not isinstance(one, Stop))
    game, _events = play_event(table.game, Decided(table.game.seat, roll), table.source, table.deck)
    assert game.seat == table.game.seat
    return planned(table, replace(table, game=game), now)


def turn_played(table: Table, seat: int | None = None, now: datetime = NOW) -> Table:
    """The table after somebody has played a whole turn."""
    assert table.game is not None
    on = table.game.seat if table.game.seat is not None else table.game.may_act[0] if seat is None else seat
    game, _events = play_turn(table, table.game, on)
    status = Status.FINISHED if game.complete else table.status
    return planned(table, replace(table, game=game, status=status), now)


def with_timing(table: Table, **moments: object) -> Table:
    return replace(table, timing=replace(table.timing, **moments))  # type: ignore[arg-type]


def moments(timing: Timing) -> Timing:
    """A timing without who pressed anything when."""
    return replace(timing, last_presses=())


def only(**moments: datetime | bool) -> Timing:
    """A timing of which nothing else is set."""
    return Timing(**moments)  # type: ignore[arg-type]

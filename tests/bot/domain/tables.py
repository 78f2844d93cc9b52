"""Tables without a database or a Discord, for tests of what time does to them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.domain.deadlines import plan_timing
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Options, Seat, Status, Table
from bot.domain.timing import Pace, Timing
from bot.services.away import play_house_turn
from highscore import Decided, Game, Stop, TakeDice, TurnOrder, list_decisions, play_event
from highscore.house import Temperament
from tests.bot.ui.tables import table_of

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ALLOWED = 7200
HOLD = 900
SETTINGS = ServerSettings()
HOUSE = Temperament.STEADY.value


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def make_lobby(order: TurnOrder = TurnOrder.OPEN, players: int = 3, house: Sequence[int] = ()) -> Table:
    seats = (Seat(None, "h", house=HOUSE) if at in house else Seat(100 + at, f"p{at}") for at in range(players))
    options = Options(Pace.DAY, ALLOWED, HOLD)
    return replace(table_of(0, order), host_id=100, version=3, seats=tuple(seats), options=options)


def plan_table(before: Table | None, changed: Table, now: datetime = NOW, settings: ServerSettings = SETTINGS) -> Table:
    return replace(changed, timing=plan_timing(before, changed, now, settings))


def start_game(
    order: TurnOrder = TurnOrder.OPEN,
    players: int = 3,
    house: Sequence[int] = (),
    now: datetime = NOW,
    settings: ServerSettings = SETTINGS,
) -> Table:
    waiting = make_lobby(order, players, house)
    game, _events = play_event(Game(players, order), None, waiting.source, waiting.deck)
    return plan_table(waiting, replace(waiting, status=Status.PLAYING, game=game, opening_id=1), now, settings)


def take_dice(table: Table, seat: int | None = None, now: datetime = NOW, settings: ServerSettings = SETTINGS) -> Table:
    assert table.game is not None
    decided = Decided(table.game.may_act[0] if seat is None else seat, TakeDice())
    game, _events = play_event(table.game, decided, table.source, table.deck)
    return plan_table(table, replace(table, game=game), now, settings)


def roll_again(table: Table, now: datetime) -> Table:
    assert table.game is not None
    assert table.game.seat is not None
    roll = next(one for one in list_decisions(table.game, table.game.seat) if not isinstance(one, Stop))
    game, _events = play_event(table.game, Decided(table.game.seat, roll), table.source, table.deck)
    assert game.seat == table.game.seat
    return plan_table(table, replace(table, game=game), now)


def play_whole_turn(table: Table, seat: int | None = None, now: datetime = NOW) -> Table:
    """Let a seat, or else the first one that may, play a whole turn."""
    assert table.game is not None
    on = table.game.seat if table.game.seat is not None else table.game.may_act[0] if seat is None else seat
    game, _events = play_house_turn(table, table.game, on)
    status = Status.FINISHED if game.complete else table.status
    return plan_table(table, replace(table, game=game, status=status), now)


def with_timing(table: Table, **moments: object) -> Table:
    return replace(table, timing=replace(table.timing, **moments))  # type: ignore[arg-type]


def timing_of(**moments: datetime | bool) -> Timing:
    return Timing(**moments)  # type: ignore[arg-type]

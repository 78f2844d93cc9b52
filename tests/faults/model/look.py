"""Comparing what is stored with the plain model: every row of every table of the database, after every step.

What the model says may not have changed since the last look has to be as it was, to the last byte; what may have
changed is read and compared with what the model says it is.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any

from highscore.game import Game, apply
from highscore.notation import game_to_json, parse_event
from tests.faults.model import books
from tests.faults.model.clock import wake
from tests.faults.model.log import plainly
from tests.faults.model.world import Table, World

NOT_MODELLED = frozenset({"badge", "comeback", "last roll"})
"""News that follow from a finished game alone and change nothing: tests/bot/domain/test_badges.py has their rules."""
Rows = list[tuple[Any, ...]]
Ask = Callable[[str], Rows]
"""Runs a query; times come in words, as SQLite keeps them."""

GAMES = """id guild_id channel_id host_id status version locale max_seats turn_order seed words_digest opening_id
    message_id shown_version shown_page wake_at called_at created_at updated_at"""
DOCUMENTS = "seal state options timing news"
SEATS = "game_id seat user_id house name lucky_word left misses hints newcomer invited gives_up away_until"
EVENTS = "game_id seq user_id interaction_id created_at lines"
FINISHED = "game_id guild_id finished_at season month players people formula review_owed"
RESULTS = """game_id seat guild_id user_id house place points gold silver bronze best hints house_turns luck loss
    decisions finished_at"""
REMINDERS = "user_id game_id span due_at sent_at"
DAYS = "id guild_id day ends_at locale seed post_at post_tries created_at"
PLAYS = """daily_id user_id name channel_id step events score streak finished_at shared_at post_at
    post_tries"""
OTHERS: Mapping[str, Mapping[str, str]] = {
    "reminders": {"reminders": REMINDERS},
    "absences": {"absences": "guild_id user_id until post_at post_tries"},
    "settings": {"guild_settings": "guild_id settings"},
    "notify": {"player_settings": "user_id notify"},
    "left": {"guilds_left": "guild_id left_at"},
    "days": {
        "dailies": DAYS,
        "daily_plays": PLAYS,
    },
    "books": {
        "finished_games": FINISHED,
        "results": RESULTS,
        "records": "guild_id card result",
        "standings": "guild_id period user_id games wins mu streak",
        "card_standings": "guild_id user_id card turns total best",
        "seasons": "guild_id season locale ends_at",
    },
}


class Difference(AssertionError):
    """What is stored is not what it should be."""


def words(moment: datetime | None) -> str | None:
    """A moment as it is stored."""
    return None if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


class Looker:
    """Looks at a database again and again."""

    def __init__(self, ask: Ask, *, thoroughly: bool = True) -> None:
        """``thoroughly``: look at all tables of the database, not just at those that may have changed."""
        self._ask = ask
        self._thoroughly = thoroughly
        self._last: dict[str, Any] = {}
        self._replayed: dict[str, tuple[int, Game]] = {}
        self._json: dict[str, Any] = {}

    def compare(self, world: World) -> None:
        """Raise Difference unless what is stored is what the model says. Then nothing is touched any more."""
        self._compare_tables(world)
        for area, tables in OTHERS.items():
            if not self._thoroughly and area not in world.dirty:
                continue
            for name, columns in tables.items():
                self._compare_rows(world, area, name, columns)
        world.touched.clear()
        world.dirty.clear()

    def _rows(self, name: str, columns: str) -> Rows:
        quoted = ", ".join(f'"{column}"' for column in columns.split())
        return self._ask(f"select {quoted} from {name}")  # noqa: S608 - names of our own

    # ------------------------------------------------------------------------------------------------- tables

    def _compare_tables(self, world: World) -> None:
        games = {row[0]: row for row in self._rows("games", f"{GAMES} {DOCUMENTS}")}
        seats, events = _by_first(self._rows("seats", SEATS)), _by_first(self._rows("events", EVENTS))
        _same("tables", set(games), set(world.tables))
        for table_id, row in games.items():
            now = row, seats.get(table_id), events.get(table_id)
            if table_id in world.touched:
                self._compare_table(world, world.tables[table_id], *now)
            elif now != self._last.get(table_id):
                raise Difference(f"table {table_id} was not to change: {self._last.get(table_id)}\n{now}")
            self._last[table_id] = now

    def _compare_table(
        self, world: World, table: Table, row: tuple[Any, ...], seats: Rows | None, events: Rows | None
    ) -> None:
        *plain, seal, state, options, timing, news = row
        _same(f"table {table.id}", _named(GAMES, plain), _named(GAMES, _row(GAMES, table, wake_at=wake(table))))
        _same("seal", seal, table.source.seal)
        state = None if state is None else self._parsed(state)
        _same("state", state, None if table.game is None else game_to_json(table.game))
        _same("options", json.loads(options), _options(table))
        timing = json.loads(timing)
        pressed = [*timing.pop("pressed", ()), *[0] * len(table.seats)][: len(table.seats)]
        if table.status == "playing":
            # Nobody asks when somebody pressed who has left.
            stored = [at for at, seat in zip(pressed, table.seats, strict=True) if seat.present]
            _same("presses", stored, [seat.pressed for seat in table.seats if seat.present])
        timing.pop("last_presses", None)
        _same("timing", timing, _timing(table))
        told = [list(one.values())[:3] for one in json.loads(news) if one["kind"] not in NOT_MODELLED]
        _same("news", told, [[*one, None][:3] for one in table.news])
        _same("seats", sorted(seats or ()), _seat_rows(table))
        log = world.logs[table.id]
        found = [(seq, by, asked, at, lines) for _game, seq, by, asked, at, lines in sorted(events or ())]
        _same(
            f"log of {table.id}",
            [(*rest, tuple(map(plainly, lines.split("\n")))) for *rest, lines in found],
            [(one.seq, one.by, one.interaction, words(one.at), one.lines) for one in log],
        )
        self._replay(table, found)

    def _parsed(self, text: str) -> Any:
        if len(self._json) > 64:
            self._json.clear()
        if text not in self._json:
            self._json[text] = json.loads(text)
        return self._json[text]

    def _replay(self, table: Table, found: list[tuple[Any, ...]]) -> None:
        """What was appended to the log leads from the state before to the state now."""
        if table.game is None:
            return
        done, game = self._replayed.get(table.id, (0, Game(len(table.seats), table.turn_order)))
        for _seq, _by, _asked, _at, lines in found[done:]:
            for line in lines.split("\n"):
                game = apply(game, parse_event(line))
        _same("the replayed log", game, table.game)
        self._replayed[table.id] = len(found), game

    # -------------------------------------------------------------------------------------------- all the rest

    def _compare_rows(self, world: World, area: str, name: str, columns: str) -> None:
        rows = frozenset(self._rows(name, columns))
        if area in world.dirty:
            # What is stored as JSON is compared as what it says.
            texts = {at for at, column in enumerate(columns.split()) if column in ("settings", "state")}
            found = [tuple(json.loads(cell) if at in texts else cell for at, cell in enumerate(row)) for row in rows]
            expected = sorted(_EXPECTED[name](world) if name in _EXPECTED else found, key=repr)
            if sorted(found, key=repr) != expected:
                _same(name, [_named(columns, row) for row in found], [_named(columns, row) for row in expected])
        elif rows != self._last.get(name, frozenset()):
            raise Difference(f"{name} was not to change: {self._last.get(name)}\n{rows}")
        self._last[name] = rows


def _same(what: str, stored: object, expected: object) -> None:
    if stored != expected:
        raise Difference(
            f"{what}: stored is\n{_told(stored, expected)}\nwhere the model has\n{_told(expected, stored)}"
        )


def _told(one: object, other: object) -> str:
    """What is in one and not in the other, as far as that can be said."""
    if isinstance(one, dict) and isinstance(other, dict):
        return str({key: value for key, value in one.items() if key not in other or other[key] != value})
    if isinstance(one, list) and isinstance(other, list):
        return "\n".join(str(each) for each in one if each not in other) or f"{len(one)} entries"
    return repr(one)


def _named(columns: str, row: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(columns.split(), row, strict=False))


def _by_first(rows: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


# ------------------------------------------------------------------------------------------- the rows there should be


def _row(columns: str, of: object, **known: object) -> tuple[Any, ...]:
    """The row of something whose attributes are called like the columns, but for those that are known."""
    return tuple(_cell(known[name] if name in known else getattr(of, name)) for name in columns.split())


def _cell(value: object) -> object:
    match value:
        case datetime():
            return words(value)
        case date():
            return value.isoformat()
        case Game():
            return game_to_json(value)
        case Enum():
            return value.value
        case _:
            return value


def _options(table: Table) -> dict[str, Any]:
    return {
        "pace": table.pace.value,
        "allowed_seconds": table.allowed,
        "hold_seconds": table.hold,
        "hints": table.hints,
        "pictures": table.pictures,
        "starts_when_full": False,
        "may_call": table.may_call,
    }


def _timing(table: Table) -> dict[str, Any]:
    moments: dict[str, Any] = {
        name: moment.isoformat().replace("+00:00", "Z") for name, moment in table.moments.items()
    }
    told = {"warnings": table.warnings, "reminded": table.reminded}
    return {**moments, **{name: value for name, value in told.items() if value}}


def _seat_rows(table: Table) -> Rows:
    return [_row(SEATS, seat, game_id=table.id, seat=at) for at, seat in enumerate(table.seats)]


def _finished_games(world: World) -> Iterator[tuple[int, books.Finished, Table]]:
    for guild, games in world.finished.items():
        for game in games:
            yield guild, game, world.tables[game.game_id]


def _finished_rows(world: World) -> Rows:
    rows: Rows = []
    for guild, game, table in _finished_games(world):
        users = [one["user_id"] for one in books.results(table)]
        known = {"guild_id": guild, "players": len(users), "people": sum(user is not None for user in users)}
        rows.append(_row(FINISHED, game, **known, formula=books.formula(table), review_owed=game.reviews is None))
    return rows


def _result_rows(world: World) -> Rows:
    rows: Rows = []
    for guild, game, table in _finished_games(world):
        for one in books.results(table):
            review = (game.reviews or {}).get(one["seat"])
            luck = {name: getattr(review, name, None) for name in ("luck", "loss", "decisions")}
            rows.append(_row(RESULTS, game, **one, **luck, guild_id=guild))
    return rows


def _play_rows(world: World) -> Rows:
    rows: Rows = []
    for day in world.days.values():
        for user, one in day.attempts.items():
            score = one.game.run(0).total if one.finished_at else None
            rows.append(_row(PLAYS, one, daily_id=day.id, user_id=user, events="\n".join(one.log), score=score))
    return rows


_EXPECTED: Mapping[str, Callable[[World], Rows]] = {
    "reminders": lambda world: [
        *(_row(REMINDERS, one, user_id=user) for user, one in world.reminders.items()),
        *((role, table_id, 0, words(due), None) for table_id, (role, due) in world.called.items()),
    ],
    "absences": lambda world: [
        (*whose, words(one.until), words(one.post_at), one.post_tries) for whose, one in world.absences.items()
    ],
    "guild_settings": lambda world: list(world.settings.items()),
    "player_settings": lambda world: list(world.notify.items()),
    "guilds_left": lambda world: [(guild, words(at)) for guild, at in world.left.items()],
    "dailies": lambda world: [_row(DAYS, day) for day in world.days.values()],
    "daily_plays": _play_rows,
    "finished_games": _finished_rows,
    "results": _result_rows,
    "records": lambda world: [(*card, result) for card, result in world.records.items()],
    "seasons": lambda world: [
        (guild, name, season.locale, words(season.ends_at)) for (guild, name), season in world.seasons.items()
    ],
}

"""Comparing what is stored with the plain model: every row of every table of the database, after every step.

What the model says may not have changed since the last look has to be as it was, to the last byte; what may have
changed is read and compared with what the model says it is.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import astuple
from datetime import UTC, datetime
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
    message_id shown_version shown_page wake_at called_at created_at updated_at seal state options timing news"""
SEATS = "game_id seat user_id house name lucky_word left misses hints invited gives_up away_until"
EVENTS = "game_id seq user_id interaction_id created_at lines"
FINISHED = "game_id guild_id finished_at season month players people formula review_owed"
RESULTS = """game_id seat guild_id user_id house place points gold silver bronze best hints house_turns mu_before
    sigma_before mu_after sigma_after luck loss decisions finished_at"""
STANDINGS = """guild_id period user_id name last_at games wins points gold silver bronze best rated mu sigma rating
    streak longest hints house_turns reviewed luck loss decisions win_rate loss_rate"""
CARDS = "guild_id user_id card turns total best worst gold silver bronze"
RECORDS = "guild_id card result user_id game_id seat round at"
OTHERS: Mapping[str, Mapping[str, str]] = {
    "reminders": {"reminders": "user_id game_id span due_at sent_at"},
    "absences": {"absences": "guild_id user_id until post_at post_tries"},
    "settings": {"guild_settings": "guild_id settings"},
    "notify": {"player_settings": "user_id notify"},
    "left": {"guilds_left": "guild_id left_at"},
    "days": {
        "dailies": "id guild_id day ends_at locale seed post_at post_tries created_at",
        "daily_plays": """daily_id user_id name channel_id version state score streak finished_at shared_at
            post_at post_tries""",
        "daily_events": "daily_id user_id seq interaction_id created_at lines",
    },
    "books": {
        "finished_games": FINISHED,
        "results": RESULTS,
        "standings": STANDINGS,
        "card_standings": CARDS,
        "records": RECORDS,
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
        return self._ask(f"select {', '.join(_quoted(columns))} from {name}")  # noqa: S608 - names of our own

    # ------------------------------------------------------------------------------------------------- tables

    def _compare_tables(self, world: World) -> None:
        games = {row[0]: row for row in self._rows("games", GAMES)}
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
        plain, (state, options, timing, news) = row[:-5], row[-4:]
        _same(f"table {table.id}", _named(GAMES, plain), _named(GAMES, _game_row(table)))
        _same("seal", row[-5], table.source.seal)
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
        done, game = self._replayed.get(table.id, (0, Game(len(table.seats), table.order)))
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
            known = _EXPECTED[name](world)
            texts = {at for at, column in enumerate(columns.split()) if column in ("settings", "state")}
            found = [tuple(json.loads(cell) if at in texts else cell for at, cell in enumerate(row)) for row in rows]
            expected = sorted(known, key=repr)
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


def _quoted(columns: str) -> list[str]:
    return [f'"{name}"' for name in columns.split()]


def _named(columns: str, row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(columns.split(), row, strict=False))


def _by_first(rows: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


# ------------------------------------------------------------------------------------------- the rows there should be


def _game_row(table: Table) -> tuple[Any, ...]:
    version, page, message = table.shown
    return (
        table.id,
        table.guild,
        table.channel,
        table.host,
        table.status,
        table.version,
        table.locale,
        table.most,
        table.order.value,
        table.seed,
        table.words_digest,
        table.opening,
        message,
        version,
        page,
        words(wake(table)),
        words(table.called),
        words(table.created),
        words(table.updated),
    )


def _options(table: Table) -> dict[str, Any]:
    return {
        "pace": table.pace.value,
        "allowed_seconds": table.allowed,
        "hold_seconds": table.hold,
        "hints": table.hints,
        "pictures": table.pictures,
        "newcomers": sorted(user for user in table.newcomers if table.seat_of(user) is not None),
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
    return [
        (
            *(table.id, at, seat.user, seat.house, seat.name, seat.word, seat.left, seat.misses, seat.hints),
            *(seat.invited, seat.gives_up, words(seat.away)),
        )
        for at, seat in enumerate(table.seats)
    ]


def _finished_rows(world: World) -> Rows:
    return [
        (
            game.id,
            guild,
            words(game.at),
            game.season,
            game.month,
            len(game.results),
            sum(one.user is not None for one in game.results),
            books.formula(game),
            game.owed,
        )
        for guild, games in world.finished.items()
        for game in games
    ]


def _result_rows(world: World) -> Rows:
    rows: Rows = []
    for guild, games in world.finished.items():
        ratings = {game.id: seats for game, seats in books.rated(games)}
        for game in games:
            for one in game.results:
                pair = ratings.get(game.id, {}).get(one.seat)
                rated = (None,) * 4 if pair is None else (pair[0].mu, pair[0].sigma, pair[1].mu, pair[1].sigma)
                who = (game.id, one.seat, guild, one.user, one.house)
                chips = (one.place, one.points, one.gold, one.silver, one.bronze, one.best, one.hints, one.house_turns)
                review = (None,) * 3 if one.review is None else astuple(one.review)
                rows.append((*who, *chips, *rated, *review, words(game.at)))
    return rows


def _standing_rows(world: World) -> Rows:
    rows: Rows = []
    for guild, games in world.finished.items():
        for (period, user), line in books.standings(games).items():
            known = {**line, "guild_id": guild, "period": period, "user_id": user}
            known["last_at"] = words(line["last_at"])
            rows.append(tuple(known[name] for name in STANDINGS.split()))
    return rows


def _card_rows(world: World) -> Rows:
    return [
        tuple({**line, "guild_id": guild, "user_id": user, "card": card}[name] for name in CARDS.split())
        for guild, games in world.finished.items()
        for (user, card), line in books.cards(games).items()
    ]


def _record_rows(world: World) -> Rows:
    return [
        (guild, card, result, user, game_id, seat, number, words(at))
        for guild, games in world.finished.items()
        for card, (result, user, game_id, seat, number, at) in books.records(games).items()
    ]


def _day_rows(world: World) -> Rows:
    return [
        (
            day.id,
            day.guild,
            day.day.isoformat(),
            words(day.ends),
            day.locale,
            day.seed,
            words(day.post),
            day.tries,
            words(day.created),
        )
        for day in world.days.values()
    ]


def _play_rows(world: World) -> Rows:
    return [
        (
            day.id,
            user,
            one.name,
            one.channel,
            one.version,
            game_to_json(one.game),
            one.game.run(0).total if one.finished else None,
            one.streak,
            words(one.finished),
            words(one.shared),
            words(one.post),
            one.tries,
        )
        for day in world.days.values()
        for user, one in day.attempts.items()
    ]


def _daily_event_rows(world: World) -> Rows:
    return [
        (day.id, user, row.seq, row.interaction, words(row.at), "\n".join(row.lines))
        for day in world.days.values()
        for user, one in day.attempts.items()
        for row in one.log
    ]


_EXPECTED: Mapping[str, Callable[[World], Rows]] = {
    "reminders": lambda world: [
        *((user, one.table, one.span, words(one.due), words(one.sent)) for user, one in world.reminders.items()),
        *((role, table_id, 0, words(due), None) for table_id, (role, due) in world.called.items()),
    ],
    "absences": lambda world: [
        (*whose, words(one.until), words(one.post), one.tries) for whose, one in world.absences.items()
    ],
    "guild_settings": lambda world: list(world.settings.items()),
    "player_settings": lambda world: list(world.notify.items()),
    "guilds_left": lambda world: [(guild, words(at)) for guild, at in world.left.items()],
    "dailies": _day_rows,
    "daily_plays": _play_rows,
    "daily_events": _daily_event_rows,
    "finished_games": _finished_rows,
    "results": _result_rows,
    "standings": _standing_rows,
    "card_standings": _card_rows,
    "records": _record_rows,
    "seasons": lambda world: [
        (guild, name, season.locale, words(season.ends)) for (guild, name), season in world.seasons.items()
    ],
}

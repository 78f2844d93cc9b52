"""Results, standings, ratings and records anew from the event logs (``highscore-bot rebuild``)."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.ledger import Ledger, Result
from bot.domain.outcome import GameOutcome, outcome_of
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Table
from bot.services.core import Core, server_settings
from bot.services.results import finish_of, season_end
from bot.store.locks import LockScope, lock, lock_games
from bot.store.rebuild import Kept, finished_ids, guilds_with_games, last_event_at, load_kept, replace_all, users_of
from bot.store.results import AFTER, add_season
from bot.store.rows import portions
from bot.store.table import load_events, load_table
from highscore.game import replay

LOCKED_AT_ONCE = 200
"""Games that one statement locks."""


@dataclass(slots=True)
class Rebuilt:
    """What a rebuild has done."""

    guilds: int = 0
    games: int = 0
    failed: list[str] = field(default_factory=list)
    """What is wrong where a server's rows were left as they were, a sentence each."""


class CannotReplay(Exception):
    """The events of a finished game do not fit together."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A finished game as it was read for a rebuild."""

    outcome: GameOutcome
    kept: Kept | None
    locale: str
    users: tuple[int | None, ...]
    """Whose the seats were then. Whose data is deleted meanwhile is somebody else, or nobody, afterwards."""


async def rebuild(core: Core, progress: Callable[[Rebuilt], None] = lambda _done: None) -> Rebuilt:
    """Make results, standings, ratings and records anew from the event logs of all finished games.

    A server at a time, each in one transaction, so that it can run beside the bot. What the log does not tell is
    kept: when exactly a game ended and in which periods it counts. Luck and loss are kept too where they were worked
    out.
    """
    done = Rebuilt()
    guilds = await core.database.read(guilds_with_games)
    for guild_id in guilds:
        try:
            done.games += await _rebuild_guild(core, guild_id)
        except CannotReplay as error:
            done.failed.append(f"Server {guild_id} was left as it was: {error}.")
        else:
            done.guilds += 1
        progress(done)
    return done


async def _rebuild_guild(core: Core, guild_id: int) -> int:
    settings = await server_settings(core, guild_id)
    read: dict[str, _Read] = {}
    await core.database.read(_read_games, guild_id, settings, read)

    def transaction(connection: Connection) -> None:
        lock(connection, LockScope.GUILD, guild_id)
        # Nobody's data is deleted from now on: that begins with holding their games.
        for some in portions(finished_ids(connection, guild_id), LOCKED_AT_ONCE):
            lock_games(connection, some)
        # Games that ended, reviews that were made, and people who were forgotten while all this was being read.
        _read_games(connection, guild_id, settings, read)
        _book(connection, guild_id, settings, _in_order(list(read.values()), settings))

    await core.database.write(transaction)
    return len(read)


def _read_games(connection: Connection, guild_id: int, settings: ServerSettings, read: dict[str, _Read]) -> None:
    """Read the finished games that are not read yet, and what is kept of all of them."""
    kept = load_kept(connection, guild_id)
    users = users_of(connection, guild_id)
    for game_id in finished_ids(connection, guild_id):
        if game_id in read and read[game_id].users == users[game_id]:
            read[game_id] = replace(read[game_id], kept=kept.get(game_id))
            continue
        table = load_table(connection, game_id)
        if table is not None:
            read[game_id] = _read_game(connection, table, settings, kept.get(game_id))


def _read_game(connection: Connection, table: Table, settings: ServerSettings, kept: Kept | None) -> _Read:
    try:
        game = replay(len(table.seats), table.turn_order, load_events(connection, table.id))
        if kept is None:
            at = last_event_at(connection, table.id)
            finish = finish_of(table.id, table.guild_id, at, settings)
        else:
            finish = kept.finish
        users = tuple(seat.user_id for seat in table.seats)
        return _Read(outcome_of(finish, table.seats, game), kept, table.locale, users)
    except (ValueError, LookupError) as error:
        raise CannotReplay(f"the events of game {table.id} do not fit together ({error})") from error


def _in_order(games: list[_Read], settings: ServerSettings) -> list[_Read]:
    """The games in the order in which they ended, at moments of their own as if they had been booked one by one."""
    ordered: list[_Read] = []
    last: datetime | None = None
    for one in sorted(games, key=lambda game: (game.outcome.finish.finished_at, game.outcome.finish.game_id)):
        finish = one.outcome.finish
        if last is not None and finish.finished_at <= last:
            later = finish_of(finish.game_id, finish.guild_id, last + AFTER, settings)
            one = replace(one, outcome=replace(one.outcome, finish=later))
        last = one.outcome.finish.finished_at
        ordered.append(one)
    return ordered


def _book(connection: Connection, guild_id: int, settings: ServerSettings, games: list[_Read]) -> None:
    ledger = Ledger()
    seats: list[Result] = []
    for one in games:
        seats += ledger.add(one.outcome, {} if one.kept is None else one.kept.reviews)
    owed = [(one.outcome, one.kept is None or one.kept.review_owed) for one in games]
    replace_all(connection, guild_id, owed, seats, ledger)
    for one in games:
        season = one.outcome.finish.season
        ends_at = season_end(season, settings)
        # A season that was over before anybody knew of it is not announced.
        post_at = ends_at if games[-1].outcome.finish.finished_at < ends_at else None
        add_season(connection, guild_id, season, one.locale, ends_at, post_at)

"""The rebuild of results, standings, ratings and records from the event logs (``highscore-bot rebuild``)."""

from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from bot.domain.calendar import day_of
from bot.domain.ledger import Ledger, Result
from bot.domain.outcome import GameOutcome, outcome_of
from bot.domain.table import Table
from bot.services.core import Core, get_settings_within
from bot.store.locks import LockScope, lock_subjects
from bot.store.rebuild import Kept, find_guilds_with_games, load_kept, load_users_of, replace_books
from bot.store.table import load_events, load_table
from highscore.game import replay_events


@dataclass(slots=True)
class Rebuilt:
    """The result of a rebuild."""

    guilds: int = 0
    games: int = 0
    failed: list[str] = field(default_factory=list)
    """A sentence for each server whose rows were left as they were."""


class CannotReplay(Exception):
    """The events of a finished game do not fit together."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A finished game as it was read for a rebuild."""

    outcome: GameOutcome
    kept: Kept
    users: tuple[int | None, ...]
    """The users of its seats then. A deletion meanwhile changes them."""


async def rebuild(core: Core) -> Rebuilt:
    """Make results, standings, ratings and records anew from the event logs of all finished games.

    Each server has one transaction, so that it can run beside the bot. The log does not tell when a game ended and in
    which periods it counts: this is kept, as are luck and loss, and the standings of closed seasons and months.
    """
    done = Rebuilt()
    for guild_id in await core.database.read(find_guilds_with_games):
        try:
            done.games += await _rebuild_guild(core, guild_id)
        except CannotReplay as error:
            done.failed.append(f"Server {guild_id} was left as it was: {error}.")
        else:
            done.guilds += 1
    return done


async def _rebuild_guild(core: Core, guild_id: int) -> int:
    read: dict[str, _Read] = {}
    await core.database.read(_read_games, guild_id, read)

    def transaction(connection: Connection) -> None:
        # A deletion of data holds the servers of the person's games, too, so nobody is deleted from here on.
        lock_subjects(connection, LockScope.GUILD, guild_id)
        # Games that have ended, reviews that were made, and people who were deleted since the first reading.
        _read_games(connection, guild_id, read)
        ledger, seats = Ledger(), list[Result]()
        games = sorted(read.values(), key=lambda game: game.kept.finish.finished_at)
        for one in games:
            seats += ledger.add(one.outcome, one.kept.reviews)
        outcomes = [(one.outcome, one.kept.review_owed) for one in games]
        today = day_of(core.now(), get_settings_within(core, connection, guild_id).zone)
        replace_books(connection, guild_id, outcomes, seats, ledger, today)

    await core.database.write(transaction)
    return len(read)


def _read_games(connection: Connection, guild_id: int, read: dict[str, _Read]) -> None:
    """Read the finished games that are not read yet, and what is kept of all of them."""
    kept = load_kept(connection, guild_id)
    for game_id, users in load_users_of(connection, guild_id).items():
        if game_id in read and read[game_id].users == users:
            read[game_id] = replace(read[game_id], kept=kept[game_id])
            continue
        table = load_table(connection, game_id)
        if table is not None:
            read[game_id] = _read_game(connection, table, kept.get(game_id))


def _read_game(connection: Connection, table: Table, kept: Kept | None) -> _Read:
    if kept is None:
        raise CannotReplay(f"when game {table.id} ended is not known")
    try:
        game = replay_events(len(table.seats), table.turn_order, load_events(connection, table.id))
        users = tuple(seat.user_id for seat in table.seats)
        return _Read(outcome_of(kept.finish, table.seats, game), kept, users)
    except (ValueError, LookupError) as error:
        raise CannotReplay(f"the events of game {table.id} do not fit together ({error})") from error

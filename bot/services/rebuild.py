"""The rebuild of results, standings, ratings and records from the event logs (``highscore-bot rebuild``)."""

import logging
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bot.domain.calendar import day_of
from bot.domain.ledger import Ledger, Result
from bot.domain.outcome import GameOutcome, outcome_of
from bot.domain.rating import FORMULA
from bot.domain.table import Seat
from bot.services.core import Core, get_settings_within
from bot.store.locks import LockScope, lock_subjects
from bot.store.results import find_guilds_with_games, find_oldest_formula, load_kept, load_seats, replace_books
from bot.store.table import load_events, load_table
from highscore.game import Game, replay_events

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Rebuilt:
    """The result of a rebuild."""

    guilds: int = 0
    games: int = 0
    failed: list[str] = field(default_factory=list)
    """A sentence for each server whose rows were left as they were."""


class CannotReplay(Exception):
    """The events of a finished game do not fit together."""


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
    games: dict[str, Game] = {}
    await core.database.read(_replay_games, guild_id, games)

    def transaction(connection: Connection) -> None:
        # A deletion of data holds the servers of the person's games, too, so nobody is deleted from here on.
        lock_subjects(connection, LockScope.GUILD, guild_id)
        # Games that have ended since the first reading are replayed now.
        seats, kept = _replay_games(connection, guild_id, games), load_kept(connection, guild_id)
        if unknown := sorted(seats.keys() - kept.keys()):
            raise CannotReplay(f"when game {unknown[0]} ended is not known")
        ledger, results, outcomes = Ledger(), list[Result](), list[tuple[GameOutcome, bool]]()
        for one in sorted(kept.values(), key=lambda one: one.finish.finished_at):
            outcome = outcome_of(one.finish, seats[one.finish.game_id], games[one.finish.game_id])
            results += ledger.add(outcome, one.reviews)
            outcomes.append((outcome, one.review_owed))
        today = day_of(core.now(), get_settings_within(core, connection, guild_id).zone)
        replace_books(connection, guild_id, outcomes, results, ledger, today)

    await core.database.write(transaction)
    return len(games)


def _replay_games(connection: Connection, guild_id: int, games: dict[str, Game]) -> dict[str, tuple[Seat, ...]]:
    """Replay the finished games of a server that were not replayed yet. Return the seats of all of them."""
    seats = load_seats(connection, guild_id)
    for game_id in seats.keys() - games.keys():
        table = load_table(connection, game_id)
        if table is None:
            continue
        try:
            games[game_id] = replay_events(len(table.seats), table.turn_order, load_events(connection, game_id))
        except (ValueError, LookupError) as error:
            raise CannotReplay(f"the events of game {game_id} do not fit together ({error})") from error
        if not games[game_id].complete:
            raise CannotReplay(f"the events of game {game_id} do not fit together (it was not played to the end)")
    return seats


async def check_formula(core: Core) -> bool:
    """Return whether all ratings are of this version's formula; if not, log what to do."""
    oldest = await core.database.read(find_oldest_formula)
    if oldest is None or oldest == FORMULA:
        return True
    log.warning("ratings are of formula %d, this version has %d: run `highscore-bot rebuild`", oldest, FORMULA)
    return False

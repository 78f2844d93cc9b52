"""Results, standings, ratings and records: what is written when a round or a game ends.

For whoever builds on it:

* ``round_ended`` is ``Core.round_ended``. It runs in the transaction that ends a round: with the last round it writes
  ``finished_games``, ``results``, ``standings`` (all time, season, month), ``card_standings``, ``records`` and
  ``seasons``, all by primary key; before that it only looks whether a record was broken, to tell it as news.
* Luck and loss take up to half a second a game, too long for a transaction. They are owed (``review_owed``) and filled
  in by workers.reviews; ``results.luck`` and so on are NULL until then, ``standings.reviewed`` counts the games that
  have them.
* Looking up is services.leaderboard (leaderboards, records, seasons) and store.leaderboard (one person's standing,
  cards, results and ratings). None of it sums over games.
* ``rebuild`` makes all of it anew from the event logs (``highscore-bot rebuild``).
* A person's data goes with ``bot.store.results.forget``, which see about the negative ids of former players.

What counts: a game that is played to the end counts for every person who sat down, also for one who left; the house
played their seat on, and the final standings are the order. Turns in which the house decided anything for a player
count neither for their best result nor for their cards nor for a record. With fewer than two people a game is counted
and not rated. House players are in ``results`` and nowhere else. Games that were given up write nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.calendar import day_of, end_of
from bot.domain.ledger import Ledger, Result
from bot.domain.outcome import Finish, GameOutcome, card_text, outcome_of
from bot.domain.rating import FORMULA
from bot.domain.season import last_day, month_of, season_of
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status, Table
from bot.domain.timing import News, NewsKind
from bot.services.core import Core, server_settings
from bot.store.locks import LockScope, lock, lock_games
from bot.store.privacy import portions
from bot.store.results import (
    AFTER,
    Kept,
    add_season,
    finished_ids,
    guilds_with_games,
    last_event_at,
    load_kept,
    load_lines,
    load_records,
    moment_after,
    oldest_formula,
    replace_all,
    save_game,
    users_of,
)
from bot.store.table import load_events, load_table
from highscore.game import FinishedRound, replay

log = logging.getLogger(__name__)


async def round_ended(
    core: Core, connection: AsyncConnection, before: Table, after: Table, now: datetime
) -> tuple[News, ...]:
    """Book a game that has just ended; returns the records that the round has broken, as news."""
    known = 0 if before.game is None else len(before.game.finished)
    ended = () if after.game is None else after.game.finished[known:]
    news = await _broken(connection, after, ended)
    if after.status is Status.FINISHED and after.game is not None:
        settings = await server_settings(core, after.guild_id, connection)
        await lock(connection, LockScope.GUILD, after.guild_id)
        at = await moment_after(connection, after.guild_id, now)
        finish = _finish(after.id, after.guild_id, at, settings)
        outcome = outcome_of(finish, after.seats, after.game)
        loaded = await load_lines(connection, outcome)
        seats = loaded.ledger.add(outcome)
        await save_game(connection, outcome, seats, loaded, after.locale, season_end(finish.season, settings))
    return news


def season_end(season: str, settings: ServerSettings) -> datetime:
    """The moment at which a season is over in a server."""
    return end_of(last_day(season), settings.zone)


async def _broken(connection: AsyncConnection, table: Table, ended: tuple[FinishedRound, ...]) -> tuple[News, ...]:
    """Who has just broken a record. The first result ever on a card breaks none."""
    best = {
        card_text(played.card): max(
            (turn for turn in played.turns if not turn.by_house and table.seats[turn.seat].user_id is not None),
            key=lambda turn: turn.result,
            default=None,
        )
        for played in ended
    }
    records = await load_records(connection, table.guild_id, list(best))
    return tuple(
        News(NewsKind.RECORD, turn.seat)
        for card, turn in best.items()
        if turn is not None and card in records and turn.result > records[card].result
    )


def _finish(game_id: str, guild_id: int, at: datetime, settings: ServerSettings) -> Finish:
    day = day_of(at, settings.zone)
    return Finish(game_id, guild_id, at, season_of(day, settings.season), month_of(day))


async def check_formula(core: Core) -> bool:
    """Whether all ratings are of this version's formula; says in the log what to do when they are not."""
    async with core.database.read() as connection:
        oldest = await oldest_formula(connection)
    if oldest is None or oldest == FORMULA:
        return True
    log.warning("ratings are of formula %d, this version has %d: run `highscore-bot rebuild`", oldest, FORMULA)
    return False


# ------------------------------------------------------------------------------------------------------------ rebuild


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
    async with core.database.read() as connection:
        guilds = await guilds_with_games(connection)
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
    async with core.database.read() as connection:
        await _read_games(connection, guild_id, settings, read)

    async def transaction(connection: AsyncConnection) -> None:
        await lock(connection, LockScope.GUILD, guild_id)
        # Nobody's data is deleted from now on: that begins with holding their games.
        for some in portions(await finished_ids(connection, guild_id)):
            await lock_games(connection, some)
        # Games that ended, reviews that were made, and people who were forgotten while all this was being read.
        await _read_games(connection, guild_id, settings, read)
        await _book(connection, guild_id, settings, _in_order(list(read.values()), settings))

    await core.database.write(transaction)
    return len(read)


async def _read_games(
    connection: AsyncConnection, guild_id: int, settings: ServerSettings, read: dict[str, _Read]
) -> None:
    """Read the finished games that are not read yet, and what is kept of all of them."""
    kept = await load_kept(connection, guild_id)
    users = await users_of(connection, guild_id)
    for game_id in await finished_ids(connection, guild_id):
        if game_id in read and read[game_id].users == users[game_id]:
            read[game_id] = replace(read[game_id], kept=kept.get(game_id))
            continue
        table = await load_table(connection, game_id)
        if table is not None:
            read[game_id] = await _read_game(connection, table, settings, kept.get(game_id))


async def _read_game(connection: AsyncConnection, table: Table, settings: ServerSettings, kept: Kept | None) -> _Read:
    try:
        game = replay(len(table.seats), table.turn_order, await load_events(connection, table.id))
        if kept is None:
            at = await last_event_at(connection, table.id)
            finish = _finish(table.id, table.guild_id, at, settings)
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
    for one in sorted(games, key=lambda game: (game.outcome.finish.at, game.outcome.finish.game_id)):
        finish = one.outcome.finish
        if last is not None and finish.at <= last:
            later = _finish(finish.game_id, finish.guild_id, last + AFTER, settings)
            one = replace(one, outcome=replace(one.outcome, finish=later))
        last = one.outcome.finish.at
        ordered.append(one)
    return ordered


async def _book(connection: AsyncConnection, guild_id: int, settings: ServerSettings, games: list[_Read]) -> None:
    ledger = Ledger()
    seats: list[Result] = []
    for one in games:
        seats += ledger.add(one.outcome, {} if one.kept is None else one.kept.reviews)
    owed = [(one.outcome, one.kept is None or one.kept.review_owed) for one in games]
    await replace_all(connection, guild_id, owed, seats, ledger)
    for one in games:
        season = one.outcome.finish.season
        ends_at = season_end(season, settings)
        # A season that was over before anybody knew of it is not announced.
        post_at = ends_at if games[-1].outcome.finish.at < ends_at else None
        await add_season(connection, guild_id, season, one.locale, ends_at, post_at)

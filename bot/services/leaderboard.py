"""Leaderboards, the hall of fame and seasons, and rebuilding them from the event logs (``highscore-bot rebuild``)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bot.domain.calendar import ALL_TIME, day_of, is_season, month_of, season_of
from bot.domain.errors import Refused
from bot.domain.leaderboard import LINES_PER_PAGE, RECORDS_PER_PAGE, Fame, HallOfFame, Leaderboard, Line, Order
from bot.domain.ledger import FORMULA, Ledger, Result
from bot.domain.outcome import outcome_of
from bot.domain.table import Seat
from bot.locales import _
from bot.services.core import Core, get_server_settings, get_settings_within
from bot.store import leaderboard as store
from bot.store import results as stored_results
from bot.store.database import LockScope, lock_subjects
from bot.store.table import load_events, load_table
from highscore.cards import Card
from highscore.game import Game, replay_events

log = logging.getLogger(__name__)

THIS_SEASON = "season"
THIS_MONTH = "month"
SEASONS_OFFERED = 20
"""The number of past seasons that a user can choose from: five years of quarters."""


async def find_current_season(core: Core, guild_id: int) -> str:
    settings = await get_server_settings(core, guild_id)
    return season_of(day_of(core.now(), settings.zone), settings.season)


async def find_period(core: Core, guild_id: int, name: str) -> str:
    """Return the period that a user has typed or picked: this season, this month, all time, or a season by its name.
    Raise Refused for any other text.
    """
    text = name.strip()
    if text == THIS_SEASON:
        return await find_current_season(core, guild_id)
    if text == THIS_MONTH:
        settings = await get_server_settings(core, guild_id)
        return month_of(day_of(core.now(), settings.zone))
    if text == ALL_TIME or is_season(text.upper()):
        return ALL_TIME if text == ALL_TIME else text.upper()
    raise Refused(_("Pick one from the list."))


async def load_past_seasons(core: Core, guild_id: int) -> Sequence[str]:
    """Return the latest seasons in which games of a server have ended, without the current one, latest first."""
    now = await find_current_season(core, guild_id)
    seasons = await core.database.read(store.load_seasons, guild_id, SEASONS_OFFERED + 1)
    return [season for season in seasons if season != now]


async def load_leaderboard(
    core: Core, guild_id: int, period: str, order: Order, page: int, user_id: int
) -> Leaderboard:
    """Return a page of a leaderboard, with the line of the user who asks and that of the player just ahead of them."""

    def load(connection: Connection) -> Leaderboard:
        ranking = store.find_ranking(connection, guild_id, period, order)
        standings = store.load_page(connection, ranking, page)

        def place_of(value: float) -> int:
            return 1 + store.count_ahead(connection, ranking, value)

        lines: list[Line] = []
        for at, standing in enumerate(standings[:LINES_PER_PAGE], start=page * LINES_PER_PAGE + 1):
            value, above = order.read_value(standing), lines[-1] if lines else None
            if above is not None and order.read_value(above.standing) == value:
                lines.append(Line(above.place, standing))
            elif above is None and page and value is not None:
                # People on the previous page may share this place.
                lines.append(Line(place_of(value), standing))
            else:
                lines.append(Line(at, standing))
        own = store.load_standing(connection, guild_id, period, user_id)
        value = None if own is None or own.opponents < ranking.opponents else order.read_value(own)
        place = None if value is None else place_of(value)
        nearest = None if value is None else store.load_next_ahead(connection, ranking, value)
        better = None if nearest is None else order.read_value(nearest)
        ahead = None if nearest is None or better is None else Line(place_of(better), nearest)
        further = len(standings) > LINES_PER_PAGE
        return Leaderboard(period, order, page, lines, further, None if own is None else Line(place, own), ahead)

    return await core.database.read(load)


async def load_hall_of_fame(core: Core, guild_id: int, page: int) -> HallOfFame:
    """Return a page of a server's records in the order of the deck, followed by cards of earlier decks."""
    records = await core.database.read(store.load_fame, guild_id)
    order = {str(card): at for at, card in enumerate(core.deck)}
    records.sort(key=lambda line: (order.get(line[0].card, len(order)), line[0].card))
    on_page = records[page * RECORDS_PER_PAGE : (page + 1) * RECORDS_PER_PAGE]
    lines = [Fame(Card.parse(record.card), record, name) for record, name in on_page]
    return HallOfFame(page, lines, len(records) > (page + 1) * RECORDS_PER_PAGE)


@dataclass(slots=True)
class Rebuilt:
    guilds: int = 0
    games: int = 0
    failed: list[str] = field(default_factory=list)
    """A sentence for each server whose data was left unchanged, with the reason."""


class CannotReplay(Exception):
    """The events of a finished game cannot be replayed to its end, or nothing stores when the game ended."""


async def rebuild(core: Core) -> Rebuilt:
    """Compute results, standings, ratings and records again from the event logs of all finished games.

    There is one transaction per server, so the bot may run at the same time. Some data stays as it is, because the log
    does not contain it or it takes long to compute: when a game ended, the periods in which it counts, luck and loss,
    and the standings of closed seasons and months. Servers whose games cannot be replayed are left unchanged and
    reported.
    """
    done = Rebuilt()
    for guild_id in await core.database.read(stored_results.find_guilds_with_games):
        try:
            done.games += await _rebuild_guild(core, guild_id)
        except CannotReplay as error:
            done.failed.append(f"Server {guild_id} was left unchanged: {error}.")
        else:
            done.guilds += 1
    return done


async def _rebuild_guild(core: Core, guild_id: int) -> int:
    games: dict[str, Game] = {}
    await core.database.read(_replay_games, guild_id, games)

    def transaction(connection: Connection) -> None:
        # Deleting a person's data locks the servers of their games, too, so it cannot happen from here on.
        lock_subjects(connection, LockScope.GUILD, guild_id)
        # Replay the games that have ended since the first pass.
        seats, kept = _replay_games(connection, guild_id, games), stored_results.load_preserved(connection, guild_id)
        if unknown := sorted(seats.keys() - kept.keys()):
            raise CannotReplay(f"it is not known when game {unknown[0]} ended")
        ledger, results, outcomes = Ledger(), list[Result](), list[stored_results.GameToSave]()
        for one in sorted(kept.values(), key=lambda one: one.finish.finished_at):
            outcome = outcome_of(one.finish, seats[one.finish.game_id], games[one.finish.game_id])
            results += ledger.add(outcome, one.reviews)
            outcomes.append(stored_results.GameToSave(outcome, one.review_pending))
        today = day_of(core.now(), get_settings_within(core, connection, guild_id).zone)
        stored_results.replace_books(connection, guild_id, outcomes, results, ledger, today)

    await core.database.write(transaction)
    return len(games)


def _replay_games(connection: Connection, guild_id: int, games: dict[str, Game]) -> dict[str, tuple[Seat, ...]]:
    """Replay the finished games of a server, and add them to ``games`` unless they are there already. Return the seats
    of all of them, by game.
    """
    seats = stored_results.load_seats(connection, guild_id)
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
    """Return whether all ratings use this version's formula. If not, log what to do."""
    oldest = await core.database.read(stored_results.find_oldest_formula)
    if oldest is None or oldest == FORMULA:
        return True
    log.warning(
        "ratings were computed with formula %d and this version uses %d; run `highscore-bot rebuild`", oldest, FORMULA
    )
    return False

"""Leaderboards, the hall of fame and seasons; and their rebuild from the event logs (``highscore-bot rebuild``)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bot.domain.calendar import ALL_TIME, day_of, is_season, month_of, season_of
from bot.domain.errors import Refused
from bot.domain.leaderboard import LINES_PER_PAGE, Fame, HallOfFame, Leaderboard, Line, Order
from bot.domain.ledger import Ledger, Result
from bot.domain.outcome import GameOutcome, outcome_of
from bot.domain.rating import FORMULA
from bot.domain.table import Seat
from bot.locales import _
from bot.services.core import Core, get_server_settings, get_settings_within
from bot.store.database import LockScope, lock_subjects
from bot.store.leaderboard import count_ahead, count_opponents_needed, load_fame, load_page, load_seasons, load_standing
from bot.store.results import find_guilds_with_games, find_oldest_formula, load_preserved, load_seats, replace_books
from bot.store.table import load_events, load_table
from highscore.cards import Card
from highscore.game import Game, replay_events

log = logging.getLogger(__name__)

THIS_SEASON = "season"
THIS_MONTH = "month"
SEASONS_OFFERED = 20
"""The number of past seasons to choose from: five years of quarters."""


async def find_current_season(core: Core, guild_id: int) -> str:
    settings = await get_server_settings(core, guild_id)
    return season_of(day_of(core.now(), settings.zone), settings.season)


async def find_period(core: Core, guild_id: int, name: str) -> str:
    """Return the period that somebody asks for: this season, this month, all time, or a season. Raise Refused."""
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
    """Return the seasons of a server before this one, the latest first."""
    now = await find_current_season(core, guild_id)
    seasons = await core.database.read(load_seasons, guild_id, SEASONS_OFFERED + 1)
    return [season for season in seasons if season != now]


async def load_leaderboard(
    core: Core, guild_id: int, period: str, order: Order, page: int, user_id: int
) -> Leaderboard:
    """Return a page of a leaderboard, with the line of the user who asks."""
    read = core.database.read
    needed = await read(count_opponents_needed, guild_id, period, order)
    standings = await read(load_page, guild_id, period, order, page, needed)

    async def place_of(value: float) -> int:
        return 1 + await read(count_ahead, guild_id, period, order, value, needed)

    lines: list[Line] = []
    for at, standing in enumerate(standings[:LINES_PER_PAGE], start=page * LINES_PER_PAGE + 1):
        value, above = order.read_value(standing), lines[-1] if lines else None
        if above is not None and order.read_value(above.standing) == value:
            lines.append(Line(above.place, standing))
        elif above is None and page and value is not None:
            # A person on the page before may share the place.
            lines.append(Line(await place_of(value), standing))
        else:
            lines.append(Line(at, standing))
    own = await read(load_standing, guild_id, period, user_id)
    value = None if own is None or own.opponents < needed else order.read_value(own)
    place = None if value is None else await place_of(value)
    return Leaderboard(
        period, order, page, lines, len(standings) > LINES_PER_PAGE, None if own is None else Line(place, own)
    )


async def load_hall_of_fame(core: Core, guild_id: int, page: int) -> HallOfFame:
    """Return a page of a server's records, in the order of the deck; cards of earlier decks come last."""
    records = await core.database.read(load_fame, guild_id)
    order = {str(card): at for at, card in enumerate(core.deck)}
    records.sort(key=lambda line: (order.get(line[0].card, len(order)), line[0].card))
    on_page = records[page * LINES_PER_PAGE : (page + 1) * LINES_PER_PAGE]
    lines = [Fame(Card.parse(record.card), record, name) for record, name in on_page]
    return HallOfFame(page, lines, len(records) > (page + 1) * LINES_PER_PAGE)


@dataclass(slots=True)
class Rebuilt:
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
        seats, kept = _replay_games(connection, guild_id, games), load_preserved(connection, guild_id)
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

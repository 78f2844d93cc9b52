"""The history, the replays and the statistics of a server and its people."""

import asyncio
import re
from collections.abc import Sequence
from functools import lru_cache

from bot.domain.badges import Badge, badges_of_days
from bot.domain.calendar import ALL_TIME
from bot.domain.errors import Refused
from bot.domain.history import GAMES_PER_PAGE, RECENT_RESULTS, FinishedGame, History, Statistics
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Core
from bot.services.proof import prove_table
from bot.store.daily import load_days_played
from bot.store.history import find_game_ids, load_finished_at, load_games
from bot.store.leaderboard import load_best, load_cards, load_results, load_standing
from bot.store.results import load_badges
from bot.store.table import load_events, load_table
from highscore.cards import Card
from highscore.replaying import Position, list_positions

GAME_ID = re.compile(r"[0-9a-f]{12}")
GAMES_OFFERED = 50
"""The number of recent games in which typed text is searched for."""


async def load_history(
    core: Core, guild_id: int, user_id: int | None, anchor: str | None = None, *, newer: bool = False
) -> History:
    """Return a page of a server's finished games, of one user if ``user_id`` is given. They are the newest games, or
    those just before ``anchor`` or, with ``newer``, just after it. Raise Refused if ``anchor`` is the id of no finished
    game of this server.
    """
    moment = None
    if anchor is not None and (moment := await core.database.read(load_finished_at, guild_id, anchor)) is None:
        raise Refused(_("I can't find that game on this server. `/highscore history` lists all games."))
    ids = await core.database.read(find_game_ids, guild_id, user_id, GAMES_PER_PAGE + 1, moment, newer=newer)
    further = len(ids) > GAMES_PER_PAGE
    games = await core.database.read(load_games, ids[:GAMES_PER_PAGE])
    behind = moment is not None and bool(games)
    before, after = (further, behind) if newer else (behind, further)
    return History(user_id, tuple(games), has_newer=before, has_older=after)


async def load_recent_games(core: Core, guild_id: int) -> list[FinishedGame]:
    ids = await core.database.read(find_game_ids, guild_id, None, GAMES_OFFERED)
    return await core.database.read(load_games, ids)


async def load_replay(core: Core, guild_id: int, game_id: str) -> tuple[Table, tuple[Position, ...]]:
    """Return a game that is over, with all its positions. Raise Refused if the game is open, was not played, or is not
    from this server.
    """
    table = await _load_finished(core, guild_id, game_id)
    events = await core.database.read(load_events, game_id)
    steps = await asyncio.to_thread(_list_positions, len(table.seats), table.turn_order, events)
    if not steps:
        raise Refused(_("Nobody played at this table."))
    return table, steps


async def export_document(core: Core, guild_id: int, game_id: str) -> str:
    """Return a game that is over in the format of ``highscore-bot verify``. Raise Refused if the game is open, was not
    played, or is not from this server, and ProofError if its check fails.
    """
    await _load_finished(core, guild_id, game_id)
    _proof, exported = await prove_table(core, game_id)
    return exported


async def load_statistics(core: Core, guild_id: int, user_id: int, cups: Sequence[str] = ()) -> Statistics | None:
    """Return a person's statistics on a server, with the names ``cups`` of the cups they have won. None if they have
    begun no turn of a finished game there, have finished no daily challenge in time, and have won no cup.
    """
    read = core.database.read
    standing = await read(load_standing, guild_id, ALL_TIME, user_id)
    days = await read(load_days_played, guild_id, user_id)
    if standing is None and days is None and not cups:
        return None
    cards = await read(load_cards, guild_id, user_id)
    newest = await read(load_results, guild_id, user_id, RECENT_RESULTS)
    earned = {Badge(each.badge) for each in await read(load_badges, guild_id, [user_id])}
    earned |= set(badges_of_days(0 if days is None else days.longest))
    badges = [badge for badge in Badge if badge in earned]
    rated = [result for result in newest if result.mu_after is not None]
    table = await read(load_table, newest[0].game_id) if newest and len(rated) < 2 else None
    return Statistics(standing, cards, newest[::-1], badges, days, None if table is None else table.game, cups)


async def _load_finished(core: Core, guild_id: int, game_id: str) -> Table:
    table = None
    # The id was typed. Databases refuse some texts, such as half a surrogate pair, so look up only what can be an id.
    if GAME_ID.fullmatch(game_id):
        table = await core.database.read(load_table, game_id)
    if table is None or table.guild_id != guild_id:
        raise Refused(_("I can't find that game on this server. `/highscore history` lists all games."))
    if table.status.open:
        raise Refused(_("This is possible when the game is over."))
    return table


# Cached, because a person who looks through a replay presses one button after the other.
_list_positions = lru_cache(maxsize=4)(list_positions)


async def find_best(core: Core, guild_id: int, user_id: int, card: Card) -> int | None:
    return await core.database.read(load_best, guild_id, user_id, card)

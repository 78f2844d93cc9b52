"""Leaderboards, the hall of fame and seasons."""

from collections.abc import Sequence

from bot.domain.calendar import ALL_TIME, day_of, is_season, month_of, season_of
from bot.domain.errors import Refused
from bot.domain.leaderboard import LINES_PER_PAGE, Fame, HallOfFame, Leaderboard, Line, Order
from bot.locales import _
from bot.services.core import Core, get_server_settings
from bot.store.leaderboard import count_ahead, count_opponents_needed, load_fame, load_page, load_seasons, load_standing
from highscore.cards import Card

THIS_SEASON = "season"
THIS_MONTH = "month"
SEASONS_OFFERED = 20
"""The number of past seasons to choose from: five years of quarters."""


async def find_current_season(core: Core, guild_id: int) -> str:
    """Return the season of a game that ends now."""
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

"""/highscore leaderboard, which also shows the records, and the buttons that turn the pages."""

from discord import app_commands

from bot.cogs.common import Answer, Choices, Feature, Private, UserRequest, answers, choice_of, name_of, suggests
from bot.cogs.cup import list_visible_cups
from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import Order
from bot.locales import _, language_for, speaking_in
from bot.services import leaderboard as service
from bot.services.core import get_server_settings
from bot.ui.buttons import FAME, CountingPress, LeaderboardPress
from bot.ui.leaderboard import period_name, render_counting, render_hall_of_fame, render_leaderboard
from bot.ui.message import Rendered


class LeaderboardCommands(Feature):
    @app_commands.command(description="Who leads on this server")
    @app_commands.describe(period="Which period to show; this season by default", order="What people are ranked by")
    @app_commands.choices(
        order=[
            app_commands.Choice(name="rating", value=Order.RATING.value),
            app_commands.Choice(name="wins", value=Order.WINS.value),
            app_commands.Choice(name="games won, in per cent", value=Order.WIN_RATE.value),
            app_commands.Choice(name="points from chips", value=Order.CHIPS.value),
            app_commands.Choice(name="best result", value=Order.BEST.value),
            app_commands.Choice(name="points lost per decision", value=Order.LOSS.value),
            app_commands.Choice(name="records: the best result ever on each card", value=FAME),
        ]
    )
    @answers(public=True)
    async def leaderboard(
        self, request: UserRequest, period: str = service.THIS_SEASON, order: str = Order.RATING.value
    ) -> Answer:
        named = await service.find_period(request.core, request.guild_id, period)
        board = FAME if order == FAME else choice_of(Order, order).value
        first = LeaderboardPress(board, ALL_TIME if order == FAME else named, 0, request.user_id)
        return Answer(await _render_page(request, first, public=True))

    @leaderboard.autocomplete("period")
    @suggests
    async def complete_period(self, request: UserRequest, _typed: str) -> Choices:
        offered = [
            (_("This season"), service.THIS_SEASON),
            (_("This month"), service.THIS_MONTH),
            (_("All time"), ALL_TIME),
        ]
        past = await service.load_past_seasons(request.core, request.guild_id)
        return [*offered, *((period_name(season), season) for season in past)]


async def turn_board(request: UserRequest, press: LeaderboardPress) -> Answer | Private:
    """Show another page. The user who asked for the leaderboard changes its message. Everybody else gets a private
    copy."""
    await service.find_period(request.core, request.guild_id, press.period)
    if press.user_id != request.user_id:
        return Private(await _render_page(request, press, public=False))
    return Answer(await _render_page(request, press, public=not request.is_private))


async def _render_page(request: UserRequest, press: LeaderboardPress, *, public: bool) -> Rendered:
    """Make a page with the user's own line. A public page is in the server's language, a private one in the user's."""
    guild_id, user_id = request.guild_id, request.user_id
    settings = await get_server_settings(request.core, guild_id)
    server = settings.language or request.guild_language
    with speaking_in(server if public else language_for(request.interaction.locale)):
        if press.board == FAME:
            hall = await service.load_hall_of_fame(request.core, guild_id, press.page)
            return render_hall_of_fame(hall, user_id, await list_visible_cups(request))
        board = await service.load_leaderboard(
            request.core, guild_id, press.period, Order(press.board), press.page, user_id
        )
        shown = render_leaderboard(board, user_id, name_of(request.interaction.user))
        return shown.adapt(pictures=settings.pictures)


async def explain_counting(_request: UserRequest, press: CountingPress) -> Private:
    return Private(render_counting(press.order))

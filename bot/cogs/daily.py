"""/highscore daily and its buttons."""

from discord import app_commands

from bot.cogs.challenge import ChallengeGame, add_best
from bot.cogs.common import Answer, Choices, Feature, Private, UserRequest, answers, suggests
from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, daily_number
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import Core, get_server_settings
from bot.services.daily import DAYS, begin_attempt, load_boards, load_past_days, share_attempt
from bot.ui.buttons import Action, ChallengePress, DailyPress
from bot.ui.challenge import PrivatePage, day_title, render_private
from bot.ui.daily import daily_page, past_day_name, share_buttons
from bot.ui.message import Rendered


class DailyCommands(Feature):
    @app_commands.command(
        description="Play today's seven cards in private; the same choices give everybody the same dice"
    )
    @app_commands.describe(number="The number of a past challenge, to play it unranked")
    @answers()
    async def daily(self, request: UserRequest, number: str | None = None) -> Answer:
        """Show the user's page of today's challenge or of a past one. Begin it if they have not."""
        asked = None if number is None else _parse_number(number)
        return Answer(await _begin_daily(request, asked))

    @daily.autocomplete("number")
    @suggests
    async def complete_number(self, request: UserRequest, _typed: str) -> Choices:
        if request.interaction.guild_id is None:
            return []
        days = await load_past_days(request.core, request.interaction.guild_id, request.user_id)
        return [(past_day_name(day, score), str(daily_number(day))) for day, score in days.items()]


def _parse_number(typed: str) -> int:
    text = typed.strip().lstrip("#")
    if not (text.isascii() and text.isdecimal()):
        raise Refused(_("Write the number of a challenge, such as 123."))
    return int(text[:9])


async def _begin_daily(request: UserRequest, number: int | None) -> Rendered:
    attempt = await begin_attempt(request.core, request.person, await request.find_game_place(), number)
    request.context.wake_at(attempt.challenge.ends_at)
    return render_private(await _make_page(request.core, attempt))


async def open_daily(request: UserRequest, press: DailyPress) -> Private:
    """Show the user's page of the day that the button names. If it names none, show today's page."""
    return Private(await _begin_daily(request, press.number or None))


async def open_todays(request: UserRequest, _press: Action) -> Private:
    return Private(await _begin_daily(request, None))


async def share_daily(request: UserRequest, press: ChallengePress) -> Answer:
    await request.check_may_share()
    attempt = await share_attempt(request.core, press.challenge_id, request.person, request.channel_id)
    request.context.wake_at(attempt.shared_at)
    return Answer(render_private(await _make_page(request.core, attempt)))


async def _make_page(core: Core, attempt: Attempt[Daily]) -> PrivatePage:
    ranking, week = await load_boards(core, attempt.challenge) if attempt.game.complete else ((), ())
    settings = await get_server_settings(core, attempt.challenge.guild_id)
    page = daily_page(attempt, core.now(), ranking, week, pictures=settings.pictures, rare=settings.rare)
    return await add_best(core, page, attempt.challenge.guild_id, attempt.user_id)


DAILY = ChallengeGame(DAYS, _make_page, day_title, share=share_buttons)

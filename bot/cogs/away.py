"""/highscore away."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from discord import app_commands

from bot.cogs.common import Answer, Choices, Feature, UserRequest, answers, suggests
from bot.discord_api.replies import AnswerKind
from bot.locales import format_day
from bot.services.away import MOST_DAYS, begin_absence, finish_absence, get_absence_end
from bot.services.core import get_server_settings
from bot.ui.buttons import AwayPress
from bot.ui.reminders import render_away_notice


class AwayCommands(Feature):
    @app_commands.command(description="Enter an absence: the house plays for you where somebody is waiting")
    @app_commands.describe(days="For how many days", until="The day of your return")
    @answers(AnswerKind.PRIVATE)
    async def away(
        self,
        request: UserRequest,
        days: app_commands.Range[int, 1, MOST_DAYS] | None = None,
        until: str | None = None,
    ) -> Answer:
        core, guild_id, user_id = request.core, request.guild_id, request.user_id
        if days is None and until is None:
            return Answer(render_away_notice(await get_absence_end(core, guild_id, user_id)))
        back = await begin_absence(core, guild_id, user_id, days=days, until=until)
        request.context.wake_at(core.now())
        return Answer(render_away_notice(back))

    @away.autocomplete("until")
    @suggests
    async def complete_until(self, request: UserRequest, _typed: str) -> Choices:
        settings = await get_server_settings(request.core, request.guild_id)
        today = request.core.now().astimezone(ZoneInfo(settings.zone)).date()
        days = [today + timedelta(days=after) for after in range(1, MOST_DAYS + 1)]
        return [(format_day(day), day.isoformat()) for day in days]


async def end_absence(request: UserRequest, _press: AwayPress) -> Answer:
    await finish_absence(request.core, request.guild_id, request.user_id)
    request.context.wake_at(request.core.now())
    return Answer(render_away_notice(None))

"""The private page of a leg of a cup."""

from bot.cogs.answers import Private
from bot.cogs.challenge import ChallengeGame
from bot.cogs.common import channel_id_of, person_of
from bot.cogs.context import Context
from bot.cogs.private_page import add_best
from bot.discord_api.replies import Interaction
from bot.domain.challenge import Attempt
from bot.domain.cup import CupView, LegChallenge
from bot.services.core import Core, get_server_settings
from bot.services.cup import view_cup
from bot.services.cup_leg import RULES, begin_leg
from bot.ui.buttons import Press
from bot.ui.challenge import PrivatePage, render_private
from bot.ui.cup_leg import leg_page, leg_press, leg_title


async def play_leg(context: Context, interaction: Interaction, press: Press) -> Private:
    """Show a person's page of the open leg."""
    attempt = await begin_leg(context.core, person_of(interaction), press.table_id, channel_id_of(interaction))
    page = await _make_page(context.core, attempt, await view_cup(context.core, press.table_id))
    return Private(render_private(page))


async def _make_page(core: Core, attempt: Attempt[LegChallenge], view: CupView | None = None) -> PrivatePage:
    settings = await get_server_settings(core, attempt.challenge.guild_id)
    page = leg_page(attempt, view, pictures=settings.pictures, rare=settings.rare)
    return await add_best(core, page, attempt.challenge.guild_id, attempt.user_id)


LEGS = ChallengeGame(RULES, _make_page, leg_press, leg_title)
"""The pages of those who play a leg."""

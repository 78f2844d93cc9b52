"""The cups that a person may see."""

from bot.cogs.common import guild_id_of
from bot.discord_api.permissions import find_visible
from bot.discord_api.replies import Interaction
from bot.domain.cup import Cup, CupView
from bot.services.core import Core
from bot.services.cup import list_cups, no_such_cup, view_cup


async def list_visible_cups(core: Core, interaction: Interaction) -> list[Cup]:
    """Return the cups of a server that a person may see: in channels that they see, or entered by themselves."""
    cups = await list_cups(core, guild_id_of(interaction))
    visible = await find_visible(interaction, [cup.channel_id for cup in cups])
    return [cup for cup in cups if cup.channel_id in visible or cup.number_of(interaction.user.id) is not None]


async def view_visible_cup(core: Core, interaction: Interaction, cup_id: str) -> CupView:
    """Return all that can be shown of a cup. Raise Refused where there is none that the person may see."""
    view = await view_cup(core, cup_id)
    entered = view.cup.number_of(interaction.user.id) is not None
    if not entered and not await find_visible(interaction, [view.cup.channel_id]):
        raise no_such_cup()
    return view

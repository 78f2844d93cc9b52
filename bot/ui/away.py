"""Absences in words."""

from datetime import datetime

from discord.utils import format_dt

from bot.locales import _
from bot.ui.actions import AwayPress
from bot.ui.buttons import button
from bot.ui.message import Rendered


def render_away_notice(until: datetime | None) -> Rendered:
    """Show until when somebody is away, and how that ends."""
    if until is None:
        return Rendered(content=_("You have no absence here. `/highscore away days:3` enters one, for three days."))
    text = _(
        "Your absence lasts until {day}. Until then nobody calls you, and the house plays where somebody is waiting; in"
        " games at everybody's own pace only once time is up. It ends when you next play here, or by the button below."
    )
    return Rendered(
        content="💤 " + text.format(day=format_dt(until, "D")), buttons=[button(AwayPress(), _("I'm back"))]
    )

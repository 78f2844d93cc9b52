"""The message in a thread's channel that leads to the table in it."""

from bot.domain.table import Status, Table
from bot.locales import _, speaking
from bot.ui.buttons import Verb, button, press_of
from bot.ui.message import QUIET, Rendered, make_embed
from bot.ui.names import host_name
from bot.ui.pace import order_name, order_sentence, pace_sentence


def way_in(table: Table) -> Rendered:
    """The message; without a button once nobody can sit down."""
    with speaking(table.locale):
        where = f"<#{table.channel_id}>"
        if table.status is not Status.LOBBY:
            text = _("The game in {thread} has begun.") if table.game is not None else _("The table is closed.")
            return Rendered([make_embed("High Score", text.format(thread=where), colour=QUIET)])
        text = _("{player} has opened a table for up to {number} players in {thread}.")
        text = text.format(player=host_name(table), number=table.max_seats, thread=where)
        order = f"**{order_name(table.turn_order)}**: {order_sentence(table.turn_order)}"
        pace = pace_sentence(table.options, table.turn_order)
        embed = make_embed(_("High Score: a table is open"), text, order, pace)
        return Rendered([embed], buttons=[button(press_of(table, Verb.ENTER), _("Join"), emoji="🪑")])

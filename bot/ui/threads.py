"""The lobby in a thread's channel, from which people sit down at the table in the thread."""

from bot.domain.table import Status, Table
from bot.locales import _, speaking
from bot.ui.buttons import Verb
from bot.ui.lobby import host_line, join_button, lobby_fields
from bot.ui.message import QUIET, Rendered, make_embed


def way_in(table: Table) -> Rendered:
    """The message; once nobody can sit down, without a button, and with a word on the game."""
    with speaking(table.locale):
        where = f"<#{table.channel_id}>"
        if table.status is not Status.LOBBY:
            return Rendered([make_embed("High Score", _since(table).format(thread=where), colour=QUIET)])
        text = _("The table is in {thread}.").format(thread=where)
        embed = make_embed(_("High Score: a table is open"), f"{text} {host_line(table)}", fields=lobby_fields(table))
        return Rendered([embed], buttons=[join_button(table, Verb.ENTER)])


def _since(table: Table) -> str:
    if table.status is Status.PLAYING:
        return _("The game in {thread} has begun.")
    if table.status is Status.FINISHED:
        return _("The game in {thread} is over: the standings are there.")
    if table.game is None:
        return _("The table in {thread} is closed.")
    return _("The game in {thread} has ended early.")

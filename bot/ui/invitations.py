"""Invitations, kept seats, and the call of a role to a table with free seats, in words."""

from collections.abc import Sequence

from discord.utils import format_dt

from bot.domain.notify import Wishes
from bot.domain.table import Table
from bot.locales import _, format_list, ngettext, speaking_in
from bot.ui.names import host_name, table_link


def kept_words(table: Table) -> str:
    """Return until when a seat is kept, to stand behind the name of its person."""
    if table.timing.kept_until is None:
        return " · " + _("Seat reserved")
    return " · " + _("Seat kept until {when}").format(when=kept_until_words(table))


def kept_until_words(table: Table) -> str:
    """Return until when seats are kept, as a time in each reader's own zone; empty where none are."""
    until = table.timing.kept_until
    return "" if until is None else format_dt(until, "t")


def players_call(table: Table, role_id: int) -> str:
    with speaking_in(table.locale):
        free = table.free_seats
        text = ngettext(
            "{role}, players are wanted: {number} seat is free. Host: {player} {link}",
            "{role}, players are wanted: {number} seats are free. Host: {player} {link}",
            free,
        )
        told = text.format(role=f"<@&{role_id}>", player=host_name(table), number=free, link=table_link(table))
        return f"🎲 {told}"


def invitations_line(wishes: Wishes) -> str:
    """Return whether somebody is called to seats that are kept for them."""
    if wishes.invited:
        return _("Invitations: calls to seats that are kept for you, six times a day at most.")
    return _("Invitations: no calls to seats that are kept for you.")


def not_called_line(table: Table) -> str:
    """Tell the host who is not called, whatever the reason is; empty where all are."""
    text = _("No call: {names}. A seat is kept all the same; tell them yourself.")
    return text.format(names=format_list(f"<@{user_id}>" for user_id in table.uncalled)) if table.uncalled else ""


def not_invited_line(user_ids: Sequence[int]) -> str:
    """Tell the host for which of those they named no seat is kept; empty where there are none."""
    text = _("No seat is kept: {names}. Seats are for other people on this server, one each.")
    return text.format(names=format_list(f"<@{user_id}>" for user_id in user_ids)) if user_ids else ""

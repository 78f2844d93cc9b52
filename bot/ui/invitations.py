"""Invitations, kept seats, and the call of a role to a table with free seats, in words."""

from collections.abc import Mapping
from enum import Enum

from discord.utils import format_dt

from bot.domain.notify import Wishes
from bot.domain.table import Table
from bot.locales import _, format_list, ngettext, speaking_in
from bot.ui.buttons import ActionItem, Verb, button, table_press
from bot.ui.names import host_name, table_link


def kept_words(table: Table) -> str:
    """Return until when a seat is kept, to stand behind the name of its person."""
    if table.timing.kept_until is None:
        return " · " + _("seat reserved")
    return " · " + _("seat kept until {when}").format(when=kept_until_words(table))


def kept_until_words(table: Table) -> str:
    """Return until when seats are kept, as a time in each reader's own zone; empty where none are."""
    until = table.timing.kept_until
    return "" if until is None else format_dt(until, "t")


def players_call(table: Table, role_id: int) -> str:
    with speaking_in(table.locale):
        free = table.free_seats
        text = ngettext(
            "{role}, {player} is looking for players: {number} seat is free at {link}.",
            "{role}, {player} is looking for players: {number} seats are free at {link}.",
            free,
        )
        told = text.format(role=f"<@&{role_id}>", player=host_name(table), number=free, link=table_link(table))
        return f"🎲 {told}"


def call_buttons(table: Table, row: int) -> list[ActionItem]:
    """Return the button that calls the server's role, once a table; none without such a role or a free seat."""
    if not table.options.may_call or table.free_seats <= 0:
        return []
    return [button(table_press(table, Verb.CALL), _("Call players"), emoji="📣", row=row)]


class NotInvited(Enum):
    """The reason for which no seat is kept for somebody whom the host has named."""

    BOT = "bot"
    STRANGER = "stranger"
    TWICE = "twice"
    """Somebody for whom a seat is kept already."""
    HOST = "host"


def invitations_line(wishes: Wishes) -> str:
    """Return whether somebody is called to seats that are kept for them."""
    if wishes.invited:
        return _("Invitations: you are called to seats that are kept for you, six times a day at most.")
    return _("Invitations: nobody calls you to seats that are kept for you.")


def not_called_line(table: Table) -> str:
    """Tell the host who is not called, whatever the reason is; empty where all are."""
    text = _("Not called: {names}. A seat is kept all the same; tell them yourself.")
    return text.format(names=format_list(f"<@{user_id}>" for user_id in table.uncalled)) if table.uncalled else ""


def not_invited_lines(people: Mapping[int, NotInvited]) -> str:
    """Tell the host why no seat is kept for these users; empty where there are none."""
    texts = {
        NotInvited.BOT: _("No seat is kept for {names}: bots cannot play. **House player** adds one of mine."),
        NotInvited.STRANGER: _("No seat is kept for {names}: not a member of this server."),
        NotInvited.TWICE: _("One invitation is enough for {names}; one seat is kept."),
        NotInvited.HOST: _("You need no invitation: you have a seat already."),
    }
    named = {why: [f"<@{user_id}>" for user_id, reason in people.items() if reason is why] for why in texts}
    return "\n".join(text.format(names=format_list(named[why])) for why, text in texts.items() if named[why])

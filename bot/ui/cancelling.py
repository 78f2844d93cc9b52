"""The question whether a game is cancelled, on the table's page and to those who have to answer (R9.7)."""

from collections.abc import Iterable, Sequence

import discord

from bot.domain.cancelling import is_cancel_requested, seats_yet_to_agree
from bot.domain.table import Table
from bot.locales import _, format_list, speaking_in
from bot.ui.buttons import ActionItem, Verb, button, table_press
from bot.ui.message import Rendered
from bot.ui.names import address_sentence, host_name, player_name, table_link


def cancel_lines(table: Table) -> list[str]:
    if not is_cancel_requested(table):
        return []
    text = _("{player} wants to cancel the game. Yet to agree: {players}")
    lines = ["🗳️ " + text.format(player=host_name(table), players=_names(table, seats_yet_to_agree(table)))]
    against = [at for at in seats_yet_to_agree(table) if table.seats[at].gives_up is False]
    return lines + ([_("Against it: {players}").format(players=_names(table, against))] if against else [])


def _names(table: Table, seats: Iterable[int]) -> str:
    return format_list(player_name(table, seat) for seat in seats)


def cancel_buttons(table: Table, row: int) -> list[ActionItem]:
    """Return the two answers; each of them can be changed for the other."""
    if not is_cancel_requested(table):
        return []
    return [
        button(table_press(table, Verb.AGREE), _("Agree"), row=row),
        button(table_press(table, Verb.DISAGREE), _("Disagree"), row=row),
    ]


def render_cancel_question(table: Table, asked: Sequence[int]) -> Rendered:
    """Ask to confirm that a table is closed, or that the others ``asked`` are asked."""
    text, label = _("Cancel the game? It ends for everybody and without a winner. {link}"), _("Cancel the game")
    if asked:
        text = _("The dice have been rolled, so others have to agree: {players}. Ask them? {link}")
        label = _("Ask them")
    text = text.format(link=table_link(table), players=_names(table, asked))
    press = table_press(table, Verb.CANCEL, int(bool(asked)))
    return Rendered(content=text, buttons=[button(press, label, style=discord.ButtonStyle.danger)])


def render_cancel_notice(table: Table, user_id: int) -> Rendered | None:
    """Tell somebody what they have answered; None once the game is cancelled."""
    at = table.seat_of(user_id)
    if at is None or not table.status.open:
        return None
    if table.seats[at].gives_up:
        return Rendered(content=_("You agree to cancel the game. **Disagree** takes that back."))
    return Rendered(content=_("You are against cancelling, so the game goes on."))


def cancel_call(table: Table, user_ids: Sequence[int]) -> str:
    """Return the call to these people to answer; in a direct message, without them, it is for its reader."""
    with speaking_in(table.locale):
        text = _(
            "{player} wants to cancel the game. Do you agree? Whoever does not answer within three days agrees."
            " Two buttons there say yes or no: {link}"
        )
        text = text.format(player=host_name(table), link=table_link(table))
        return "🗳️ " + address_sentence(user_ids, text)

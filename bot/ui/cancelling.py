"""Cancelling a game (R9.7): the question to the host or moderator, the vote, and the pings to voters."""

from collections.abc import Sequence

import discord

from bot.domain.cancelling import is_one_enough, seats_yet_to_answer
from bot.domain.table import Table
from bot.locales import _, format_list, speaking_in
from bot.ui.buttons import ActionItem, CancelPress, TablePress, Verb, button, table_press
from bot.ui.message import Rendered
from bot.ui.text import address_sentence, host_name, player_name, table_link

MOST_TABLES, IN_ROW = 20, 5
"""The most tables that one message offers, and Discord's limit of buttons in a row."""


def cancel_lines(table: Table) -> list[str]:
    if missing := seats_yet_to_answer(table):
        text = _("{player} wants to cancel the game. Agreement needed from: {players}")
        return ["🗳️ " + text.format(player=host_name(table), players=_names(table, missing))]
    against = [at for at, seat in enumerate(table.seats) if seat.present and seat.gives_up is False]
    return ["🗳️ " + _("Against cancelling: {players}").format(players=_names(table, against))] if against else []


def _names(table: Table, seats: Sequence[int]) -> str:
    return format_list((player_name(table, seat) for seat in seats), any_one=is_one_enough(table, seats))


def cancel_buttons(table: Table, row: int) -> list[ActionItem]:
    if not seats_yet_to_answer(table):
        return []
    return [
        button(table_press(table, Verb.AGREE), _("Agree"), row=row),
        button(table_press(table, Verb.DISAGREE), _("Disagree"), row=row),
    ]


def render_cancel_question(*tables: tuple[Table, Sequence[int]]) -> Rendered:
    """Ask a user to confirm that they want to cancel a game or, if other players have to agree, to ask these players.

    Each table is paired with the seats that have to agree. Several tables are shown as a numbered list, with a button
    for each number.
    """
    questions: list[tuple[str, TablePress, str]] = []
    for table, asked in tables:
        text, label = _("Cancel the game? It ends for everybody, without a winner. {link}"), _("Cancel the game")
        if asked:
            text = _("The game is under way, so {players} must agree to cancel it. Ask them? {link}")
            label = _("Ask them")
        text = text.format(link=table_link(table), players=_names(table, asked))
        questions.append((text, CancelPress(Verb.CANCEL, table.id, table.version, bool(asked)), label))
    return render_questions(questions)


def render_questions(questions: Sequence[tuple[str, TablePress, str]]) -> Rendered:
    """Show a question with a button that confirms it, or a numbered list of questions with a button each.

    A question consists of its text, and the action and the label of its button. At most ``MOST_TABLES`` are listed.
    """
    if len(questions) == 1:
        [(text, press, label)] = questions
        return Rendered(content=text, buttons=[button(press, label, style=discord.ButtonStyle.danger)])
    lines, buttons = list[str](), list[ActionItem]()
    for at, (text, press, _label) in enumerate(questions[:MOST_TABLES]):
        lines.append(f"{at + 1}. {text}")
        buttons.append(button(press, str(at + 1), row=at // IN_ROW))
    return Rendered(embeds=[discord.Embed(description="\n".join(lines))], buttons=buttons)


def render_cancel_notice(*, agrees: bool) -> Rendered:
    if agrees:
        return Rendered(content=_("You agreed to cancel the game. If you change your mind, press **Disagree**."))
    return Rendered(content=_("The game goes on. The host can ask again when this round is over."))


def cancel_request_text(table: Table, user_ids: Sequence[int]) -> str:
    """Return a ping that asks these users whether they agree. For a direct message ``user_ids`` is empty."""
    with speaking_in(table.locale):
        text = _("{player} wants to cancel the game. Do you agree? Answer with the buttons there: {link}")
        text = text.format(player=host_name(table), link=table_link(table))
        return "🗳️ " + address_sentence(user_ids, text)

"""The way from a table to the message that shows it.

A table is shown on pages (``domain.pages``): the lobby, the opening, its turns, a record of each round, the end. The
current page has buttons; an earlier one is rendered closed. The opening and the records stay in the channel.
"""

from collections.abc import Collection

from bot.domain.notify import does_page_call, users_called
from bot.domain.pages import OPENING, RecordPage, TurnPage, read_page
from bot.domain.table import Status, Table
from bot.locales import _, speaking_in
from bot.ui.highlights import add_rare
from bot.ui.lobby import lobby_buttons, lobby_embed, render_opening
from bot.ui.message import Picture, Rendered
from bot.ui.names import footer_names, mention_words, picture_name
from bot.ui.pictures.results import results_png
from bot.ui.pictures.sentences import results_sentences
from bot.ui.pictures.views import BoardView, game_view, results_view, round_view
from bot.ui.results import final_buttons, final_embeds, round_embed
from bot.ui.run import progress_buttons, progress_embed
from bot.ui.turn import finished_turn_embed, require_game, turn_buttons, turn_call, turn_embed
from bot.ui.turn_parts import board_picture
from highscore.game import Game


def render_table(
    table: Table, selected: Collection[int] = (), language: str | None = None, *, asking: bool = False
) -> Rendered:
    """Show the current page of a table in its language, or in another one; the rest is as for ``choice_buttons``."""
    with speaking_in(language or table.locale):
        return _render_current(table, selected, asking=asking).adapt(pictures=table.options.pictures)


def _render_current(table: Table, selected: Collection[int], *, asking: bool) -> Rendered:
    people = users_called(table)
    mentions = mention_words(people)
    if table.game is None:
        call = _("{people}, a rematch! **Join** takes the seat kept for you.").format(people=mentions)
        content = call if people and does_page_call(table) else None
        return Rendered([lobby_embed(table)], content, lobby_buttons(table), people)
    if table.awaits_opening:
        return render_opening(table, people)
    if table.status is not Status.PLAYING:
        return Rendered(
            final_embeds(table),
            _("{people}, the game is over.").format(people=mentions) if people else None,
            final_buttons(table),
            notify=people,
            picture=results_picture(table, table.game),
        )
    if not table.turn_order.shared:
        public = table.seen_by(None)
        progress = Rendered(
            [progress_embed(public)],
            _("{people}, the game has begun.").format(people=mentions) if people else None,
            progress_buttons(public),
            notify=people,
            picture=results_picture(public, require_game(public)),
        )
        return add_rare(progress, public)
    turn = Rendered(
        [turn_embed(table)],
        turn_call(table),
        turn_buttons(table, selected, asking=asking),
        notify=people,
        picture=round_picture(table, game_view(table.game, selected)),
    )
    # At once: until somebody takes the dice. The record of the round keeps it.
    game = table.game
    return turn if game.turn or not game.played else add_rare(turn, table, game.round, game.played[-1].seat)


def render_standings(table: Table) -> Rendered:
    with speaking_in(table.locale):
        rendered = Rendered(final_embeds(table)[-1:], picture=results_picture(table, require_game(table)))
        return rendered.adapt(pictures=table.options.pictures)


def render_page(table: Table, page: int) -> Rendered:
    """Show a page of a table: the current one as it is, an earlier one closed. A record always says the same."""
    if page == table.page:
        return render_table(table)
    with speaking_in(table.locale):
        return _render_earlier(table, page).adapt(pictures=table.options.pictures)


def _render_earlier(table: Table, page: int) -> Rendered:
    game = table.game
    if page <= 0 or game is None:
        return Rendered([lobby_embed(table)])
    if page == OPENING:
        return render_opening(table)
    if not game.turn_order.shared:
        public = table.seen_by(None)
        return add_rare(Rendered([progress_embed(public)]), public)
    match read_page(game, page):
        case RecordPage(number):
            picture = round_picture(table, round_view(game, number + 1))
            record = Rendered([round_embed(table, game.finished[number])], picture=picture)
            return add_rare(record, table, number + 1)
        case TurnPage(turn=number):
            return Rendered([finished_turn_embed(table, number)])
        case None:
            raise ValueError(f"table {table.id} has no page {page}")


def round_picture(table: Table, view: BoardView) -> Picture:
    return board_picture(view, footer_names(table))


def results_picture(table: Table, game: Game) -> Picture | None:
    """Return the standings as a picture; None before the first round is over."""
    if not game.finished:
        return None
    view = results_view(game, [picture_name(table, seat) for seat in range(len(table.seats))])
    return Picture("results.png", results_sentences(view, footer_names(table)), results_png, (view,))

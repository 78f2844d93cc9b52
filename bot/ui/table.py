"""From a table to the message that shows it.

A table is shown on pages: the lobby, one message a turn, one for the end (``Table.page``). The current page has
buttons; an earlier one is rendered closed, as a record of what happened.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from bot.domain.table import Status, Table
from bot.locales import speaking
from bot.ui import lobby as lobby_view
from bot.ui import pictures
from bot.ui import turn as turn_view
from bot.ui.message import Picture, Rendered
from bot.ui.names import player_name_in_footer
from bot.ui.results import final_buttons, final_embeds, round_embed
from highscore.game import Game


def render(table: Table, selected: Collection[int] = (), language: str | None = None) -> Rendered:
    """The current page of a table, in its own language unless told otherwise.

    ``selected`` are the dice the player has picked, which only the message knows.
    """
    with speaking(language or table.locale):
        if table.game is None:
            return Rendered([lobby_view.embed(table)], buttons=lobby_view.buttons(table))
        if table.status is not Status.PLAYING:
            return Rendered(
                final_embeds(table),
                buttons=final_buttons(table),
                picture=_results_picture(table, table.game),
            )
        embeds = [turn_view.embed(table, selected)]
        if table.game.finished and not table.game.played and table.game.turn is None:
            embeds.insert(0, round_embed(table, table.game.finished[-1]))
        user_id = turn_view.on_turn(table)
        return Rendered(
            embeds,
            None if user_id is None else turn_view.call(user_id),
            turn_view.buttons(table, selected),
            mention=user_id,
            picture=_board_picture(table, table.game, selected),
        )


def render_page(table: Table, page: int) -> Rendered:
    """A page of a table: the current one as it is, an earlier one closed and without buttons."""
    if page == table.page:
        return render(table)
    with speaking(table.locale):
        if page <= 0 or table.game is None:
            return Rendered([lobby_view.closed_embed(table)])
        return Rendered([turn_view.finished_embed(table, page - 1)])


def _board_picture(table: Table, game: Game, selected: Collection[int]) -> Picture | None:
    if not table.options.pictures:
        return None
    view = pictures.game_view(game, selected)
    return Picture("board.png", pictures.board_alt(view, _names(table)), partial(pictures.board_png, view))


def _results_picture(table: Table, game: Game) -> Picture | None:
    if not table.options.pictures or not game.finished:
        return None
    view = pictures.results_view(game)
    return Picture("results.png", pictures.results_alt(view, _names(table)), partial(pictures.results_png, view))


def _names(table: Table) -> list[str]:
    return [player_name_in_footer(table, seat) for seat in range(len(table.seats))]

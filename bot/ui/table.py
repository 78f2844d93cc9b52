"""From a table to the message that shows it.

A table is shown on pages: the lobby, the opening, one message a turn, one for the end (``Table.page``). The current
page has buttons; an earlier one is rendered closed, as a record of what happened.
"""

from collections.abc import Collection
from datetime import datetime

from bot.domain.table import FIRST_TURN, OPENING, Status, Table
from bot.locales import speaking
from bot.ui.lobby import closed_lobby_embed, invited, lobby_buttons, lobby_embed, opening_embed, rematch_call
from bot.ui.message import Picture, Rendered
from bot.ui.names import player_name_in_footer
from bot.ui.pictures.alt import board_alt, results_alt
from bot.ui.pictures.board import board_png
from bot.ui.pictures.results import results_png
from bot.ui.pictures.views import BoardView, game_view, results_view, turn_view
from bot.ui.results import final_buttons, final_embeds, round_embed
from bot.ui.run import (
    begun_call,
    game_over_call,
    progress_buttons,
    progress_embed,
    run_buttons,
    run_embeds,
)
from bot.ui.turn import finished_turn_embed, playing, turn_buttons, turn_call, turn_embed, user_on_turn
from highscore.game import Game


def render(
    table: Table, selected: Collection[int] = (), language: str | None = None, *, asking: bool = False
) -> Rendered:
    """The current page of a table, in its own language unless told otherwise.

    ``selected`` are the dice the player has picked, ``asking`` is whether they are asked if they mean to keep what
    they have; only the message knows these.
    """
    with speaking(language or table.locale):
        if table.game is None:
            called = () if table.status is not Status.LOBBY else invited(table)
            call = rematch_call(called) if called else None
            return Rendered([lobby_embed(table)], call, lobby_buttons(table), notify=called)
        if table.opening:
            return Rendered([opening_embed(table)])
        if table.status is not Status.PLAYING:
            called = () if table.turn_order.shared else table.people
            return Rendered(
                final_embeds(table),
                game_over_call(called) if called else None,
                final_buttons(table),
                notify=called,
                picture=results_picture(table, table.game),
            )
        if not table.turn_order.shared:
            public = table.seen_by(None)
            return Rendered(
                [progress_embed(public)],
                begun_call(public.people),
                progress_buttons(public),
                notify=public.people,
                picture=results_picture(public, playing(public)),
            )
        embeds = [turn_embed(table)]
        if table.game.finished and not table.game.played and table.game.turn is None:
            embeds.insert(0, round_embed(table, table.game.finished[-1]))
        user_id = user_on_turn(table)
        return Rendered(
            embeds,
            None if user_id is None else turn_call(user_id),
            turn_buttons(table, selected, asking=asking),
            notify=() if user_id is None else (user_id,),
            picture=board_picture(table, game_view(table.game, selected)),
        )


def render_run(
    table: Table,
    seat: int,
    now: datetime,
    selected: Collection[int] = (),
    note: str | None = None,
    *,
    asking: bool = False,
) -> Rendered:
    """The private page of a seat in own pace, of the table as that seat sees it ``now``; ``note`` comes above.

    Nobody can change the page but who presses on it, so it says of when that is what it tells of others.
    """
    run = playing(table).run(seat)
    picture = None
    if run.card is not None:
        view = turn_view(run.card, len(table.seats), (), run.turn, seat, selected)
        picture = board_picture(table, view)
    return Rendered(
        run_embeds(table, seat, now), note, run_buttons(table, seat, selected, asking=asking), picture=picture
    )


def render_page(table: Table, page: int) -> Rendered:
    """A page of a table: the current one as it is, an earlier one closed and without buttons."""
    if page == table.page:
        return render(table)
    with speaking(table.locale):
        if page <= 0 or table.game is None:
            return Rendered([closed_lobby_embed(table)])
        if page == OPENING:
            return Rendered([opening_embed(table)])
        if not table.turn_order.shared:
            return Rendered([progress_embed(table.seen_by(None))])
        return Rendered([finished_turn_embed(table, page - FIRST_TURN)])


def board_picture(table: Table, view: BoardView) -> Picture | None:
    """A round as a picture; None at a table without pictures."""
    if not table.options.pictures:
        return None
    return Picture("board.png", board_alt(view, _names(table)), board_png, (view,))


def results_picture(table: Table, game: Game) -> Picture | None:
    """The standings as a picture; None at a table without pictures and before the first round is over."""
    if not table.options.pictures or not game.finished:
        return None
    view = results_view(game)
    return Picture("results.png", results_alt(view, _names(table)), results_png, (view,))


def _names(table: Table) -> list[str]:
    return [player_name_in_footer(table, seat) for seat in range(len(table.seats))]

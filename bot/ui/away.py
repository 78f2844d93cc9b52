"""Absences in words, and the news for people who come back."""

from collections.abc import Iterator
from datetime import datetime

from discord.utils import format_dt

from bot.domain.table import Table
from bot.domain.timing import LastPress
from bot.locales import _, labelled, ngettext
from bot.ui.actions import AwayPress
from bot.ui.buttons import button
from bot.ui.message import Rendered, make_embed
from bot.ui.names import player_name, table_link
from bot.ui.reminders import GONE, deadline_line, news_lines
from bot.ui.run import round_field
from bot.ui.text import format_signed
from bot.ui.turn import points_line, require_game
from bot.ui.turn_parts import round_title
from highscore.deck import ROUNDS
from highscore.game import Game


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


def render_since_notice(table: Table, seat: int, last: LastPress) -> Rendered | None:
    """Show what a seat may see of what happened since its last press; None for nothing."""
    seen = table.seen_by(seat)
    game = require_game(seen)
    happened = list(_happened_lines(seen, game, seat, last))
    if not happened:
        return None
    embed = make_embed(
        "👋 " + _("Meanwhile"),
        *happened,
        "",
        _waiting_line(seen, game, seat),
        None if game.over else deadline_line(seen),
        footer=points_line(seen, game),
    )
    return Rendered([embed])


def _happened_lines(table: Table, game: Game, seat: int, last: LastPress) -> Iterator[str]:
    """Yield who has gone, rounds that were completed, and turns of this round at shared dice."""
    yield from news_lines(table, *GONE, since=last.at)
    before = stand_in = 0
    for number, ended in enumerate(game.finished):
        before += len(ended.turns) if game.turn_order.shared else 1
        if before > last.over:
            stand_in += any(turn.seat == seat and turn.by_house for turn in ended.turns)
            yield labelled(*round_field(table, game, number))
    if game.turn_order.shared:
        played = [turn for at, turn in enumerate(game.played, before + 1) if at > last.over]
        stand_in += any(turn.seat == seat and turn.by_house for turn in played)
        told = [f"{player_name(table, turn.seat)} {format_signed(turn.result)}" for turn in played if turn.seat != seat]
        if told:
            yield labelled(round_title(game.round), ", ".join(told))
    if stand_in:
        text = ngettext("The house played a turn for you.", "The house played {number} turns for you.", stand_in)
        yield text.format(number=stand_in)


def _waiting_line(table: Table, game: Game, seat: int) -> str | None:
    if game.over:
        return _("The game is over: {link}").format(link=table_link(table))
    left = ROUNDS - game.count_finished(seat)
    if left and not game.turn_order.shared and table.seats[seat].house is not None:
        return _("The time is up: the house plays what is left of your cards.")
    if left and not game.turn_order.shared:
        return ngettext("You have {number} card left.", "You have {number} cards left.", left).format(number=left)
    return _("Your dice are waiting: {link}").format(link=table_link(table)) if seat in game.may_act else None

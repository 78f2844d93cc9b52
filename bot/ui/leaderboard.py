"""Leaderboards, the hall of fame and the podium of a season."""

from collections.abc import Sequence
from dataclasses import replace

import discord
from babel.dates import format_skeleton
from discord.utils import format_dt

from bot.domain.calendar import ALL_TIME, last_day
from bot.domain.cup import Cup
from bot.domain.leaderboard import Fame, HallOfFame, Leaderboard, Line, Order
from bot.domain.ledger import RANKED_DECISIONS, RANKED_GAMES, RANKED_OPPONENTS, chips_of, shown_rating
from bot.locales import _, current_language, format_number, format_percentage, labelled
from bot.ui.buttons import FAME, ActionItem, CountingPress, LeaderboardPress, button, page_buttons
from bot.ui.cup import winner_lines
from bot.ui.message import GOLD, QUIET, Picture, Rendered, make_embed
from bot.ui.pictures.leaderboard import BoardLine, leaderboard_png
from bot.ui.text import MEDALS, clean_name, drawn_name, escape_name, format_signed, stored_name
from bot.ui.words import card_name, chips_won, games_words, points_words, wins_words

MOST_CUPS = 5


def order_name(order: Order) -> str:
    return {
        Order.RATING: _("Rating"),
        Order.WINS: _("Wins"),
        Order.WIN_RATE: _("Games won, in per cent"),
        Order.CHIPS: _("Points from chips"),
        Order.BEST: _("Best result"),
        Order.LOSS: _("Points lost per decision"),
    }[order]


def period_name(period: str) -> str:
    if period == ALL_TIME:
        return _("All time")
    year, _dash, part = period.partition("-")
    match part[:1]:
        case "":
            return year
        case "Q":
            return format_skeleton("yQQQQ", last_day(period), locale=current_language())
        case "H":
            text = _("First half of {year}") if part == "H1" else _("Second half of {year}")
            return text.format(year=year)
        case _:
            return format_skeleton("yMMMM", last_day(period), locale=current_language())


def render_leaderboard(board: Leaderboard, user_id: int, name: str) -> Rendered:
    """Show a page of a leaderboard. ``name`` is that of the user who asks."""
    period = period_name(board.period)
    embed = make_embed(
        "🏆 " + order_name(board.order),
        f"**{period[:1].upper()}{period[1:]}**",
        None if board.lines else _("Nobody is ranked here."),
        _own_sentence(board, escape_name(name)),
        colour=GOLD if board.lines else QUIET,
    )
    here = LeaderboardPress(board.order.value, board.period, board.page, user_id)
    counting = button(CountingPress(board.order), _("How it is counted"), emoji="❓", row=1)
    buttons = [*_page_buttons(here, more=board.has_more), counting]
    return Rendered([embed], buttons=buttons, picture=_board_picture(board) if board.lines else None)


def render_counting(order: Order) -> Rendered:
    """Explain what a leaderboard counts, and what a rank requires."""
    rated = _(
        "A game is rated if at least two people start it. Wins and chips count for players who play four"
        " turns themselves."
    )
    rating = _(
        "Everybody starts with 1000. A rated game compares its players, and beating a stronger one brings"
        " more. A rating becomes more certain with every game, so nobody leads after one lucky game."
    )
    met = _("Different opponents needed for a rank: {number}, or everybody who plays here.")
    rate = _("Rated games needed for a rank: {number}.")
    loss = _("These are the chip points given away, so less is better. Decisions needed for a rank: {number}.")
    die = _("The number next to the die is the number of games.")
    sentences = {
        Order.RATING: [rating, rated, met.format(number=RANKED_OPPONENTS), die],
        Order.WINS: [rated, die],
        Order.WIN_RATE: [rated, rate.format(number=RANKED_GAMES), die],
        Order.CHIPS: [rated],
        Order.BEST: [_("Turns in which the house made a decision do not count.")],
        Order.LOSS: [loss.format(number=RANKED_DECISIONS), die],
    }[order]
    return Rendered([make_embed(order_name(order), *sentences)])


def _board_picture(board: Leaderboard) -> Picture:
    """Draw a page. If the user who asks is not on it, draw their line and the player just ahead of them below."""
    on_page = {line.standing.user_id for line in board.lines}
    further: list[Line] = []
    if board.own is not None and board.own.standing.user_id not in on_page:
        nearest = (board.ahead, board.own)
        further = [line for line in nearest if line is not None and line.standing.user_id not in on_page]
    heading = f"{labelled(order_name(board.order), period_name(board.period))}."
    # The alt text leaves out a user without a rank, because the embed already has a sentence about them.
    ranked = [_line_sentence(board.order, line) for line in (*board.lines, *further) if line.place is not None]
    view = (tuple(_board_line(board, line) for line in lines) for lines in (board.lines, further))
    return Picture("leaderboard.png", (heading, *ranked), leaderboard_png, tuple(view))


def _board_line(board: Leaderboard, line: Line) -> BoardLine:
    order, standing = board.order, line.standing
    own = board.own is not None and standing.user_id == board.own.standing.user_id
    distance = _find_distance(board) if own else 0
    games = _count_games(order, line)
    details = [(kind, str(number)) for kind, number in chips_of(standing).items()] if order is Order.CHIPS else []
    return BoardLine(
        line.place,
        drawn_name(standing.name),
        _figure_text(order, line),
        (*details, (None, str(games))) if games else tuple(details),
        own,
        f"−{_format_value(order, distance)}" if distance else "",
    )


def _line_sentence(order: Order, line: Line) -> str:
    games = _count_games(order, line)
    details = [games_words(games)] if games else []
    if order is Order.CHIPS:
        details = [chips_won(kind, number) for kind, number in chips_of(line.standing).items()]
    figure = _figure_text(order, line) + (f" ({', '.join(details)})" if details else "")
    return f"{line.place}. {labelled(clean_name(line.standing.name), figure)}."


def _own_sentence(board: Leaderboard, name: str) -> str | None:
    """Return how far the user who asks is behind the next player, or that they have no rank; None for the first."""
    order, own, ahead = board.order, board.own, board.ahead
    if own is None:
        return _("{player} has not finished a game in this period.").format(player=name)
    name = escape_name(own.standing.name)
    if own.place is None:
        unranked = _("{player} has no rank yet.").format(player=name)
        counted = {
            Order.RATING: _("Different opponents so far: {progress}."),
            Order.WIN_RATE: _("Rated games so far: {progress}."),
            Order.LOSS: _("Decisions so far: {progress}."),
        }.get(order)
        return unranked if counted is None else f"{unranked} {counted.format(progress=_figure_text(order, own))}"
    if ahead is None:
        return None
    distance = _find_distance(board)
    text = _("{player} is {distance} behind {ahead}.") if distance else _("{player} is just behind {ahead}.")
    words = _format_value(order, distance)
    if order is Order.WINS:
        words = wins_words(round(distance))
    elif order not in (Order.WIN_RATE, Order.LOSS):
        words = points_words(round(distance))
    return text.format(player=name, ahead=escape_name(ahead.standing.name), distance=words)


def _find_distance(board: Leaderboard) -> float:
    """Return how far the user who asks is behind the player just ahead, computed from the rounded figures.

    0 if the rounded figures are the same, or if nobody is ahead.
    """
    own, ahead = (None if line is None else _shown_value(board.order, line) for line in (board.own, board.ahead))
    return 0 if own is None or ahead is None else abs(ahead - own)


def _shown_value(order: Order, line: Line) -> float | None:
    """Return the value by which a line is ranked, rounded as it is shown; None without a rank."""
    value = None if line.place is None else order.read_value(line.standing)
    if value is None:
        return None
    return shown_rating(value) if order is Order.RATING else round(value, 2 if order is Order.WIN_RATE else 3)


def _format_value(order: Order, value: float) -> str:
    if order is Order.WIN_RATE:
        return format_percentage(value)
    return format_number(value, 3) if order is Order.LOSS else format_signed(round(value))


def _figure_text(order: Order, line: Line) -> str:
    """Return the figure of a line or, for a player without a rank, their progress towards one, such as "2/5"."""
    value, standing = _shown_value(order, line), line.standing
    if value is not None:
        return _format_value(order, value)
    return {
        Order.RATING: f"{standing.opponents}/{RANKED_OPPONENTS}",
        Order.WIN_RATE: f"{standing.rated}/{RANKED_GAMES}",
        Order.LOSS: f"{standing.decisions}/{RANKED_DECISIONS}",
    }.get(order, "–")


def _count_games(order: Order, line: Line) -> int:
    """Return the number of games behind a figure; 0 if it is not shown."""
    if line.place is None or order in (Order.CHIPS, Order.BEST):
        return 0
    return line.standing.reviewed if order is Order.LOSS else line.standing.rated


def render_hall_of_fame(hall: HallOfFame, user_id: int, cups: Sequence[Cup] = ()) -> Rendered:
    """Show a page of the best results ever. The first page also lists the winners of the newest cups."""
    won = winner_lines([cup for cup in cups if any(entrant.won for entrant in cup.entrants)][:MOST_CUPS])
    embed = make_embed(
        "🏅 " + _("Hall of fame"),
        *(map(_fame_lines, hall.lines) if hall.lines else [_("No game has been finished here yet.")]),
        colour=GOLD if hall.lines else QUIET,
        fields=[(_("Cups"), "\n".join(won))] if won and hall.page == 0 else (),
        footer=_("Turns in which the house made a decision do not count."),
    )
    here = LeaderboardPress(FAME, ALL_TIME, hall.page, user_id)
    return Rendered([embed], buttons=_page_buttons(here, more=hall.has_more))


def podium_embed(season: str, lines: Sequence[Line]) -> discord.Embed:
    title = f"🏆 {_('The season is over:')} {period_name(season)}"
    ranked = (_podium_line(line) for line in lines)
    return make_embed(title, f"**{order_name(Order.RATING)}**", *ranked, colour=GOLD)


def _fame_lines(line: Fame) -> str:
    when = format_dt(line.record.at, "d")
    return f"**{format_signed(line.record.result)}** · {card_name(line.card)}\n-# {stored_name(line.name)} · {when}"


def _podium_line(line: Line) -> str:
    mark = "" if line.place is None else MEDALS[line.place - 1]
    games = games_words(line.standing.rated)
    return f"{mark} {escape_name(line.standing.name)} **{_figure_text(Order.RATING, line)}** · {games}"


def _page_buttons(here: LeaderboardPress, *, more: bool) -> list[ActionItem]:
    return page_buttons(
        replace(here, page=here.page - 1) if here.page else None, replace(here, page=here.page + 1) if more else None
    )

"""Leaderboards, the hall of fame and the podium of a season. Lines are short: most people read them on a phone."""

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord.utils import format_dt

from bot.domain.calendar import ALL_TIME, last_day
from bot.domain.cup import Cup
from bot.domain.leaderboard import Fame, HallOfFame, Leaderboard, Line, Order
from bot.domain.ledger import RANKED_DECISIONS, RANKED_GAMES, PlayerStanding, chips_of
from bot.domain.rating import RANKED_OPPONENTS, shown_rating
from bot.locales import _, current_language, format_number, format_percentage, ngettext
from bot.locales.catalogues import format_skeleton
from bot.ui.buttons import FAME, ActionItem, LeaderboardPress, page_buttons
from bot.ui.cup import winner_lines
from bot.ui.message import GOLD, QUIET, Rendered, make_embed
from bot.ui.text import MEDALS, escape_name, format_signed, former_player_name
from bot.ui.words import card_name, chip_counts

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


def render_leaderboard(board: Leaderboard, user_id: int) -> Rendered:
    lines: list[str | None] = [_ranked_line(board.order, line) for line in board.lines]
    if not lines:
        lines = [_("Nobody has a rank here.")]
    if board.own is None:
        lines += ["", _("You have no finished game in this period.")]
    elif board.own not in board.lines:
        lines += ["", _("You:") + " " + _ranked_line(board.order, board.own)]
    period = period_name(board.period)
    embed = make_embed(
        "🏆 " + order_name(board.order),
        f"**{period[:1].upper()}{period[1:]}**",
        *lines,
        colour=GOLD if board.lines else QUIET,
        footer=_footer_sentences(board.order),
    )
    here = LeaderboardPress(board.order.value, board.period, board.page, user_id)
    return Rendered([embed], buttons=_page_buttons(here, more=board.has_more))


def render_hall_of_fame(hall: HallOfFame, user_id: int, cups: Sequence[Cup] = ()) -> Rendered:
    """Show a page of the best results ever. The first page also lists the winners of the newest cups."""
    won = winner_lines([cup for cup in cups if any(entrant.won for entrant in cup.entrants)][:MOST_CUPS])
    embed = make_embed(
        "🏅 " + _("Hall of fame"),
        *(map(_fame_lines, hall.lines) if hall.lines else [_("No game has been finished here yet.")]),
        colour=GOLD if hall.lines else QUIET,
        fields=[(_("Cups"), "\n".join(won))] if won and hall.page == 0 else (),
        footer=_("Turns in which the house decided anything do not count."),
    )
    here = LeaderboardPress(FAME, ALL_TIME, hall.page, user_id)
    return Rendered([embed], buttons=_page_buttons(here, more=hall.has_more))


def podium_embed(season: str, lines: Sequence[Line]) -> discord.Embed:
    title = f"🏆 {_('The season is over:')} {period_name(season)}"
    ranked = (_ranked_line(Order.RATING, line) for line in lines)
    return make_embed(title, f"**{order_name(Order.RATING)}**", *ranked, colour=GOLD)


def _fame_lines(line: Fame) -> str:
    name = former_player_name() if line.name is None else escape_name(line.name)
    when = format_dt(line.record.at, "d")
    return f"**{format_signed(line.record.result)}** · {card_name(line.card)}\n-# {name} · {when}"


def _ranked_line(order: Order, line: Line) -> str:
    place = "–" if line.place is None else f"{line.place}."
    mark = MEDALS[line.place - 1] if line.place is not None and line.place <= len(MEDALS) else f"`{place}`"
    figures = _figure_words(order, line.standing, ranked=line.place is not None)
    return f"{mark} {escape_name(line.standing.name)} {figures}"


def _figure_words(order: Order, line: PlayerStanding, *, ranked: bool) -> str:
    match order:
        case Order.RATING:
            if line.rating is None or not ranked:
                return _unranked_words(line.opponents, RANKED_OPPONENTS)
            return f"**{shown_rating(line.rating)}** · {_games_words(line.rated)}"
        case Order.WINS:
            return f"**{line.wins}** · {_games_words(line.rated)}"
        case Order.WIN_RATE:
            if line.win_rate is None:
                return _unranked_words(line.rated, RANKED_GAMES)
            return f"**{format_percentage(line.win_rate)}** · {_games_words(line.rated)}"
        case Order.CHIPS:
            return f"**{line.points}**{chip_counts(chips_of(line))}"
        case Order.BEST:
            return "–" if line.best is None else f"**{format_signed(line.best)}**"
        case Order.LOSS:
            if line.loss_rate is None:
                return _unranked_words(line.decisions, RANKED_DECISIONS)
            return f"**{format_number(line.loss_rate, 3)}** · {_games_words(line.reviewed)}"


def _unranked_words(number: int, needed: int) -> str:
    """Return how much of what a rank requires the player has. The footer of the page says what is counted."""
    return "· " + _("No rank yet: {number} of {needed}").format(number=number, needed=needed)


def _games_words(number: int) -> str:
    return ngettext("{number} game", "{number} games", number).format(number=number)


def _footer_sentences(order: Order) -> str:
    rated = _("Rated: games that two people begin. Wins and chips count for players with four turns of their own.")
    rate = _("Rated games needed for a rank: {number}.")
    loss = _("Chip points given away, less is better. Decisions needed for a rank: {number}.")
    if order is Order.LOSS:
        return loss.format(number=RANKED_DECISIONS)
    if order is Order.BEST:
        return _("Turns in which the house decided anything do not count.")
    met = _("Different opponents needed for a rank: {number}, or everybody who plays here.")
    more = {
        Order.RATING: met.format(number=RANKED_OPPONENTS),
        Order.WIN_RATE: rate.format(number=RANKED_GAMES),
    }
    return " ".join(filter(None, (rated, more.get(order))))


def _page_buttons(here: LeaderboardPress, *, more: bool) -> list[ActionItem]:
    return page_buttons(
        replace(here, page=here.page - 1) if here.page else None, replace(here, page=here.page + 1) if more else None
    )

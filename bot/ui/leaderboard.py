"""Leaderboards, the hall of fame and the podium of a season. Short lines: most people read them on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from babel.dates import format_skeleton

from bot.domain.leaderboard import HallOfFame, Leaderboard, Line, Order
from bot.domain.ledger import RANKED_DECISIONS, RANKED_GAMES, PlayerStanding
from bot.domain.rating import shown as shown_rating
from bot.domain.season import ALL_TIME, last_day
from bot.locales import _, current, ngettext
from bot.locales.numbers import decimal, percentage
from bot.ui.buttons import ActionItem, BoardPage, button
from bot.ui.marks import CHIPS
from bot.ui.style import GOLD, QUIET
from bot.ui.text import plain, signed
from bot.ui.words import card_name
from highscore.track import Chip

MEDALS = (CHIPS[Chip.GOLD], CHIPS[Chip.SILVER], CHIPS[Chip.BRONZE])


def order_name(order: Order) -> str:
    """What people are ranked by, in words."""
    names = {
        Order.RATING: _("Rating"),
        Order.WINS: _("Wins"),
        Order.WIN_RATE: _("Games won, in per cent"),
        Order.CHIPS: _("Points from chips"),
        Order.BEST: _("Best result"),
        Order.LOSS: _("Points lost per decision"),
    }
    return names[order]


def period_name(period: str) -> str:
    """A period in words."""
    if period == ALL_TIME:
        return _("all time")
    year, _dash, part = period.partition("-")
    match part[:1]:
        case "":
            return year
        case "Q":
            return _("quarter {number} of {year}").format(number=part[1], year=year)
        case "H":
            text = _("first half of {year}") if part == "H1" else _("second half of {year}")
            return text.format(year=year)
        case _:
            return format_skeleton("yMMMM", last_day(period), locale=current())


def leaderboard_embed(board: Leaderboard) -> discord.Embed:
    """A page of a leaderboard."""
    shown = discord.Embed(title="🏆 " + order_name(board.order), colour=GOLD if board.lines else QUIET)
    lines = [_line(board.order, line) for line in board.lines]
    if not lines:
        lines = [_("Nobody is here.") if board.page else _("Nobody is ranked here yet.")]
    if board.own is None:
        lines += ["", _("You have not finished a game in this period.")]
    elif board.own not in board.lines:
        lines += ["", _("You:") + " " + _line(board.order, board.own)]
    shown.description = f"**{_capital(period_name(board.period))}**\n" + "\n".join(lines)
    shown.set_footer(text="\n".join(_notes(board)))
    return shown


def leaderboard_buttons(board: Leaderboard, user_id: int) -> list[ActionItem]:
    """To the pages before and after."""
    return _buttons(BoardPage(board.order, board.period, board.page, user_id), more=board.more)


def fame_embed(hall: HallOfFame) -> discord.Embed:
    """A page of the best results ever."""
    shown = discord.Embed(title="🏅 " + _("Hall of fame"), colour=GOLD if hall.lines else QUIET)
    lines = []
    for line in hall.lines:
        name = _("a former player") if line.name is None else plain(line.name)
        when = f"<t:{int(line.record.at.timestamp())}:d>"
        lines.append(f"**{signed(line.record.result)}** · {card_name(line.card)}\n-# {name} · {when}")
    shown.description = "\n".join(lines) or _("No game has been finished here yet.")
    notes = [_("The best result ever on each card. Turns in which the house decided anything do not count.")]
    shown.set_footer(text="\n".join([*notes, *_page_note(hall.page, hall.more)]))
    return shown


def fame_buttons(hall: HallOfFame, user_id: int) -> list[ActionItem]:
    """To the pages before and after."""
    return _buttons(BoardPage(None, ALL_TIME, hall.page, user_id), more=hall.more)


def podium_embed(season: str, order: Order, lines: Sequence[Line]) -> discord.Embed:
    """What a server is told when a season is over."""
    title = "🏆 " + _("The season is over: {season}").format(season=period_name(season))
    shown = discord.Embed(title=title, colour=GOLD)
    shown.description = f"**{order_name(order)}**\n" + "\n".join(_line(order, line) for line in lines)
    shown.set_footer(text=_("The new season has begun, and everybody starts from the beginning."))
    return shown


def _line(order: Order, line: Line) -> str:
    place = "–" if line.place is None else f"{line.place}."
    mark = MEDALS[line.place - 1] if line.place is not None and line.place <= len(MEDALS) else f"`{place}`"
    return f"{mark} {plain(line.standing.name)} {_figures(order, line.standing)}"


def _figures(order: Order, line: PlayerStanding) -> str:
    match order:
        case Order.RATING:
            if line.rating is None:
                return "· " + _("not rated yet: that takes a game with another person")
            return f"**{shown_rating(line.rating)}** · {_games(line.rated)}"
        case Order.WINS:
            return f"**{line.wins}** · {_games(line.games)}"
        case Order.WIN_RATE:
            if line.win_rate is None:
                return "· " + _("{number} of {needed} games needed").format(number=line.games, needed=RANKED_GAMES)
            return f"**{percentage(line.win_rate)}** · {_games(line.games)}"
        case Order.CHIPS:
            won = ((Chip.GOLD, line.gold), (Chip.SILVER, line.silver), (Chip.BRONZE, line.bronze))
            chips = " ".join(f"{CHIPS[chip]}×{count}" for chip, count in won if count)
            return f"**{line.points}**" + (f" · {chips}" if chips else "")
        case Order.BEST:
            return "· " + _("no turn of their own") if line.best is None else f"**{signed(line.best)}**"
        case Order.LOSS:
            if line.loss_rate is None:
                text = _("{number} of {needed} decisions needed")
                return "· " + text.format(number=line.decisions, needed=RANKED_DECISIONS)
            return f"**{decimal(line.loss_rate, 3)}** · {_games(line.reviewed)}"


def _games(number: int) -> str:
    return ngettext("{number} game", "{number} games", number).format(number=number)


def _notes(board: Leaderboard) -> list[str]:
    notes = []
    match board.order:
        case Order.RATING:
            notes.append(_("Games with only one person are counted, but not rated. House players are left out."))
        case Order.WIN_RATE:
            text = _("From {number} games on; shared victories count. House players are left out.")
            notes.append(text.format(number=RANKED_GAMES))
        case Order.WINS:
            notes.append(_("Shared victories count. House players are left out."))
        case Order.LOSS:
            text = _("Chip points given away, less is better; from {number} decisions on. A game counts when reviewed.")
            notes.append(text.format(number=RANKED_DECISIONS))
        case Order.BEST:
            notes.append(_("Turns in which the house decided anything do not count."))
        case Order.CHIPS:
            notes.append(_("House players are left out."))
    return notes + _page_note(board.page, board.more)


def _page_note(page: int, more: bool) -> list[str]:
    return [_("Page {number}").format(number=page + 1)] if page or more else []


def _buttons(here: BoardPage, *, more: bool) -> list[ActionItem]:
    found = []
    if here.page:
        found.append(button(replace(here, page=here.page - 1), _("Back"), emoji="◀️"))
    if more:
        found.append(button(replace(here, page=here.page + 1), _("Next"), emoji="▶️"))
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

"""Reminders, deadlines and news in words."""

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta

from discord.utils import format_dt

from bot.domain.deadlines import PAUSED_DAYS
from bot.domain.notify import does_page_call
from bot.domain.run import waits_only_for_unbegun
from bot.domain.table import Table
from bot.domain.timing import News, NewsKind
from bot.locales import _, speaking_in
from bot.ui.invitations import kept_until_words
from bot.ui.names import former_player_name, host_name, mention_words, player_name, table_link
from bot.ui.text import HOUSE
from highscore.turn_order import TurnOrder


def reminder_text(table: Table, user_ids: Sequence[int]) -> str:
    """Return a reminder for these people, or in a direct message for its reader."""
    with speaking_in(table.locale):
        until = table.timing.deadline
        text = _("a friendly reminder: the dice are waiting at {link}.").format(link=table_link(table))
        if until is not None and table.turn_order is TurnOrder.OWN_PACE:
            text += " " + _("The game ends {when}.").format(when=format_dt(until, "R"))
            if waits_only_for_unbegun(table):
                text += " " + _("The others are done and may end it sooner.")
        elif until is not None:
            text += " " + _("If anybody is waiting, the house plays {when}.").format(when=format_dt(until, "R"))
        return "⏰ " + _address_sentence(user_ids, text)


def _address_sentence(user_ids: Iterable[int], text: str) -> str:
    """Put names before a sentence; in a direct message, without any, the sentence begins with a capital."""
    names = mention_words(user_ids)
    return f"{names}, {text}" if names else text[:1].upper() + text[1:]


def call_text(table: Table, user_ids: Sequence[int], *, begun: bool = False) -> str:
    """Return the call to these people, or in a direct message to its reader, where the table's page did not call.

    ``begun`` tells people whose turn it is not that the game has begun.
    """
    with speaking_in(table.locale):
        game = table.game
        if game is None and does_page_call(table):
            text = _("a rematch! **Join** takes the seat kept for you: {link}")
        elif game is None:
            text = _("{player} invites you to a game. Until {when}, **Join** takes the seat kept for you: {link}")
        elif not table.status.open:
            text = _("the game at {link} is over.")
        elif begun or not game.turn_order.shared:
            text = _("the game at {link} has begun.")
        elif game.turn_order is TurnOrder.OPEN:
            text = _("there is a turn to play in this round, at {link}.")
        else:
            text = _("it is your turn at {link}.")
        text = text.format(link=table_link(table), player=host_name(table), when=kept_until_words(table))
        return "🎲 " + _address_sentence(user_ids, text)


def paused_text(table: Table) -> str:
    """Tell the host that the game is paused, and when it will be closed."""
    assert table.timing.paused_at is not None, f"table {table.id} is not paused"
    until = table.timing.paused_at + timedelta(days=PAUSED_DAYS)
    with speaking_in(table.locale):
        text = _(
            "Your High Score game at {link} is paused, as the bot may not post there. It goes on once the bot may,"
            " and will be closed {when} otherwise."
        )
        return text.format(link=table_link(table), when=format_dt(until, "R"))


def away_words(table: Table, at: int) -> str:
    """Return until when somebody is away, to stand behind their name; empty for everybody else."""
    seat = table.seats[at]
    if seat.away_until is None or seat.left:
        return ""
    return " · 💤 " + _("away until {day}").format(day=format_dt(seat.away_until, "D"))


def away_lines(table: Table) -> list[str]:
    """Return a line for each who is away from a table with shared dice, or was before this round and stays away."""
    until = _("{player} is away until {day}; the house plays for them where somebody is waiting.")
    kept = _("{player} is away; the house plays for them until they press **I'm back**.")
    lines = []
    for at, seat in enumerate(table.seats):
        name = player_name(table, at, marked=False)
        if seat.present and seat.away_until is not None:
            lines.append("💤 " + until.format(player=name, day=format_dt(seat.away_until, "D")))
        elif seat.present and seat.house is not None:
            lines.append("💤 " + kept.format(player=name))
    earlier = [news for news in table.news if news.kind in GONE and not _is_on_page(table, news)]
    return [*lines, *(f"-# {HOUSE} {_news_sentence(table, news)}" for news in earlier)]


def deadline_line(table: Table) -> str | None:
    """Return until when the player, or in open order everybody, has time; None where nobody waits for it (R9.3)."""
    timing, until = table.timing, table.timing.hold_deadline or table.timing.deadline
    if timing.paused_at is not None:
        return "⏸️ " + _("Paused: the bot may not post here. The clock has stopped.")
    if timing.asleep_until is not None:
        text = _("The table closes {when}.")
        if table.people:
            text = _("Nobody is waiting, so the table is asleep. Any player's press wakes it; else it closes {when}.")
        return "💤 " + text.format(when=format_dt(timing.asleep_until, "R"))
    if table.game is None:
        text = _("The table closes {when}.")
    elif table.turn_order.shared and len(table.people) < 2:
        return None
    elif table.turn_order is TurnOrder.OPEN and timing.hold_deadline is None:
        text = _("The round ends {when}.")
    elif table.turn_order is TurnOrder.OWN_PACE:
        text = _("The game ends {when}.")
    else:
        text = _("The turn ends {when}.")
    return None if until is None else "⏳ " + text.format(when=format_dt(until, "R"))


CANCELLED = (NewsKind.CANCELLED, NewsKind.CANCELLED_BY_ALL, NewsKind.CANCELLED_BY_MODERATOR)
GONE = (NewsKind.LEFT, NewsKind.KICKED, NewsKind.GONE)
"""The news that a seat is the house's for good: news in its round and in the record of it, small print after."""


def news_lines(table: Table, *kinds: NewsKind, of: int | None = None, since: int | None = None) -> list[str]:
    """Return the news of people at the table, of these kinds or of all: since the last page, of a round, or since.

    Records, badges and how a game was won are told where a round or the game ends.
    """
    told = [news for news in table.news if not kinds or news.kind in kinds]
    if since is not None:
        told = [news for news in told if news.at > since]
    else:
        told = [news for news in told if (_is_on_page(table, news) if of is None else news.round == of)]
    return ["📣 " + text for news in told if (text := _news_sentence(table, news))]


def _is_on_page(table: Table, news: News) -> bool:
    """Return whether news belong on the page that a table is on. In own pace one page is for the whole game."""
    game = table.game
    return news.round is None or game is None or not game.turn_order.shared or news.round == game.round


def _news_sentence(table: Table, news: News) -> str:
    """Return news as a sentence; empty for news that are told elsewhere."""
    texts = {
        NewsKind.LEFT: _("{player} has left the game; the house has taken over."),
        NewsKind.GONE: _("{player} has left the game; the house has taken over."),
        NewsKind.KICKED: _("{player} was removed from the game; the house has taken over."),
        NewsKind.BACK: _("{player} is back."),
        NewsKind.SKIPPED: _("The house played this turn for {player}; the host or a moderator asked for it."),
        NewsKind.KEPT: _("{player} ran out of time; the house played the turn."),
        NewsKind.PLAYED: _("{player} ran out of time; the house played the turn."),
        NewsKind.NEW_HOST: _("{player} is the host now."),
        NewsKind.RESUMED: _("I may post here again, so the game goes on."),
        NewsKind.ENDED: _("{player} ended the game early."),
        NewsKind.CANCELLED: _("{player} cancelled the game."),
        NewsKind.CANCELLED_BY_ALL: _("{player} cancelled the game."),
        NewsKind.CANCELLED_BY_MODERATOR: _("{moderator} cancelled the game as a moderator of this server."),
    }
    text = texts.get(news.kind, "")
    if news.kind in GONE and table.game is not None and news.seat in table.game.left_out:
        text = _("{player} has gone before finishing a card and is left out.")
    # The log names people by their ids; they may have had their data deleted since.
    moderator = mention_words([int(user) for user in re.findall("[0-9]+", news.detail)]) or former_player_name()
    return text.format(player=player_name(table, news.seat, marked=False), moderator=moderator)

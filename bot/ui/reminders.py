"""Reminders, deadlines and news in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bot.domain.pace import Pace
from bot.domain.table import Options, Table
from bot.domain.timing import News, NewsKind
from bot.locales import _, speaking
from bot.ui.links import link_to
from bot.ui.names import player_name
from highscore.game import TurnOrder


def reminder_text(table: Table, user_ids: Iterable[int]) -> str:
    """A reminder for these people, or in a direct message for its reader."""
    with speaking(table.locale):
        names = " ".join(f"<@{user_id}>" for user_id in user_ids)
        until = table.timing.deadline
        text = _("a friendly reminder: your dice are waiting at {link}.").format(link=link_to(table))
        if until is not None:
            text += " " + _("The house plays for you {when}.").format(when=relative(until))
        return f"⏰ {names} {text}" if names else f"⏰ {text}"


def paused_warning(table: Table) -> str:
    """What the host of a paused game is told before it is closed."""
    with speaking(table.locale):
        return _(
            "Your High Score game at {link} stands still because the bot may no longer post there."
            " In two days it will be closed, unless the bot is allowed to post again."
        ).format(link=link_to(table))


def relative(moment: datetime) -> str:
    """A moment that Discord shows as "in 5 minutes", in everybody's own language and time zone."""
    return f"<t:{int(moment.timestamp())}:R>"


def deadline_line(table: Table) -> str | None:
    """Until when the player, or in open order everybody, has time; None when nothing is waited for."""
    timing = table.timing
    if timing.paused_at is not None:
        return "⏸️ " + _("Paused: the bot may not post here. The clock stands still.")
    if table.game is None:
        return (
            None
            if timing.deadline is None
            else "⏳ " + _("The table closes {when}.").format(when=relative(timing.deadline))
        )
    if timing.hold_deadline is not None:
        return "⏳ " + _("The dice are held until {when}.").format(when=relative(timing.hold_deadline))
    if timing.deadline is None:
        return None
    if table.turn_order is TurnOrder.OPEN:
        return "⏳ " + _("The round ends {when}.").format(when=relative(timing.deadline))
    return "⏳ " + _("Time until {when}.").format(when=relative(timing.deadline))


def pace_sentence(options: Options, order: TurnOrder) -> str:
    """The pace with its numbers, as people see it before they join."""
    allowed = duration(options.allowed_seconds)
    if order is TurnOrder.CLOCKWISE:
        times = _("{time} for a turn").format(time=allowed)
    else:
        times = _("{time} for a round, {hold} for holding the dice").format(
            time=allowed, hold=duration(options.hold_seconds)
        )
    return f"**{pace_name(options.pace)}**: {times}. " + _("Whoever lets it pass is played for by the house.")


def pace_name(pace: Pace) -> str:
    """A pace by its name."""
    return {Pace.LIVE: _("Live"), Pace.DAY: _("Within a day"), Pace.RELAXED: _("Relaxed")}[pace]


def duration(seconds: int) -> str:
    """A time in hours and minutes."""
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    parts = [(hours, _("{number} h")), (minutes, _("{number} min")), (rest, _("{number} s"))]
    return " ".join(text.format(number=number) for number, text in parts if number)


def news_lines(table: Table) -> list[str]:
    """What happened to people at the table since its last page. A record is told where the round ends."""
    return [_news(table, news) for news in table.news if news.kind is not NewsKind.RECORD]


def _news(table: Table, news: News) -> str:
    name = player_name(table, news.seat)
    match news.kind:
        case NewsKind.LEFT:
            text = _("{player} has left the game; the house plays on for them.")
        case NewsKind.KICKED:
            text = _("{player} was removed from the game; the house plays on for them.")
        case NewsKind.GONE:
            text = _("{player} is no longer on this server; the house plays on for them.")
        case NewsKind.KEPT:
            text = _("{player} is away; the house keeps the seat until they press I'm back.")
        case NewsKind.BACK:
            text = _("{player} is back.")
        case NewsKind.SKIPPED:
            text = _("The house played this turn for {player}, as asked by the host or a moderator.")
        case NewsKind.PLAYED:
            text = _("{player} was out of time; the house played the turn.")
        case NewsKind.NEW_HOST:
            text = _("{player} is the host now.")
        case NewsKind.RECORD:
            text = _("{player} has set a record.")
    return "📣 " + text.format(player=name)

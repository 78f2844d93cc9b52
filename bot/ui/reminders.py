"""Reminders, deadlines and news in words."""

from collections.abc import Iterable
from datetime import datetime

from bot.domain.pace import Pace
from bot.domain.table import Options, Table
from bot.domain.timing import NewsKind
from bot.locales import _, speaking
from bot.ui.names import link_to, name_in_news
from highscore.turn_order import TurnOrder


def reminder_text(table: Table, user_ids: Iterable[int]) -> str:
    """A reminder for these people, or in a direct message for its reader."""
    with speaking(table.locale):
        names = " ".join(f"<@{user_id}>" for user_id in user_ids)
        until = table.timing.deadline
        text = _("a friendly reminder: your dice are waiting at {link}.").format(link=link_to(table))
        if until is not None:
            text += " " + _("If anybody is waiting, the house plays for you {when}.").format(when=relative(until))
        return f"⏰ {names} {text}" if names else f"⏰ {text}"


def paused_warning(table: Table) -> str:
    """What the host of a paused game is told: that it stands still, and much later that it will be closed."""
    with speaking(table.locale):
        text = _("Your High Score game at {link} is paused because the bot may no longer post there.")
        follows = (
            _("It goes on as soon as the bot is allowed to post again.")
            if table.timing.warnings < 2
            else _("It will be closed in two days unless the bot is allowed to post again.")
        )
        return f"{text.format(link=link_to(table))} {follows}"


def relative(moment: datetime) -> str:
    """A moment that Discord shows as "in 5 minutes", in everybody's own language and time zone."""
    return f"<t:{int(moment.timestamp())}:R>"


def deadline_line(table: Table) -> str | None:
    """Until when the player, or in open order everybody, has time; None when nothing is waited for."""
    timing, until = table.timing, table.timing.deadline
    if timing.paused_at is not None:
        return "⏸️ " + _("Paused: the bot may not post here. The clock has stopped.")
    if timing.asleep_until is not None:
        text = _(
            "The table is asleep, as nobody is waiting. Any player's press wakes it; without one it closes {when}."
        )
        return "💤 " + text.format(when=relative(timing.asleep_until))
    if table.game is None:
        text = _("The table closes {when}.")
    elif timing.hold_deadline is not None:
        text, until = _("The turn ends {when}."), timing.hold_deadline
    elif table.turn_order is TurnOrder.OPEN:
        text = _("The round ends {when}.")
    elif table.turn_order is TurnOrder.OWN_PACE:
        text = _("The game ends {when}.")
    else:
        text = _("The turn ends {when}.")
    return None if until is None else "⏳ " + text.format(when=relative(until))


def pace_sentence(options: Options, order: TurnOrder) -> str:
    """The pace with its numbers, as people see it before they join."""
    allowed = duration(options.allowed_seconds)
    match order:
        case TurnOrder.CLOCKWISE:
            times = _("{time} for a turn").format(time=allowed)
        case TurnOrder.OPEN:
            times = _("{time} for a round, {hold} once you hold the dice")
            times = times.format(time=allowed, hold=duration(options.hold_seconds))
        case TurnOrder.OWN_PACE:
            late = _("After that the house finishes for those who have begun; the others are left out.")
            return f"**{pace_name(options.pace)}**: " + _("{time} for the game.").format(time=allowed) + f" {late}"
    return f"**{pace_name(options.pace)}**: {times}. " + _("When time is up and somebody is waiting, the house plays.")


def pace_name(pace: Pace) -> str:
    """A pace by its name."""
    return {Pace.LIVE: _("Live"), Pace.DAY: _("Within a day"), Pace.RELAXED: _("Relaxed")}[pace]


def duration(seconds: int) -> str:
    """A time in hours and minutes."""
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    parts = [(hours, _("{number} h")), (minutes, _("{number} min")), (rest, _("{number} s"))]
    return " ".join(text.format(number=number) for number, text in parts if number)


CANCELLED = (NewsKind.CANCELLED, NewsKind.CANCELLED_BY_MODERATOR)


def news_lines(table: Table, *kinds: NewsKind) -> list[str]:
    """What happened to people at the table since its last page, of these kinds or of all.

    Records are named where the round ends.
    """
    texts = {
        NewsKind.LEFT: _("{player} has left the game; the house plays on for them."),
        NewsKind.KICKED: _("{player} was removed from the game; the house plays on for them."),
        NewsKind.GONE: _("{player} is no longer on this server; the house plays on for them."),
        NewsKind.KEPT: _("{player} is away; the house plays for them until they press **I'm back**."),
        NewsKind.BACK: _("{player} is back."),
        NewsKind.SKIPPED: _("The house played this turn for {player}; the host or a moderator asked for it."),
        NewsKind.PLAYED: _("{player} ran out of time; the house played the turn."),
        NewsKind.NEW_HOST: _("{player} is the host now."),
        NewsKind.RESUMED: _("I may post here again, so the game goes on."),
        NewsKind.CANCELLED: _("{player} cancelled the game."),
        NewsKind.CANCELLED_BY_MODERATOR: _("A moderator cancelled the game."),
    }
    told = [news for news in table.news if news.kind in (kinds or set(NewsKind) - {NewsKind.RECORD})]
    return ["📣 " + texts[news.kind].format(player=name_in_news(table, news.seat)) for news in told]

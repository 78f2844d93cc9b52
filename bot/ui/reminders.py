"""The texts of pings, reminders, invitations, absences, deadlines and news."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import discord
from discord.utils import format_dt

from bot.domain.deadlines import PAUSED_DAYS
from bot.domain.notify import Wishes, does_screen_call
from bot.domain.table import Table, waits_only_for_unbegun
from bot.domain.timing import News, NewsKind
from bot.locales import _, format_list, ngettext, speaking_in
from bot.ui.buttons import AwayPress, button, make_link_view
from bot.ui.message import Rendered
from bot.ui.text import HOUSE, address_sentence, former_player_name, host_name, mention_words, player_name, table_link
from highscore.turn_order import TurnOrder


def reminder_text(table: Table, user_ids: Sequence[int]) -> str:
    """Return a reminder that mentions these users. For a direct message ``user_ids`` is empty."""
    with speaking_in(table.locale):
        until = table.timing.deadline
        sentences = [_("A friendly reminder, the dice are waiting: {link}").format(link=table_link(table))]
        if until is not None:
            if table.turn_order is not TurnOrder.OWN_PACE:
                sentences.append(_("When the time is up, the house plays if somebody is waiting."))
            elif waits_only_for_unbegun(table):
                sentences.append(_("The others have finished and can end the game early."))
            sentences.append(_end_words(table, until))
        return "⏰ " + address_sentence(user_ids, " ".join(sentences))


def ping_text(table: Table, user_ids: Sequence[int], *, begun: bool = False) -> str:
    """Return the text of a ping in a message of its own, for users whom the table's screen did not ping.

    For a direct message ``user_ids`` is empty. Set ``begun`` for players who do not have to play yet: during the game,
    the text then says that the game has started, instead of asking them to play.
    """
    with speaking_in(table.locale):
        game = table.game
        if game is None and does_screen_call(table):
            text = _("There's a rematch! Press **Join** to take your reserved seat: {link}")
        elif game is None:
            text = _(
                "{player} invites you to a game. Your seat is reserved until {when}. Press **Join** to take it: {link}"
            )
        elif not table.status.open:
            text = _("The game is over: {link}")
        elif begun or not game.turn_order.shared:
            text = _("The game has started: {link}")
        elif game.turn_order is TurnOrder.OPEN:
            text = _("You still have a turn to play in this round: {link}")
        else:
            text = _("It is your turn: {link}")
        text = text.format(link=table_link(table), player=host_name(table), when=_reserved_until_words(table))
        return "🎲 " + address_sentence(user_ids, text)


def make_table_link(table: Table) -> discord.ui.View:
    """Make the link button below a ping or reminder. On a phone, it is easier to press than the link in the text."""
    with speaking_in(table.locale):
        return make_link_view(_("Go to the table"), table_link(table))


def paused_text(table: Table) -> str:
    assert table.timing.paused_at is not None, f"table {table.id} is not paused"
    until = table.timing.paused_at + timedelta(days=PAUSED_DAYS)
    with speaking_in(table.locale):
        text = _(
            "Your High Score game is paused because Discord doesn't let me post there: {link} Check my"
            " permissions, or mention me if it is a private thread. The game goes on when I can post again."
            " Otherwise it will be closed."
        )
        return f"{text.format(link=table_link(table))} {_closing_words(until)}"


def away_words(table: Table, at: int) -> str:
    """Return until when a player is away, to be written after their name; empty for everybody else."""
    seat = table.seats[at]
    if seat.away_until is None or seat.left:
        return ""
    return " · 💤 " + _("Away until {day}").format(day=format_dt(seat.away_until, "D"))


def away_lines(table: Table) -> list[str]:
    """Return a line for each player at a table with shared dice who is away or whose seat the house plays.

    Players who left in an earlier round follow in small print.
    """
    until = _("{player} is away until {day}. The house plays for them if somebody is waiting.")
    kept = _("{player} is away. The house plays for them until they press **I'm back**.")
    lines = []
    for at, seat in enumerate(table.seats):
        name = player_name(table, at, marked=False)
        if seat.present and seat.away_until is not None:
            lines.append("💤 " + until.format(player=name, day=format_dt(seat.away_until, "D")))
        elif seat.present and seat.house is not None:
            lines.append("💤 " + kept.format(player=name))
    earlier = [news for news in table.news if news.kind in LEFT_FOR_GOOD and not _is_on_screen(table, news)]
    return [*lines, *(f"-# {HOUSE} {_news_sentence(table, news)}" for news in earlier)]


def deadline_line(table: Table) -> str | None:
    """Return when the turn, round, game or lobby ends, or that the table is paused or asleep.

    None without a deadline, and in a shared game with fewer than two people, because nobody waits for them (R9.3).
    """
    timing, until = table.timing, table.timing.hold_deadline or table.timing.deadline
    if timing.paused_at is not None:
        return "⏸️ " + _("Paused, because I'm not allowed to post here. The clock has stopped.")
    if timing.asleep_until is not None:
        text = _("Nobody is waiting, so the table is asleep. Any player can wake it by pressing a button.")
        return " ".join(("💤", *([text] if table.people else []), _closing_words(timing.asleep_until)))
    if table.game is not None and table.turn_order.shared and len(table.people) < 2:
        return None
    return None if until is None else f"⏳ {_end_words(table, until)}"


def _end_words(table: Table, until: datetime) -> str:
    """Return what ends and when. The words stay true after that time, which Discord then shows as past."""
    if table.game is None:
        return _closing_words(until)
    if table.turn_order is TurnOrder.OPEN and table.timing.hold_deadline is None:
        text = _("End of the round: {when}")
    elif table.turn_order is TurnOrder.OWN_PACE:
        text = _("End of the game: {when}")
    else:
        text = _("End of the turn: {when}")
    return text.format(when=format_dt(until, "R"))


def _closing_words(until: datetime) -> str:
    return _("Closing time: {when}").format(when=format_dt(until, "R"))


CANCELLED = (NewsKind.CANCELLED, NewsKind.CANCELLED_BY_MODERATOR)
LEFT_FOR_GOOD = (NewsKind.LEFT, NewsKind.KICKED, NewsKind.GONE)
"""The news of players who left for good. Their round and its record show them as news, later rounds in small print."""


def news_lines(table: Table, *kinds: NewsKind, of: int | None = None) -> list[str]:
    """Return the news of the current round (in own pace, of the game), or of round ``of``.

    With ``kinds``, return only news of these kinds. Records, badges and the way in which a game was won are left out,
    because they are shown at the end of a round or of the game.
    """
    chosen = [news for news in table.news if not kinds or news.kind in kinds]
    chosen = [news for news in chosen if (_is_on_screen(table, news) if of is None else news.round == of)]
    return ["📣 " + text for news in chosen if (text := _news_sentence(table, news))]


def _is_on_screen(table: Table, news: News) -> bool:
    """Return whether news belongs to the current round.

    True for all news in own pace, where one screen is for the whole game, and for news that belongs to no round.
    """
    game = table.game
    return news.round is None or game is None or not game.turn_order.shared or news.round == game.round


def _news_sentence(table: Table, news: News) -> str:
    """Return news as a sentence; empty for kinds of news that are shown elsewhere."""
    texts = {
        NewsKind.LEFT: _("{player} has left the game. The house takes over."),
        NewsKind.GONE: _("{player} has left the game. The house takes over."),
        NewsKind.KICKED: _("{player} was removed from the game. The house takes over."),
        NewsKind.BACK: _("{player} is back."),
        NewsKind.SKIPPED: _("The host or a moderator skipped {player}'s turn. The house plays it."),
        NewsKind.PLAYED: _("{player}'s time is up, so the house plays this turn."),
        NewsKind.NEW_HOST: _("New host: {player}"),
        NewsKind.RESUMED: _("I can post here again, so the game goes on."),
        NewsKind.ENDED: _("{player} ended the game early."),
        NewsKind.CANCELLED: _("{player} cancelled the game."),
        NewsKind.CANCELLED_BY_MODERATOR: _("{moderator} cancelled the game as a moderator of this server."),
    }
    text = texts.get(news.kind, "")
    if news.kind in LEFT_FOR_GOOD and table.game is not None and news.seat in table.game.left_out:
        text = _("{player} left before starting, so their seat does not count.")
    # The detail names the moderator who cancelled the game by id, unless their data has been deleted since.
    moderator = mention_words([int(user) for user in re.findall("[0-9]+", news.detail)]) or former_player_name()
    return text.format(player=player_name(table, news.seat, marked=False), moderator=moderator)


def reserved_words(table: Table) -> str:
    return _("Seats reserved until {when}").format(when=_reserved_until_words(table))


def _reserved_until_words(table: Table) -> str:
    """Return until when seats are reserved, in each reader's time zone; empty if none are."""
    until = table.timing.seats_reserved_until
    return "" if until is None else format_dt(until, "t")


def players_wanted_text(table: Table, role_id: int) -> str:
    with speaking_in(table.locale):
        free = table.free_seats
        text = ngettext(
            "{role}, we're looking for players! {number} seat is free. Host: {player} {link}",
            "{role}, we're looking for players! {number} seats are free. Host: {player} {link}",
            free,
        )
        sentence = text.format(role=f"<@&{role_id}>", player=host_name(table), number=free, link=table_link(table))
        return f"🎲 {sentence}"


def invitations_line(wishes: Wishes) -> str:
    if wishes.invited:
        return _("Invitations: a ping when somebody reserves a seat for you, at most six times a day")
    return _("Invitations: no ping when somebody reserves a seat for you")


def not_pinged_line(table: Table) -> str:
    """Return the line that says which invited users are not pinged; empty if all are. It gives the host no reason."""
    text = _("I didn't ping {names}. A seat is still reserved for them, so let them know yourself.")
    return text.format(names=format_list(f"<@{user_id}>" for user_id in table.uncalled)) if table.uncalled else ""


def not_invited_line(user_ids: Sequence[int]) -> str:
    """Return the line that says for which users no seat was reserved; empty if one was reserved for all of them."""
    text = _("I couldn't reserve a seat for {names}. You can reserve one seat each for other people on this server.")
    return text.format(names=format_list(f"<@{user_id}>" for user_id in user_ids)) if user_ids else ""


def render_away_notice(until: datetime | None) -> Rendered:
    if until is None:
        return Rendered(
            content=_(
                "You are not away on this server. `/highscore away days:3` announces that you are away for three days."
            )
        )
    text = _(
        "You are away until {day}. Until then nobody pings you, and the house plays for you if somebody is"
        " waiting. In games at your own pace, it plays only when the time is up. You are back when you next"
        " play here or press the button below."
    )
    return Rendered(
        content="💤 " + text.format(day=format_dt(until, "D")), buttons=[button(AwayPress(), _("I'm back"))]
    )

"""The lobby: its players, settings and buttons. The lobby of a thread is also shown in the parent channel."""

from collections.abc import Sequence

import discord

from bot.domain.outcome import GAMES_A_DAY, UNRATED_DAYS
from bot.domain.table import MAX_LUCKY_WORD, MAX_SEATS, MIN_PLAYERS, Status, Table
from bot.domain.timing import Pace
from bot.locales import _, format_list, ngettext, speaking_in
from bot.ui.buttons import ActionItem, OptionsDialog, Verb, WordDialog, button, table_press
from bot.ui.learn import learn_button
from bot.ui.message import QUIET, Picture, Rendered, make_embed
from bot.ui.pictures.lobby import SeatPlace, SeatState, lobby_png
from bot.ui.pictures.pen import drawable_text
from bot.ui.proof import lock_line, seal_line
from bot.ui.reminders import CANCELLED, away_words, deadline_line, news_lines, reserved_words
from bot.ui.text import (
    HOUSE,
    command_mention,
    escape_lucky_word,
    escape_name,
    footer_names,
    mention_words,
    picture_name,
    player_name,
    table_link,
)
from highscore.deck import STANDARD_DECK
from highscore.fairness import EARLIER
from highscore.turn_order import TurnOrder

WORD_FIELD = "word"
PACE_FIELD, ORDER_FIELD, SEATS_FIELD, HINTS_FIELD, START_FIELD = "pace", "order", "seats", "hints", "start"
FITS_PACE, YES, NO = "usual", "1", "0"
OPEN_SECONDS = 15 * 60
"""How long a dialog can be answered. Discord forgets an interaction after 15 minutes."""


def render_lobby(table: Table, *above: str, buttons: Sequence[ActionItem] = ()) -> Rendered:
    """Show a lobby and a picture of its seats. Once the lobby is over, say only what became of it."""
    if table.game is not None:
        return Rendered([make_embed(_("The game has started"), _seat_lines(table), colour=QUIET)])
    if table.status is not Status.LOBBY:
        text = _("Nobody played. {command} opens another table.").format(command=command_mention("new", linked=True))
        lines = *news_lines(table, *CANCELLED), text
        return Rendered([make_embed(_("This table is closed"), *lines, colour=QUIET)])
    lines = *above, *news_lines(table), _lobby_sentence(table), *_lines_beside_picture(table), _pace_line(table)
    embed = make_embed(_("High Score: a table is open"), *lines, fields=_deck_fields(table))
    return Rendered([embed], buttons=[*buttons], picture=lobby_picture(table))


def lobby_picture(table: Table) -> Picture:
    """Return the seats of a lobby as a picture: taken, reserved and free ones."""
    names, sentences = footer_names(table), list[str]()
    places = [SeatPlace()] * table.max_seats
    for at, seat in enumerate(table.seats):
        state, is_host = SeatState.RESERVED if seat.invited else SeatState.TAKEN, seat.user_id == table.host_id
        places[at] = SeatPlace(state, picture_name(table, at), seat.user_id is None, is_host)
        words = [names[at], *([_("Host")] if is_host else []), *([_("Seat reserved")] if seat.invited else [])]
        sentences.append(" · ".join(words) + ".")
    if free := table.free_seats:
        text = ngettext("{number} seat free", "{number} seats free", free)
        sentences.append(text.format(number=free) + ".")
    return Picture("seats.png", tuple(sentences), lobby_png, (tuple(places),))


def _lines_beside_picture(table: Table) -> list[str]:
    """Return lines for what the picture of the seats cannot show.

    These are lucky words, absences, names that cannot be drawn, and the time until which seats are reserved.
    """
    hidden = [
        at
        for at, seat in enumerate(table.seats)
        if seat.lucky_word or seat.away_until or not drawable_text(picture_name(table, at))
    ]
    lines = [_seat_line(table, at) for at in hidden]
    return [*lines, *([f"🪑 {reserved_words(table)}"] if table.timing.seats_reserved_until else [])]


def _lobby_sentence(table: Table) -> str:
    """Return how the game starts, if it can start without its host; otherwise say what the game is."""
    if table.begins_when_all_join:
        return _("The game starts when everybody invited has pressed **Join**, or when the host starts without them.")
    if table.options.starts_when_full:
        return _("The game starts automatically as soon as all seats are taken.")
    return pitch_text()


def pitch_text() -> str:
    return _("Seven dice, seven cards: the best result on each wins gold.")


def render_opening(table: Table, called: Sequence[int] = ()) -> Rendered:
    """Show the players, their lucky words, the deck and the lock. The seed stays secret.

    The opening is sent before anything is drawn, and is never edited.
    """
    fields = [*_deck_fields(table), *((_("Rating"), line) for line in uncounted_lines(table))]
    # The lock of a table that was opened with an earlier version does not cover its seal.
    seal = seal_line(table.seal) if table.source.version == EARLIER else None
    embed = make_embed(_("The game begins"), _seat_lines(table), seal, lock_line(table.source.lock), fields=fields)
    return Rendered([embed], mention_words(called) or None, notify=tuple(called))


def uncounted_lines(table: Table) -> list[str]:
    """Return a line with the people for whom the game is not rated; empty if it is rated for everybody (R9.6)."""
    names = [player_name(table, at, marked=False) for at, seat in enumerate(table.seats) if not seat.counts]
    text = _(
        "This game is not rated for {players}. Only your first {games} games a day are rated, and none for"
        " {days} days after you delete your data. A rated game needs at least two people."
    )
    return [text.format(players=format_list(names), games=GAMES_A_DAY, days=UNRATED_DAYS)] if names else []


def render_seat_notice(table: Table, user_id: int, *below: str) -> Rendered:
    """Show the seal to a user who has taken a seat, so that they can notice if it is exchanged later.

    Newcomers are also offered the lesson.
    """
    lines = (_("You have a seat."), seal_line(table.seal), *below)
    at = table.seat_of(user_id)
    buttons = [learn_button()] if at is not None and table.seats[at].newcomer else []
    return Rendered(content="\n".join(line for line in lines if line), buttons=buttons)


def lobby_buttons(table: Table) -> list[ActionItem]:
    if table.status is not Status.LOBBY:
        return []
    enough, green = len(table.taken_seats) >= MIN_PLAYERS, discord.ButtonStyle.success
    is_waiting = bool(table.invited) and not enough
    if enough or is_waiting:
        style = green if enough else discord.ButtonStyle.secondary
        start = button(table_press(table, Verb.START), _("Start"), emoji="🎲", style=style, disabled=not enough, row=1)
    else:
        label = _("Play now with the house")
        start = button(table_press(table, Verb.START_ALONE), label, emoji=HOUSE, style=green, row=2)
    return [
        _join_button(table, Verb.JOIN, highlighted=is_waiting),
        button(table_press(table, Verb.LEAVE), _("Leave")),
        button(table_press(table, Verb.OPTIONS), _("Options"), emoji="⚙️", row=1),
        start,
    ]


def render_options(table: Table, user_id: int, sentence: str | None = None) -> Rendered:
    """Show a user in private how the game will be played, and the buttons they may use, below ``sentence``.

    Once the lobby is over, show only the sentence and a link to the table.
    """
    if table.status is not Status.LOBBY:
        return Rendered(content=f"{sentence or ''} {table_link(table)}")
    lines = [sentence, _play_line(table), order_sentence(table.turn_order), house_sentence(table), deadline_line(table)]
    buttons = [button(table_press(table, Verb.RULES), _("Rules"), emoji="📖")]
    if table.sits(user_id):
        # *Join* shows the seal too, but the host never presses it.
        lines.append(seal_line(table.seal))
        full, alone = table.free_seats <= 0, all(seat.user_id is not None for seat in table.seats)
        buttons += [
            button(table_press(table, Verb.LUCKY_WORD), _("Lucky word"), emoji="🍀"),
            button(table_press(table, Verb.ADD_HOUSE), _("Add house"), emoji=HOUSE, disabled=full, row=1),
            button(table_press(table, Verb.DROP_HOUSE), _("Drop house"), disabled=alone, row=1),
        ]
        if table.options.may_call and not full:
            buttons.append(button(table_press(table, Verb.CALL), _("Ping players"), emoji="📣", row=0))
    if user_id == table.host_id:
        buttons.append(button(table_press(table, Verb.CHANGE), _("Change"), emoji="✏️", row=2))
    return Rendered(content="\n".join(line for line in lines if line), buttons=buttons)


def _join_button(table: Table, verb: Verb, *, highlighted: bool) -> ActionItem:
    more = bool(table.free_seats or table.invited)
    style = discord.ButtonStyle.success if more and highlighted else discord.ButtonStyle.secondary
    return button(table_press(table, verb), _("Join"), emoji="🪑", style=style, disabled=not more)


def _deck_fields(table: Table) -> list[tuple[str, str]]:
    return [] if table.deck == STANDARD_DECK else [(_("Deck"), escape_name(table.deck.name, 60))]


def _seat_lines(table: Table) -> str:
    return "\n".join(_seat_line(table, seat) for seat in range(len(table.seats)))


def _seat_line(table: Table, at: int) -> str:
    seat = table.seats[at]
    host = " · " + _("Host") if seat.user_id == table.host_id else ""
    word = f" · 🍀 {escape_lucky_word(seat.lucky_word)}" if seat.lucky_word else ""
    return f"{player_name(table, at)}{host}{word}{away_words(table, at)}"


def render_lobby_copy(table: Table) -> Rendered:
    """Show the lobby of a thread in its parent channel. After the lobby it is one sentence without a button."""
    with speaking_in(table.locale):
        text = _("The table is in {thread}.")
        if table.status is Status.PLAYING:
            text = _("The game in {thread} has started.")
        elif table.status is not Status.LOBBY:
            text = _("The table in {thread} is closed.")
        text = text.format(thread=f"<#{table.channel_id}>")
        if table.status is not Status.LOBBY:
            return Rendered([make_embed("High Score", text, colour=QUIET)])
        shown = render_lobby(table, text, buttons=[_join_button(table, Verb.ENTER, highlighted=True)])
        return shown.adapt(pictures=table.options.pictures)


def pace_name(pace: Pace) -> str:
    return {Pace.LIVE: _("Live"), Pace.DAY: _("Within a day"), Pace.RELAXED: _("Relaxed")}[pace]


def order_name(order: TurnOrder) -> str:
    return {
        TurnOrder.CLOCKWISE: _("Rulebook order"),
        TurnOrder.OPEN: _("Open order"),
        TurnOrder.OWN_PACE: _("Own pace"),
    }[order]


def order_sentence(order: TurnOrder) -> str:
    return {
        TurnOrder.CLOCKWISE: _("One after the other; the winner of gold starts the next round."),
        TurnOrder.OPEN: _("In each round, anybody who hasn't played yet can take the dice when they are free."),
        TurnOrder.OWN_PACE: _("Everybody plays all seven cards in private, whenever they like."),
    }[order]


def _pace_line(table: Table) -> str:
    """Return the pace or, in own pace, the turn order.

    If the host changed one of them after others had sat down, return the whole ``_play_line``.
    """
    if table.changed_at is not None:
        return _play_line(table)
    own = table.turn_order is TurnOrder.OWN_PACE
    return "⏱️ " + (order_name(table.turn_order) if own else pace_name(table.options.pace))


def _play_line(table: Table) -> str:
    """Return order, pace, time and hints, and when the host changed them if others had already sat down."""
    times = {
        TurnOrder.CLOCKWISE: _("Per turn: {time}"),
        TurnOrder.OPEN: _("Per round: {time}"),
        TurnOrder.OWN_PACE: _("Per game: {time}"),
    }[table.turn_order].format(time=format_duration(table.options.allowed_seconds))
    hints = _("With hints") if table.options.hints else _("No hints")
    line = f"**{order_name(table.turn_order)}** · {pace_name(table.options.pace)} · {times} · {hints}"
    if (since := table.changed_at) is None:
        return line
    return "✏️ " + _("Changed {when}:").format(when=f"<t:{since}:R>") + f" {line}"


def house_sentence(table: Table) -> str:
    """Return what the house does when a player's time is up."""
    if table.turn_order is TurnOrder.OWN_PACE:
        return _("When the time is up, the house finishes for everybody who has started. The others are left out.")
    if table.turn_order is TurnOrder.OPEN:
        text = _("When the time is up, the house plays if somebody is waiting. Longest time with the dice: {hold}")
        return text.format(hold=format_duration(table.options.hold_seconds))
    return _("When the time is up, the house plays if somebody is waiting.")


def format_duration(seconds: int) -> str:
    """Return a duration in hours, minutes and seconds and, from two days on, also in days.

    All spaces are no-break spaces, so Discord shows it on one line.
    """
    days, rest = divmod(seconds, 86_400) if seconds >= 2 * 86_400 else (0, seconds)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    whole_days = ngettext("{number} day", "{number} days", days)
    parts = [(days, whole_days), (hours, _("{number} h")), (minutes, _("{number} min")), (rest, _("{number} s"))]
    return "\xa0".join(text.format(number=number).replace(" ", "\xa0") for number, text in parts if number)


class OptionsModal(discord.ui.Modal):
    """The dialog with the options of a table. bot.cogs.dispatch handles the answer."""

    def __init__(self, table: Table) -> None:
        super().__init__(title=_("Options"), custom_id=OptionsDialog(table.id).custom_id, timeout=OPEN_SECONDS)
        options, order = table.options, table.turn_order
        by_wait = (TurnOrder.OWN_PACE, TurnOrder.OPEN, TurnOrder.CLOCKWISE)
        orders = {FITS_PACE: _("Whatever suits the pace"), **{each.value: order_name(each) for each in by_wait}}
        meanings = {each.value: order_sentence(each) for each in by_wait}
        seats = {str(at): str(at) for at in range(max(len(table.seats), MIN_PLAYERS), MAX_SEATS + 1)}
        starts = {NO: _("By the host"), YES: _("Automatically, when all seats are taken")}
        chosen = FITS_PACE if order is options.pace.usual_order else order.value
        for field, label, names, value in (
            (PACE_FIELD, _("Pace"), {each.value: pace_name(each) for each in Pace}, options.pace.value),
            (ORDER_FIELD, _("Turn order"), orders, chosen),
            (SEATS_FIELD, _("Seats"), seats, str(table.max_seats)),
            (HINTS_FIELD, _("Hints"), {YES: _("With hints"), NO: _("No hints")}, YES if options.hints else NO),
            (START_FIELD, _("Start of the game"), starts, YES if options.starts_when_full else NO),
        ):
            made = [
                discord.RadioGroupOption(label=name, value=each, description=meanings.get(each), default=each == value)
                for each, name in names.items()
            ]
            group: discord.ui.RadioGroup[discord.ui.Modal] = discord.ui.RadioGroup(custom_id=field, options=made)
            if len(made) > 1:  # Discord refuses a group with one option.
                self.add_item(discord.ui.Label(text=label, component=group))


class WordModal(discord.ui.Modal):
    """The dialog for a lucky word. bot.cogs.dispatch handles the answer."""

    def __init__(self, table_id: str, current: str) -> None:
        super().__init__(title=_("Your lucky word"), custom_id=WordDialog(table_id).custom_id, timeout=OPEN_SECONDS)
        self.add_item(
            discord.ui.Label(
                text=_("A word that goes into your dice"),
                component=discord.ui.TextInput(
                    placeholder=_("Any word, or empty to remove it"),
                    custom_id=WORD_FIELD,
                    default=current or None,
                    required=False,
                    max_length=MAX_LUCKY_WORD,
                ),
            )
        )

"""The lobby: its people, settings and buttons; and the lobby in the channel of a thread, with the way to the table."""

from collections.abc import Sequence
from enum import Enum

import discord

from bot.domain.rating import GAMES_A_DAY, UNRATED_DAYS
from bot.domain.table import MAX_LUCKY_WORD, MIN_PLAYERS, Status, Table
from bot.domain.timing import Pace
from bot.locales import _, format_list, ngettext, speaking_in
from bot.ui.buttons import ActionItem, RecordPress, Step, Verb, WordDialog, button, select, table_press
from bot.ui.learn import learn_button
from bot.ui.message import QUIET, Rendered, make_embed
from bot.ui.proof import seal_line, seed_line
from bot.ui.reminders import CANCELLED, away_words, deadline_line, kept_words, news_lines
from bot.ui.text import (
    HOUSE,
    command_mention,
    escape_lucky_word,
    escape_name,
    hidden_line,
    mention_words,
    player_name,
    table_link,
)
from highscore.deck import STANDARD_DECK
from highscore.turn_order import TurnOrder

WORD_FIELD = "word"
OPEN_SECONDS = 15 * 60
"""The seconds after which a dialog cannot be answered any more: Discord forgets an interaction then."""


def lobby_embed(table: Table, *above: str) -> discord.Embed:
    """Show what the game is, who sits at the table, and how it is played; afterwards what has become of it."""
    if table.game is not None:
        return make_embed(_("The game has started"), _seat_lines(table), colour=QUIET)
    if table.status is not Status.LOBBY:
        text = _("Nobody played. {command} opens another table.").format(command=command_mention("new", public=True))
        lines = *news_lines(table, *CANCELLED), text, seed_line(table.seed)
        return make_embed(_("This table is closed"), *lines, colour=QUIET)
    intro = *above, *news_lines(table), _lobby_sentence(table)
    seats = "", _seat_lines(table, table.free_seats), "", _pace_line(table)
    return make_embed(_("High Score: a table is open"), *intro, *seats, fields=_deck_fields(table))


def _lobby_sentence(table: Table) -> str:
    """Return what the game is; or how it begins, where that is not by its host."""
    if table.begins_when_all_join:
        return _("The game begins when all have pressed **Join**, or the host starts without them.")
    if table.options.starts_when_full:
        return _("The game starts by itself as soon as all seats are taken.")
    return pitch_text()


def pitch_text() -> str:
    return _("Seven dice, seven cards: the best result on each wins gold.")


def render_opening(table: Table, called: Sequence[int] = ()) -> Rendered:
    """Show all that decides the dice but the seed, before anything is drawn; it and its button stay as they are."""
    fields = [*_deck_fields(table), *((_("Rating"), line) for line in uncounted_lines(table))]
    digest = hidden_line(_("Digest of the lucky words: {digest}").format(digest=table.source.words_digest))
    embed = make_embed(_("The game begins"), _seat_lines(table), seal_line(table.seal), digest, fields=fields)
    proof = button(RecordPress(Step.PROOF, table.id), _("Proof"), emoji="🔏")
    return Rendered([embed], mention_words(called) or None, [proof], tuple(called))


def uncounted_lines(table: Table) -> list[str]:
    """Return a line that names the people for whom a game does not count; none if it counts for everybody (R9.6)."""
    names = [player_name(table, at, marked=False) for at, seat in enumerate(table.seats) if not seat.counts]
    text = _(
        "Not rated for: {players}. Most rated games a day: {games}. Days without any after deleting your data: {days}."
        " A rated game needs at least two people."
    )
    return [text.format(players=format_list(names), games=GAMES_A_DAY, days=UNRATED_DAYS)] if names else []


def render_seat_notice(table: Table, user_id: int, *below: str) -> Rendered:
    """Tell somebody who sits down the seal, so that an exchanged one is noticed; offer newcomers the lesson."""
    lines = (_("You have a seat."), seal_line(table.seal), *below)
    at = table.seat_of(user_id)
    buttons = [learn_button()] if at is not None and table.seats[at].newcomer else []
    return Rendered(content="\n".join(line for line in lines if line), buttons=buttons)


def lobby_buttons(table: Table) -> list[ActionItem]:
    if table.status is not Status.LOBBY:
        return []
    enough = len(table.taken) >= MIN_PLAYERS
    style = discord.ButtonStyle.primary if enough else discord.ButtonStyle.secondary
    return [
        _join_button(table, Verb.JOIN),
        button(table_press(table, Verb.LEAVE), _("Leave")),
        button(table_press(table, Verb.OPTIONS), _("Options"), emoji="⚙️", row=1),
        button(table_press(table, Verb.START), _("Start"), emoji="🎲", style=style, disabled=not enough, row=1)
        if enough or table.invited
        else button(table_press(table, Verb.START_ALONE), _("Play now with the house"), emoji=HOUSE, row=2),
    ]


def render_options(table: Table, user_id: int, sentence: str | None = None) -> Rendered:
    """Show somebody in private how a table is to be played, and what they may choose; ``sentence`` comes above."""
    if table.status is not Status.LOBBY:
        return Rendered(content=f"{sentence or ''} {table_link(table)}")
    lines = sentence, _play_line(table), order_sentence(table.turn_order), house_sentence(table), deadline_line(table)
    buttons = [button(table_press(table, Verb.RULES), _("Rules"), emoji="📖")]
    if table.sits(user_id):
        full, alone = table.free_seats <= 0, all(seat.user_id is not None for seat in table.seats)
        buttons += [
            button(table_press(table, Verb.LUCKY_WORD), _("Lucky word"), emoji="🍀"),
            button(table_press(table, Verb.ADD_HOUSE), _("Add house"), emoji=HOUSE, disabled=full, row=1),
            button(table_press(table, Verb.DROP_HOUSE), _("Drop house"), disabled=alone, row=1),
        ]
        if table.options.may_call and not full:
            buttons.append(button(table_press(table, Verb.CALL), _("Call players"), emoji="📣", row=0))
    if user_id == table.host_id:
        buttons += _pace_selects(table, row=2)
    return Rendered(content="\n".join(line for line in lines if line), buttons=buttons)


def _join_button(table: Table, verb: Verb) -> ActionItem:
    """Return the button that takes a seat, which is what most people press in a lobby."""
    more = _takes_more(table)
    style = discord.ButtonStyle.success if more else discord.ButtonStyle.secondary
    return button(table_press(table, verb), _("Join"), emoji="🪑", style=style, disabled=not more)


def _takes_more(table: Table) -> bool:
    """Return whether a seat is free or kept for somebody."""
    return bool(table.free_seats or table.invited)


def _deck_fields(table: Table) -> list[tuple[str, str]]:
    """Return the name of the deck, where it is not the game's own."""
    return [] if table.deck == STANDARD_DECK else [(_("Deck"), escape_name(table.deck.name, 60))]


def _seat_lines(table: Table, free: int = 0) -> str:
    lines = [_seat_line(table, seat) for seat in range(len(table.seats))]
    if free:
        lines.append("🪑 " + ngettext("{number} seat free", "{number} seats free", free).format(number=free))
    return "\n".join(lines)


def _seat_line(table: Table, at: int) -> str:
    seat = table.seats[at]
    host = " · " + _("Host") if seat.user_id == table.host_id else ""
    word = f" · 🍀 {escape_lucky_word(seat.lucky_word)}" if seat.lucky_word else ""
    kept = kept_words(table) if seat.invited else ""
    return f"{player_name(table, at)}{host}{word}{kept}{away_words(table, at)}"


def render_way_in(table: Table) -> Rendered:
    """Show the lobby in a thread's channel; once nobody can sit down, a word on the game in place of the button."""
    with speaking_in(table.locale):
        text = _("The table is in {thread}.")
        if table.status is Status.PLAYING:
            text = _("The game in {thread} has begun.")
        elif table.status is not Status.LOBBY:
            text = _("The table in {thread} is closed.")
        text = text.format(thread=f"<#{table.channel_id}>")
        if table.status is not Status.LOBBY:
            return Rendered([make_embed("High Score", text, colour=QUIET)])
        return Rendered([lobby_embed(table, text)], buttons=[_join_button(table, Verb.ENTER)])


def _pace_selects(table: Table, row: int) -> list[ActionItem]:
    """Return the selects of pace and turn order, for the host."""
    paces = [_option(pace, pace_name(pace), "⏱️", table.options.pace) for pace in Pace]
    by_wait = (TurnOrder.OWN_PACE, TurnOrder.OPEN, TurnOrder.CLOCKWISE)
    orders = [_option(order, order_name(order), "🔀", table.turn_order, order_sentence(order)) for order in by_wait]
    return [
        select(table_press(table, Verb.PACE), paces, row=row),
        select(table_press(table, Verb.ORDER), orders, row=row + 1),
    ]


def _option(choice: Enum, name: str, emoji: str, chosen: Enum, meaning: str | None = None) -> discord.SelectOption:
    default = choice is chosen
    return discord.SelectOption(label=name, value=choice.value, description=meaning, emoji=emoji, default=default)


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
        TurnOrder.OPEN: _("In each round, whoever has not played yet may take the dice when they are free."),
        TurnOrder.OWN_PACE: _("Everybody plays all seven cards in private, whenever they like."),
    }[order]


def _pace_line(table: Table) -> str:
    """Return one word about the pace; everything where the host has changed something under somebody else's eyes."""
    if table.changed_at is not None:
        return _play_line(table)
    own = table.turn_order is TurnOrder.OWN_PACE
    return "⏱️ " + (order_name(table.turn_order) if own else pace_name(table.options.pace))


def _play_line(table: Table) -> str:
    """Return order, pace, time and hints, with when the host has changed them under somebody else's eyes."""
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
    """Return what becomes of those whose time is up."""
    if table.turn_order is TurnOrder.OWN_PACE:
        return _("When the time is up, the house finishes for those who have begun; the others are left out.")
    if table.turn_order is TurnOrder.OPEN:
        text = _("When time is up, the house plays if somebody is waiting. Most time with the dice: {hold}")
        return text.format(hold=format_duration(table.options.hold_seconds))
    return _("When time is up and somebody is waiting, the house plays.")


def format_duration(seconds: int) -> str:
    """Return a time in hours and minutes, from two days on in days. No line breaks in it."""
    days, rest = divmod(seconds, 86_400) if seconds >= 2 * 86_400 else (0, seconds)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    whole_days = ngettext("{number} day", "{number} days", days)
    parts = [(days, whole_days), (hours, _("{number} h")), (minutes, _("{number} min")), (rest, _("{number} s"))]
    return "\xa0".join(text.format(number=number).replace(" ", "\xa0") for number, text in parts if number)


class WordModal(discord.ui.Modal):
    """The dialog for a lucky word. bot.cogs.dispatch takes what is typed."""

    def __init__(self, table_id: str, current: str) -> None:
        super().__init__(title=_("Your lucky word"), custom_id=WordDialog(table_id).custom_id, timeout=OPEN_SECONDS)
        self.add_item(
            discord.ui.Label(
                text=_("A word that goes into your dice"),
                component=discord.ui.TextInput(
                    placeholder=_("Anything; empty takes it back"),
                    custom_id=WORD_FIELD,
                    default=current or None,
                    required=False,
                    max_length=MAX_LUCKY_WORD,
                ),
            )
        )

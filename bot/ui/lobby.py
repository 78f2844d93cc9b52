"""The lobby: its people, settings and buttons; and the lobby in the channel of a thread, with the way to the table."""

from collections.abc import Sequence

import discord

from bot.domain.rating import GAMES_A_DAY, GAMES_OF_A_PAIR
from bot.domain.table import MIN_PLAYERS, Status, Table
from bot.locales import _, format_list, ngettext, speaking_in
from bot.ui.actions import HistoryPress, Step
from bot.ui.buttons import ActionItem, Verb, button, table_press
from bot.ui.invitations import call_buttons, kept_words
from bot.ui.learn import learn_button
from bot.ui.message import QUIET, Rendered, make_embed
from bot.ui.names import character_line, host_name, mention_words, player_name
from bot.ui.pace import order_name, order_sentence, pace_selects, pace_sentence
from bot.ui.proof import seal_line, sealed_lines, seed_line
from bot.ui.reminders import CANCELLED, away_words, deadline_line, news_lines
from bot.ui.text import HOUSE, escape_lucky_word, escape_name
from highscore.deck import STANDARD_DECK


def rematch_call(user_ids: Sequence[int]) -> str:
    text = ngettext(
        "{people}, a rematch! Your seat is reserved: **Join** takes it.",
        "{people}, a rematch! Your seats are reserved: **Join** takes yours.",
        len(user_ids),
    )
    return text.format(people=mention_words(user_ids))


def lobby_embed(table: Table) -> discord.Embed:
    if table.status is not Status.LOBBY:
        return closed_lobby_embed(table)
    lines = *news_lines(table), *_pitch_lines(table)
    return make_embed(_("High Score: a table is open"), *lines, fields=lobby_fields(table))


def lobby_fields(table: Table) -> list[tuple[str, str]]:
    """Return who sits at the table, and how it will be played."""
    hints = _("Hints are allowed.") if table.options.hints else _("No hints at this table.")
    pace = [pace_sentence(table.options, table.turn_order), f"💡 {hints}", deadline_line(table)]
    seats = _("Seats ({taken} of {seats})").format(taken=len(table.taken), seats=table.max_seats)
    return [
        (seats, _seat_lines(table, table.free_seats)),
        (_("Order of play"), f"**{order_name(table.turn_order)}**: {order_sentence(table.turn_order)}"),
        (_("Pace"), "\n".join(line for line in pace if line)),
        *_deck_fields(table),
    ]


def closed_lobby_embed(table: Table) -> discord.Embed:
    """Show the lobby after the game has started, or after the table was closed without a game."""
    if table.game is None:
        text = _("Nobody played. `/highscore new` opens another one.")
        lines = *news_lines(table, *CANCELLED), text, seed_line(table.seed)
        return make_embed(_("This table is closed"), *lines, colour=QUIET)
    players = [(_("Players"), _seat_lines(table))]
    return make_embed(_("The game has started"), _("My next message here opens it."), colour=QUIET, fields=players)


def render_opening(table: Table, called: Sequence[int] = ()) -> Rendered:
    """Show all that decides the dice but the seed: published before anything is drawn, and never edited.

    The button is no page's, so that it stays while pages come and go.
    """
    fields = [*_deck_fields(table), *((_("Rating"), line) for line in uncounted_lines(table))]
    embed = make_embed(_("The game begins"), _seat_lines(table), *sealed_lines(table), fields=fields)
    proof = button(HistoryPress(Step.PROOF, table.id), _("Proof"), emoji="🔏")
    return Rendered([embed], mention_words(called) or None, [proof], tuple(called))


def uncounted_lines(table: Table) -> list[str]:
    """Return a line for those for whom a game does not count, as one too many of their day, or none (R9.6)."""
    names = [player_name(table, at, marked=False) for at, seat in enumerate(table.seats) if not seat.counts]
    text = _("Does not count for {players}: {games} games a day do, {pair} of them with the same single opponent.")
    return [text.format(players=format_list(names), games=GAMES_A_DAY, pair=GAMES_OF_A_PAIR)] if names else []


def render_seat_notice(table: Table, user_id: int, above: str = "", *below: str) -> Rendered:
    """Tell somebody who sits down the seal, so that an exchanged one is noticed; offer newcomers the lesson."""
    lines = (above, _("You have a seat."), seal_line(table.seal), *below)
    at = table.seat_of(user_id)
    buttons = [learn_button()] if at is not None and table.seats[at].newcomer else []
    return Rendered(content="\n".join(line for line in lines if line), buttons=buttons)


def lobby_buttons(table: Table) -> list[ActionItem]:
    if table.status is not Status.LOBBY:
        return []
    seat_free = table.free_seats > 0
    house = table_press(table, Verb.ADD_HOUSE)
    # A button that can do nothing now is grey and stays, so that nobody presses one that has moved to its place.
    buttons = [
        join_button(table, Verb.JOIN),
        button(table_press(table, Verb.LEAVE), _("Leave")),
        button(table_press(table, Verb.LUCKY_WORD), _("Lucky word"), emoji="🍀"),
        button(table_press(table, Verb.RULES), _("Rules"), emoji="📖"),
        button(house, _("House player"), emoji=HOUSE, disabled=not seat_free, row=1),
    ]
    if len(table.taken) >= MIN_PLAYERS:
        # One button has a colour: Join, or once nobody can any more, Start.
        style = discord.ButtonStyle.secondary if _takes_more(table) else discord.ButtonStyle.primary
        buttons.append(button(table_press(table, Verb.START), _("Start"), emoji="🎲", style=style, row=1))
    if any(seat.user_id is None for seat in table.seats):
        buttons.append(button(table_press(table, Verb.DROP_HOUSE), _("Send the house away"), row=1))
    return [*buttons, *call_buttons(table, row=1), *pace_selects(table, row=2)]


def join_button(table: Table, verb: Verb) -> ActionItem:
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


def _pitch_lines(table: Table) -> list[str]:
    pitch = _(
        "Seven dice, seven rounds, and every round another challenge card changes what counts."
        " The best result of a round wins the gold chip. Play when you have time: every roll is a click."
    )
    host = "\n" + host_line(table)
    newcomer = any(seat.newcomer for seat in table.seats)
    return [pitch, host, f"-# 💡 {lobby_steps_sentence(table)}"] if newcomer else [pitch, host]


def host_line(table: Table) -> str:
    """Return who the host is, and when the game starts."""
    text = _("{player} is the host and starts the game.")
    if table.begins_when_all_join:
        text = _(
            "{player} is the host. The game begins when all have pressed **Join**, or the host starts without them."
        )
    elif table.options.starts_when_full:
        text = _("{player} is the host. The game starts by itself as soon as all seats are taken.")
    return text.format(player=host_name(table))


def lobby_steps_sentence(table: Table) -> str:
    if len(table.taken) < MIN_PLAYERS:
        return _("Press **Join** to play. Nobody around? **House player** gives the bot a seat.")
    if table.free_seats > 0:
        return _("Enough for a game! The host can press **Start**; until then, others can still **Join**.")
    return _("Enough for a game! The host can press **Start**.")


def _seat_lines(table: Table, free: int = 0) -> str:
    lines = [_seat_line(table, seat) for seat in range(len(table.seats))]
    if free:
        lines.append("🪑 " + ngettext("{number} seat free", "{number} seats free", free).format(number=free))
    return "\n".join(lines)


def _seat_line(table: Table, at: int) -> str:
    seat = table.seats[at]
    host = " · " + _("host") if seat.user_id == table.host_id else ""
    word = f" · 🍀 {escape_lucky_word(seat.lucky_word)}" if seat.lucky_word else ""
    line = character_line(table, at)
    if seat.invited:
        return player_name(table, at) + kept_words(table) + away_words(table, at)
    return f"{player_name(table, at)}{host}{word}" + (f" · *{line}*" if line else "") + away_words(table, at)


def render_way_in(table: Table) -> Rendered:
    """Show the lobby in a thread's channel; once nobody can sit down, a word on the game in place of the button."""
    with speaking_in(table.locale):
        where = f"<#{table.channel_id}>"
        if table.status is not Status.LOBBY:
            return Rendered([make_embed("High Score", _since_sentence(table).format(thread=where), colour=QUIET)])
        text = _("The table is in {thread}.").format(thread=where)
        embed = make_embed(_("High Score: a table is open"), f"{text} {host_line(table)}", fields=lobby_fields(table))
        return Rendered([embed], buttons=[join_button(table, Verb.ENTER)])


def _since_sentence(table: Table) -> str:
    if table.status is Status.PLAYING:
        return _("The game in {thread} has begun.")
    if table.status is Status.FINISHED:
        return _("The game in {thread} is over: the standings are there.")
    if table.game is None:
        return _("The table in {thread} is closed.")
    return _("The game in {thread} has ended early.")

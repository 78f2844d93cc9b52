"""The lobby: who sits at the table, how it will be played, and the buttons to sit down and start."""

from collections.abc import Iterable

import discord

from bot.domain.table import MIN_PLAYERS, Status, Table
from bot.locales import _, ngettext, speaking
from bot.ui.buttons import ActionItem, Verb, button, press_of
from bot.ui.message import QUIET, Rendered, make_embed
from bot.ui.names import character, player_name
from bot.ui.reminders import CANCELLED, deadline_line, news_lines, pace_sentence
from bot.ui.text import HOUSE, lucky, plain
from bot.ui.turn_parts import help_line
from highscore.deck import STANDARD_DECK
from highscore.turn_order import TurnOrder


def invited(table: Table) -> tuple[int, ...]:
    """The users whose seats are reserved."""
    return tuple(seat.user_id for seat in table.seats if seat.invited and seat.user_id is not None)


def rematch_call(user_ids: Iterable[int]) -> str:
    """The line that calls the players of the game before."""
    names = " ".join(f"<@{user_id}>" for user_id in user_ids)
    return _("{people}, a rematch! Your seats are reserved: **Join** takes yours.").format(people=names)


def lobby_embed(table: Table) -> discord.Embed:
    """The lobby as people see it."""
    if table.status is not Status.LOBBY:
        return closed_lobby_embed(table)
    hints = _("Hints are allowed.") if table.options.hints else _("No hints at this table.")
    pace = [pace_sentence(table.options, table.turn_order), f"💡 {hints}", deadline_line(table)]
    seats = _("Seats ({taken} of {seats})").format(taken=len(table.taken), seats=table.max_seats)
    fields = [
        (seats, _seat_lines(table, table.max_seats - len(table.seats))),
        (_("Order of play"), order_sentence(table.turn_order)),
        (_("Pace"), "\n".join(line for line in pace if line)),
    ]
    fields += _deck(table)
    return make_embed(_("High Score: a table is open"), *news_lines(table), *_pitch(table), fields=fields)


def invitation(table: Table) -> Rendered:
    """The message in a thread's channel that leads to the table in it; without a button once nobody can sit down."""
    with speaking(table.locale):
        where = f"<#{table.channel_id}>"
        if table.status is not Status.LOBBY:
            text = _("The game in {thread} has begun.") if table.game is not None else _("The table is closed.")
            return Rendered([make_embed("High Score", text.format(thread=where), colour=QUIET)])
        text = _("{player} has opened a table for up to {number} in {thread}.")
        text = text.format(player=_host_name(table), number=table.max_seats, thread=where)
        embed = make_embed(_("High Score: a table is open"), text, pace_sentence(table.options, table.turn_order))
        return Rendered([embed], buttons=[button(press_of(table, Verb.ENTER), _("Join"), emoji="🪑")])


def closed_lobby_embed(table: Table) -> discord.Embed:
    """The lobby after the game has started, or after the table was closed without a game."""
    if table.game is None:
        seed = _("Sealed seed: {seed}").format(seed=table.seed.hex())
        text = _("Nobody played. `/highscore new` opens another one.")
        lines = *news_lines(table, *CANCELLED), text
        return make_embed(_("This table is closed"), *lines, colour=QUIET, footer=seed)
    players = [(_("Players"), _seat_lines(table))]
    return make_embed(_("The game has started"), _("My next message here opens it."), colour=QUIET, fields=players)


def opening_embed(table: Table) -> discord.Embed:
    """What everything that is drawn follows from but the seed: published before anything is drawn, and never edited."""
    text = _(
        "Dice and cards follow from a sealed seed, the lucky words and the ID of this message,"
        " which nobody could know beforehand. It is never edited."
    )
    fields = [
        (_("Players"), _seat_lines(table)),
        (_("Seal of the seed"), f"`{table.seal}`"),
        (_("Digest of the lucky words"), f"`{table.source.words_digest}`"),
        *_deck(table),
    ]
    return make_embed(_("The game begins"), text, fields=fields)


def seal_note(table: Table) -> str:
    """What everybody who sits down is told in private, so that a seal that is exchanged is noticed."""
    text = _("You have a seat. The seal of the seed is `{seal}`; the message that opens the game has to show the same.")
    return text.format(seal=table.seal)


def lobby_buttons(table: Table) -> list[ActionItem]:
    """What can be done in the lobby."""
    if table.status is not Status.LOBBY:
        return []
    seat_free = len(table.seats) < table.max_seats
    buttons: list[ActionItem] = []
    if seat_free or invited(table):
        # Not green: everybody sees the same button, also who sits here.
        buttons.append(button(press_of(table, Verb.JOIN), _("Join"), emoji="🪑"))
    buttons.append(button(press_of(table, Verb.LEAVE), _("Leave")))
    buttons.append(button(press_of(table, Verb.LUCKY_WORD), _("Lucky word"), emoji="🍀"))
    buttons.append(button(press_of(table, Verb.RULES), _("Rules"), emoji="📖"))
    if seat_free:
        buttons.append(button(press_of(table, Verb.ADD_HOUSE), _("House player"), emoji=HOUSE, row=1))
    if any(seat.user_id is None for seat in table.seats):
        buttons.append(button(press_of(table, Verb.DROP_HOUSE), _("Send the house away"), row=1))
    if len(table.taken) >= MIN_PLAYERS:
        start = press_of(table, Verb.START)
        buttons.append(button(start, _("Start"), emoji="🎲", style=discord.ButtonStyle.primary, row=1))
    return buttons


def order_sentence(order: TurnOrder) -> str:
    """A turn order, explained in one sentence."""
    return {
        TurnOrder.CLOCKWISE: _("One after the other, as in the rulebook; the winner of gold starts the next round."),
        TurnOrder.OPEN: _("Open: in each round, whoever has not played yet may take the dice when they are free."),
        TurnOrder.OWN_PACE: _("Own pace: everybody plays all seven cards in private, whenever they like."),
    }[order]


def _deck(table: Table) -> list[tuple[str, str]]:
    """The name of the deck, where it is another than the game's own."""
    return [] if table.deck == STANDARD_DECK else [(_("Deck"), plain(table.deck.name, 60))]


def _pitch(table: Table) -> list[str]:
    pitch = _(
        "Seven dice, seven rounds, and every round another challenge card changes what counts."
        " The best result of a round wins the gold chip. Play when you have time: every roll is a click."
    )
    newcomer = any(seat.user_id in table.options.newcomers for seat in table.seats)
    text = _("{player} is the host and starts the game.")
    if invited(table):
        text = _(
            "{player} is the host. The game begins when all have pressed **Join**, or the host starts without them."
        )
    elif table.options.starts_when_full:
        text = _("{player} is the host. The game starts by itself as soon as all seats are taken.")
    host = "\n" + text.format(player=_host_name(table))
    return [pitch, host, help_line(first_steps(table))] if newcomer else [pitch, host]


def first_steps(table: Table) -> str:
    """What somebody does in the lobby who has never played."""
    if len(table.seats) < MIN_PLAYERS:
        return _("Press **Join** to play. Nobody around? **House player** gives the bot a seat.")
    return _("Enough for a game! The host can press **Start**; until then, others can still **Join**.")


def _host_name(table: Table) -> str:
    return player_name(table, table.seat_of(table.host_id) or 0)


def _seat_lines(table: Table, free: int = 0) -> str:
    lines = [_seat_line(table, seat) for seat in range(len(table.seats))]
    if free:
        lines.append("▫️ " + ngettext("{number} seat free", "{number} seats free", free).format(number=free))
    return "\n".join(lines)


def _seat_line(table: Table, at: int) -> str:
    seat = table.seats[at]
    host = " · " + _("host") if seat.user_id == table.host_id else ""
    word = f" · 🍀 {lucky(seat.lucky_word)}" if seat.lucky_word else ""
    line = character(table, at)
    if seat.invited:
        return f"{player_name(table, at)} · " + _("seat reserved")
    return f"{player_name(table, at)}{host}{word}" + (f" · *{line}*" if line else "")

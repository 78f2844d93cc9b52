"""The list of finished games, the names of games that a user can choose, and the replay of a game, by positions."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import discord
from discord.utils import format_dt

from bot.domain.history import GAMES_PER_PAGE, FinishedGame, History, Player
from bot.domain.table import Table
from bot.locales import _, ngettext
from bot.ui.buttons import (
    ActionItem,
    HistoryPress,
    RecordPress,
    ReplayPress,
    Step,
    TablePress,
    Verb,
    button,
    page_buttons,
)
from bot.ui.coaching import choice_words
from bot.ui.message import ACCENT, QUIET, SEAT_COLOURS, Picture, Rendered, make_embed
from bot.ui.pictures.views import game_view, round_view
from bot.ui.table import final_embeds, results_picture, round_embed, round_picture
from bot.ui.text import HOUSE, TROPHY, clean_name, escape_name, format_signed, former_player_name, player_name, shorten
from bot.ui.turn import require_card, round_title, track_sentence, worth_line
from bot.ui.words import card_lines, card_name
from highscore.replaying import Moment, Position, find_next_turn
from highscore.standings import sum_points

LONGEST_CHOICE = 100
"""Discord's limit for the name of a choice, in characters."""
_GAMES_A_ROW = 4


def render_history(history: History, name: str | None) -> Rendered:
    """Show a page of the finished games of the user called ``name``, or of the server if it is None."""
    title = _("Finished games") if name is None else _("Finished games: {player}").format(player=escape_name(name))
    if not history.games:
        embed = make_embed(f"📚 {title}", _("No game has been finished here yet."), colour=QUIET)
    else:
        lines = [f"`{number}` {_game_line(game)}" for number, game in enumerate(history.games, start=1)]
        footer = _("Press a number to go through that game roll by roll.")
        embed = make_embed(f"📚 {title}", *lines, colour=ACCENT, footer=footer)
    return Rendered([embed], buttons=_history_buttons(history))


def _history_buttons(history: History) -> list[ActionItem]:
    buttons = [
        button(ReplayPress(Step.OPEN, game.game_id), str(number + 1), emoji="🔎", row=number // _GAMES_A_ROW)
        for number, game in enumerate(history.games)
    ]
    user_id = history.user_id or 0
    newer = HistoryPress(Step.NEWER, history.games[0].game_id, user_id) if history.has_newer else None
    older = HistoryPress(Step.OLDER, history.games[-1].game_id, user_id) if history.has_older else None
    return buttons + page_buttons(newer, older, row=GAMES_PER_PAGE // _GAMES_A_ROW)


def owner_name(history: History) -> str | None:
    """Return the user's name in their newest game on this page; None for a server's history and on an empty page."""
    for game in history.games:
        for player in game.players:
            if history.user_id is not None and player.result.user_id == history.user_id:
                return player.name
    return None


def choice_name(game: FinishedGame) -> str:
    players = ", ".join(f"{_player_name(player, clean_name)} {player.result.points}" for player in game.players)
    return shorten(f"{game.finished_at:%Y-%m-%d} · {players}", LONGEST_CHOICE)


def _game_line(game: FinishedGame) -> str:
    names = [
        (f"{TROPHY} " if player.result.place == 1 else "")
        + f"{_player_name(player, escape_name)} **{player.result.points}**"
        for player in game.players
    ]
    when = format_dt(game.finished_at, "d")
    return f"{when} · {' · '.join(names)}"


def _player_name(player: Player, escape: Callable[[str], str]) -> str:
    user_id = player.result.user_id
    if user_id is None:
        return f"{HOUSE} {player.name}"
    return former_player_name() if user_id < 0 else escape(player.name)


def render_replay(table: Table, positions: Sequence[Position], number: int) -> Rendered:
    """Show a position of a game, counted from 0. A number beyond the end gives the last position."""
    at = min(number, len(positions) - 1)
    position = positions[at]
    game = position.game
    # The house may have taken over a person's seat only after this position. So seats are marked only at the end.
    seats = tuple(seat if seat.user_id is None else replace(seat, house=None, away_until=None) for seat in table.seats)
    then = table if position.moment is Moment.GAME_END else replace(table, game=game, seats=seats)
    picture: Picture | None
    match position.moment:
        case Moment.ROUND_END:
            embed = round_embed(then, game.finished[-1])
            picture = round_picture(then, round_view(game, len(game.finished)))
        case Moment.GAME_END:
            embed = final_embeds(then)[-1]
            picture = results_picture(table, game)
        case _:
            colour = ACCENT if position.seat is None else SEAT_COLOURS[position.seat]
            embed = make_embed(round_title(game.round), *_turn_lines(then, position), colour=colour)
            picture = round_picture(then, game_view(game))
    counted = _("{number} of {all}").format(number=at + 1, all=len(positions))
    points = (f"{player_name(then, seat, clean_name)} {won}" for seat, won in sum_points(game).items())
    embed.set_footer(text=f"{counted} · {table.id}\n{' · '.join(points)}")
    buttons = _replay_buttons(table.id, positions, at)
    return Rendered([embed], buttons=buttons, picture=picture).adapt(pictures=table.options.pictures)


def _turn_lines(then: Table, position: Position) -> list[str]:
    card = require_card(position.card)
    if position.turn is None or position.seat is None:
        return [card_lines(card)]
    lines = [card_name(card), f"**{player_name(then, position.seat)}**"]
    if position.moment is Moment.ROLL:
        lines += ["🎲 " + _("Roll {number}").format(number=position.turn.rolls), worth_line(position.turn)]
    elif position.choice is not None:
        house = f" {HOUSE}" if position.by_house else ""
        lines.append(f"👉{house} {choice_words(position.turn, position.choice)}")
    if position.ended is not None and position.placed is not None:
        ended = position.ended.result
        result = ngettext("{result} point", "{result} points", ended).format(result=format_signed(ended))
        lines += ["", f"**{result}** — {track_sentence(position.placed)}"]
    return lines


def _replay_buttons(game_id: str, positions: Sequence[Position], at: int) -> list[ActionItem]:
    last = len(positions) - 1
    begin, end = at == 0, at == last

    def to_position(step: Step, to: int, emoji: str, *, disabled: bool) -> ActionItem:
        return button(ReplayPress(step, game_id, to), emoji=emoji, disabled=disabled, row=1)

    blue, grey = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    following = ReplayPress(Step.TURN, game_id, find_next_turn(positions, at))
    return [
        button(following, _("Next turn"), emoji="⏩", style=grey if end else blue, disabled=end),
        to_position(Step.FIRST, 0, "⏮️", disabled=begin),
        to_position(Step.BACK, max(at - 1, 0), "◀️", disabled=begin),
        to_position(Step.NEXT, min(at + 1, last), "▶️", disabled=end),
        to_position(Step.LAST, last, "⏭️", disabled=end),
        button(RecordPress(Step.FILE, game_id), _("Export"), emoji="📄", row=2),
        button(TablePress(Verb.REPORT, game_id, 0), _("Report"), emoji="📊", row=2),
    ]

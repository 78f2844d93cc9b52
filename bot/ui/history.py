"""Finished games: a list of them, the replay of one, position by position, and the statistics of a user."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import discord
from discord.utils import format_dt

from bot.domain.badges import Badge
from bot.domain.history import GAMES_PER_PAGE, DaysPlayed, FinishedGame, History, Player, Statistics
from bot.domain.ledger import CardStanding, PlayerStanding, Rating, chips_of, shown_rating
from bot.domain.outcome import MILLIONTHS
from bot.domain.table import Table
from bot.locales import _, format_gain, format_number, format_percentage, labelled, ngettext
from bot.ui.buttons import (
    ActionItem,
    FiguresPress,
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
from bot.ui.cup import fit_lines
from bot.ui.highlights import badge_lines, badge_name
from bot.ui.message import ACCENT, GOLD, QUIET, SEAT_COLOURS, Picture, Rendered, make_embed
from bot.ui.pictures.stats import MOST_RATINGS, StatsView, stats_png, stats_sentences
from bot.ui.pictures.views import game_view, results_view, round_view
from bot.ui.table import final_embeds, results_picture, round_embed, round_picture
from bot.ui.text import (
    BADGE,
    CHIPS,
    HOUSE,
    TROPHY,
    clean_name,
    escape_name,
    format_signed,
    former_player_name,
    player_name,
    shorten,
)
from bot.ui.turn import require_card, round_title, track_sentence, worth_line
from bot.ui.words import card_lines, card_name, games_words, points_words, wins_words
from highscore.cards import Card
from highscore.replaying import Moment, Position, find_next_turn
from highscore.standings import sum_points

LONGEST_CHOICE = 100
"""Discord's limit for the name of a choice, in characters."""
_GAMES_A_ROW = 4
LONGEST_FIELD = 1024
MOST_CARDS = 24
"""The most cards listed, preferring those played most often. The standard deck has 21."""


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
    """Return the user's name in their newest game on this page; None for a server's history or an empty page."""
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
        lines += ["", f"**{points_words(position.ended.result)}** — {track_sentence(position.placed)}"]
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


def render_stats(stats: Statistics, name: str = "") -> Rendered:
    """Show a user's badges and then their figures. ``name`` is needed only for a user who has nothing but cups."""
    line, days = stats.standing, stats.days
    figures = days if line is None else line
    name = name if figures is None else figures.name
    rated = [
        shown_rating(Rating(result.mu_after, result.sigma_after).careful)
        for result in stats.recent
        if result.mu_after is not None and result.sigma_after is not None
    ]
    results = () if stats.game is None else results_view(stats.game, ()).results[stats.recent[-1].seat]
    chips = () if line is None else tuple(chips_of(line).items())
    view = StatsView(tuple(rated[-MOST_RATINGS:]), chips, tuple(stats.badges), results)
    won = fit_lines([f"{BADGE} **{_('Cup won')}** · {escape_name(cup, len(cup))}" for cup in stats.cups])
    missing = ", ".join(map(badge_name, _missing_badges(stats)))
    badges = make_embed(
        "📈 " + escape_name(name),
        *(*won, *badge_lines(stats.badges)),
        "-# " + labelled(_("Still to earn"), missing) if missing else None,
        colour=GOLD,
    )
    lines = [*(() if line is None else _game_lines(line)), None if days is None else _days_line(days)]
    footer = _("On this server, all time. Wins and chips are from rated games only.")
    embeds = [badges, make_embed(None, *lines, colour=GOLD, footer=None if line is None else footer)]
    more = [] if line is None else [button(FiguresPress(line.user_id), _("More"), emoji="📊")]
    picture = Picture("stats.png", stats_sentences(view, clean_name(name)), stats_png, (view,))
    return Rendered(embeds[: None if figures else 1], buttons=more, picture=picture)


def render_figures(stats: Statistics, line: PlayerStanding) -> Rendered:
    """Show the second page: luck and skill, how to earn the missing badges, and the average result on each card."""
    embed = make_embed(
        "📈 " + escape_name(line.name),
        _luck_line(line) if line.reviewed and line.decisions else None,
        colour=GOLD,
        fields=[
            *_named_fields(_("Still to earn"), badge_lines(_missing_badges(stats))),
            *_named_fields(_("Average result on each card"), _card_lines(stats.cards)),
        ],
    )
    return Rendered([embed])


def _missing_badges(stats: Statistics) -> list[Badge]:
    return [badge for badge in Badge if badge not in stats.badges]


def _game_lines(line: PlayerStanding) -> list[str | None]:
    played = f"**{games_words(line.games)}**"
    if line.rated:
        rated = _("Rated: {number}").format(number=line.rated)
        played += f" · {rated} · **{wins_words(line.wins)}** ({format_percentage(line.wins / line.rated)})"
    streak = _("Wins in a row: **{number}** · most: {longest}")
    rating = _("Not rated yet. For a rating, play a game with another person.")
    if line.rating is not None:
        rating = _("Rating: **{rating}**").format(rating=shown_rating(line.rating))
    chips = "   ".join(f"{CHIPS[chip]} {count}" for chip, count in chips_of(line).items())
    return [
        played,
        streak.format(number=max(line.streak, 0), longest=line.longest) if line.longest else None,
        rating,
        f"{chips} · {points_words(line.points)}" if line.rated else None,
        None if line.best is None else _("Best result: **{result}**").format(result=format_signed(line.best)),
    ]


def _days_line(days: DaysPlayed) -> str:
    text = ngettext(
        "Daily challenge: **{number}** day · longest streak: {longest}",
        "Daily challenge: **{number}** days · longest streak: {longest}",
        days.number,
    )
    return text.format(number=days.number, longest=days.longest)


def _card_lines(cards: Sequence[CardStanding]) -> list[str]:
    most_played = sorted(cards, key=lambda card: (-card.turns, card.card))[:MOST_CARDS]
    return [_card_line(card) for card in sorted(most_played, key=lambda card: (-card.total / card.turns, card.card))]


def _card_line(card: CardStanding) -> str:
    average = format_number(card.total / card.turns, 1)
    span = f" · {format_signed(card.worst)} … {format_signed(card.best)}" if card.turns > 1 else ""
    return f"**{average}** {card_name(Card.parse(card.card))}{span} · ×{card.turns}"


def _luck_line(line: PlayerStanding) -> str:
    luck = format_gain(line.luck / MILLIONTHS / line.reviewed)
    loss = format_number(line.loss / MILLIONTHS / line.decisions, 3)
    text = _("In chip points: luck per game **{luck}**, given away per decision **{loss}**.")
    return text.format(luck=luck, loss=loss)


def _named_fields(name: str, lines: list[str]) -> list[tuple[str, str]]:
    """Put the lines into as few fields as Discord's limit allows. Only the first field has the name."""
    fields = lines[:1]
    for line in lines[1:]:
        joined = f"{fields[-1]}\n{line}"
        # Discord may count an emoji as one or two characters. UTF-16 gives the larger number, which is safe.
        if len(joined.encode("utf-16-le")) <= 2 * LONGEST_FIELD:
            fields[-1] = joined
        else:
            fields.append(line)
    return [("\u200b" if at else name, part) for at, part in enumerate(fields)]

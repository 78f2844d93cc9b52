"""The statistics of one user on a server: a first page with badges and the main figures, and a second with the rest."""

from collections.abc import Sequence

from bot.domain.badges import Badge
from bot.domain.history import DaysPlayed, Statistics
from bot.domain.ledger import CardStanding, PlayerStanding, Result, chips_of
from bot.domain.outcome import MILLIONTHS
from bot.domain.rating import Rating, shown_rating
from bot.locales import _, format_gain, format_number, format_percentage, labelled, ngettext
from bot.ui.buttons import FiguresPress, button
from bot.ui.cup import fit_lines
from bot.ui.highlights import badge_lines, badge_name
from bot.ui.message import GOLD, Picture, Rendered, make_embed
from bot.ui.pictures.stats import MOST_RATINGS, StatsView, stats_png, stats_sentences
from bot.ui.pictures.views import results_view
from bot.ui.text import BADGE, CHIPS, clean_name, escape_name, format_signed
from bot.ui.words import card_name, games_words, points_words, wins_words
from highscore.cards import Card

LONGEST_FIELD = 1024
MOST_CARDS = 24
"""The most cards listed, preferring those played most often. The standard deck has 21."""


def render_stats(stats: Statistics, name: str = "") -> Rendered:
    """Show a user's badges and then their figures. ``name`` is needed only for a user who has nothing but cups."""
    line, days = stats.standing, stats.days
    figures = days if line is None else line
    name = name if figures is None else figures.name
    rated = [rating for result in stats.recent if (rating := find_rating_after(result)) is not None]
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


def _game_lines(line: PlayerStanding) -> tuple[str | None, ...]:
    streak = _("Wins in a row: **{number}** · most: {longest}")
    return (
        _games_line(line),
        streak.format(number=max(line.streak, 0), longest=line.longest) if line.longest else None,
        _rating_line(line),
        _chips_line(line) if line.rated else None,
        None if line.best is None else _("Best result: **{result}**").format(result=format_signed(line.best)),
    )


def _days_line(days: DaysPlayed) -> str:
    text = ngettext(
        "Daily challenge: **{number}** day · longest streak: {longest}",
        "Daily challenge: **{number}** days · longest streak: {longest}",
        days.number,
    )
    return text.format(number=days.number, longest=days.longest)


def _card_lines(cards: Sequence[CardStanding]) -> list[str]:
    most_played = sorted(cards, key=lambda card: (-card.turns, card.card))[:MOST_CARDS]
    return [_card_line(card) for card in sorted(most_played, key=lambda card: (-_find_average(card), card.card))]


def find_rating_after(result: Result) -> int | None:
    """Return the user's rating after a game; None if the game was not rated."""
    if result.mu_after is None or result.sigma_after is None:
        return None
    return shown_rating(Rating(result.mu_after, result.sigma_after).careful)


def _find_average(card: CardStanding) -> float:
    return card.total / card.turns


def _games_line(line: PlayerStanding) -> str:
    games, wins = games_words(line.games), wins_words(line.wins)
    if not line.rated:
        return f"**{games}**"
    rated = _("Rated: {number}").format(number=line.rated)
    return f"**{games}** · {rated} · **{wins}** ({format_percentage(line.wins / line.rated)})"


def _rating_line(line: PlayerStanding) -> str:
    if line.rating is None:
        return _("Not rated yet. For a rating, play a game with another person.")
    return _("Rating: **{rating}**").format(rating=shown_rating(line.rating))


def _chips_line(line: PlayerStanding) -> str:
    chips = "   ".join(f"{CHIPS[chip]} {count}" for chip, count in chips_of(line).items())
    return f"{chips} · {points_words(line.points)}"


def _luck_line(line: PlayerStanding) -> str:
    luck = format_gain(line.luck / MILLIONTHS / line.reviewed)
    loss = format_number(line.loss / MILLIONTHS / line.decisions, 3)
    text = _("In chip points: luck per game **{luck}**, given away per decision **{loss}**.")
    return text.format(luck=luck, loss=loss)


def _card_line(card: CardStanding) -> str:
    span = f"{format_signed(card.worst)} … {format_signed(card.best)}" if card.turns > 1 else ""
    times = f"×{card.turns}"
    parts = [f"**{format_number(_find_average(card), 1)}** {card_name(Card.parse(card.card))}", span, times]
    return " · ".join(part for part in parts if part)


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

"""The daily challenge as pictures: somebody's end of it, and the podium; and what a challenge is called."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.daily import Attempt, Daily, Ranked
from bot.locales import _, format_number, ngettext
from bot.ui.message import Picture
from bot.ui.pictures.daily import DailyView, attempt_view, daily_alt, daily_png
from bot.ui.text import format_chance
from highscore.deck import ROUNDS


def day_title(daily: Daily) -> str:
    """Return the name of a challenge, the same on every server."""
    return _("High Score #{number}").format(number=daily.number)


def score_title(attempt: Attempt) -> str:
    """Return the name of a challenge with a score in it and par."""
    title = ngettext(
        "{challenge}: {score} point, par {par}", "{challenge}: {score} points, par {par}", attempt.run.total
    )
    par = format_number(attempt.daily.par, 1)
    return title.format(challenge=day_title(attempt.daily), score=attempt.run.total, par=par)


def make_attempt_picture(attempt: Attempt, view: DailyView) -> Picture:
    """Return a finished attempt as a picture to be shared."""
    return _day_picture(view, daily_alt(view, score_title(attempt), _kept_words(view)))


def make_end_picture(attempt: Attempt, ranking: Sequence[Ranked], *, over: bool) -> Picture:
    """Return an attempt as a picture for its player, who sees the ranking: beside the best score of the server."""
    own = next((line for line in ranking if line.user_id == attempt.user_id), None)
    best = ranking[0].score if ranking and ranking[0].score > attempt.run.total else None
    place = None if own is None else own.place
    return make_attempt_picture(attempt, replace(attempt_view(attempt, over=over), place=place, best=best))


def make_podium_picture(daily: Daily, ranking: Sequence[Ranked]) -> Picture:
    """Return the best score of a day as a picture, with the scores of the first ones against par."""
    bars = tuple(line.score / daily.par for line in ranking[:ROUNDS])
    view = DailyView(daily.number, ranking[0].score, daily.par, bars)
    told = [_("The server's best: {score}."), _("{number} people finished."), _("Par {par}")]
    facts = {"score": view.score, "number": len(ranking), "par": format_number(daily.par, 1)}
    return _day_picture(view, f"{day_title(daily)}. " + " ".join(each.format(**facts) for each in told))


def _day_picture(view: DailyView, alt: str) -> Picture:
    return Picture("daily.png", alt, daily_png, (view, format_number(view.par, 1), _kept_words(view)))


def _kept_words(view: DailyView) -> str:
    return "" if view.kept is None else format_chance(view.kept)

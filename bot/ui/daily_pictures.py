"""The daily challenge as pictures: somebody's end of it, and the post of the morning; and the name of a challenge."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, Ranked, daily_number
from bot.locales import _, format_day, format_number, labelled, ngettext
from bot.ui.message import Picture
from bot.ui.pictures.daily import ON_PODIUM, MorningView, attempt_view, daily_png, daily_sentences, morning_png
from bot.ui.text import clean_name, format_chance
from bot.ui.words import card_name


def day_title(daily: Daily) -> str:
    """Return the name of a challenge, the same on every server."""
    return _("High Score #{number}").format(number=daily.number)


def past_day_name(day: date, score: int | None) -> str:
    """Return the name of a day that is over, to be picked, with the score of the player."""
    number, date_words = daily_number(day), format_day(day)
    if score is None:
        return _("#{number} · {day} · not finished").format(number=number, day=date_words)
    text = ngettext("#{number} · {day} · {score} point", "#{number} · {day} · {score} points", score)
    return text.format(number=number, day=date_words, score=score)


def score_title(attempt: Attempt[Daily]) -> str:
    """Return the name of a challenge with a score in it and par."""
    title = ngettext(
        "{challenge}: {score} point, par {par}", "{challenge}: {score} points, par {par}", attempt.run.total
    )
    par = format_number(attempt.challenge.par, 1)
    return title.format(challenge=day_title(attempt.challenge), score=attempt.run.total, par=par)


def make_attempt_picture(
    attempt: Attempt[Daily], place: int | None, *, over: bool, kept: float | None = None, best: int | None = None
) -> Picture:
    """Return a finished attempt as a picture; the arguments are as in ``DailyView``."""
    view = replace(attempt_view(attempt, over=over), place=place, kept=kept, best=best)
    par, share = format_number(view.par, 1), "" if kept is None else format_chance(kept)
    return Picture("daily.png", daily_sentences(view, score_title(attempt), share), daily_png, (view, par, share))


def make_morning_picture(daily: Daily, ranking: Sequence[Ranked], today: Daily | None) -> Picture:
    """Return the first ones of a day and the cards of the next as a picture for the channel."""
    first, par = ranking[:ON_PODIUM], format_number(daily.par, 1)
    view = MorningView(daily.number, tuple((line.place, line.name, line.score) for line in first))
    told = [labelled(day_title(daily), _("Par {par}").format(par=par))]
    told += [f"{line.place}. " + labelled(clean_name(line.name), line.score) for line in first]
    if today is not None:
        view = replace(view, today=today.number, cards=today.cards)
        told += [labelled(day_title(today), ", ".join(map(card_name, today.cards)))]
    return Picture("morning.png", tuple(f"{sentence}." for sentence in told), morning_png, (view, par))

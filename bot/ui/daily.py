"""The daily challenge: the private page of a player, and the posts for everybody.

No post sent before the end of the day shows a die or the result on a single card.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime

import discord
from discord.utils import format_dt

from bot.domain.badges import Badge
from bot.domain.challenge import Attempt
from bot.domain.daily import ONE_DAY, Daily, Ranked, daily_number, may_share
from bot.locales import _, format_day, format_number, labelled, ngettext
from bot.ui.buttons import Action, ActionItem, ChallengeKind, ChallengePress, DailyPress, ReviewPress, Verb, button
from bot.ui.challenge import PrivatePage, attempt_page, attempt_press, day_title, played_lines, score_title, text_button
from bot.ui.highlights import badge_lines, new_badge_lines
from bot.ui.message import GOLD, Picture, Rendered, make_embed
from bot.ui.pictures.daily import ON_PODIUM, attempt_view, daily_png, daily_sentences, morning_png
from bot.ui.proof import code_line
from bot.ui.text import BADGE, MEDALS, clean_name, command_mention, escape_name, format_chance, place_number
from bot.ui.words import card_name

LONGEST_RANKING = 15
MOST_ON_PODIUM = 12
"""The most lines of a podium. Shared places can make it longer than three."""


def daily_page(
    attempt: Attempt[Daily],
    now: datetime,
    ranking: Sequence[Ranked] = (),
    week: Sequence[Ranked] = (),
    *,
    pictures: bool = True,
    rare: bool = False,
) -> PrivatePage:
    """Return the private page of an attempt. Only users who have finished the challenge see the rankings."""
    daily = attempt.challenge
    over = daily.is_closed(now)
    ends = "⏳ " + _("End of the day: {when}").format(when=format_dt(daily.ends_at, "R"))
    if over:
        ends = "⌛ " + _(
            "The day is over. You can still play its challenge, but it isn't ranked and doesn't count for your streak."
        )
    pitch = _pitch_lines(attempt, over=over)
    end = _render_end(attempt, ranking, week, now) if attempt.run.complete else None
    return attempt_page(attempt, day_title(daily), ends, pitch, end, pictures=pictures, rare=rare, hints=over)


def render_shared_score(attempt: Attempt[Daily], kept: float | None = None, place: int | None = None) -> Rendered:
    """Show a score in the channel, without cards and dice.

    ``kept`` is the share of par that the decisions kept, 0 to 1; None while the day lasts.
    """
    daily = attempt.challenge
    lines = [
        f"📅 **{escape_name(attempt.name)}** · {score_title(day_title(daily), attempt)}{_streak_words(attempt.streak)}"
    ]
    if kept is not None:
        lines.append("📊 " + _("Par kept: {share}").format(share=format_chance(kept)))
    if not attempt.ranked:
        lines.append("-# " + _("It isn't ranked, because it was played after its day."))
    if kept is None:
        press = DailyPress(daily.id, daily.number)
        label = _("Beat {score}").format(score=attempt.run.total)
        buttons = [button(press, label, emoji="🎲", style=discord.ButtonStyle.primary)]
    else:
        buttons = [play_button(daily)]
    picture = _make_attempt_picture(attempt, place, over=kept is not None, kept=kept)
    return Rendered([], "\n".join(lines), buttons, picture=picture)


def not_posted_text() -> str:
    text = _("I couldn't post your score in the daily challenge. You can share it again with {command}.")
    return text.format(command=command_mention("daily"))


def render_podium(
    daily: Daily, ranking: Sequence[Ranked], week: Sequence[Ranked] = (), today: Daily | None = None
) -> Rendered:
    """Show the morning post: the podium of a day, and the challenge of ``today`` with its lock.

    The post after a Sunday also shows the ranking of the week. ``today`` is None if the server has no channel for the
    morning post, or if nobody has played for some days.
    """
    earned = ((escape_name(line.name), line.badge) for line in ranking if line.badge is not None)
    badges = [f"{BADGE} {badge}" for badge in new_badge_lines(earned)]
    picture = _make_morning_picture(daily, ranking, today) if ranking or today else None
    sentence = "📅 " + _("{challenge} is over").format(challenge=day_title(daily))
    if today is not None:
        # The post stays in the channel. A relative time would soon say that the day ended some hours ago.
        sentence = "📅 " + _("**{challenge}** is open until {when}").format(
            challenge=day_title(today), when=format_dt(today.ends_at, "f")
        )
    lock = None if today is None else code_line(today.lock)
    # The picture has room for three players. Others who share their places are listed below it.
    nobody = _("Nobody finished it in time.") if picture is None else None
    shared = [line for line in ranking[ON_PODIUM:MOST_ON_PODIUM] if line.place <= len(MEDALS)]
    further = [f"{MEDALS[line.place - 1]} {_score_line(line)}" for line in shared]
    embeds = [make_embed(None, sentence, nobody, *further, *badges, lock, colour=GOLD)]
    if week and (daily.day + ONE_DAY).isocalendar().week != daily.day.isocalendar().week:
        embeds.append(_week_embed(week, None))
    proof = button(ChallengePress(ChallengeKind.DAILY, Verb.PROOF, daily.id), _("Proof"), emoji="🔏", row=1)
    # Without a ranking, nobody has decisions to look at. Users who finish later find the button on their own page.
    decisions = [_review_button(daily)] if ranking else []
    return Rendered(embeds, buttons=[play_button(daily), *decisions, proof], picture=picture)


def play_button(daily: Daily) -> ActionItem:
    """Return the button that opens the challenge of the day on which it is pressed, not that of its message."""
    return today_button(DailyPress(daily.id), discord.ButtonStyle.primary)


def today_button(press: Action, style: discord.ButtonStyle = discord.ButtonStyle.secondary, row: int = 0) -> ActionItem:
    return button(press, _("Play today's challenge"), emoji="📅", style=style, row=row)


def _pitch_lines(attempt: Attempt[Daily], *, over: bool) -> list[str]:
    pitch = _(
        "Everybody gets the same seven cards and the same dice. You have one attempt, and you can pause"
        " whenever you like."
    )
    if over:
        day = format_day(attempt.challenge.day)
        pitch = _("This is the challenge of {day}, with the dice of that day.").format(day=day)
    if over or not attempt.streak:
        return [pitch]
    return [pitch, "🔥 " + _("Your streak: {number}. Finish today to keep it going.").format(number=attempt.streak)]


def _end_buttons(attempt: Attempt[Daily], now: datetime) -> list[ActionItem]:
    daily = attempt.challenge
    buttons = [*share_buttons(attempt, now), text_button(attempt_press(attempt, Verb.TEXT))]
    if daily.is_closed(now):
        buttons.append(_review_button(daily))
        buttons.append(button(attempt_press(attempt, Verb.PROOF), _("Proof"), emoji="🔏", row=1))
    if (before := daily.number - 1) >= 1:
        # A streak of two or more days includes the day before, unless a change of the time zone cut that day short.
        label = _("Back to #{number}") if attempt.streak > 1 else _("Play #{number}, unranked")
        press = DailyPress(daily.id, before)
        buttons.append(button(press, label.format(number=before), emoji="◀️", row=2))
    return buttons


def share_buttons(attempt: Attempt[Daily], now: datetime) -> list[ActionItem]:
    share = may_share(attempt, now)
    style = discord.ButtonStyle.primary if share else discord.ButtonStyle.secondary
    label = _("Share") if share else _("Shared")
    return [button(attempt_press(attempt, Verb.SHARE), label, emoji="📣", style=style, disabled=not share)]


def _review_button(daily: Daily) -> ActionItem:
    return button(ReviewPress(ChallengeKind.DAILY, daily.id), _("Decisions"), emoji="📊", row=1)


def _render_end(attempt: Attempt[Daily], ranking: Sequence[Ranked], week: Sequence[Ranked], now: datetime) -> Rendered:
    own = next((line for line in ranking if line.user_id == attempt.user_id), None)
    over = attempt.challenge.is_closed(now)
    embeds = [_result_embed(attempt, None if own is None else own.badge)]
    if ranking:
        embeds.append(_ranking_embed(attempt, ranking, over=over))
    if week:
        embeds.append(_week_embed(week, attempt.user_id))
    best = ranking[0].score if ranking and ranking[0].score > attempt.run.total else None
    picture = _make_attempt_picture(attempt, None if own is None else own.place, over=over, best=best)
    return Rendered(embeds, buttons=_end_buttons(attempt, now), picture=picture)


def _result_embed(attempt: Attempt[Daily], badge: Badge | None) -> discord.Embed:
    fields = []
    if attempt.streak > 1:
        fields.append((_("Streak"), "🔥 " + _("Days in a row: {days}").format(days=attempt.streak)))
    if badge is not None:
        fields.append((_("A new badge"), badge_lines([badge])[0]))
    return make_embed(
        score_title(day_title(attempt.challenge), attempt),
        *played_lines(attempt),
        None if attempt.ranked else "-# " + _("It isn't ranked, because it was played after its day."),
        colour=GOLD,
        fields=fields,
    )


def _ranking_embed(attempt: Attempt[Daily], ranking: Sequence[Ranked], *, over: bool) -> discord.Embed:
    ends = format_dt(attempt.challenge.ends_at, "f")
    posted = _("Podium: {when}").format(when=ends)
    return make_embed(
        _("The day's ranking") if over else _("The day's ranking so far"),
        *_ranked_lines(ranking, attempt.user_id, _score_line),
        None if over else f"-# {posted}",
    )


def _ranked_lines(ranking: Sequence[Ranked], user_id: int | None, words: Callable[[Ranked], str]) -> list[str]:
    lines = [
        f"{place_number(line.place)} {words(line)}" + (" 👈" if line.user_id == user_id else "")
        for index, line in enumerate(ranking)
        if index < LONGEST_RANKING or line.user_id == user_id
    ]
    if left_out := len(ranking) - len(lines):
        lines.append("-# " + _("More: {number}").format(number=left_out))
    return lines


def _week_embed(week: Sequence[Ranked], user_id: int | None) -> discord.Embed:
    def words(line: Ranked) -> str:
        days = ngettext("{number} day", "{number} days", line.days).format(number=line.days)
        return f"{escape_name(line.name)} **{line.score}** · {days}"

    return make_embed("🗓️ " + _("The week"), *_ranked_lines(week, user_id, words))


def _score_line(line: Ranked) -> str:
    return f"{escape_name(line.name)} **{line.score}**{_streak_words(line.days)}"


def _streak_words(days: int) -> str:
    return f" · 🔥 {days}" if days > 1 else ""


def past_day_name(day: date, score: int | None) -> str:
    number, date_words = daily_number(day), format_day(day)
    if score is None:
        return _("#{number} · {day} · not finished").format(number=number, day=date_words)
    text = ngettext("#{number} · {day} · {score} point", "#{number} · {day} · {score} points", score)
    return text.format(number=number, day=date_words, score=score)


def _make_attempt_picture(
    attempt: Attempt[Daily], place: int | None, *, over: bool, kept: float | None = None, best: int | None = None
) -> Picture:
    share = "" if kept is None else format_chance(kept)
    view = attempt_view(attempt, place, share, best, over=over)
    sentences = daily_sentences(view, score_title(day_title(attempt.challenge), attempt))
    return Picture("daily.png", sentences, daily_png, (view, format_number(view.par, 1)))


def _make_morning_picture(daily: Daily, ranking: Sequence[Ranked], today: Daily | None) -> Picture:
    first, par = ranking[:ON_PODIUM], format_number(daily.par, 1)
    sentences = [labelled(day_title(daily), _("Par {par}").format(par=par))]
    sentences += [f"{line.place}. " + labelled(clean_name(line.name), line.score) for line in first]
    if today is not None:
        sentences += [labelled(day_title(today), ", ".join(map(card_name, today.cards)))]
    view = (daily.number, first, today, par)
    return Picture("morning.png", tuple(f"{sentence}." for sentence in sentences), morning_png, view)

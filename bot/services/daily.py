"""The daily challenge: opening a day, beginning and resuming attempts, rankings, and sharing a score."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from sqlalchemy import Connection

from bot.domain.badges import DAYS_IN_A_ROW
from bot.domain.calendar import day_of, moment_at
from bot.domain.challenge import Attempt
from bot.domain.daily import (
    ONE_DAY,
    Daily,
    Ranked,
    continue_streak,
    daily_number,
    day_of_number,
    make_ranking,
    may_share,
)
from bot.domain.errors import Refused
from bot.domain.server_settings import ServerSettings
from bot.locales import _
from bot.services.challenge import Rules, change_attempt, load_begun, load_finished, resume_attempt, start_attempt
from bot.services.core import Core, Person, Place, get_server_settings
from bot.services.lobby import TABLE_ID_BYTES, refuse_elsewhere
from bot.store import daily as store
from bot.store.challenge import find_medians, load_attempt
from bot.store.database import LockScope, lock_subjects
from bot.store.marks import MarkKind, add_marks, load_marks
from highscore.fairness import SEED_BYTES, Source, draw_daily_cards
from highscore.odds.facts import compute_averages as card_averages

QUIET_DAYS = 7
"""Stop posting the daily challenge after this many days without a player."""
DAYS_SUGGESTED = 25
"""The number of past days in the list from which a user can choose."""


async def begin_attempt(core: Core, person: Person, place: Place, number: int | None = None) -> Attempt[Daily]:
    """Return the person's attempt at today's challenge, or at the one with this number. Begin it if they have not.

    The bot's morning post or the first attempt opens the day on a server. From then on, its seed is sealed, and the
    time at which it ends is fixed. A past day can be played too, unranked. Raise Refused if there is no challenge with
    this number, if the server does not allow play in this channel, or if the person has played today and then deleted
    their data.
    """
    guild_id = place.guild_id
    settings = await get_server_settings(core, guild_id)
    refuse_elsewhere(settings, place)
    open_day = await _make_opener(core, guild_id, place.locale, _find_asked_day(core, settings, number))

    def work(connection: Connection, now: datetime) -> tuple[Attempt[Daily] | None, Attempt[Daily]]:
        lock_subjects(connection, LockScope.GUILD, guild_id)
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        daily = open_day(connection)
        before = load_attempt(connection, daily, person.user_id)
        if before is not None:
            return before, resume_attempt(before, person, place.channel_id)
        mark = (person.user_id,)
        if not daily.is_closed(now) and load_marks(connection, MarkKind.DAILY, [mark], now, guild_id=guild_id)[mark]:
            raise _already_played(daily)  # They have deleted their data since then.
        streak = continue_streak(daily, store.load_days_before(connection, daily, person.user_id), settings.zone)
        return None, start_attempt(connection, daily, person, place.channel_id, now, streak=streak)

    return await change_attempt(core, person, work)


def _already_played(daily: Daily) -> Refused:
    text = _("You have already played today's challenge here. The next one: {when}")
    return Refused(text.format(when=f"<t:{int(daily.ends_at.timestamp())}:R>"))


async def open_today(core: Core, guild_id: int, locale: str) -> Daily | None:
    """Return the challenge that runs on a server now. Open it if it is not open yet. Return None if the
    challenge of this date is already over, because the server has moved to a time zone further west.
    """
    open_day = await _make_opener(core, guild_id, locale, None)

    def transaction(connection: Connection) -> Daily:
        lock_subjects(connection, LockScope.GUILD, guild_id)
        return open_day(connection)

    try:
        return await core.database.write(transaction)
    except Refused:
        return None


def _find_asked_day(core: Core, settings: ServerSettings, number: int | None) -> date | None:
    """Return the date of the challenge with this number, or None for today's. Raise Refused if the number is in the
    future or below 1.
    """
    if number is None:
        return None
    today = daily_number(day_of(core.now(), settings.zone))
    if not 1 <= number <= today:
        raise Refused(_("Choose a challenge from #1 to #{today}, which is today's.").format(today=today))
    return None if number == today else day_of_number(number)


async def _make_opener(core: Core, guild_id: int, locale: str, asked: date | None) -> Callable[[Connection], Daily]:
    """Return a function that, in a transaction, loads the challenge of the day ``asked``, or opens it. None stands for
    today's.
    """
    settings, now = await get_server_settings(core, guild_id), core.now()
    day = day_of(now, settings.zone) if asked is None else asked
    # Solving the cards takes too long for the transaction. All servers with this deck have the same cards on a day.
    averages = await core.helper.run(card_averages, draw_daily_cards(day.isoformat(), core.deck))

    def open_day(connection: Connection) -> Daily:
        known = (
            store.load_running(connection, guild_id, now)
            if asked is None
            else store.load_of_day(connection, guild_id, day)
        )
        if known is not None:
            return known
        daily_id, seed = secrets.token_hex(TABLE_ID_BYTES), secrets.token_bytes(SEED_BYTES)
        ends_at = moment_at(day + ONE_DAY, time(), settings.zone)
        daily = Daily(
            id=daily_id,
            guild_id=guild_id,
            day=day,
            cards_name=day.isoformat(),
            ends_at=ends_at,
            closed_at=ends_at,
            locale=settings.language or locale,
            deck=core.deck,
            averages=averages,
            seed=seed,
            seal=Source(seed, daily_id).seal,
        )
        if asked is None and store.load_of_day(connection, guild_id, day) is not None:
            # The time zone was changed to one further west after this day had been played.
            raise _already_played(daily)
        store.add_daily(connection, daily, now)
        return daily

    return open_day


def _count_day(connection: Connection, before: Attempt[Daily], after: Attempt[Daily], now: datetime) -> Attempt[Daily]:
    """Mark that a person has played this day, if they take their first dice before it ends.

    If they have just finished, return the attempt with their streak (0 if the day is over), and with the medians of
    everybody who has finished so far.
    """
    daily = before.challenge
    if before.step == 0 and not daily.is_closed(now):
        subjects = [(before.user_id,)]
        add_marks(connection, MarkKind.DAILY, subjects, now, guild_id=daily.guild_id, ends_at=daily.ends_at)
    if after.finished_at is None:
        return after
    medians = find_medians(connection, daily.id, after.results)
    return replace(after, streak=(before.streak + 1) * after.ranked, medians=medians)


DAYS = Rules(
    store.load_daily,
    lambda: _("You haven't started this challenge. `/highscore daily` starts today's."),
    count=_count_day,
)


async def load_boards(core: Core, daily: Daily) -> tuple[tuple[Ranked, ...], tuple[Ranked, ...]]:
    """Return the ranking of a day, and that of its week up to this day.

    The ranking of the day has the badges that people have earned on it for the first time on this server.
    """

    def load(connection: Connection) -> tuple[tuple[Ranked, ...], tuple[Ranked, ...]]:
        day = make_ranking(store.load_finishers(connection, daily.id))
        for badge, days in DAYS_IN_A_ROW.items():
            reached = [line.user_id for line in day if line.days == days]
            new = set(reached) - store.find_streak_holders(connection, daily, days, reached) if reached else set()
            day = tuple(replace(line, badge=badge) if line.user_id in new else line for line in day)
        return day, make_ranking(store.load_week_of_finishers(connection, daily))

    return await core.database.read(load)


async def share_attempt(core: Core, daily_id: str, person: Person, channel_id: int) -> Attempt[Daily]:
    """Have a worker post a line about a finished attempt in a channel. Raise Refused if the attempt is not finished or
    may not be shared again. Each can be shared once on its day and once afterwards.
    """

    def work(connection: Connection, now: datetime) -> tuple[Attempt[Daily], Attempt[Daily]]:
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        attempt = load_finished(connection, DAYS, daily_id, person.user_id)
        if not may_share(attempt, now):
            raise Refused(_("You have already shared this one."))
        return attempt, replace(attempt, channel_id=channel_id, shared_at=now)

    return await change_attempt(core, person, work)


async def unshare_attempt(core: Core, attempt: Attempt[Daily]) -> None:
    """Allow a person to share an attempt again, because its line could not be posted. Do nothing if they have shared it
    again since then.
    """

    def work(connection: Connection, _now: datetime) -> tuple[Attempt[Daily], Attempt[Daily]]:
        lock_subjects(connection, LockScope.PERSON, attempt.user_id)
        stored = load_begun(connection, DAYS, attempt.challenge.id, attempt.user_id)
        return stored, replace(stored, shared_at=None) if stored.shared_at == attempt.shared_at else stored

    await change_attempt(core, Person(attempt.user_id, ""), work)


async def load_past_days(core: Core, guild_id: int, user_id: int) -> dict[date, int | None]:
    """Return the DAYS_SUGGESTED days before today, newest first, with the person's score. The score is None if they
    have not finished. Days before the first challenge are left out.
    """
    settings = await get_server_settings(core, guild_id)
    today = day_of(core.now(), settings.zone)
    days = [today - timedelta(days=back) for back in range(1, DAYS_SUGGESTED + 1)]
    scores = await core.database.read(store.load_scores_of, guild_id, user_id, days[-1])
    return {day: scores.get(day) for day in days if daily_number(day) >= 1}

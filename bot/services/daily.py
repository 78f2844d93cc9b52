"""The daily challenge: beginning or resuming an attempt, playing it, the ranking and the proof."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from sqlalchemy import Connection

from bot.domain.badges import DAYS_IN_A_ROW
from bot.domain.calendar import day_of, moment_at
from bot.domain.daily import Attempt, Daily, Ranked, daily_number, day_of_number, latest_daily, make_ranking, next_daily
from bot.domain.errors import MovedOn, Refused
from bot.domain.happened import Happened
from bot.domain.server_settings import ServerSettings
from bot.locales import _
from bot.services.core import Core, Person, get_server_settings
from bot.services.interactions import write_once
from bot.services.lobby import MAX_NAME, TABLE_ID_BYTES, refuse_elsewhere
from bot.services.proof import Sealed, check_document
from bot.store.away import end_away
from bot.store.daily import (
    add_daily,
    find_streak_holders,
    load_attempt,
    load_daily,
    load_finishers,
    load_of_day,
    load_running,
    load_scores_of,
    load_streak_before,
    load_week_of_finishers,
    save_attempt,
)
from bot.store.interactions import forget_old_interactions, note_interaction
from bot.store.locks import LockScope, lock_subjects
from bot.store.marks import MarkKind, add_marks, load_marks
from bot.store.practised import load_practised
from highscore.dealer import play_event
from highscore.events import Decided, Decision
from highscore.fairness import SEED_BYTES, Source, draw_daily_cards, hash_words
from highscore.game import Game
from highscore.notation import format_results
from highscore.odds.analysis import Report, analyse_game
from highscore.odds.facts import compute_averages as card_averages
from highscore.odds.hint import Hint, find_hint
from highscore.proof import Export, Proof
from highscore.turn_order import TurnOrder

QUIET_DAYS = 7
"""The days without a player after which a server is told nothing of the challenge until somebody plays."""
SUGGESTED = 25
"""The number of past days that are suggested to be played."""


async def begin_attempt(
    core: Core,
    person: Person,
    *,
    guild_id: int,
    channel_id: int,
    locale: str,
    parent_id: int | None = None,
    number: int | None = None,
) -> Attempt:
    """Return the person's attempt of today, or of the day with a number, begun if it was not.

    The first attempt of a server opens its day: a seed is sealed, and the ranking is settled when the day ends. A day
    that is over can be begun, too, unranked. Raise Refused.
    """
    settings = await get_server_settings(core, guild_id)
    refuse_elsewhere(core, settings, guild_id, channel_id, parent_id)
    open_day = await _make_opener(core, guild_id, locale, _find_asked_day(core, settings, number))

    def work(connection: Connection, now: datetime) -> tuple[Attempt | None, Attempt]:
        lock_subjects(connection, LockScope.GUILD, guild_id)
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        daily = open_day(connection)
        before = load_attempt(connection, daily, person.user_id)
        if before is not None:
            after = before if before.finished_at else _sign(before, person, channel_id)
            return before, after
        if now < daily.ends_at:
            _check_not_played(connection, daily, person.user_id, now)
        forget_old_interactions(connection, now)
        game, happened = play_event(Game(1, TurnOrder.OWN_PACE), None, daily.source, daily.deck)
        streak = load_streak_before(connection, daily, person.user_id)
        practised = load_practised(connection, guild_id, person.user_id)
        name = person.name[:MAX_NAME]
        return None, Attempt(daily, person.user_id, name, channel_id, happened, game, streak, practised=practised)

    return await _change(core, person, work)


def _check_not_played(connection: Connection, daily: Daily, user_id: int, now: datetime) -> None:
    """Raise Refused if somebody without an attempt has played this day, which is not over yet."""
    if load_marks(connection, MarkKind.DAILY, [(user_id,)], now, guild_id=daily.guild_id)[user_id,]:
        raise _already_played(daily)


def _already_played(daily: Daily) -> Refused:
    text = _("Today's challenge has been played here already. The next one begins {when}.")
    return Refused(text.format(when=f"<t:{int(daily.ends_at.timestamp())}:R>"))


async def open_today(core: Core, guild_id: int, locale: str) -> Daily | None:
    """Return the running day of a server, opened if nobody has; None if it was played, in a zone further east."""
    open_day = await _make_opener(core, guild_id, locale, None)

    def transaction(connection: Connection) -> Daily:
        lock_subjects(connection, LockScope.GUILD, guild_id)
        return open_day(connection)

    try:
        return await core.database.write(transaction)
    except Refused:
        return None


def _find_asked_day(core: Core, settings: ServerSettings, number: int | None) -> date | None:
    """Return the day of a number; None for today's. Raise Refused for a number of the future, or of no day."""
    if number is None:
        return None
    today = daily_number(latest_daily(day_of(core.now(), settings.zone)))
    if not 1 <= number <= today:
        raise Refused(_("There are challenges from #1 to #{today}, which is today's.").format(today=today))
    return None if number == today else day_of_number(number)


async def _make_opener(core: Core, guild_id: int, locale: str, asked: date | None) -> Callable[[Connection], Daily]:
    """Return a function that finds a day of a server (None: the running one) in a transaction, or opens it."""
    settings, now = await get_server_settings(core, guild_id), core.now()
    day = latest_daily(day_of(now, settings.zone)) if asked is None else asked
    # Solving cards takes too long for the transaction. All servers with this deck have the same cards on a day.
    averages = await core.helper.run(card_averages, draw_daily_cards(day.isoformat(), core.deck))

    def open_day(connection: Connection) -> Daily:
        known = load_running(connection, guild_id, now) if asked is None else load_of_day(connection, guild_id, day)
        if known is not None:
            return known
        daily_id, seed = secrets.token_hex(TABLE_ID_BYTES), secrets.token_bytes(SEED_BYTES)
        daily = Daily(
            id=daily_id,
            guild_id=guild_id,
            day=day,
            ends_at=moment_at(next_daily(day), time(), settings.zone),
            locale=settings.language or locale,
            deck=core.deck,
            averages=averages,
            seed=seed,
            seal=Source(seed, daily_id).seal,
        )
        if asked is None and load_of_day(connection, guild_id, day) is not None:
            # The server has moved to a time zone further west after a day that was played.
            raise _already_played(daily)
        add_daily(connection, daily, now)
        return daily

    return open_day


async def decide_daily(
    core: Core, daily_id: str, person: Person, decision: Decision, *, step: int, channel_id: int
) -> Attempt:
    """Play a decision that was made at this step of the attempt; after the end of the day it stays unranked.

    Raise MovedOn if the attempt has moved on, Refused to people who have not begun, and the engine's IllegalChoice.
    """

    def work(connection: Connection, now: datetime) -> tuple[Attempt, Attempt]:
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        before = _check_current(_load_begun(connection, daily_id, person.user_id), step)
        daily = before.daily
        if before.step == 0 and now < daily.ends_at:
            subjects = [(person.user_id,)]
            add_marks(connection, MarkKind.DAILY, subjects, now, guild_id=daily.guild_id, ends_at=daily.ends_at)
        game, happened = play_event(before.game, Decided(0, decision), daily.source, daily.deck)
        after = replace(_sign(before, person, channel_id), events=(*before.events, *happened), game=game)
        if game.complete:
            after = replace(after, streak=(before.streak + 1) * (now < daily.ends_at), finished_at=now)
        return before, after

    attempt = await _change(core, person, work)
    core.metrics.count_decision(decision)
    return attempt


async def view_attempt(core: Core, daily_id: str, user_id: int, step: int) -> Attempt:
    """Return the attempt, changing nothing. Raise what ``decide_daily`` would raise before it decides."""
    return _check_current(await core.database.read(_load_begun, daily_id, user_id), step)


async def load_boards(core: Core, daily: Daily) -> tuple[tuple[Ranked, ...], tuple[Ranked, ...]]:
    """Return the rankings of a day and of its week so far: for those who have finished, and all when it is over."""
    week = await core.database.read(load_week_of_finishers, daily)
    return await core.database.read(_load_ranking, daily), make_ranking(week)


def _load_ranking(connection: Connection, daily: Daily) -> tuple[Ranked, ...]:
    """Return a day's ranking with its new badges: each is earned once on a server."""
    day = make_ranking(load_finishers(connection, daily.id))
    for badge, days in DAYS_IN_A_ROW.items():
        reached = [line.user_id for line in day if line.days == days]
        new = set(reached) - find_streak_holders(connection, daily, days, reached) if reached else set()
        day = tuple(replace(line, badge=badge) if line.user_id in new else line for line in day)
    return day


async def share_attempt(core: Core, daily_id: str, person: Person, channel_id: int) -> Attempt:
    """Have the line about a finished attempt posted in a channel. Raise Refused if it cannot be shared."""

    def work(connection: Connection, now: datetime) -> tuple[Attempt, Attempt]:
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        attempt = _load_begun(connection, daily_id, person.user_id)
        if attempt.finished_at is None:
            raise Refused(_("Play all seven cards first."))
        if not attempt.may_share(now):
            raise Refused(_("You have shared this one already."))
        return attempt, replace(attempt, channel_id=channel_id, shared_at=now)

    return await _change(core, person, work)


async def review_attempt(core: Core, daily_id: str, user_id: int) -> tuple[Attempt, Report]:
    """Return somebody's attempt at a day that is over, and its analysis. Raise Refused before."""
    attempt = await core.database.read(_load_begun, daily_id, user_id)
    _check_over(core, attempt.daily)
    if attempt.finished_at is None:
        raise Refused(_("Play all seven cards first."))
    return attempt, await core.helper.run(analyse_game, 1, TurnOrder.OWN_PACE, attempt.events)


async def advise_attempt(core: Core, daily_id: str, user_id: int, step: int) -> tuple[Attempt, Hint]:
    """Return advice on a day that is over. Raise Refused before, and what ``view_attempt`` raises."""
    attempt = await view_attempt(core, daily_id, user_id, step)
    _check_over(core, attempt.daily)
    if attempt.run.turn is None:
        raise Refused(_("There is nothing to decide now."))
    return attempt, await core.helper.run(find_hint, attempt.game, 0)


async def load_past_days(core: Core, guild_id: int, user_id: int) -> dict[date, int | None]:
    """Return the latest days of a server that are over, newest first, with somebody's scores, if any."""
    settings = await get_server_settings(core, guild_id)
    today = latest_daily(day_of(core.now(), settings.zone))
    days = [latest_daily(today - timedelta(days=back)) for back in range(1, SUGGESTED + 1)]
    scores = await core.database.read(load_scores_of, guild_id, user_id, days[-1])
    return {day: scores.get(day) for day in days if daily_number(day) >= 1}


async def prove_day(core: Core, daily_id: str, user_id: int) -> tuple[Proof, str]:
    """Check a day that is over, with this person's attempt, as ``prove_table``. Raise Refused while it lasts."""
    daily = await core.database.read(_load_daily, daily_id)
    if core.now() < daily.ends_at:
        raise Sealed
    attempt = await core.database.read(load_attempt, daily, user_id)
    export = Export(
        game=daily.id,
        seal=daily.seal,
        seed=daily.seed,
        turn_order=TurnOrder.OWN_PACE,
        names=("" if attempt is None else attempt.name,),
        lucky_words=("",),
        deck=daily.deck,
        events=() if attempt is None else attempt.events,
        words_digest=hash_words(("",)),
        opening=None,
        results=format_results(Game(1, TurnOrder.OWN_PACE) if attempt is None else attempt.game),
        day=daily.day.isoformat(),
    )
    return await check_document(core, export)


async def _change(
    core: Core, person: Person, work: Callable[[Connection, datetime], tuple[Attempt | None, Attempt]]
) -> Attempt:
    """Store what ``work`` makes of somebody's attempt, of which it returns the state before and after, or raise."""
    back = False

    def transaction(connection: Connection) -> Attempt:
        nonlocal back
        now = core.now()
        before, after = work(connection, now)
        if after != before:
            save_attempt(connection, after, now)
            note_interaction(connection, person.interaction_id, now)
        if before is None or after.step != before.step:
            # A person who plays is back.
            back = end_away(connection, after.daily.guild_id, person.user_id, now)
        return after

    attempt = await write_once(core.database, transaction, person.interaction_id)
    if back:
        core.announce(Happened.CAME_BACK)
    return attempt


def _sign(attempt: Attempt, person: Person, channel_id: int) -> Attempt:
    """Return the attempt with the name of its player and the channel."""
    return replace(attempt, name=person.name[:MAX_NAME], channel_id=channel_id)


def _load_begun(connection: Connection, daily_id: str, user_id: int) -> Attempt:
    daily = _load_daily(connection, daily_id)
    attempt = load_attempt(connection, daily, user_id)
    if attempt is None:
        raise Refused(_("You have not begun this challenge. `/highscore daily` begins today's."))
    return attempt


def _check_over(core: Core, daily: Daily) -> None:
    if core.now() < daily.ends_at:
        raise Refused(_("That comes when the day is over, as others may still be playing."))


def _check_current(attempt: Attempt, step: int) -> Attempt:
    if attempt.finished_at is not None or attempt.step != step:
        raise MovedOn(attempt)
    return attempt


def _load_daily(connection: Connection, daily_id: str) -> Daily:
    if (daily := load_daily(connection, daily_id)) is None:
        raise Refused(_("You have not begun this challenge. `/highscore daily` begins today's."))
    return daily

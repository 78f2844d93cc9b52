"""The legs of a cup: closing the entries, opening and closing a leg, and playing one (R9.8).

Each step of ``advance_cup`` is one transaction that finds out what is due, so that it can be repeated after a kill.
"""

import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain

from sqlalchemy import Connection

from bot.domain.calendar import day_of
from bot.domain.challenge import Attempt
from bot.domain.cup import (
    FEWEST,
    LATE,
    STARTS_WITHIN,
    Cup,
    CupLeg,
    CupPost,
    CupView,
    LegChallenge,
    Status,
    find_reminder,
    morning_of,
    plan_end,
)
from bot.domain.cup_draw import Draw, Format, draw_leg, list_winners
from bot.domain.cup_leg import Leg, Reason, decide_group, name_cards
from bot.domain.daily import Daily
from bot.domain.errors import Refused
from bot.domain.happened import Happened
from bot.locales import _
from bot.services.challenge import Change, Rules, change_attempt, resume_attempt, start_attempt
from bot.services.core import Core, Person, get_settings_within
from bot.services.cup import end_without_winner, find_view, move_leg, store_cup
from bot.services.lobby import TABLE_ID_BYTES
from bot.store.challenge import load_attempt
from bot.store.cup import (
    add_leg_challenge,
    add_results,
    find_challenge_of,
    has_left,
    lacks_post,
    load_finished_cards,
    load_leg_challenge,
    load_logs,
    load_view,
    note_progress,
    owe_post,
    redraw_posts,
    save_given_away,
    save_leg,
)
from bot.store.daily import postpone_podium
from bot.store.locks import LockScope, lock_cups, lock_subjects
from highscore.fairness import SEED_BYTES, Source, draw_daily_cards, hash_words
from highscore.odds.analysis import analyse_game
from highscore.odds.facts import compute_averages
from highscore.turn_order import TurnOrder


def _check_entrant(connection: Connection, attempt: Attempt[LegChallenge]) -> None:
    if has_left(connection, attempt.challenge.cup_id, attempt.user_id):
        raise Refused(_("You are not in this cup."))


RULES: Rules[LegChallenge] = Rules(
    load_leg_challenge,
    lambda: _("You have no attempt at this leg."),
    over=lambda: _("This leg is over."),
    admit=_check_entrant,
)
"""The rules of an attempt at a leg."""


async def begin_leg(core: Core, person: Person, cup_id: str, channel_id: int) -> Attempt[LegChallenge]:
    """Return an entrant's attempt at the open leg, begun if it was not. Raise Refused where they cannot play.

    Who is out or has a bye plays with dice of their own, compared with nobody.
    """

    def work(connection: Connection, now: datetime) -> Change[LegChallenge]:
        lock_cups(connection, cup_id)
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        view = find_view(connection, cup_id)
        number = view.cup.number_of(person.user_id)
        if number is None or number in view.cup.gone:
            raise Refused(_("You are not in this cup."))
        challenge = _find_or_make_challenge(connection, view, number, now)
        before = load_attempt(connection, challenge, person.user_id)
        if before is None:
            return None, start_attempt(connection, challenge, person, channel_id, now)
        return before, resume_attempt(before, person, channel_id)

    return await change_attempt(core, person, work)


def _find_or_make_challenge(connection: Connection, view: CupView, number: int, now: datetime) -> LegChallenge:
    """Return the challenge of an entrant in the open leg. Raise Refused where none is open."""
    if not view.cup.status.running:
        raise Refused(_("This cup is over."))
    if (leg := view.open_leg) is None:
        raise Refused(_("No leg is open now. A call comes when the next one opens."))
    found = find_challenge_of(connection, view.cup.id, leg.number, number)
    challenge = None if found is None else load_leg_challenge(connection, found)
    if challenge is None:
        challenge = _make_challenge(view.cup, leg, (number,))
        add_leg_challenge(connection, challenge, now)
    return challenge


def _make_challenge(cup: Cup, leg: CupLeg, entrants: tuple[int, ...]) -> LegChallenge:
    challenge_id, seed = secrets.token_hex(TABLE_ID_BYTES), secrets.token_bytes(SEED_BYTES)
    return LegChallenge(
        id=challenge_id,
        guild_id=cup.guild_id,
        cards_name=name_cards(cup.id, leg.number),
        ends_at=leg.ends_at,
        closed_at=None,
        locale=cup.locale,
        deck=cup.deck,
        averages=leg.averages,
        seed=seed,
        seal=Source(seed, challenge_id).seal,
        cup_id=cup.id,
        cup_name=cup.name,
        leg=leg.number,
        entrants=entrants,
    )


# ----------------------------------------------------------------------------------------------------- what is due


async def advance_cup(core: Core, cup_id: str, up_since: datetime) -> None:
    """Do what is due at a cup: close the entries, look at the open leg, draw the next one or end the cup.

    A look that was due before ``up_since``, from when on the bot runs, comes late because of an outage.
    """
    await core.database.write(_look, core, cup_id, up_since)
    view = await core.database.read(load_view, cup_id)
    if view is not None and view.awaits_draw:
        await core.database.write(save_given_away, cup_id, view.cup.leg, await _account_for_level(core, view))
        cards = draw_daily_cards(name_cards(cup_id, view.cup.leg + 1), view.cup.deck)
        averages = await core.helper.run(compute_averages, cards)
        await core.database.write(_go_on, core, cup_id, averages)
    core.announce(Happened.CUP_CHANGED)


def _look(connection: Connection, core: Core, cup_id: str, up_since: datetime) -> None:
    """Close the entries or the open leg if their time is over, and note an outage before this look."""
    lock_cups(connection, cup_id)
    view, now = load_view(connection, cup_id), core.now()
    if view is None:
        return
    cup = after = view.cup
    if cup.status is Status.ENTRY and cup.begins_at <= now:
        after = _close_entries(connection, core, view, now)
    elif cup.status is Status.STARTING and cup.opening is None and cup.begins_at + STARTS_WITHIN <= now:
        after = end_without_winner(connection, view, now, by_moderator=False)
    elif cup.status is Status.PLAYING and (leg := view.open_leg) is not None:
        if cup.wake_at is not None and cup.wake_at < up_since and now - cup.wake_at >= LATE:
            leg = note_outage(connection, core, cup, leg, cup.wake_at)
        if leg.ends_at <= now and lacks_post(connection, cup_id, leg.number):
            leg = note_outage(connection, core, cup, leg, leg.began_at)
        if leg.ends_at <= now:
            # First, so that a decision that is being stored is waited for.
            save_leg(connection, cup_id, replace(leg, closed_at=now))
            add_results(connection, cup_id, leg.number, load_finished_cards(connection, view))
    if after != cup:
        redraw_posts(connection, cup_id, now, CupPost.ENTRY)
    store_cup(connection, find_view(connection, cup_id), after, now, looked=True)


def _close_entries(connection: Connection, core: Core, view: CupView, now: datetime) -> Cup:
    """Return a cup that starts; with too few entrants it waits for a day once, then it ends."""
    cup = view.cup
    if len(cup.there) >= FEWEST[cup.format]:
        owe_post(connection, cup.id, CupPost.LEG, now, leg=1)
        digest = hash_words([str(each.user_id) for each in cup.entrants])
        return replace(cup, status=Status.STARTING, digest=digest, begins_at=now)
    if cup.waited:
        return end_without_winner(connection, view, now, by_moderator=False)
    settings = get_settings_within(core, connection, cup.guild_id)
    owe_post(connection, cup.id, CupPost.WAITS, now)
    begins_at = morning_of(day_of(now, settings.zone) + timedelta(days=1), settings)
    return replace(cup, waited=True, begins_at=begins_at)


def note_outage(connection: Connection, core: Core, cup: Cup, leg: CupLeg, since: datetime) -> CupLeg:
    """Note that the bot was down until now. Return the leg, whose end moves if it lost over half of its time.

    Of outages that overlap, such as the one that made the leg's post late, the time counts once.
    """
    before = [outage for outage in leg.outages if outage[0] < since]
    since = max([since, *(until for _since, until in before)])
    moved = replace(leg, outages=(*before, (since, core.now())))
    move_leg(core, connection, cup, moved)
    if moved.ends_at != leg.ends_at:
        redraw_posts(connection, cup.id, core.now(), CupPost.LEG)
    return moved


async def _account_for_level(core: Core, view: CupView) -> dict[int, float]:
    """Return the points given away by everybody in groups of the last leg that are level up to there."""
    found: dict[int, float] = {}
    if view.cup.format is Format.LEAGUE or not view.closed:
        return found
    leg, logs = view.closed[-1], await core.database.read(load_logs, view)
    level = (group for group in leg.groups if decide_group(group, leg).why in (Reason.LOT, Reason.SHARED))
    for number in chain(*(group.entrants for group in level)):
        if number in logs:
            report = await core.helper.run(analyse_game, 1, TurnOrder.OWN_PACE, logs[number])
            found[number] = report.players[0].loss
    return found


def _go_on(connection: Connection, core: Core, cup_id: str, averages: tuple[float, ...]) -> None:
    """Open the next leg, or end the cup, unless that was done meanwhile."""
    lock_cups(connection, cup_id)
    view, now = load_view(connection, cup_id), core.now()
    if view is None or not view.awaits_draw:
        return
    cup = view.cup
    if (draw := draw_leg(cup.contest, view.closed, cup.gone)) is not None:
        after = _open_leg(connection, core, view, draw, averages)
    elif cup.leg == 0:
        after = end_without_winner(connection, view, now, by_moderator=False)
    else:
        after = replace(cup, status=Status.OVER, finished_at=now)
        for number in list_winners(cup.contest, view.closed, cup.gone):
            after = after.with_entrant(number, won=True)
        owe_post(connection, cup_id, CupPost.OVER, now, cup.leg)
        redraw_posts(connection, cup_id, now, CupPost.ENTRY)
    store_cup(connection, find_view(connection, cup_id), after, now, looked=True)


def _open_leg(connection: Connection, core: Core, view: CupView, draw: Draw, averages: tuple[float, ...]) -> Cup:
    """Open the leg that was drawn, with dice of its own for each group, and owe its messages. Return the cup."""
    settings, now, cup = get_settings_within(core, connection, view.cup.guild_id), core.now(), view.cup
    number, end = cup.leg + 1, plan_end(now, cup.days, settings)
    leg = CupLeg(number, now, end, None, averages, Leg((), draw.byes, {}, frozenset(), sum(averages)))
    save_leg(connection, cup.id, leg)
    for at, group in enumerate(draw.groups):
        add_leg_challenge(connection, _make_challenge(cup, leg, group), now, at)
    if number == 1:
        redraw_posts(connection, cup.id, now, CupPost.LEG)  # Its post has started the cup, before the draw.
    else:
        owe_post(connection, cup.id, CupPost.LEG, now, number)
    owe_post(connection, cup.id, CupPost.REMINDER, find_reminder(end, settings), number)
    return replace(cup, leg=number, status=Status.PLAYING)


async def note_posted(
    core: Core, cup_id: str, post: int, message_id: int | None, called: int, daily: Daily | None = None
) -> None:
    """Note the message of a post, the number of entrants it has called, and the day whose podium it has.

    The first post starts the cup: the draws follow from its id. A leg whose post comes late lost the time until then.
    """

    def work(connection: Connection) -> None:
        lock_cups(connection, cup_id)
        number = note_progress(connection, cup_id, post, message_id, called, daily)
        if daily is not None:
            postpone_podium(connection, daily.id, None)
        view = load_view(connection, cup_id)
        if view is None or number is None:
            return
        cup, leg = view.cup, view.open_leg
        if cup.status is Status.STARTING and cup.opening is None:
            store_cup(connection, view, replace(cup, opening=message_id), core.now())
        elif leg is not None and leg.number == number and core.now() - leg.began_at >= LATE:
            note_outage(connection, core, cup, leg, leg.began_at)

    await core.database.write(work)
    core.announce(Happened.CUP_CHANGED)

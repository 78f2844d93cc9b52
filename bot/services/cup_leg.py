"""The legs of a cup: closing the entries, opening and closing a leg, and playing one (R9.8).

``advance_cup`` runs several transactions. Each finds out for itself what is due, so it can be repeated after a kill.
"""

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from bot.domain.calendar import day_of
from bot.domain.challenge import Attempt
from bot.domain.cup import (
    FEWEST,
    LATE,
    Cup,
    CupLeg,
    CupPost,
    CupView,
    Ending,
    LegChallenge,
    Status,
    find_reminder,
    morning_of,
    next_morning,
    plan_end,
)
from bot.domain.cup_leg import Draw, Group, Leg, draw_leg, list_winners, lock_entrants, name_cards
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.challenge import Change, Rules, change_attempt, resume_attempt, start_attempt
from bot.services.core import Core, Person, get_settings_within
from bot.services.cup import end_without_winner, find_view, move_leg, store_cup
from bot.services.facts import CupChanged
from bot.services.lobby import TABLE_ID_BYTES
from bot.store import cup as store
from bot.store.challenge import load_attempt
from bot.store.database import LockScope, lock_cups, lock_subjects
from highscore.fairness import SEED_BYTES, VERSION, draw_daily_cards
from highscore.odds.facts import compute_averages


def _check_entrant(connection: Connection, attempt: Attempt[LegChallenge]) -> None:
    if store.has_left(connection, attempt.challenge.cup_id, attempt.user_id):
        raise Refused(_("You are not in this cup."))


RULES: Rules[LegChallenge] = Rules(
    store.load_leg_challenge,
    lambda: _("You haven't started this leg."),
    over=lambda: _("This leg is over."),
    admit=_check_entrant,
)


async def begin_leg(core: Core, person: Person, cup_id: str, channel_id: int) -> Attempt[LegChallenge]:
    """Return an entrant's attempt at the open leg. Begin it if they have not. Raise Refused if they cannot play now.

    Entrants who are out or have a bye play alone, with their own dice.
    """

    def work(connection: Connection, now: datetime) -> Change[LegChallenge]:
        lock_cups(connection, cup_id)
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        view = find_view(connection, cup_id)
        number = view.cup.number_of(person.user_id)
        if number is None or number in view.cup.left:
            raise Refused(_("You are not in this cup."))
        challenge = _find_or_make_challenge(connection, view, number, now)
        before = load_attempt(connection, challenge, person.user_id)
        if before is None:
            return None, start_attempt(connection, challenge, person, channel_id, now)
        return before, resume_attempt(before, person, channel_id)

    return await change_attempt(core, person, work)


def _find_or_make_challenge(connection: Connection, view: CupView, number: int, now: datetime) -> LegChallenge:
    """Return the challenge that an entrant plays in the open leg. Store a new one for an entrant who plays alone. Raise
    Refused if no leg is open.
    """
    if not view.cup.status.running:
        raise Refused(_("This cup is over."))
    if (leg := view.open_leg) is None:
        raise Refused(_("No leg is open right now. A post announces the next one when it opens."))
    found = store.find_challenge_of(connection, view.cup.id, leg.number, number)
    challenge = None if found is None else store.load_leg_challenge(connection, found)
    if challenge is None:
        own_id, seed = secrets.token_hex(TABLE_ID_BYTES), secrets.token_bytes(SEED_BYTES)
        alone = Group(own_id, (number,), name_cards(view.cup.id, leg.number), seed, VERSION)
        challenge = _make_challenge(view.cup, leg, alone)
        store.add_leg_challenge(connection, challenge, now)
    return challenge


def _make_challenge(cup: Cup, leg: CupLeg, group: Group) -> LegChallenge:
    return LegChallenge(
        id=group.id,
        guild_id=cup.guild_id,
        cards_name=group.cards_name,
        ends_at=leg.ends_at,
        closed_at=None,
        locale=cup.locale,
        deck=cup.deck,
        averages=leg.averages,
        seed=group.seed,
        seal=group.source.seal,
        cup_id=cup.id,
        cup_name=cup.name,
        leg=leg.number,
        entrants=group.entrants,
    )


# ----------------------------------------------------------------------------------------------------- what is due


async def advance_cup(core: Core, cup_id: str) -> None:
    """Do everything that is due at a cup: close the entries or the open leg, draw the next leg, or end the cup."""
    await core.database.write(_look, core, cup_id)
    view = await core.database.read(store.load_view, cup_id)
    if view is not None and view.awaits_draw:
        cards = draw_daily_cards(name_cards(cup_id, view.cup.leg + 1), view.cup.deck)
        averages = await core.helper.run(compute_averages, cards)
        await core.database.write(_go_on, core, cup_id, averages)
    core.facts.publish(CupChanged())


def _look(connection: Connection, core: Core, cup_id: str) -> None:
    """Close the entries or the open leg if their time is over. End the cup if a post that it needs could not be sent in
    time.

    If this function is called late, the bot was down. Then an open leg is prolonged until the next morning, but only
    once, and a post that could not be sent gets more time.
    """
    lock_cups(connection, cup_id)
    view, now = store.load_view(connection, cup_id), core.now()
    if view is None:
        return
    cup = after = view.cup
    leg, held_until = view.open_leg, view.held_until
    if cup.status is Status.ENTRY and cup.begins_at <= now:
        after = _close_entries(connection, core, view, now)
    elif held_until is not None and held_until <= now and timedelta() <= now - (cup.wake_at or now) <= LATE:
        after = end_without_winner(connection, view, now, Ending.NO_POST)
    elif leg is not None and leg.ends_at <= now:
        if now - leg.ends_at > LATE and not leg.moved:
            settings = get_settings_within(core, connection, cup.guild_id)
            move_leg(core, connection, cup, replace(leg, ends_at=next_morning(now, settings), moved=True))
        else:
            store.close_leg(connection, view, now)
    if after != cup:
        store.redraw_posts(connection, cup_id, now, CupPost.ENTRY)
    store_cup(connection, find_view(connection, cup_id), after, now, looked=True)


def _close_entries(connection: Connection, core: Core, view: CupView, now: datetime) -> Cup:
    """Return the cup after its entries are closed. If there are too few entrants, it first waits for another day. If
    there are still too few after that, it ends.
    """
    cup = view.cup
    if len(cup.present) >= FEWEST[cup.format]:
        store.add_post(connection, cup.id, CupPost.START, now)
        ids = [str(cup.entrants[number].user_id) for number in cup.drawn_entrants]
        # The lock is read and not computed, so that a seed that was changed after the sign-up would not match it.
        lock = lock_entrants(cup.published_lock or cup.lock, ids)
        return replace(cup, status=Status.STARTING, published_lock=lock, begins_at=now)
    if cup.waited:
        return end_without_winner(connection, view, now, Ending.TOO_FEW)
    settings = get_settings_within(core, connection, cup.guild_id)
    store.add_post(connection, cup.id, CupPost.WAITS, now)
    begins_at = morning_of(day_of(now, settings.zone) + timedelta(days=1), settings)
    return replace(cup, waited=True, begins_at=begins_at)


def _go_on(connection: Connection, core: Core, cup_id: str, averages: tuple[float, ...]) -> None:
    """Draw the next leg, or end the cup if its last leg is closed. Do nothing if another process has done so."""
    lock_cups(connection, cup_id)
    view, now = store.load_view(connection, cup_id), core.now()
    if view is None or not view.awaits_draw:
        return
    cup = view.cup
    if (draw := draw_leg(cup.contest, view.closed, cup.left)) is not None:
        after = _draw_leg(connection, core, view, draw, averages)
    elif cup.leg == 0:
        after = end_without_winner(connection, view, now, Ending.TOO_FEW)
    else:
        after = replace(cup, status=Status.OVER, finished_at=now)
        for number in list_winners(cup.contest, view.closed, cup.left):
            after = after.with_entrant(number, won=True)
        store.add_post(connection, cup_id, CupPost.OVER, now, cup.leg)
        store.redraw_posts(connection, cup_id, now, CupPost.ENTRY)
    store_cup(connection, find_view(connection, cup_id), after, now, looked=True)


def _draw_leg(connection: Connection, core: Core, view: CupView, draw: Draw, averages: tuple[float, ...]) -> Cup:
    """Store a leg that was drawn, with a seed for each group. The leg begins when its post is sent. Return the cup,
    which the caller stores.
    """
    settings, now, cup = get_settings_within(core, connection, view.cup.guild_id), core.now(), view.cup
    number, end = cup.leg + 1, plan_end(now, cup.days, settings)
    leg = CupLeg(number, None, end, None, averages, Leg((), draw.byes, {}, frozenset(), sum(averages)))
    store.save_leg(connection, cup.id, leg)
    for at, entrants in enumerate(draw.groups):
        group = cup.contest.make_group(number, at, entrants)
        store.add_leg_challenge(connection, _make_challenge(cup, leg, group), now, at)
    store.add_post(connection, cup.id, CupPost.LEG, now, number)
    return replace(cup, leg=number, status=Status.PLAYING)


async def plan_leg(core: Core, cup_id: str) -> CupView | None:
    """Plan the end of a drawn leg again, because its post is about to be sent. Do nothing if the leg has begun. Return
    the cup, or None if it is not stored any more.
    """

    def work(connection: Connection) -> CupView | None:
        lock_cups(connection, cup_id)
        view = store.load_view(connection, cup_id)
        if view is None or (leg := view.drawn_leg) is None or leg.began_at is not None:
            return view
        settings = get_settings_within(core, connection, view.cup.guild_id)
        end = plan_end(core.now(), view.cup.days, settings)
        store.save_leg(connection, cup_id, replace(leg, ends_at=end))
        return find_view(connection, cup_id)

    return await core.database.write(work)


async def note_posted(core: Core, cup_id: str, post: int, message_id: int | None, called: int) -> None:
    """Store the message of a post, and that all entrants with numbers below ``called`` were pinged.

    The id of the post that starts the cup goes into the draws. A leg begins when its post has been sent.
    """

    def work(connection: Connection) -> None:
        lock_cups(connection, cup_id)
        row = store.note_progress(connection, cup_id, post, message_id, called)
        view, now = store.load_view(connection, cup_id), core.now()
        if row is None or view is None:
            return
        cup, leg = view.cup, view.drawn_leg
        if row["what"] == CupPost.START.value and cup.status is Status.STARTING and cup.opening is None:
            store_cup(connection, view, replace(cup, opening=message_id), now)
        elif row["what"] == CupPost.LEG.value and leg is not None and leg.began_at is None and leg.number == row["leg"]:
            store.save_leg(connection, cup_id, replace(leg, began_at=now))
            settings = get_settings_within(core, connection, cup.guild_id)
            store.add_post(connection, cup_id, CupPost.REMINDER, find_reminder(leg.ends_at, settings), leg.number)
            store_cup(connection, find_view(connection, cup_id), cup, now)

    await core.database.write(work)
    core.facts.publish(CupChanged())

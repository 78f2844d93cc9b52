"""Cups: opening one, entering and leaving, the actions of moderators, and looking them up (R9.8)."""

import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate

from sqlalchemy import Connection

from bot.domain.calendar import day_of
from bot.domain.cup import (
    MOST_DAYS,
    MOST_ENTRANTS,
    MOST_IN_CHANNEL,
    MOST_IN_SERVER,
    PROLONGED,
    USUAL_DAYS,
    USUAL_LEGS,
    Cup,
    CupLeg,
    CupPost,
    CupView,
    Ending,
    Entrant,
    Status,
    find_reminder,
    morning_of,
)
from bot.domain.cup_leg import Format, lock_cup, make_table
from bot.domain.cup_proof import CupProof, format_cup, record_cup, verify_cup
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import Arguments, Core, Person, Place, Written, get_server_settings, get_settings_within, write
from bot.services.facts import CupChanged
from bot.services.lobby import MAX_NAME, TABLE_ID_BYTES, check_may_open_here
from bot.services.proof import Sealed
from bot.store import cup as store
from bot.store.database import LockScope, lock_cups, lock_subjects
from bot.store.marks import forget_old_interactions, note_interaction
from bot.store.rows import make_storable
from bot.ui.cup import commitment_lines, entered_moderator_sentence
from bot.ui.text import is_visible
from highscore.fairness import SEED_BYTES, Source

CUPS_LISTED = 25
LATEST_BEGIN = 14
"""The first leg begins at most this many days after the cup was opened."""


@dataclass(frozen=True, slots=True)
class NewCup:
    """The host's wishes for a new cup. None means the usual number."""

    name: str
    format: Format = Format.LEAGUE
    days: int | None = None
    length: int | None = None
    """The number of legs of a league. A knockout has as many as it needs."""
    begins_in: int = 1
    """The days until the first leg opens: 1 is tomorrow."""
    most: int = MOST_ENTRANTS[-1]
    """The most people who can enter."""


def repeat_cup(cup: Cup) -> NewCup:
    """Return the wishes for another cup with the same settings. Its first leg opens tomorrow."""
    return NewCup(cup.name, cup.format, cup.days, cup.length or None, most=cup.most)


async def open_cup(core: Core, host: Person, place: Place, wishes: NewCup) -> Cup:
    """Open a cup in a channel. A worker then posts its sign-up.

    Raise Refused if the server does not allow it there, if the cup has no usable name or would take too long, or if the
    channel, the server or the host has enough cups.
    """
    await check_may_open_here(core, host, place)
    name = " ".join(make_storable(wishes.name).split())
    if not is_visible(name):
        raise Refused(_("Use at least one letter or digit in the cup's name."))
    settings, now = await get_server_settings(core, place.guild_id), core.now()
    begins_at = morning_of(day_of(now, settings.zone) + timedelta(days=wishes.begins_in), settings)
    source = Source(secrets.token_bytes(SEED_BYTES), secrets.token_hex(TABLE_ID_BYTES))
    length = (wishes.length or USUAL_LEGS) if wishes.format is Format.LEAGUE else 0
    cup = Cup(
        id=source.game,
        guild_id=place.guild_id,
        channel_id=place.channel_id,
        host_id=host.user_id,
        name=name,
        format=wishes.format,
        length=length,
        days=wishes.days or USUAL_DAYS[wishes.format],
        most=wishes.most,
        begins_at=begins_at,
        locale=settings.language or place.locale,
        deck=core.deck,
        seed=source.seed,
        published_lock=lock_cup(source, wishes.format, length, core.deck),
        wake_at=begins_at,
    )
    if cup.length * cup.days > MOST_DAYS:  # A knockout is never too long: 128 people play seven legs.
        raise Refused(_("A cup can last at most {number} days. Choose fewer or shorter legs.").format(number=MOST_DAYS))

    def transaction(connection: Connection) -> Written[Cup]:
        lock_subjects(connection, LockScope.GUILD, cup.guild_id)
        lock_subjects(connection, LockScope.PERSON, host.user_id)
        running = [each for each in store.load_cups(connection, cup.guild_id, CUPS_LISTED) if each.status.running]
        if len([each for each in running if each.channel_id == cup.channel_id]) >= MOST_IN_CHANNEL:
            raise Refused(
                _(
                    "There is already a cup in this channel. Open yours in another channel, or wait until this one is"
                    " over."
                )
            )
        if len(running) >= MOST_IN_SERVER:
            raise Refused(
                _("Two cups are already running on this server. You can open yours when one of them is over.")
            )
        if store.runs_cup(connection, host.user_id):
            raise Refused(_("One of your cups is still running. You can open another when it is over."))
        forget_old_interactions(connection, now)
        note_interaction(connection, host.interaction_id, now)
        store.add_cup(connection, cup, now)
        store.add_post(connection, cup.id, CupPost.ENTRY, now)
        return Written(cup, [CupChanged()])

    return await write(core, host.interaction_id, transaction)


def _use_case(
    work: Callable[Concatenate[Core, Connection, CupView, Person, Arguments], Cup],
) -> Callable[Concatenate[Core, str, Person, Arguments], Coroutine[Any, Any, Cup]]:
    """Make a use case from a function that changes a running cup.

    The use case stores the cup that ``work`` returns, and redraws the sign-up. It raises Refused if the cup is over.
    """

    @wraps(work)
    async def changing(
        core: Core, cup_id: str, person: Person, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Cup:
        def transaction(connection: Connection) -> Written[Cup]:
            lock_cups(connection, cup_id)
            before, now = find_view(connection, cup_id), core.now()
            if not before.cup.status.running:
                raise Refused(_("This cup is over."))
            after = work(core, connection, before, person, *args, **kwargs)
            note_interaction(connection, person.interaction_id, now)
            store_cup(connection, before, after, now)
            store.redraw_posts(connection, cup_id, now + store.REDRAW_DELAY, CupPost.ENTRY)
            return Written(after, [CupChanged()])

        return await write(core, person.interaction_id, transaction)

    return changing


@_use_case
def enter_cup(core: Core, connection: Connection, view: CupView, person: Person) -> Cup:
    """Enter a person in a cup. Raise Refused if the cup has begun or is full, or if the person is in it already, was
    removed from it, or has deleted their data since they entered it.
    """
    lock_subjects(connection, LockScope.PERSON, person.user_id)
    cup, number = view.cup, view.cup.number_of(person.user_id)
    if cup.status is not Status.ENTRY:
        raise Refused(_("This cup has started, so nobody can enter any more."))
    if number in cup.present:
        raise Refused(_("You are already in this cup."))
    if number is not None and cup.entrants[number].removed:
        raise Refused(_("A moderator removed you from this cup, so you can't enter it again."))
    if store.has_deleted(connection, cup, person.user_id, core.now()):
        raise Refused(_("Your data was deleted, so you can't enter this cup again."))
    if len(cup.present) >= cup.most:
        raise Refused(_("This cup is full."))
    entrant = Entrant(person.user_id, person.name[:MAX_NAME])
    if number is not None:
        return cup.with_entrant(number, name=entrant.name, left=None)
    return replace(cup, entrants=(*cup.entrants, entrant))


@_use_case
def withdraw_from_cup(_core: Core, _connection: Connection, view: CupView, person: Person) -> Cup:
    """Let a person leave a cup. They can enter again until it begins. Raise Refused if they are not in it."""
    cup, number = view.cup, view.cup.number_of(person.user_id)
    if number is None or number in cup.left:
        raise Refused(_("You are not in this cup."))
    return cup.with_entrant(number, left=view.next_left)


@_use_case
def remove_entrant(core: Core, connection: Connection, view: CupView, person: Person, number: int) -> Cup:
    """Remove an entrant from a cup for good. Raise Refused if ``person`` is no moderator or takes part in the cup
    themselves, and if the entrant has left already.
    """
    _check_moderator(view.cup, person)
    cup = view.cup
    if number not in cup.present:
        raise Refused(_("That person is no longer in this cup."))
    store.add_post(connection, cup.id, CupPost.REMOVED, core.now(), cup.leg, number)
    return cup.with_entrant(number, left=view.next_left, removed=True)


@_use_case
def prolong_leg(core: Core, connection: Connection, view: CupView, person: Person, number: int) -> Cup:
    """Prolong the open leg by a day. Raise Refused if ``person`` is no moderator or takes part in the cup themselves,
    and if this leg is not open or was prolonged before.
    """
    _check_moderator(view.cup, person)
    if (leg := view.open_leg) is None:
        raise Refused(_("No leg is open right now."))
    if leg.number != number:
        raise Refused(_("This leg is over."))
    if leg.prolonged:
        raise Refused(_("This leg has already been extended. A leg can be extended only once."))
    move_leg(core, connection, view.cup, replace(leg, ends_at=leg.ends_at + PROLONGED, prolonged=True))
    store.add_post(connection, view.cup.id, CupPost.PROLONGED, core.now(), leg.number)
    return view.cup


def move_leg(core: Core, connection: Connection, cup: Cup, leg: CupLeg) -> None:
    """Store an open leg with its new end. Move its reminder and redraw its post."""
    store.save_leg(connection, cup.id, leg)
    settings = get_settings_within(core, connection, cup.guild_id)
    store.move_reminder(connection, cup.id, leg.number, find_reminder(leg.ends_at, settings))
    store.redraw_posts(connection, cup.id, core.now(), CupPost.LEG)


@_use_case
def end_cup(core: Core, connection: Connection, view: CupView, person: Person) -> Cup:
    """End a cup without a winner. Raise Refused if ``person`` is no moderator or takes part in the cup themselves."""
    _check_moderator(view.cup, person)
    return end_without_winner(connection, view, core.now(), Ending.MODERATOR)


def end_without_winner(connection: Connection, view: CupView, now: datetime, why: Ending) -> Cup:
    """End a cup, and post that. Close the leg that was drawn last, so that everybody can look at what was played.
    Return the ended cup, which the caller stores.
    """
    cup = view.cup
    if view.drawn_leg is not None:
        store.close_leg(connection, view, now)
    store.drop_unsent_posts(connection, cup.id)
    store.add_post(connection, cup.id, CupPost.ENDED, now, cup.leg, why)
    return replace(cup, status=Status.ENDED, finished_at=now)


async def end_unposted(core: Core, cup_id: str) -> Cup | None:
    """End a cup whose sign-up cannot be posted. Return the cup. Return None, and change nothing, if its entries are
    closed already or it is not stored any more.
    """

    def transaction(connection: Connection) -> Cup | None:
        lock_cups(connection, cup_id)
        view, now = store.load_view(connection, cup_id), core.now()
        if view is None or view.cup.status is not Status.ENTRY:
            return None
        after = end_without_winner(connection, view, now, Ending.NO_POST)
        store.drop_unsent_posts(connection, cup_id)  # The post about the end could not be sent, either.
        store_cup(connection, view, after, now)
        return after

    return await core.database.write(transaction)


async def list_cups(core: Core, guild_id: int) -> tuple[Cup, ...]:
    """Return the cups for a server's list: first the running ones and then the others, each group newest first."""
    return tuple(await core.database.read(store.load_cups, guild_id, CUPS_LISTED))


async def list_cup_wins(core: Core, guild_id: int, user_id: int) -> list[tuple[str, int]]:
    return await core.database.read(store.load_wins, guild_id, user_id)


async def view_cup(core: Core, cup_id: str) -> CupView:
    """Return a cup with its legs, without anything that is secret. Raise Refused if there is no such cup."""
    return await core.database.read(find_view, cup_id)


async def add_league_table(core: Core, view: CupView, legs: int | None = None) -> CupView:
    """Return the view of a league with its table after the first ``legs`` closed legs, or after all of them. Return a
    knockout, or a league without closed legs, unchanged.
    """
    closed = view.closed[:legs]
    if view.cup.format is Format.KNOCKOUT or not closed:
        return view
    return replace(view, table=await core.helper.run(make_table, view.cup.contest, closed))


def find_view(connection: Connection, cup_id: str) -> CupView:
    """Do what ``view_cup`` does, inside a transaction."""
    if (view := store.load_view(connection, cup_id)) is None:
        raise no_such_cup()
    return view


def no_such_cup() -> Refused:
    return Refused(_("This cup no longer exists."))


async def prove_cup(core: Core, cup_id: str) -> tuple[CupProof, str]:
    """Repeat the draws of a cup that is over, in the helper process. Return the proof, and the file with which anybody
    can repeat them.

    Raise Sealed while the cup runs, and Refused if it ended before its first leg or was drawn before migration 0004.
    """
    view = await view_cup(core, cup_id)
    if view.cup.status.running:
        raise Sealed(*commitment_lines(view.cup))
    if not view.closed:
        raise Refused(_("This cup ended before its first leg, so nothing was drawn."))
    # Since migration 0004, the id of this post is an input of the draws.
    if not await core.database.read(store.has_post, cup_id, CupPost.START):
        raise Refused(
            _(
                "This cup is so old that its draws can't be checked. To check the dice of a leg, press **Proof** in"
                " its results."
            )
        )
    document = format_cup(record_cup(view))
    return await core.helper.run(verify_cup, document), document


async def find_own_challenge(core: Core, cup: Cup, leg: int, user_id: int) -> str | None:
    number = cup.number_of(user_id)
    return None if number is None else await core.database.read(store.find_challenge_of, cup.id, leg, number)


def _check_moderator(cup: Cup, person: Person) -> None:
    if not person.manages_server:
        raise Refused(_("Only people with the Manage Server permission can do that."))
    if cup.number_of(person.user_id) in cup.present:
        raise Refused(entered_moderator_sentence())


def store_cup(connection: Connection, view: CupView, after: Cup, now: datetime, *, looked: bool = False) -> None:
    """Store a changed cup, and when ``advance_cup`` should look at it next. ``view`` has the cup before the change, and
    its current legs.

    A planned look is never put off, except by ``advance_cup`` itself (``looked``), because its delay shows whether the
    bot was down.
    """
    wake_at = replace(view, cup=after).next_look(now)
    if not looked and wake_at is not None and view.cup.wake_at is not None:
        wake_at = min(wake_at, view.cup.wake_at)
    store.save_cup(connection, view.cup, replace(after, wake_at=wake_at))

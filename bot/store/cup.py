"""Cups, with their entrants, legs and posts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, exists, func, insert, or_, select, update

from bot.domain.cup import Cup, CupLeg, CupPost, CupView, Entrant, LegChallenge, Status
from bot.domain.cup_leg import Format, Group, Leg, Played, name_cards
from bot.store.challenge import add_challenge, make_challenge
from bot.store.marks import MarkKind, add_marks, load_marks
from bot.store.models import attempts, challenges, cup_entrants, cup_groups, cup_legs, cup_posts, cup_results, cups
from bot.store.rows import (
    AVERAGES,
    NUMBERS,
    deck_from_text,
    deck_to_text,
    events_from_lines,
    from_row,
    insert_or_ignore,
    insert_or_replace,
    redraw_at,
    to_row,
)
from highscore.fairness import version_of
from highscore.game import replay_events
from highscore.turn_order import TurnOrder

REDRAW_DELAY = timedelta(seconds=3)
"""Entries within this time are shown by one edit of the sign-up message."""
MARK_MARGIN = timedelta(days=7)
"""How long a mark of a deleted entrant stays after the planned beginning of the cup, which an outage may delay."""
RUNNING = [status.value for status in Status if status.running]
_ALONE = 1000
"""Entrants who play a leg alone have the group number 1000 plus their own number."""


def has_deleted(connection: Connection, cup: Cup, user_id: int, now: datetime) -> bool:
    """Return whether a person has deleted their data after entering a cup. Lock the person first."""
    subject = user_id, int(cup.id, 16)
    return bool(load_marks(connection, MarkKind.CUP, [subject], now, guild_id=cup.guild_id)[subject])


def has_left(connection: Connection, cup_id: str, user_id: int) -> bool:
    theirs = cup_entrants.c.cup_id == cup_id, cup_entrants.c.user_id == user_id
    return connection.scalar(select(cup_entrants.c.left).where(*theirs)) is not None


def load_cups(connection: Connection, guild_id: int, most: int) -> list[Cup]:
    """Return up to ``most`` cups of a server, first the running cups, then the ended ones, both newest first.

    Cups that ended before their first leg are left out.
    """
    order = cups.c.status.in_(RUNNING).desc(), cups.c.created_at.desc()
    begun = exists().where(cup_legs.c.cup_id == cups.c.id, cup_legs.c.began_at.is_not(None))
    listed = or_(begun, cups.c.status != Status.ENDED.value)
    return _load(connection, cups.c.guild_id == guild_id, listed, by=order, most=most)


def runs_cup(connection: Connection, host_id: int) -> bool:
    """Return whether a cup that this person opened is running, on any server."""
    running = cups.c.host_id == host_id, cups.c.status.in_(RUNNING)
    return connection.scalar(select(cups.c.id).where(*running).limit(1)) is not None


def load_wins(connection: Connection, guild_id: int, user_id: int) -> list[tuple[str, int]]:
    """Return the name and channel of each cup that a person has won on a server, newest first."""
    won = cup_entrants.c.user_id == user_id, cup_entrants.c.won, cups.c.guild_id == guild_id
    query = select(cups.c.name, cups.c.channel_id).join(cup_entrants).where(*won).order_by(cups.c.finished_at.desc())
    return [(row.name, row.channel_id) for row in connection.execute(query)]


def add_cup(connection: Connection, cup: Cup, now: datetime) -> None:
    connection.execute(insert(cups).values(**_to_values(cup), id=cup.id, created_at=now))


def save_cup(connection: Connection, before: Cup, after: Cup) -> None:
    """Store the changes of a cup and its entrants. This ends the claim on the cup."""
    connection.execute(update(cups).where(cups.c.id == after.id).values(**_to_values(after), due_until=None))
    changed = [at for at, each in enumerate(after.entrants) if before.entrants[at : at + 1] != (each,)]
    if rows := [{"cup_id": after.id, "number": at, **to_row(after.entrants[at])} for at in changed]:
        connection.execute(insert_or_replace(connection, cup_entrants), rows)


def _to_values(cup: Cup) -> dict[str, Any]:
    values = {**to_row(cup), "format": cup.format.value, "status": cup.status.value, "deck": deck_to_text(cup.deck)}
    return {name: value for name, value in values.items() if name not in ("id", "entrants")}


def _load(
    connection: Connection, *where: ColumnElement[bool], by: Sequence[Any] = (), most: int | None = None
) -> list[Cup]:
    rows = connection.execute(select(cups).where(*where).order_by(*by).limit(most)).mappings().all()
    ids = [row["id"] for row in rows]
    query = select(cup_entrants).where(cup_entrants.c.cup_id.in_(ids)).order_by(cup_entrants.c.number)
    entrants: dict[str, list[Entrant]] = defaultdict(list)
    for each in connection.execute(query).mappings():
        entrants[each["cup_id"]].append(from_row(Entrant, each))
    return [
        from_row(
            Cup,
            row,
            format=Format(row["format"]),
            status=Status(row["status"]),
            deck=deck_from_text(row["deck"]),
            entrants=tuple(entrants[row["id"]]),
        )
        for row in rows
    ]


def find_cups_of(connection: Connection, user_id: int) -> list[str]:
    """Return the ids of the cups that a person has entered or opened, in the order in which cups are locked."""
    entered = select(cup_entrants.c.cup_id).where(cup_entrants.c.user_id == user_id)
    theirs = or_(cups.c.id.in_(entered), cups.c.host_id == user_id)
    return list(connection.scalars(select(cups.c.id).where(theirs).order_by(cups.c.id)))


def forget_entrant(connection: Connection, user_id: int, former_id: int, now: datetime) -> None:
    """Remove a person's id and name from the cups that they entered or opened, and have the cups' messages redrawn.

    The person leaves the cups that are still running.
    """
    for view in filter(None, (load_view(connection, cup_id) for cup_id in find_cups_of(connection, user_id))):
        cup = view.cup
        after = replace(cup, host_id=former_id if cup.host_id == user_id else cup.host_id)
        if (number := cup.number_of(user_id)) is not None:
            if cup.status is Status.ENTRY:
                subject, until = (user_id, int(cup.id, 16)), max(cup.begins_at, now) + MARK_MARGIN
                add_marks(connection, MarkKind.CUP, [subject], now, guild_id=cup.guild_id, ends_at=until)
            left = view.next_left if cup.status.running and number in cup.present else cup.entrants[number].left
            after = after.with_entrant(number, user_id=None, name="", left=left)
        save_cup(connection, cup, after)
        redraw_posts(connection, cup.id, now)


# ---------------------------------------------------------------------------------------------------------------- legs


def load_view(connection: Connection, cup_id: str) -> CupView | None:
    """Return a cup with its legs, or None if there is no such cup.

    The results of the open leg are left out, because nobody may see them yet. The seeds of its groups are included.
    """
    return next((CupView(cup, _load_legs(connection, cup)) for cup in _load(connection, cups.c.id == cup_id)), None)


def _load_legs(connection: Connection, cup: Cup) -> tuple[CupLeg, ...]:
    cup_id = cup.id
    # Read the legs first. If another process opens or closes a leg in between, we then only ignore groups or results
    # that are too new. In the other order, a leg could lack its groups or results.
    stored = connection.execute(select(cup_legs).where(cup_legs.c.cup_id == cup_id).order_by(cup_legs.c.number)).all()
    groups: dict[int, list[Group]] = defaultdict(list)
    drawn = (
        select(cup_groups.c.leg, cup_groups.c.challenge_id, cup_groups.c.entrants, challenges.c.seed, challenges.c.seal)
        .join(challenges)
        .where(cup_groups.c.cup_id == cup_id, cup_groups.c.number < _ALONE)
        .order_by(cup_groups.c.leg, cup_groups.c.number)
    )
    for row in connection.execute(drawn):
        entrants, cards_name = NUMBERS.read(row.entrants), name_cards(cup_id, row.leg)
        groups[row.leg].append(Group(row.challenge_id, entrants, cards_name, row.seed, version_of(row.seal)))
    played: dict[int, dict[int, Played]] = defaultdict(dict)
    for row in connection.execute(select(cup_results).where(cup_results.c.cup_id == cup_id)):
        played[row.leg][row.number] = Played(NUMBERS.read(row.results))
    legs = []
    for each in stored:
        averages, at = AVERAGES.read(each.averages), each.number
        gone = frozenset(number for number, one in enumerate(cup.entrants) if one.left is not None and one.left <= at)
        results = {} if each.closed_at is None else played[at]
        leg = Leg(tuple(groups[at]), NUMBERS.read(each.byes), results, gone, sum(averages))
        legs.append(from_row(CupLeg, each._mapping, averages=averages, leg=leg))
    return tuple(legs)


def save_leg(connection: Connection, cup_id: str, leg: CupLeg) -> None:
    """Store a leg, and copy ``ends_at`` and ``closed_at`` to its challenges."""
    texts = {"averages": AVERAGES.write(leg.averages), "byes": NUMBERS.write(leg.leg.byes)}
    row = {**to_row(leg), **texts, "cup_id": cup_id}
    del row["leg"]
    connection.execute(insert_or_replace(connection, cup_legs), row)
    theirs = select(cup_groups.c.challenge_id).where(cup_groups.c.cup_id == cup_id, cup_groups.c.leg == leg.number)
    values = {"ends_at": leg.ends_at, "closed_at": leg.closed_at}
    connection.execute(update(challenges).where(challenges.c.id.in_(theirs)).values(values))


def load_leg_challenge(connection: Connection, challenge_id: str) -> LegChallenge | None:
    columns = cup_groups.c.cup_id, cup_groups.c.leg, cup_groups.c.entrants
    joined = challenges.join(cup_groups).join(cups)
    query = select(challenges, *columns, cups.c.name.label("cup_name")).select_from(joined)
    row = connection.execute(query.where(challenges.c.id == challenge_id)).mappings().one_or_none()
    return None if row is None else make_challenge(LegChallenge, row, entrants=NUMBERS.read(row["entrants"]))


def add_leg_challenge(connection: Connection, challenge: LegChallenge, now: datetime, number: int = 0) -> None:
    """Store a new challenge of a leg. ``number`` is its group's number. It is ignored if an entrant plays alone."""
    add_challenge(connection, challenge, now)
    values = {
        "challenge_id": challenge.id,
        "cup_id": challenge.cup_id,
        "leg": challenge.leg,
        "number": _ALONE + challenge.entrants[0] if challenge.alone else number,
        "entrants": NUMBERS.write(challenge.entrants),
    }
    connection.execute(insert(cup_groups).values(values))


def find_challenge_of(connection: Connection, cup_id: str, leg: int, entrant: int) -> str | None:
    """Return the id of the challenge that an entrant plays in a leg, or None if there is none.

    An entrant without a group, who plays alone, has none before beginning to play.
    """
    query = select(cup_groups.c.challenge_id, cup_groups.c.entrants)
    rows = connection.execute(query.where(cup_groups.c.cup_id == cup_id, cup_groups.c.leg == leg))
    return next((row.challenge_id for row in rows if entrant in NUMBERS.read(row.entrants)), None)


def close_leg(connection: Connection, view: CupView, now: datetime) -> None:
    """Close the last leg of a cup, and store the results of the cards that its entrants have finished."""
    cup_id, leg = view.cup.id, view.legs[-1]
    # Closing the leg waits for decisions that are being stored, so close it before reading the results.
    save_leg(connection, cup_id, replace(leg, closed_at=now))
    rows = []
    for number, lines in _find_attempts(connection, view, attempts.c.step > 0).items():
        run = replay_events(1, TurnOrder.OWN_PACE, events_from_lines([lines])).find_run(0)
        results = NUMBERS.write(tuple(turn.result for _card, turn in run.finished))
        rows.append({"cup_id": cup_id, "leg": leg.number, "number": number, "results": results})
    if rows:
        connection.execute(insert_or_ignore(connection, cup_results), rows)


def find_finished(connection: Connection, view: CupView) -> set[int]:
    """Return the numbers of the entrants who have finished the open leg.

    Use this only to ping nobody who has finished. No player may learn who has.
    """
    return set(_find_attempts(connection, view, attempts.c.finished_at.is_not(None)))


def _find_attempts(connection: Connection, view: CupView, which: ColumnElement[bool]) -> dict[int, str]:
    ids = [group.id for group in view.legs[-1].leg.groups]
    query = select(attempts.c.user_id, attempts.c.events).where(attempts.c.challenge_id.in_(ids), which)
    rows = connection.execute(query).all()
    return {number: lines for user_id, lines in rows if (number := view.cup.number_of(user_id)) is not None}


# --------------------------------------------------------------------------------------------------------------- posts


def add_post(connection: Connection, cup_id: str, what: CupPost, at: datetime, leg: int = 0, argument: int = 0) -> None:
    number = select(func.coalesce(func.max(cup_posts.c.number), -1) + 1).where(cup_posts.c.cup_id == cup_id)
    values = {"cup_id": cup_id, "number": connection.scalar(number), "what": what.value, "leg": leg}
    connection.execute(insert(cup_posts).values({**values, "argument": argument, "called": 0, "post_at": at}))


def has_post(connection: Connection, cup_id: str, what: CupPost) -> bool:
    """Return whether a cup has or had a message of this kind, sent or not."""
    which = cup_posts.c.cup_id == cup_id, cup_posts.c.what == what.value
    return connection.scalar(select(cup_posts.c.number).where(*which).limit(1)) is not None


def redraw_posts(connection: Connection, cup_id: str, at: datetime, what: CupPost | None = None) -> None:
    """Have a cup's sent messages redrawn at a time (see ``redraw_at``), or only those of one kind."""
    kind = () if what is None else (cup_posts.c.what == what.value,)
    redraw_at(connection, cup_posts, at, cup_posts.c.cup_id == cup_id, cup_posts.c.message_id.is_not(None), *kind)


def move_reminder(connection: Connection, cup_id: str, leg: int, at: datetime) -> None:
    """Move the reminder of a leg, unless it, or some of its pings, has already been sent."""
    which = cup_posts.c.cup_id == cup_id, cup_posts.c.leg == leg, cup_posts.c.what == CupPost.REMINDER.value
    unsent = cup_posts.c.message_id.is_(None), cup_posts.c.called == 0
    connection.execute(update(cup_posts).where(*which, *unsent).values(post_at=at, post_until=None))


def drop_unsent_posts(connection: Connection, cup_id: str) -> None:
    """Send no more of a cup's unsent messages, because the cup ends."""
    unsent = cup_posts.c.cup_id == cup_id, cup_posts.c.message_id.is_(None)
    connection.execute(update(cup_posts).where(*unsent).values(post_at=None, post_until=None))


def note_progress(
    connection: Connection, cup_id: str, number: int, message_id: int | None, called: int
) -> RowMapping | None:
    """Store the message of a post, and that it has pinged the entrants whose numbers are below ``called``.

    Return the row from before, or None if there is no such post.
    """
    where = cup_posts.c.cup_id == cup_id, cup_posts.c.number == number
    before = connection.execute(select(cup_posts).where(*where)).mappings().one_or_none()
    connection.execute(update(cup_posts).where(*where).values(message_id=message_id, called=called))
    return before

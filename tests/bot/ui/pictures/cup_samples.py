"""Cups to look at: played by chance, or with the results that a test gives."""

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from bot.domain.cup import Cup, CupLeg, CupView, Entrant, Status
from bot.domain.cup_leg import Contest, Format, Leg, Played, draw_leg, list_winners
from bot.ui.cup import make_cup_picture
from highscore.deck import STANDARD_DECK
from tests.bot.domain.cups import Chance, cup_of, leg_of, play_cup

BEGAN = datetime(2027, 3, 1, 8, tzinfo=UTC)
FIRST_NAMES = ("Ada", "Ben", "Cleo Day", "Jürgen", "Мария", "Zoë & Max", "Σωκράτης", "Dan", "Eve", "Fay", "Gus")


def name_people(number: int) -> tuple[str, ...]:
    return tuple(f"{FIRST_NAMES[at % 11]}{f' {at // 11 + 1}' if at > 10 else ''}" for at in range(number))


def played_view(
    entrants: int,
    form: Format = Format.KNOCKOUT,
    legs: int = 7,
    *,
    length: int = 7,
    chance: Chance | None = None,
    names: Sequence[str] | None = None,
) -> CupView:
    """Return a cup after so many closed legs, at most; the next one is open where there is one."""
    contest = cup_of(entrants, form, length)
    usual = Chance(random.Random(entrants), coming=0.97, leaving=0, highest=30, whole=0.9)
    done = play_cup(contest, chance or usual)
    closed = done.legs[:legs]
    left = {} if not closed else {one: number for number, leg in enumerate(closed, 1) for one in leg.left}
    if len(closed) == len(done.legs):
        left |= dict.fromkeys(done.left - set(left), len(closed))
    return view_of(contest, closed, left, names)


def view_of(
    contest: Contest, closed: Sequence[Leg], left: Mapping[int, int] | None = None, names: Sequence[str] | None = None
) -> CupView:
    left = left or {}
    names = names or name_people(len(contest.entrants))
    draw = draw_leg(contest, closed, left)
    won = list_winners(contest, closed, left) if draw is None else ()
    entrants = tuple(
        Entrant(1000 + at if name else None, name, left.get(at), won=at in won) for at, name in enumerate(names)
    )
    legs = [_leg(number, leg, closed=True) for number, leg in enumerate(closed, 1)]
    if draw is not None:
        opened = leg_of(*draw.groups, played={}, byes=draw.byes, left=left, number=len(legs) + 1)
        legs.append(_leg(len(legs) + 1, opened, closed=False))
    status = Status.OVER if draw is None else Status.PLAYING
    cup = Cup(
        id=contest.id,
        guild_id=11,
        channel_id=12,
        host_id=1000,
        name="Spring Cup",
        format=contest.format,
        length=contest.length,
        days=2,
        most=128,
        begins_at=BEGAN,
        status=status,
        locale="en",
        deck=STANDARD_DECK,
        seed=contest.seed,
        published_lock=contest.entrants_lock,
        opening=contest.opening,
        leg=len(legs),
        entrants=entrants,
    )
    return CupView(cup, tuple(legs))


def _leg(number: int, leg: Leg, *, closed: bool) -> CupLeg:
    began = BEGAN + timedelta(days=2 * (number - 1))
    ends = began + timedelta(days=2)
    return CupLeg(number, began, ends, ends if closed else None, (20.0,) * 7, leg)


def final_of(one: Played | None, other: Played | None) -> tuple[CupView, tuple[int, ...]]:
    """Return a knockout of four that is over with these attempts at its final, and who was in it."""
    contest = cup_of(4)
    first = draw_leg(contest, [])
    assert first is not None
    played = {entrant: Played((entrant + 1,) * 7) for entrant in range(4)}
    semi = leg_of(*first.groups, played=played)
    second = draw_leg(contest, [semi])
    assert second is not None
    (pair,) = second.groups
    attempts = {who: attempt for who, attempt in zip(pair, (one, other), strict=True) if attempt is not None}
    return view_of(contest, [semi, leg_of(pair, played=attempts, number=2)]), pair


def drawn_cup(view: CupView, own: int | None = None) -> bytes:
    picture = make_cup_picture(view, own)
    assert picture is not None
    return picture.draw(*picture.view)

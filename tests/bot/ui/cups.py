"""Cups to be shown: played by chance, at any moment of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.domain.challenge import Attempt
from bot.domain.cup import Cup, CupLeg, CupView, Entrant, LegChallenge, Status
from bot.domain.cup_leg import Format, Leg, Played, draw_leg, list_winners, lock_cup
from bot.locales import current_language
from bot.ui.cup import make_cup_picture
from highscore import STANDARD_DECK, Game, TurnOrder
from tests.bot.domain.cups import Chance, PlayedCup, cup_of, leg_of, play_cup
from tests.highscore.strategies import play_drawn

BEGIN = datetime(2026, 3, 9, 8, tzinfo=UTC)
AVERAGES = (20.5, 12.25, 18.0, 7.75, 30.0, 11.5, 10.25)


def name_people(names: Sequence[str], people: int) -> tuple[str, ...]:
    return tuple(names[number % len(names)] for number in range(people))


def played_cup(people: int, form: Format, length: int = 5, seed: int = 1) -> PlayedCup:
    chance = Chance(random.Random(seed), coming=0.9, leaving=0.02, highest=30, whole=0.9)
    return play_cup(cup_of(people, form, length), chance)


def entry_of(names: Sequence[str], form: Format = Format.LEAGUE, most: int = 128) -> Cup:
    contest = cup_of(4, form)
    return Cup(
        id=contest.id,
        guild_id=1,
        channel_id=2,
        host_id=0,
        name="Óðinn",
        format=form,
        length=7 if form is Format.LEAGUE else 0,
        days=1 if form is Format.LEAGUE else 2,
        most=most,
        begins_at=BEGIN,
        locale=current_language(),
        deck=STANDARD_DECK,
        seed=contest.seed,
        published_lock=lock_cup(contest.source, form, 7 if form is Format.LEAGUE else 0, STANDARD_DECK),
        entrants=tuple(Entrant(number, name) for number, name in enumerate(names)),
    )


def view_of(done: PlayedCup, names: Sequence[str], closed: int | None = None) -> CupView:
    """Return a cup when so many legs were closed, with the next one open; by default when it is over."""
    contest, over = done.cup, closed is None or closed == len(done.legs)
    closed = len(done.legs) if closed is None else closed
    gone = done.left if over else done.gone[closed]
    entered = entry_of(name_people(names, len(contest.entrants)), contest.format)
    people = tuple(
        replace(each, left=1 if number in gone else None, user_id=None if number in gone and number % 2 else number)
        for number, each in enumerate(entered.entrants)
    )
    cup = replace(
        entered,
        length=contest.length if contest.format is Format.LEAGUE else 0,
        status=Status.OVER if over else Status.PLAYING,
        published_lock=contest.entrants_lock,
        opening=contest.opening,
        leg=closed + (not over),
        entrants=people,
    )
    legs = [_leg_of(number, leg) for number, leg in enumerate(done.legs[: closed + 1], 1)]
    if not over:
        opened = legs.pop()
        nobody = Leg(opened.leg.groups, opened.leg.byes, {}, frozenset(), opened.leg.par)
        legs.append(replace(opened, leg=nobody, closed_at=None))
    view = CupView(cup, tuple(legs))
    won = list_winners(cup.contest, view.closed, cup.left) if over else ()
    marked = tuple(replace(each, won=number in won) for number, each in enumerate(people))
    return replace(view, cup=replace(cup, entrants=marked))


def _leg_of(number: int, leg: Leg) -> CupLeg:
    began = BEGIN + timedelta(days=number - 1)
    ends = began + timedelta(days=1)
    return CupLeg(number, began, ends, ends, AVERAGES, leg)


def moments(people: int, form: Format, names: Sequence[str], seed: int = 1) -> list[CupView]:
    done = played_cup(people, form, seed=seed)
    return [view_of(done, names, closed) for closed in range(len(done.legs))] + [view_of(done, names)]


def played_view(
    people: int,
    form: Format = Format.KNOCKOUT,
    legs: int = 7,
    *,
    chance: Chance | None = None,
    names: Sequence[str] = ("Ada", "Ben", "Cleo Day"),
) -> CupView:
    """Return a cup after so many closed legs, at most; the next one is open if there is one."""
    usual = Chance(random.Random(people), coming=0.97, leaving=0, highest=30, whole=0.9)
    done = play_cup(cup_of(people, form), chance or usual)
    return view_of(done, names, min(legs, len(done.legs)))


def final_of(one: Played | None, other: Played | None) -> CupView:
    """Return a knockout of four that is over, with these attempts at its final."""
    contest = cup_of(4)
    first = draw_leg(contest, [])
    assert first is not None
    semi = leg_of(*first.groups, played={entrant: Played((entrant + 1,) * 7) for entrant in range(4)})
    second = draw_leg(contest, [semi])
    assert second is not None
    (pair,) = second.groups
    attempts = {who: attempt for who, attempt in zip(pair, (one, other), strict=True) if attempt is not None}
    return view_of(PlayedCup(contest, [semi, leg_of(pair, played=attempts, number=2)]), ("Ada", "Ben", "Cleo", "Dan"))


def draw_picture(view: CupView, own: int | None = None) -> bytes:
    picture = make_cup_picture(view, own)
    assert picture is not None
    return picture.draw(*picture.view)


def attempts(name: str, *, alone: bool = False, cup: Cup | None = None) -> list[Attempt[LegChallenge]]:
    """Return an attempt at a leg after each of its decisions, from the first card to the end."""
    cup = entry_of([name]) if cup is None else cup
    source = cup_of(4).source
    challenge = LegChallenge(
        id="00000000000a",
        guild_id=1,
        cards_name=f"cup {cup.id} 2",
        ends_at=BEGIN,
        closed_at=None,
        locale=current_language(),
        deck=STANDARD_DECK,
        averages=AVERAGES,
        seed=source.seed,
        seal=source.seal,
        cup_id=cup.id,
        cup_name=cup.name,
        leg=2,
        entrants=(0,) if alone else (0, 1, 2, 3),
    )
    games = play_drawn(Game(1, TurnOrder.OWN_PACE), random.Random(7), challenge.source, challenge.deck)
    return [Attempt(challenge, 0, name, 2, events, game) for game, events in games]

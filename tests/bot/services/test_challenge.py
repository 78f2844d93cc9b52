"""A challenge that is over when its closing is stored, as a leg of a cup is, and cannot be played after that."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, select, update

from bot.domain.challenge import Attempt, Challenge
from bot.domain.errors import Refused
from bot.services import challenge, proof
from bot.services.core import Core
from bot.store.challenge import add_challenge, load_attempt, make_challenge
from bot.store.models import attempts, challenges
from highscore import STANDARD_DECK
from highscore.fairness import VERSION, challenge_source
from tests.bot.attempts import decide, play
from tests.bot.cores import ADA, BEN, CHANNEL, GUILD, NOW
from tests.bot.holding import Halt, holding, waits

pytestmark = pytest.mark.both_databases

SOURCE = challenge_source(b"\x07" * 32, "0123456789ab", "leg 1", VERSION)
LEG = Challenge(
    SOURCE.game, GUILD, "leg 1", NOW, None, "en", STANDARD_DECK, (20.0,) * 7, SOURCE.seed, SOURCE.seal
)  # fmt: skip
PROLONGED = NOW + timedelta(days=1)


def load_leg(connection: Connection, challenge_id: str) -> Challenge | None:
    row = connection.execute(select(challenges).where(challenges.c.id == challenge_id)).mappings().one_or_none()
    return None if row is None else make_challenge(Challenge, row)


RULES = challenge.Rules(load_leg, lambda: "haven't started", lambda: "this leg is over")


async def begin(core: Core) -> Attempt[Challenge]:
    core.now = lambda: PROLONGED
    await core.database.write(add_challenge, LEG, NOW)
    return await challenge.change_attempt(
        core, ADA, lambda connection, now: (None, challenge.start_attempt(connection, LEG, ADA, CHANNEL, now))
    )


def close(connection: Connection) -> int:
    """Store that the leg is closed, and return the step that was played until then."""
    connection.execute(update(challenges).values(closed_at=PROLONGED))
    step: int = connection.execute(select(attempts.c.step)).scalar_one()
    return step


async def test_it_is_open_after_its_end_until_its_closing_is_stored(core: Core) -> None:
    attempt = await play(core, RULES, await begin(core))
    assert (attempt.finished_at, attempt.ranked, attempt.streak) == (PROLONGED, True, 0)
    assert await core.database.read(load_attempt, LEG, ADA.user_id) == attempt
    with pytest.raises(Refused, match="when the time is up"):
        await challenge.review_attempt(core, RULES, LEG.id, ADA.user_id)
    with pytest.raises(proof.Sealed):
        await challenge.prove_challenge(core, RULES, LEG.id, BEN.user_id)
    await core.database.write(close)
    closed, report = await challenge.review_attempt(core, RULES, LEG.id, ADA.user_id)
    assert closed == replace(attempt, challenge=replace(LEG, closed_at=PROLONGED))
    assert len(report.turns) == 7


async def test_what_is_not_played_when_it_is_closed_stays_so_and_the_rest_is_reviewed(core: Core) -> None:
    attempt = await play(core, RULES, await begin(core), cards=2)
    with pytest.raises(Refused, match="when the time is up"):
        await challenge.advise_attempt(core, RULES, LEG.id, ADA.user_id, attempt.step)
    await core.database.write(close)
    for late in (
        decide(core, RULES, attempt),
        challenge.view_attempt(core, RULES, LEG.id, ADA.user_id, attempt.step),
        challenge.advise_attempt(core, RULES, LEG.id, ADA.user_id, attempt.step),
    ):
        with pytest.raises(Refused, match="this leg is over"):
            await late
    _attempt, report = await challenge.review_attempt(core, RULES, LEG.id, ADA.user_id)
    assert len(report.turns) == 2
    with pytest.raises(Refused, match="haven't started"):
        await challenge.review_attempt(core, RULES, LEG.id, BEN.user_id)


async def test_without_a_finished_card_there_is_nothing_to_review(core: Core) -> None:
    await decide(core, RULES, await begin(core))
    await core.database.write(close)
    with pytest.raises(Refused, match="this leg is over"):
        await challenge.review_attempt(core, RULES, LEG.id, ADA.user_id)


@pytest.mark.only_postgresql("SQLite has one writer at a time")
async def test_the_closing_sees_a_decision_that_was_not_refused(cores: tuple[Core, Core]) -> None:
    one, other = cores
    begun = await begin(one)

    def count_late(
        _connection: Connection, _before: Attempt[Challenge], after: Attempt[Challenge], _now: object
    ) -> Attempt[Challenge]:
        halt()
        return after

    with Halt(one.database) as halt:
        deciding = asyncio.create_task(decide(one, replace(RULES, count=count_late), begun))
        await halt.reach(deciding)
        closing = asyncio.create_task(other.database.write(close))
        assert await waits(closing)
    assert await closing == (await deciding).step


@pytest.mark.only_postgresql("SQLite has one writer at a time")
async def test_a_decision_during_the_closing_is_refused(cores: tuple[Core, Core]) -> None:
    one, other = cores
    begun, other.now = await begin(one), lambda: PROLONGED
    async with holding(one.database, close):
        deciding = asyncio.create_task(decide(other, RULES, begun))
        assert await waits(deciding)
    with pytest.raises(Refused, match="this leg is over"):
        await deciding
    assert await one.database.read(load_attempt, LEG, ADA.user_id) == begun

import json
import random
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import product
from statistics import median
from typing import Any

import pytest
from sqlalchemy import Connection, update

from bot.domain.badges import Badge
from bot.domain.challenge import Attempt
from bot.domain.daily import Daily, daily_number
from bot.domain.errors import Refused
from bot.domain.shards import Share
from bot.services import challenge, daily, privacy
from bot.services.core import Core, Person
from bot.store.challenge import load_attempt
from bot.store.claims import SHARED_LINES, claim_due
from bot.store.daily import load_days_played
from bot.store.models import attempts, challenges
from bot.store.rows import deck_to_text
from bot.ui.challenge import render_private
from bot.ui.daily import daily_page
from highscore.deck import STANDARD_DECK, Deck
from highscore.events import TakeDice
from highscore.fairness import EARLIER, format_code
from highscore.proof import ProofError, read_export, verify_export
from tests.bot.cores import ADA, BEN, CHANNEL, DOT, GUILD, PEOPLE
from tests.bot.services.days import Days
from tests.highscore.referee import check, sha256
from tests.sampling import sample

OTHER_GUILD = GUILD + 1
FAY, GUS = Person(1006, "Fay"), Person(1007, "Gus")


@pytest.fixture
def days(core: Core) -> Days:
    return Days(core)


async def test_what_is_finished_after_its_day_is_not_ranked_and_the_next_one_has_other_cards(days: Days) -> None:
    days.turn_to("2026-01-01T23:59:59")
    attempt = await days.play(await days.begin(), cards=3)
    days.turn_to("2026-01-02T00:00")
    after = await days.begin()
    assert after.challenge.day == date(2026, 1, 2)
    assert (after.step, after.run.finished) == (0, ())
    assert after.challenge.cards != attempt.challenge.cards
    assert after.challenge.seed != attempt.challenge.seed
    later = await days.play(attempt)
    assert (later.ranked, later.streak) == (False, 0)
    assert await daily.load_boards(days.core, attempt.challenge) == ((), ())
    assert await days.core.database.read(load_attempt, attempt.challenge, ADA.user_id) == later


async def test_a_day_keeps_its_end_when_the_zone_changes(days: Days) -> None:
    days.turn_to("2026-01-01T14:30")
    before = await days.begin()
    await days.zone("Asia/Tokyo")
    days.turn_to("2026-01-01T15:30")
    after = await days.begin(BEN)
    assert (after.challenge.id, after.challenge.ends_at) == (before.challenge.id, before.challenge.ends_at)
    days.turn_to("2026-01-02T00:00")
    assert (await days.begin()).challenge.ends_at == datetime(2026, 1, 2, 15, tzinfo=UTC)


async def test_a_deletion_takes_the_attempt_out_of_the_ranking_and_gives_no_second_one(days: Days) -> None:
    async def forget() -> None:
        await privacy.erase_person(days.core, ADA)

    await days.begin()
    await forget()
    begun = await days.begin()
    assert begun.step == 0, "no die was seen"
    await days.decide(begun, TakeDice())
    await forget()
    for guild_id, person in ((OTHER_GUILD, ADA), (GUILD, BEN)):
        await days.begin(person, guild_id)
    for moment in ("2026-01-01T12:00", "2026-01-01T23:59:59"):
        days.turn_to(moment)
        with pytest.raises(Refused, match=r"already played.*<t:1767312000:R>"):
            await days.begin()
        with pytest.raises(Refused, match="haven't started"):
            await days.decide(begun, TakeDice())
    days.turn_to("2026-01-02T00:00")
    unranked = await days.play(await days.begin(number=daily_number(begun.challenge.day)))
    assert (unranked.challenge.id, unranked.ranked) == (begun.challenge.id, False)
    await days.finish()
    await forget()
    days.turn_to("2026-01-02T12:00")
    assert await daily.load_boards(days.core, begun.challenge) == ((), ())
    # The mark of today is none of a day that is over.
    await days.begin(number=daily_number(begun.challenge.day))


@pytest.fixture
def quick_averages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve no card: a streak does not depend on the averages."""
    monkeypatch.setattr(daily, "card_averages", lambda _cards: (10.0,) * 7)


async def streaks(days: Days, *happened: str) -> list[int]:
    """Return the streaks of a player who finishes a challenge at each moment in UTC. A zone is a move of the server."""
    found: list[int] = []
    for one in happened:
        if one[0].isdigit():
            days.turn_to(one)
            found.append((await days.finish()).streak)
        else:
            await days.zone(one)
    return found


@pytest.mark.parametrize("hour", sample([23, 2, 14], 3))
@pytest.mark.parametrize(
    ("start", "zones"),
    sample(
        [
            pytest.param("America/Los_Angeles", ["Europe/Berlin", "Asia/Tokyo", "Pacific/Auckland"]),
            pytest.param("Europe/London", ["Europe/Berlin"]),
            pytest.param("UTC", ["Asia/Tokyo"]),
            pytest.param("UTC", ["Asia/Tokyo", "UTC", "Asia/Tokyo"]),
            pytest.param("Pacific/Pago_Pago", ["Pacific/Kiritimati"]),
        ],
        3,
    ),
)
async def test_a_new_time_zone_further_east_ends_no_streak_of_somebody_who_plays_every_24_hours(
    days: Days, quick_averages: None, start: str, zones: list[str], hour: int
) -> None:
    await days.zone(start)
    streak, played = 0, datetime(2026, 6, 1, hour, 30, tzinfo=UTC)
    for number in range(4 + 2 * len(zones)):
        days.now = played + timedelta(days=number)
        if number in range(4, 4 + 2 * len(zones), 2):
            days.now -= timedelta(hours=1)
            await days.zone(zones[(number - 4) // 2])
            days.now += timedelta(hours=1)
        try:
            attempt = await days.finish()
        except Refused:  # Further west, the day that was played lasts longer.
            continue
        assert attempt.streak in (streak, streak + 1)
        assert attempt.streak == streak + 1 or attempt.finished_at != days.now
        streak = attempt.streak
    assert streak >= 4 + len(zones)


@pytest.mark.parametrize("somebody", [False, True])
async def test_a_whole_day_that_was_missed_ends_a_streak_also_around_a_new_time_zone(
    days: Days, quick_averages: None, somebody: bool
) -> None:
    assert await streaks(days, "2026-06-01T12:00", "2026-06-02T12:00") == [1, 2]
    if somebody:
        days.turn_to("2026-06-03T12:00")
        await days.begin(BEN)
    # On 4 June, after its challenge was opened.
    days.turn_to("2026-06-04T12:00")
    await days.begin(BEN)
    assert await streaks(days, "Asia/Tokyo", "2026-06-04T23:00", "2026-06-05T08:00", "2026-06-06T08:00") == [1, 2, 3]
    await days.zone("Pacific/Auckland")
    # The day that is cut short, and the whole one after it.
    assert await streaks(days, "2026-06-08T23:00") == [1]


@pytest.mark.both_databases
async def test_days_in_a_row_are_counted_and_a_badge_for_them_is_earned_once(days: Days) -> None:
    """A streak ends with a day that was begun and not finished, and with one that was not begun at all."""
    earned: list[str] = []
    for day, cards, before in (
        ("2026-02-27", 7, 0), ("2026-02-28", 7, 6), ("2026-03-01", 7, 7), ("2026-03-02", 6, 8), ("2026-03-03", 7, 0),
        ("2026-03-05", 7, 0), ("2026-03-06", 7, 6),
    ):  # fmt: skip
        days.turn_to(f"{day}T12:00")
        attempt = await days.begin()
        assert attempt.streak == before
        attempt = await days.play(attempt, cards)
        assert attempt.streak == (before + 1 if cards == 7 else before)
        assert (await days.begin()).streak == attempt.streak
        lines, week = await daily.load_boards(days.core, attempt.challenge)
        earned += [day for line in lines if line.badge is Badge.WEEK]
        assert not any(line.badge for line in week)
        if day in ("2026-02-27", "2026-03-05"):
            # It was the sixth in a row.
            sixth = update(attempts).where(attempts.c.streak == 1).values(streak=6)
            await days.core.database.write(Connection.execute, sixth)
    assert earned == ["2026-02-28"]
    # Each server has its own, and each person.
    assert (await days.finish(guild_id=OTHER_GUILD)).streak == 1
    people = [
        await days.core.database.read(load_days_played, guild_id, person.user_id)
        for guild_id, person in product((GUILD, OTHER_GUILD), (ADA, BEN))
    ]
    played = [None if one is None else (one.name, one.number, one.longest) for one in people]
    assert played == [(ADA.name, 6, 8), None, (ADA.name, 1, 1), None]


async def test_a_finished_attempt_is_shared_once_a_day_and_once_more_after_it(days: Days) -> None:
    attempt = await days.begin()
    with pytest.raises(Refused, match="all seven cards first"):
        await daily.share_attempt(days.core, attempt.challenge.id, ADA, CHANNEL)
    attempt = await days.play(attempt)
    assert await claimed(days) == []
    for moment in (days.now, attempt.challenge.ends_at):
        days.now = moment
        shared = await daily.share_attempt(days.core, attempt.challenge.id, ADA, CHANNEL + 3)
        assert (shared.channel_id, shared.shared_at) == (CHANNEL + 3, moment)
        assert await claimed(days) == [(attempt.challenge.id, ADA.user_id)]
        with pytest.raises(Refused, match="already shared this one"):
            await daily.share_attempt(days.core, attempt.challenge.id, ADA, CHANNEL)


@pytest.mark.both_databases
async def test_the_medians_of_an_attempt_are_those_of_the_server_when_it_was_finished(days: Days) -> None:
    """They stay the same when others finish and when data is deleted, and another server has its own."""

    async def finish(person: Person, guild_id: int = GUILD) -> Attempt[Daily]:
        return await days.play(await days.begin(person, guild_id), chance=random.Random(person.user_id))

    async def fixed(attempt: Attempt[Daily]) -> bool:
        return await days.core.database.read(load_attempt, attempt.challenge, attempt.user_id) == attempt

    for person in PEOPLE[:4]:
        assert (await finish(person, OTHER_GUILD)).medians == ()
    late = await days.play(await days.begin(FAY), cards=6)
    five = [await finish(person) for person in PEOPLE]
    medians = [median(each.results[card] for each in five) for card in range(7)]
    assert [each.medians for each in five] == [(), (), (), (), tuple(medians)]
    for card in range(7):
        assert sum(each.results[card] >= medians[card] for each in five) >= 3
    await privacy.erase_person(days.core, ADA)
    days.now = late.challenge.ends_at
    late = await days.play(late, chance=random.Random(1))
    compared = [*five[1:], late]
    assert late.medians == tuple(median(each.results[card] for each in compared) for card in range(7))
    gus = await days.begin(GUS, number=daily_number(late.challenge.day))
    gus = await days.play(gus, chance=random.Random(2))
    assert gus.medians == tuple(median(each.results[card] for each in (*five[1:], gus)) for card in range(7)), (
        "who finished late is no measure for others"
    )
    assert all([await fixed(attempt) for attempt in (*five[1:], late, gus)])


async def test_a_day_of_the_earlier_version_goes_on_and_is_checked_by_the_seal_that_was_shown(days: Days) -> None:
    begun = await days.begin(ADA)
    seal = sha256(EARLIER, begun.challenge.id, begun.challenge.seed.hex())
    await days.core.database.write(Connection.execute, update(challenges).values(seal=seal))
    begun = await days.begin(ADA)
    assert f"Seal: {seal}" in str(render_private(daily_page(begun, days.now)).embeds[0].description)
    played = await days.finish(ADA)
    days.now = played.challenge.ends_at
    proof, document = await challenge.prove_challenge(days.core, daily.DAYS, played.challenge.id, ADA.user_id)
    assert (proof.export.version, proof.export.seal, proof.state) == (EARLIER, seal, played.game)
    check(json.loads(document))


async def test_a_day_whose_seed_or_deck_is_exchanged_does_not_have_the_lock_that_was_shown(days: Days) -> None:
    mine = await days.finish(ADA)
    days.now = mine.challenge.ends_at
    prove = partial(challenge.prove_challenge, days.core, daily.DAYS, mine.challenge.id, ADA.user_id)
    assert (await prove())[0].export.lock == mine.challenge.lock
    deck = deck_to_text(Deck("another", STANDARD_DECK.cards))
    await days.core.database.write(Connection.execute, update(challenges).values(deck=deck))
    assert (await prove())[0].export.lock != mine.challenge.lock
    await days.core.database.write(Connection.execute, update(challenges).values(seed=bytes(32)))
    with pytest.raises(ProofError, match="does not match the seal"):
        await prove()


async def test_the_proof_opens_when_the_day_is_over_and_holds_only_the_own_play(days: Days) -> None:
    mine, theirs = await days.finish(ADA), await days.play(await days.begin(BEN), cards=2)
    assert mine.challenge.seed.hex() not in repr(mine), "it is no part of what is logged"
    with pytest.raises(Refused, match="stays sealed until the end") as sealed:
        await challenge.prove_challenge(days.core, daily.DAYS, mine.challenge.id, ADA.user_id)
    assert format_code(mine.challenge.lock) in str(sealed.value)
    assert mine.challenge.seed.hex() not in str(sealed.value)
    days.now = mine.challenge.ends_at
    proof, document = await challenge.prove_challenge(days.core, daily.DAYS, mine.challenge.id, ADA.user_id)
    assert proof.state == mine.game
    assert verify_export(read_export(document)) == proof
    check(json.loads(document))
    assert proof.export.seal == mine.challenge.seal
    assert "Ben" not in document
    unfinished, document = await challenge.prove_challenge(days.core, daily.DAYS, mine.challenge.id, BEN.user_id)
    assert unfinished.state == theirs.game
    check(json.loads(document))
    watcher, document = await challenge.prove_challenge(days.core, daily.DAYS, mine.challenge.id, DOT.user_id)
    assert (watcher.export.names[0], watcher.export.events) == ("", ())
    check(json.loads(document))
    assert "Ada" not in document
    with pytest.raises(Refused, match="haven't started"):
        await challenge.prove_challenge(days.core, daily.DAYS, "f" * 12, ADA.user_id)


async def claimed(days: Days) -> list[Any]:
    return await days.core.database.write(claim_due, SHARED_LINES, days.now, 100, Share())

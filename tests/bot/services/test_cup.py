import json
import random
from datetime import timedelta

import pytest
from sqlalchemy import Connection, text

from bot.domain.cup import CupPost, Status
from bot.domain.cup_leg import Format
from bot.domain.errors import Refused
from bot.services import cup, cup_leg, privacy
from bot.services.core import Place
from bot.services.cup import NewCup
from bot.store.schema import migrate_database, run_alembic
from bot.ui.cup import render_cup_post
from highscore.fairness import EARLIER, hash_words
from highscore.proof import ProofError
from tests.bot.cores import ADA, CHANNEL, GUILD, MOD, NOW
from tests.bot.domain.referee import differences
from tests.bot.services.cups import Cups, everybody, people
from tests.highscore.referee import sha256
from tests.sampling import sample


@pytest.mark.parametrize("started", [False, True])
async def test_a_cup_of_the_earlier_version_goes_on_and_is_checked_by_what_was_shown(cups: Cups, started: bool) -> None:
    """Until it started it had no lock; its sign-up showed the seal."""
    opened = await cups.open(6, NewCup("Cup", Format.KNOCKOUT, days=1))
    await cups.core.database.write(Connection.execute, text("UPDATE cups SET published_lock = NULL"))
    before = (await cups.view()).cup
    seal = sha256(EARLIER, opened.id, opened.seed.hex())
    assert f"Seal: {seal}" in str(render_cup_post(await cups.view(), CupPost.ENTRY, 0, 0).embeds[0].description)
    if started:
        cups.now = before.begins_at
        await cups.advance()
        assert (await cups.view()).cup.published_lock == sha256(*(str(person.user_id) for person in people(6)))
    view = await cups.finish()
    assert view.legs[0].leg.groups[0].source.version == EARLIER
    proof, document = await cup.prove_cup(cups.core, cups.id)
    assert (proof.lock, json.loads(document)["fairness"]) == (seal, EARLIER)
    assert differences(document) == await cups.differences() == []


async def test_a_cup_whose_seed_or_entrants_are_exchanged_does_not_have_the_locks_that_were_shown(cups: Cups) -> None:
    opened = await cups.open(6, NewCup("Cup", Format.KNOCKOUT, days=1))
    view = await cups.finish()
    proof, _document = await cup.prove_cup(cups.core, cups.id)
    assert (proof.lock, proof.contest.entrants_lock) == (opened.lock, view.cup.published_lock)
    assert opened.published_lock == opened.lock
    for change in (
        "UPDATE cup_entrants SET user_id = 999 WHERE number = 1",
        "UPDATE cups SET length = 3",
        "UPDATE cups SET published_lock = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'",
    ):
        await cups.core.database.write(Connection.execute, text(change))
        with pytest.raises(ProofError):
            await cup.prove_cup(cups.core, cups.id)


async def test_a_cup_that_was_drawn_without_a_post_has_no_draws_to_be_checked(cups: Cups) -> None:
    """Posts start cups since migration 0004."""
    await cups.open(6, NewCup("Cup", Format.KNOCKOUT, days=1))
    await cups.finish()
    await cups.core.database.write(Connection.execute, text("DELETE FROM cup_posts WHERE what = 'start'"))
    with pytest.raises(Refused, match="so old that its draws can't be checked"):
        await cup.prove_cup(cups.core, cups.id)


@pytest.mark.parametrize("state", sample(["leg", "entry", "starting", "closed", "over"], 3))
@pytest.mark.parametrize("form", Format)
async def test_whoever_has_their_data_deleted_is_a_player_who_has_left(cups: Cups, form: Format, state: str) -> None:
    """Draws and results stay as they were, what was posted is redrawn, and there is no way back."""
    gone, chance, core = people(6)[2], random.Random(3), cups.core
    opened = await cups.open(6, NewCup("Cup", form, length=3 if form is Format.LEAGUE else None, days=1))
    await cups.look()
    if state != "entry":
        cups.now = opened.begins_at
        await cups.advance()
    view = await cups.view()
    if state in ("leg", "closed", "over"):
        view = await cups.look()
    while view.open_leg is not None and state != "starting":
        await cups.play_at_once(everybody(view.open_leg), chance)
        if state == "leg":
            break
        if state == "closed":
            cups.now = view.open_leg.ends_at
            await cups.close_leg()
            break
        view = await cups.turn_to_end()
    before = await cups.view()
    await privacy.erase_person(core, gone)
    after = await cups.view()
    entrant = after.cup.entrants[2]
    assert (entrant.user_id, entrant.name) == (None, "")
    assert (entrant.left is not None) == (state != "over")
    assert [each.leg.groups for each in after.legs] == [each.leg.groups for each in before.legs]
    assert [each.leg.played for each in after.legs] == [each.leg.played for each in before.legs]
    assert after.cup.number_of(gone.user_id) is None
    assert await cups.count_due() > 0, "what was posted is redrawn"
    assert gone.name not in str(after)
    assert not any(
        number for name, number in (await privacy.count_about(core, gone.user_id))[1].items() if "cup" in name
    )
    with pytest.raises(Refused):
        await cup.enter_cup(core, cups.id, gone)
    with pytest.raises(Refused):
        await cup_leg.begin_leg(core, gone, cups.id, CHANNEL)
    await cup.enter_cup(core, cups.id, ADA) if state == "entry" else None
    assert (await cups.finish()).cup.status is Status.OVER
    assert await cups.differences() == []


async def test_a_deletion_is_no_way_around_a_removal_and_closes_no_other_cup(cups: Cups) -> None:
    await cups.open(5, NewCup("Cup"))
    removed, core = people(5)[0], cups.core
    await cup.remove_entrant(core, cups.id, MOD, 0)
    await privacy.erase_person(core, removed)
    for person in people(4)[1:]:
        await cup.withdraw_from_cup(core, cups.id, person)
    cups.now = NOW + timedelta(days=4)
    assert (await cups.look()).cup.waited, "an outage put off the beginning of a cup with too few"
    with pytest.raises(Refused, match="data was deleted"):
        await cup.enter_cup(core, cups.id, removed)
    other = await cup.open_cup(core, ADA, Place(GUILD, CHANNEL + 1, "en"), NewCup("Other"))
    assert (await cup.enter_cup(core, other.id, removed)).present == (0,)


@pytest.mark.both_databases
async def test_a_channel_has_one_cup_a_server_two_and_a_person_opens_one_at_a_time(cups: Cups) -> None:
    core = cups.core
    first = await cup.open_cup(core, MOD, Place(GUILD, CHANNEL, "en"), NewCup("First"))
    for guild_id in (GUILD, GUILD + 1):
        with pytest.raises(Refused, match="One of your cups is still running"):
            await cup.open_cup(core, MOD, Place(guild_id, CHANNEL + 1, "en"), NewCup("X"))
    with pytest.raises(Refused, match="already a cup in this channel"):
        await cup.open_cup(core, ADA, Place(GUILD, CHANNEL, "en"), NewCup("X"))
    await cup.open_cup(core, ADA, Place(GUILD, CHANNEL + 1, "en"), NewCup("Second"))
    with pytest.raises(Refused, match="Two cups are already running"):
        await cup.open_cup(core, people(1)[0], Place(GUILD, CHANNEL + 2, "en"), NewCup("X"))
    await cup.end_cup(core, first.id, MOD)
    await cup.open_cup(core, MOD, Place(GUILD, CHANNEL, "en"), NewCup("Third"))


@pytest.mark.both_databases
async def test_whoever_is_in_the_digest_of_the_version_before_stays_in_it(cups: Cups) -> None:
    """That version put those into it who had withdrawn before the entries were closed."""
    core = cups.core
    await cups.open(6, NewCup("Cup", Format.KNOCKOUT, days=1))
    await cup.withdraw_from_cup(core, cups.id, people(6)[2])
    cups.now = (await cups.view()).cup.begins_at
    await cups.advance()
    await core.database.write(run_alembic, "downgrade", "0003")
    digest = hash_words([str(person.user_id) for person in people(6)])
    await core.database.write(Connection.execute, text("UPDATE cups SET digest = :digest"), {"digest": digest})
    await migrate_database(core.database)
    view = await cups.look()
    assert view.cup.drawn_entrants == (0, 1, 2, 3, 4, 5)
    assert sorted(one for group in view.legs[0].leg.groups for one in group.entrants) == [0, 1, 3, 4, 5]
    await cup.end_cup(core, cups.id, MOD)
    assert differences((await cup.prove_cup(core, cups.id))[1]) == []

"""The secrets of a leg until its closing is stored, whatever the clock says: results, dice, seeds (R9.8).

Everything that a person can be shown is the same before anybody has played and after all have.
"""

import json
import logging
import random
from datetime import timedelta
from typing import Any

import pytest

from bot.domain import cup, cup_leg, errors
from bot.domain.leaderboard import Order
from bot.services import challenge, daily, history, leaderboard, privacy
from bot.services import cup as cup_service
from bot.services.core import Core, Person
from bot.services.cup import NewCup
from bot.services.cup_leg import RULES, begin_leg
from bot.services.proof import Sealed
from bot.store.cup import load_cups
from bot.ui.cup import direct_message_text, render_cup, render_cup_post, render_cups, render_results
from bot.ui.message import Rendered
from tests.bot.cores import ADA, CHANNEL, GUILD, MOD
from tests.bot.services.cups import Cups, everybody, open_leg, people
from tests.sampling import sample

PLAYER, RIVAL, *REST = people(5)
WATCHERS = [RIVAL, REST[-1], ADA, MOD]
"""Of the same group, of the cup, of the server alone, and a moderator."""


def read(rendered: Rendered) -> Any:
    """Return all that can be read in a message, and its buttons."""
    embeds = [embed.to_dict() for embed in rendered.embeds]
    return rendered.content, embeds, [getattr(each.item, "label", None) for each in rendered.buttons]


async def see_everything(core: Core, cup_id: str, viewer: Person) -> dict[str, Any]:
    view = await cup_service.view_cup(core, cup_id)
    seen: dict[str, Any] = {"view": view, "cups": await core.database.read(load_cups, GUILD, 25)}
    for what in cup.CupPost:
        if what is cup.CupPost.OVER:
            continue
        shown = render_cup_post(view, what, view.cup.leg, 0).adapt(pictures=False)
        seen[what.value] = read(shown)
    for what in (cup.CupPost.LEG, cup.CupPost.REMINDER):
        seen[f"direct {what}"] = direct_message_text(view, what, view.cup.leg)
    seen["page"] = read(render_cup(view, viewer.user_id, moderates=viewer.manages_server).adapt(pictures=False))
    seen["list"] = read(render_cups([view], [], viewer.user_id))
    for leg in range(1, len(view.closed) + 1):
        seen[f"results {leg}"] = read(render_results(view, leg, viewer.user_id, None))
    seen["wins"] = [await cup_service.list_cup_wins(core, GUILD, person.user_id) for person in people(5)]
    for order in Order:
        period = await leaderboard.find_current_season(core, GUILD)
        seen[f"board {order}"] = await leaderboard.load_leaderboard(core, GUILD, period, order, 0, viewer.user_id)
    seen["fame"] = await leaderboard.load_hall_of_fame(core, GUILD, 0)
    seen["recent"] = await history.load_recent_games(core, GUILD)
    for person in people(5):
        seen[f"stats {person.name}"] = await history.load_statistics(core, GUILD, person.user_id)
        seen[f"history {person.name}"] = await history.load_history(core, GUILD, person.user_id)
        days = await daily.load_past_days(core, GUILD, person.user_id)
        seen[f"days {person.name}"] = set(days.values())
    tables = json.loads((await privacy.export_person(core, viewer.user_id))[1])["tables"]
    seen["export"] = {name: rows for name, rows in tables.items() if name != "marks"}
    return seen


async def check_same(core: Core, cup_id: str, before: list[dict[str, Any]]) -> None:
    """Check that everybody sees what they saw before."""
    for viewer, seen in zip(WATCHERS, before, strict=True):
        now = await see_everything(core, cup_id, viewer)
        assert [name for name in now if now[name] != seen[name]] == [], viewer


@pytest.mark.parametrize("form", sample(cup_leg.Format, 2))
async def test_nothing_changes_for_anybody_when_others_play_an_open_leg(
    cups: Cups, form: cup_leg.Format, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    core = cups.core
    await cups.open(5, NewCup("Cup", form, days=1))
    await cups.turn_to_end()
    for _leg in range(2):
        view = await cups.view()
        leg = open_leg(view)
        before = [await see_everything(core, cups.id, viewer) for viewer in WATCHERS]
        watching = (RIVAL.user_id, REST[-1].user_id)
        others = {at: 7 for at in everybody(leg) if view.cup.entrants[at].user_id not in watching}
        await cups.play_at_once(others, random.Random(2), plain=0.2)
        await check_same(core, cups.id, before)
        # The announced end has passed, and the bot has not closed the leg yet.
        cups.now = leg.ends_at + timedelta(minutes=55)
        await check_same(core, cups.id, before)
        secrets = [group.seed.hex() for group in leg.leg.groups]
        written = [str(before), caplog.text, repr(await cups.view())]
        assert not any(secret in text for secret in secrets for text in written)
        view = await cups.look()
        assert len(view.closed) == leg.number
        assert view.closed[-1].played.keys() == others.keys(), "the results are shown now"
        assert [await see_everything(core, cups.id, viewer) for viewer in WATCHERS] != before


@pytest.mark.parametrize("late", [False, True])
async def test_of_an_open_leg_nothing_is_reviewed_advised_or_proved_for_anybody(cups: Cups, late: bool) -> None:
    core = cups.core
    await cups.open(5, NewCup("Cup"))
    await cups.turn_to_end()
    attempt = await cups.play(PLAYER, 7, random.Random(1))
    other = await cups.play(RIVAL, 1, random.Random(1))
    cups.now = attempt.challenge.ends_at if late else cups.now  # the closing is not stored
    challenge_id = attempt.challenge.id
    for person in (PLAYER, RIVAL, *REST, ADA, MOD):
        with pytest.raises(errors.Refused):
            await challenge.review_attempt(core, RULES, challenge_id, person.user_id)
        with pytest.raises(Sealed):
            await challenge.prove_challenge(core, RULES, challenge_id, person.user_id)
        with pytest.raises(errors.Refused):
            await challenge.advise_attempt(core, RULES, challenge_id, person.user_id, other.step)
        for rules in (history.load_replay, history.export_document):
            with pytest.raises(errors.Refused):
                await rules(core, GUILD, challenge_id)
    with pytest.raises(errors.Refused):
        await daily.share_attempt(core, challenge_id, PLAYER, CHANNEL)
    await cups.turn_to_end()
    _attempt, report = await challenge.review_attempt(core, RULES, challenge_id, PLAYER.user_id)
    assert len(report.turns) == 7
    for person in (PLAYER, ADA):
        proof, _document = await challenge.prove_challenge(core, RULES, challenge_id, person.user_id)
        assert proof.export.seed == attempt.challenge.seed


async def test_whoever_is_out_or_rests_plays_with_dice_that_tell_nothing_of_the_others(cups: Cups) -> None:
    await cups.open(5, NewCup("Cup", cup_leg.Format.KNOCKOUT, days=1))
    await cups.turn_to_end()
    await cups.play_at_once(everybody(open_leg(await cups.view())), random.Random(2))
    leg = open_leg(await cups.turn_to_end())
    playing, seeds = [*everybody(leg)], [group.seed for group in leg.leg.groups]
    for number, person in enumerate(people(5)):
        if number not in playing:
            alone = (await begin_leg(cups.core, person, cups.id, CHANNEL)).challenge
            assert (alone.alone, alone.entrants) == (True, (number,))
            assert alone.cards == (await cups.play(people(5)[playing[0]], 0, random.Random(1))).challenge.cards
            seeds.append(alone.seed)
    assert len(set(seeds)) == len(seeds) > 2
    with pytest.raises(errors.Refused, match="not in this cup"):
        await begin_leg(cups.core, ADA, cups.id, CHANNEL)

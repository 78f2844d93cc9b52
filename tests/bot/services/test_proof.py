"""Answers of the check when somebody has been at the database."""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, Update, update

from bot.services.cancelling import cancel_table
from bot.services.core import Core
from bot.services.helper import Helper
from bot.services.lobby import set_lucky_word
from bot.services.proof import Sealed, prove_table
from bot.store.models import games, seats
from bot.store.rows import deck_to_text
from bot.ui.lobby import render_opening
from highscore.deck import STANDARD_DECK, Deck
from highscore.dice import Dice
from highscore.errors import NotationError
from highscore.fairness import EARLIER, SEED_BYTES, format_code
from highscore.notation import Json, decode_game, encode_game, format_results
from highscore.proof import ProofError, verify_export
from highscore.scoring import score_dice
from highscore.turn_order import TurnOrder
from tests.bot.cores import ADA, begun, game_of, seated, started
from tests.bot.played import play_out
from tests.highscore.referee import check, sha256
from tests.highscore.reference import ALL_ROLLS

pytestmark = pytest.mark.both_databases


class NotingHelper(Helper):
    """Notes what is computed."""

    def __init__(self) -> None:
        super().__init__()
        self.works: list[Callable[..., Any]] = []

    async def _compute(self, work: Callable[..., Any], values: tuple[object, ...]) -> Any:
        self.works.append(work)
        return await super()._compute(work, values)


async def test_a_game_is_checked_by_the_helper_and_once(core: Core) -> None:
    core.helper = helper = NotingHelper()
    table = await started(core)
    await cancel_table(core, table.id, ADA)
    assert await prove_table(core, table.id) == await prove_table(core, table.id)
    assert helper.works == [verify_export]


async def test_another_seed_in_the_place_of_a_games_does_not_have_its_seal(core: Core) -> None:
    table = await started(core)
    await cancel_table(core, table.id, ADA)
    assert (await prove_table(core, table.id))[0].export.seal == table.seal
    await core.database.write(Connection.execute, update(games).values(seed=bytes(SEED_BYTES)))
    with pytest.raises(ProofError, match="does not match the seal"):
        await prove_table(core, table.id)


@pytest.mark.parametrize(
    "change",
    [
        update(seats).where(seats.c.seat == 1).values(lucky_word="another"),
        update(seats).where(seats.c.seat == 1).values(user_id=999),
        update(games).values(turn_order=TurnOrder.OPEN.value),
        update(games).values(deck=deck_to_text(Deck("another", STANDARD_DECK.cards))),
        update(games).values(lock="A" * 32),
    ],
    ids=["word", "player", "turn order", "deck", "lock"],
)
async def test_what_is_exchanged_after_the_opening_does_not_have_its_lock(core: Core, change: Update) -> None:
    table = await started(core)
    await cancel_table(core, table.id, ADA)
    await core.database.write(Connection.execute, change)
    with pytest.raises(ProofError, match="The lock doesn't match"):
        await prove_table(core, table.id)


async def test_a_game_in_play_shows_its_codes_and_opening_but_never_its_seed(core: Core) -> None:
    table = await seated(core, 2)
    with pytest.raises(Sealed) as in_lobby:
        await prove_table(core, table.id)
    assert format_code(table.seal) in str(in_lobby.value)
    assert "Lock:" not in str(in_lobby.value)
    table = await begun(core, table.id)
    with pytest.raises(Sealed) as in_play:
        await prove_table(core, table.id)
    for shown in (format_code(table.seal), format_code(table.make_lock()), f"/{table.channel_id}/{table.opening_id}"):
        assert shown in str(in_play.value)
    assert table.seed.hex() not in str(in_play.value)


async def test_a_game_of_the_earlier_version_goes_on_and_is_checked_by_what_was_shown(core: Core) -> None:
    """Somebody had joined, and was shown the longer seal, when the bot was updated."""
    lobby = await seated(core, 2)
    seal = sha256(EARLIER, lobby.id, lobby.seed.hex())
    await core.database.write(Connection.execute, update(games).values(seal=seal))
    await set_lucky_word(core, lobby.id, ADA, "clover")
    table = await begun(core, lobby.id)
    shown = str(render_opening(table).embeds[0].description)
    assert [f"{name}: {code}" in shown for name, code in (("Seal", seal), ("Lock", sha256("clover", "")))] == [True] * 2
    table = await play_out(core, table)
    proof, document = await prove_table(core, table.id)
    assert (proof.export.version, proof.export.seal, proof.state) == (EARLIER, seal, table.game)
    check(json.loads(document))


async def test_other_results_in_the_place_of_a_games_are_not_those_of_its_log(core: Core) -> None:
    """The file has the results of the state that was played with and shown, not what the check itself comes to."""
    table = await play_out(core, await started(core))
    state = encode_game(game_of(table))
    proof, document = await prove_table(core, table.id)
    assert proof.export.results == format_results(proof.state) == tuple(json.loads(document)["results"])

    def others() -> Iterator[Json]:
        """Yield states whose last turn was another one, and that are consistent in themselves."""
        card = game_of(table).finished[-1].card
        for dice in map(Dice.parse, ALL_ROLLS):
            other = copy.deepcopy(state)
            other["finished"][-1]["turns"][-1][1:3] = [str(dice), score_dice(card, dice).total]
            with suppress(NotationError):
                if format_results(decode_game(other)) != proof.export.results:
                    yield other

    await core.database.write(Connection.execute, update(games).values(state=json.dumps(next(others()))))
    with pytest.raises(ProofError, match="The events lead to 'round 7: "):
        await prove_table(core, table.id)

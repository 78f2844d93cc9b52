"""Answers of the check when somebody has been at the database."""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, Table, update

from bot.services.cancelling import cancel_table
from bot.services.core import Core
from bot.services.helper import Helper
from bot.services.proof import prove_table
from bot.store.models import games
from highscore import Dice, errors, fairness, notation, score_dice
from highscore.proof import ProofError, verify_export
from tests.bot import cores, played
from tests.highscore.reference import ALL_ROLLS

pytestmark = pytest.mark.both_databases


async def exchange_seed(core: Core, table: Table) -> None:
    def work(connection: Connection) -> None:
        connection.execute(update(table).values(seed=bytes(fairness.SEED_BYTES)))

    await core.database.write(work)


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
    table = await cores.started(core)
    await cancel_table(core, table.id, cores.ADA)
    assert await prove_table(core, table.id) == await prove_table(core, table.id)
    assert helper.works == [verify_export]


async def test_another_seed_in_the_place_of_a_games_does_not_have_its_seal(core: Core) -> None:
    table = await cores.started(core)
    await cancel_table(core, table.id, cores.ADA)
    assert (await prove_table(core, table.id))[0].export.seal == table.seal
    await exchange_seed(core, games)
    with pytest.raises(ProofError, match="does not match the seal"):
        await prove_table(core, table.id)


async def test_other_results_in_the_place_of_a_games_are_not_those_of_its_log(core: Core) -> None:
    """The file has the results of the state that was played with and shown, not what the check itself comes to."""
    table = await played.play_out(core, await cores.started(core))
    state = notation.encode_game(cores.game_of(table))
    proof, document = await prove_table(core, table.id)
    assert proof.export.results == notation.format_results(proof.state) == tuple(json.loads(document)["results"])

    def others() -> Iterator[notation.Json]:
        """Yield states whose last turn was another one, and that are consistent in themselves."""
        card = cores.game_of(table).finished[-1].card
        for dice in map(Dice.parse, ALL_ROLLS):
            other = copy.deepcopy(state)
            other["finished"][-1]["turns"][-1][1:3] = [str(dice), score_dice(card, dice).total]
            with suppress(errors.NotationError):
                if notation.format_results(notation.decode_game(other)) != proof.export.results:
                    yield other

    def work(connection: Connection) -> None:
        connection.execute(update(games).values(state=json.dumps(next(others()))))

    await core.database.write(work)
    with pytest.raises(ProofError, match="The events lead to 'round 7: "):
        await prove_table(core, table.id)

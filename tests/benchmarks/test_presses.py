"""The benchmark of presses plays as people do, and the bot beside it answers with what it has recorded."""

from pathlib import Path

import pytest

from benchmarks.answering import Floor
from benchmarks.people import Stopwatch, Table
from benchmarks.presses import answers_of
from highscore.turn_order import TurnOrder
from tests.discord.bots import a_tavern

pytestmark = pytest.mark.long


@pytest.mark.parametrize("order", [TurnOrder.CLOCKWISE, TurnOrder.OWN_PACE])
async def test_its_presses_are_moves_and_their_answers_can_be_given_again(order: TurnOrder, tmp_path: Path) -> None:
    async with a_tavern(tmp_path, press_limit=0, command_limit=0) as tavern:
        table = Table(tavern.discord, tavern.channel, tavern.people[:2], order)
        await table.open()
        watch = Stopwatch(tavern.discord)
        for _ in range(8):
            watch.press(await table.until_ready())
            await watch.settle()
        given = answers_of(tavern.discord)[-8:]
    assert (len(watch.seconds), watch.refused) == (8, 0)
    floor = Floor(given)
    for answer in given:
        message, again = answer["message"], floor.message()
        assert [embed.to_dict() for embed in again["embeds"]] == message["embeds"]
        assert [file.filename for file in again["attachments"]] == [file["filename"] for file in answer["files"]]
        assert len(again["view"].children) == sum(len(row["components"]) for row in message["components"])

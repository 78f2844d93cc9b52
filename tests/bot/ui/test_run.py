"""What is shown in own pace is made from what the viewer may see, to the last byte (R9.5)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.domain.table import Status, Table
from bot.ui.message import Rendered
from bot.ui.private_page import render_private
from bot.ui.run import run_page
from bot.ui.table import render
from highscore import STANDARD_DECK, Game
from highscore.game import Awaiting
from highscore.odds import hint
from highscore.turn_order import TurnOrder
from tests.bot.cores import NOW
from tests.bot.ui.tables import table_of
from tests.highscore.strategies import dealt, play_on, with_other_secrets


def table_with(game: Game) -> Table:
    """A table of four at which this game is played."""
    return replace(table_of(4, TurnOrder.OWN_PACE), status=Status.PLAYING, game=game)


def content(rendered: Rendered) -> list[object]:
    """Everything that reaches Discord, the picture among it."""
    picture = rendered.picture
    drawn = None if picture is None else (picture.alt, picture.draw(*picture.view))
    buttons = [item.item.to_component_dict() for item in rendered.buttons]
    return [rendered.content, [embed.to_dict() for embed in rendered.embeds], buttons, drawn]


def own_page(table: Table, viewer: int) -> list[object]:
    return content(render_private(run_page(table, viewer, NOW)))


@pytest.mark.parametrize("seed", range(3))
def test_nobody_sees_what_others_did_on_a_card_they_have_not_played(seed: int) -> None:
    rng = random.Random(seed)
    states = play_on(Game(4, TurnOrder.OWN_PACE), rng, dealt(rng, STANDARD_DECK)).states
    for game in states[20::7]:
        if game.awaiting is not Awaiting.PLAYER:
            continue
        for viewer in (None, *range(4)):
            mine, theirs = table_with(game), table_with(with_other_secrets(game, viewer))
            if viewer is None:
                assert content(render(mine)) == content(render(theirs))
            elif game.run(viewer).card is not None or game.run(viewer).complete:
                mine, theirs = mine.seen_by(viewer), theirs.seen_by(viewer)
                assert own_page(mine, viewer) == own_page(theirs, viewer)
                assert mine.game is not None
                assert theirs.game is not None
                if viewer in mine.game.may_act and mine.game.run(viewer).turn is not None:
                    assert hint(mine.game, viewer) == hint(theirs.game, viewer)

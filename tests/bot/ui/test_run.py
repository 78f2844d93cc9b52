"""The screens of own pace, made from what the viewer may see, to the last byte (R9.5)."""

import random
from dataclasses import replace

import pytest

from bot.domain.table import Status, Table
from bot.ui import challenge, message
from bot.ui.pictures.views import BoardView
from bot.ui.run import run_page
from bot.ui.table import render_table
from highscore import STANDARD_DECK, Awaiting, Game, TurnOrder
from highscore.odds import facts, hint
from tests.bot.cores import NOW, game_of
from tests.bot.ui.tables import table_of
from tests.highscore.strategies import dealt, play_on, with_other_secrets


def table_with(game: Game) -> Table:
    return replace(table_of(4, TurnOrder.OWN_PACE), status=Status.PLAYING, game=game)


def content(rendered: message.Rendered) -> list[object]:
    """Return all that reaches Discord, the picture among it."""
    picture = rendered.picture
    drawn = None if picture is None else (picture.sentences, picture.draw(*picture.view))
    buttons = [item.item.to_component_dict() for item in rendered.buttons]
    return [rendered.content, [embed.to_dict() for embed in rendered.embeds], buttons, drawn]


def own_page(table: Table, viewer: int) -> list[object]:
    return content(challenge.render_private(run_page(table, viewer, NOW)))


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
                assert content(render_table(mine)) == content(render_table(theirs))
            elif game.find_run(viewer).card is not None or game.find_run(viewer).complete:
                mine, theirs = mine.seen_by(viewer), theirs.seen_by(viewer)
                assert own_page(mine, viewer) == own_page(theirs, viewer)
                assert mine.game is not None
                if viewer in mine.game.may_act and mine.game.find_run(viewer).turn is not None:
                    assert hint.find_hint(mine.game, viewer) == hint.find_hint(game_of(theirs), viewer)


def test_nobody_elses_piece_is_in_a_private_picture() -> None:
    """Others may have finished the card, or left; the public message says what they do."""
    rng = random.Random(1)
    states = play_on(Game(4, TurnOrder.OWN_PACE), rng, dealt(rng, STANDARD_DECK)).states
    game = next(game for game in states if game.find_run(2).turn is not None and game.awaiting is Awaiting.PLAYER)
    table = replace(table_with(game), seats=table_of(4, names=("Ada", "Ben", "Cem", "Dot")).seats)
    picture = challenge.render_private(run_page(table.seen_by(2), 2, NOW)).picture
    assert picture is not None
    assert "It is 🟩 Cem's turn." in picture.alt
    assert "Still to play" not in picture.alt
    view, name, _previous = picture.view
    assert isinstance(view, BoardView)
    assert view.seats_here == (2,)
    run = game.find_run(2)
    assert view.measure is not None
    assert (view.measure.total, len(view.measure.cards)) == (run.total, len(run.finished))
    assert view.measure.par == facts.compute_par(card for card, _turn in run.finished)
    assert picture.draw(view, name) != picture.draw(replace(view, to_come=(3, 0, 1)), name)

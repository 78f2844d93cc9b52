"""Practice after a game: one's own costliest choices, tried again with fresh dice."""

import logging

import pytest

from bot.ui.buttons import PracticePress, TablePress, Verb
from tests.bot.databases import everything
from tests.bot.played import play_out
from tests.bot.server import PrivatePage, Server, private


async def test_the_costliest_choices_are_tried_again_with_fresh_dice(
    server: Server, error_log: list[logging.LogRecord]
) -> None:
    table = await play_out(server.bot.core, await server.begin(2))
    await server.redraw(table)
    ada, eve = server.members[0], server.members[4]
    # Played at another time than the clock's, the game also tells its players what has happened since.
    await server.press(ada, Verb.PROOF)
    report = PrivatePage.of(server, ada, await server.press(ada, Verb.REPORT))
    (costliest,) = report.buttons(Verb.TRY)
    figures = PrivatePage.of(server, ada, await report.press(Verb.FIGURES))
    assert costliest.custom_id == figures.button(Verb.TRY, 0)
    headings = [str(field.name) for field in figures.page.embeds[0].fields][-3:]
    assert headings == ["🔁 Try your costliest choices again: no. 1", "🔁 No. 2", "🔁 No. 3"]
    image = everything(server.settings)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bot.ui.turn.board_png", None)
        undrawn = PrivatePage.of(server, ada, await report.press(Verb.TRY, 0))
        assert "\nDice\\: " in str(undrawn.page.embeds[0].description)
        assert "board.png could not be drawn" in error_log.pop().getMessage()
    assert [each.label for each in figures.buttons(Verb.TRY)] == ["No. 1", "No. 2", "No. 3"]
    for number in range(3):
        page = PrivatePage.of(server, ada, await figures.press(Verb.TRY, number))
        assert "Try again: round" in page.text
        begun = page.text
        for _decision in range(20):
            decisions = (Verb.SET_ASIDE, Verb.ROLL, Verb.STOP, Verb.TOGGLE, Verb.ASK)
            offered = [verb for verb in decisions if page.buttons(verb)]
            if not offered:
                break
            await page.press(offered[0])
        assert "In the game it was" in page.text
        (again,) = page.buttons()
        await page.send(str(again.custom_id))
        assert page.text == begun
    assert everything(server.settings) == image
    others = PrivatePage.of(server, eve, await server.press(eve, Verb.REPORT))
    assert Verb.TRY not in others.verbs(), "they did not play"
    figures = PrivatePage.of(server, eve, await others.press(Verb.FIGURES))
    assert Verb.TRY not in figures.verbs()


async def test_nothing_is_tried_again_while_the_game_lasts_and_nothing_that_was_not_there(server: Server) -> None:
    table = await server.begin_turn(2)
    ada, shown = server.members[0], server.shown.id
    start = "555544120"
    custom_id = f"ht:try:{table.id}:10{start}:{start}:0"
    assert PracticePress.parse(custom_id).custom_id == custom_id
    assert "when the game is over" in private(await server.send(ada, custom_id, shown))
    for verb in (Verb.REPORT, Verb.FIGURES):
        early = TablePress(verb, table.id, table.version).custom_id
        assert "when the game is over" in private(await server.send(ada, early, shown))
    await play_out(server.bot.core, await server.table())
    for spot, position in (("14", start), ("10", "FFFFFFF71"), ("10", "aaaaaaa10")):
        told = private(await server.send(ada, f"ht:roll:{table.id}:{spot}{start}:{position}:3", shown))
        assert "doesn't work here" in told

"""Whose language a text is in: public messages have the server's, private answers their reader's."""

import re
from collections.abc import AsyncIterator

import pytest
from simcord import InteractionResult

from bot.config import Settings
from bot.ui.buttons import SettingPress, SetupVerb, Verb
from tests.bot import played
from tests.bot.locales.leftovers import left_in
from tests.bot.passing import moderator, text
from tests.bot.server import PrivatePage, Server, private, serve
from tests.simulation import locales


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    """Serve a German server where Ada has Discord in English and Ben in German."""
    async with serve(settings, members=2) as running:
        ada, ben = running.members
        with locales({ada.id: "en-GB", ben.id: "de"}, "de"):
            yield running


def is_german(result: InteractionResult) -> bool:
    # Links to commands have the registered names.
    return not left_in(re.sub(r"attachment://\w+\.png|</highscore [a-z]+:\d+>", "", private(result)), "de")


def shown(server: Server) -> str:
    labels = [button.label or "" for button in server.buttons()]
    return "\n".join((text(server.shown), *labels))


async def test_public_messages_are_german_and_each_answer_is_in_its_readers_language(server: Server) -> None:
    ada, ben = server.members
    await server.seat(2, order="open")
    assert left_in(shown(server), "de") == set()
    assert "Your lucky word" in str((await server.press(ada, Verb.LUCKY_WORD)).modal)
    assert "Dein Glückswort" in str((await server.press(ben, Verb.LUCKY_WORD)).modal)
    assert is_german(await server.press(ben, Verb.START)), "a refusal"
    await server.press(ada, Verb.START)
    await server.redraw(await played.play_out(server.bot.core, await server.table()))
    assert left_in(shown(server), "de") == set()
    assert [is_german(await server.press(member, Verb.REPORT)) for member in (ada, ben)] == [False, True]
    assert [is_german(await server.slash(member, "history")) for member in (ada, ben)] == [False, True]
    await server.slash(ada, "leaderboard", order="rating")
    assert left_in(shown(server), "de") == set()


async def test_a_server_can_switch_its_language_and_back(server: Server) -> None:
    ada, admin = server.members[0], await moderator(server)
    table = await server.begin(2)
    setup = PrivatePage.of(server, admin, await server.slash(admin, "setup"))
    select = SettingPress(SetupVerb.PICK, "language").custom_id
    await admin.select(setup.page, ["en"], custom_id=select)
    # The game keeps its language, and none of its buttons is stale.
    await server.press(server.on_turn(table), Verb.TAKE)
    assert (await server.table()).version == table.version + 1
    assert "Noch nicht gespielt" in shown(server)
    await server.cancel(admin)
    await server.slash(ada, "new")
    assert "a table is open" in shown(server)
    await admin.select(setup.page, ["server"], custom_id=select)
    await server.slash(ada, "show")
    assert "Ein Tisch ist offen" in shown(server)

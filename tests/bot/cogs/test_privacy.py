"""/highscore me and its buttons, and servers that remove the bot."""

from __future__ import annotations

import json
from dataclasses import replace

from simcord import InteractionResult, MemberActor

from bot.config import Settings
from bot.domain.table import Status
from bot.services import deadlines as due
from bot.store.privacy import OWNED
from bot.ui.actions import DataPress, Wish
from tests.bot.played import begun, finished, play_on
from tests.bot.server import PrivatePage, Server, private, private_message, serve


class Me(PrivatePage):
    """Somebody's page about their data."""

    @classmethod
    async def asks(cls, server: Server, member: MemberActor) -> Me:
        return cls(server, member, server.channel, private_message(await server.slash(member, "me")).id)

    @property
    def buttons(self) -> dict[Wish, str]:
        found = [child for row in self.page.components for child in getattr(row, "children", [])]
        return {Wish(child.custom_id.split(":")[1]): child.custom_id for child in found}

    async def press(self, wish: Wish) -> InteractionResult:
        return await self.send(self.buttons[wish])


def _of(server: Server, member: MemberActor) -> int:
    """How many rows there are about somebody."""
    return sum(
        count
        for table in OWNED
        for (count,) in server.rows(f"select count(*) from {table.name} where user_id = ?", member.id)  # noqa: S608
    )


async def test_it_is_told_in_numbers_and_the_file_comes_privately(server: Server) -> None:
    ada, ben = server.members[:2]
    nobody = await Me.asks(server, ada)
    assert "Nothing at all" in nobody.text
    assert "docs/privacy.md" in nobody.text
    assert nobody.buttons == {}
    tables = [await finished(server), await finished(server)]
    await server.slash(ada, "reminders", way="dm")
    me = await Me.asks(server, ada)
    for words in ("seats in 2 games", "the results of 2 games", "how you want to be reminded", "a direct message"):
        assert words in me.text
    assert set(me.buttons) == {Wish.FILE, Wish.DELETE}
    result = await me.press(Wish.FILE)
    (attachment,) = private_message(result).attachments
    document = json.loads(await attachment.read())
    assert document["user_id"] == str(ada.id)
    assert {row["id"] for row in document["tables"]["games"]} == {table.id for table in tables}
    assert str(ben.id) not in json.dumps(document)


async def test_deleting_takes_two_confirmations_of_ones_own(server: Server) -> None:
    await finished(server)
    ada, ben = server.members[:2]
    before = _of(server, ada), _of(server, ben)
    assert before[0] > 0
    for path in ([Wish.DELETE], [Wish.DELETE, Wish.SURE]):
        me = await Me.asks(server, ada)
        for wish in path:
            await me.press(wish)
        await me.press(Wish.KEEP)
        assert "Nothing was deleted" in me.text
    me = await Me.asks(server, ada)
    for wish in Wish:
        assert "somebody else" in private(await me.send(DataPress(wish, ada.id).custom_id, ben))
    await me.press(Wish.DELETE)
    assert set(me.buttons) == {Wish.SURE, Wish.KEEP}
    assert "a former player" in me.text
    await server.restart()
    await me.press(Wish.SURE)
    assert set(me.buttons) == {Wish.FOREVER, Wish.KEEP}
    assert (_of(server, ada), _of(server, ben)) == before
    await server.restart()
    await me.press(Wish.FOREVER)
    assert me.buttons == {}
    assert "is deleted" in me.text
    assert (_of(server, ada), _of(server, ben)) == (0, before[1])
    assert "Nothing at all" in (await Me.asks(server, ada)).text


async def test_a_running_table_is_shown_without_the_name(server: Server) -> None:
    table = await server.begin(3)
    ada = server.members[0]
    assert "Ada" in str(server.looks())
    me = await Me.asks(server, ada)
    await me.send(DataPress(Wish.FOREVER, ada.id).custom_id)
    await server.bot.delivery.settled()
    assert "Ada" not in str(server.looks())
    after = await server.table(table.id)
    assert after.status is Status.PLAYING
    assert after.seats[0].house is not None
    assert after.seats[0].name != "Ada"


async def test_a_game_that_goes_on_is_booked_for_those_who_are_left(server: Server) -> None:
    table = await play_on(server.bot.core, await begun(server, 3, server.channel.id), 8)
    ada = server.members[0]
    me = await Me.asks(server, ada)
    await me.send(DataPress(Wish.FOREVER, ada.id).custom_id)
    # Without the clock, which would let the house think in a thread of its own.
    core = server.bot.core
    server.bot.clock.close()
    current = await server.table(table.id)
    while current.status is Status.PLAYING:
        assert current.game is not None
        house = current.seats[current.game.may_act[0]].house is not None
        now = replace(current, timing=replace(current.timing, house_at=core.now()))
        current = await due.act(core, now) if house else await play_on(core, current, 1)
    assert current.status is Status.FINISHED
    people = {user for (user,) in server.rows("select user_id from standings")}
    assert people == {server.members[1].id, server.members[2].id}
    assert _of(server, ada) == 0


async def test_help_and_ones_data_name_the_documents_of_the_operator(settings: Settings) -> None:
    links = {"privacy_url": "https://example.org/privacy", "terms_url": "https://example.org/terms"}
    async with serve(settings.model_copy(update=links)) as server:
        for command in ("help", "me"):
            text = private(await server.slash(server.members[0], command))
            assert links["privacy_url"] in text
            assert "docs/privacy.md" not in text


# -------------------------------------------------------------------------------------------- servers that left the bot


async def test_a_removal_while_the_bot_was_down_is_noticed_at_its_start(server: Server) -> None:
    await play_on(server.bot.core, await begun(server), 3)
    await server.restart()
    assert server.rows("select count(*) from guilds_left") == [(0,)]
    await server.bot.close()
    server.env.backend.remove_guild(server.guild.id)
    await server.start_again()
    await server.env.settle()
    assert server.rows("select guild_id from guilds_left") == [(server.guild.id,)]
    assert server.rows("select status from games") == [("abandoned",)]

from __future__ import annotations

import json

from simcord import MemberActor

from bot.store.privacy import OWNED
from bot.ui.buttons import DataPress, Wish
from tests.bot.played import finished
from tests.bot.server import PrivatePage, Server, private, private_message


async def asks(server: Server, member: MemberActor) -> PrivatePage:
    return PrivatePage.of(server, member, await server.slash(member, "me"))


def wishes(page: PrivatePage) -> set[Wish]:
    return {wish for wish in Wish if page.buttons(wish)}


def _of(server: Server, member: MemberActor) -> int:
    return sum(
        count
        for table in OWNED
        for (count,) in server.rows(f"select count(*) from {table.name} where user_id = ?", member.id)  # noqa: S608
    )


async def test_it_is_told_in_numbers_and_the_file_comes_privately(server: Server) -> None:
    ada, ben = server.members[:2]
    nobody = await asks(server, ada)
    assert "Nothing at all" in nobody.text
    assert "docs/privacy.md" in nobody.text
    assert wishes(nobody) == set()
    tables = [await finished(server), await finished(server)]
    await server.slash(ada, "me", reminders="dm")
    me = await asks(server, ada)
    for words in ("Seats in 2 games", "results and statistics", "Your reminder settings", "a direct message"):
        assert words in me.text
    assert wishes(me) == {Wish.FILE, Wish.DELETE}
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
        me = await asks(server, ada)
        for wish in path:
            await me.press(wish)
        await me.press(Wish.KEEP)
        assert "Nothing was deleted" in me.text
    me = await asks(server, ada)
    for wish in Wish:
        assert "somebody else" in private(await me.send(DataPress(wish, ada.id).custom_id, ben))
    await me.press(Wish.DELETE)
    assert wishes(me) == {Wish.SURE, Wish.KEEP}
    assert "Deleted account" in me.text
    await server.restart()
    await me.press(Wish.SURE)
    assert wishes(me) == {Wish.FOREVER, Wish.KEEP}
    assert (_of(server, ada), _of(server, ben)) == before
    await server.restart()
    await me.press(Wish.FOREVER)
    assert wishes(me) == set()
    assert "is deleted" in me.text
    assert (_of(server, ada), _of(server, ben)) == (0, before[1])
    assert "· 1 note without your name" in (await asks(server, ada)).text, "and nothing else"

"""The options of a lobby: a private page that shows the table as it is, whoever presses what, and however late."""

from simcord import InteractionResult

from bot.ui.buttons import TablePress, Verb
from tests.bot.databases import everything
from tests.bot.server import PrivatePage, Server, private

CHOICES = {Verb.PACE: "live", Verb.ORDER: "open"}


async def pick(options: PrivatePage, verb: Verb, value: str) -> InteractionResult:
    """Pick in a select of the options as they are shown."""
    (custom_id,) = (
        str(getattr(each, "custom_id", ""))
        for row in options.page.components
        for each in getattr(row, "children", ())
        if f":{verb.value}:" in str(getattr(each, "custom_id", ""))
    )
    result = await options.member.select(options.page, [value], custom_id=custom_id)
    assert result.acknowledged
    return result


def selects(options: PrivatePage) -> int:
    """Return how many selects a page has."""
    return str(options.page.components).count("SelectMenu")


async def test_nobody_chooses_for_another_by_a_made_up_press(server: Server) -> None:
    ada, ben, stranger = (*server.members[:2], server.members[4])
    table = await server.seat(2, seats=3)
    his, theirs = await server.options(ben), await server.options(stranger)
    before = everything(server.settings)
    for page, verbs in (
        (his, CHOICES),
        (theirs, (*CHOICES, Verb.ADD_HOUSE, Verb.DROP_HOUSE, Verb.CALL, Verb.LUCKY_WORD)),
    ):
        for verb in verbs:
            await page.send(TablePress(verb, table.id, table.version).custom_id)
        assert selects(page) == 0
    assert everything(server.settings) == before
    assert (await server.table()).host_id == ada.id


async def test_a_lobby_of_the_version_before_still_takes_what_its_own_buttons_say(server: Server) -> None:
    ada, ben = server.members[:2]
    table = await server.seat(2, seats=3)
    lobby = server.shown
    assert "Take a seat" in private(await server.send(server.members[4], f"hs:house:{table.id}:0:0"))
    await server.send(ben, f"hs:house:{table.id}:0:0")
    assert len((await server.table()).seats) == 3
    assert server.shown.id == lobby.id
    assert Verb.OPTIONS in server.verbs(), "it is the lobby of everybody, not a page of options"
    assert ada.id in [seat.user_id for seat in (await server.table()).seats]

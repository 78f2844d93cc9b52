import asyncio
from typing import Any

import discord
from simcord import MemberActor

from bot.discord_api.messages import custom_ids_of
from bot.domain.server_settings import POINTING, ServerSettings, Target
from bot.services.core import get_server_settings
from bot.ui.buttons import LessonPress, SetupStep, SetupVerb, Verb
from bot.ui.setup import TYPED_FIELD
from tests import simulation
from tests.bot.passing import administer
from tests.bot.server import PrivatePage, Server, private, private_message
from tests.simulation import Click


def admin_of(server: Server) -> MemberActor:
    role = server.guild.create_role("keepers", permissions=discord.Permissions(manage_guild=True))
    return server.guild.add_member(server.env.create_user("keeper"), roles=[role])


def press_of(verb: SetupVerb, what: object = "all") -> str:
    return f"hu:{verb.value}:{what}"


async def to_setting(page: PrivatePage, name: str) -> str:
    """Go on in the setup to the step of a setting; return the id of its select."""
    step, wanted = 0, press_of(SetupVerb.PICK, name)
    while wanted not in custom_ids_of(page.page):
        step += 1
        await page.send(SetupStep(step).custom_id)
    return wanted


async def join(server: Server) -> None:
    guild = server.bot.get_guild(server.guild.id)
    await asyncio.gather(*(hear(guild) for hear in server.bot.extra_events["on_guild_join"]))
    await server.env.settle()


async def test_what_was_deleted_is_named_and_cleared_by_one_press(server: Server) -> None:
    admin, ada = admin_of(server), server.members[0]
    arcade, role = server.guild.create_text_channel("arcade"), server.guild.create_role("hosts")
    await server.env.settle()
    ids = {Target.TABLES: arcade.id, Target.POSTS: arcade.id, Target.ROLE: role.id}
    pointing: dict[str, Any] = {name: ids[target] for name, target in POINTING.items()}
    await administer(server, **{**pointing, "channels": (arcade.id,)})
    page = PrivatePage.of(server, admin, await server.slash(admin, "setup"))
    assert "Step 1 of" in page.text
    assert "Deleted" not in page.text
    server.env.backend.delete_role(server.guild.id, role.id)
    server.env.backend.delete_channel(arcade.id)
    await server.env.settle()
    assert "`/highscore setup`" in private(await server.slash(ada, "new"))
    for done, name in enumerate(POINTING):
        page = PrivatePage.of(server, admin, await server.slash(admin, "setup"))
        assert page.text.count("Deleted") == len(POINTING) - done
        await page.send(press_of(SetupVerb.CLEAR, name))
        assert page.text.count("Deleted") == len(POINTING) - done - 1
    assert await get_server_settings(server.bot.core, server.guild.id) == ServerSettings()
    assert (await server.slash(ada, "new")).acknowledged
    await server.table()


async def test_a_time_zone_is_typed_and_a_wrong_one_named_kindly(server: Server) -> None:
    admin = admin_of(server)
    page = PrivatePage.of(server, admin, await server.slash(admin, "setup"))
    await page.send(SetupStep(1).custom_id)
    asked = await page.send(press_of(SetupVerb.TYPE, "zone"))
    assert "Berln" not in page.text
    assert "Europe/Berlin" in private(await admin.submit_modal(asked, {TYPED_FIELD: "Berln"}))
    asked = await page.send(press_of(SetupVerb.TYPE, "quiet"))
    await admin.submit_modal(asked, {TYPED_FIELD: "01:15-05"})
    asked = await page.send(press_of(SetupVerb.TYPE, "zone"))
    await admin.submit_modal(asked, {TYPED_FIELD: "kathmandu"})
    assert "Asia/Kathmandu" in page.text
    assert "01:15–05:00" in page.text


async def test_only_who_may_manage_the_server_sets_it_up(server: Server) -> None:
    ada, admin = server.members[0], admin_of(server)
    assert "Manage Server" in private(await server.slash(ada, "setup"))
    message = private_message(await server.slash(admin, "setup"))
    names = {SetupVerb.PICK: "pace", SetupVerb.TYPE: "zone"}
    for custom_id in (SetupStep(1).custom_id, *(press_of(verb, names.get(verb, "all")) for verb in SetupVerb)):
        press = Click(ada, message.id, custom_id)
        assert "Manage Server" in private(await simulation.click(server.env, server.channel, press))
    assert await get_server_settings(server.bot.core, server.guild.id) == ServerSettings()


async def test_a_server_is_offered_it_once_where_the_bot_may_write(server: Server) -> None:
    before = len(server.messages)
    await join(server)
    assert len(server.messages) == before + 1
    offer = server.shown
    result = await server.members[0].click(offer, custom_id=press_of(SetupVerb.OPEN))
    assert "Manage Server" in private(result)
    result = await admin_of(server).click(offer, custom_id=press_of(SetupVerb.OPEN))
    assert "Step 1" in private(result)
    taught = private_message(await server.members[0].click(offer, custom_id=LessonPress(Verb.LEARN).custom_id))
    assert "card 1 of 3" in str(taught.embeds[0].title)
    await administer(server, pictures=False)
    await join(server)
    assert len(server.messages) == before + 1

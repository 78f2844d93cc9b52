import discord

from tests import simulation
from tests.bot.server import Server, private


async def test_commands_without_a_place_or_a_table_get_a_sentence(server: Server) -> None:
    ada = server.members[0]
    assert server.bot.user is not None
    for permission, name in (("send_messages", "Send Messages"), ("embed_links", "Embed Links")):
        denied = discord.PermissionOverwrite(**{permission: False})
        channel = server.guild.create_text_channel(permission, overwrites={server.bot.user: denied})
        assert name in private(await server.slash(ada, "new", channel=channel))
    result = await simulation.slash_in_private(server.env, ada.user, "highscore", "new")
    assert "server" in private(result)
    assert ada.user.available_commands() == ()
    assert "highscore new" in ada.available_commands(server.channel)
    for command in ("show", "leave"):
        assert "/highscore new" in private(await server.slash(ada, command))
    assert server.rows("select count(*) from games") == [(0,)]

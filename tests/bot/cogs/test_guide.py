import re

from simcord import InteractionResult

from tests.bot.server import Server, embeds_of


def _embed(result: InteractionResult) -> str:
    assert result.response is not None
    assert result.ephemeral
    return embeds_of(result.response)


async def test_help_lists_every_command(server: Server) -> None:
    text = _embed(await server.slash(server.members[0], "help"))
    commands = [name for name in server.members[0].available_commands(server.channel) if name.startswith("highscore")]
    assert len(commands) == 16
    assert [name for name in commands if f"/{name}" not in text] == []
    # A click on one opens it.
    assert len(re.findall(r"</highscore [a-z]+:\d+>", text)) == len(commands)
    assert "docs/privacy.md" in text
    assert "docs/terms.md" in text

"""/highscore rules and help."""

import re

from simcord import InteractionResult

from highscore import STANDARD_DECK
from tests.bot.server import Server, embeds_of, private


def _embed(result: InteractionResult) -> str:
    assert result.response is not None
    assert result.ephemeral
    return embeds_of(result.response)


async def test_rules_explain_a_card_by_its_id_or_the_name_that_was_offered(server: Server) -> None:
    ada = server.members[0]

    async def offered(typed: str) -> dict[str, str]:
        choices = await ada.autocomplete(server.channel, "highscore rules", "card", typed)
        return {choice["value"]: choice["name"] for choice in choices}

    every = await offered("")
    assert list(every) == [card.id for card in STANDARD_DECK]
    assert list(await offered("TRIPLES-m")) == ["triples-minus-choice", "triples-minus-ten"]
    assert set(await offered("three of a kind")) == {"triples-minus-choice", "triples-minus-ten"}
    assert await offered("no such card") == {}
    first, *_others, last = every
    for typed in (first, every[last].upper()):
        text = _embed(await server.slash(ada, "rules", card=typed))
        assert "For example" in text
    for typed in ("snake eyes", "", "x" * 3000, "**total-minus5**", "@everyone"):
        assert "Pick one" in private(await server.slash(ada, "rules", card=typed))


async def test_help_lists_every_command(server: Server) -> None:
    text = _embed(await server.slash(server.members[0], "help"))
    commands = [name for name in server.members[0].available_commands(server.channel) if name.startswith("highscore")]
    assert len(commands) == 16
    assert [name for name in commands if f"/{name}" not in text] == []
    # A click on one opens it.
    assert len(re.findall(r"</highscore [a-z]+:\d+>", text)) == len(commands)
    assert "docs/privacy.md" in text
    assert "docs/terms.md" in text

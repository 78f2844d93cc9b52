"""/highscore rules and help."""

from __future__ import annotations

import pytest
from simcord import InteractionResult

from highscore import STANDARD_DECK
from highscore.cards import Card
from tests.bot.server import Server, private


def _embed(result: InteractionResult) -> str:
    assert result.response is not None
    assert result.ephemeral
    return str([embed.to_dict() for embed in result.response.embeds])


async def test_rules_explain_the_game(server: Server) -> None:
    text = _embed(await server.slash(server.members[0], "rules"))
    assert all(word in text for word in ("Seven", "vortex", "gold", "Four full rolls", "Any three rolls", "Set aside"))


@pytest.mark.parametrize("card", STANDARD_DECK.cards, ids=lambda card: card.id)
async def test_rules_explain_every_card_by_its_id(server: Server, card: Card) -> None:
    text = _embed(await server.slash(server.members[0], "rules", card=card.id))
    assert "For example" in text
    assert "#" in text


async def test_the_list_of_cards_opens_while_one_types(server: Server) -> None:
    ada = server.members[0]

    async def offered(typed: str) -> list[str]:
        choices = await ada.autocomplete(server.channel, "highscore rules", "card", typed)
        return [choice["value"] for choice in choices]

    assert await offered("") == [card.id for card in STANDARD_DECK]
    assert await offered("TRIPLES-m") == ["triples-minus-choice", "triples-minus-ten"]
    assert set(await offered("three of a kind")) == {"triples-minus-choice", "triples-minus-ten"}
    assert await offered("no such card") == []


async def test_a_card_is_found_by_the_name_that_was_offered(server: Server) -> None:
    choices = await server.members[0].autocomplete(server.channel, "highscore rules", "card", "ascending")
    assert "Ascending" in _embed(await server.slash(server.members[0], "rules", card=choices[0]["name"].upper()))


@pytest.mark.parametrize("typed", ["snake eyes", "", "x" * 3000, "**total-minus5**", "@everyone"])
async def test_a_card_that_does_not_exist_is_refused(server: Server, typed: str) -> None:
    assert "no such card" in private(await server.slash(server.members[0], "rules", card=typed))


async def test_help_lists_every_command(server: Server) -> None:
    text = _embed(await server.slash(server.members[0], "help"))
    commands = [name for name in server.members[0].available_commands(server.channel) if name.startswith("highscore")]
    assert len(commands) >= 6
    assert [name for name in commands if f"/{name}" not in text] == []

"""/highscore rules and help: the guide to the game, and the commands."""

from typing import Any

from discord import app_commands

from bot.cogs.common import Answer, Choices, Feature, Private, UserRequest, answers, suggests
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import get_table
from bot.ui.buttons import Action, GuidePress, HelpPress, TablePress, Verb
from bot.ui.coaching import facts_lines
from bot.ui.guide import render_card, render_guide, render_help, render_whole_help
from bot.ui.message import Rendered
from bot.ui.words import card_name
from highscore.cards import Card
from highscore.odds.facts import compute_facts
from highscore.odds.hint import TYPICAL_PLAYERS, compute_typical_chances
from highscore.turn_order import TurnOrder


class GuideCommands(Feature):
    @app_commands.command(description="How to play, or what one challenge card means")
    @app_commands.describe(card="A challenge card to explain, with an example")
    @answers()
    async def rules(self, request: UserRequest, card: str | None = None) -> Answer:
        if card is None:
            return Answer(render_guide(0, request.core.deck))
        return Answer(await explain_card(request, self._find(request, card)))

    @rules.autocomplete("card")
    @suggests
    async def complete_card(self, request: UserRequest, _typed: str) -> Choices:
        return [(card_name(card)[:100], card.id) for card in request.core.deck]

    @app_commands.command(description="What the commands do")
    @answers()
    async def help(self, _request: UserRequest) -> Answer:
        return Answer(render_help())

    def _find(self, request: UserRequest, typed: str) -> Card:
        """Find a card by its id or name. A user can type any text instead of picking a card from the list."""
        name = typed.casefold().strip()
        for card in request.core.deck:
            if name in (card.id, card_name(card).casefold()):
                return card
        raise Refused(_("Pick one from the list."))


async def show_whole_help(request: UserRequest, _press: HelpPress) -> Answer:
    tree: app_commands.CommandTree[Any] = request.interaction.client.tree
    described = {each.name: each.description for each in tree.walk_commands() if each.parent is not None}
    return Answer(render_whole_help(described, request.context.privacy_url, request.context.terms_url))


async def show_rules(request: UserRequest, _press: TablePress) -> Private:
    return Private(render_guide(0, request.core.deck))


async def show_card(request: UserRequest, press: TablePress) -> Private:
    table = await get_table(request.core, press.table_id)
    game = table.game
    proof = TablePress(Verb.PROOF, table.id, table.version)
    card = None if game is None else game.card
    return Private(await explain_card(request, card, len(table.seats), table.turn_order, proof))


async def explain_card(
    request: UserRequest,
    card: Card | None,
    players: int = TYPICAL_PLAYERS,
    order: TurnOrder = TurnOrder.CLOCKWISE,
    proof: Action | None = None,
) -> Rendered:
    """Explain a card, with an example and its odds. For two or more players, these include the odds of the chips.

    Raise Refused if ``card`` is None.
    """
    if card is None:
        raise Refused(_("There is no card to explain right now."))
    helper = request.core.helper
    chances = await helper.run(compute_typical_chances, card, players, order) if players > 1 else None
    return render_card(card, facts_lines(await helper.run(compute_facts, card), players, chances), proof)


async def turn_guide(request: UserRequest, press: GuidePress) -> Answer:
    return Answer(render_guide(press.page, request.core.deck))

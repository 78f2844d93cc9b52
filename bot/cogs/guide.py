"""/highscore rules and help: what the game is and how it is played."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.cogs.dispatch import Interaction, answer_error, defer_if_slow, reply_ephemeral
from bot.domain.errors import Refused
from bot.locales import _, language_for, speak
from bot.services.coaching import typical_chances
from bot.ui import guide_buttons as guide_pages
from bot.ui.buttons import make_view
from bot.ui.coaching import facts_lines
from bot.ui.guide import card_embed, card_picture, help_embed
from bot.ui.words import card_name
from highscore.cards import Card
from highscore.deck import Deck
from highscore.odds import Prospect
from highscore.odds.facts import CardFacts, facts

if TYPE_CHECKING:
    from bot.app import HighScoreBot

MOST_CHOICES = 25
"""Choices Discord takes for one autocompletion."""


class GuideCommands(commands.Cog):
    """The part of /highscore that explains."""

    bot: HighScoreBot

    @app_commands.command(description="How to play, or what one challenge card means")
    @app_commands.describe(card="A challenge card to explain, with an example")
    async def rules(self, interaction: Interaction, card: str | None = None) -> None:
        """Explain the game, or a card."""
        if card is None:
            page = guide_pages.page(0, self.bot.core.deck)
            await reply_ephemeral(interaction, "", embed=page.embed, picture=page.picture, view=make_view(page.buttons))
            return
        found = self._find(card)
        figures = await defer_if_slow(interaction, asyncio.to_thread(_figures, found), private=True)
        embed = card_embed(found, facts_lines(*figures))
        await reply_ephemeral(interaction, "", embed=embed, picture=card_picture(found))

    @rules.autocomplete("card")
    async def complete_card(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Cards whose name or id contains what was typed so far."""
        speak(language_for(interaction.locale))
        typed = current.casefold().strip()
        found = [
            app_commands.Choice(name=card_name(card)[:100], value=card.id)
            for card in self.bot.core.deck
            if typed in card_name(card).casefold() or typed in card.id
        ]
        return found[:MOST_CHOICES]

    @app_commands.command(description="What the commands do")
    async def help(self, interaction: Interaction) -> None:
        """List the commands."""
        settings = self.bot.settings
        await reply_ephemeral(interaction, "", embed=help_embed(settings.privacy_url, settings.terms_url))

    def _find(self, typed: str) -> Card:
        """A card by its id or name: what was typed need not come from the list."""
        wanted = typed.casefold().strip()
        for card in self.bot.core.deck:
            if wanted in (card.id, card_name(card).casefold()):
                return card
        raise Refused(_("There is no such card. Pick one from the list that opens while you type."))


async def turn_page(interaction: Interaction, number: int, deck: Deck) -> None:
    """Show a page of the guide in the message whose button was pressed. Never raises."""
    speak(language_for(interaction.locale))
    try:
        page = guide_pages.page(number, deck)
        files = [] if page.picture is None else [await page.picture.attach(page.embed)]
        view = make_view(page.buttons)
        await interaction.response.edit_message(embed=page.embed, attachments=files, view=view)
    except Exception as error:
        await answer_error(interaction, error)


def _figures(card: Card) -> tuple[CardFacts, Prospect]:
    return facts(card), typical_chances(card)

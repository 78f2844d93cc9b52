"""/highscore history and stats, and the buttons for finished games and their replays."""

import discord
from discord import app_commands

from bot.cogs.common import Answer, Choices, Feature, Private, UserRequest, answers, name_of, suggests
from bot.cogs.proof import make_proof_message
from bot.discord_api.permissions import find_visible
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.core import get_server_settings
from bot.services.cup import list_cup_wins
from bot.services.history import export_document, load_history, load_recent_games, load_replay, load_statistics
from bot.ui.buttons import FiguresPress, HistoryPress, RecordPress, ReplayPress, Step
from bot.ui.history import choice_name, owner_name, render_figures, render_history, render_replay, render_stats
from bot.ui.message import Rendered


class HistoryCommands(Feature):
    @app_commands.command(description="Show this server's finished games, or replay one of them roll by roll")
    @app_commands.describe(
        player="Whose games to show; everybody's by default",
        game="The finished game to go through; pick one or write its ID",
    )
    @answers()
    async def history(
        self, request: UserRequest, player: discord.User | None = None, game: str | None = None
    ) -> Answer:
        if game is not None:
            return Answer(await _draw_position(request, game.strip().casefold(), 0))
        games = await load_history(request.core, request.guild_id, None if player is None else player.id)
        return Answer(render_history(games, None if player is None else name_of(player)))

    @history.autocomplete("game")
    @suggests
    async def complete_game(self, request: UserRequest, _typed: str) -> Choices:
        games = await load_recent_games(request.core, request.guild_id)
        return [(choice_name(game), game.game_id) for game in games]

    @app_commands.command(description="A player's statistics and badges on this server")
    @app_commands.describe(player="Whose statistics to show; yours by default")
    @answers()
    async def stats(self, request: UserRequest, player: discord.User | None = None) -> Answer:
        return await _show_statistics(request, request.interaction.user if player is None else player)

    @answers()
    async def show_statistics(self, request: UserRequest, user: discord.User) -> Answer:
        """Show what /highscore stats shows, from the menu of a user."""
        return await _show_statistics(request, user)


async def turn_history(request: UserRequest, press: HistoryPress) -> Answer:
    guild_id, newer = request.guild_id, press.step is Step.NEWER
    games = await load_history(request.core, guild_id, press.user_id or None, press.game_id, newer=newer)
    return Answer(render_history(games, owner_name(games)))


async def show_figures(request: UserRequest, press: FiguresPress) -> Private:
    """Show the figures of a user that the page of statistics leaves out. Raise Refused if they have finished no game
    here, for example because their data was deleted in the meantime."""
    figures = await load_statistics(request.core, request.guild_id, press.user_id)
    if figures is None or figures.standing is None:
        raise _refuse_statistics(request, press.user_id)
    return Private(render_figures(figures, figures.standing))


async def turn_replay(request: UserRequest, press: ReplayPress) -> Answer | Private:
    """Show a position of a replay, in a new message if this opens the replay, and otherwise in the pressed message."""
    page = await _draw_position(request, press.game_id, press.position)
    return Private(page) if press.step is Step.OPEN else Answer(page)


async def export_game(request: UserRequest, press: RecordPress) -> Private:
    async with request.one_at_a_time():
        text = await export_document(request.core, request.guild_id, press.table_id)
    return Private(make_proof_message((), text, press.table_id))


async def _show_statistics(request: UserRequest, who: discord.User | discord.Member) -> Answer:
    core, guild_id = request.core, request.guild_id
    async with request.one_at_a_time():
        won = await list_cup_wins(core, guild_id, who.id)
        visible = await find_visible(request.interaction, [channel_id for _name, channel_id in won])
        cups = [name for name, channel_id in won if channel_id in visible or who.id == request.user_id]
        figures = await load_statistics(core, guild_id, who.id, cups)
        if figures is not None:
            pictures = (await get_server_settings(core, guild_id)).pictures
            shown = render_stats(figures, name_of(who)).adapt(pictures=pictures)
            return Answer(await request.draw_first(shown))
    raise _refuse_statistics(request, who.id)


def _refuse_statistics(request: UserRequest, user_id: int) -> Refused:
    if user_id == request.user_id:
        return Refused(_("You haven't finished a game on this server yet."))
    return Refused(_("That person hasn't finished a game on this server yet."))


async def _draw_position(request: UserRequest, game_id: str, number: int) -> Rendered:
    """Draw a position of a replay in the helper process, so that it does not delay the pictures of tables."""
    async with request.one_at_a_time():
        table, positions = await load_replay(request.core, request.guild_id, game_id)
        return await request.draw_first(render_replay(table, positions, number))

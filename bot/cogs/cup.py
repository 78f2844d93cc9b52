"""/highscore cup."""

from discord import app_commands

from bot.cogs.answers import Answer, Feature, answers
from bot.cogs.common import choice_of, find_game_place, guild_id_of, person_of
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.cup import LEG_DAYS, LONGEST_NAME, MOST_ENTRANTS
from bot.domain.cup_draw import LEAGUE_LEGS, Format
from bot.services.cup import LATEST_BEGIN, NewCup, list_cups, open_cup, view_cup
from bot.ui.cup_page import render_cups, render_opened


class CupCommands(Feature):
    @app_commands.command(
        description="The cups of this server; a name opens one: for days, everybody with the same cards"
    )
    @app_commands.describe(
        name="The name of a new cup",
        form="League unless it is to be a knockout",
        days="How many days a leg has, 1 to 3",
        legs="How many legs a league has, 3 to 14",
        begins="In how many days the first leg opens",
        entrants="How many may enter, 4 to 128",
    )
    @app_commands.rename(name="new", form="format")
    @app_commands.choices(
        form=[
            app_commands.Choice(name="league: everybody plays every leg", value=Format.LEAGUE.value),
            app_commands.Choice(name="knockout: two meet, one goes on", value=Format.KNOCKOUT.value),
        ]
    )
    @answers(AnswerKind.PRIVATE)
    async def cup(
        self,
        interaction: Interaction,
        name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
        form: str = Format.LEAGUE.value,
        days: app_commands.Range[int, LEG_DAYS[0], LEG_DAYS[-1]] | None = None,
        legs: app_commands.Range[int, LEAGUE_LEGS[0], LEAGUE_LEGS[-1]] | None = None,
        begins: app_commands.Range[int, 1, LATEST_BEGIN] = 1,
        entrants: app_commands.Range[int, MOST_ENTRANTS[0], MOST_ENTRANTS[-1]] = MOST_ENTRANTS[-1],
    ) -> Answer:
        """Open a cup, or list those there are."""
        core = self.context.core
        if name is not None:
            wishes = NewCup(name, choice_of(Format, form), days, legs, begins, entrants)
            return Answer(
                render_opened(await open_cup(core, person_of(interaction), wishes, **find_game_place(interaction)))
            )
        cups = await list_cups(core, guild_id_of(interaction))
        running = [await view_cup(core, each.id) for each in cups if each.status.running]
        return Answer(render_cups(running, [each for each in cups if not each.status.running], interaction.user.id))

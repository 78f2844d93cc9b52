"""/highscore cup and the buttons of cups."""

from discord import app_commands

from bot.cogs.challenge import ChallengeGame, add_best
from bot.cogs.common import Answer, Feature, Private, UserRequest, answers, choice_of
from bot.cogs.proof import make_proof_message
from bot.discord_api.permissions import find_visible
from bot.domain.challenge import Attempt
from bot.domain.cup import LEG_DAYS, LONGEST_NAME, MOST_ENTRANTS, Cup, CupView, LegChallenge, Status
from bot.domain.cup_leg import LEAGUE_LEGS, Format
from bot.domain.errors import Refused
from bot.locales import _
from bot.services import cup as service
from bot.services.core import Core, check_guild, get_server_settings
from bot.services.cup_leg import RULES, begin_leg
from bot.ui import cup as ui
from bot.ui.buttons import CupPage, CupPress, CupQuestion, RemoveEntrant, ResultsPress, Verb
from bot.ui.challenge import PrivatePage, render_private
from bot.ui.message import Rendered
from bot.ui.proof import cup_proof_lines


class CupCommands(Feature):
    @app_commands.command(
        description="Show this server's cups, or open one: the same cards for everybody, over several days"
    )
    @app_commands.describe(
        name="The name of a new cup",
        form="How the cup is played; a league by default",
        days="How many days a leg lasts, 1 to 3",
        legs="How many legs a league has, 3 to 14",
        begins="How many days until the first leg opens",
        entrants="How many can enter, 4 to 128",
    )
    @app_commands.rename(name="new", form="format")
    @app_commands.choices(
        form=[
            app_commands.Choice(name="league: everybody plays every leg", value=Format.LEAGUE.value),
            app_commands.Choice(name="knockout: two play, one advances", value=Format.KNOCKOUT.value),
        ]
    )
    @answers()
    async def cup(
        self,
        request: UserRequest,
        name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
        form: str = Format.LEAGUE.value,
        days: app_commands.Range[int, LEG_DAYS[0], LEG_DAYS[-1]] | None = None,
        legs: app_commands.Range[int, LEAGUE_LEGS[0], LEAGUE_LEGS[-1]] | None = None,
        begins: app_commands.Range[int, 1, service.LATEST_BEGIN] = 1,
        entrants: app_commands.Range[int, MOST_ENTRANTS[0], MOST_ENTRANTS[-1]] = MOST_ENTRANTS[-1],
    ) -> Answer:
        core = request.core
        if name is not None:
            wishes = service.NewCup(name, choice_of(Format, form), days, legs, begins, entrants)
            place = await request.find_game_place()
            return Answer(ui.render_opened(await service.open_cup(core, request.person, place, wishes)))
        cups = await list_visible_cups(request)
        running = [await service.view_cup(core, each.id) for each in cups if each.status.running]
        return Answer(ui.render_cups(running, [each for each in cups if not each.status.running], request.user_id))


async def open_page(request: UserRequest, press: CupPage) -> Answer | Private:
    """Show the cup that the button names or that was picked in a select, with a page of entrants for moderators."""
    cup_id = press.cup_id
    if cup_id == ui.NO_CUP:
        cup_id = request.picked_value
        await check_guild(request.core, cup_id, request.interaction.guild_id)
    async with request.one_at_a_time():
        return await _show_cup(request, cup_id, page=press.page)


async def change_cup(request: UserRequest, press: CupPress) -> Answer | Private:
    core, who = request.core, request.person
    cup = (await view_visible_cup(request, press.cup_id)).cup
    if press.verb is Verb.ENTER:
        await request.check_may_post(cup.channel_id)
        await service.enter_cup(core, cup.id, who)
    else:
        await service.prolong_leg(core, cup.id, who, press.leg)
    return await _show_cup(request, cup.id)


async def quit_cup(request: UserRequest, press: CupQuestion) -> Answer | Private:
    """Withdraw from a cup or end it, and then show the cup. Ask first, except for a withdrawal during sign-up, after
    which the user can enter again."""
    core, who = request.core, request.person
    cup = (await view_visible_cup(request, press.cup_id)).cup
    enters = cup.status is Status.ENTRY or cup.number_of(who.user_id) not in cup.present
    if not press.confirmed and not (press.verb is Verb.LEAVE and enters):
        return _show(request, ui.render_cup_question(cup, press.verb))
    await (service.withdraw_from_cup if press.verb is Verb.LEAVE else service.end_cup)(core, cup.id, who)
    return await _show_cup(request, cup.id)


async def remove_from_cup(request: UserRequest, press: RemoveEntrant) -> Answer | Private:
    """Ask whether to remove the entrant that was picked, or, if this was confirmed, remove the entrant."""
    cup = (await view_visible_cup(request, press.cup_id)).cup
    if press.confirmed:
        await service.remove_entrant(request.core, cup.id, request.person, press.entrant)
        return await _show_cup(request, cup.id)
    if (number := request.pick_number(cup.present)) is None:
        raise Refused(_("Pick one from the list."))
    return _show(request, ui.render_cup_question(cup, Verb.REMOVE, number))


async def show_results(request: UserRequest, press: ResultsPress) -> Answer | Private:
    """Show the results of a group in a closed leg: the user's own, or one that was picked."""
    view = await view_visible_cup(request, press.cup_id)
    if not 1 <= press.leg <= len(view.closed):
        raise Refused(_("You can see this when the leg is over. Others may still be playing."))
    at = request.pick_number(range(len(view.closed[press.leg - 1].groups)))
    own = await service.find_own_challenge(request.core, view.cup, press.leg, request.user_id)
    return _show(request, ui.render_results(view, press.leg, request.user_id, own, at))


async def prove_draws(request: UserRequest, press: CupPress) -> Private:
    await view_visible_cup(request, press.cup_id)
    async with request.one_at_a_time():
        proof, document = await service.prove_cup(request.core, press.cup_id)
    return Private(make_proof_message(cup_proof_lines(proof), document, press.cup_id))


async def open_next_cup(request: UserRequest, press: CupPress) -> Private:
    """Open a new cup with the settings of one that is over, in the same channel."""
    cup = (await view_visible_cup(request, press.cup_id)).cup
    place, wishes = await request.find_game_place(), service.repeat_cup(cup)
    return Private(ui.render_opened(await service.open_cup(request.core, request.person, place, wishes)))


async def _show_cup(request: UserRequest, cup_id: str, page: int = 0) -> Answer | Private:
    view = await service.add_league_table(request.core, await view_visible_cup(request, cup_id))
    pictures = (await get_server_settings(request.core, view.cup.guild_id)).pictures
    moderates = request.person.manages_server
    rendered = ui.render_cup(view, request.user_id, moderates=moderates, page=page)
    return _show(request, await request.draw_first(rendered.adapt(pictures=pictures)))


def _show(request: UserRequest, rendered: Rendered) -> Answer | Private:
    """Show a private message. If the press was on a private message, replace that message."""
    return Answer(rendered) if request.is_private else Private(rendered)


async def play_leg(request: UserRequest, press: CupPress) -> Private:
    attempt = await begin_leg(request.core, request.person, press.cup_id, request.channel_id)
    page = await _make_page(request.core, attempt, await service.view_cup(request.core, press.cup_id))
    return Private(render_private(page))


async def _make_page(core: Core, attempt: Attempt[LegChallenge], view: CupView | None = None) -> PrivatePage:
    settings = await get_server_settings(core, attempt.challenge.guild_id)
    page = ui.leg_page(attempt, view, pictures=settings.pictures, rare=settings.rare)
    return await add_best(core, page, attempt.challenge.guild_id, attempt.user_id)


LEGS = ChallengeGame(RULES, _make_page, ui.leg_title)


async def list_visible_cups(request: UserRequest) -> list[Cup]:
    """Return the cups of a server that the user may see: cups in channels that the user can see or that were deleted,
    and cups that the user has entered."""
    cups = await service.list_cups(request.core, request.guild_id)
    visible = await find_visible(request.interaction, [cup.channel_id for cup in cups])
    return [cup for cup in cups if cup.channel_id in visible or cup.number_of(request.user_id) is not None]


async def view_visible_cup(request: UserRequest, cup_id: str) -> CupView:
    """Return a cup. Raise Refused if there is none with this id that the user may see."""
    view = await service.view_cup(request.core, cup_id)
    entered = view.cup.number_of(request.user_id) is not None
    if not entered and not await find_visible(request.interaction, [view.cup.channel_id]):
        raise service.no_such_cup()
    return view

"""The private messages of cups (R9.8): the list, a cup, the results of a closed leg, one's own leg."""

from collections.abc import Sequence
from functools import partial

import discord
from discord.utils import format_dt

from bot.domain.challenge import Attempt
from bot.domain.cup import Cup, CupView, LegChallenge, Status
from bot.domain.cup_draw import Format
from bot.domain.highlights import find_rare_card
from bot.locales import _, format_number, ngettext
from bot.ui.buttons import ActionItem, Kind, Press, Verb, button, leaf_buttons, select
from bot.ui.challenge import last_card_embed, played_line
from bot.ui.cup import cup_line, cup_press, enter_buttons, look_buttons, play_button
from bot.ui.cup_pictures import make_cup_picture, make_match_picture
from bot.ui.cup_words import (
    MOST_LINES,
    card_lines,
    cup_name,
    draw_lines,
    drawn_name,
    entrant_name,
    fit_lines,
    leg_name,
    names_of,
    result_line,
    table_lines,
)
from bot.ui.message import ACCENT, GOLD, QUIET, Rendered, make_embed
from bot.ui.private_page import PrivatePage
from bot.ui.proof import seal_line
from bot.ui.text import TROPHY, clean_name, escape_name, shorten
from highscore.deck import ROUNDS

NO_CUP = "0" * 12
"""The cup of a select whose options are cups."""
MOST_OPTIONS = 25
"""The options that Discord takes for one select."""
LONGEST_OPTION = 100


def render_cups(running: Sequence[CupView], earlier: Sequence[Cup], user_id: int) -> Rendered:
    """Show the cups of a server, with the next match of the person in each that runs, and who won the others."""
    fields = [(_title(view.cup), "\n".join(_state_lines(view, user_id))) for view in running]
    if earlier:
        fields.append((_("Earlier cups"), "\n".join(fit_lines([_won_line(cup) for cup in earlier], longest=1000))))
    nothing = _("No cup runs here. `/highscore cup new:…` opens one: seven legs of one day, the same cards for all.")
    options = [
        discord.SelectOption(label=shorten(clean_name(cup.name, len(cup.name)), LONGEST_OPTION), value=cup.id)
        for cup in (*(view.cup for view in running), *earlier)
    ]
    looks = [select(Press(Verb.OPTIONS, NO_CUP, 0, kind=Kind.CUP), options, placeholder=_("Look at a cup"))]
    embed = make_embed(f"{TROPHY} " + _("Cups"), None if running else nothing, colour=GOLD, fields=fields)
    return Rendered([embed], buttons=looks if options else [])


def _won_line(cup: Cup) -> str:
    won = [number for number, entrant in enumerate(cup.entrants) if entrant.won]
    who = names_of(cup, won) if won else _("nobody")
    return f"**{cup_name(cup)}** · {who}"


def _title(cup: Cup) -> str:
    return f"{TROPHY} {cup_name(cup)}"


# -------------------------------------------------------------------------------------------------------------- a cup


def render_cup(
    view: CupView,
    user_id: int,
    sentence: str | None = None,
    *,
    pictures: bool = True,
    moderates: bool = False,
    leaf: int = 0,
) -> Rendered:
    """Show a cup to a person: what it is at, their own part of its table or bracket, and what they can do.

    ``leaf`` is that of the entrants whom somebody who ``moderates`` can remove.
    """
    cup, own = view.cup, view.cup.number_of(user_id)
    picture = make_cup_picture(view, own) if pictures and view.legs else None
    lines: list[str | None] = []
    if cup.status is Status.ENTRY:
        lines = ["👥 " + _("Entered: {number} of {most}").format(number=len(cup.there), most=cup.most)]
    elif view.legs and picture is None:
        lines = ["", *_standing_lines(view, own)]
    embed = make_embed(_title(cup), cup_line(cup), *_state_lines(view, user_id), *lines, colour=_colour(cup))
    buttons = _cup_buttons(view, own)
    if moderates and cup.status.running:
        buttons += _moderator_buttons(view, leaf)
    in_words = partial(render_cup, view, user_id, sentence, pictures=False, moderates=moderates, leaf=leaf)
    return Rendered([embed], sentence, buttons, picture=picture, in_words=in_words)


def _colour(cup: Cup) -> discord.Colour:
    return ACCENT if cup.status.running else GOLD if any(entrant.won for entrant in cup.entrants) else QUIET


def _state_lines(view: CupView, user_id: int) -> list[str]:
    """Return what a cup is at, and whom the person meets."""
    cup, leg = view.cup, view.open_leg
    own = cup.number_of(user_id)
    match cup.status:
        case Status.ENTRY:
            lines = ["⏳ " + _("The first leg opens {when}.").format(when=format_dt(cup.begins_at, "f"))]
        case Status.OVER | Status.ENDED:
            won = names_of(cup, view.winners) if view.winners else _("nobody")
            return [_("Won by {players}").format(players=won)]
        case _ if leg is None:
            lines = [_("The next leg is being drawn.")]
        case _:
            text = _("{leg} · until {when}").format(leg=leg_name(view, leg.number), when=format_dt(leg.ends_at, "f"))
            lines = [f"⏳ {text[:1].upper()}{text[1:]}"]
    return lines if own is None else [*lines, "👤 " + _own_sentence(view, own)]


def _own_sentence(view: CupView, own: int) -> str:
    cup, leg = view.cup, view.open_leg
    if own in cup.gone:
        return _("You have left this cup.")
    if leg is None:
        return _("You have entered.")
    group = next((group for group in leg.leg.groups if own in group.entrants), None)
    if group is not None:
        return _("You meet {players}.").format(players=names_of(cup, (each for each in group.entrants if each != own)))
    if own in leg.leg.byes:
        return _("You have a bye. You can play this leg for yourself.")
    return _("You are out. You can play this leg for yourself.")


def _standing_lines(view: CupView, own: int | None) -> list[str]:
    """Return the table, or who meets whom with one's own match first."""
    cup, leg = view.cup, view.legs[-1].leg
    if cup.format is Format.LEAGUE:
        return table_lines(view, MOST_LINES, own)
    if view.open_leg is None:
        lines = [line for group in leg.groups if (line := result_line(cup, leg, group)) is not None]
    else:
        lines = draw_lines(cup, leg)
    return fit_lines(lines)


def _cup_buttons(view: CupView, own: int | None) -> list[ActionItem]:
    cup, there = view.cup, own is not None and own not in view.cup.gone
    if cup.status is Status.ENTRY:
        return [enter_buttons(cup)[there]]
    buttons = [play_button(cup, cup.leg)] if view.open_leg is not None and own is not None else []
    buttons += look_buttons(view)[:-1]
    if there and cup.status.running:
        buttons.append(button(cup_press(cup, Verb.LEAVE, cup.leg), _("Withdraw"), row=1))
    return buttons


def _moderator_buttons(view: CupView, leaf: int) -> list[ActionItem]:
    """Return what moderators can do: remove an entrant of this leaf, give the leg more time, end the cup."""
    cup = view.cup
    buttons = []
    if names := cup.there[leaf * MOST_OPTIONS : (leaf + 1) * MOST_OPTIONS]:
        options = [
            discord.SelectOption(label=shorten(drawn_name(cup, each), LONGEST_OPTION), value=str(each))
            for each in names
        ]
        buttons.append(select(cup_press(cup, Verb.REMOVE), options, placeholder=_("Remove somebody"), row=2))
    if view.open_leg is not None:
        buttons += [button(cup_press(cup, Verb.PROLONG, cup.leg, more), f"+{more} h", row=3) for more in (12, 24)]
    buttons.append(button(cup_press(cup, Verb.END), _("End"), emoji="🏁", row=3))
    turn = partial(cup_press, cup, Verb.OPTIONS)
    more = len(cup.there) > (leaf + 1) * MOST_OPTIONS
    return buttons + leaf_buttons(turn(leaf - 1) if leaf else None, turn(leaf + 1) if more else None, row=4)


def render_opened(cup: Cup) -> Rendered:
    """Tell whoever has opened a cup that its sign-up is being posted."""
    text = _("**{cup}** is open: its sign-up is posted here. It begins {when}.")
    return Rendered(content=text.format(cup=cup_name(cup), when=format_dt(cup.begins_at, "f")))


def render_cup_question(cup: Cup, verb: Verb, entrant: int = 0) -> Rendered:
    """Ask whether somebody means to withdraw, or a moderator to remove an entrant or to end the cup."""
    texts = {
        Verb.LEAVE: (_("Withdraw from **{cup}**? Nobody can come back into a cup that has begun."), _("Withdraw")),
        Verb.REMOVE: (
            _("Remove {player} from **{cup}**? They cannot come back, and the channel is told."),
            _("Remove"),
        ),
        Verb.END: (_("End **{cup}** for good? Nobody wins it, and the channel is told."), _("End the cup")),
    }
    text, label = texts[verb]
    player = entrant_name(cup, entrant) if verb is Verb.REMOVE else ""
    press = cup_press(cup, verb, 1, entrant) if verb is Verb.REMOVE else cup_press(cup, verb, cup.leg, 1)
    question = text.format(cup=cup_name(cup), player=player)
    return Rendered(content=question, buttons=[button(press, label, style=discord.ButtonStyle.danger)])


# ------------------------------------------------------------------------------------------------------------ results


def render_results(
    view: CupView, leg: int, user_id: int, own_challenge: str | None, at: int | None = None, *, pictures: bool = True
) -> Rendered:
    """Show a match of a closed leg card by card: that of the person, or the one with an index.

    ``own_challenge`` is the id of the one that they have played, perhaps alone.
    """
    cup, played = view.cup, view.closed[leg - 1]
    own = cup.number_of(user_id)
    mine = next((index for index, each in enumerate(played.groups) if own in each.entrants), None)
    if at is None:
        at = mine or 0
    group = played.groups[at]
    line = result_line(cup, played, group)
    embed = make_embed(
        _("Results: {leg}").format(leg=leg_name(view, leg)),
        line or _("Nothing was decided here."),
        "",
        *(card_lines(cup, played, group) if line else ()),
        "-# " + _("Par {par}").format(par=format_number(played.par, 1)),
        colour=GOLD,
    )
    press = partial(Press, version=0, kind=Kind.CUP)
    buttons = [button(press(Verb.PROOF, group.id), _("Proof"), emoji="🔏")]
    if own_challenge is not None:
        buttons.insert(0, button(press(Verb.REVIEW, own_challenge), _("Decisions"), emoji="📊"))
    turn = partial(cup_press, cup, Verb.REPORT)
    legs = leaf_buttons(turn(leg - 1) if leg > 1 else None, turn(leg + 1) if leg < len(view.closed) else None, row=4)
    for begin in range(0, len(played.groups) if len(played.groups) > 1 else 0, MOST_OPTIONS):
        options = [
            discord.SelectOption(
                label=shorten(" – ".join(drawn_name(cup, entrant) for entrant in each.entrants), LONGEST_OPTION),
                value=str(begin + index),
                default=begin + index == at,
            )
            for index, each in enumerate(played.groups[begin : begin + MOST_OPTIONS])
        ]
        buttons.append(
            select(turn(leg, begin + 1), options, placeholder=_("Another match"), row=1 + begin // MOST_OPTIONS)
        )
    in_words = partial(render_results, view, leg, user_id, own_challenge, at, pictures=False)
    picture = make_match_picture(view, leg, at) if pictures and line else None
    return Rendered([embed], buttons=buttons + legs, picture=picture, in_words=in_words)


# ----------------------------------------------------------------------------------------------------------- one's leg


def leg_title(challenge: LegChallenge) -> str:
    """Return the name of a leg, which is the same in all languages."""
    return f"{escape_name(challenge.cup_name, len(challenge.cup_name))} #{challenge.leg}"


def leg_press(attempt: Attempt[LegChallenge], verb: Verb, argument: int = 0) -> Press:
    """Return the press of a button of an attempt as the attempt is now."""
    return Press(verb, attempt.challenge.id, attempt.step, argument, Kind.CUP)


def leg_page(
    attempt: Attempt[LegChallenge], view: CupView | None = None, *, pictures: bool = True, rare: bool = False
) -> PrivatePage:
    """Return the private page of a leg, before its first dice with whom the player meets, if the cup is given.

    It has nothing of anybody else's. ``rare`` as for ``daily_page``.
    """
    challenge, run = attempt.challenge, attempt.run
    begun = attempt.step > 0
    title = _("{challenge} · Card {number} of {cards}")
    return PrivatePage(
        partial(leg_press, attempt),
        run,
        title.format(challenge=leg_title(challenge), number=run.round, cards=ROUNDS),
        [clean_name(attempt.name)],
        last=last_card_embed(attempt),
        above=() if begun else _pitch_lines(attempt, view),
        below=(
            "",
            _("Points so far: **{score}**").format(score=run.total) if run.finished else None,
            "⏳ " + _("The leg ends {when}.").format(when=format_dt(challenge.ends_at, "R")),
            None if begun else seal_line(challenge.seal),
        ),
        end=_render_end(attempt) if run.complete else None,
        pictures=pictures,
        rare=find_rare_card(attempt.game, attempt.events) if rare else None,
        known=run.card is None or attempt.knows(run.card),
    )


def _pitch_lines(attempt: Attempt[LegChallenge], view: CupView | None) -> list[str]:
    own = None if view is None else view.cup.number_of(attempt.user_id)
    if attempt.challenge.alone:
        lines = [_("For yourself: these dice are nobody else's, and the result counts for nothing.")]
    else:
        lines = [_("The same dice for all whom you meet. One attempt; pause whenever you like.")]
        if view is not None and own is not None:
            others = names_of(view.cup, (each for each in attempt.challenge.entrants if each != own))
            lines.insert(0, _("You meet {players}.").format(players=others))
    return [*lines, ""]


def _render_end(attempt: Attempt[LegChallenge]) -> Rendered:
    """Show one's own cards and their sum, and nothing of others, who may still be playing."""
    challenge, total = attempt.challenge, attempt.run.total
    title = ngettext("{challenge}: {score} point, par {par}", "{challenge}: {score} points, par {par}", total)
    later = _("The results come when the leg is closed, {when}, in the channel.")
    if challenge.alone:
        later = _("You have played for yourself. Your decisions can be looked at when the leg is closed, {when}.")
    embed = make_embed(
        title.format(challenge=leg_title(challenge), score=total, par=format_number(challenge.par, 1)),
        *map(played_line, range(1, ROUNDS + 1), attempt.run.finished, challenge.averages),
        "",
        later.format(when=format_dt(challenge.ends_at, "R")),
        seal_line(challenge.seal),
        colour=GOLD,
    )
    return Rendered([embed])

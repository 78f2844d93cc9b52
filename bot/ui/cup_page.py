"""A person's private messages about cups (R9.8): the list, a cup, the results of a closed leg, one's own leg."""

from collections.abc import Sequence
from functools import partial

import discord
from discord.utils import format_dt

from bot.domain.challenge import Attempt
from bot.domain.cup import Cup, CupView, LegChallenge, Status
from bot.domain.highlights import find_rare_card
from bot.locales import _, format_number
from bot.ui.buttons import ActionItem, Kind, Press, Verb, button, leaf_buttons, select
from bot.ui.challenge import PrivatePage, last_card_embed, played_lines, score_title
from bot.ui.cup import (
    cup_line,
    cup_press,
    cup_title,
    draw_lines,
    enter_buttons,
    entered_line,
    entrant_name,
    fit_lines,
    leg_name,
    look_buttons,
    make_cup_picture,
    match_lines,
    names_of,
    opening_line,
    play_button,
    takes_part_sentence,
    until_line,
    winner_lines,
)
from bot.ui.message import GOLD, Rendered, make_embed
from bot.ui.proof import seal_line
from bot.ui.text import TROPHY, clean_name, escape_name, former_player_name, shorten
from highscore.deck import ROUNDS

NO_CUP = "0" * 12
"""The id in a select whose options are cups."""
MOST_OPTIONS = 25
"""The options that Discord takes for one select, of at most ``LONGEST_OPTION`` characters."""
LONGEST_OPTION = 100


def render_opened(cup: Cup) -> Rendered:
    text = _("The sign-up comes to this channel in a moment.")
    return Rendered(content=f"**{cup_title(cup.name)}**\n{text}\n{opening_line(cup)}")


def render_cups(running: Sequence[CupView], earlier: Sequence[Cup], user_id: int) -> Rendered:
    """Show the cups of a server, with the next match of the person in each that runs, and who won the others."""
    fields = [(cup_title(view.cup.name), "\n".join(_state_lines(view, user_id))) for view in running]
    if earlier:
        fields.append((_("Earlier cups"), "\n".join(fit_lines(winner_lines(earlier), longest=1000))))
    nothing = _("`/highscore cup new:…` opens a cup: seven legs of one day, the same cards for everybody.")
    cups = {cup.id: clean_name(cup.name, len(cup.name)) for cup in (*(view.cup for view in running), *earlier)}
    looks = [_choose(Press(Verb.OPTIONS, NO_CUP, 0, kind=Kind.CUP), cups, _("Look at a cup"), 0)] if cups else []
    return Rendered([make_embed(f"{TROPHY} {_('Cups')}", nothing, colour=GOLD, fields=fields)], buttons=looks)


def _choose(press: Press, options: dict[str, str], placeholder: str, row: int) -> ActionItem:
    made = [discord.SelectOption(label=shorten(label, LONGEST_OPTION), value=value) for value, label in options.items()]
    return select(press, made, placeholder=placeholder, row=row)


def render_cup(view: CupView, user_id: int, *, moderates: bool = False, leaf: int = 0) -> Rendered:
    """Show a cup to a person: its state, their own part of its table or bracket, and what they can do.

    ``leaf`` is the page of the entrants whom somebody who ``moderates`` can remove, unless they take part.
    """
    cup, own = view.cup, view.cup.number_of(user_id)
    buttons, lines = enter_buttons(cup)[own in cup.there :], list[str]()
    picture = make_cup_picture(view, own) if view.legs else None
    if view.legs:
        buttons = [*([play_button(cup)] if view.open_leg and own in cup.there else []), *look_buttons(view)[1:]]
        if own in cup.there and cup.status.running:
            buttons.append(button(cup_press(cup, Verb.LEAVE), _("Withdraw"), row=1))
        if picture is None:
            lines = ["", *fit_lines(draw_lines(cup, view.legs[-1].leg))]
    if moderates and cup.status.running:
        if own in cup.there:
            lines += ["", takes_part_sentence()]
        else:
            buttons += _moderator_buttons(view, leaf)
    return Rendered(
        [make_embed(cup_title(cup.name), cup_line(cup), *_state_lines(view, user_id), *lines)],
        buttons=buttons,
        picture=picture,
    )


def _state_lines(view: CupView, user_id: int) -> list[str]:
    """Return what a cup is at, and whom the person meets."""
    cup, leg = view.cup, view.open_leg
    own = cup.number_of(user_id)
    if not cup.status.running:
        return winner_lines([cup])
    if cup.status is Status.ENTRY:
        lines = [opening_line(cup), entered_line(cup)]
    elif leg is None:
        lines = [_("The next leg is about to be drawn.")]
    else:
        lines = [leg_name(view, leg.number), until_line(view, leg.number)]
    return lines if own is None else [*lines, "👤 " + _own_sentence(view, own)]


def _own_sentence(view: CupView, own: int) -> str:
    cup, leg = view.cup, view.open_leg
    if own in cup.gone:
        return _("You are not in this cup any more.")
    if leg is None:
        return _("You are in.")
    group = next((group for group in leg.leg.groups if own in group.entrants), None)
    if group is not None:
        return _opponents_line(cup, group.entrants, own)
    bye = _("You have a bye: play the leg for yourself if you like.")
    return bye if own in leg.leg.byes else _("You are out: play the leg for yourself if you like.")


def _opponents_line(cup: Cup, group: Sequence[int], own: int | None) -> str:
    return _("You meet: {players}").format(players=names_of(cup, (each for each in group if each != own)))


def _moderator_buttons(view: CupView, leaf: int) -> list[ActionItem]:
    """Return what moderators can do: remove an entrant of this leaf, give the leg more time, end the cup."""
    cup, names, buttons = view.cup, _entrant_labels(view.cup), list[ActionItem]()
    begin, end = leaf * MOST_OPTIONS, (leaf + 1) * MOST_OPTIONS
    if options := {str(number): names[number] for number in cup.there[begin:end]}:
        buttons.append(_choose(cup_press(cup, Verb.REMOVE), options, _("Remove somebody"), 2))
    if (leg := view.open_leg) is not None and not leg.prolonged:
        buttons.append(button(cup_press(cup, Verb.PROLONG, leg.number), "+24 h", row=3))
    buttons.append(button(cup_press(cup, Verb.END), _("End"), emoji="🏁", row=3))
    turn, more = partial(cup_press, cup, Verb.OPTIONS), len(cup.there) > end
    return buttons + leaf_buttons(turn(leaf - 1) if leaf else None, turn(leaf + 1) if more else None, row=4)


def _entrant_labels(cup: Cup) -> list[str]:
    return [clean_name(each.name) if each.name else former_player_name() for each in cup.entrants]


def render_cup_question(cup: Cup, verb: Verb, number: int = 0) -> Rendered:
    """Ask before somebody withdraws for good, removes the entrant with a number, or ends the cup."""
    label, text = {
        Verb.LEAVE: (_("Withdraw"), _("Withdraw for good? Nobody can come back into a cup that has begun.")),
        Verb.REMOVE: (_("Remove"), _("{player}: remove for good, with a word in the channel?")),
        Verb.END: (_("End the cup"), _("End the cup for good, with a word in the channel? Nobody wins it.")),
    }[verb]
    if verb is Verb.REMOVE:
        text = text.format(player=entrant_name(cup, number))
    sure = button(cup_press(cup, verb, 1, number), label, style=discord.ButtonStyle.danger)
    return Rendered(content=f"**{cup_title(cup.name)}**\n{text}", buttons=[sure])


def render_results(view: CupView, leg: int, user_id: int, challenge_id: str | None, at: int | None = None) -> Rendered:
    """Show a match of a closed leg, by its index, or else the person's own; ``challenge_id`` is what they played.

    An entrant who played the leg alone has no match, but a proof of their own dice.
    """
    cup, groups = view.cup, view.closed[leg - 1].groups
    mine = next((index for index, each in enumerate(groups) if cup.number_of(user_id) in each.entrants), None)
    par = _("Par {par}").format(par=format_number(view.closed[leg - 1].par, 1))
    press = partial(Press, version=0, kind=Kind.CUP)
    if at is None and mine is None and challenge_id is not None:
        told, proved = [_alone_sentence()], challenge_id
    else:
        shown = at if at is not None else mine or 0
        told, proved = match_lines(view, leg, shown, cards=True), groups[shown].id
    told = told or [_("Nothing was decided here.")]
    buttons = [button(press(Verb.PROOF, proved), _("Proof"), emoji="🔏")]
    if challenge_id is not None:
        buttons.insert(0, button(press(Verb.REVIEW, challenge_id), _("Decisions"), emoji="📊"))
    turn, names = partial(cup_press, cup, Verb.REPORT), _entrant_labels(cup)
    matches = {str(index): " – ".join(names[one] for one in each.entrants) for index, each in enumerate(groups)}
    for row, begin in enumerate(range(0, len(groups), MOST_OPTIONS), 1):
        some = dict(list(matches.items())[begin : begin + MOST_OPTIONS])
        buttons.append(_choose(turn(leg, row), some, _("Other matches"), row))
    following = turn(leg + 1) if leg < len(view.closed) else None
    return Rendered(
        [make_embed(f"{leg_name(view, leg)} · {_('Results')}", *told, f"-# {par}", colour=GOLD)],
        buttons=buttons + leaf_buttons(turn(leg - 1) if leg > 1 else None, following, row=4),
    )


def leg_title(challenge: LegChallenge) -> str:
    """Return the name of a leg, which is the same in all languages."""
    return f"{escape_name(challenge.cup_name, len(challenge.cup_name))} #{challenge.leg}"


def leg_press(attempt: Attempt[LegChallenge], verb: Verb, argument: int = 0) -> Press:
    """Return the press of a button of an attempt as the attempt is now."""
    return Press(verb, attempt.challenge.id, attempt.step, argument, Kind.CUP)


def leg_page(
    attempt: Attempt[LegChallenge], view: CupView | None = None, *, pictures: bool = True, rare: bool = False
) -> PrivatePage:
    """Return the private page of a leg, before the first dice with whom its player meets, if the cup is given.

    There is nothing of anybody else's in it. ``rare`` as for ``daily_page``.
    """
    challenge, run, begun = attempt.challenge, attempt.run, attempt.step > 0
    title = _("{challenge} · Card {number} of {cards}")
    ends = _("The leg ends {when}.").format(when=format_dt(challenge.ends_at, "R"))
    return PrivatePage(
        partial(leg_press, attempt),
        run,
        title.format(challenge=leg_title(challenge), number=run.round, cards=ROUNDS),
        [clean_name(attempt.name)],
        last=last_card_embed(attempt),
        above=() if begun else [*_pitch_lines(attempt, view), ""],
        below=(
            "",
            _("Points so far: **{score}**").format(score=run.total) if run.finished else None,
            f"⏳ {ends}",
            None if begun else seal_line(challenge.seal),
        ),
        end=_render_end(attempt) if run.complete else None,
        pictures=pictures,
        rare=find_rare_card(attempt.game, attempt.events) if rare else None,
        known=run.card is None or attempt.knows(run.card),
    )


def _pitch_lines(attempt: Attempt[LegChallenge], view: CupView | None) -> list[str]:
    if attempt.challenge.alone:
        return [_alone_sentence()]
    meets = []
    if view is not None:
        meets = [_opponents_line(view.cup, attempt.challenge.entrants, view.cup.number_of(attempt.user_id))]
    return [*meets, _("The same dice for all whom you meet. One attempt; pause whenever you like.")]


def _alone_sentence() -> str:
    return _("For yourself: nobody else has these dice, and nobody is compared with you.")


def _render_end(attempt: Attempt[LegChallenge]) -> Rendered:
    """Show one's own cards and their sum, and nothing of others, who may still be playing."""
    challenge = attempt.challenge
    later = _("Results in the channel, once the leg is closed: {when}")
    if challenge.alone:
        later = _("Your decisions are shown with the results, once the leg is closed: {when}")
    embed = make_embed(
        score_title(leg_title(challenge), attempt),
        *played_lines(attempt),
        "",
        later.format(when=format_dt(challenge.ends_at, "R")),
        seal_line(challenge.seal),
        colour=GOLD,
    )
    return Rendered([embed])

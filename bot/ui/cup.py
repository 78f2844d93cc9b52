"""The messages about a cup in its channel (R9.8), and the private calls. Nothing of an open leg is in them."""

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord.utils import format_dt

from bot.domain.cup import FEWEST, Cup, CupPost, CupView, Ending, Status
from bot.domain.cup_draw import Format
from bot.locales import _
from bot.ui.buttons import ActionItem, Kind, Press, Verb, button
from bot.ui.cup_pictures import make_cup_picture
from bot.ui.cup_words import (
    cup_title,
    draw_lines,
    entrant_name,
    fit_lines,
    leg_name,
    leg_news,
    match_lines,
    names_of,
)
from bot.ui.message import ACCENT, GOLD, QUIET, Rendered, make_embed
from bot.ui.names import address_sentence
from bot.ui.proof import seed_line
from bot.ui.text import MAX_NAME, hidden_line

LONGEST_DESCRIPTION = 4096
SHORTEST_NAME = 11
"""The characters of a name with which 128 of them fit into a description, even if each is escaped."""


def render_cup_post(view: CupView, what: CupPost, leg: int, argument: int, called: Sequence[int] = ()) -> Rendered:
    """Show a message of a cup that calls these users; ``leg`` and ``argument`` as for ``CupPost``."""
    cup = view.cup
    match what:
        case CupPost.ENTRY:
            shown = _render_entry(cup)
        case CupPost.START:
            shown = _render_start(view)
        case CupPost.LEG:
            shown = _render_leg(_when_open(view, leg), leg)
        case CupPost.OVER:
            shown = _render_over(view)
        case _:
            buttons = {CupPost.WAITS: enter_buttons(cup), CupPost.REMINDER: [play_button(cup)]}.get(what, [])
            shown = Rendered([], _tell(view, what, leg, argument), buttons)
    if called:
        shown = replace(shown, content=address_sentence(called, shown.content or ""), notify=tuple(called))
    return shown


def call_in_private(view: CupView, leg: int, *, reminder: bool) -> str:
    """Return the call to a leg, or the reminder of it, for a direct message."""
    link = f"https://discord.com/channels/{view.cup.guild_id}/{view.cup.channel_id}"
    return f"{_tell(view, CupPost.REMINDER if reminder else CupPost.LEG, leg)}\n{link}"


def not_posted_text(cup: Cup) -> str:
    text = _("Your cup {cup} has ended, as its sign-up could not be posted. You can open another one.")
    return text.format(cup=cup_title(cup.name))


def render_call(view: CupView, what: CupPost, leg: int, called: Sequence[int]) -> Rendered:
    """Call further people to a leg, or remind them of it, below its post."""
    return Rendered([], address_sentence(called, _tell(view, what, leg)))


def cup_press(cup: Cup, verb: Verb, leg: int = 0, argument: int = 0) -> Press:
    """Return the press of a button of a cup, perhaps about one of its legs."""
    return Press(verb, cup.id, leg, argument, Kind.CUP)


def enter_buttons(cup: Cup) -> list[ActionItem]:
    """Return the buttons to enter and to withdraw, while somebody can enter."""
    blue, full = discord.ButtonStyle.primary, len(cup.there) >= cup.most
    style = discord.ButtonStyle.secondary if full else blue
    enter = button(cup_press(cup, Verb.ENTER), _("Enter"), emoji="🪑", style=style, disabled=full)
    return [enter, button(cup_press(cup, Verb.LEAVE), _("Withdraw"))] if cup.status is Status.ENTRY else []


def play_button(cup: Cup) -> ActionItem:
    return button(cup_press(cup, Verb.PLAY, cup.leg), _("Play"), emoji="🎲", style=discord.ButtonStyle.primary)


def look_buttons(view: CupView) -> list[ActionItem]:
    """Return the buttons to the cup itself, to the results of the last closed leg, and to the proof of its draws."""
    cup, closed = view.cup, len(view.closed)
    label = _("Table") if cup.format is Format.LEAGUE else _("Bracket")
    buttons = [button(cup_press(cup, Verb.OPTIONS), label, emoji="📈", row=1)]
    if closed:
        buttons.append(button(cup_press(cup, Verb.REPORT, closed), _("Results"), emoji="🔎", row=1))
    if closed and not cup.status.running and view.drawn_leg is None:
        buttons.append(button(cup_press(cup, Verb.DRAWS), _("Proof"), emoji="🔏", row=2))
    return buttons


def cup_line(cup: Cup) -> str:
    """Return how a cup is played."""
    days = _("Days a leg: {number}").format(number=cup.days)
    if cup.format is Format.KNOCKOUT:
        return f"{_('Knockout')} · {days}"
    return f"{_('League')} · " + _("Legs: {number}").format(number=cup.length) + f" · {days}"


def opening_line(cup: Cup) -> str:
    return "⏳ " + _("The first leg opens: {when}").format(when=format_dt(cup.begins_at, "f"))


def entered_line(cup: Cup) -> str:
    return "👥 " + _("Entered: {number} of {most}").format(number=len(cup.there), most=cup.most)


def until_line(view: CupView, leg: int) -> str:
    """Return until when a leg is open. The post stays: a relative time would soon say that it ended some hours ago."""
    return "⏳ " + _("Open until {when}").format(when=format_dt(view.legs[leg - 1].ends_at, "f"))


def _tell(view: CupView, what: CupPost, leg: int, argument: int = 0) -> str:
    """Return the text of a message above its embeds."""
    cup, title = view.cup, f"**{cup_title(view.cup.name)}**"
    lines = [until_line(view, leg)] if 0 < leg <= len(view.legs) else []
    match what:
        case CupPost.START:
            follows = _(
                "The cup begins, and nobody can enter any more. All draws follow from the sealed seed, from the"
                " entrants in this order, and from the ID of this message."
            )
            lines = [follows, hidden_line(_("Digest of the entrants: {digest}").format(digest=cup.digest))]
        case CupPost.LEG | CupPost.REMINDER | CupPost.PROLONGED:
            title += f" · {leg_name(view, leg)}"
            if what is CupPost.REMINDER:
                lines.append(_("Your cards are waiting."))
            if what is CupPost.PROLONGED:
                lines.insert(0, _("A moderator has prolonged this leg by 24 hours."))
        case CupPost.OVER:
            won = view.winners
            lines = [_("Win: {players}.").format(players=f"**{names_of(cup, won)}**") if won else _("Nobody wins.")]
        case CupPost.WAITS:
            few = _("Entered: {number}. Needed: {fewest}. The cup begins a day later, this once.")
            lines = [few.format(number=len(cup.there), fewest=FEWEST[cup.format]), opening_line(cup)]
        case CupPost.REMOVED:
            lines = [_("Removed by a moderator: {player}").format(player=entrant_name(cup, argument))]
        case CupPost.ENDED:
            why = {
                Ending.TOO_FEW: _("Too few have entered: the cup does not take place."),
                Ending.MODERATOR: _("Ended by a moderator: nobody wins."),
                Ending.NO_POST: _(
                    "For three days a message of this cup could not be sent, so it has ended: nobody wins."
                ),
            }
            lines = [why[Ending(argument)], *([seed_line(cup.seed)] if view.legs else [])]
    return "\n".join([title, *lines])


def _render_entry(cup: Cup) -> Rendered:
    """Show the sign-up; without buttons, once nobody can enter any more."""
    is_open = cup.status is Status.ENTRY
    names = fit_lines([entrant_name(cup, number) for number in cup.there], cup.most, 2500)
    embed = make_embed(
        cup_title(cup.name),
        cup_line(cup),
        _("In each leg seven cards, played in private: the same dice for those who are compared."),
        opening_line(cup) if is_open else None,
        entered_line(cup),
        "",
        ", ".join(names).replace("-# ", ""),
        hidden_line(_("Seal of the draws: {seal}").format(seal=cup.seal)),
        colour=ACCENT if is_open else QUIET,
    )
    return Rendered([embed], buttons=enter_buttons(cup))


def _render_start(view: CupView) -> Rendered:
    """Show the post that starts a cup. All entrants are named: their order is an input of the draws."""
    for longest in (MAX_NAME, 20, SHORTEST_NAME):
        names = [entrant_name(view.cup, number, longest) for number in view.cup.drawn]
        listed = ", ".join(f"{at}. {name}" for at, name in enumerate(names, 1))
        if len(listed.encode("utf-16-le")) // 2 <= LONGEST_DESCRIPTION:
            break
    return Rendered([make_embed(_("Entrants"), listed)], _tell(view, CupPost.START, 0))


def _when_open(view: CupView, leg: int) -> CupView:
    """Return a cup as it was when a leg had been opened: its post may be drawn anew later."""
    return replace(view, legs=(*view.legs[: leg - 1], replace(view.legs[leg - 1], closed_at=None)))


def _render_leg(view: CupView, leg: int) -> Rendered:
    """Show an open leg, with the results of the one before."""
    cup = view.cup
    embeds = [_results_embed(view)] if view.closed else []
    picture = make_cup_picture(view)
    if picture is None:
        embeds.append(make_embed(_("Who meets whom"), *fit_lines(draw_lines(cup, view.legs[-1].leg))))
    return Rendered(embeds, _tell(view, CupPost.LEG, leg), [play_button(cup), *look_buttons(view)], picture=picture)


def _results_embed(view: CupView) -> discord.Embed:
    """Tell the results of the last closed leg, a final card by card, and what has come of it."""
    leg, number = view.closed[-1], len(view.closed)
    final = leg.final and view.cup.format is Format.KNOCKOUT
    lines = [line for at in range(len(leg.groups)) for line in match_lines(view, number, at, cards=final)]
    told = fit_lines(lines) or [_("Nothing was decided here.")]
    news = [] if final else ["", *leg_news(view)]
    return make_embed(f"{leg_name(view, number)} · {_('Results')}", *told, *news, colour=GOLD)


def _render_over(view: CupView) -> Rendered:
    """Show the end of a cup: who has won and how."""
    embed = _results_embed(view)
    embed.description = f"{embed.description}\n{seed_line(view.cup.seed)}"
    return Rendered([embed], _tell(view, CupPost.OVER, 0), look_buttons(view), picture=make_cup_picture(view))

"""The messages about a cup in its channel (R9.8), and the private calls. No message tells anything of an open leg."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord
from discord.utils import format_dt

from bot.domain.cup import FEWEST, Cup, CupPost, CupView, Status
from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Leg
from bot.locales import _, format_percentage, ngettext
from bot.ui.buttons import ActionItem, Kind, Press, Verb, button
from bot.ui.cup_pictures import make_leg_picture, make_over_picture
from bot.ui.cup_words import (
    card_lines,
    change_lines,
    cup_name,
    draw_lines,
    entrant_name,
    fit_lines,
    leg_name,
    names_of,
    nearest_miss,
    out_line,
    result_line,
    result_lines,
    table_lines,
    table_of,
)
from bot.ui.message import ACCENT, GOLD, QUIET, Picture, Rendered, make_embed
from bot.ui.names import mention_words
from bot.ui.proof import seed_line
from bot.ui.text import TROPHY, hidden_line

MOST_OF_TABLE = 10
"""The most lines of a table in words."""


def render_cup_post(
    view: CupView,
    what: CupPost,
    leg: int,
    argument: int,
    called: Sequence[int] = (),
    *,
    pictures: bool,
    daily: Rendered | None = None,
) -> Rendered:
    """Show a message of a cup that calls these users; ``leg`` and ``argument`` as for ``CupPost``.

    With a ``daily``, the post of the challenge of the day, both are one message.
    """
    match what:
        case CupPost.ENTRY | CupPost.WAITS:
            shown = _render_entry(view.cup) if what is CupPost.ENTRY else _render_wait(view.cup)
        case CupPost.LEG:
            shown = _render_leg(_when_open(view, leg), leg, pictures=pictures)
        case CupPost.OVER:
            shown = _render_over(view, pictures=pictures)
        case _:
            sentence = _sentence(view, what, leg, argument)
            sealed = [seed_line(view.cup.seed)] if what is CupPost.ENDED and view.legs else []
            buttons = [play_button(view.cup, leg)] if what is CupPost.REMINDER else []
            shown = Rendered([], "\n".join([f"{TROPHY} {sentence}", *sealed]), buttons)
    if called:
        content = " ".join(filter(None, (mention_words(called), shown.content)))
        shown = replace(shown, content=content, notify=tuple(called))
    if daily is not None:
        shown = _join(shown, daily)
    plain = daily if daily is None or daily.in_words is None else daily.in_words()
    in_words = partial(render_cup_post, view, what, leg, argument, called, pictures=False, daily=plain)
    return replace(shown, in_words=in_words)


def call_in_private(view: CupView, leg: int, *, reminder: bool) -> str:
    """Return the sentence that calls somebody to a leg, or reminds them of it, in a direct message."""
    sentence = _sentence(view, CupPost.REMINDER, leg, 0) if reminder else _open_sentence(view, leg)
    return f"{TROPHY} {sentence} https://discord.com/channels/{view.cup.guild_id}/{view.cup.channel_id}"


def cup_press(cup: Cup, verb: Verb, leg: int = 0, argument: int = 0) -> Press:
    """Return the press of a button of a cup, perhaps about one of its legs."""
    return Press(verb, cup.id, leg, argument, Kind.CUP)


def enter_buttons(cup: Cup) -> list[ActionItem]:
    blue = discord.ButtonStyle.primary
    return [
        button(cup_press(cup, Verb.ENTER), _("Enter"), style=blue, disabled=len(cup.there) >= cup.most),
        button(cup_press(cup, Verb.LEAVE), _("Withdraw")),
    ]


def look_buttons(view: CupView, row: int = 1) -> list[ActionItem]:
    """Return the buttons to the results of the last closed leg, if any, and to the table or the bracket."""
    cup, closed = view.cup, len(view.closed)
    results = [button(cup_press(cup, Verb.REPORT, closed), _("Results"), emoji="🔎", row=row)] if closed else []
    label = _("Table") if cup.format is Format.LEAGUE else _("Bracket")
    return [*results, button(cup_press(cup, Verb.OPTIONS), label, emoji="📈", row=row)]


def cup_line(cup: Cup) -> str:
    """Return how a cup is played."""
    days = ngettext("{number} day each", "{number} days each", cup.days).format(number=cup.days)
    if cup.format is Format.LEAGUE:
        return _("League · {number} legs · {days}").format(number=cup.length, days=days)
    return _("Knockout · legs of {days}").format(days=days)


def play_button(cup: Cup, leg: int) -> ActionItem:
    return button(cup_press(cup, Verb.PLAY, leg), _("Play"), emoji="🎲", style=discord.ButtonStyle.primary)


def _seal(cup: Cup) -> str:
    return hidden_line(_("Seal of the draws: {seal}").format(seal=cup.seal))


def _title(cup: Cup) -> str:
    return f"{TROPHY} {cup_name(cup)}"


# --------------------------------------------------------------------------------------------------------- signing up


def _render_entry(cup: Cup) -> Rendered:
    """Show the sign-up; without buttons, once nobody can enter any more."""
    names = fit_lines([entrant_name(cup, number) for number in cup.there], cup.most, 2500)
    open_ = cup.status is Status.ENTRY
    begins = _("The first leg opens {when}.").format(when=format_dt(cup.begins_at, "f"))
    return Rendered(
        [
            make_embed(
                _title(cup),
                cup_line(cup),
                _("In each leg seven cards, played in private: the same dice for those who are compared."),
                f"⏳ {begins}" if open_ else None,
                "",
                "👥 " + _("Entered: {number} of {most}").format(number=len(cup.there), most=cup.most),
                ", ".join(name.removeprefix("-# ") for name in names),
                _seal(cup),
                colour=ACCENT if open_ else QUIET,
            )
        ],
        buttons=enter_buttons(cup) if open_ else [],
    )


def _render_wait(cup: Cup) -> Rendered:
    text = _("**{cup}** takes {fewest} people, so it waits a day. Enter until {when}.")
    text = text.format(cup=cup_name(cup), fewest=FEWEST[cup.format], when=format_dt(cup.begins_at, "f"))
    return Rendered([], f"{TROPHY} {text}", enter_buttons(cup) if cup.status is Status.ENTRY else [])


# --------------------------------------------------------------------------------------------------------------- legs


def _when_open(view: CupView, leg: int) -> CupView:
    """Return a cup as it was when a leg had been opened: its post may be drawn anew later."""
    if len(view.legs) < leg:
        return view
    return replace(view, legs=(*view.legs[: leg - 1], replace(view.legs[leg - 1], closed_at=None)))


def _open_sentence(view: CupView, leg: int) -> str:
    text = _("**{cup}**: {leg} is open until {when}.")
    # The post stays: a relative time would soon say that the leg ends some hours ago.
    when = format_dt(view.legs[leg - 1].ends_at, "f")
    return text.format(cup=cup_name(view.cup), leg=leg_name(view, leg), when=when)


def _sentence(view: CupView, what: CupPost, leg: int, argument: int) -> str:
    cup = view.cup
    texts = {
        CupPost.REMINDER: _("**{cup}**: {leg} ends {when}. Your cards are waiting."),
        CupPost.REMOVED: _("A moderator has removed {player} from **{cup}**."),
        CupPost.PROLONGED: _("**{cup}**: a moderator has given {leg} {hours} hours more, until {when}."),
        CupPost.ENDED: _("A moderator has ended **{cup}**. Nobody wins it."),
    }
    text = texts[what]
    if what is CupPost.ENDED and not argument:
        text = _("Too few have entered **{cup}**, so it does not take place.")
    return text.format(
        cup=cup_name(cup),
        leg=leg_name(view, leg),
        hours=argument,
        player=entrant_name(cup, argument) if what is CupPost.REMOVED else "",
        when=format_dt(view.legs[leg - 1].ends_at, "f") if 0 < leg <= len(view.legs) else "",
    )


def _render_leg(view: CupView, leg: int, *, pictures: bool) -> Rendered:
    """Show an open leg, with the results of the one before; before its draw, a first one without buttons."""
    cup = view.cup
    if len(view.legs) < leg:
        begins = _("**{cup}** begins. Its draws follow from this message, too: a moment, please.")
        return Rendered([], f"{TROPHY} " + begins.format(cup=cup_name(cup)))
    embeds = [_results_embed(view)] if view.closed else []
    if not pictures:
        if view.closed and cup.format is Format.LEAGUE:
            embeds.append(make_embed(_("Table"), *table_lines(view, MOST_OF_TABLE)))
        embeds.append(make_embed(_("Who meets whom"), *fit_lines(draw_lines(cup, view.legs[-1].leg))))
    return Rendered(
        embeds,
        f"{TROPHY} {_open_sentence(view, leg)}",
        [play_button(cup, leg), *look_buttons(view)],
        picture=make_leg_picture(view) if pictures else None,
    )


def _results_embed(view: CupView, *more: str) -> discord.Embed:
    """Tell the results of the last closed leg, and what has come of it."""
    number = len(view.closed)
    leg = view.closed[-1]
    return make_embed(
        _("Results: {leg}").format(leg=leg_name(view, number)),
        *(fit_lines(result_lines(view.cup, leg)) or [_("Nothing was decided here.")]),
        *_news_lines(view, leg),
        *more,
        colour=GOLD,
    )


def _news_lines(view: CupView, leg: Leg) -> list[str]:
    if view.cup.format is Format.LEAGUE:
        return ["", *change_lines(view)]
    return [line for line in (out_line(view.cup, leg), nearest_miss(view.cup, leg)) if line]


# ----------------------------------------------------------------------------------------------------------- the end


def _render_over(view: CupView, *, pictures: bool) -> Rendered:
    """Show the end of a cup: who has won and how, and a final card by card."""
    cup, won = view.cup, view.winners
    text = _("Nobody has won **{cup}**.")
    if won:
        text = _("**{players}** has won **{cup}**!") if len(won) == 1 else _("**{players}** share **{cup}**!")
    text = text.format(cup=cup_name(cup), players=names_of(cup, won))
    last, league = view.closed[-1], cup.format is Format.LEAGUE
    embeds = [_results_embed(view)]
    if last.final and not league and (line := result_line(cup, last, last.groups[0])):
        embeds = [make_embed(_("The final"), line, "", *card_lines(cup, last, last.groups[0]), colour=GOLD)]
    if league and not pictures:
        embeds.append(make_embed(_("Table"), *table_lines(view, MOST_OF_TABLE)))
    ways = [line for entrant in won for line in _way_lines(view, entrant, named=len(won) > 1)]
    embeds.append(make_embed(_("The way to the title") if won else None, *fit_lines(ways), seed_line(cup.seed)))
    picture: Picture | None = make_over_picture(view) if pictures else None
    return Rendered(embeds, f"{TROPHY} {text}", look_buttons(view), picture=picture)


def _way_lines(view: CupView, entrant: int, *, named: bool) -> list[str]:
    """Return an entrant's results from the first leg to the last."""
    cup = view.cup
    lines = [f"**{entrant_name(cup, entrant)}**"] if named else []
    if cup.format is Format.LEAGUE:
        line = next(line for line in table_of(view) if line.entrant == entrant)
        shares = (format_percentage(float(share) / 100) for share in line.shares)
        return [*lines, " · ".join(f"~~{share}~~" if at == line.worst else share for at, share in enumerate(shares))]
    for number, leg in enumerate(view.closed, 1):
        group = next((group for group in leg.groups if entrant in group.entrants), None)
        told = _("a bye") if group is None else result_line(cup, leg, group)
        if told is not None:
            lines.append(f"{number}. {told}")
    return lines


# ----------------------------------------------------------------------------------------------- with the day's post


def _join(cup: Rendered, daily: Rendered) -> Rendered:
    """Return the post of a cup and that of a day as one, with the buttons of the day below and grey."""
    rows = 1 + max((each.item.row or 0 for each in cup.buttons), default=-1)
    for each in daily.buttons:
        each.item.row = (each.item.row or 0) + rows
        if cup.buttons and isinstance(each.item, discord.ui.Button):
            each.item.style = discord.ButtonStyle.secondary
    content = "\n".join(filter(None, (cup.content, daily.content)))
    return replace(
        cup,
        embeds=[*cup.embeds, *daily.embeds],
        content=content,
        buttons=[*cup.buttons, *daily.buttons],
        inset=daily.picture,
        inset_at=len(cup.embeds),
    )

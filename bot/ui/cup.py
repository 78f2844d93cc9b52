"""Cups (R9.8): the posts in their channel, the private pages of a cup and of a leg, the picture, and direct messages.

None of these shows another player's result in an open leg.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import discord
from discord.utils import format_dt

from bot.domain.challenge import Attempt
from bot.domain.cup import FEWEST, LONGEST_NAME, Cup, CupPost, CupView, Ending, LegChallenge, Status
from bot.domain.cup_leg import Format, Leg, Match, Reason, compare_attempts, count_points, decide_group, share_of
from bot.locales import _, format_list, format_number, format_percentage, labelled, ngettext
from bot.ui.buttons import (
    Action,
    ActionItem,
    ChallengeKind,
    ChallengePress,
    CupPage,
    CupPress,
    CupQuestion,
    RemoveEntrant,
    ResultsPress,
    ReviewPress,
    Verb,
    button,
    make_link_view,
    page_buttons,
    select,
)
from bot.ui.challenge import PrivatePage, attempt_page, played_lines, score_title
from bot.ui.lobby import pitch_text
from bot.ui.message import ACCENT, GOLD, QUIET, Picture, Rendered, make_embed
from bot.ui.pictures.cup import (
    MOST_NAMED,
    BracketView,
    Person,
    TableView,
    bracket_view,
    cup_png,
    format_points,
    sign_up_png,
    table_view,
)
from bot.ui.pictures.pen import drawable_text
from bot.ui.proof import code_line, entrants_line, opening_line
from bot.ui.text import MAX_NAME, TROPHY, address_sentence, clean_name, escape_name, format_signed, shorten, stored_name
from bot.ui.words import card_name, winners_sentence

LONGEST_DESCRIPTION = 4096
SHORTEST_NAME = 11
"""Names are cut to no less than this. 128 names of this length fit into a description, even if each letter is escaped.
"""


def render_cup_post(view: CupView, what: CupPost, leg: int, argument: int, called: Sequence[int] = ()) -> Rendered:
    """Show a post of a cup and ping the ``called`` users. ``CupPost`` explains ``leg`` and ``argument``."""
    cup = view.cup
    match what:
        case CupPost.ENTRY:
            shown = _render_entry(cup)
        case CupPost.START:
            shown = _render_start(view)
        case CupPost.LEG:
            shown = _render_leg(_rewind_to_leg(view, leg), leg)
        case CupPost.OVER:
            shown = _render_over(view)
        case _:
            buttons = {CupPost.WAITS: _enter_buttons(cup), CupPost.REMINDER: [play_button(cup)]}.get(what, [])
            shown = Rendered([], _post_text(view, what, leg, argument), buttons)
    if called:
        shown = replace(shown, content=address_sentence(called, shown.content or ""), notify=tuple(called))
    return shown


def direct_message_text(view: CupView, what: CupPost, leg: int) -> str:
    """Return the text of a direct message: a ping for a leg, a reminder of it, or the end of the cup."""
    link = f"https://discord.com/channels/{view.cup.guild_id}/{view.cup.channel_id}"
    return f"{_post_text(view, what, leg)}\n{link}"


def event_texts(cup: Cup) -> tuple[str, str]:
    """Return the name and the description of a cup's event."""
    return clean_name(cup.name, LONGEST_NAME), f"{_format_line(cup)}\n{pitch_text()}"


def make_cup_link(cup: Cup) -> discord.ui.View:
    return make_link_view(_("Go to the cup"), f"https://discord.com/channels/{cup.guild_id}/{cup.channel_id}")


def not_posted_text(cup: Cup) -> str:
    text = _("I couldn't post the sign-up of your cup {cup}, so it is closed. You can open another one.")
    return text.format(cup=_cup_title(cup.name))


def render_cup_ping(view: CupView, what: CupPost, leg: int, called: Sequence[int]) -> Rendered:
    """Ping more users for a leg, or remind them of it, in a message below its post."""
    return Rendered([], address_sentence(called, _post_text(view, what, leg)))


def _enter_buttons(cup: Cup) -> list[ActionItem]:
    """Return the buttons to enter and to withdraw, in this order; none once the sign-up is closed."""
    if cup.status is not Status.ENTRY:
        return []
    full = len(cup.present) >= cup.most
    style = discord.ButtonStyle.secondary if full else discord.ButtonStyle.primary
    enter = button(CupPress(Verb.ENTER, cup.id), _("Enter"), emoji="🪑", style=style, disabled=full)
    return [enter, button(CupQuestion(Verb.LEAVE, cup.id), _("Withdraw"))]


def play_button(cup: Cup) -> ActionItem:
    return button(CupPress(Verb.PLAY, cup.id, cup.leg), _("Play"), emoji="🎲", style=discord.ButtonStyle.primary)


def _look_buttons(view: CupView) -> list[ActionItem]:
    """Return the buttons to the table or bracket and to the results of the last closed leg.

    A cup that has ended also has the button to the proof of its draws, unless it ended during a leg.
    """
    cup, closed = view.cup, len(view.closed)
    label = _("Table") if cup.format is Format.LEAGUE else _("Bracket")
    buttons = [button(CupPage(cup.id), label, emoji="📈", row=1)]
    if closed:
        buttons.append(button(ResultsPress(cup.id, closed), _("Results"), emoji="🔎", row=1))
    if closed and not cup.status.running and view.drawn_leg is None:
        buttons.append(_proof_button(cup, row=2))
    return buttons


def _proof_button(cup: Cup, row: int) -> ActionItem:
    return button(CupPress(Verb.DRAWS, cup.id), _("Proof"), emoji="🔏", row=row)


def commitment_lines(cup: Cup) -> list[str]:
    """Return the lines with the codes that a cup is committed to and, after the sign-up, a link to the post that
    started it.
    """
    if cup.status is Status.ENTRY:
        return [code_line(cup.lock)]
    opening = [] if cup.opening is None else [opening_line(cup.guild_id, cup.channel_id, cup.opening)]
    return [code_line(cup.lock), entrants_line(cup.published_lock or ""), *opening]


def _format_line(cup: Cup) -> str:
    days = _("Days per leg: {number}").format(number=cup.days)
    if cup.format is Format.KNOCKOUT:
        return f"{_('Knockout')} · {days}"
    return f"{_('League')} · " + _("Legs: {number}").format(number=cup.length) + f" · {days}"


def _opening_line(cup: Cup) -> str:
    return "⏳ " + _("The first leg opens: {when}").format(when=format_dt(cup.begins_at, "f"))


def _entered_words(cup: Cup) -> str:
    return _("Entered: {number} of {most}").format(number=len(cup.present), most=cup.most)


def _until_line(view: CupView, leg: int) -> str:
    """Return when a leg ends, as a date.

    The post stays in the channel, where a relative time would soon say that the leg ended some hours ago.
    """
    return "⏳ " + _("Open until {when}").format(when=format_dt(view.legs[leg - 1].ends_at, "f"))


def _post_text(view: CupView, what: CupPost, leg: int, argument: int = 0) -> str:
    """Return the text above the embeds of a post. It is also the text of a ping or a direct message."""
    cup, title = view.cup, f"**{_cup_title(view.cup.name)}**"
    lines = [_until_line(view, leg)] if 0 < leg <= len(view.legs) else []
    match what:
        case CupPost.START:
            follows = _(
                "The cup has started, and nobody can enter any more. All draws follow from the sealed seed, the"
                " entrants in this order, and the ID of this message."
            )
            lines = [follows, entrants_line(cup.published_lock or "")]
        case CupPost.LEG | CupPost.REMINDER | CupPost.PROLONGED:
            title += f" · {_leg_name(view, leg)}"
            if what is CupPost.REMINDER:
                lines.append(_("Your cards are waiting."))
            if what is CupPost.PROLONGED:
                lines.insert(0, _("A moderator has extended this leg by 24 hours."))
        case CupPost.OVER:
            title, lines = f"**{TROPHY} {_victory_sentence(view)}**", []
        case CupPost.WAITS:
            few = _("Entered: {number}. Needed: {fewest}. The cup starts a day later. This happens only once.")
            lines = [few.format(number=len(cup.present), fewest=FEWEST[cup.format]), _opening_line(cup)]
        case CupPost.REMOVED:
            lines = [_("A moderator has removed {player}.").format(player=_entrant_name(cup, argument))]
        case CupPost.ENDED:
            why = {
                Ending.TOO_FEW: _("Too few people entered, so the cup is cancelled."),
                Ending.MODERATOR: _("A moderator has ended the cup. Nobody wins it."),
                Ending.NO_POST: _(
                    "I couldn't post in this cup's channel for three days, so the cup has ended. Nobody wins it."
                ),
            }
            lines = [why[Ending(argument)]]
    return "\n".join([title, *lines])


def _victory_sentence(view: CupView) -> str:
    cup, winners = view.cup, view.winners
    name = escape_name(cup.name, len(cup.name))
    if not winners:
        return labelled(name, winners_sentence(()))
    text = ngettext("{players} wins “{cup}”!", "{players} win “{cup}”!", len(winners))
    return text.format(players=_names_of(cup, winners), cup=name)


def _render_entry(cup: Cup) -> Rendered:
    """Show the sign-up. It has no buttons once it is closed.

    The names are in the picture. If they are too many for it, or one cannot be drawn, they are listed in the text.
    """
    labels = _entrant_labels(cup)
    is_open, names = cup.status is Status.ENTRY, [labels[number] for number in cup.present]
    is_drawn = len(names) <= MOST_NAMED and all(map(drawable_text, names))
    listed = _fit_names([_entrant_name(cup, number) for number in cup.present], cup.most, 2500)
    embed = make_embed(
        _cup_title(cup.name),
        _format_line(cup),
        _("In each leg, you play seven cards in private. Players who are compared get the same dice."),
        _opening_line(cup) if is_open else None,
        None if is_drawn else listed,
        code_line(cup.lock),
        colour=ACCENT if is_open else QUIET,
    )
    sentences = [clean_name(cup.name, len(cup.name)), _entered_words(cup)]
    if names and is_drawn:
        sentences.append(", ".join(names))
    entrants = tuple(zip(cup.present, names, strict=True))
    picture = Picture("cup.png", tuple(f"{each}." for each in sentences), sign_up_png, (cup.name, cup.most, entrants))
    return Rendered([embed], buttons=_enter_buttons(cup), picture=picture)


def _render_start(view: CupView) -> Rendered:
    """Show the post that starts a cup. It names all entrants, because the draws depend on their order."""
    for longest in (MAX_NAME, 20, SHORTEST_NAME):
        names = [_entrant_name(view.cup, number, longest) for number in view.cup.drawn_entrants]
        listed = ", ".join(f"{at}. {name}" for at, name in enumerate(names, 1))
        if len(listed.encode("utf-16-le")) // 2 <= LONGEST_DESCRIPTION:
            break
    return Rendered([make_embed(_("Entrants"), listed)], _post_text(view, CupPost.START, 0))


def _rewind_to_leg(view: CupView, leg: int) -> CupView:
    """Return a cup as it was when a leg opened. A post that is edited later must show the same as at first."""
    return replace(view, legs=(*view.legs[: leg - 1], replace(view.legs[leg - 1], closed_at=None)))


def _render_leg(view: CupView, leg: int) -> Rendered:
    cup = view.cup
    embeds = [_results_embed(view)] if view.closed else []
    picture = make_cup_picture(view)
    if picture is None:
        embeds.append(make_embed(_("Who plays whom"), *fit_lines(_draw_lines(cup, view.legs[-1].leg))))
    return Rendered(
        embeds, _post_text(view, CupPost.LEG, leg), [play_button(cup), *_look_buttons(view)], picture=picture
    )


def _results_embed(view: CupView) -> discord.Embed:
    """Show the results of the last closed leg and what it changed.

    For the final of a knockout, show the result on each card, and not what it changed.
    """
    leg, number = view.closed[-1], len(view.closed)
    final = leg.final and view.cup.format is Format.KNOCKOUT
    lines = [line for at in range(len(leg.groups)) for line in match_lines(view, number, at, cards=final)]
    shown = fit_lines(lines) or [_("Nobody played here.")]
    news = [] if final else ["", *leg_news(view)]
    return make_embed(f"{_leg_name(view, number)} · {_('Results')}", *shown, *news, colour=GOLD)


def _render_over(view: CupView) -> Rendered:
    following = button(CupPress(Verb.NEXT, view.cup.id), _("Next cup"), emoji="🔁", style=discord.ButtonStyle.primary)
    buttons = [following, *_look_buttons(view)]
    return Rendered([_results_embed(view)], _post_text(view, CupPost.OVER, 0), buttons, picture=make_cup_picture(view))


MOST_LINES = 20
"""The most lines of a list, for example of the matches of a leg."""
LONGEST_LINES = 1300
"""The longest list, in UTF-16 units. A leg's post can show two lists and news, and Discord allows its embeds 6,000."""


def _cup_title(name: str) -> str:
    return f"{TROPHY} {escape_name(name, len(name))}"


def _entrant_name(cup: Cup, number: int, longest: int = MAX_NAME) -> str:
    return stored_name(cup.entrants[number].name, partial(escape_name, longest=longest))


def _names_of(cup: Cup, numbers: Iterable[int]) -> str:
    return format_list(_entrant_name(cup, number) for number in numbers)


def entered_moderator_sentence() -> str:
    return _("You are in this cup, so other moderators have to manage it. To manage it yourself, withdraw first.")


def winner_lines(cups: Sequence[Cup]) -> list[str]:
    won = (_names_of(cup, cup.winners) if cup.winners else _("Nobody") for cup in cups)
    return [f"{_cup_title(cup.name)} · {names}" for cup, names in zip(cups, won, strict=True)]


def _leg_name(view: CupView, leg: int) -> str:
    """Return the name of a leg. The leg must be drawn: only then is it known whether it is the final."""
    if view.cup.format is Format.LEAGUE:
        return _("Leg {number} of {legs}").format(number=leg, legs=view.cup.length)
    return _("Final") if view.legs[leg - 1].leg.final else _("Leg {number}").format(number=leg)


def fit_lines(lines: Sequence[str], most: int = MOST_LINES, longest: int = LONGEST_LINES) -> list[str]:
    """Return the lines for which there is room. If some are left out, a last line says how many."""
    fitting: list[str] = []
    for line in lines[:most]:
        longest -= len(line.encode("utf-16-le")) // 2 + 1
        if longest < 0:
            break
        fitting.append(line)
    more = len(lines) - len(fitting)
    return [*fitting, "-# " + _("More: {number}").format(number=more)] if more else fitting


def _fit_names(names: Sequence[str], most: int, longest: int) -> str:
    """Return the names for which there is room, in one line. The number of the others is not in small print there."""
    return ", ".join(fit_lines(names, most, longest)).replace("-# ", "")


def match_lines(view: CupView, leg: int, at: int, *, cards: bool = False) -> list[str]:
    """Return the results of a group of a closed leg: a line and, with ``cards``, a further line for each card.

    The entrants who advance, or who are best in a league, are bold. Entrants who did not begin are left out, except one
    who advances because the others have left the cup. Empty if nobody began and nobody advances.
    """
    cup, played = view.cup, view.closed[leg - 1]
    group = played.groups[at]
    begun = played.attempts_in(group)
    if cup.format is Format.LEAGUE:
        shares = {one: share_of(one, played) for one in begun}
        advancing, reason = tuple(one for one in begun if shares[one] == max(shares.values()) > 0), Reason.POINTS
        listed = sorted(begun, key=lambda one: -shares[one])
        points = {one: format_percentage(float(share) / 100) for one, share in shares.items()}
    else:
        advancing, reason = decide_group(group, played)
        listed = sorted(begun, key=lambda one: one not in advancing)
        points = {one: format_points(count_points(one, begun)) for one in begun}
    names = {one: f"**{_entrant_name(cup, one)}**" if one in advancing else _entrant_name(cup, one) for one in listed}
    if cup.format is Format.KNOCKOUT and len(listed) < 3:
        if not advancing:
            return []
        line = _("**{player}** advances without a match.").format(player=_entrant_name(cup, advancing[0]))
        if reason not in (Reason.LEFT, Reason.BEGUN):
            match = compare_attempts(*(begun[one] for one in listed))
            line = f"{' – '.join(names.values())} {match_words(match)}"
    else:
        line = " · ".join(f"{name} {points[one]}" for one, name in names.items())
    lines = [" · ".join(filter(None, (line, _reason_words(reason))))] if line else []
    for number, card in enumerate(group.source.draw_cards(cup.deck) if cards and begun else ()):
        counted = [(begun[one].counted[number : number + 1] or (-1,))[0] for one in listed]
        results = ["".join(map(format_signed, begun[one].results[number : number + 1])) or "–" for one in listed]
        best = (value == max(counted) >= 0 for value in counted)
        marked = (f"**{each}**" if is_best else each for each, is_best in zip(results, best, strict=True))
        lines.append(f"{number + 1}. {' : '.join(marked)} · {card_name(card)}")
    return lines


def match_words(match: Match) -> str:
    halved = " · " + _("Tied: {number}").format(number=match.halved) if match.halved else ""
    return f"{match.won} : {match.lost}{halved}"


def _reason_words(reason: Reason) -> str | None:
    return {
        Reason.SCORE: _("Higher score"),
        Reason.CARDS: _("More finished cards"),
        Reason.LOT: _("Drawn by lot"),
        Reason.SHARED: _("Shared title"),
    }.get(reason)


def _draw_lines(cup: Cup, leg: Leg) -> list[str]:
    lines = [" – ".join(_entrant_name(cup, entrant) for entrant in group.entrants) for group in leg.groups]
    return lines + ([_("Bye: {players}").format(players=_names_of(cup, leg.byes))] if leg.byes else [])


def leg_news(view: CupView) -> Iterator[str]:
    if view.cup.format is Format.KNOCKOUT:
        yield from _knockout_news(view.cup, view.closed[-1])
        return
    lines = table_view(view).lines
    if leaders := [stored_name(line.person.name) for line in lines if line.place == 1 and line.person.active]:
        yield _("In the lead: {players}").format(players=format_list(leaders)) + f" · {lines[0].total}"
    climber = max(lines, key=lambda line: line.moved)
    if climber.moved > 1:
        yield _("Biggest climb: {player}").format(player=stored_name(climber.person.name)) + f" · +{climber.moved}"


def _knockout_news(cup: Cup, leg: Leg) -> Iterator[str]:
    """Yield a line with everybody who is out, and one with the narrowest defeat, by cards and then by the score.

    All who are out are named in the same way, so the line does not say which of them never began.
    """
    out, misses = list[int](), list[tuple[int, int, str, str]]()
    for group in leg.groups:
        on, _why = decide_group(group, leg)
        out += (one for one in group.entrants if one not in on)
        own = leg.attempt_of(on[0]) if len(on) == 1 else None
        for one in group.entrants:
            if own is not None and one not in on and (other := leg.attempt_of(one)) is not None:
                match, names = compare_attempts(own, other), (_entrant_name(cup, one), _entrant_name(cup, on[0]))
                misses.append((match.won - match.lost, own.score - other.score, *names))
    if out:
        yield f"{_('Out:')} {_fit_names([_entrant_name(cup, one) for one in out], MOST_LINES, 400)}"
    if misses:
        _cards, _score, missed, winner = min(misses)
        yield _("Narrowest defeat: {player}").format(player=f"**{missed}** – {winner}")


def make_cup_picture(view: CupView, own: int | None = None) -> Picture | None:
    """Draw a cup's bracket or table; None if a bracket has too many lines. The line of entrant ``own`` is marked.

    Until the first leg of a league is closed, the picture has only the cup's name and the number of the leg.
    """
    cup, number = view.cup, len(view.legs)
    sentences = [f"{clean_name(cup.name, len(cup.name))} #{number}."]
    standing: BracketView | TableView | None
    if cup.format is Format.LEAGUE:
        standing = table_view(view, own) if view.closed else TableView((), 0)
        sentences += _table_words(standing) if view.closed else ()
    elif (standing := bracket_view(view, own)) is not None:
        sentences += _bracket_words(standing)
    else:
        return None
    return Picture("cup.png", tuple(sentences), cup_png, (cup.name, number, standing))


def _person_name(person: Person) -> str:
    return stored_name(person.name, clean_name)


def _bracket_words(view: BracketView) -> Iterator[str]:
    """Yield the winners and the highlighted people, then who meets whom in each leg, from the newest leg to the first.

    In a closed leg, the player who advanced is named first.
    """
    yield from _people_words(view.lines.values())
    for leg in reversed(view.legs):
        parts = [_("Leg {number}").format(number=leg)]
        for meeting in view.meetings:
            if meeting.leg == leg:
                names = [_person_name(view.lines[one]) for one in meeting.entrants]
                bye = [_("Bye: {players}").format(players=names[0])] if len(names) == 1 else []
                scored = [f"{names[0]} {meeting.score} {format_list(names[1:])}"] if meeting.score else []
                parts += bye or scored or [" – ".join(names)]
        yield ". ".join(parts) + "."


def _table_words(view: TableView) -> Iterator[str]:
    people = [line.person for line in view.lines]
    yield from _people_words(people)
    for line in view.lines:
        moved = f" ({'+' * (line.moved > 0)}{format_signed(line.moved)})" if line.moved else ""
        yield f"{line.place}. {labelled(_person_name(line.person) + moved, line.total)}."
    if view.more:
        yield _("More: {number}").format(number=view.more) + "."
    if left := [_person_name(person) for person in people if not person.active]:
        yield _("Left: {players}.").format(players=format_list(left))
    yield _("The legs are in percent. A leg in brackets does not count.")
    for line in view.lines:
        shares = (format_number(share, 0) for share in line.shares)
        points = " ".join(f"({share})" if at == line.worst else share for at, share in enumerate(shares))
        yield labelled(_person_name(line.person), points) + "."


def _people_words(people: Collection[Person]) -> Iterator[str]:
    if won := [_person_name(person) for person in people if person.won]:
        yield winners_sentence(won)
    if own := [_person_name(person) for person in people if person.own]:
        yield _("Highlighted: {players}.").format(players=format_list(own))


NO_CUP = "0" * 12
"""Takes the place of the cup's id in the custom_id of a select whose options are cups."""
MOST_OPTIONS = 25
"""Discord's limits for a select: its number of options and, below, the characters of an option."""
_LONGEST_OPTION = 100


def render_opened(cup: Cup) -> Rendered:
    text = _("The sign-up will appear in this channel in a moment.")
    return Rendered(content=f"**{_cup_title(cup.name)}**\n{text}")


def render_cups(running: Sequence[CupView], earlier: Sequence[Cup], user_id: int) -> Rendered:
    """Show the cups of a server: the user's next match in each running cup, and the winners of the earlier ones."""
    fields = [(_cup_title(view.cup.name), "\n".join(_state_lines(view, user_id))) for view in running]
    if earlier:
        fields.append((_("Earlier cups"), "\n".join(fit_lines(winner_lines(earlier), longest=1000))))
    nothing = _("`/highscore cup new:…` opens a cup: seven legs of one day each, with the same cards for everybody.")
    cups = {cup.id: clean_name(cup.name, len(cup.name)) for cup in (*(view.cup for view in running), *earlier)}
    looks = [_choose(CupPage(NO_CUP), cups, _("Look at a cup"), 0)] if cups else []
    return Rendered([make_embed(f"{TROPHY} {_('Cups')}", nothing, colour=GOLD, fields=fields)], buttons=looks)


def _choose(press: Action, options: dict[str, str], placeholder: str, row: int) -> ActionItem:
    made = [
        discord.SelectOption(label=shorten(label, _LONGEST_OPTION), value=value) for value, label in options.items()
    ]
    return select(press, made, placeholder=placeholder, row=row)


def render_cup(view: CupView, user_id: int, *, moderates: bool = False, page: int = 0) -> Rendered:
    """Show a cup to a user: its state, its table or bracket, and what they can do.

    A moderator (``moderates``) who has not entered can also remove entrants. ``page`` is the page of these, from 0.
    """
    cup, own = view.cup, view.cup.number_of(user_id)
    entered, lines = own in cup.present, list[str]()
    # The public sign-up has both buttons. A user who looks at the cup needs only one of them.
    buttons = _enter_buttons(cup)[1:] if entered else _enter_buttons(cup)[:1]
    picture = make_cup_picture(view, own) if view.legs else None
    if view.legs:
        # The first of the buttons to look at leads to this page.
        buttons = [*([play_button(cup)] if view.open_leg and entered else []), *_look_buttons(view)[1:]]
        if entered and cup.status.running:
            buttons.append(button(CupQuestion(Verb.LEAVE, cup.id), _("Withdraw"), row=3))
        if picture is None:
            lines = ["", *fit_lines(_draw_lines(cup, view.legs[-1].leg))]
    elif cup.status is Status.ENTRY:
        # Unlike the sign-up, this private message is not edited, so the user keeps a copy of the code.
        lines = [code_line(cup.lock)]
    if cup.status.running:
        buttons.append(_proof_button(cup, row=1))
    if moderates and cup.status.running:
        if entered:
            lines += ["", entered_moderator_sentence()]
        else:
            buttons += _moderator_buttons(view, page)
    return Rendered(
        [make_embed(_cup_title(cup.name), _format_line(cup), *_state_lines(view, user_id), *lines)],
        buttons=buttons,
        picture=picture,
    )


def _state_lines(view: CupView, user_id: int) -> list[str]:
    """Return the state of a cup and the user's opponents. If the cup is over, return only the winners."""
    cup, leg = view.cup, view.open_leg
    own = cup.number_of(user_id)
    if not cup.status.running:
        return winner_lines([cup])
    if cup.status is Status.ENTRY:
        lines = [_opening_line(cup), "👥 " + _entered_words(cup)]
    elif leg is None:
        lines = [_("The next leg is about to be drawn.")]
    else:
        lines = [_leg_name(view, leg.number), _until_line(view, leg.number)]
    return lines if own is None else [*lines, "👤 " + _own_sentence(view, own)]


def _own_sentence(view: CupView, own: int) -> str:
    cup, leg = view.cup, view.open_leg
    if own in cup.left:
        return _("You are no longer in this cup.")
    if leg is None:
        return _("You have entered.")
    group = next((group for group in leg.leg.groups if own in group.entrants), None)
    if group is not None:
        return opponents_line(cup, group.entrants, own)
    bye = _("You have a bye. You can still play the leg for fun.")
    return bye if own in leg.leg.byes else _("You are out of the cup. You can still play the leg for fun.")


def opponents_line(cup: Cup, group: Sequence[int], own: int | None) -> str:
    return _("You play against {players}.").format(players=_names_of(cup, (each for each in group if each != own)))


def _moderator_buttons(view: CupView, page: int) -> list[ActionItem]:
    cup, names, buttons = view.cup, _entrant_labels(view.cup), list[ActionItem]()
    begin, end = page * MOST_OPTIONS, (page + 1) * MOST_OPTIONS
    if options := {str(number): names[number] for number in cup.present[begin:end]}:
        buttons.append(_choose(RemoveEntrant(cup.id), options, _("Remove somebody"), 2))
    if (leg := view.open_leg) is not None and not leg.prolonged:
        buttons.append(button(CupPress(Verb.PROLONG, cup.id, leg.number), "+24 h", row=3))
    buttons.append(button(CupQuestion(Verb.END, cup.id), _("End"), emoji="🏁", row=3))
    to_page, more = partial(CupPage, cup.id), len(cup.present) > end
    return buttons + page_buttons(to_page(page - 1) if page else None, to_page(page + 1) if more else None, row=4)


def _entrant_labels(cup: Cup) -> list[str]:
    return [stored_name(each.name, clean_name) for each in cup.entrants]


def render_cup_question(cup: Cup, verb: Verb, number: int = 0) -> Rendered:
    """Ask before a user withdraws for good, removes the entrant with this number, or ends the cup."""
    label, text = {
        Verb.LEAVE: (_("Withdraw"), _("Withdraw for good? The cup has started, so you can't come back.")),
        Verb.REMOVE: (_("Remove"), _("Remove {player} for good? I'll announce it in the channel.")),
        Verb.END: (_("End the cup"), _("End the cup for good? Nobody wins it, and I'll announce it in the channel.")),
    }[verb]
    press: Action = CupQuestion(verb, cup.id, confirmed=True)
    if verb is Verb.REMOVE:
        press, text = RemoveEntrant(cup.id, True, number), text.format(player=_entrant_name(cup, number))
    sure = button(press, label, style=discord.ButtonStyle.danger)
    return Rendered(content=f"**{_cup_title(cup.name)}**\n{text}", buttons=[sure])


def render_results(view: CupView, leg: int, user_id: int, challenge_id: str | None, at: int | None = None) -> Rendered:
    """Show match ``at`` of a closed leg, or without ``at`` the user's own match.

    A user who played the leg alone has no match: show the proof of their own dice. For anybody else without a
    match, show the first one. ``challenge_id`` is the challenge that the user played, or None if they did not begin.
    """
    cup, groups = view.cup, view.closed[leg - 1].groups
    mine = next((index for index, each in enumerate(groups) if cup.number_of(user_id) in each.entrants), None)
    par = _("Par {par}").format(par=format_number(view.closed[leg - 1].par, 1))
    if at is None and mine is None and challenge_id is not None:
        lines, proved = [alone_sentence()], challenge_id
    else:
        shown = at if at is not None else mine or 0
        lines, proved = match_lines(view, leg, shown, cards=True), groups[shown].id
    lines = lines or [_("Nobody played here.")]
    buttons = [button(ChallengePress(ChallengeKind.LEG, Verb.PROOF, proved), _("Proof"), emoji="🔏")]
    if challenge_id is not None:
        buttons.insert(0, button(ReviewPress(ChallengeKind.LEG, challenge_id), _("Decisions"), emoji="📊"))
    to_leg, names = partial(ResultsPress, cup.id), _entrant_labels(cup)
    matches = {str(index): " – ".join(names[one] for one in each.entrants) for index, each in enumerate(groups)}
    for row, begin in enumerate(range(0, len(groups), MOST_OPTIONS), 1):
        some = dict(list(matches.items())[begin : begin + MOST_OPTIONS])
        buttons.append(_choose(to_leg(leg, row), some, _("Other matches"), row))
    following = to_leg(leg + 1) if leg < len(view.closed) else None
    return Rendered(
        [make_embed(f"{_leg_name(view, leg)} · {_('Results')}", *lines, f"-# {par}", colour=GOLD)],
        buttons=buttons + page_buttons(to_leg(leg - 1) if leg > 1 else None, following, row=4),
    )


def alone_sentence() -> str:
    return _("You play this leg for fun. Nobody else has these dice, and nobody is compared with you.")


def leg_title(challenge: LegChallenge) -> str:
    return f"{escape_name(challenge.cup_name, len(challenge.cup_name))} #{challenge.leg}"


def leg_page(
    attempt: Attempt[LegChallenge], view: CupView | None = None, *, pictures: bool = True, rare: bool = False
) -> PrivatePage:
    """Return the private page of a leg. If ``view`` is given, the page names the opponents until the first dice."""
    challenge = attempt.challenge
    ends = "⏳ " + _("End of the leg: {when}").format(when=format_dt(challenge.ends_at, "R"))
    end = _render_leg_end(attempt) if attempt.run.complete else None
    pitch = _leg_pitch(attempt, view)
    return attempt_page(attempt, leg_title(challenge), ends, pitch, end, pictures=pictures, rare=rare)


def _leg_pitch(attempt: Attempt[LegChallenge], view: CupView | None) -> list[str]:
    if attempt.challenge.alone:
        return [alone_sentence()]
    meets = []
    if view is not None:
        meets = [opponents_line(view.cup, attempt.challenge.entrants, view.cup.number_of(attempt.user_id))]
    return [*meets, _("Your opponents get the same dice. You have one attempt, and you can pause whenever you like.")]


def _render_leg_end(attempt: Attempt[LegChallenge]) -> Rendered:
    """Show the user's own cards and score. The opponents may still be playing, so nothing of theirs is shown."""
    challenge = attempt.challenge
    later = _("The results appear in the channel when the leg is over: {when}")
    if challenge.alone:
        later = _("You can see your decisions, with the results, when the leg is over: {when}")
    embed = make_embed(
        score_title(leg_title(challenge), attempt),
        *played_lines(attempt),
        "",
        later.format(when=format_dt(challenge.ends_at, "R")),
        colour=GOLD,
    )
    return Rendered([embed])

"""A cup's pictures for messages, each with all of it in words."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from bot.domain.cup import CupView
from bot.domain.cup_draw import Format
from bot.locales import _, format_list, format_number, ngettext
from bot.ui.message import Picture
from bot.ui.names import former_player_name
from bot.ui.pictures.alt import MAX_ALT
from bot.ui.pictures.cup import standing_png
from bot.ui.pictures.cup_leg import leg_png, match_png, winner_png
from bot.ui.pictures.cup_views import (
    BracketView,
    Meeting,
    Person,
    TableLine,
    TableView,
    bracket_view,
    leg_view,
    match_view,
    table_view,
    winner_view,
)
from bot.ui.text import MAX_NAME, clean_name, format_signed, shorten
from bot.ui.words import card_name

_NAMES = (MAX_NAME, 16, 8)
"""The longest names to try: sixteen long ones have no room in a description."""

Name = Callable[[Person], str]


def make_leg_picture(view: CupView) -> Picture:
    """Return a leg that opens, above the bracket or, once a leg is closed, the table."""
    leg = leg_view(view)
    below = _standing(view) if view.closed or view.cup.format is Format.KNOCKOUT else None
    text = _("{cup}: leg {number} of {legs}, {hours} hours.")
    facts = text.format(cup=clean_name(leg.name, len(leg.name)), number=leg.number, legs=leg.legs, hours=leg.hours)
    plays = ngettext("{number} player.", "{number} players.", leg.people).format(number=leg.people)
    alt = _describe(lambda name, full: [facts, plays, *(() if below is None else _standing_words(below, name, full))])
    return Picture("leg.png", alt, leg_png, (leg, below))


def make_cup_picture(view: CupView, own: int | None) -> Picture:
    """Return the bracket or the table; of a large cup the part around somebody."""
    standing = _standing(view, own)
    return Picture(
        "cup.png", _describe(lambda name, full: _standing_words(standing, name, full)), standing_png, (standing,)
    )


def make_match_picture(view: CupView, leg: int, at: int) -> Picture:
    """Return a group of a closed leg, the leg from 1 and the group from 0."""
    match = match_view(view, leg, at)

    def words(name: Name, full: bool) -> Iterable[str]:
        yield _("Leg {number}: {what}.").format(
            number=leg, what=", ".join(f"{name(each.person)} {each.points or '–'}" for each in match.columns)
        )
        for card, played in enumerate(match.cards):
            results = (format_signed(each.results[card]) if card < len(each.results) else "–" for each in match.columns)
            yield f"{card_name(played)}: {' : '.join(results)}."

    return Picture("match.png", _describe(words), match_png, (match,))


def make_over_picture(view: CupView) -> Picture:
    """Return the winners and their way to the title or, where nobody has won, the bracket or the table."""
    winner = winner_view(view)
    if winner is None:
        return make_cup_picture(view, None)

    def words(name: Name, full: bool) -> Iterable[str]:
        yield _("Won by {players}.").format(players=format_list(map(name, winner.people)))
        yield from _line_words(winner.lines, name, full)

    return Picture("winner.png", _describe(words), winner_png, (winner,))


def _standing(view: CupView, own: int | None = None) -> BracketView | TableView:
    return (table_view if view.cup.format is Format.LEAGUE else bracket_view)(view, own)


def _describe(words: Callable[[Name, bool], Iterable[str]]) -> str:
    """Return words that have room: names are cut where they must, and what is not ``full`` goes without details."""
    text = ""
    for full in (True, False):
        for longest in _NAMES:
            text = " ".join(words(partial(_name, longest=longest), full))
            if shorten(text, MAX_ALT) == text:
                return text
    return shorten(text, MAX_ALT)


def _name(person: Person, longest: int) -> str:
    return clean_name(person.name, longest) if person.name else former_player_name()


def _standing_words(view: BracketView | TableView, name: Name, full: bool) -> Iterable[str]:
    if isinstance(view, TableView):
        yield from _line_words(view.lines, name, full)
        people = [line.person for line in view.lines if line is not None]
    else:
        people = [*view.people]
        for leg in view.legs:
            met = (
                _meeting_words(each, [name(person) for person in people]) for each in view.meetings if each.leg == leg
            )
            yield _("Leg {number}: {what}.").format(number=leg, what="; ".join(met))
    for text, some in (
        (_("Won by {players}."), [person for person in people if person.won]),
        (_("Left: {players}."), [person for person in people if person.left]),
        (_("Marked: {players}."), [person for person in people if person.own]),
    ):
        if some:
            yield text.format(players=format_list(map(name, some)))
    if view.more:
        yield _("More: {number}").format(number=view.more) + "."


def _meeting_words(meeting: Meeting, names: Sequence[str]) -> str:
    """Return who meets, or met, and who went on: they are named first."""
    on = format_list(names[at] for at in meeting.on)
    others = format_list(names[at] for at in meeting.who if at not in meeting.on)
    if len(meeting.who) == 1:
        return _("{player}: bye").format(player=on)
    if meeting.why is None:
        return " – ".join(names[at] for at in meeting.who)
    if not meeting.on:
        return _("{players}: nobody goes on").format(players=others)
    if not meeting.score:
        return _("{player} goes on without a match against {others}").format(player=on, others=others)
    told = " ".join(filter(None, (on, meeting.score, others)))
    return _("{match} (level)").format(match=told) if meeting.level else told


def _line_words(lines: Sequence[TableLine | None], name: Name, full: bool) -> Iterable[str]:
    full = full and any(line is not None and line.shares for line in lines)
    if full:
        yield _("Behind each sum the legs in percent; what is in brackets does not count.")
    for line in lines:
        if line is None or not line.place:
            yield "…" if line is None else f"{name(line.person)}:"
            continue
        told = [f"{line.place}. {name(line.person)}: {line.total}"]
        if line.moved:
            told.append((_("up {number}") if line.moved > 0 else _("down {number}")).format(number=abs(line.moved)))
        if full:
            shares = (format_number(share, 0).rstrip(",.") for share in line.shares)
            told.append(" ".join(f"({share})" if at == line.worst else share for at, share in enumerate(shares)))
        yield ", ".join(told) + "."

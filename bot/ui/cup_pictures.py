"""A cup's picture for messages, with all of it in words."""

from collections.abc import Collection, Iterator

from bot.domain.cup import CupView
from bot.domain.cup_draw import Format
from bot.locales import _, format_list, format_number, labelled
from bot.ui.message import Picture
from bot.ui.names import former_player_name
from bot.ui.pictures.cup import BracketView, Person, TableView, bracket_view, cup_png, table_view
from bot.ui.text import clean_name, format_signed


def make_cup_picture(view: CupView, own: int | None = None) -> Picture | None:
    """Return a cup's bracket or table, with the person who looks at it marked; None while a bracket is too large.

    A league of which no leg is closed is only named.
    """
    cup, number = view.cup, len(view.legs)
    told = [f"{clean_name(cup.name, len(cup.name))} #{number}."]
    standing: BracketView | TableView | None
    if cup.format is Format.LEAGUE:
        standing = table_view(view, own) if view.closed else TableView((), 0)
        told += _table_words(standing) if view.closed else ()
    elif (standing := bracket_view(view, own)) is not None:
        told += _bracket_words(standing)
    else:
        return None
    return Picture("cup.png", tuple(told), cup_png, (cup.name, number, standing))


def _name(person: Person) -> str:
    return clean_name(person.name) if person.name else former_player_name()


def _bracket_words(view: BracketView) -> Iterator[str]:
    """Tell who meets, or met, leg by leg, the newest first; whoever goes on is named first."""
    yield from _people_words(view.lines.values())
    for leg in reversed(view.legs):
        told = [_("Leg {number}").format(number=leg)]
        for meeting in view.meetings:
            if meeting.leg == leg:
                names = [_name(view.lines[one]) for one in meeting.who]
                bye = [_("Bye: {players}").format(players=names[0])] if len(names) == 1 else []
                scored = [f"{names[0]} {meeting.score} {format_list(names[1:])}"] if meeting.score else []
                told += bye or scored or [" – ".join(names)]
        yield ". ".join(told) + "."


def _table_words(view: TableView) -> Iterator[str]:
    people = [line.person for line in view.lines]
    yield from _people_words(people)
    for line in view.lines:
        moved = f" ({'+' * (line.moved > 0)}{format_signed(line.moved)})" if line.moved else ""
        yield f"{line.place}. {labelled(_name(line.person) + moved, line.total)}."
    if view.more:
        yield _("More: {number}").format(number=view.more) + "."
    if left := [_name(person) for person in people if not person.there]:
        yield _("Left: {players}.").format(players=format_list(left))
    yield _("Legs in percent; what is in brackets does not count.")
    for line in view.lines:
        shares = (format_number(share, 0).rstrip(",.") for share in line.shares)
        told = " ".join(f"({share})" if at == line.worst else share for at, share in enumerate(shares))
        yield labelled(_name(line.person), told) + "."


def _people_words(people: Collection[Person]) -> Iterator[str]:
    for text, some in (
        (_("Win: {players}."), [person for person in people if person.won]),
        (_("Marked: {players}."), [person for person in people if person.own]),
    ):
        if some:
            yield text.format(players=format_list(map(_name, some)))

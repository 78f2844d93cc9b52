"""Cups in words: names of entrants and legs, the lines of matches, who goes on, and the table of a league."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from bot.domain.cup import Cup, CupView
from bot.domain.cup_draw import Format, Line, make_table
from bot.domain.cup_leg import Group, Leg, Match, Played, Reason, decide_group, play_match, share_of
from bot.locales import _, format_list, format_number, format_percentage
from bot.ui.names import former_player_name
from bot.ui.text import END_ISOLATE, ISOLATE, clean_name, escape_name, format_signed, place_number
from bot.ui.words import card_name

MOST_LINES = 20
"""The most matches of a leg, or lines of a table, that a post tells."""
LONGEST_LINES = 1300
"""The most characters of them: a post has results, a draw and perhaps a day's podium within Discord's 6,000."""


def cup_name(cup: Cup) -> str:
    return escape_name(cup.name, len(cup.name))


def entrant_name(cup: Cup, number: int, harmless: Callable[[str], str] = escape_name) -> str:
    entrant = cup.entrants[number]
    return former_player_name() if entrant.user_id is None else harmless(entrant.name)


def drawn_name(cup: Cup, number: int) -> str:
    """Return a name for a picture or an option."""
    return entrant_name(cup, number, clean_name).strip(ISOLATE + END_ISOLATE)


def names_of(cup: Cup, numbers: Iterable[int]) -> str:
    return format_list(entrant_name(cup, number) for number in numbers)


def leg_name(view: CupView, leg: int) -> str:
    """Return the name of a leg that was drawn, or of the first one before that."""
    cup = view.cup
    if cup.format is Format.LEAGUE:
        return _("leg {number} of {legs}").format(number=leg, legs=cup.length)
    if 0 < leg <= len(view.legs) and view.legs[leg - 1].leg.final:
        return _("the final")
    return _("leg {number}").format(number=leg)


def fit_lines(lines: Sequence[str], most: int = MOST_LINES, longest: int = LONGEST_LINES) -> list[str]:
    """Return as many of the lines as there is room for, and how many more there are."""
    fitting: list[str] = []
    for line in lines[:most]:
        longest -= len(line.encode("utf-16-le")) // 2 + 1
        if longest < 0:
            break
        fitting.append(line)
    if left_out := len(lines) - len(fitting):
        fitting.append("-# " + _("and {number} more").format(number=left_out))
    return fitting


# --------------------------------------------------------------------------------------------------------- matches


def match_words(match: Match) -> str:
    """Return a match as it is told: cards won and lost, then those halved."""
    if not match.halved:
        return f"{match.won} : {match.lost}"
    return _("{won} : {lost}, {halved} halved").format(**match._asdict())


def format_points(points: Fraction) -> str:
    """Return points of match play, which are whole or have a half.

    >>> [format_points(Fraction(points)) for points in ("7/2", "1/2", "3")]
    ['3½', '½', '3']
    """
    whole = str(points.numerator // points.denominator)
    return whole if points.denominator == 1 else f"{whole.removesuffix('0') if whole == '0' else whole}½"


def points_in(group: Group, leg: Leg) -> dict[int, Fraction]:
    """Return the points of everybody of a group who has begun, most first."""
    begun = {entrant: own for entrant in group.entrants if (own := leg.attempt_of(entrant)) is not None}
    points = {
        one: sum((play_match(own, other).points for two, other in begun.items() if two != one), Fraction())
        for one, own in begun.items()
    }
    return dict(sorted(points.items(), key=lambda each: -each[1]))


def ordered_entrants(cup: Cup, leg: Leg, group: Group) -> list[int]:
    """Return those of a group who have begun: the best share first, or who goes on and then by points."""
    if cup.format is Format.LEAGUE:
        return sorted(points_in(group, leg), key=lambda entrant: -share_of(entrant, leg))
    on = decide_group(group, leg).on
    return sorted(points_in(group, leg), key=lambda entrant: entrant not in on)


def result_line(cup: Cup, leg: Leg, group: Group) -> str | None:
    """Return what came of a group of a closed leg, those who go on in bold; None where nobody has begun.

    Whoever has not begun is not named.
    """
    ordered = ordered_entrants(cup, leg, group)
    if cup.format is Format.LEAGUE:
        shares = (format_percentage(float(share_of(entrant, leg)) / 100) for entrant in ordered)
        told = (f"{entrant_name(cup, one)} **{share}**" for one, share in zip(ordered, shares, strict=True))
        return " · ".join(told) or None
    on, why = decide_group(group, leg)
    if not on:
        return None
    if why in (Reason.LEFT, Reason.BEGUN):
        return _("**{player}** goes on without a match.").format(player=entrant_name(cup, on[0]))
    names = {entrant: entrant_name(cup, entrant) for entrant in ordered}
    marked = [f"**{name}**" if entrant in on else name for entrant, name in names.items()]
    if len(ordered) == 2:
        first, second = (leg.played[entrant] for entrant in ordered)
        line = f"{' – '.join(marked)} {match_words(play_match(first, second))}"
    else:
        points = points_in(group, leg)
        line = " · ".join(f"{name} {format_points(points[one])}" for name, one in zip(marked, ordered, strict=True))
    reason = _reason_words(why)
    return f"{line} · {reason}" if reason else line


def _reason_words(why: Reason) -> str | None:
    return {
        Reason.SCORE: _("by the higher score"),
        Reason.CARDS: _("by more finished cards"),
        Reason.DECISIONS: _("by the better decisions"),
        Reason.LOT: _("by lot"),
        Reason.SHARED: _("shared"),
    }.get(why)


def card_lines(cup: Cup, leg: Leg, group: Group) -> list[str]:
    """Return the results of those of a group who have begun, card by card, the best of each in bold.

    They come in the order of ``result_line``.
    """
    begun = [leg.played[entrant] for entrant in ordered_entrants(cup, leg, group)]
    lines = []
    for at, card in enumerate(group.source.draw_cards(cup.deck)):
        best = max((own.counted[at] for own in begun if at < len(own.results)), default=None)
        told = (_card_result(own, at, best) for own in begun)
        lines.append(f"{at + 1}. {card_name(card)}: {' : '.join(told)}")
    return lines


def _card_result(own: Played, at: int, best: int | None) -> str:
    if at >= len(own.results):
        return "–"
    text = format_signed(own.results[at])
    return f"**{text}**" if own.counted[at] == best else text


def result_lines(cup: Cup, leg: Leg) -> list[str]:
    """Return what came of a leg, one line a match, and in a knockout of those who had a bye."""
    return [line for group in leg.groups if (line := result_line(cup, leg, group)) is not None]


def draw_lines(cup: Cup, leg: Leg) -> list[str]:
    """Return who meets whom in a leg, one line a match."""
    lines = [" – ".join(entrant_name(cup, entrant) for entrant in group.entrants) for group in leg.groups]
    return lines + ([_("Bye: {players}").format(players=names_of(cup, leg.byes))] if leg.byes else [])


def nearest_miss(cup: Cup, leg: Leg) -> str | None:
    """Return who has missed going on most narrowly in a leg of a knockout, by points, then by score."""
    misses: list[tuple[Fraction, int, int, int]] = []
    for group in leg.groups:
        on, points = decide_group(group, leg).on, points_in(group, leg)
        misses += (
            (points[on[0]] - points[other], leg.played[on[0]].score - leg.played[other].score, on[0], other)
            for other in points
            if len(on) == 1 and other not in on
        )
    if not misses:
        return None
    _points, _score, winner, other = min(misses)
    text = _("Nearest miss: **{player}** against {winner}.")
    return text.format(player=entrant_name(cup, other), winner=entrant_name(cup, winner))


def out_line(cup: Cup, leg: Leg) -> str | None:
    """Return who is out after a leg of a knockout, all of them alike: nobody is told not to have begun."""
    out = [entrant for group in leg.groups for entrant in group.entrants if entrant not in decide_group(group, leg).on]
    if not out:
        return None
    told = fit_lines([entrant_name(cup, entrant) for entrant in out], longest=400)
    return "-# " + _("Out: {players}").format(players=", ".join(line.removeprefix("-# ") for line in told))


# ----------------------------------------------------------------------------------------------------------- table


def table_of(view: CupView, closed: int | None = None) -> tuple[Line, ...]:
    """Return the table of a league after a number of legs, by default after all that are closed."""
    return make_table(view.cup.contest, view.closed[:closed], view.cup.gone)


def table_lines(view: CupView, most: int, reader: int | None = None) -> list[str]:
    """Return the table of a league in words: the first ones, and the reader wherever they are."""
    lines = [
        f"{place_number(line.place)} {entrant_name(view.cup, line.entrant)} **{format_number(float(line.total), 1)}**"
        + (" 👈" if line.entrant == reader else "")
        for at, line in enumerate(table_of(view))
        if at < most or line.entrant == reader
    ]
    if left_out := len(view.cup.entrants) - len(lines):
        lines.append("-# " + _("and {number} more").format(number=left_out))
    return lines


def change_lines(view: CupView) -> Iterator[str]:
    """Tell what the last closed leg has changed in the table: who leads now, and who has climbed most."""
    table, played = table_of(view), len(view.closed)
    leaders = [line.entrant for line in table if line.place == 1 and line.total]
    if leaders:
        text = _("In front, with {points} %: {players}.")
        yield text.format(players=names_of(view.cup, leaders[:3]), points=format_number(float(table[0].total), 1))
    if played < 2:
        return
    before = {line.entrant: line.place for line in table_of(view, played - 1)}
    climber = max(table, key=lambda line: before[line.entrant] - line.place)
    if (rise := before[climber.entrant] - climber.place) > 1:
        yield _("Up by {number} places: {player}.").format(number=rise, player=entrant_name(view.cup, climber.entrant))

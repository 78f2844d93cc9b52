"""Cups in words: names, legs, matches and who goes on, the table of a league."""

from collections.abc import Iterable, Iterator, Sequence

from bot.domain.cup import Cup, CupView
from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Leg, Reason, count_points, decide_group, play_match, share_of
from bot.locales import _, format_list, format_percentage
from bot.ui.names import former_player_name
from bot.ui.pictures.cup import format_points, table_view
from bot.ui.text import MAX_NAME, TROPHY, escape_name, format_signed
from bot.ui.words import card_name

MOST_LINES = 20
"""The most matches of a leg that a message tells."""
LONGEST_LINES = 1300
"""The most characters of them: a post has results, a table and a draw, within Discord's 6,000."""


def cup_title(name: str) -> str:
    return f"{TROPHY} {escape_name(name, len(name))}"


def entrant_name(cup: Cup, number: int, longest: int = MAX_NAME) -> str:
    return _name(cup.entrants[number].name, longest)


def _name(name: str, longest: int = MAX_NAME) -> str:
    return escape_name(name, longest) if name else former_player_name()


def names_of(cup: Cup, numbers: Iterable[int]) -> str:
    return format_list(entrant_name(cup, number) for number in numbers)


def takes_part_sentence() -> str:
    """Return the sentence for moderators who have entered a cup."""
    return _("You take part in this cup, so other moderators look after it. To do it yourself, withdraw first.")


def winner_lines(cups: Sequence[Cup]) -> list[str]:
    """Return who has won each of these cups."""
    won = (names_of(cup, cup.winners) if cup.winners else _("Nobody") for cup in cups)
    return [f"{cup_title(cup.name)} · {names}" for cup, names in zip(cups, won, strict=True)]


def leg_name(view: CupView, leg: int) -> str:
    """Return the name of a leg that was drawn."""
    if view.cup.format is Format.LEAGUE:
        return _("Leg {number} of {legs}").format(number=leg, legs=view.cup.length)
    return _("Final") if view.legs[leg - 1].leg.final else _("Leg {number}").format(number=leg)


def fit_lines(lines: Sequence[str], most: int = MOST_LINES, longest: int = LONGEST_LINES) -> list[str]:
    """Return as many of the lines as there is room for, and how many more there are."""
    fitting: list[str] = []
    for line in lines[:most]:
        longest -= len(line.encode("utf-16-le")) // 2 + 1
        if longest < 0:
            break
        fitting.append(line)
    more = len(lines) - len(fitting)
    return [*fitting, "-# " + _("More: {number}").format(number=more)] if more else fitting


def match_lines(view: CupView, leg: int, at: int, *, cards: bool = False) -> list[str]:
    """Return what came of a group of a closed leg, whoever goes on in bold, perhaps with each card.

    Nothing is told of those who have not begun.
    """
    cup, played = view.cup, view.closed[leg - 1]
    group = played.groups[at]
    begun = played.attempts_in(group)
    if cup.format is Format.LEAGUE:
        shares = {one: share_of(one, played) for one in begun}
        on, why = tuple(one for one in begun if shares[one] == max(shares.values()) > 0), Reason.POINTS
        who = sorted(begun, key=lambda one: -shares[one])
        points = {one: format_percentage(float(share) / 100) for one, share in shares.items()}
    else:
        on, why = decide_group(group, played)
        who = sorted(begun, key=lambda one: one not in on)
        points = {one: format_points(count_points(one, begun)) for one in begun}
    names = {one: f"**{entrant_name(cup, one)}**" if one in on else entrant_name(cup, one) for one in who}
    if cup.format is Format.KNOCKOUT and len(who) < 3:
        if not on:
            return []
        line = _("**{player}** goes on without a match.").format(player=entrant_name(cup, on[0]))
        if why not in (Reason.LEFT, Reason.BEGUN):
            match = play_match(*(begun[one] for one in who))
            line = f"{' – '.join(names.values())} {match.won} : {match.lost}"
            if match.halved:
                line += " · " + _("Halved: {number}").format(number=match.halved)
    else:
        line = " · ".join(f"{name} {points[one]}" for one, name in names.items())
    told = [" · ".join(filter(None, (line, _reason_words(why))))] if line else []
    for number, card in enumerate(group.source.draw_cards(cup.deck) if cards and begun else ()):
        counted = [(begun[one].counted[number : number + 1] or (-1,))[0] for one in who]
        results = ["".join(map(format_signed, begun[one].results[number : number + 1])) or "–" for one in who]
        best = (value == max(counted) >= 0 for value in counted)
        marked = (f"**{each}**" if is_best else each for each, is_best in zip(results, best, strict=True))
        told.append(f"{number + 1}. {' : '.join(marked)} · {card_name(card)}")
    return told


def _reason_words(why: Reason) -> str | None:
    return {
        Reason.SCORE: _("Higher score"),
        Reason.CARDS: _("More finished cards"),
        Reason.LOT: _("Drawn by lot"),
        Reason.SHARED: _("Shared title"),
    }.get(why)


def draw_lines(cup: Cup, leg: Leg) -> list[str]:
    """Return who meets whom in a leg, one line a match."""
    lines = [" – ".join(entrant_name(cup, entrant) for entrant in group.entrants) for group in leg.groups]
    return lines + ([_("Bye: {players}").format(players=names_of(cup, leg.byes))] if leg.byes else [])


def leg_news(view: CupView) -> Iterator[str]:
    """Tell what the leg that was closed last has changed."""
    if view.cup.format is Format.KNOCKOUT:
        yield from _knockout_news(view.cup, view.closed[-1])
        return
    lines = table_view(view).lines
    if leaders := [_name(line.person.name) for line in lines if line.place == 1 and line.person.there]:
        yield _("In front: {players}").format(players=format_list(leaders)) + f" · {lines[0].total}"
    climber = max(lines, key=lambda line: line.moved)
    if climber.moved > 1:
        yield _("Most places up: {player}").format(player=_name(climber.person.name)) + f" · +{climber.moved}"


def _knockout_news(cup: Cup, leg: Leg) -> Iterator[str]:
    """Tell who is out, all alike, so that nobody is told not to have begun; and who has missed going on most narrowly.

    That goes by cards, then by the score.
    """
    out, misses = list[int](), list[tuple[int, int, str, str]]()
    for group in leg.groups:
        on, _why = decide_group(group, leg)
        out += (one for one in group.entrants if one not in on)
        own = leg.attempt_of(on[0]) if len(on) == 1 else None
        for one in group.entrants:
            if own is not None and one not in on and (other := leg.attempt_of(one)) is not None:
                match, names = play_match(own, other), (entrant_name(cup, one), entrant_name(cup, on[0]))
                misses.append((match.won - match.lost, own.score - other.score, *names))
    if out:
        told = fit_lines([entrant_name(cup, one) for one in out], longest=400)
        yield f"{_('Out:')} {', '.join(told).replace('-# ', '')}"
    if misses:
        _cards, _score, missed, winner = min(misses)
        yield _("Nearest miss: {player}").format(player=f"**{missed}** – {winner}")

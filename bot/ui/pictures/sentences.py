"""Everything in the pictures in sentences, what matters most first: plain text, in the current language."""

from collections.abc import Iterable, Sequence

from bot.locales import _, format_list, format_number, ngettext
from bot.ui.pictures.views import BoardView, DieView, Mark, Pick, ResultsView, track_order
from bot.ui.text import format_signed
from bot.ui.words import chips_won, roll_type_name, roll_type_rule, scoring_name, scoring_rule, vortex_rule
from highscore.cards import Card, Scoring
from highscore.dice import Face
from highscore.track import Chip, Placement
from highscore.turn import DieState


def card_words(card: Card) -> str:
    return " ".join(
        (
            _("Challenge card: {scoring}.").format(scoring=scoring_name(card.scoring)),
            scoring_rule(card.scoring),
            vortex_rule(card.vortex),
            f"{roll_type_name(card.roll_type)}.",
            roll_type_rule(card.roll_type),
        )
    )


def board_sentences(view: BoardView, names: Sequence[str]) -> tuple[str, ...]:
    """Describe a board, with the players' ``names`` by seat.

    First comes what is needed to play: the card with both of its rules, and the dice. After a round the results do.
    """
    card = card_words(view.card)
    sentences = [
        _("Round {number} of {rounds}").format(number=view.round, rounds=view.rounds) + ".",
        *(() if view.over else (card, *_turn_sentences(view, names))),
        *_track_sentences(view, names),
        *_chip_sentences(view, names),
    ]
    if view.measure is not None:
        average = _("Average of best play on this card: {points}.")
        sentences.append(average.format(points=format_number(view.measure.average, 1)))
        if view.measure.best is not None:
            sentences.append(_("Own best result on this card: {points}.").format(points=view.measure.best))
        if view.measure.cards:
            par = format_number(view.measure.par, 1)
            sentences.append(_("Points so far: {points}, par {par}.").format(points=view.measure.total, par=par))
    points = {seat: sum(chip.points for chip in view.seats[seat].chips if chip) for seat in view.seats_here}
    if any(points.values()):
        told = ", ".join(f"{names[seat]} {number}" for seat, number in points.items())
        sentences.append(_("Points so far: {points}.").format(points=told))
    return (*sentences, card) if view.over else tuple(sentences)


def results_sentences(view: ResultsView, names: Sequence[str]) -> tuple[str, ...]:
    """Describe the standings, best first, with every result."""
    sentences = [_("Standings.")]
    if view.finished:
        text = _("Win: {players}. Points ahead: {number}.") if view.margin else _("Win: {players}.")
        sentences.append(text.format(players=format_list(names[seat] for seat in view.first), number=view.margin))
    if changes := view.lead_changes:
        text = ngettext("The lead changed {number} time.", "The lead changed {number} times.", changes)
        sentences.append(text.format(number=changes))
    for place, seat in view.order:
        points, chips = view.points(seat), [mark.chip for mark in view.marks[seat]]
        won = [chips_won(kind, chips.count(kind)) for kind in Chip if kind in chips]
        text = ngettext("{place}. {player}: {number} point", "{place}. {player}: {number} points", points)
        line = text.format(place=place, player=names[seat], number=points)
        sentences.append(f"{line} ({format_list(won)})." if won else f"{line}.")
    for _place, seat in view.order:
        if results := ", ".join(map(_mark_words, view.marks[seat])):
            sentences.append(_("{player}, results: {results}.").format(player=names[seat], results=results))
    return tuple(sentences)


def _mark_words(mark: Mark) -> str:
    if mark.position in (None, mark.result):
        return format_signed(mark.result)
    return _("{result} on {position}").format(result=format_signed(mark.result), position=mark.position)


def scoring_words(scoring: Scoring) -> str:
    return f"{scoring_name(scoring)}. {scoring_rule(scoring)}"


def _turn_sentences(view: BoardView, names: Sequence[str]) -> list[str]:
    sentences: list[str] = []
    if (left := view.rolls_left) is not None:
        sentences.append(ngettext("{number} roll left.", "{number} rolls left.", left).format(number=left))
    if view.on_turn is not None:
        sentences.append(_("On turn: {player}.").format(player=names[view.on_turn]))
    if any(die.face is not None for die in view.dice):
        sentences.append(dice_sentence(view.dice))
    elif view.dice:
        sentences.append(_("The dice have not been rolled yet."))
    if view.worth is not None:
        worth = (
            _("Worth now: {result} ({points}).") if any(die.points for die in view.dice) else _("Worth now: {result}.")
        )
        sentences.append(worth.format(result=format_signed(view.worth), points=_points_words(view.dice)))
        if view.stake is not None:
            sentences.append(_("That would win now: {chips}.").format(chips=chips_won(view.stake, 1)))
        if view.aim is not None and view.aim != view.worth:
            taken = _("{result} is taken, so the piece would stand on {position}.")
            sentences.append(taken.format(result=view.worth, position=view.aim))
    return sentences


def _points_words(dice: Sequence[DieView]) -> str:
    """Return the points of the dice, tray by tray, such as ``5+5, 4+4, −2``."""
    trays: dict[tuple[int, int | None], list[int]] = {}
    for die in dice:
        if die.points:
            trays.setdefault(die.tray, []).append(die.points)
    added, taken = ([points for points in trays.values() if points[0] * sign > 0] for sign in (1, -1))
    sums = ["+".join(map(str, points)) for points in added]
    return ", ".join(sums + [format_signed(points) for each in taken for points in each])


def dice_sentence(dice: Iterable[DieView]) -> str:
    return f"{_('Dice:')} {', '.join(map(_die_words, dice))}."


def _die_words(die: DieView) -> str:
    face = _("Vortex") if die.face is Face.VORTEX else "–" if die.face is None else str(die.face)
    if die.state is DieState.FROZEN:
        return _("{die} (frozen)").format(die=face)
    if die.state is DieState.SET_ASIDE:
        return _("{die} (set aside)").format(die=face)
    if die.pick is None:
        return face
    text = _("{die} (to be rolled again)") if die.pick is Pick.ROLL else _("{die} (to be set aside)")
    return text.format(die=face)


def _track_sentences(view: BoardView, names: Sequence[str]) -> list[str]:
    sentences = [_piece_sentence(each, names[each.seat]) for each in track_order(view.placements)]
    if players := format_list(names[seat] for seat in view.to_come):
        sentences.append(_("Still to play: {players}.").format(players=players))
    return sentences


def _piece_sentence(placed: Placement, name: str) -> str:
    if placed.result <= 0:
        text = _("{player}: {result}, not on the track.")
    elif placed.waiting:
        text = _("{player}: {result}, waiting below space 1.")
    elif placed.position != placed.result:
        text = _("{player}: {result}, on space {position}.")
    else:
        text = _("{player}: on space {position}.")
    return text.format(player=name, result=format_signed(placed.result), position=placed.position)


def _chip_sentences(view: BoardView, names: Sequence[str]) -> list[str]:
    won = {seat_view.chip: names[seat] for seat, seat_view in enumerate(view.seats)}
    text = _("{player}: {chips}.")
    return [text.format(player=won[chip], chips=chips_won(chip, 1)) for chip in Chip if chip in won]

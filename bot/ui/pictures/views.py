"""What the pictures of a game show, as small immutable values, and the sentences that describe it.

The sentences are plain text in the current language, the most important first.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from bot.locales import _, format_list, format_number, ngettext
from bot.ui import words
from bot.ui.text import format_signed
from highscore.cards import Card, Scoring
from highscore.deck import ROUNDS
from highscore.dice import DICE, Face
from highscore.game import Game
from highscore.odds.facts import compute_averages
from highscore.runs import FinishedRound, FinishedTurn, Run
from highscore.standings import rank_players
from highscore.track import Chip, Placement, find_chip, find_position, rank_placements
from highscore.turn import DieState, Turn


@dataclass(frozen=True, slots=True)
class DieView:
    face: Face | None = None
    """The face; None before the first roll."""
    state: DieState = DieState.FREE
    points: int | None = None
    """The points that the die adds to the result, 0 if it does not count; None before the first roll."""
    group: int | None = None
    """The group in which the die counts; None if it does not count, or if the scoring has no groups."""

    @property
    def sign(self) -> int:
        """1 for a die that adds to the result, -1 for one that takes from it, otherwise 0."""
        return 0 if not self.points else 1 if self.points > 0 else -1

    @property
    def tray(self) -> tuple[int, int | None]:
        """The sign and the group. Dice for which both are the same lie on one tray."""
        return self.sign, self.group


@dataclass(frozen=True, slots=True)
class SeatView:
    placement: Placement | None = None
    """The placement of the seat's piece; None until the seat has finished its turn."""
    chip: Chip | None = None
    """The chip that the seat won in the round, if the round is over."""
    chips: tuple[Chip | None, ...] = ()
    """The chips of the finished rounds; None for a round without one."""

    @property
    def points(self) -> int:
        return sum(chip.points for chip in self.chips if chip is not None)


@dataclass(frozen=True, slots=True)
class Measure:
    """The average that best play gets on each card (R9.4), and the player's best earlier result on the current card.

    A player's points are compared with them in challenges and in the lesson.
    """

    average: float
    """The points that best play gets on average from the card that is being played."""
    cards: tuple[tuple[int, float], ...] = ()
    """The points of each finished card, with its average."""
    best: int | None = None
    """The player's best earlier result on this card; None if there is none above 0."""

    @property
    def total(self) -> int:
        return sum(points for points, _average in self.cards)

    @property
    def par(self) -> float:
        return sum(average for _points, average in self.cards)

    @classmethod
    def of(cls, run: Run, best: int | None = None) -> "Measure":
        """Return the measure of a run that is not complete."""
        points = [played.turn.counted for played in run.finished]
        cards = [played.card for played in run.finished]
        *averages, average = compute_averages([*cards, *filter(None, [run.card])])
        return cls(average, tuple(zip(points, averages, strict=True)), best if best and best > 0 else None)


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board of a round, while it is played or after it."""

    seats: tuple[SeatView, ...]
    """The two to five seats, in seat order, which also decides their pieces."""
    card: Card
    dice: tuple[DieView, ...] = (DieView(),) * DICE
    """Seven dice; none after the round."""
    previous: FinishedTurn | None = None
    """The turn before in this round. Its dice are shown in grey until the next player rolls."""
    on_turn: int | None = None
    """The seat that has the dice, or the only one that may take them."""
    worth: int | None = None
    """The worth of the dice as they lie; None before the first roll."""
    aim: int | None = None
    """The position, from 1, of the piece on turn if it ended with that worth; None if it would not be placed."""
    stake: Chip | None = None
    """The chip that the worth would win now. None if it would win none, and in the first turn of a round."""
    rolls_left: int | None = None
    """The rolls left in the turn, 0 to 7; None shows the card as dealt."""
    to_come: tuple[int, ...] = ()
    """The other seats that are still to play in this round, in the order of play."""
    round: int = 1
    rounds: int = ROUNDS
    measure: Measure | None = None
    """None if the players are compared with each other."""

    @property
    def over(self) -> bool:
        """True if the round is over and no dice are shown."""
        return not self.dice

    @property
    def leader(self) -> int | None:
        """The seat whose turn it is or, after the round, the seat that won gold; None if there is none."""
        if not self.over:
            return self.on_turn
        return next((seat for seat, each in enumerate(self.seats) if each.chip is Chip.GOLD), None)

    @property
    def seats_here(self) -> tuple[int, ...]:
        """The seats with a piece in this round, in seat order."""
        here = {self.on_turn, *self.to_come, *(placed.seat for placed in self.placements)}
        return tuple(seat for seat in range(len(self.seats)) if seat in here)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The placements of the seats that have played, in seat order."""
        return tuple(seat.placement for seat in self.seats if seat.placement is not None)


def seat_views(
    players: int,
    placements: Collection[Placement],
    chips: Mapping[int, Chip] | None = None,
    finished: Sequence[FinishedRound] = (),
) -> tuple[SeatView, ...]:
    """Return the seats of a board: their pieces, and their chips in this round and in the ``finished`` ones."""
    placed = {placement.seat: placement for placement in placements}
    return tuple(
        SeatView(placed.get(seat), (chips or {}).get(seat), tuple(ended.chips.get(seat) for ended in finished))
        for seat in range(players)
    )


def sort_placements(placements: Sequence[Placement]) -> tuple[Placement, ...]:
    """Sort placements as in a list: furthest ahead first, then those below space 1, then those not on the track."""
    others = (placed for placed in placements if placed.result <= 0)
    return *rank_placements(placements), *sorted(others, key=lambda placed: -placed.result)


def dice_views(turn: Turn) -> tuple[DieView, ...]:
    """Return the dice of a turn, with the points and the group of each once they are rolled."""
    if None in turn.faces:
        return tuple(map(DieView, turn.faces, turn.states))
    points = [die.points for die in turn.score.dice]
    groups = {at: number for number, group in enumerate(turn.score.groups) for at in group}
    return tuple(map(DieView, turn.faces, turn.states, points, map(groups.get, range(len(turn.faces)))))


def turn_view(
    card: Card,
    players: int,
    placements: Sequence[Placement],
    turn: Turn | None = None,
    on_turn: int | None = None,
    to_play: Sequence[int] = (),
    *,
    staked: bool = True,
) -> BoardView:
    """Return the board of a round in progress: the pieces so far and, if there is one, the current turn.

    ``staked`` is False if the player must not know what others did on this card (R9.5).
    """
    seats, to_come = seat_views(players, placements), tuple(seat for seat in to_play if seat != on_turn)
    if turn is None:
        return BoardView(seats, card, on_turn=on_turn, to_come=to_come)
    worth = None if None in turn.faces else turn.score.total
    aim = None if worth is None else find_position(worth, placements)
    # In the first turn of a round, any result above 0 would win gold.
    stake = find_chip(worth, placements, players) if worth is not None and placements and staked else None
    dice = dice_views(turn)
    return BoardView(seats, card, dice, None, on_turn, worth, aim, stake, turn.rolls_left, to_come)


def game_view(game: Game) -> BoardView:
    """Return the board of the current round. Raise ValueError if no card is face up."""
    if game.card is None:
        raise ValueError("no card is turned up, so there is no round to show")
    on_turn = game.may_act[0] if len(game.may_act) == 1 else game.seat
    view = turn_view(game.card, game.players, game.placements, game.turn, on_turn, game.to_play)
    seats = seat_views(game.players, game.placements, finished=game.finished)
    previous = game.played[-1] if game.turn is None and game.played else None
    return replace(view, seats=seats, previous=previous, round=game.round)


def round_view(game: Game, number: int) -> BoardView:
    """Return the board of round ``number``, from 1, after its end: the pieces and their chips, without dice."""
    finished = game.finished[:number]
    ended = finished[-1]
    return BoardView(seat_views(game.players, ended.placements, ended.chips, finished), ended.card, (), round=number)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A seat's result in a round that is over."""

    result: int
    position: int | None = None
    """The position of the piece; None if it is not on the track or waits below space 1."""
    chip: Chip | None = None


@dataclass(frozen=True, slots=True)
class ResultsView:
    """The results and chips of a game, round by round, and the order of the players."""

    results: tuple[tuple[RoundResult, ...], ...]
    """The results of each seat by round; empty for a seat that is left out."""
    order: tuple[tuple[int, int], ...]
    """The place (1 is first, ties share one) and the seat of each player, best first."""
    names: tuple[str, ...]
    won: bool = True
    """False if the game was given up: the first place is no victory then."""

    def points(self, seat: int) -> int:
        """Return the points of a seat's chips, 0 to 21.

        If the player is ``alone`` and gets no chips, return the sum of the results above 0.
        """
        return sum(map(self._points_of, self.results[seat]))

    def _points_of(self, played: RoundResult) -> int:
        if self.alone:
            return max(played.result, 0)
        return 0 if played.chip is None else played.chip.points

    @property
    def alone(self) -> bool:
        """True if all others are left out, so that nobody wins (R9.5)."""
        return len(self.order) == 1

    def points_by_round(self, seat: int) -> tuple[int, ...]:
        return tuple(accumulate(map(self._points_of, self.results[seat])))

    @property
    def first(self) -> tuple[int, ...]:
        """The seats in first place, usually one."""
        return tuple(seat for place, seat in self.order if place == 1)

    @property
    def finished(self) -> bool:
        """True if all seven rounds are played, more than one player is in the game, and the first place has points."""
        return (
            self.won
            and not self.alone
            and self.points(self.first[0]) > 0
            and len(self.results[self.first[0]]) == ROUNDS
        )

    @property
    def margin(self) -> int:
        """The lead of the first place in points; 0 if it is shared, decided by chips, or the player is alone."""
        points = [self.points(seat) for _place, seat in self.order]
        return points[0] - points[1] if len(points) > 1 else 0

    @property
    def leaders(self) -> tuple[tuple[int, ...], ...]:
        """The seats with the most points after each round; empty before anybody has points, and for a player alone."""
        seats = [] if self.alone else [seat for _place, seat in self.order]
        leaders = []
        for points in zip(*map(self.points_by_round, seats), strict=False):
            most = max(points)
            leaders.append(tuple(seat for seat, each in zip(seats, points, strict=True) if most == each > 0))
        return tuple(leaders)

    @property
    def lead_changes(self) -> int:
        """The number of rounds after which the leaders were not exactly the same as before."""
        return sum(before != after for before, after in pairwise(filter(None, self.leaders)))


def results_view(game: Game, names: Sequence[str]) -> ResultsView:
    results: list[list[RoundResult]] = [[] for _seat in range(game.players)]
    for ended in game.finished:
        chips = ended.chips
        for placed in ended.placements:
            results[placed.seat].append(RoundResult(placed.result, placed.position, chips.get(placed.seat)))
    order = tuple((line.place, line.seat) for line in rank_players(game))
    return ResultsView(tuple(map(tuple, results)), order, tuple(names), won=not game.abandoned)


def card_words(card: Card) -> str:
    return " ".join(
        (
            _("Challenge card: {scoring}.").format(scoring=words.scoring_name(card.scoring)),
            words.scoring_rule(card.scoring),
            words.vortex_rule(card.vortex),
            f"{words.roll_type_name(card.roll_type)}.",
            words.roll_type_rule(card.roll_type),
        )
    )


def board_sentences(view: BoardView, names: Sequence[str]) -> tuple[str, ...]:
    """Describe a board. ``names`` are the players' names by seat.

    First is what the player needs: the card with its rules, and the dice. After a round, the results are first.
    """
    card = card_words(view.card)
    sentences = [
        _("Round {number} of {rounds}").format(number=view.round, rounds=view.rounds) + ".",
        *(() if view.over else (card, *_turn_sentences(view, names))),
        *_track_sentences(view, names),
        *_chip_sentences(view, names),
    ]
    if view.measure is not None:
        average = _("Average with best play on this card: {points}.")
        sentences.append(average.format(points=format_number(view.measure.average, 1)))
        if view.measure.best is not None:
            sentences.append(_("Your best result on this card: {points}.").format(points=view.measure.best))
        if view.measure.cards:
            par = format_number(view.measure.par, 1)
            sentences.append(_("Points so far: {points}, par {par}.").format(points=view.measure.total, par=par))
    points = {seat: view.seats[seat].points for seat in view.seats_here}
    if any(points.values()):
        listing = ", ".join(f"{names[seat]} {number}" for seat, number in points.items())
        sentences.append(_("Points so far: {points}.").format(points=listing))
    return (*sentences, card) if view.over else tuple(sentences)


def results_sentences(view: ResultsView, names: Sequence[str]) -> tuple[str, ...]:
    sentences = [_("Standings.")]
    if view.finished:
        text = ngettext("{player} wins by {number} point.", "{player} wins by {number} points.", view.margin)
        won = [names[seat] for seat in view.first]
        sentences.append(text.format(player=won[0], number=view.margin) if view.margin else words.winners_sentence(won))
    if changes := view.lead_changes:
        text = ngettext("The lead changed {number} time.", "The lead changed {number} times.", changes)
        sentences.append(text.format(number=changes))
    for place, seat in view.order:
        points, chips = view.points(seat), [played.chip for played in view.results[seat]]
        won = [words.chips_won(kind, chips.count(kind)) for kind in Chip if kind in chips]
        text = ngettext("{place}. {player}: {number} point", "{place}. {player}: {number} points", points)
        line = text.format(place=place, player=names[seat], number=points)
        sentences.append(f"{line} ({format_list(won)})." if won else f"{line}.")
    for _place, seat in view.order:
        if results := ", ".join(map(_result_words, view.results[seat])):
            sentences.append(_("{player}, results: {results}.").format(player=names[seat], results=results))
    return tuple(sentences)


def _result_words(played: RoundResult) -> str:
    if played.position in (None, played.result):
        return format_signed(played.result)
    return _("{result} on {position}").format(result=format_signed(played.result), position=played.position)


def scoring_words(scoring: Scoring) -> str:
    return f"{words.scoring_name(scoring)}. {words.scoring_rule(scoring)}"


def _turn_sentences(view: BoardView, names: Sequence[str]) -> list[str]:
    sentences: list[str] = []
    if (left := view.rolls_left) is not None:
        sentences.append(ngettext("{number} roll left.", "{number} rolls left.", left).format(number=left))
    if view.on_turn is not None:
        sentences.append(_("It is {player}'s turn.").format(player=names[view.on_turn]))
    if any(die.face is not None for die in view.dice):
        sentences.append(dice_sentence(view.dice))
    elif view.dice:
        sentences.append(_("The dice have not been rolled yet."))
    if view.previous is not None:
        text, before = _("In the turn before, {player} had {dice}: {result}."), view.previous
        dice = ", ".join(_face_name(face) for face in before.dice.faces)
        sentences.append(text.format(player=names[before.seat], dice=dice, result=format_signed(before.result)))
    if view.worth is not None:
        worth = (
            _("Worth now: {result} ({points}).") if any(die.points for die in view.dice) else _("Worth now: {result}.")
        )
        sentences.append(worth.format(result=format_signed(view.worth), points=_points_words(view.dice)))
        if view.stake is not None:
            sentences.append(_("That would win {chips} now.").format(chips=words.chips_won(view.stake, 1)))
        if view.aim is not None and view.aim != view.worth:
            taken = _("{result} is taken, so the piece would stand on {position}.")
            sentences.append(taken.format(result=view.worth, position=view.aim))
    return sentences


def _points_words(dice: Sequence[DieView]) -> str:
    """Return the points of the dice by tray, such as ``5+5, 4+4, −2``. Groups are in the same order as in the text."""
    trays: dict[tuple[int, int | None], list[int]] = {}
    for die in sorted(dice, key=lambda die: die.group or 0):
        if die.points:
            trays.setdefault(die.tray, []).append(die.points)
    added, taken = ([points for points in trays.values() if points[0] * sign > 0] for sign in (1, -1))
    sums = ["+".join(map(str, points)) for points in added]
    return ", ".join(sums + [format_signed(points) for each in taken for points in each])


def dice_sentence(dice: Iterable[DieView]) -> str:
    return f"{_('Dice:')} {', '.join(map(_die_words, dice))}."


def _die_words(die: DieView) -> str:
    face = _face_name(die.face)
    if die.state is DieState.FROZEN:
        return _("{die} (frozen)").format(die=face)
    if die.state is DieState.SET_ASIDE:
        return _("{die} (set aside)").format(die=face)
    return face


def _face_name(face: Face | None) -> str:
    return _("Vortex") if face is Face.VORTEX else "–" if face is None else str(face)


def _track_sentences(view: BoardView, names: Sequence[str]) -> list[str]:
    sentences = [_piece_sentence(each, names[each.seat]) for each in sort_placements(view.placements)]
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
    return [text.format(player=won[chip], chips=words.chips_won(chip, 1)) for chip in Chip if chip in won]

"""Chances of chips (rules R5, R6): what a result is worth while other players are still to play.

The round is solved backwards. For the last player, the chips of each result are known. For the player before, the last
player's best reply to each track is known, and so on. Every player plays for their own expected chip points of this
round. Only the number of players to come matters, not their order (R9.1).

If more than ``EXACT_LATER`` players are to come, there would be too many tracks. Then only the next player replies
best. The others follow a model, in which each of them gets past a piece independently. The chance of getting past it is
halfway between the chance of a player who plays for points and the best possible chance. docs/odds.md says how large
the error is.

A *front* is the positions of the (up to three) leading pieces, highest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from highscore.cards import Card, RollType
from highscore.dice import DICE
from highscore.errors import IllegalChoice
from highscore.game import Game
from highscore.odds.facts import compute_facts
from highscore.odds.lattice import Floats, Ints, build_lattice, freeze
from highscore.odds.policy import COUNTED, POINTS, Utility, solve_card
from highscore.odds.results import LIMIT, list_results
from highscore.odds.solver import follow_plan, follow_rerolls, solve_plan
from highscore.track import Chip, Placement, list_chips
from highscore.turn import begin_turn

FRONT = len(Chip)
"""The largest number of pieces that can win a chip."""

NOBODY = -10
"""The position that stands for no piece. Waiting pieces are at 0, -1 and so on; five players cannot get below -4."""

_CODE_BITS = 10
_SHIFTS = _CODE_BITS * np.arange(FRONT)[::-1]


def find_front(placements: Iterable[Placement]) -> tuple[int, ...]:
    """Return the front of a track. ``placements`` are in order of play; pieces that wait below space 1 are at 0, -1,
    ..."""
    positions: list[int] = []
    below = 0
    for placement in placements:
        if placement.position is not None:
            positions.append(placement.position)
        elif placement.waiting:
            positions.append(below)
            below -= 1
    return tuple(sorted(positions, reverse=True)[:FRONT])


def make_chip_table(chips: Sequence[Chip]) -> Floats:
    """Return a table with a 1 for the chip (column, in the order of Chip) of each rank (row).

    The last row is for pieces behind the front, which win nothing.
    """
    won = np.zeros((FRONT + 1, len(Chip)))
    for rank, chip in enumerate(chips):
        won[rank, list(Chip).index(chip)] = 1.0
    return won


def make_rows(fronts: Sequence[Sequence[int]]) -> Ints:
    return np.array([[*some, *[NOBODY] * (FRONT - len(some))] for some in fronts], dtype=np.int64)


def encode_rows(rows: Ints) -> Ints:
    """Return one whole number for each front; equal fronts have equal numbers."""
    shifted = rows - NOBODY
    codes: Ints = shifted[..., 0]
    for piece in range(1, FRONT):
        codes = codes << _CODE_BITS | shifted[..., piece]
    return codes


def decode_rows(codes: Ints) -> Ints:
    """Return the fronts with these numbers: the inverse of ``encode_rows``."""
    decoded: Ints = (codes[..., None] >> _SHIFTS & (1 << _CODE_BITS) - 1) + NOBODY
    return decoded


def sort_distinct(codes: Ints) -> Ints:
    ordered = np.sort(codes, axis=None)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]


class AddedPiece(NamedTuple):
    """One more piece, for each front (first axis) and each result (second axis).

    A result below 1 has position NOBODY and rank FRONT.
    """

    fronts: Ints
    rank: Ints
    position: Ints


def add_piece(rows: Ints, results: Ints) -> AddedPiece:
    position = np.broadcast_to(results, (len(rows), len(results))).copy()
    for piece in range(FRONT):
        # R5.3: a taken result goes to the next lower one. The positions are descending, so one comparison each is
        # enough.
        position -= position == rows[:, piece, None]
    position[:, results <= 0] = NOBODY
    rank = (rows[:, None, :] > position[:, :, None]).sum(axis=2)
    rank[:, results <= 0] = FRONT
    before = np.broadcast_to(rows[:, None, :], (*position.shape, FRONT))
    together = np.sort(np.concatenate((before, position[:, :, None]), axis=2), axis=2)
    return AddedPiece(together[:, :, :0:-1], rank, position)


def find_free_above(rows: Ints, piece: int) -> Ints:
    """Return for each front the lowest result, at least 1, that gets ahead of the piece of rank ``piece``."""
    above = rows[:, piece] + 1
    for ahead in reversed(range(piece)):
        above = above + (above == rows[:, ahead])
    return np.maximum(above, 1)


EXACT_LATER = {RollType.FOUR_FULL: 2, RollType.ANY_THREE: 2, RollType.SET_ASIDE: 1}
"""Up to this many players to come, all replies are computed exactly. If there are more, only the reply of the next
player is. The limit is lower for SET_ASIDE, which has five times as many positions as ANY_THREE."""

_BATCH = 32
"""The number of replies solved at the same time: enough to amortise NumPy's overhead, few enough for the CPU's
cache."""

CHIP_POINTS = freeze(np.array([chip.points for chip in Chip], dtype=np.float64))
"""The points of each chip, in the order of Chip."""


def compute_chip_chances(game: Game, seat: int, near: int | None = None) -> Floats:
    """Compute the chance (0 to 1) of each chip (column) for each of RESULTS (row) of the seat that plays now or next.

    If the card cannot give a result, its row is that of the next lower result that the card can give. ``near`` is the
    number of later players whose replies are computed exactly; None means as many as EXACT_LATER allows. In own pace
    nobody knows the results of others on a card that they are playing, so the others are assumed to play for points
    (R9.5), and ``near`` is not used. Raises IllegalChoice if no card is face up for the seat.
    """
    chips = list_chips(len(game.seats))
    if not game.turn_order.shared:
        run, at = game.find_run(seat), game.seats_from_start.index(seat)
        if run.card is None:
            raise IllegalChoice("There is no card to play.")
        earlier = (at - run.round + game.round) % len(game.seats)
        return _compute_unseen(run.card, chips, earlier, len(game.seats) - 1 - earlier)
    if game.card is None or not game.to_play:
        raise IllegalChoice("There is no round being played.")
    return _compute_chances(game.card, chips, find_front(game.placements), len(game.to_play) - 1, near)


def make_chip_utility(game: Game, seat: int, near: int | None = None) -> Utility:
    """Return the utility of playing for chips: the expected chip points of each result of a seat.

    If the seat plays alone, return COUNTED (R9.4), even if no card is face up. Otherwise arguments and errors are those
    of ``compute_chip_chances``.
    """
    if len(game.seats) == 1:
        return COUNTED
    return Utility.from_vector("chips", compute_chip_chances(game, seat, near) @ CHIP_POINTS)


@lru_cache(maxsize=512)
def _compute_chances(
    card: Card, chips: tuple[Chip, ...], ahead: tuple[int, ...], later: int, near: int | None
) -> Floats:
    if near is None:
        near = later if later <= EXACT_LATER[card.roll_type] else 1
    field = _make_field(card, chips)
    chances = field.compute_chances(ahead, later, min(near, later))
    at = np.searchsorted(field.results, np.maximum(np.arange(-LIMIT, LIMIT + 1), 0), side="right") - 1
    return freeze(chances[at])


@lru_cache(maxsize=256)
def _compute_unseen(card: Card, chips: tuple[Chip, ...], earlier: int, later: int) -> Floats:
    """Compute the chances if all others play for points, ``earlier`` of them before the seat and ``later`` after it.

    Of two equal results, the one that is earlier in the order of play is ahead (R5.3). The model ignores that two of
    the others may want the same space.
    """
    steady = solve_card(card, POINTS).compute_outcome(begin_turn(card))
    at_least = np.cumsum(steady[::-1])[::-1]
    ahead = [at_least] * earlier + [np.append(at_least[1:], 0.0)] * later
    count = np.zeros((len(ahead) + 1, len(steady)))
    count[0] = 1.0
    for chance in ahead:
        count[1:] = count[1:] * (1.0 - chance) + count[:-1] * chance
        count[0] *= 1.0 - chance
    chances = count.T @ make_chip_table(chips)[np.minimum(np.arange(len(count)), FRONT)]
    chances[: LIMIT + 1] = 0.0
    return freeze(chances)


class _Field:
    """The replies of the players to come, on one card. ``chips`` are those of the round, the best first (R6)."""

    def __init__(self, card: Card, chips: tuple[Chip, ...]) -> None:
        self._card = card
        self._chips = make_chip_table(chips)
        of_roll = np.maximum(list_results(card), 0)
        self.results: Ints = np.array(sorted({0, *map(int, of_roll)}), dtype=np.int64)
        """The different results for the track, ascending. 0 stands for every result of 0 or less."""
        self._place = np.searchsorted(self.results, of_roll)
        on = build_lattice()
        self._first_roll = self._gather(on.chance[on.find_layer(DICE)][:, None])[:, 0]

    @cached_property
    def _getting_past(self) -> Floats:
        """For each of ``results``, the chance that a player who follows the model gets at least this result.

        The last entry, 0, is for more than the highest result. The chance is the mean of two: when playing for points,
        and when risking everything for this one result. Exact replies are close to this mean.
        """
        steady = solve_card(self._card, POINTS).compute_outcome(begin_turn(self._card))
        plain = [float(steady[result + LIMIT :].sum()) for result in self.results]
        best = [1.0, *(compute_facts(self._card).find_chance(int(result)) for result in self.results[1:])]
        return np.array([*((a + b) / 2 for a, b in zip(plain, best, strict=True)), 0.0])

    def compute_chances(self, ahead: tuple[int, ...], later: int, near: int) -> Floats:
        """Compute the chance of each chip for each of ``results``, on a track with the front ``ahead``.

        Of the ``later`` players, the next ``near`` reply best, and the others follow the model.
        """
        begun, my_rank, _ = add_piece(make_rows([ahead]), self.results)
        levels = {later: sort_distinct(encode_rows(begun))}
        for to_come in range(later, later - near, -1):
            levels[to_come - 1] = sort_distinct(
                encode_rows(add_piece(decode_rows(levels[to_come]), self.results).fronts)
            )
        chances = self._model_replies(decode_rows(levels[later - near]), later - near)
        for to_come in range(later - near + 1, later + 1):
            chances = self._add_reply(decode_rows(levels[to_come]), levels[to_come - 1], chances)
        mine: Floats = chances[np.searchsorted(levels[later], encode_rows(begun[0])), my_rank[0]]
        return mine

    def _add_reply(self, rows: Ints, codes: Ints, chances: Floats) -> Floats:
        """Compute the chance of each chip for the pieces of these fronts, before one more player's reply.

        ``chances`` (front, rank, chip) are the chances after the reply, for the fronts with the numbers ``codes``.
        """
        after, rank, position = add_piece(rows, self.results)
        at = np.searchsorted(codes, encode_rows(after))
        replies = self._compute_replies(chances[at, rank] @ CHIP_POINTS)
        before_reply = np.zeros((len(rows), FRONT + 1, len(Chip)))
        for piece in range(FRONT):
            moved = np.minimum(piece + (position > rows[:, piece, None]), FRONT)
            before_reply[:, piece] = np.einsum("fr,frc->fc", replies, chances[at, moved])
        before_reply[:, :FRONT][rows == NOBODY] = 0.0
        return before_reply

    def _model_replies(self, rows: Ints, later: int) -> Floats:
        """Compute the chance of each chip for the pieces of these fronts if ``later`` players follow the model.

        Each piece falls back by one rank for each player that gets past it. The model ignores that two of them may want
        the same space.
        """
        modelled = np.zeros((len(rows), FRONT + 1, len(Chip)))
        for piece in range(FRONT):
            ahead = find_free_above(rows, piece)
            passed = self._getting_past[np.searchsorted(self.results, ahead)] if later else np.zeros(len(rows))
            for times in range(later + 1):
                chance = comb(later, times) * passed**times * (1.0 - passed) ** (later - times)
                modelled[:, piece] += chance[:, None] * self._chips[min(piece + times, FRONT)]
        modelled[:, :FRONT][rows == NOBODY] = 0.0
        return modelled

    def _compute_replies(self, worth: Floats) -> Floats:
        """Compute the chance of each of ``results`` for a player with best play, for each row of ``worth``.

        A row of ``worth`` is the value of each of ``results``.
        """
        if self._card.roll_type is RollType.FOUR_FULL and not self._card.vortex.frozen:
            return follow_rerolls(self._first_roll, worth.T, RollType.FOUR_FULL.max_rolls).T
        replies = np.empty_like(worth)
        for start in range(0, len(worth), _BATCH):
            part = worth[start : start + _BATCH]
            plan = solve_plan(self._card, DICE, np.ascontiguousarray(part.T[self._place]))
            final = follow_plan(plan, 0, self._card.roll_type.max_rolls - 1, len(part))
            replies[start : start + _BATCH] = self._gather(final).T
        return replies

    def _gather(self, chances: Floats) -> Floats:
        """Turn the chances of rolls into chances of ``results``."""
        total = np.zeros((len(self.results), chances.shape[1]))
        np.add.at(total, self._place, chances)
        return total


_make_field = lru_cache(maxsize=32)(_Field)

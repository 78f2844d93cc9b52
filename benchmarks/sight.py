"""Worth of a second account in a cup: ``python -m benchmarks.sight``.

Whoever has a second account in the same group can play it first, see its dice, and then decide knowing every die.
First: how much of a card that wins against somebody who decides soundly with the same dice (each choice is the
likelier the less it gives away, by a factor of e for a point). Then: how often two of all entrants meet in a leg of a
league, and how often somebody wins one of seven legs who has a second account in it, among others of equal skill.

It is an upper limit: no play shows all dice of every card.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from benchmarks.report import QUICK, Arguments, Report, option, run
from bot.domain.cup_draw import Contest, Format, draw_leg, make_table
from bot.domain.cup_leg import Group, Leg, Played
from highscore.cards import Card, RollType
from highscore.deck import ROUNDS, STANDARD_DECK
from highscore.dice import DICE, Dice, Face
from highscore.fairness import SEED_BYTES, Source
from highscore.odds import POINTS, solve_card
from highscore.scoring import score_dice
from highscore.turn import begin_turn, make_choice, roll_dice

ROLLS = 7
LARGEST_GROUP = 6
ENTRANTS = (8, 16, 32, 64, 128)
CHEAT, SECOND = 0, 1
"""The numbers of two entrants who are one person."""


@dataclass(frozen=True)
class Sample:
    """A card with its dice."""

    known: int
    """The best that anybody can reach who knows them."""
    sound: tuple[int, ...]
    """The results of people who do not, of one for each place in a group."""


def find_best(card: Card, rolls: Sequence[Sequence[Face]]) -> int:
    """Return the highest result of a card whose rolls are known."""
    frozen = card.vortex.frozen

    def lies(place: int, roll: int) -> tuple[int, Face]:
        """Return the roll from which a die lies that nobody keeps before a roll, counted from 0, and its face."""
        stuck = (at for at in range(roll + 1) if frozen and rolls[at][place] is Face.VORTEX)
        at = next(stuck, roll)
        return at, rolls[at][place]

    ends: set[tuple[Face, ...]] = set()
    if card.roll_type is RollType.FOUR_FULL:
        ends = {tuple(lies(place, roll)[1] for place in range(DICE)) for roll in range(4)}
    elif card.roll_type is RollType.ANY_THREE:
        ends = {()}
        for place in range(DICE):
            # A vortex of the second roll freezes nothing where the die is not rolled then.
            stuck = frozen and rolls[0][place] is Face.VORTEX
            faces = {rolls[at][place] for at in range(1 if stuck else 3)}
            ends = {tuple(sorted((*end, face))) for end in ends for face in faces}
    else:
        for last in range(ROLLS):
            # With each roll up to the last one a die is set aside: the set bits are the rolls that have one.
            found: set[tuple[int, tuple[Face, ...]]] = {(0, ())}
            for place in range(DICE):
                kept = {lies(place, roll) for roll in range(last + 1)}
                found = {(bits | 1 << at, tuple(sorted((*end, face)))) for bits, end in found for at, face in kept}
            ends |= {end for bits, end in found if bits == (1 << last + 1) - 1}
    return max(0, *(score_dice(card, Dice(end)).total for end in ends))


def play_soundly(card: Card, rolls: Sequence[Sequence[Face]], draw: random.Random) -> int:
    """Return the result of somebody who does not know the dice."""
    policy, turn = solve_card(card, POINTS), begin_turn(card)
    while not turn.over:
        if turn.to_roll:
            turn = roll_dice(turn, [rolls[turn.rolls][place] for place in turn.to_roll])
        else:
            ranked = policy.rank_choices(turn)
            turn = make_choice(turn, draw.choices(ranked, [math.exp(-each.loss) for each in ranked])[0].choice)
    return max(turn.score.total, 0)


def take_samples(card: Card, count: int, draw: random.Random) -> Iterator[Sample]:
    for _ in range(count):
        source = Source(draw.randbytes(SEED_BYTES), "0" * 12)
        rolls = [source.draw_faces(1, 0, roll + 1) for roll in range(ROLLS)]
        yield Sample(find_best(card, rolls), tuple(play_soundly(card, rolls, draw) for _ in range(LARGEST_GROUP)))


def play_leg(groups: Sequence[Sequence[int]], samples: Sequence[Sequence[Sample]], draw: random.Random) -> Leg:
    """Play the leg of a league in which the cheat knows the dice wherever the second account has them, too."""
    cards, played = draw.sample(samples, ROUNDS), dict[int, Played]()
    for group in groups:
        dice = [draw.choice(card) for card in cards]
        for at, entrant in enumerate(group):
            knows = entrant == CHEAT and SECOND in group
            played[entrant] = Played(tuple(each.known if knows else each.sound[at] for each in dice))
    shown = tuple(Group("0" * 12, tuple(group), "", bytes(SEED_BYTES)) for group in groups)
    return Leg(shown, (), played, frozenset(), 0.0)


def measure(options: Arguments, report: Report) -> None:
    """Measure the worth on a card, then in a league."""
    draw = random.Random(options.seed)
    samples = [[*take_samples(card, 3 if options.quick else 60, draw)] for card in STANDARD_DECK]
    pairs = [(each.known, result) for card in samples for each in card for result in each.sound]
    assert all(known >= result for known, result in pairs)
    won = mean((known > result) + (known == result) / 2 for known, result in pairs)
    report.line("of a card's points, knowing the dice", f"{won:.0%}")
    for entrants in ENTRANTS:
        leagues = 10 if options.quick else options.legs // entrants
        met, wins = 0, 0.0
        for _ in range(leagues):
            cup = Contest("0" * 12, Format.LEAGUE, tuple(range(entrants)), draw.randbytes(SEED_BYTES), "", 1, 7)
            legs: list[Leg] = []
            while (drawn := draw_leg(cup, legs)) is not None:
                met += any({CHEAT, SECOND} <= {*group} for group in drawn.groups)
                legs.append(play_leg(drawn.groups, samples, draw))
            first = [line.entrant for line in make_table(cup, legs) if line.place == 1]
            wins += (CHEAT in first) / len(first)
        figures = f"{met / leagues / cup.length:.0%}, {wins / leagues:.0%} (else {1 / entrants:.1%})"
        report.line(f"{entrants} entrants: meet in a leg, the cheat wins", figures)


if __name__ == "__main__":
    legs = option("--legs", type=int, default=20_000, help="leagues times entrants, for each number of entrants")
    run(__doc__, measure, QUICK, legs, option("--seed", type=int, default=1))

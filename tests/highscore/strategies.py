"""The inventions of Hypothesis: dice, cards, decks, turns, events, whole games and damaged documents."""

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from highscore import STANDARD_DECK, Awaiting, Deck, Game, TurnOrder, apply_event, errors, list_decisions
from highscore.cards import MAX_VORTEX, Card, RollType, Scoring, VortexValue
from highscore.dice import DICE, FACES, Dice, Face
from highscore.events import Abandoned, CardRevealed, Decided, Event, Remarked, Rolled, StartPlayerDrawn, TakeDice
from highscore.fairness import Source, play_event
from highscore.turn import Choice, Roll, SetAside, Stop, Turn, begin_turn, list_choices, make_choice, roll_dice

faces: st.SearchStrategy[Face] = st.sampled_from(FACES)
rolls: st.SearchStrategy[Dice] = st.lists(faces, min_size=DICE, max_size=DICE).map(tuple).map(Dice)
some_dice: st.SearchStrategy[Dice] = st.lists(faces, max_size=DICE).map(tuple).map(Dice)
seeds: st.SearchStrategy[bytes] = st.binary(min_size=32, max_size=32)
vortex_values: st.SearchStrategy[VortexValue] = st.one_of(
    st.just(VortexValue.FROZEN),
    st.just(VortexValue.CHOICE),
    st.integers(-MAX_VORTEX, MAX_VORTEX).map(VortexValue.from_number),
)
card_ids: st.SearchStrategy[str] = st.from_regex(r"[a-z0-9]{1,12}(-[a-z0-9]{1,12}){0,2}", fullmatch=True)


@st.composite
def cards(draw: st.DrawFn) -> Card:
    identity, scoring = draw(card_ids), draw(st.sampled_from(Scoring))
    vortex, roll_type = draw(vortex_values), draw(st.sampled_from(RollType))
    try:
        return Card(identity, scoring, vortex, roll_type)
    except errors.CardError:
        return Card(identity, scoring, VortexValue.FROZEN, roll_type)


def some_card(rng: random.Random, number: int) -> Card:
    """Make a card with a numbered id. Far quicker than drawing each part with Hypothesis."""
    vortex = rng.choice(
        [VortexValue.FROZEN, VortexValue.CHOICE, VortexValue.from_number(rng.randint(-MAX_VORTEX, MAX_VORTEX))]
    )
    try:
        return Card(f"card-{number}", rng.choice(list(Scoring)), vortex, rng.choice(list(RollType)))
    except errors.CardError:
        return some_card(rng, number)


def some_deck(seed: int) -> Deck:
    """Return a deck of 7 to 12 cards of any kind."""
    rng = random.Random(seed)
    name = rng.choice(["custom", "My own box", "größer"])
    return Deck(name, tuple(some_card(rng, number) for number in range(rng.randint(7, 12))))


decks: st.SearchStrategy[Deck] = st.integers(0, 2**32).map(some_deck)

positions: st.SearchStrategy[tuple[int, ...]] = st.sets(st.integers(0, DICE - 1)).map(lambda dice: tuple(sorted(dice)))
choices: st.SearchStrategy[Choice] = st.one_of(
    st.just(Stop()), positions.filter(bool).map(Roll), positions.map(SetAside)
)
lines: st.SearchStrategy[str] = st.text(st.characters(codec="utf-8"), max_size=30)
events: st.SearchStrategy[Event] = st.one_of(
    st.integers(0, 4).map(StartPlayerDrawn),
    cards().map(CardRevealed),
    st.builds(Decided, st.integers(0, 4), choices | st.just(TakeDice()), st.booleans()),
    some_dice.map(lambda dice: Rolled(dice.faces)),
    lines.map(Abandoned),
    lines.filter(str.strip).map(Remarked),
)


@st.composite
def turns(draw: st.DrawFn, card: st.SearchStrategy[Card] | None = None) -> Turn:
    """Draw any position that a turn can come to, waiting for dice, for a choice, or over."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    turn = begin_turn(some_card(rng, 1) if card is None else draw(card))
    for _ in range(rng.randint(0, 2 * DICE)):
        if turn.over:
            break
        if turn.to_roll:
            turn = roll_dice(turn, rng.choices(FACES, k=len(turn.to_roll)))
        else:
            turn = make_choice(turn, rng.choice(list_choices(turn)))
    return turn


class Log:
    def __init__(self, events: tuple[Event, ...], states: tuple[Game, ...]) -> None:
        self.events = events
        self.states = states

    def __repr__(self) -> str:
        return f"<game of {len(self.events)} events>"

    @property
    def end(self) -> Game:
        return self.states[-1]


SHARED = (TurnOrder.CLOCKWISE, TurnOrder.OPEN)
"""The turn orders in which all play at one table."""

CHANCE = (Awaiting.START_PLAYER, Awaiting.CARD, Awaiting.DICE)

Chance = Callable[[Game], Event]


def dealt(rng: random.Random, deck: Deck) -> Chance:
    """Make chance from a generator. Its dice favour one face, so that ties, gaps and frozen dice come up often."""
    order = rng.sample(deck.cards, len(deck.cards))
    weights = [1] * len(FACES)
    weights[rng.randrange(len(FACES))] = rng.choice((1, 1, 3, 20))

    def chance(game: Game) -> Event:
        match game.awaiting:
            case Awaiting.START_PLAYER:
                return StartPlayerDrawn(rng.randrange(game.players))
            case Awaiting.CARD:
                return CardRevealed(order[len(game.finished) + len(game.cards)])
            case _:
                assert game.hand_to_roll is not None
                return Rolled(tuple(rng.choices(FACES, weights, k=len(game.hand_to_roll.turn.to_roll))))

    return chance


def play_on(game: Game, rng: random.Random, chance: Chance, limit: int | None = None) -> Log:
    """Play by chance to the end, or for at most ``limit`` events; players and the house decide at random."""
    log: list[Event] = []
    states = [game]
    while not game.over and (limit is None or len(log) < limit):
        event = chance(game) if game.awaiting in CHANCE else decided(game, rng)
        game = apply_event(game, event)
        log.append(event)
        states.append(game)
    return Log(tuple(log), tuple(states))


def play_drawn(
    game: Game, rng: random.Random, source: Source, deck: Deck, by_house: float = 0.0
) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """Play at random with the draws of a source. Yield it with its log after each decision, at first after none."""
    game, events = play_event(game, None, source, deck)
    yield game, events
    while not game.over:
        game, happened = play_event(game, decided(game, rng, by_house), source, deck)
        events += happened
        yield game, events


def decided(game: Game, rng: random.Random, by_house: float = 0.1) -> Decided:
    seat = rng.choice(game.may_act)
    return Decided(seat, rng.choice(list_decisions(game, seat)), rng.random() < by_house)


def with_other_secrets(game: Game, viewer: int | None) -> Game:
    """Return the game in own pace with other dice, results, turns and later cards where a viewer sees none (R9.5)."""
    done = len(game.finished) if viewer is None else game.count_finished(viewer)
    number = dict.fromkeys(range(game.players), len(game.finished))
    played = []
    for turn in game.played:
        number[turn.seat] += 1
        hidden = turn.seat != viewer and number[turn.seat] > done
        played.append(replace(turn, dice=Dice.parse("V V V V V V V"), result=-99, rolls=1) if hidden else turn)
    known = done + 1 - len(game.finished)
    later = tuple(card for card in STANDARD_DECK if card not in game.cards)
    return replace(
        game,
        cards=(*game.cards[:known], *later[: max(0, len(game.cards) - known)]),
        played=tuple(played),
        hands=tuple(
            hand if hand.seat == viewer else replace(hand, turn=begin_turn(hand.turn.card))
            for hand in game.hands
            # That somebody has begun is no secret (R9.6).
            if hand.seat == viewer or game.count_finished(hand.seat) == 0
        ),
    )


@st.composite
def logs(
    draw: st.DrawFn,
    deck: st.SearchStrategy[Deck] | None = None,
    whole: bool = False,
    orders: Sequence[TurnOrder] = tuple(TurnOrder),
) -> Log:
    """Return a legal game of any size, played to the end or (unless ``whole``) for some events."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    order = draw(st.sampled_from(orders))
    game = Game(draw(st.integers(2, 5)), order)
    cards_played = draw(deck if deck is not None else st.just(STANDARD_DECK) | decks)
    limit = None if whole else draw(st.none() | st.integers(0, 120))
    return play_on(game, rng, dealt(rng, cards_played), limit)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys: Sequence[Any] = (
        list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    return [place for key in keys for place in [(*path, key), *_places(value[key], (*path, key))]]


@st.composite
def damaged(draw: st.DrawFn, document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with one to three values replaced, left out, doubled, swapped or slightly changed."""
    result = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        places = _places(result)
        if not places:
            break
        *path, key = draw(st.sampled_from(places))
        parent: Any = result
        for step in path:
            parent = parent[step]
        value = parent[key]
        match draw(st.sampled_from(("replace", "leave out", "double", "swap", "edit"))):
            case "leave out":
                del parent[key]
            case "double" if isinstance(parent, list):
                parent.insert(key, copy.deepcopy(value))
            case "swap" if isinstance(parent, list):
                parent[key], parent[-1] = parent[-1], value
            case "edit" if isinstance(value, str) and value:
                at = draw(st.integers(0, len(value) - 1))
                parent[key] = value[:at] + draw(st.sampled_from("0123456789V?*()[]|:- fx\ud800")) + value[at + 1 :]
            case "edit" if isinstance(value, int):
                parent[key] = value + draw(st.sampled_from((-1, 1, 10**30)))
            case _:
                parent[key] = draw(json_values)
    return result

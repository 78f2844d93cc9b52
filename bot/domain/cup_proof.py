"""The file from which anybody can repeat every draw of a finished cup (R9.8). Its keys: docs/fairness.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import Any

from bot.domain.cup import MOST_ENTRANTS, CupView, Status
from bot.domain.cup_draw import LEAGUE_LEGS, Contest, Format, draw_leg, list_winners
from bot.domain.cup_leg import Leg, Played, Reason, decide_group
from highscore.cards import Card
from highscore.deck import ROUNDS, Deck
from highscore.errors import HighScoreError
from highscore.fairness import VERSION, Source, hash_words
from highscore.odds.facts import compute_par
from highscore.proof import MAX_NAME, ExportError, ProofError, read_document

FORMAT = "highscore-cup-1"
HIGHEST = 10_000
"""A bound above all results that a deck can give."""


@dataclass(frozen=True, slots=True)
class CupProof:
    """A finished cup whose draws were checked."""

    contest: Contest
    """The cup, whose entrants are counted without gaps."""
    names: tuple[str, ...]
    """The entrants in the order of entering, as they were shown; empty once their data is deleted."""
    ids: tuple[str | None, ...]
    """Their user ids, None once their data is deleted."""
    name: str
    deck: Deck
    gone: tuple[tuple[int, ...], ...]
    """The entrants who had left before the draw of each leg, as far as they were not out."""
    left: tuple[int, ...]
    """Those who had left at the end."""
    ended: bool
    """True if it ended early, without a winner."""
    legs: tuple[Leg, ...]
    winners: tuple[int, ...]

    @property
    def lots(self) -> int:
        """The number of groups that were decided by lot."""
        groups = [(group, leg) for leg in self.legs for group in leg.groups]
        return sum(decide_group(group, leg).why is Reason.LOT for group, leg in groups) if self._knockout else 0

    @property
    def _knockout(self) -> bool:
        return self.contest.format is Format.KNOCKOUT


def record_cup(view: CupView) -> CupProof:
    """Return a finished cup as it is stored, not checked. Its entrants are counted without those in no draw."""
    cup, at = view.cup, {number: place for place, number in enumerate(view.cup.drawn)}

    def places(numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(at[number] for number in numbers if number in at))

    legs, gone = list[Leg](), list[tuple[int, ...]]()
    for leg in view.closed:
        groups = tuple(replace(group, entrants=tuple(map(at.__getitem__, group.entrants))) for group in leg.groups)
        played = {at[number]: each for number, each in sorted(leg.played.items())}
        legs.append(Leg(groups, places(leg.byes), played, places(leg.left), leg.par))
        drawn = {*leg.byes, *(number for group in leg.groups for number in group.entrants)}
        gone.append(places({*leg.left} - drawn))
    entrants = [cup.entrants[number] for number in at]
    return CupProof(
        contest=replace(cup.contest, entrants=tuple(at.values())),
        names=tuple(each.name for each in entrants),
        ids=tuple(None if each.user_id is None else str(each.user_id) for each in entrants),
        name=cup.name,
        deck=cup.deck,
        gone=tuple(gone),
        left=places(cup.gone),
        ended=cup.status is Status.ENDED,
        legs=tuple(legs),
        winners=places(view.winners),
    )


def format_cup(cup: CupProof) -> str:
    """Return the file of a cup as text (JSON, UTF-8)."""
    return json.dumps(_encode_cup(cup), indent=1, ensure_ascii=False)


def _encode_cup(cup: CupProof) -> Mapping[str, Any]:
    contest = cup.contest
    entrants = [{"id": own, "name": name} for own, name in zip(cup.ids, cup.names, strict=True)]
    return {
        "format": FORMAT,
        "fairness": VERSION,
        "cup": contest.id,
        "name": cup.name,
        "kind": contest.format.value,
        "length": contest.length if contest.format is Format.LEAGUE else None,
        "seal": contest.source.seal,
        "seed": contest.seed.hex(),
        "entrants": entrants,
        "digest": contest.digest,
        "opening": str(contest.opening),
        "deck": {"name": cup.deck.name, "cards": [str(card) for card in cup.deck]},
        "legs": [_encode_leg(cup, leg, gone) for leg, gone in zip(cup.legs, cup.gone, strict=True)],
        "left": list(cup.left),
        "ended": cup.ended,
        "winners": list(cup.winners),
    }


def _encode_leg(cup: CupProof, leg: Leg, gone: Sequence[int]) -> Mapping[str, Any]:
    knockout = cup.contest.format is Format.KNOCKOUT
    return {
        "left_before": list(gone),
        "groups": [
            {
                "game": group.id,
                "seal": group.source.seal,
                "entrants": list(group.entrants),
                **({"go_on": list(decide_group(group, leg).on)} if knockout else {}),
            }
            for group in leg.groups
        ],
        "byes": list(leg.byes),
        "cards": [card.id for card in leg.groups[0].source.draw_cards(cup.deck)],
        "par": leg.par,
        "left": list(leg.left),
        "results": {str(entrant): list(played.results) for entrant, played in leg.played.items()},
    }


def verify_cup(text: str | bytes) -> CupProof:
    """Repeat every draw of a file. Raises ExportError for another or a damaged file.

    Raises ProofError naming the first thing that does not follow from the seed, the entrants, and the opening.
    """
    document = read_document(text)
    if document.get("format") != FORMAT or document.get("fairness") != VERSION:
        raise ExportError(f'the file is no exported cup; its "format" has to be "{FORMAT}", its "fairness" "{VERSION}"')
    try:
        cup = _read_cup(document)
    except ExportError:
        raise
    except (HighScoreError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ExportError(f"the exported cup is damaged: {str(error)[:200]}") from None
    if None not in cup.ids and hash_words(list(filter(None, cup.ids))) != cup.contest.digest:
        raise ProofError("The user IDs of the entrants do not have the digest: they are not those who had entered.")
    cup = _draw_again(cup, document)
    for path, right, told in _differences(_encode_cup(cup), document, "the file"):
        raise ProofError(f"{path}: the draws give {json.dumps(right)[:200]}, the file has {json.dumps(told)[:200]}")
    return cup


def _draw_again(cup: CupProof, document: Mapping[str, Any]) -> CupProof:
    """Return a cup whose groups and winners are drawn, with what its file says of results and of those who left."""
    legs = list[Leg]()
    for number, (told, gone) in enumerate(zip(document["legs"], cup.gone, strict=True), 1):
        if (draw := draw_leg(cup.contest, legs, gone)) is None:
            raise ProofError(f"Leg {number}: the cup was over before it.")
        groups = tuple(cup.contest.make_group(number, at, group) for at, group in enumerate(draw.groups))
        played = {int(one): Played(tuple(results)) for one, results in told["results"].items()}
        legs.append(Leg(groups, draw.byes, played, tuple(told["left"]), told["par"]))
        if not isclose(told["par"], compute_par(groups[0].source.draw_cards(cup.deck)), abs_tol=1e-6):
            raise ProofError(f"Leg {number}: the par is not that of its cards.")
    if cup.ended:
        return replace(cup, legs=tuple(legs), winners=())
    if draw_leg(cup.contest, legs, cup.left) is not None:
        raise ProofError("The cup is not over; its legs stop in the middle.")
    return replace(cup, legs=tuple(legs), winners=list_winners(cup.contest, legs, cup.left))


def _differences(right: Any, told: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield where two documents differ, with the values. Keys that only ``told`` has mean nothing."""
    if isinstance(right, Mapping) and isinstance(told, dict):
        for key, value in right.items():
            yield from _differences(value, told.get(key), f"{path}, {key}")
    elif isinstance(right, list) and isinstance(told, list) and len(right) == len(told):
        for at, (one, other) in enumerate(zip(right, told, strict=True)):
            yield from _differences(one, other, f"{path}, {at}")
    elif type(right) is not type(told) or right != told:
        yield path, right, told


def _read_cup(document: Mapping[str, Any]) -> CupProof:
    """Read what the draws follow from. Raises one of several errors for a damaged file."""
    form, entrants, deck = Format(document["kind"]), document["entrants"], document["deck"]
    ids, names = [each["id"] for each in entrants], [each["name"] for each in entrants]
    seed = bytes.fromhex(document["seed"])
    Source(seed, document["cup"])  # raises ValueError for a seed of another size
    for text in (document["cup"], document["name"], document["digest"], deck["name"], *names, *filter(None, ids)):
        if not isinstance(text, str) or len(text) > MAX_NAME:
            raise ExportError(f"{str(text)[:20]!r} has to be a text of at most {MAX_NAME} characters")
        text.encode()
    if len(entrants) not in range(2, MOST_ENTRANTS[-1] + 1):
        raise ExportError(f"a cup has 2 to {MOST_ENTRANTS[-1]} entrants")
    length = document["length"] if form is Format.LEAGUE else LEAGUE_LEGS[0]
    if type(length) is not int or length not in LEAGUE_LEGS or len(document["legs"]) > LEAGUE_LEGS[-1]:
        raise ExportError("the number of legs is not one that a cup can have")
    digest, opening = document["digest"], int(document["opening"])
    if bytes.fromhex(digest).hex() != digest or len(digest) != 64 or not 0 < opening < 2**63:
        raise ExportError('"digest" has to be 64 hexadecimal digits, "opening" the id of a message')
    contest = Contest(document["cup"], form, tuple(range(len(entrants))), seed, digest, opening, length)
    for leg in document["legs"]:
        _check_numbers([*leg["left_before"], *leg["left"], *map(int, leg["results"])], len(entrants))
        for results in leg["results"].values():
            _check_numbers([result + HIGHEST for result in results], 2 * HIGHEST)
            if len(results) > ROUNDS:
                raise ExportError(f"a leg has {ROUNDS} cards")
        if type(leg["par"]) is not float:
            raise ExportError("a par is a number with a fraction")
    _check_numbers(document["left"], len(entrants))
    return CupProof(
        contest=contest,
        names=tuple(names),
        ids=tuple(ids),
        name=document["name"],
        deck=Deck(deck["name"], tuple(Card.parse(line) for line in deck["cards"])),
        gone=tuple(tuple(leg["left_before"]) for leg in document["legs"]),
        left=tuple(document["left"]),
        ended=document["ended"] is True,
        legs=(),
        winners=(),
    )


def _check_numbers(numbers: Sequence[Any], end: int) -> None:
    if not all(type(number) is int and 0 <= number < end for number in numbers):
        raise ExportError("the exported cup is damaged: a number in it is out of its range")

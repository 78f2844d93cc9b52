"""The file from which anybody can repeat every draw of a finished cup (R9.8). docs/fairness.md explains its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isclose
from typing import Any

from bot.domain.cup import MOST_ENTRANTS, CupView, Entrant, Status
from bot.domain.cup_leg import (
    Contest,
    Format,
    Leg,
    Played,
    Reason,
    decide_group,
    draw_leg,
    list_winners,
    lock_cup,
    lock_entrants,
)
from highscore.deck import ROUNDS, Deck
from highscore.errors import HighScoreError
from highscore.fairness import EARLIER, VERSION
from highscore.odds.facts import compute_par
from highscore.proof import (
    ExportError,
    ProofError,
    check_lock,
    read_deck,
    read_document,
    read_opening,
    read_seed,
    read_text,
)

FORMAT = "highscore-cup-1"
_ENTRANTS_LOCK = {VERSION: "entrants_lock", EARLIER: "digest"}


@dataclass(frozen=True, slots=True)
class CupProof:
    """A finished cup: as it is stored, or with its draws repeated."""

    contest: Contest
    name: str
    deck: Deck
    entrants: tuple[Entrant, ...]
    legs: tuple[Leg, ...]
    ended: bool
    """True if the cup ended early, without a winner."""

    @property
    def ids(self) -> list[str]:
        """The user ids of the drawn entrants. Entrants whose data was deleted have none."""
        ids = (self.entrants[number].user_id for number in self.contest.entrants)
        return [str(user_id) for user_id in ids if user_id is not None]

    @property
    def lock(self) -> str:
        """The code that was shown at sign-up: the lock, or in an earlier version's cup the seal."""
        return lock_cup(self.contest.source, self.contest.format, self.contest.length, self.deck)

    @property
    def lots(self) -> int:
        """The number of groups that were decided by lot."""
        knockout = self.contest.format is Format.KNOCKOUT
        groups = [(group, leg) for leg in self.legs for group in leg.groups if knockout]
        return sum(decide_group(group, leg).reason is Reason.LOT for group, leg in groups)


def record_cup(view: CupView) -> CupProof:
    """Return a finished cup as it is stored, without checking its draws."""
    cup = view.cup
    return CupProof(cup.contest, cup.name, cup.deck, cup.entrants, view.closed, cup.status is Status.ENDED)


def format_cup(cup: CupProof) -> str:
    """Return the file of a cup as text (JSON, UTF-8)."""
    return json.dumps(_encode_cup(cup), indent=1, ensure_ascii=False)


def _encode_cup(cup: CupProof) -> Mapping[str, Any]:
    contest, version = cup.contest, cup.contest.source.version
    return {
        "format": FORMAT,
        "fairness": version,
        "cup": contest.id,
        "name": cup.name,
        "kind": contest.format.value,
        "length": contest.length,
        "seal": contest.source.seal,
        "seed": contest.seed.hex(),
        "entrants": [_encode_entrant(each) for each in cup.entrants],
        **({} if version == EARLIER else {"lock": cup.lock}),
        _ENTRANTS_LOCK[version]: contest.entrants_lock,
        "opening": str(contest.opening),
        "deck": {"name": cup.deck.name, "cards": [str(card) for card in cup.deck]},
        "legs": [_encode_leg(cup, leg) for leg in cup.legs],
        "ended": cup.ended,
        "winners": [number for number, each in enumerate(cup.entrants) if each.won],
    }


def _encode_entrant(one: Entrant) -> Mapping[str, Any] | None:
    """Return an entrant for the file. None for a person who withdrew before the entries were closed."""
    user_id = None if one.user_id is None else str(one.user_id)
    return None if one.left == 0 else {"id": user_id, "name": one.name, "left": one.left}


def _encode_leg(cup: CupProof, leg: Leg) -> Mapping[str, Any]:
    knockout = cup.contest.format is Format.KNOCKOUT
    return {
        "groups": [
            {
                "game": group.id,
                "seal": group.source.seal,
                "entrants": list(group.entrants),
                "go_on": list(decide_group(group, leg).advancing) if knockout else None,
            }
            for group in leg.groups
        ],
        "byes": list(leg.byes),
        "cards": [card.id for card in leg.groups[0].source.draw_cards(cup.deck)],
        "par": leg.par,
        "results": {str(entrant): list(played.results) for entrant, played in sorted(leg.played.items())},
    }


def verify_cup(text: str | bytes) -> CupProof:
    """Check the file of a finished cup by repeating every draw. Raises ExportError if it is another or a damaged file.

    Raises ProofError if the file differs from the one that ``format_cup`` writes after the repeated draws. The error
    names the first difference.
    """
    document = read_document(text)
    if document.get("format") != FORMAT or document.get("fairness") not in (VERSION, EARLIER):
        fairness = f'"{VERSION}" or "{EARLIER}"'
        raise ExportError(f'the file is no exported cup; its "format" has to be "{FORMAT}", its "fairness" {fairness}')
    try:
        cup = _draw_again(document)
    except ProofError:
        raise
    except (HighScoreError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ExportError(f"the exported cup is damaged: {str(error)[:200]}") from None
    if len(cup.ids) == len(cup.contest.entrants) and lock_entrants(cup.lock, cup.ids) != cup.contest.entrants_lock:
        raise ProofError("The entrants' user IDs don't match the lock: these are not the people who entered.")
    for path, drawn, stated in _differences(_encode_cup(cup), document, "the file"):
        raise ProofError(f"{path}: the draws give {json.dumps(drawn)[:200]}, the file has {json.dumps(stated)[:200]}")
    return cup


def _draw_again(document: Mapping[str, Any]) -> CupProof:
    """Return the cup of a file, with its groups and winners drawn again. Raises various errors for a damaged file."""
    entrants = tuple(map(_read_entrant, document["entrants"]))
    drawn = tuple(number for number, each in enumerate(entrants) if each.left != 0)
    left = {number: each.left for number, each in enumerate(entrants) if each.left is not None}
    seed, opening, deck = read_seed(document), read_opening(document), read_deck(document)
    if seed is None or opening is None or len(drawn) > MOST_ENTRANTS[-1]:
        raise ExportError(f"a finished cup has a seed, an opening, and {MOST_ENTRANTS[-1]} entrants at most")
    cup_id, form = read_text(document, "cup"), Format(document["kind"])
    key = _ENTRANTS_LOCK[document["fairness"]]
    lock = check_lock(key, read_text(document, key), document["fairness"])
    contest = Contest(cup_id, form, drawn, seed, lock, opening, int(document["length"]))
    legs = list[Leg]()
    for number, stated in enumerate(document["legs"], 1):
        gone = {one for one, leg in left.items() if leg <= number}
        in_draw = {*stated["byes"], *(one for group in stated["groups"] for one in group["entrants"])}
        if (draw := draw_leg(contest, legs, gone - in_draw)) is None:
            raise ProofError(f"Leg {number}: the cup was over before it.")
        groups = tuple(contest.make_group(number, at, group) for at, group in enumerate(draw.groups))
        played = {int(one): Played(tuple(map(int, results[:ROUNDS]))) for one, results in stated["results"].items()}
        legs.append(Leg(groups, draw.byes, played, gone, stated["par"]))
        if not isclose(stated["par"], compute_par(groups[0].source.draw_cards(deck)), abs_tol=1e-6):
            raise ProofError(f"Leg {number}: the par is not that of its cards.")
    if not document["ended"] and draw_leg(contest, legs, left) is not None:
        raise ProofError("The cup is not over yet: legs are missing at its end.")
    won = () if document["ended"] else list_winners(contest, legs, left)
    entrants = tuple(replace(each, won=number in won) for number, each in enumerate(entrants))
    return CupProof(contest, read_text(document, "name"), deck, entrants, tuple(legs), bool(document["ended"]))


def _read_entrant(stated: Mapping[str, Any] | None) -> Entrant:
    if stated is None:
        return Entrant(None, "", left=0)
    return Entrant(None if stated["id"] is None else int(stated["id"]), read_text(stated, "name"), stated["left"])


def _differences(drawn: Any, stated: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield each path at which two documents differ, and both values. Keys that only ``stated`` has are ignored."""
    if isinstance(drawn, Mapping) and isinstance(stated, dict):
        for key, value in drawn.items():
            yield from _differences(value, stated.get(key), f"{path}, {key}")
    elif isinstance(drawn, list) and isinstance(stated, list) and len(drawn) == len(stated):
        for at, (one, other) in enumerate(zip(drawn, stated, strict=True)):
            yield from _differences(one, other, f"{path}, {at}")
    elif type(drawn) is not type(stated) or drawn != stated:
        yield path, drawn, stated

"""Exported daily challenges, and the check that their cards follow from the date and their dice from the sealed seed.

An export holds one person's play, or none: the others' decisions are their own business.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from highscore.daily import DailyPlay, apply, cards_of, expected, next_chance
from highscore.deck import ROUNDS, Deck
from highscore.errors import HighScoreError
from highscore.fairness import VERSION, Source
from highscore.game import Event
from highscore.notation import format_event, parse_event
from highscore.proof import (
    MAX_NAME,
    ExportError,
    ProofError,
    check_fairness,
    counted,
    deck_json,
    deck_of,
    deck_words,
    follow,
    lines_of,
    read_document,
    seed_of,
    text_of,
)

FORMAT = "highscore-daily-1"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class DailyExport:
    """An exported daily challenge."""

    daily: str
    """Its public id, which is sealed together with the seed."""
    day: str
    """The date, like 2026-01-31."""
    seal: str
    seed: bytes | None = field(repr=False)
    """None while the day lasts."""
    deck: Deck
    name: str = ""
    """Who played, as they were shown; empty where the export holds no play."""
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        if _DAY.fullmatch(self.day) is None:
            raise ExportError(f'"day" is {self.day[:20]!r}; a date is written like 2026-01-31')
        for text in (self.daily, self.seal, self.name):
            if len(text) > MAX_NAME:
                raise ExportError(f"{text[:20]!r}... is too long for an export; {MAX_NAME} characters are read back")


@dataclass(frozen=True, slots=True)
class DailyProof:
    """What a successful check looked at."""

    export: DailyExport
    state: DailyPlay
    rolls: int
    dice: int
    decisions: int

    def lines(self) -> tuple[str, ...]:
        """The checks in words, one a line."""
        export, played = self.export, self.state.finished
        par = sum(expected(cards_of(export.day, export.deck)))
        checked = [
            f"The seed matches the seal {export.seal}. Compare it with the one that was shown at the start.",
            f"The {ROUNDS} cards follow from the date {export.day} and {deck_words(export.deck)}. Par is {par:.1f}.",
        ]
        if export.events:
            end = "" if self.state.complete else f", and {len(played)} of {ROUNDS} cards were finished"
            checked += [
                f"{self.rolls} rolls with {self.dice} dice follow from the seed.",
                f"{self.decisions} decisions were legal{end}. {export.name} has {self.state.score} points.",
            ]
        return tuple(checked)


def is_daily(text: str | bytes) -> bool:
    """Whether a document is an exported daily challenge. Raises ExportError for what is no document at all."""
    return read_document(text).get("format") == FORMAT


def daily_export_json(export: DailyExport) -> str:
    """The document as text (JSON, UTF-8), readable by people: one event a line."""
    return json.dumps(
        {
            "format": FORMAT,
            "fairness": VERSION,
            "daily": export.daily,
            "day": export.day,
            "seal": export.seal,
            "seed": None if export.seed is None else export.seed.hex(),
            "deck": deck_json(export.deck),
            "player": export.name,
            "events": [format_event(event) for event in export.events],
        },
        indent=1,
        ensure_ascii=False,
    )


def read_daily_export(text: str | bytes) -> DailyExport:
    """Read an exported daily challenge. Raises ExportError for anything else, however damaged."""
    document = read_document(text)
    if document.get("format") != FORMAT:
        raise ExportError(f'the file is no exported daily challenge; its "format" has to be "{FORMAT}"')
    check_fairness(document)
    try:
        return DailyExport(
            daily=text_of(document, "daily"),
            day=text_of(document, "day"),
            seal=text_of(document, "seal"),
            seed=seed_of(document),
            deck=deck_of(document),
            name=text_of(document, "player"),
            events=tuple(parse_event(line) for line in lines_of(document, "events")),
        )
    except HighScoreError as error:
        raise ExportError(f"the exported daily challenge is damaged: {error}") from None


def verify_daily(export: DailyExport) -> DailyProof:
    """Check that the cards follow from the date, the dice from the sealed seed, and that every decision was legal.

    A play that was not finished in time is checked as far as it goes. Raises ProofError naming the first thing that
    does not fit.
    """
    if export.seed is None:
        raise ProofError("The seed is not revealed yet; a daily challenge can be checked when its day is over.")
    source = Source(export.seed, export.daily)
    if source.seal != export.seal:
        raise ProofError("The seed does not match the seal: it is not the one that was sealed when the day began.")
    cards = cards_of(export.day, export.deck)

    def step(before: DailyPlay, event: Event) -> DailyPlay:
        due = next_chance(before, source, cards)
        if due is not None and event != due:
            raise ProofError(f"the date and the seed give {format_event(due)!r}, not {format_event(event)!r}")
        return apply(before, event)

    play = follow(DailyPlay(), export.events, step)
    if export.events and (missing := next_chance(play, source, cards)) is not None:
        raise ProofError(f"The events stop where {format_event(missing)!r} has to follow.")
    return DailyProof(export, play, *counted(export.events))

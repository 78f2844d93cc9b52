"""The metrics and the values of their labels. docs/operating.md has their names and meanings.

Every bot has its own registry, because tests and restarts in the playground make several bots in one process.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from enum import Enum

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from highscore import __version__
from highscore.events import Decided, Decision, Event, TakeDice
from highscore.turn import Roll, SetAside, Stop

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""The upper ends of the histograms' buckets. Discord waits 3 s for an answer; a move takes 5 ms on an idle machine."""


class InteractionKind(Enum):
    BUTTON = "button"
    COMMAND = "command"
    MODAL = "modal"
    AUTOCOMPLETE = "autocomplete"


class InteractionResult(Enum):
    DONE = "done"
    STALE = "stale"
    """The button was of an earlier version of the table or challenge."""
    REFUSED = "refused"
    """The rules or the server's settings do not allow it now, or the bot lacks a permission."""
    UNANSWERED = "unanswered"
    """Discord did not accept the answer. A committed change stays."""
    FAILED = "failed"
    """There was an error in the program, or the database or Discord was out of order."""
    STOPPING = "stopping"
    """The interaction arrived while the bot was stopping."""


class Where(Enum):
    """What a failed request to Discord was for."""

    ANSWER = "answer"
    TABLE = "table"
    REMINDER = "reminder"
    POST = "post"


StatusAndCode = Callable[[BaseException], tuple[str, str] | None]
"""Returns the labels of a failed request to Discord, or None if the error is not counted."""
DECISIONS: Mapping[type[Decision], str] = {TakeDice: "take", Roll: "roll", SetAside: "set_aside", Stop: "stop"}


class Metrics:
    def __init__(self, status_and_code: StatusAndCode = lambda _error: None) -> None:
        self._status_and_code = status_and_code
        self.registry = registry = CollectorRegistry()

        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"highscore_{name}", meaning, labels, registry=registry)

        def histogram(name: str, meaning: str, *labels: str) -> Histogram:
            return Histogram(f"highscore_{name}", meaning, labels, registry=registry, buckets=SECONDS)

        self.moves = counter("moves", "Decisions that were committed", "game", "decision", "by")
        self.interactions = counter("interactions", "Presses and commands, by how they ended", "asked", "outcome")
        self.slowed = counter(
            "slowed_down", "Presses and commands that were left out because somebody sent too many", "asked"
        )
        self.in_flight = Gauge(
            "highscore_interactions_in_flight", "Presses and commands being worked on", registry=registry
        )
        self.to_commit = histogram(
            "click_to_commit_seconds", "From the arrival of a click until what it changed was committed"
        )
        self.to_answer = histogram(
            "click_to_answer_seconds", "From the arrival of a click until Discord had accepted the answer", "asked"
        )
        self.errors = counter(
            "discord_errors", "Failed calls to Discord, after all tries of the library", "where", "status", "code"
        )
        self.requests = counter("discord_requests", "HTTP requests to Discord, by the status of the answer", "status")
        self.disconnects = counter("gateway_disconnects", "Lost connections to the gateway")
        build = Gauge("highscore_build_info", "The version that is running", ["version"], registry=registry)
        build.labels(__version__).set(1)
        ProcessCollector(registry=registry)
        # Labels under which nothing has been counted yet are scraped as 0, not missing.
        for asked in InteractionKind:
            self.slowed.labels(asked.value)
            self.to_answer.labels(asked.value)
            for outcome in InteractionResult:
                self.interactions.labels(asked.value, outcome.value)
        for decision in DECISIONS.values():
            for game, by in (("table", "player"), ("table", "house"), ("challenge", "player")):
                self.moves.labels(game, decision, by)

    def count_moves(self, events: Iterable[Event], house_seats: Container[int] = ()) -> None:
        """Count committed decisions. Decisions that the house made for people count as the house's."""
        for event in events:
            if isinstance(event, Decided):
                by = "house" if event.by_house or event.seat in house_seats else "player"
                self.moves.labels("table", DECISIONS[type(event.decision)], by).inc()

    def count_decision(self, decision: Decision) -> None:
        self.moves.labels("challenge", DECISIONS[type(decision)], "player").inc()

    def count_failure(self, where: Where, error: BaseException) -> None:
        """Count a failed request to Discord. Other errors are not counted."""
        if (labels := self._status_and_code(error)) is not None:
            self.errors.labels(where.value, *labels).inc()

"""What challenges of every kind have in common, and the attempts at them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select

from bot.domain.challenge import Attempt, Challenge, Kind, compute_medians
from bot.store import rows as mapping
from bot.store.models import attempts, challenges
from highscore.game import replay_events
from highscore.turn_order import TurnOrder


def add_challenge(connection: Connection, challenge: Challenge, now: datetime) -> None:
    """Store the row that challenges of every kind have."""
    row = {name: value for name, value in mapping.to_row(challenge).items() if name in challenges.c}
    documents = {"deck": mapping.deck_to_text(challenge.deck), "averages": mapping.AVERAGES.write(challenge.averages)}
    connection.execute(insert(challenges).values({**row, **documents, "created_at": now}))


def make_challenge(kind: Callable[..., Kind], row: RowMapping, **values: Any) -> Kind:
    """Return a challenge from a row with the columns of ``challenges``. ``values`` replace columns."""
    documents = {"deck": mapping.deck_from_text(row["deck"]), "averages": mapping.AVERAGES.read(row["averages"])}
    return mapping.from_row(kind, row, **documents, **values)


def load_attempt(connection: Connection, challenge: Kind, user_id: int) -> Attempt[Kind] | None:
    mine = attempts.c.challenge_id == challenge.id, attempts.c.user_id == user_id
    row = connection.execute(select(attempts).where(*mine)).mappings().one_or_none()
    return None if row is None else read_attempt(row, challenge)


def read_attempt(row: RowMapping, challenge: Kind) -> Attempt[Kind]:
    events = tuple(mapping.events_from_lines([row["events"]]))
    game = replay_events(1, TurnOrder.OWN_PACE, events)
    medians = mapping.AVERAGES.read(row["medians"])
    return mapping.from_row(Attempt, row, challenge=challenge, events=events, game=game, medians=medians)


def save_attempt(connection: Connection, attempt: Attempt[Challenge], now: datetime) -> None:
    row = {name: value for name, value in mapping.to_row(attempt).items() if name in attempts.c}
    changed = {
        "challenge_id": attempt.challenge.id,
        "step": attempt.step,
        "events": mapping.events_to_lines(attempt.events),
        "score": attempt.run.total if attempt.finished_at else None,
        "results": mapping.NUMBERS.write(attempt.results) if attempt.finished_at else None,
        "medians": mapping.AVERAGES.write(attempt.medians),
        # Saving makes the post pending again. After the end of an attempt, only two changes save it: *Share*, which
        # wants a post, and ``unshare_attempt``, which clears ``shared_at``.
        "post_at": attempt.shared_at,
        "post_until": None,
        "updated_at": now,
    }
    connection.execute(mapping.insert_or_replace(connection, attempts), {**row, **changed})


def find_medians(connection: Connection, challenge_id: str, results: Sequence[int]) -> tuple[float, ...]:
    """Return the median result of each card, over the attempts that were finished in time and one with ``results``,
    which is just being finished.
    """
    in_time = attempts.c.challenge_id == challenge_id, attempts.c.ranked, attempts.c.results.is_not(None)
    stored = connection.scalars(select(attempts.c.results).where(*in_time))
    return compute_medians([results, *map(mapping.NUMBERS.read, stored)])

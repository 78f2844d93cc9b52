"""The whole service, whatever people and time do, in whatever order.

A state machine of Hypothesis makes up what happens on two servers: people sit at several tables and press buttons, out
of turn, late or twice; time passes, the bot restarts, and two processes take turns. After every step everything that is
stored is checked (tests/faults/model): only what was asked for has changed, the logs lead to the states, and what was
refused, or delivered a second time, has changed nothing. What a use case decides is tested in tests/bot/services.

Large: 2,000 runs of 100 steps.
"""

import logging

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.stateful import run_state_machine_as_test

from bot.config import Settings
from tests.bot.databases import SQLITE
from tests.faults.model.playing import Playing
from tests.faults.model.service import serving
from tests.sampling import LARGE

RUNS, STEPS = (2_000, 100) if LARGE else (16, 40)


@pytest.mark.parametrize("most", [4, pytest.param(RUNS, marks=pytest.mark.long)])
def test_whatever_happens_what_is_stored_fits_together(
    settings: Settings, error_log: list[logging.LogRecord], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    with serving(settings, error_log) as service:
        run_state_machine_as_test(
            lambda: Playing(service, monkeypatch),  # type: ignore[arg-type]
            settings=hypothesis.settings(
                max_examples=most if service.kind == SQLITE else max(most // 10, 3),
                stateful_step_count=STEPS,
                deadline=None,
                report_multiple_bugs=False,
                suppress_health_check=list(HealthCheck),
            ),
        )

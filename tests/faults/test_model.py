"""The whole service against a plain model of what it stores: whatever people and time do, in whatever order.

A state machine of Hypothesis makes up what happens: several servers and channels, people who sit at several tables,
presses that are right, late, double or somebody else's, clocks, restarts, deletions; two processes take turns. After
every step all that is stored is looked at (tests/faults/model): what was asked for has come of it and nothing else, the
logs lead to the states, and what was refused, or delivered a second time, has changed nothing. What is decided at a
table is a pure function of it, with tests in tests/bot/services and tests/bot/domain.

Large: 2,000 runs of 100 steps, about a quarter of an hour where the temporary folder (TMPDIR) is in memory.
"""

import logging
import os
import time

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.stateful import run_state_machine_as_test

from bot.config import Settings
from tests.bot.databases import SQLITE
from tests.faults.model.living import Living
from tests.faults.model.machine import TOLD
from tests.faults.model.service import Service

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
RUNS, STEPS = (2_000, 100) if LARGE else (16, 40)


@pytest.mark.parametrize("most", [4, pytest.param(RUNS, marks=pytest.mark.long)])
def test_the_service_does_what_a_plain_model_says(
    settings: Settings, error_log: list[logging.LogRecord], most: int
) -> None:
    TOLD.clear()
    with Service(settings, error_log) as service:
        runs = most if service.kind == SQLITE else max(most // 10, 3)
        began = time.perf_counter()
        run_state_machine_as_test(
            lambda: Living(service),  # type: ignore[arg-type]
            settings=hypothesis.settings(
                max_examples=runs,
                stateful_step_count=STEPS,
                deadline=None,
                report_multiple_bugs=False,
                suppress_health_check=list(HealthCheck),
            ),
        )
    took = time.perf_counter() - began
    told = ", ".join(f"{what} {times}" for what, times in sorted(TOLD.items()))
    print(f"{took:.0f} s, {took / TOLD['steps'] * 1000:.1f} ms a step: {told}")
    assert TOLD["runs"] >= runs
    if runs >= 1_000:
        assert TOLD["finished"] > runs / 4, "too few games are played to their end"

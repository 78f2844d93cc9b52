"""A simcord environment that tolerates a busy bot, and a language for every user."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import simcord.interactions
from simcord import Env
from simcord._settlement import _is_parked, _owned_tasks
from simcord.backend import Backend
from simcord.backend.models import Interaction

from playground.simulated.backend import WatchedBackend

log = logging.getLogger(__name__)

DEFAULT_LOCALE = "en-US"

#: The seconds between two checks whether the bot is idle. With simcord's 50 ms every click would take that long.
_CHECK_EVERY = 0.001

_SUBCOMMANDS = (1, 2)


class PatientEnv(Env):
    """An environment that waits a limited time for the bot and then lets it continue.

    In a test, a bot that is still busy after that time is an error. In the playground it may be drawing a picture,
    waiting for its database, or sleeping between two moves of a house player. The page shows the result later, like any
    other change.
    """

    _is_reported = False

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - simcord's signature
        idle: float = _CHECK_EVERY,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        del timeout, idle
        try:
            await super()._settle_internal(idle=_CHECK_EVERY, dispatch=dispatch, _deadline=_deadline)
        except TimeoutError as error:
            # Visible only the first time: a task that never ends would be reported at every tick of the clock.
            level = logging.DEBUG if self._is_reported else logging.INFO
            self._is_reported = True
            self._ignore_busy_tasks()
            log.log(level, "The bot is still busy after %.1f s; not waiting for it: %s", self.settle_timeout, error)

    def _ignore_busy_tasks(self) -> None:
        """Never wait again for the tasks and threads that are busy now. Otherwise they would slow every click down.

        While simcord waits for a thread, its clock stands still, and so does the timer by which a bot acknowledges a
        slow interaction. Tasks that simcord knows to be waiting stay on its list, because it moves its clock to their
        timers.
        """
        assert self._loop is not None
        self._work.executors.clear()
        state, now = self._settlement_state(), self._loop.time()
        waits = self._work.external_waits
        for task in _owned_tasks(state):
            if getattr(task, "_fut_waiter", None) is not None and not _is_parked(state, task, now):
                waits[task] = "busy for longer than the playground waits"
                task.add_done_callback(lambda done: waits.pop(done, None))

    def forget_errors(self) -> None:
        """Remove the exceptions that simcord has collected. The bot has logged them, and they use memory."""
        self._errors.clear()
        self._error_ids.clear()


def _command_path(data: dict[str, Any]) -> str | None:
    """Return the full name of an invoked command, subcommands included."""
    name = data.get("name")
    if not isinstance(name, str):
        return None
    path = [name]
    options = data.get("options") or []
    while options and options[0].get("type") in _SUBCOMMANDS:
        path.append(str(options[0]["name"]))
        options = options[0].get("options") or []
    return " ".join(path)


@contextmanager
def patch_interactions() -> Iterator[None]:
    """Give every interaction the languages of its user and its server. simcord itself always says en-US.

    Also store the full name of a subcommand. Discord shows "used /game new" above an answer, and simcord "used /game".
    """
    original = simcord.interactions.base_payload

    def base_payload(backend: Backend, **given: Any) -> tuple[Interaction, dict[str, Any]]:
        record, payload = original(backend, **given)
        if isinstance(backend, WatchedBackend):
            payload["locale"] = backend.locales.get(record.user_id, DEFAULT_LOCALE)
            if record.guild_id is not None:
                payload["guild_locale"] = backend.get_guild(record.guild_id).preferred_locale
            if record.command_name is not None:
                record.command_name = _command_path(given["data"])
        return record, payload

    simcord.interactions.base_payload = base_payload
    try:
        yield
    finally:
        simcord.interactions.base_payload = original

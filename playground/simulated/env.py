"""simcord's environment, made patient; and a language for everybody."""

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

#: How often a busy bot is looked at. simcord's own 50 ms is what a click in the page would cost.
_LOOK_EVERY = 0.001

_SUBCOMMANDS = (1, 2)


class PatientEnv(Env):
    """An environment which waits for the bot for a moment, and then lets it go on by itself.

    To a test, a bot that is still busy after the time allowed is an error. Here it is a bot that draws a
    picture, waits for its database or sleeps between two moves of a house player: whatever it does later
    reaches the page as a change of the world like everything else.
    """

    _told = False

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - simcord's own signature
        idle: float = _LOOK_EVERY,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        del timeout, idle
        try:
            await super()._settle_internal(idle=_LOOK_EVERY, dispatch=dispatch, _deadline=_deadline)
        except TimeoutError as error:
            # Once with the whole story (a task nobody wakes would repeat it at every tick of the clock).
            level = logging.DEBUG if self._told else logging.INFO
            self._told = True
            self._let_go()
            log.log(level, "The bot is still busy after %.1f s; not waiting for it: %s", self.settle_timeout, error)

    def _let_go(self) -> None:
        """Never wait again for the tasks and threads that are busy now, or each would slow every click down.

        While simcord waits for a thread its clock stands still, and with it the timer by which a bot acknowledges
        what takes it long. Tasks parked in a way simcord knows of are left as they are: their timers depend on it.
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
        """Drop the exceptions simcord collected: the bot has logged them, and each holds its frames alive."""
        self._errors.clear()
        self._error_ids.clear()


def _command_path(data: dict[str, Any]) -> str | None:
    """Return the whole name of an invoked command, subcommands included."""
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
def spoken_languages() -> Iterator[None]:
    """Give every interaction its user's and its server's language: simcord knows en-US only.

    It also puts the whole path of a subcommand into the record, because Discord writes
    "used /game new" above an answer where simcord would write "used /game".
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

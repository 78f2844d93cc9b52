"""All uses of simcord beyond its public interface, in one place: the next version may move it."""

import asyncio
import contextvars
import pickle
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import pytest
import simcord._dpy_internals
import simcord._settlement
import simcord.actors
import simcord.backend.errors
import simcord.env
import simcord.http.client
import simcord.http.router
import simcord.interactions
from discord.app_commands import Group
from simcord import BackendError, ChannelHandle, Env, InteractionResult, MemberActor, UserHandle
from simcord.backend import Backend
from simcord.backend.serializers import message_payload, user_payload
from simcord.enums import AppCommandType, ComponentType, InteractionType

import bot.workers.worker
from tests.discord import contract

IDLE = 0.005
"""Seconds between two looks whether the bot is idle; it is also looked whenever a task ends.

simcord's own 50 ms would be most of the time of a test, and with a tenth of this, looking would be.
"""

Answer = TypeVar("Answer")

LOOK = 0.005
"""The least seconds between two looks of simcord's at a timer."""

LONG = 0.9
"""Virtual seconds for which only turning the clock waits."""

START_TIMEOUT = 5.0
"""Seconds that simcord gives a bot to start, whatever the environment's own timeout is."""
PATIENCE = 60.0
"""Seconds that the tests give it instead."""


SLEEP = "_set_result_unless_cancelled"
"""The function that asyncio has a timer call for ``sleep``."""

_payloads: dict[str, bytes] = {}
_translate = Group.get_translated_payload


async def translate_once(group: Group, tree: Any, translator: Any) -> dict[str, Any]:
    """Replace discord.py's ``Group.get_translated_payload``: all bots of a process have the same commands."""
    if group.name not in _payloads:
        _payloads[group.name] = pickle.dumps(await _translate(group, tree, translator))
    payload: dict[str, Any] = pickle.loads(_payloads[group.name])  # noqa: S301 - our own
    return payload


@contextmanager
def hurried() -> Iterator[None]:
    """Let every action inside return as soon as the bot is idle; a busy machine has time enough to start a bot.

    Timers of ``LONG`` and more go off by ``advance_time`` alone. simcord lets them go off by the machine's clock too,
    and waits for those that are nearer than ``settle_timeout``.

    Which timers wake a task is looked up, and tasks that such a timer wakes are left out. simcord asks every timer for
    every task several times an action, and every private message with a button has one of both.
    """
    settle: Any = Env._settle_internal
    schedule: Any = Env._schedule_timer
    register_commands: Any = Backend.register_commands
    waking: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()
    """By the futures that timers resolve, and by the tasks that they cancel."""

    def schedule_short(env: Env, record: Any, callback: Any, args: Any, context: Any) -> None:
        owner = getattr(callback, "__self__", None)
        for one in (*args, owner, getattr(owner, "_task", None)):
            if isinstance(one, asyncio.Future):
                waking.setdefault(one, []).append(record)
        if record.when - env._virtual_time < LONG:
            runtime: Any = env._runtime
            call_at = runtime.call_at
            runtime.call_at = partial(not_at_once, call_at)
            schedule(env, record, callback, args, context)
            runtime.call_at = call_at

    def not_at_once(call_at: Any, when: float, *args: Any, **options: Any) -> Any:
        """Wait a little before each look at a timer.

        simcord looks at one that is due in a microsecond every microsecond while it settles another one. Then a thread
        that computes hardly gets Python's lock, on a quiet machine of all places.
        """
        return call_at(max(when, simcord._dpy_internals.real_monotonic() + LOOK), *args, **options)

    def timers(state: Any, one: Any) -> list[Any]:
        return [
            record
            for record in waking.get(one, ())
            if record.handle is not None and not record.handle.cancelled() and record.when > state.virtual_time
        ]

    def timers_waking(state: Any, task: Any, waiter: Any) -> list[Any]:
        return [record for one in (waiter, task) if one is not None for record in timers(state, one)]

    def sleeps(state: Any, task: Any) -> bool:
        waiter = task._fut_waiter
        return (
            waiter is not None
            and not waiter.done()
            and any(record.label == SLEEP and record.real_handle is None for record in timers(state, waiter))
        )

    def awake(state: Any) -> list[Any]:
        return [task for task in state.work.tasks if not task.done() and not sleeps(state, task)]

    def register(backend: Any, guild_id: int | None, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Give the menus of users and messages older ids, so that the ids of people, on which dice depend, stay."""
        register_commands(backend, guild_id, payloads[:1])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(backend, "snowflake", partial(backend.snowflake_for_shard, 1, 1000))
            registered: list[dict[str, Any]] = register_commands(backend, guild_id, payloads)
            return registered

    async def patient(env: Env, *, timeout: float | None = None, **options: Any) -> None:  # noqa: ASYNC109 - simcord's
        options["idle"] = IDLE
        await settle(env, timeout=PATIENCE if timeout == START_TIMEOUT else timeout, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Env, "_settle_internal", patient)
        patch.setattr(Env, "_schedule_timer", schedule_short)
        patch.setattr(Backend, "register_commands", register)
        patch.setattr(simcord._settlement, "_timer_records_waking", timers_waking)
        patch.setattr(simcord.env, "_owned_tasks", awake)
        patch.setattr(simcord.backend.errors, "unknown_webhook", expired_token)
        # simcord turns the timers and the time of day together, so the clock need not look at the latter.
        patch.setattr(bot.workers.worker, "LONGEST_NAP", timedelta(days=10_000))
        yield


def within(env: Env, call: Callable[[], None]) -> Callable[[], None]:
    """Return a function that does the same as if the bot had called it: timers that it sets go by the virtual clock.

    A timer that a test sets goes by the machine's clock. If it looks at the virtual time, which stands still in the
    meantime, and waits for a microsecond more, it does so for ever.
    """
    bot_scope = env._context_for_scope(contextvars.copy_context(), (env, env._generation))
    return lambda: bot_scope.copy().run(call)


def expired_token() -> BackendError:
    """Answer as Discord does to the token of an interaction after its 15 minutes; simcord says 404, 10015."""
    return BackendError(401, 50027, "Invalid Webhook Token")


async def as_bot(env: Env, work: Awaitable[Answer]) -> Answer:
    """Do something with the bot's own clock, and wait for what follows from it."""
    with env._bot_scope():
        answer = await work
    await env.settle()
    return answer


@dataclass(frozen=True, slots=True)
class Click:
    """A press of a button that need not be there any more, or never was: its id is sent as it is."""

    member: MemberActor
    message_id: int
    custom_id: str


async def click(
    env: Env, channel: ChannelHandle, press: Click, *, carried: bool = True, values: Sequence[str] | None = None
) -> InteractionResult:
    """Press a button by its id alone: an old one, a forged one, one of a message that was deleted meanwhile.

    With ``values`` it is a select, in which these are picked.

    Discord hands the message over as the member saw it, with the button in it unless it is not ``carried``; discord.py
    ignores a press then.
    """
    stored = env.backend.messages[channel.id].get(press.message_id)
    seen: dict[str, Any] = (
        {"id": str(press.message_id), "channel_id": str(channel.id), **_EMPTY_MESSAGE}
        if stored is None
        else dict(message_payload(env.backend, stored))
    )
    look: dict[str, Any] = {"type": ComponentType.BUTTON, "style": 2, "label": "old"}
    data: dict[str, Any] = {"custom_id": press.custom_id, "component_type": ComponentType.BUTTON}
    if values is not None:
        look = {"type": ComponentType.STRING_SELECT, "options": []}
        data |= {"component_type": ComponentType.STRING_SELECT, "values": values}
    if carried and repr(press.custom_id) not in str(seen["components"]):
        item = {**look, "custom_id": press.custom_id, "id": 99}
        seen["components"] = [*seen["components"], {"type": ComponentType.ACTION_ROW, "components": [item]}]
    if stored is None:
        seen["author"] = dict(user_payload(env.backend.bot_user))
    result = await simcord.actors._dispatch_actor_interaction(
        press.member,
        InteractionType.MESSAGE_COMPONENT,
        channel,
        data,
        extra={"message": seen},
        source_message_id=press.message_id,
    )
    assert isinstance(result, InteractionResult)
    return result


_EMPTY_MESSAGE: dict[str, Any] = {
    "content": "",
    "embeds": [],
    "attachments": [],
    "components": [],
    "mentions": [],
    "mention_roles": [],
    "mention_everyone": False,
    "pinned": False,
    "tts": False,
    "type": 0,
    "timestamp": "2026-01-01T00:00:00+00:00",
    "edited_timestamp": None,
}


async def click_together(env: Env, channel: ChannelHandle, presses: Sequence[Click]) -> list[InteractionResult]:
    """Press many buttons at once: all presses are on their way before the first is answered."""
    return await _together(env, [click(env, channel, press) for press in presses])


async def slash_together(
    channel: ChannelHandle, members: Sequence[MemberActor], name: str, **options: Any
) -> list[InteractionResult]:
    return await _together(channel._env, [simcord.actors._slash(member, channel, name, options) for member in members])


async def _together(env: Env, actions: Sequence[Coroutine[Any, Any, Any]]) -> list[InteractionResult]:
    """Do everything without waiting for the bot in between, then wait for all of it.

    Gathering the actions would do the same, but simcord looks at each of the bot's tasks whenever one of them moves.
    """

    async def go_on(**_options: Any) -> None:
        return None

    waiting: Any = env
    waiting._settle_internal = go_on
    before = set(env._work.tasks)
    try:
        results = [await action for action in actions]
    finally:
        del waiting._settle_internal
    await asyncio.wait(set(env._work.tasks) - before, timeout=env.settle_timeout)
    await env.settle()
    return results


async def command(
    env: Env, member: MemberActor, channel: ChannelHandle, name: str, options: Sequence[dict[str, Any]]
) -> InteractionResult:
    """Give a command with options as they are, although Discord would not let them through."""
    return await _forged(env, member, channel, InteractionType.APPLICATION_COMMAND, name, options)


async def complete(
    env: Env, member: MemberActor, channel: ChannelHandle, name: str, options: Sequence[dict[str, Any]]
) -> list[dict[str, Any]] | None:
    result = await _forged(env, member, channel, InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, name, options)
    return result.autocomplete_choices


async def _forged(
    env: Env,
    actor: MemberActor | UserHandle,
    channel: ChannelHandle,
    kind: InteractionType,
    name: str,
    options: Sequence[dict[str, Any]],
) -> InteractionResult:
    group, _space, sub = name.partition(" ")
    guild_id = actor.guild.id if isinstance(actor, MemberActor) else None
    root = env.backend.find_command(group, guild_id, type=AppCommandType.CHAT_INPUT)
    assert root is not None
    data = {"id": root["id"], "name": group, "type": 1, "options": [{"type": 1, "name": sub, "options": [*options]}]}
    result = await simcord.actors._dispatch_actor_interaction(actor, kind, channel, data)
    assert isinstance(result, InteractionResult)
    return result


async def submit(env: Env, channel: ChannelHandle, press: Click, components: Sequence[Any]) -> InteractionResult:
    stored = env.backend.messages[channel.id][press.message_id]
    result = await simcord.actors._dispatch_actor_interaction(
        press.member,
        InteractionType.MODAL_SUBMIT,
        channel,
        {"custom_id": press.custom_id, "components": [*components]},
        extra={"message": dict(message_payload(env.backend, stored))},
        source_message_id=press.message_id,
    )
    assert isinstance(result, InteractionResult)
    return result


async def slash_in_private(env: Env, user: UserHandle, group: str, name: str) -> InteractionResult:
    """Give a command in a private chat, although Discord does not offer it there."""
    return await _forged(env, user, user.dm_channel, InteractionType.APPLICATION_COMMAND, f"{group} {name}", [])


@contextmanager
def delayed_answers(delays: Sequence[float]) -> Iterator[None]:
    """Delay the next answers to interactions by so many virtual seconds each, in order."""
    left, send = list(delays), simcord.http.client.FakeWebhookAdapter.request

    async def slow(adapter: Any, route: Any, *arguments: Any, **options: Any) -> Any:
        if route.url.endswith("/callback") and left and (delay := left.pop(0)):
            await asyncio.sleep(delay)
        return await send(adapter, route, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simcord.http.client.FakeWebhookAdapter, "request", slow)
        yield


SIMCORDS_OWN = re.compile(
    r"\.(locale|mfa_enabled|verified|summary|guild_id|interaction_metadata|reactions|sticker_items|required"
    r"|parent_id|rate_limit_per_user|topic) is not described$"
    r"|\.(version|banner|primary_guild|flags|flags_new|type|approximate_\w+|eligible_oauth2_scopes"
    r"|explicit_content_filter|redirect_uris|\w+_url|recurrence_rule|guild_scheduled_event_exceptions) is missing$"
    r"|\.(integration_types|emoji\.id|nonce|response_message_id|description) is None, "
    r"|\.(default_values\[\d+\]|emoji)\.id is \d+, "
)
"""The differences of simcord's answers from Discord's, whatever was asked: some has more than Discord gives, or than
contract.json keeps, some is not there, and what has no value is null."""


@contextmanager
def held_to_discord() -> Iterator[None]:
    """Hold every request that simcord carries, and its answer, to Discord's description."""
    dispatch = simcord.http.router.dispatch

    def held(backend: Any, method: str, path: str, **sent: Any) -> Any:
        contract.hold_request(method, path, sent["params"] or (), sent["json"])
        answer = dispatch(backend, method, path, **sent)
        contract.hold_answer(method, path, None, answer, known=SIMCORDS_OWN)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simcord.http.router, "dispatch", held)
        yield


def archive(env: Env, thread: ChannelHandle) -> None:
    meta = env.backend.get_channel(thread.id).thread_metadata
    assert meta is not None
    meta.archived = True
    env.backend.announce_channel_update(thread.id)


@contextmanager
def archives_like_discord() -> Iterator[None]:
    """Let archived threads refuse edits, and open when a message is sent; simcord does neither."""

    request = simcord.http.client.FakeHTTPClient.request

    async def checked(client: Any, route: Any, **options: Any) -> Any:
        channel = client.backend.channels.get(route.channel_id)
        meta = None if channel is None else channel.thread_metadata
        if meta is not None and meta.archived and "/messages" in route.path:
            if route.method == "PATCH":
                fault = {"method": "PATCH", "path": "*", "status": 400, "code": 50083, "times": 1}
                client.backend.faults.insert(0, {**fault, "message": "Thread is archived"})
            elif route.method == "POST":
                meta.archived = False
        return await request(client, route, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simcord.http.client.FakeHTTPClient, "request", checked)
        yield


@dataclass(frozen=True, slots=True)
class Made:
    """A request that the bot has made, with the message that it sent, edited or deleted."""

    method: str
    path: str
    body: Mapping[str, Any]
    message_id: int | None
    new: bool
    """True if the request has made this message."""
    after: Mapping[str, Any] | None
    """The message as everybody sees it now; None where it is gone, or never was."""
    refused: int | None
    """The code of Discord's error."""
    params: Mapping[str, Any]
    """The query."""
    files: Sequence[str]
    """The hashes of files."""


@contextmanager
def watched(acted: Callable[[int, Mapping[str, Any]], None], requested: Callable[[Made], None]) -> Iterator[None]:
    """Yield what people do, as Discord hands it over, and every request of the bot, in their order."""
    begin, dispatch = simcord.interactions.base_payload, simcord.http.router.dispatch

    def base_payload(backend: Any, **given: Any) -> Any:
        acted(given["user_id"], given["data"])
        return begin(backend, **given)

    def dispatched(backend: Any, method: str, path: str, *, json: Any = None, **options: Any) -> Any:
        before = {message_id for messages in backend.messages.values() for message_id in messages}
        refused = None
        try:
            return dispatch(backend, method, path, json=json, **options)
        except BackendError as error:
            refused = error.code
            raise
        finally:
            stored = {key: message for messages in backend.messages.values() for key, message in messages.items()}
            sent = next((key for key in stored if key not in before), None)
            message_id = sent or _message_of(backend, path)
            message = None if message_id is None else stored.get(message_id)
            after = None if message is None else dict(message_payload(backend, message))
            body = json if isinstance(json, dict) else {}
            files = [sha256(each.fp.getvalue()).hexdigest() for each in options["files"] or ()]
            params = options["params"] or {}
            requested(Made(method, path, body, message_id, sent is not None, after, refused, params, files))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simcord.interactions, "base_payload", base_payload)
        patch.setattr(simcord.http.router, "dispatch", dispatched)
        yield


def _message_of(backend: Any, path: str) -> int | None:
    """Return the message that a request names, itself or by the interaction that it answers."""
    kind, *ids = path.strip("/").split("/")
    if kind == "channels":
        return int(ids[2]) if ids[1:2] == ["messages"] and len(ids) > 2 else None
    if kind not in ("interactions", "webhooks"):
        return None
    record = backend.interactions.get(int(ids[0])) if kind == "interactions" else backend.interaction_by_token(ids[1])
    named = ids[-1] if ids[-1].isdecimal() else None
    found: int | None = int(named) if named else record.message_id or record.source_message_id
    return found


@contextmanager
def locales(users: Mapping[int, str], guild: str) -> Iterator[None]:
    """Set the languages of Discord's interface for these users, and that of the server.

    simcord knows only American English, which everybody else keeps.
    """
    before = simcord.interactions.base_payload

    def base_payload(backend: Any, **given: Any) -> Any:
        record, payload = before(backend, **given)
        payload["locale"] = users.get(given["user_id"], payload["locale"])
        if "guild_locale" in payload:
            payload["guild_locale"] = guild
        return record, payload

    simcord.interactions.base_payload = base_payload
    try:
        yield
    finally:
        simcord.interactions.base_payload = before

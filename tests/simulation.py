"""What the tests need of simcord beyond its public interface, in one place: the next version may move it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import simcord.actors
import simcord.http.client
from simcord import ChannelHandle, Env, InteractionResult, MemberActor, ResponseMessage, UserHandle
from simcord.enums import AppCommandType, ComponentType, InteractionType

IDLE = 0.0005
"""Seconds between two looks whether the bot is idle; simcord's own 50 ms would be most of the time of a test."""

Request = Callable[..., Awaitable[Any]]


@contextmanager
def hurried() -> Iterator[None]:
    """Inside, every action returns as soon as the bot is idle."""
    defaults = Env._settle_internal.__kwdefaults__
    before = defaults["idle"]
    defaults["idle"] = IDLE
    try:
        yield
    finally:
        defaults["idle"] = before


@dataclass(frozen=True, slots=True)
class Click:
    """A press of a button that need not be there any more, or never was: its id is sent as it is."""

    member: MemberActor
    message_id: int
    custom_id: str


async def click(env: Env, channel: ChannelHandle, press: Click) -> InteractionResult:
    """Press a button by its id alone: an old one, a forged one, one of a message that was deleted meanwhile."""
    stored = env.backend.messages[channel.id].get(press.message_id) or _deleted(env, channel, press.message_id)
    data = {"custom_id": press.custom_id, "component_type": ComponentType.BUTTON}
    result = await simcord.actors._component_interaction(press.member, stored, data)
    assert isinstance(result, InteractionResult)
    return result


def _deleted(env: Env, channel: ChannelHandle, message_id: int) -> Any:
    """A message as a client that has not heard of its deletion still shows it."""
    made = env.backend.create_message(channel.id, env.backend.bot_user.id, "deleted")
    del env.backend.messages[channel.id][made.id]
    made.id = message_id
    return made


async def click_together(env: Env, channel: ChannelHandle, presses: Sequence[Click]) -> list[InteractionResult]:
    """Press many buttons at once: all presses are on their way before the first is answered."""
    return list(await asyncio.gather(*(click(env, channel, press) for press in presses)))


async def slash_together(
    channel: ChannelHandle, members: Sequence[MemberActor], name: str, **options: Any
) -> list[InteractionResult]:
    """Several people give the same command at once."""
    calls = (simcord.actors._slash(member, channel, name, options) for member in members)
    return list(await asyncio.gather(*calls))


async def slash_in_private(env: Env, user: UserHandle, group: str, name: str) -> InteractionResult:
    """A command given in a private chat, although Discord does not offer it there."""
    root = env.backend.find_command(group, None, type=AppCommandType.CHAT_INPUT)
    assert root is not None
    data = {"id": root["id"], "name": group, "type": 1, "options": [{"type": 1, "name": name, "options": []}]}
    result = await simcord.actors._dispatch_actor_interaction(
        user, InteractionType.APPLICATION_COMMAND, user.dm_channel, data
    )
    assert isinstance(result, InteractionResult)
    return result


def delete_message(env: Env, channel: ChannelHandle, message_id: int) -> None:
    """Somebody deletes a message of the bot."""
    env.backend.delete_message(channel.id, message_id)


def delete_channel(env: Env, channel: ChannelHandle) -> None:
    """Somebody deletes a whole channel."""
    env.backend.delete_channel(channel.id)


def original_answer(env: Env, result: InteractionResult) -> ResponseMessage | None:
    """The message a command was answered with."""
    return result.response


@contextmanager
def answers(wrapper: Callable[[Request], Request]) -> Iterator[None]:
    """Inside, what the bot answers to interactions goes through a wrapper of the sending function.

    The sending function takes (adapter, route, session, ...), as discord.py's webhook adapter does.
    """
    adapter: Any = simcord.http.client.FakeWebhookAdapter
    before = adapter.request
    adapter.request = wrapper(before)
    try:
        yield
    finally:
        adapter.request = before


@contextmanager
def channel_calls(wrapper: Callable[[Request], Request]) -> Iterator[None]:
    """Inside, every other call of the bot goes through a wrapper; the sending function takes (client, route, ...)."""
    client: Any = simcord.http.client.FakeHTTPClient
    before = client.request
    client.request = wrapper(before)
    try:
        yield
    finally:
        client.request = before

"""The fake behaves as Discord is documented to, seen through discord.py's own clients."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from tests.discord import (
    TOKEN,
    Channel,
    Discord,
    Guild,
    Person,
    fault,
    found_by_discord_py,
    give_up_after,
    hurried,
    payloads,
)
from tests.discord.calls import Call

NOBODY = discord.AllowedMentions.none()


class Watcher(discord.AutoShardedClient):
    """discord.py's own client; keeps the interactions it is told of."""

    def __init__(self, **options: object) -> None:
        super().__init__(intents=discord.Intents(guilds=True), **options)  # type: ignore[arg-type]
        self.told: asyncio.Queue[discord.Interaction[discord.Client]] = asyncio.Queue()

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        await self.told.put(interaction)


@pytest.fixture
async def fake() -> AsyncIterator[Discord]:
    async with Discord().serving() as fake:
        with found_by_discord_py(fake), hurried(0.02):
            yield fake


@pytest.fixture
def ada(fake: Discord) -> Person:
    return Person(fake, fake.add_user("Ada"))


@pytest.fixture
def guild(fake: Discord, ada: Person) -> Guild:
    return fake.add_guild("Tavern", [ada.user], channels=2)


@pytest.fixture
def channel(guild: Guild) -> Channel:
    return next(iter(guild.channels.values()))


@pytest.fixture
async def client(fake: Discord, guild: Guild) -> AsyncIterator[Watcher]:
    client = Watcher(shard_count=1)
    async with client:
        await client.login(TOKEN)
        connecting = asyncio.create_task(client.connect())
        await fake.until_connected()
        await fake.until(lambda: client.get_guild(guild.id) is not None)
        give_up_after(client, 0.5)
        yield client
        await client.close()
        await connecting


def place(client: discord.Client, channel: Channel) -> discord.PartialMessageable:
    return client.get_partial_messageable(channel.id)


@pytest.mark.parametrize("name", ["429 user", "429 shared", "429 global", "429 user, no header", "500", "502"])
async def test_discord_py_tries_again_by_itself(name: str, client: Watcher, fake: Discord, channel: Channel) -> None:
    fake.faults.next.append(("POST", "/channels/*/messages", fault(name)))
    await place(client, channel).send("hello")
    assert [call.fault for call in fake.calls if call.method == "POST"] == [name, None]
    assert len(channel.shown) == 1


@pytest.mark.parametrize(
    ("name", "error", "arrived"),
    [
        ("503", discord.DiscordServerError, 0),
        ("429 Cloudflare", discord.HTTPException, 0),
        ("reset", aiohttp.ClientOSError, 0),
        ("closed", aiohttp.ServerDisconnectedError, 0),
        ("timeout", TimeoutError, 0),
        ("reset after acting", aiohttp.ClientOSError, 1),
        ("timeout after acting", TimeoutError, 1),
    ],
)
async def test_discord_py_gives_up(
    name: str, error: type[Exception], arrived: int, client: Watcher, fake: Discord, channel: Channel
) -> None:
    fake.faults.next.append(("POST", "/channels/*/messages", fault(name)))
    with pytest.raises(error):
        await place(client, channel).send("hello")
    assert len(channel.shown) == arrived


async def test_a_message_whose_sender_gives_up_before_the_answer_arrives_was_not_heard_of(
    client: Watcher, fake: Discord, channel: Channel
) -> None:
    given_up = asyncio.Event()

    async def answer_late(_call: Call) -> None:
        await given_up.wait()

    fake.acted("POST", "/channels/*/messages", answer_late)
    with pytest.raises(TimeoutError):
        await place(client, channel).send("hello", nonce="1")
    given_up.set()
    await fake.until(lambda: fake.calls[-1].answer is not None)
    assert [message.heard for message in channel.shown] == [False]
    await place(client, channel).send("hello", nonce="1")
    assert [message.heard for message in channel.shown] == [True]


async def test_an_old_message_cannot_be_edited_however_often_it_is_tried(
    client: Watcher, fake: Discord, channel: Channel
) -> None:
    message = await place(client, channel).send("hello")
    fake.faults.next.append(("PATCH", "/channels/*/messages/*", fault("30046")))
    with pytest.raises(discord.HTTPException) as raised:
        await message.edit(content="bye")
    assert (raised.value.status, raised.value.code) == (429, 30046)
    assert len([call for call in fake.calls if call.method == "PATCH"]) == 5


async def test_an_interaction_is_answered_once(client: Watcher, ada: Person, channel: Channel, fake: Discord) -> None:
    await place(client, channel).send("hello")
    pressed = ada.begin_press(channel.shown[0], "anything")
    told = await client.told.get()
    await told.response.edit_message(content="bye")
    assert (pressed.callback, channel.shown[0].content) == (7, "bye")
    payload = payloads.interaction(pressed, fake.world)
    again = discord.Interaction[discord.Client](data=payload, state=told._state)  # type: ignore[arg-type]
    with pytest.raises(discord.HTTPException) as raised:
        await again.response.send_message("once more")
    assert (raised.value.code, pressed.refused) == (40060, [40060])
    await told.followup.send("privately", ephemeral=True)
    assert "privately" in pressed.private
    assert len(channel.shown) == 1


async def test_what_is_only_promised_comes_with_no_message(client: Watcher, ada: Person, channel: Channel) -> None:
    await place(client, channel).send("hello")
    for thinking in (True, False):
        ada.begin_press(channel.shown[0], "anything")
        promised = await (await client.told.get()).response.defer(thinking=thinking)
        assert promised is not None
        assert (promised.message_id is not None, promised.resource) == (True, None)
    ada.begin_press(channel.shown[0], "anything")
    shown = await (await client.told.get()).response.edit_message(content="bye")
    assert shown is not None
    assert isinstance(shown.resource, discord.InteractionMessage)


@pytest.mark.parametrize("how", ["break off", "close", "reconnect", "invalid but resumable"])
async def test_a_session_goes_on_and_is_told_what_it_missed(
    how: str, client: Watcher, ada: Person, channel: Channel, fake: Discord
) -> None:
    await place(client, channel).send("hello")
    (session,) = fake.hub.connected
    match how:
        case "break off":
            fake.hub.break_off(session)
        case "close":
            await fake.hub.close(session, 4000)
        case "reconnect":
            fake.hub.ask_to_reconnect(session)
        case _:
            fake.hub.invalidate(session, resumable=True)
    if how in ("break off", "close"):
        ada.begin_press(channel.shown[0], "missed")
    await fake.until(lambda: fake.hub.resumed == 1)
    ada.begin_press(channel.shown[0], "later")
    expected = ["missed", "later"] if how in ("break off", "close") else ["later"]
    assert [(await client.told.get()).data["custom_id"] for _each in expected] == expected  # type: ignore[index,typeddict-item]
    assert len(fake.hub.identified) == 1


async def test_a_shard_that_is_refused_again_and_again_comes_back_in_a_hurry(client: Watcher, fake: Discord) -> None:
    """Hurry through the pauses, which grow to a quarter of an hour in which nobody could press anything."""
    fake.hub.refusals = 6
    fake.hub.break_off(fake.hub.connected[0], resumable=False)
    await fake.until_connected(seconds=10)
    assert not fake.hub.refusals

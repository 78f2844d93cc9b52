"""A small Discord of our own: REST v10 and gateway on sockets of 127.0.0.1, for discord.py's real clients.

simcord replaces discord.py's HTTP client and so skips its retries, its rate limits and its reconnects. This one is
asked over real sockets, by a bot in the same process or in others, and goes on while bots come and go:

    discord = Discord()
    ada, ben = (Person(discord, discord.add_user(name)) for name in ("Ada", "Ben"))
    guild = discord.add_guild("Tavern", [ada.user, ben.user], channels=2)
    (table, hall) = guild.channels.values()
    async with discord.serving():                       # in this loop; or: with discord.running(): in a thread
        ...start the bot with discord.rest and discord.gateway...
        await discord.until_connected()
        await ada.slash(table, "highscore new", pace="live")
        (look,) = shown_in(table)                       # message, table_id, version, presses
        await ben.press(look.message, look.press(Verb.JOIN).custom_id)
        await until_shown(discord, table, look.table_id, look.version + 1)

**The bot** finds it by ``discord.http.Route.BASE = discord.rest`` and ``DiscordWebSocket.DEFAULT_GATEWAY =
yarl.URL(discord.gateway)``, and by the token ``TOKEN``. For one in this process: ``with found_by_discord_py(discord):``
(and ``connecting.hurried()``, in which discord.py's pauses are short). For processes:
``tests.bot.cli.process.running("run", fake=discord, DISCORD_TOKEN=TOKEN)`` does it; with ``discord.running()`` (a
thread), because that way of running a command blocks. Then people act by ``discord.do(ada.slash(...))``, and waiting is
``discord.do(discord.until(...))``.

**People** (``people.Person``): ``slash``, ``press``, ``submit`` (of what popped up) return the Interaction when it is
answered, or after 3 seconds. On it: ``acknowledged``, ``callback`` (type), ``response``, ``followups``, ``private``
(text), ``refused`` (codes the bot's attempts were told). ``begin_press`` does not wait;
``discord.until_answered`` does.

**Looking**: ``channel.shown`` (messages), ``message.custom_ids``, ``.notified``
(whom it called); ``tables.shown_in``; ``discord.calls`` (every request with its answer and its fault);
``discord.hub.connected`` (sessions), ``.identified``; ``discord.until(condition)`` looks again after every call.

**Hooks**: ``discord.before("POST", "/channels/*/messages", do)``, ``discord.acted(...)``: Discord has done it but does
not answer before ``do(call)`` is over. ``do`` is async: kill the bot
in it, wait in it, change the world. ``times=None`` for always.

**Faults** (``faults``): ``discord.faults.rate``, ``.chance``, ``.kinds``, ``.weights`` for chance;
``discord.faults.next.append(("POST", "/interactions/*/*/callback", fault("reset after acting")))`` for a certain one.
Counted in ``.counts``. ``discord.hub.break_off/close/ask_to_reconnect/invalidate/silent`` do the same to connections,
``discord.deny``, ``remove_channel``, ``remove_member`` change the world.

**As Discord does it**: an interaction has to be answered within 3 s (10062 afterwards) and once (40060), its token
lives 15 minutes (401, 50027); a nonce with ``enforce_nonce`` is known for 3 minutes, for all channels together;
sessions hear of servers with ``(id >> 22) % shards == shard`` and can resume; too long or empty messages are refused
with 50035, missing permissions with 50001, 50013; a private thread that the bot is not in with 50001, although the
permissions that are computed for it allow everything; people without a common server get no message (50278);
``guild.blocked_words`` is AutoMod (200000, 200001). Channels that the bot cannot see are obfuscated. Every request and
answer is held to Discord's own description (``contract``).
**Not here**: rate limits that count requests, archived threads, message events
(the bot has no intent for them), gateway compression, voice, webhooks of channels, role permissions other than
@everyone's.
"""

from tests.discord.connecting import found_by_discord_py
from tests.discord.faults import fault
from tests.discord.people import Person
from tests.discord.server import APPLICATION, SOON, TOKEN, Discord
from tests.discord.state import Channel, Guild, Interaction, Message
from tests.discord.tables import Seen, newest, shown_in, until_shown

__all__ = [
    "APPLICATION",
    "SOON",
    "TOKEN",
    "Channel",
    "Discord",
    "Guild",
    "Interaction",
    "Message",
    "Person",
    "Seen",
    "fault",
    "found_by_discord_py",
    "newest",
    "shown_in",
    "until_shown",
]

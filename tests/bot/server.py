"""A Discord server with the real bot in it: what the tests of the bot act on and look at."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Self

import discord
import simcord
from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor

from bot.app import HighScoreBot
from bot.config import Settings
from bot.domain.table import Table
from bot.services.core import get_latest_table, get_table
from bot.services.helper import Helper
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests import simulation
from tests.bot import databases
from tests.simulation import Click

NAMES = ("Ada", "Ben", "Cem", "Dot", "Eve", "Fay")
RETRY = 30.0
"""Virtual seconds until the bot tries to show a table again."""
SETTLE = 60.0
"""Real seconds an action may take before simcord calls the bot stuck."""

IN_OPTIONS = {Verb.LUCKY_WORD, Verb.RULES, Verb.ADD_HOUSE, Verb.DROP_HOUSE, Verb.CALL}


@dataclass
class Server:
    """A guild with one channel, six members and the bot. Every press and command has to be acknowledged."""

    env: Env
    settings: Settings
    guild: GuildHandle
    channel: ChannelHandle
    members: Sequence[MemberActor]

    @property
    def bot(self) -> HighScoreBot:
        assert isinstance(self.env.bot, HighScoreBot)
        return self.env.bot

    # ------------------------------------------------------------------ acting

    async def slash(
        self, member: MemberActor, name: str, *, channel: ChannelHandle | None = None, **options: Any
    ) -> InteractionResult:
        result = await member.slash(channel or self.channel, f"highscore {name}", **options)
        assert result.acknowledged, self.env.transcript()
        return result

    async def menu(
        self,
        member: MemberActor,
        name: str,
        target: MemberActor | discord.Message,
        *,
        channel: ChannelHandle | None = None,
    ) -> InteractionResult:
        """Use a command in the menu of a user or a message."""
        result = await member.context_menu(channel or self.channel, name, target)
        assert result.acknowledged, self.env.transcript()
        return result

    async def press(
        self,
        member: MemberActor,
        verb: Verb,
        *,
        nth: int | None = None,
        message: discord.Message | None = None,
        acknowledged: bool = True,
    ) -> InteractionResult:
        """Press the nth button with this verb (see ``id_of``), of the newest message unless another one is given.

        What a lobby has among its options is pressed there, on the person's own page.
        """
        if verb in IN_OPTIONS and Verb.OPTIONS in self.verbs(message):
            message = (await self.options(member, message)).page
        custom_id = id_of(self.buttons(verb, message), nth)
        result = await member.click(message or self.shown, custom_id=custom_id)
        assert result.acknowledged is acknowledged, self.env.transcript()
        return result

    async def options(self, member: MemberActor, lobby: discord.Message | None = None) -> "PrivatePage":
        return PrivatePage.of(self, member, await self.press(member, Verb.OPTIONS, message=lobby))

    async def send(self, member: MemberActor, custom_id: str, message_id: int | None = None) -> InteractionResult:
        press = Click(member, self.shown.id if message_id is None else message_id, custom_id)
        result = await simulation.click(self.env, self.channel, press)
        assert result.acknowledged, self.env.transcript()
        return result

    async def cancel(self, member: MemberActor) -> InteractionResult:
        """Cancel the channel's game and confirm it; or be refused."""
        result = await self.slash(member, "table", action="cancel")
        return await self.confirm(member, result) if private_message(result).components else result

    async def confirm(self, member: MemberActor, asked: InteractionResult) -> InteractionResult:
        question = private_message(asked)
        done = await member.click(question, custom_id=question.components[0]["components"][0]["custom_id"])
        assert done.acknowledged, self.env.transcript()
        return done

    async def seat(self, players: int, **options: Any) -> Table:
        """Open a table at which the first members sit; in the rulebook's order unless told otherwise."""
        options.setdefault("order", TurnOrder.CLOCKWISE.value)
        await self.slash(self.members[0], "new", **options)
        for member in self.members[1:players]:
            await self.press(member, Verb.JOIN)
        return await self.table()

    async def begin(self, players: int = 2, **options: Any) -> Table:
        await self.seat(players, **options)
        await self.press(self.members[0], Verb.START)
        return await self.table()

    async def begin_turn(self, players: int = 2, **options: Any) -> Table:
        table = await self.begin(players, **options)
        await self.press(self.on_turn(table), Verb.TAKE)
        return await self.table()

    async def redraw(self, table: Table) -> None:
        self.bot.delivery.request_redraw(table.id)
        await self.settle()

    async def settle(self) -> None:
        """Wait until no worker of the bot has anything to do. One may wake another one.

        simcord waits only for tasks that began with one of its own actions, not for what a test began itself.
        """
        workers = (*self.bot.workers, self.bot.delivery)
        while any(worker._pending() for worker in workers):
            for worker in workers:
                await worker.settle()
        await self.env.settle()

    async def restart(self) -> None:
        await self.bot.close()
        await self.start_again()

    async def start_again(self) -> None:
        """Start a new bot on the database of the one that was stopped."""
        await self.env.restart_bot(HighScoreBot(self.settings, helper=Helper()))
        use_clock_of(self.env, self.bot)

    # ------------------------------------------------------------------ looking

    async def table(self, table_id: str | None = None) -> Table:
        if table_id is not None:
            return await get_table(self.bot.core, table_id)
        return await get_latest_table(self.bot.core, self.channel.id)

    @property
    def messages(self) -> list[discord.Message]:
        return self.channel.history()

    @property
    def shown(self) -> discord.Message:
        """The newest message that everybody sees."""
        stored = self.env.backend.messages[self.channel.id].values()
        return self.message(max(message.id for message in stored if message.visible_to(None)))

    def message(self, message_id: int) -> discord.Message:
        stored = self.env.backend.get_message(self.channel.id, message_id)
        return simcord.ResponseMessage(self.env, stored).message

    def buttons(self, what: Enum | None = None, message: discord.Message | None = None) -> list[discord.Button]:
        return [
            child
            for row in (message or self.shown).components
            if isinstance(row, discord.ActionRow)
            for child in row.children
            if isinstance(child, discord.Button) and not child.disabled
            if what is None or str(child.custom_id).split(":")[1] == what.value
        ]

    async def end_turn(self) -> str:
        """Return the id of the button that ends the turn as the dice lie; press *Ask* first where it is there."""
        if self.buttons(Verb.ASK):
            await self.press(self.on_turn(await self.table()), Verb.ASK)
        return id_of(self.buttons(Verb.STOP) or self.buttons(Verb.SET_ASIDE))

    def looks(self) -> list[dict[str, Any]]:
        """Return the newest message's looks, to be compared with later ones."""
        embeds: list[Any] = [*self.shown.embeds, *self.shown.components]
        return [part.to_dict() for part in embeds]

    def verbs(self, message: discord.Message | None = None) -> set[Verb]:
        return {verb_of(button) for button in self.buttons(message=message)}

    def member(self, user_id: int | None) -> MemberActor:
        return next(member for member in self.members if member.id == user_id)

    def on_turn(self, table: Table) -> MemberActor:
        assert table.game is not None
        return self.member(table.seats[table.game.may_act[0]].user_id)

    def off_turn(self, table: Table) -> MemberActor:
        assert table.game is not None
        seat = next(at for at in range(table.game.players) if at not in table.game.may_act)
        return self.member(table.seats[seat].user_id)

    def rows(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Ask the database behind the bot's back."""
        return databases.rows(self.settings, sql, *parameters)

    def requests(self, method: str, path: str) -> list[simcord.HttpLogEntry]:
        return [entry for entry in self.env.http_requests if entry.method == method and path in entry.path]

    @property
    def sent(self) -> list[simcord.HttpLogEntry]:
        """The new messages the bot has sent to the channel (answers to commands not among them)."""
        return [entry for entry in self.requests("POST", "/channels/") if entry.path.endswith("/messages")]


@dataclass
class PrivatePage:
    """Somebody's private message, whose buttons they press."""

    server: Server
    member: MemberActor
    channel: ChannelHandle
    message_id: int

    @classmethod
    def of(cls, server: Server, member: MemberActor, result: InteractionResult) -> Self:
        """Return the private message that answered a command or a press in the server's channel."""
        return cls(server, member, server.channel, private_message(result).id)

    @property
    def page(self) -> discord.Message:
        return replace(self.server, channel=self.channel).message(self.message_id)

    @property
    def text(self) -> str:
        return embeds_of(self.page)

    def buttons(self, what: Enum | None = None) -> list[discord.Button]:
        return self.server.buttons(what, self.page)

    def button(self, what: Enum, nth: int | None = None) -> str:
        return id_of(self.buttons(what), nth)

    def verbs(self) -> set[Verb]:
        return self.server.verbs(self.page)

    async def press(self, what: Enum, nth: int | None = None) -> InteractionResult:
        return await self.send(self.button(what, nth))

    async def send(self, custom_id: str, member: MemberActor | None = None) -> InteractionResult:
        press = Click(member or self.member, self.message_id, custom_id)
        result = await simulation.click(self.server.env, self.channel, press)
        assert result.acknowledged, self.server.env.transcript()
        return result


def id_of(buttons: Sequence[discord.Button], nth: int | None = None) -> str:
    """Return the id of the nth button. By default it is the first, or of those that set dice aside the one for all."""
    ids = [str(button.custom_id) for button in buttons]
    if nth is None and ids[0].split(":")[1] == Verb.SET_ASIDE.value:
        return max(ids, key=lambda each: int(each.split(":")[-1]))
    return ids[nth or 0]


def private_message(result: InteractionResult) -> simcord.ResponseMessage:
    """Return the private message that answered a command or a press."""
    told = [message for message in (result.response, *result.followups) if message is not None]
    assert told, f"nothing private in {result}"
    assert told[-1].ephemeral
    return told[-1]


def embeds_of(message: discord.Message | simcord.ResponseMessage) -> str:
    """Return all that a message shows, but its content and buttons."""
    alts = [picture.description for picture in message.attachments]
    return str([*(embed.to_dict() for embed in message.embeds), *alts])


def verb_of(button: discord.Button) -> Verb:
    assert button.custom_id is not None
    return Verb(button.custom_id.split(":")[1])


def private(result: InteractionResult) -> str:
    """Return the text that only the person who acted was told."""
    told = [message for message in (result.response, *result.followups) if message is not None and message.ephemeral]
    assert told, f"nothing private in {result}"
    return "\n".join(str([message.content, *(embed.to_dict() for embed in message.embeds)]) for message in told)


def use_clock_of(env: Env, bot: HighScoreBot) -> None:
    """Let use cases that a test calls itself, and the timers that they set, go by the simulation's clock."""
    bot.core.now = bot.clock._now = env.now
    bot.clock._sleep = simulation.within(env, bot.clock._sleep)  # type: ignore[method-assign]


@asynccontextmanager
async def serve(settings: Settings, *, members: int = len(NAMES)) -> AsyncIterator[Server]:
    """Run the bot in a new Discord server; what is dear it computes in a thread."""
    with simulation.hurried():
        # Not simcord.run: it has to end in the context it began in, and pytest finishes a fixture in another one.
        bot = HighScoreBot(settings, helper=Helper())
        env = Env(bot, shard_count=1, check_errors=False, settle_timeout=SETTLE)
        await env.start()
        use_clock_of(env, bot)
        try:
            guild = env.create_guild()
            channel = guild.create_text_channel("table")
            names = [NAMES[at] if at < len(NAMES) else f"Guest{at}" for at in range(members)]
            people = [guild.add_member(env.create_user(name.lower(), global_name=name)) for name in names]
            await env.settle()
            yield Server(env, settings, guild, channel, people)
        finally:
            await env.bot.close()
            await env.shutdown()

"""The bot itself: how its parts are connected, its start and its stop."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import Context
from bot.cogs.dispatch import Dispatcher, reply_failure
from bot.cogs.privacy import PurgeListener
from bot.cogs.routes import HighScore
from bot.config import Settings
from bot.discord_api import errors
from bot.discord_api.gateway import Gateway
from bot.discord_api.messages import ARRIVED, AnswerKind, Interaction, Reply
from bot.discord_api.permissions import invite_link, may_play_in
from bot.discord_api.rate_limit import RateLimit
from bot.domain.shards import Share
from bot.locales import load_languages
from bot.observing.in_flight import InFlightInteractions
from bot.observing.metrics import Metrics
from bot.operations.health import Health, ObservingServer
from bot.services import facts as fact
from bot.services.core import Core
from bot.services.helper import Helper, HelperProcess
from bot.services.leaderboard import check_formula
from bot.shutdown import BREAK_OFF_SECONDS, CLOSED_BY, FINISHED_BY, LEFT_BY, SHOWN_BY, Shutdown
from bot.store.claims import release_all
from bot.store.database import Database, parse_url
from bot.store.schema import migrate_database
from bot.ui.buttons import ActionItem
from bot.ui.pictures.board import cache_card, warm_up
from bot.workers.away import Absences
from bot.workers.commands import provide_commands, provide_emoji
from bot.workers.cup import CupPosts, Cups
from bot.workers.daily import DayPodiums, SeasonPosts, SharedLines
from bot.workers.deadlines import Deadlines
from bot.workers.delivery import Delivery
from bot.workers.privacy import EndedMarks, Purges
from bot.workers.reminders import Reminding
from bot.workers.reviews import Reviewing
from bot.workers.sharing import SharedMessages
from bot.workers.worker import LONGEST_SLEEP, LOOK_AGAIN, Clock, Worker
from highscore.default_choice import compute_average
from highscore.odds.facts import compute_averages, compute_facts

log = logging.getLogger(__name__)

ANSWERED_WITHIN = 5.0
"""The start waits at most this many seconds for Discord's answers about the commands and the emoji."""

# The bot has no voice. Otherwise discord.py would warn at every start that its voice libraries are missing.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


def _lower_to_warning(record: logging.LogRecord) -> bool:
    """If discord.py logs an error that is not caused by this program, make it a warning without a traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and not errors.is_our_mistake(error):
        record.msg, record.args = "%s: %s", (record.getMessage(), error)
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.exc_info = None
    return True


# These loggers log an error for every autocompletion that is answered too late, and for every failed try to connect.
for name in ("discord.app_commands.tree", "discord.shard"):
    logging.getLogger(name).addFilter(_lower_to_warning)


def utc_now() -> datetime:
    """Return the time of discord.py's clock, which a simulation can set."""
    return discord.utils.utcnow().astimezone(UTC)


class Tree(app_commands.CommandTree[commands.AutoShardedBot]):
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether a command or an autocompletion may run. discord.py asks before each."""
        dispatcher: Dispatcher = interaction.client.dispatcher
        command = interaction.command
        return await dispatcher.start(interaction, "" if command is None else command.qualified_name)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Report an error that discord.py has found before the command runs."""
        await reply_failure(Reply(interaction, AnswerKind.PRIVATE), error)


class HighScoreBot(commands.AutoShardedBot):
    """A Discord client that plays High Score in every server it is in."""

    core: Core
    delivery: Delivery
    clock: Clock
    dispatcher: Dispatcher
    workers: Sequence[Worker[Any]] = ()
    """All workers except the delivery, which shows their changes and stops after them."""

    def __init__(
        self, settings: Settings, *, now: Callable[[], datetime] = utc_now, helper: Helper | None = None
    ) -> None:
        self.metrics = Metrics(errors.status_and_code)
        self.in_flight = InFlightInteractions(self.metrics)
        self.gateway = Gateway(self, self.metrics, now)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            # The least that works: channels and threads must be known, but no messages or presence.
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            http_trace=errors.make_tracing(self.metrics),
            shard_count=settings.shard_count,
            # None stands for all shards. The library accepts that, but its types do not say so.
            shard_ids=None if settings.shard_ids is None else sorted(settings.share.ids),  # type: ignore[arg-type]
        )
        self.settings = settings
        self._now = now
        self._helper = helper or HelperProcess()
        self._database: Database | None = None
        self.observing: ObservingServer | None = None
        self._stop: asyncio.Task[None] | None = None
        self._preparing: list[asyncio.Task[Any]] = []

    async def login(self, token: str) -> None:
        """Log in and call ``setup_hook``. Try again while Discord is out of order. Raise other errors."""

        async def once() -> None:
            try:
                await super(HighScoreBot, self).login(token)
            except BaseException:
                if self.application_id is None:
                    # The next try opens a new session.
                    await self.http.close()
                    self.http.connector = discord.utils.MISSING
                raise

        # If the application's id is known, setup_hook has begun. It must not run twice.
        await errors.ask_until_answered(
            "Logging in", once, lambda error: self.application_id is None and errors.is_passing(error)
        )

    async def launch_shards(self) -> None:
        """Connect as discord.py does, but repeat the request for the gateway's address until Discord answers it."""
        await errors.ask_until_answered("Connecting to the gateway", super().launch_shards)

    async def setup_hook(self) -> None:
        """Open the database and start all parts. discord.py calls this once, between the login and the connection."""
        database = Database(parse_url(self.settings.database_url.get_secret_value()))
        self._database = database
        self.core = Core(
            database,
            self._now,
            self.settings.load_deck(),
            self.settings.tables_per_channel,
            self.settings.paces,
            share=self.settings.share,
            metrics=self.metrics,
            helper=self._helper,
        )
        longest_sleep = LOOK_AGAIN if database.shared else LONGEST_SLEEP
        # An administrator may change a server's settings through another process, so this one reloads them often.
        self.clock = Clock(self._now, longest_sleep, on_look=self.core.guilds.clear, on_gap=self.gateway.note_gap)
        await self._observe()
        await migrate_database(database)
        self._make_workers()
        await self._add_cogs()
        if not database.shared:
            await database.write(release_all)
        await self._ask_discord()
        await check_formula(self.core)
        self.clock.start()
        self._preparing.append(asyncio.create_task(self._prepare(), name="prepare"))

    async def _ask_discord(self) -> None:
        """Start to look up and register the commands and the emoji. Wait for the look-ups, but not long."""
        known = asyncio.Event()
        self._preparing.append(asyncio.create_task(provide_commands(self.tree, known), name="commands"))
        awaited = [known]
        if self.settings.emoji:
            awaited.append(asyncio.Event())
            self._preparing.append(asyncio.create_task(provide_emoji(self, awaited[1]), name="emoji"))
        waiting = [asyncio.create_task(each.wait()) for each in awaited]
        self._preparing += waiting
        await asyncio.wait(waiting, timeout=ANSWERED_WITHIN)

    async def _add_cogs(self) -> None:
        settings = self.settings
        context = Context(self.core, self.delivery, self.clock.note_due, settings.privacy_url, settings.terms_url)
        rate_limit = RateLimit(settings.press_limit, settings.command_limit, self._now, self.metrics)
        self.dispatcher = Dispatcher(context, rate_limit, self.in_flight)
        self.add_dynamic_items(ActionItem)
        self.add_listener(self.dispatcher.answer_other, "on_interaction")
        await self.add_cog(cog := HighScore(context, self.dispatcher.answer))
        for menu in cog.make_menus():
            self.tree.add_command(menu)
        await self.add_cog(PurgeListener(self, context))

    def _make_workers(self) -> None:
        core, clock = self.core, self.clock
        self.delivery = Delivery(core, clock, self)
        reminding = Reminding(core, clock, self, self.delivery.show_by_answer)
        reviewing = Reviewing(core, clock)
        deadlines = Deadlines(core, clock, self, self.delivery.request_redraw)
        self.gateway.reconnected = deadlines.wake
        purges = Purges(core, clock, self, self.settings.purge_days)
        in_channels = (worker(core, clock, self) for worker in (SharedLines, DayPodiums, SeasonPosts))
        cup_posts = CupPosts(core, clock, self)
        absences = Absences(core, clock, self.delivery.request_redraw)
        cups, marks, shared_messages = Cups(core, clock), EndedMarks(core, clock), SharedMessages(core, clock, self)
        others = cups, purges, marks, absences, shared_messages, *in_channels, cup_posts
        self.workers = (deadlines, reminding, reviewing, self.delivery.tidying, *others)
        # This is the complete list of who listens to which fact.
        subscribe = core.facts.subscribe
        subscribe(fact.TableChanged, self.delivery.notice, deadlines.notice, self._count_moves)
        subscribe(fact.GameFinished, reviewing.notice)
        subscribe(fact.MessagesReplaced, self.delivery.tidying.notice)
        subscribe(fact.CallsAdded, reminding.notice)
        subscribe(fact.MessagesOutdated, shared_messages.notice)
        subscribe(fact.CameBack, absences.notice)
        subscribe(fact.CupChanged, cups.notice, cup_posts.notice)

    def _count_moves(self, change: fact.TableChanged) -> None:
        house = {at for at, seat in enumerate(change.after.seats) if seat.user_id is None}
        self.metrics.count_moves(change.events, house)

    async def _observe(self) -> None:
        if self.settings.metrics_port is not None:
            health = Health(self.core.database, self.clock.late, self.gateway, self.is_ready)
            self.observing = ObservingServer(self.core, self, health, stopping=lambda: self._stop is not None)
            await self.observing.start(self.settings.metrics_host, self.settings.metrics_port)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note when an interaction arrives, or how a connection has changed, before discord.py handles the event."""
        if event == "interaction":
            args[0].extras[ARRIVED] = time.perf_counter()
        else:
            self.gateway.note_event(event, *args)
        super().dispatch(event, *args, **kwargs)

    async def _prepare(self) -> None:
        """Compute in advance what the first players would wait for: pictures and averages take 0.7 s, and the odds for
        Card, Hint and Report 1 s.
        """
        await asyncio.to_thread(warm_up)
        await self.wait_until_ready()  # Earlier, the imports would slow down the start.
        await asyncio.to_thread(load_languages)
        for card in self.core.deck:  # One at a time, because a stop waits for the thread.
            await asyncio.to_thread(cache_card, card)
            await asyncio.to_thread(compute_average, card)
        await asyncio.to_thread(compute_averages, self.core.deck)
        await self._helper.warm_up(compute_facts, self.core.deck)

    async def on_ready(self) -> None:
        """discord.py calls this when it knows all servers, and again when it reconnects without resuming."""
        log.info("playing in %d servers as %s; invite: %s", len(self.guilds), self.user, self.invite_link())

    def invite_link(self) -> str:
        if self.application_id is None:
            raise RuntimeError("the application is known only after logging in")
        return invite_link(self.application_id)

    def may_post(self, channel_id: int) -> bool:
        return may_play_in(self.get_channel(channel_id))

    @property
    def connected_share(self) -> Share:
        return self.gateway.share

    async def find_reachable_since(self, guild_id: int) -> datetime | None:
        return await self.gateway.find_reachable_since(guild_id)

    async def reopen(self, channel_id: int) -> None:
        await self.http.edit_channel(channel_id, archived=False)

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        # A request, because events about members who leave would take the privileged members intent.
        try:
            await self.http.get_member(guild_id, user_id)
        except errors.DISCORD_ERRORS as error:
            if isinstance(error, discord.NotFound) and error.code in (errors.UNKNOWN_MEMBER, errors.UNKNOWN_USER):
                return False
            log.info("Discord did not say whether user %s is a member of guild %s: %s", user_id, guild_id, error)
        return True

    async def send_directly(
        self, user_id: int, text: str, nonce: str, link: discord.ui.View | None = None
    ) -> discord.Message:
        channel = await self.create_dm(discord.Object(user_id))
        return await channel.send(text, nonce=nonce, view=link)  # type: ignore[arg-type]  # None stands for no view.

    async def close(self) -> None:
        """Stop: finish what is in flight, disconnect, and close the database, always within ten seconds.

        Unfinished work stays in the database. A second call waits for the stop that has begun.
        """
        if self._stop is None:
            self._stop = asyncio.create_task(self._close(Shutdown()), name="stop")
        # The stop continues if the caller is cancelled.
        await asyncio.shield(self._stop)

    async def _close(self, stop: Shutdown) -> None:
        self.in_flight.stop()
        for task in self._preparing:
            task.cancel()
        if hasattr(self, "delivery"):
            await self._finish(stop)
        await stop.run_together(LEFT_BY, {"connection to Discord": super().close()})
        await stop.run_together(LEFT_BY, {"HTTP session": self.http.close()})
        parts = {"helper process": self._helper.close()}
        if self.observing is not None:
            parts["port for operators"] = self.observing.close()
        if self._database is not None:
            parts["database"] = self._database.close()
        await stop.run_together(CLOSED_BY, parts)

    async def _finish(self, stop: Shutdown) -> None:
        """Finish the interactions and the workers' tasks, then show what they have changed."""
        self.clock.close()
        parts = {worker.name: worker.close() for worker in self.workers}
        await stop.run_together(FINISHED_BY, {"interactions": self._drain(stop), **parts})
        closing = self.delivery.close(stop.seconds_left(SHOWN_BY) - BREAK_OFF_SECONDS)
        await stop.run_together(SHOWN_BY, {"delivery": closing})
        # Interactions that have arrived during the stop were only refused.
        await self.in_flight.drain(stop.seconds_left(SHOWN_BY))

    async def _drain(self, stop: Shutdown) -> None:
        if late := await self.in_flight.drain(stop.seconds_left(FINISHED_BY) - BREAK_OFF_SECONDS):
            log.warning(
                "%d interactions were cancelled before they were answered; what they had changed is shown all the same",
                late,
            )

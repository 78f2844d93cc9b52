"""The daily challenge: beginning or resuming one's attempt, playing it, the ranking and the proof."""

import secrets
from dataclasses import replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.calendar import day_of, end_of
from bot.domain.daily import Attempt, Daily, Ranked, ranking
from bot.domain.errors import Refused
from bot.locales import _, day_words
from bot.services.core import Core, Person, asked_once, server_settings
from bot.services.lobby import MAX_NAME, TABLE_ID_BYTES, refuse_elsewhere
from bot.store.daily import (
    add,
    add_attempt,
    append_events,
    finishers,
    load,
    load_attempt,
    load_events,
    of_day,
    running,
    streak_before,
    update_attempt,
)
from bot.store.locks import LockScope, lock
from highscore.dealer import play
from highscore.events import Decided, Decision
from highscore.fairness import SEED_BYTES, Source, cards_of, digest_of
from highscore.game import Game
from highscore.odds.facts import averages as card_averages
from highscore.proof import Export, Proof, export_json, verify
from highscore.turn_order import TurnOrder


class MovedOn(Refused):
    """A press on something that is no longer so. Carries the attempt as it is now."""

    def __init__(self, sentence: str, attempt: Attempt) -> None:
        super().__init__(sentence)
        self.attempt = attempt


class DayOver(Refused):
    """A press after the end of the day. What was played stays as it is, unfinished."""


async def begin(
    core: Core,
    person: Person,
    *,
    guild_id: int,
    channel_id: int,
    locale: str,
    parent_id: int | None = None,
    interaction_id: int | None = None,
) -> Attempt:
    """The person's attempt of the day, as far as it has come; it is begun now if it was not.

    The first one of a server opens its day: a seed is sealed, and it is settled when the day ends. Raises Refused.
    """
    settings = await server_settings(core, guild_id)
    refuse_elsewhere(settings, channel_id, parent_id)
    now = core.now()
    day = day_of(now, settings.zone)
    # Solving cards takes too long for the transaction. All servers with this deck have the same ones on a day.
    averages = await core.helper.run(card_averages, cards_of(day.isoformat(), core.deck))

    async def transaction(connection: AsyncConnection) -> Attempt:
        await lock(connection, LockScope.GUILD, guild_id)
        await lock(connection, LockScope.PERSON, person.user_id)
        daily = await running(connection, guild_id, now)
        if daily is None:
            daily_id, seed = secrets.token_hex(TABLE_ID_BYTES), secrets.token_bytes(SEED_BYTES)
            opened = Daily(
                id=daily_id,
                guild_id=guild_id,
                day=day,
                ends_at=end_of(day, settings.zone),
                locale=settings.language or locale,
                deck=core.deck,
                averages=averages,
                seed=seed,
                seal=Source(seed, daily_id).seal,
            )
            daily = await _open_day(connection, opened, now)
        known = await load_attempt(connection, daily, person.user_id)
        if known is None:
            game, happened = play(Game(1, TurnOrder.OWN_PACE), None, daily.source, daily.deck)
            streak = await streak_before(connection, daily, person.user_id)
            attempt = Attempt(daily, person.user_id, person.name[:MAX_NAME], channel_id, 0, game, streak)
            await add_attempt(connection, attempt, now)
            await append_events(connection, attempt, happened, now, interaction_id)
            return attempt
        here = replace(known, channel_id=channel_id, name=person.name[:MAX_NAME])
        if known.finished_at is not None or here == known:
            return known
        await update_attempt(connection, here, known.version, now)
        return here

    return await asked_once(core, transaction, interaction_id)


async def _open_day(connection: AsyncConnection, daily: Daily, now: datetime) -> Daily:
    if await of_day(connection, daily.guild_id, daily.day) is not None:
        # Only where the server has moved to a time zone further west after a day that was played.
        raise Refused(
            _("This server has played the challenge of {day} already. The next one begins {when}.").format(
                day=day_words(daily.day), when=f"<t:{int(daily.ends_at.timestamp())}:R>"
            )
        )
    await add(connection, daily, now)
    return daily


async def decide(
    core: Core,
    daily_id: str,
    person: Person,
    decision: Decision,
    *,
    version: int,
    channel_id: int,
    interaction_id: int | None = None,
) -> Attempt:
    """Play a decision that was made looking at ``version`` of the attempt, and all the dice that follow from it.

    Raises MovedOn when the attempt has moved on, DayOver when the day has ended, Refused to people who have not begun,
    and the engine's IllegalChoice with its sentence; nothing has changed then.
    """

    async def transaction(connection: AsyncConnection) -> Attempt:
        now = core.now()
        await lock(connection, LockScope.PERSON, person.user_id)
        attempt = _current(await _load(connection, daily_id, person.user_id), version, core)
        daily = attempt.daily
        game, happened = play(attempt.game, Decided(0, decision), daily.source, daily.deck)
        after = replace(
            attempt,
            name=person.name[:MAX_NAME],
            channel_id=channel_id,
            version=version + 1,
            game=game,
            streak=attempt.streak + game.complete,
            finished_at=now if game.complete else None,
        )
        await update_attempt(connection, after, version, now)
        await append_events(connection, after, happened, now, interaction_id)
        return after

    return await asked_once(core, transaction, interaction_id)


async def look(core: Core, daily_id: str, user_id: int, version: int) -> Attempt:
    """The attempt, for what writes nothing. Raises what ``decide`` would raise before it comes to the decision."""
    async with core.database.read() as connection:
        return _current(await _load(connection, daily_id, user_id), version, core)


async def standing(core: Core, daily_id: str) -> tuple[Ranked, ...]:
    """The ranking of a day as it is now. To be shown to those who have finished, and to all when the day is over."""
    async with core.database.read() as connection:
        return ranking(await finishers(connection, daily_id))


async def prove(core: Core, daily_id: str, user_id: int) -> tuple[Proof, str]:
    """Check a day that is over, with what this person played of it; returns the proof and the exported document.

    Raises Refused while the day lasts, and ProofError.
    """
    async with core.database.read() as connection:
        daily = await load(connection, daily_id)
        if daily is None:
            raise Refused(_gone())
        if core.now() < daily.ends_at:
            raise Refused(_("The seed stays sealed until the day is over; then the proof is here."))
        attempt = await load_attempt(connection, daily, user_id)
        events = () if attempt is None else await load_events(connection, daily_id, user_id)
    export = Export(
        game=daily.id,
        seal=daily.seal,
        seed=daily.seed,
        turn_order=TurnOrder.OWN_PACE,
        names=("" if attempt is None else attempt.name,),
        lucky_words=("",),
        deck=daily.deck,
        events=events,
        words_digest=digest_of(("",)),
        opening=None,
        day=daily.day.isoformat(),
    )
    return verify(export), export_json(export)


async def _load(connection: AsyncConnection, daily_id: str, user_id: int) -> Attempt:
    daily = await load(connection, daily_id)
    if daily is None:
        raise Refused(_gone())
    attempt = await load_attempt(connection, daily, user_id)
    if attempt is None:
        raise Refused(_("You have not begun this challenge. `/highscore daily` begins yours."))
    return attempt


def _current(attempt: Attempt, version: int, core: Core) -> Attempt:
    if attempt.finished_at is not None:
        raise MovedOn(_("You have played all seven cards of this day."), attempt)
    if core.now() >= attempt.daily.ends_at:
        raise DayOver(
            _(
                "This day is over, and its dice are no longer a secret, so it can't be finished any more."
                " `/highscore daily` begins today's challenge."
            )
        )
    if attempt.version != version:
        raise MovedOn(_("A moment too late: this is where you are now."), attempt)
    return attempt


def _gone() -> str:
    return _("This challenge does not exist any more. `/highscore daily` begins today's.")

"""From the databases that older versions have left to this version, on with the play, and back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from pydantic import SecretStr
from simcord import ChannelHandle, Env, InteractionResult
from sqlalchemy import Connection, select, text

from bot.app import HighScoreBot
from bot.config import Settings
from bot.domain import cup, errors, notify, rating
from bot.domain.share import Share
from bot.domain.table import Status as TableStatus
from bot.domain.table import Table
from bot.domain.timing import Timing
from bot.services import challenge, cup_leg, leaderboard
from bot.services.core import Core, Person, get_table
from bot.services.cup import prove_cup, view_cup
from bot.services.helper import Helper
from bot.services.proof import prove_table
from bot.store import claims, results, schema
from bot.store.cup import load_view
from bot.store.database import Database, parse_url
from bot.store.models import attempts, games, metadata, reminders, seats
from bot.store.rows import TIMING, events_from_lines, find_rows
from bot.store.table import load_events, load_table
from bot.ui.buttons import Verb
from highscore import TakeDice, TurnOrder, replay_events
from tests import postgresql, simulation
from tests.bot import passing, played
from tests.bot.cores import opened
from tests.bot.server import SETTLE, PrivatePage, Server, use_clock_of
from tests.bot.store.older import (
    Older,
    Row,
    describe,
    dump_rows,
    find_changed_columns,
    find_changes,
    load_rows,
    read_older,
)

LEASES = 11
"""Minutes after which every lease of the dead processes has run out."""


@pytest.fixture(scope="module")
def older() -> Older:
    return read_older()


@pytest.fixture
async def old_url(older: Older, database_url: str, tmp_path: Path) -> AsyncIterator[str]:
    async with _make_empty(database_url, tmp_path) as url:
        database = Database(parse_url(url))
        await database.write(load_rows, older.rows)
        await database.close()
        yield url


@asynccontextmanager
async def _make_empty(database_url: str, folder: Path) -> AsyncIterator[str]:
    if database_url.startswith("sqlite"):
        yield f"sqlite+aiosqlite:///{folder / 'older.sqlite3'}"
    else:
        async with postgresql.new_database() as url:
            yield url


@pytest.fixture
async def database(old_url: str) -> AsyncIterator[Database]:
    opened = Database(parse_url(old_url))
    yield opened
    await opened.close()


def _find_differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "render_as_batch": True})
    return list(compare_metadata(context, metadata))


TO_0005 = {
    "games.timing": "last presses, the reason for a pause, and moments of silence are gone",
    "games.news": "two kinds became one of the others",
    "cup_entrants.left": "who withdrew early stays in the digest of a cup that had started",
    "cup_legs.began_at": "a leg begins with its post, which was not sent",
    "cup_posts.what": "the post that starts a cup has a kind of its own",
    "cup_posts.leg": "it belongs to no leg",
    "cup_posts {unposted} 4": "the reminder of a leg is planned when its post is sent",
}
"""The columns and rows of the older version that migrations change."""
BACK_TO_0001 = {
    **{name: TO_0005[name] for name in ("games.timing", "games.news", "cup_entrants.left", "cup_posts {unposted} 4")},
    "cup_legs.began_at": "the leg with the unsent post has no beginning that could be put back",
    "cup_legs.planned_at": "the end that was announced, with the outages",
    "cup_legs.outages": "they are in the end",
    "cup_posts.argument": "a leg can be prolonged only by a day",
}
"""The columns and rows that differ after the way there and back."""


async def _migrate(database: Database, command: Literal["upgrade", "downgrade"], revision: str) -> None:
    await database.write(partial(schema.run_alembic, command=command, revision=revision))


async def test_migrations_change_the_rows_that_they_are_to_change(older: Older, database: Database) -> None:
    before = await database.read(dump_rows)
    rows = {table: [_without_empty(row) for row in some.values()] for table, some in before.items()}
    assert rows == older.rows
    cups = older.about["cups"]
    way: tuple[tuple[Literal["upgrade", "downgrade"], str, dict[str, str]], ...] = (
        ("upgrade", "0005", TO_0005),
        ("downgrade", "0001", BACK_TO_0001),
    )
    for command, revision, changes in way:
        await _migrate(database, command, revision)
        changed = find_changed_columns(before, await database.read(dump_rows))
        assert changed == {name.format(unposted=cups["Unposted"]) for name in changes}


def _without_empty(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


async def test_values_are_read_as_the_older_version_read_them(older: Older, database: Database) -> None:
    tables, cups = older.about["tables"], older.about["cups"]
    expected = {
        tables["cancelled"]: [".news.0.kind: cancelled by all -> cancelled"],
        tables["missed"]: [".news.0.kind: kept -> played"],
        cups["League"]: [".cup.entrants.3.left: 0 -> 1"],
        cups["Starting"]: [".cup.entrants.5.left: 0 -> 1"],
        cups["Unposted"]: [
            ".legs.1.began_at: 2026-01-04T09:00:00.000001 -> None",
            ".legs.1.ends_at: 2026-01-06T09:00:00 -> 2026-01-08T09:05:56",
        ],
    }
    for _again in range(2):
        await schema.migrate_database(database)
        assert await database.read(_find_differences) == []
        if not database.shared:
            await database.read(schema.check_objects)
        changes = {each: find_changes(seen, await _describe(database, each)) for each, seen in older.seen.items()}
        assert {each: found for each, found in changes.items() if found} == expected
        assert await database.read(_replay_all) == len(older.rows["games"]) + len(older.rows["attempts"])
        unposted = await database.read(load_view, cups["Unposted"])
        assert unposted is not None
        assert unposted.legs[-1].ends_at.isoformat() == "2026-01-08T09:05:56+00:00", "with the outage, as announced"
        assert await database.read(_find_erased) == [tables["former"]]
        assert await database.read(_find_wrong_moments) == []
        await _migrate(database, "downgrade", "0001")


async def test_every_field_of_a_table_is_read_as_version_0006_wrote_it(database_url: str, tmp_path: Path) -> None:
    """A field that is renamed without its migration would get its default: a deadline would be lost."""
    older = read_older("0006")
    for seen in older.seen.values():
        unset = describe(Timing())
        assert all(seen["timing"][name] != value for name, value in unset.items()), "no field has its default"
    async with _make_empty(database_url, tmp_path) as url:
        database = Database(parse_url(url))
        await database.write(load_rows, older.rows, "0006")
        before = await database.read(dump_rows)
        for _again in range(2):
            await schema.migrate_database(database)
            assert await database.read(_find_differences) == []
            for table_id, seen in older.seen.items():
                assert find_changes(seen, await _describe(database, table_id)) == []
            assert await database.read(_find_calls) == {
                (row["game_id"], row["user_id"], row["kind"].replace("page", "screen"), row["span"], row["due_at"])
                for row in older.rows["reminders"]
            }
            await _migrate(database, "downgrade", "0006")
            assert await database.read(dump_rows) == before
        await database.close()


def _find_calls(connection: Connection) -> set[tuple[object, ...]]:
    calls = find_rows(connection, notify.Call, reminders)
    return {(each.game_id, each.user_id, each.kind, each.deadline_scope, describe(each.due_at)) for each in calls}


async def test_the_post_that_starts_a_cup_is_no_leg_s_also_if_it_was_sent(older: Older, database: Database) -> None:
    """The leg that is drawn after it has a post of its own, which calls people once."""

    def send(connection: Connection) -> None:
        sent = text("UPDATE cup_posts SET message_id = 1, post_at = NULL WHERE cup_id = :cup AND what = 'leg'")
        connection.execute(sent, {"cup": older.about["cups"]["Starting"]})
        connection.execute(text("UPDATE cups SET opening = 1 WHERE status = 'starting'"))

    await database.write(send)
    await schema.migrate_database(database)
    posts = (await database.read(dump_rows))["cup_posts"].values()
    theirs = [each for each in posts if each["cup_id"] == older.about["cups"]["Starting"]]
    assert [(each["what"], each["leg"]) for each in theirs] == [("entry", 0), ("start", 0)]


async def _describe(database: Database, one: str) -> Row:
    found: Row = describe(await database.read(load_table, one) or await database.read(load_view, one))
    return found


def _find_erased(connection: Connection) -> list[str]:
    return list(connection.scalars(select(seats.c.game_id).where(seats.c.erased)))


def _replay_all(connection: Connection) -> int:
    """Check that all event logs lead to what is stored. Return their number."""
    ids, logs = connection.scalars(select(games.c.id)).all(), connection.scalars(select(attempts.c.events)).all()
    for table_id in ids:
        table = load_table(connection, table_id)
        assert table is not None
        if table.game is not None:
            log = load_events(connection, table_id)
            assert replay_events(len(table.seats), table.turn_order, log) == table.game, table_id
    for lines in logs:
        replay_events(1, TurnOrder.OWN_PACE, events_from_lines([lines] if lines else []))
    return len(ids) + len(logs)


def _find_wrong_moments(connection: Connection) -> list[str]:
    """Return the tables whose clock would wake at another moment than the first of theirs."""
    rows = connection.execute(select(games.c.id, games.c.wake_at, games.c.timing))
    return [row.id for row in rows if row.wake_at != TIMING.read(row.timing).wake_at]


@dataclass
class World:
    """The Discord of the older version, in which this version's bot runs on its database."""

    server: Server
    about: Mapping[str, Any]
    channels: Mapping[str, ChannelHandle]
    messages: Mapping[int, Row]
    """The messages that the older version has sent."""

    def at(self, name: str) -> Server:
        return replace(self.server, channel=self.channels[name])

    async def table(self, name: str) -> Table:
        return await get_table(self.server.bot.core, self.about["tables"][name])

    async def view(self, name: str) -> cup.CupView:
        return await view_cup(self.server.bot.core, self.about["cups"][name])

    async def press_old(self, name: str, verb: Verb, who: str) -> InteractionResult:
        channel = self.at(name)
        for message in channel.messages[::-1]:
            rows = self.messages.get(message.id, {"components": []})["components"]
            for custom_id in (each.get("custom_id", "") for row in rows for each in row["components"]):
                if custom_id.split(":")[1:2] == [verb.value]:
                    return await channel.send(channel.member(self.about["members"][who]), custom_id, message.id)
        raise AssertionError(f"no {verb} in {name}")


@pytest.fixture
async def world(older: Older, old_url: str, settings: Settings) -> AsyncIterator[World]:
    about = older.about
    with simulation.hurried():
        at_old = settings.model_copy(update={"database_url": SecretStr(old_url)})
        bot = HighScoreBot(at_old, helper=Helper())
        env = Env(bot, shard_count=1, check_errors=False, settle_timeout=SETTLE)
        simulation.set_clock(env, older.now)
        try:
            guilds = {guild_id: env.create_guild(id=guild_id) for guild_id in (about["guild"], *about["others"])}
            members, channels = [], dict[str, ChannelHandle]()
            for name, user_id in about["members"].items():
                with simulation.next_ids(env, user_id):
                    user = env.create_user(name.lower(), global_name=name)
                members += [guild.add_member(user) for guild in guilds.values()][:1]
            for name, channel_id in about["channels"].items():
                with simulation.next_ids(env, channel_id):
                    guild = guilds[about["guild_of"][str(channel_id)]]
                    channels[name] = guild.create_text_channel(name.lower().replace(" ", "-"))
            for message in older.messages:
                with simulation.next_ids(env, message["id"]):
                    env.backend.create_message(
                        message["channel_id"],
                        env.backend.bot_user.id,
                        message["content"],
                        embeds=[{"description": "of the version before"}],
                        components=message["components"],
                    )
            await env.start()
            use_clock_of(env, bot)
            server = Server(env, at_old, guilds[about["guild"]], channels["table"], members)
            yield World(server, about, channels, {message["id"]: message for message in older.messages})
        finally:
            await env.bot.close()
            await env.shutdown()


@pytest.mark.long
async def test_the_bot_sends_what_was_half_sent_and_people_play_on(world: World) -> None:
    server = world.server
    await server.env.advance_time(LEASES * 60)
    await server.settle()
    await _check_all_is_sent(world)
    await _play_on(world)
    await _play_cups(world)
    await server.bot.close()
    async with opened(server.settings) as core:
        await _play_out(core, world.about["tables"].values())
        # What is in progress can go back to the older version, and forth again.
        before = await core.database.read(dump_rows)
        await _migrate(core.database, "downgrade", "0001")
        await schema.migrate_database(core.database)
        after = await core.database.read(dump_rows)
        start = f"cup_posts {world.about['cups']['Starting']} 1"
        assert find_changed_columns(before, after) == {"seats.erased", "standings.counted", "cup_posts.argument", start}
        assert await core.database.read(_replay_all)


async def _play_out(core: Core, table_ids: Collection[str]) -> None:
    """Play all games to the end, check their dice, and make the books by the new rules."""
    for table_id in table_ids:
        table = await get_table(core, table_id)
        if table.status is TableStatus.PLAYING:
            table = await played.play_out(core, table)
        if table.game is not None:
            proof, _document = await prove_table(core, table.id)
            assert proof.state == table.game
    rebuilt = await leaderboard.rebuild(core)
    assert (rebuilt.failed, rebuilt.games) == ([], len(table_ids) - 2), "but the cancelled one and the lobby"
    assert await core.database.read(results.find_oldest_formula) == rating.FORMULA


async def _check_all_is_sent(world: World) -> None:
    server = world.server
    later = server.env.now()
    for kind in (
        claims.UNSHOWN_TABLES,
        claims.UNSENT_REMINDERS,
        claims.PENDING_REVIEWS,
        claims.OLD_MESSAGES,
        claims.DAY_PODIUMS,
        claims.CUP_POSTS,
    ):
        moment = await server.bot.core.database.read(claims.find_next_moment, kind, later, Share())
        assert moment is None or moment > later, kind.due
    # The lobby's message was sent by a process that could not note it.
    (lobby,) = [message for message in world.at("lobby").messages if Verb.JOIN in world.at("lobby").verbs(message)]
    assert (await world.table("lobby")).message_id == lobby.id
    assert lobby.id in world.messages
    opened = (await world.table("unopened")).game
    assert opened is not None
    assert opened.start_seat is not None
    assert (await world.table("paused")).timing.paused_at is None
    assert (
        len(world.at("daily").messages)
        == len([m for m in world.messages.values() if m["channel_id"] == world.channels["daily"].id]) + 1
    )
    posts = server.rows("select what from cup_posts where cup_id = ? order by number", world.about["cups"]["Starting"])
    assert posts == [("entry",), ("start",), ("leg",), ("reminder",)]
    leg = (await world.view("Unposted")).open_leg
    assert leg is not None


async def _play_on(world: World) -> None:
    """Press buttons that the older version has sent, and play on from there."""
    table, table_before = await world.table("asleep"), await world.table("own pace")
    assert table.game is not None
    at = world.at("asleep")
    await world.press_old("asleep", Verb.WAKE, table.seats[table.game.may_act[0]].name)
    for _turn in range(3):
        await passing.play_turn(at)
    after = (await world.table("asleep")).game
    assert after is not None
    assert len(after.seats_of_finished_turns) == len(table.game.seats_of_finished_turns) + 3
    eve = at.member(world.about["members"]["Eve"])
    run = PrivatePage.of(world.at("own pace"), eve, await world.press_old("own pace", Verb.PLAY, "Eve"))
    if Verb.ASK in run.verbs():
        await run.press(Verb.ASK)
    await run.press(next(verb for verb in (Verb.STOP, Verb.SET_ASIDE, Verb.ROLL) if verb in run.verbs()))
    before, after = table_before.game, (await world.table("own pace")).game
    assert before is not None
    assert after is not None
    seat = table_before.seat_of(eve.id) or 0
    assert after.find_run(seat).step != before.find_run(seat).step


async def _play_cups(world: World) -> None:
    core, server = world.server.bot.core, world.server
    page = await world.press_old("cup League", Verb.PLAY, "Ben")
    assert PrivatePage.of(world.at("cup League"), server.member(world.about["members"]["Ben"]), page).verbs()
    for _leg in range(4):
        view = await world.view("Starting")
        if not view.cup.status.running:
            break
        assert view.open_leg is not None
        for number in [one for group in view.open_leg.leg.groups for one in group.entrants]:
            one = view.cup.entrants[number]
            who = Person(one.user_id or 0, one.name)
            attempt = await cup_leg.begin_leg(core, who, view.cup.id, view.cup.channel_id)
            await challenge.decide_attempt(
                core,
                cup_leg.RULES,
                attempt.challenge.id,
                who,
                TakeDice(),
                step=attempt.step,
                channel_id=attempt.channel_id,
            )
        await passing.wait_until(server, view.open_leg.ends_at, 60)
        await server.settle()
    assert (await world.view("Starting")).cup.status is cup.Status.OVER
    proof, _document = await prove_cup(core, world.about["cups"]["Starting"])
    assert not proof.ended
    with pytest.raises(errors.Refused, match="drawn before"):
        await prove_cup(core, world.about["cups"]["Winter"])
    league = await world.view("League")
    assert [leg.number for leg in league.legs if leg.closed_at is not None][:4] == [1, 2, 3, 4]
    assert len(league.legs) > 4
    assert (await world.view("Unposted")).cup.status is cup.Status.OVER

"""Taking everything about a person away: that no column is forgotten, and that nothing else goes."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from bot.config import Settings
from bot.domain.notify import Notify, Wishes
from bot.domain.table import Seat, Status, Table
from bot.services import away, cancelling, cup, daily, dare, lobby, privacy
from bot.services.away import begin_absence, set_wishes
from bot.services.core import Core, Person, Place, get_table
from bot.services.cup import NewCup
from bot.services.proof import prove_table
from bot.store.models import cup_results, metadata
from bot.store.privacy import FORMER_NAME, OWNED
from bot.store.reminders import add_reminders
from bot.store.table import insert_table, load_events
from bot.ui.reminders import news_lines
from highscore import TurnOrder, replay_events
from highscore.proof import read_export, verify_export
from tests.bot import attempts
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, DOT, GUILD, begun, on_turn, open_one, seated
from tests.bot.databases import columns_with
from tests.bot.games import Club, people
from tests.bot.played import play_on

pytestmark = pytest.mark.both_databases

WORD = "periwinkle"
NAME = "Zaphod of Betelgeuse"
ZAPHOD = Person(987654321012345678, NAME)

_PERSONAL = {
    "games": "host_id news",
    "seats": "user_id name lucky_word hints practised misses left invited uncalled gives_up away_until",
    "absences": "user_id until",
    "events": "lines user_id interaction_id",
    "reminders": "user_id",
    "player_settings": "user_id notify invitations",
    "dares": "user_id",
    "attempts": "user_id name channel_id events practised score results medians ranked streak",
    "cups": "host_id",
    "cup_entrants": "user_id name left",
    "results": "user_id",
    "standings": "user_id name",
    "card_standings": "user_id",
    "records": "user_id",
    "badges": "user_id",
}
PERSONAL = {f"{table}.{column}" for table, columns in _PERSONAL.items() for column in columns.split()}
"""Columns that tell something about a person: a deletion empties or deletes them, or puts another number there."""
_IMPERSONAL = {
    "games": """
        id guild_id channel_id status version locale max_seats turn_order deck seed seal lock opening_id state
        options timing wake_at message_id content_version shown_content_version shown_screen screen_since log due_until
        show_by show_until day_ends_at created_at updated_at
    """,
    "seats": "game_id seat house counts erased",
    "events": "game_id seq created_at",
    "interactions": "interaction_id at",
    "reminders": "game_id kind deadline_scope due_at sent_at send_until message_id",
    "old_messages": "message_id channel_id game_id due_at delete_until",
    "guild_settings": "guild_id settings updated_at",
    "player_settings": "updated_at",
    "absences": "guild_id post_at post_until",
    "challenges": "id guild_id cards_name ends_at closed_at locale deck averages seed seal created_at",
    "dailies": "challenge_id guild_id day post_at post_until",
    "dares": "challenge_id game_id seat",
    "attempts": "challenge_id step finished_at shared_at post_at post_until updated_at",
    "cups": """
        id guild_id channel_id name format length days most begins_at waited status locale deck seed published_lock
        opening leg finished_at wake_at due_until created_at
    """,
    "cup_entrants": "cup_id number removed won",
    "cup_legs": "cup_id number began_at ends_at closed_at prolonged moved byes averages",
    "cup_groups": "challenge_id cup_id leg number entrants",
    "cup_results": "cup_id leg number results",
    "cup_posts": "cup_id number what leg argument message_id called post_at post_until",
    "finished_games": "game_id guild_id finished_at season month players people formula review_owed review_until",
    "results": """
        game_id seat guild_id house place points gold silver bronze best hints house_turns mu_after
        sigma_after luck loss decisions finished_at
    """,
    "standings": """
        guild_id period games wins points gold silver bronze best rated counted mu sigma rating opponents streak longest
        hints house_turns reviewed luck loss decisions win_rate loss_rate
    """,
    "card_standings": "guild_id card turns total best worst gold silver bronze",
    "records": "guild_id card result game_id seat round at",
    "seasons": "guild_id season locale ends_at post_at post_until",
    "guilds_left": "guild_id left_at purge_until",
    "mark_keys": "guild_id ends_at key",
    "marks": "mark number key at",
    "badges": "guild_id badge game_id at",
    "shared_messages": "message_id channel_id game_id what post_at post_until",
}
IMPERSONAL = {f"{table}.{column}" for table, columns in _IMPERSONAL.items() for column in columns.split()}
"""Columns that tell nothing of a person by themselves. In a row about one, the row's ``user_id`` goes."""


async def _begun(core: Core, channel_id: int) -> Table:
    table = await open_one(core, ZAPHOD, channel_id=channel_id, order=TurnOrder.OPEN)
    table = await lobby.join_table(core, table.id, BEN)
    table = await lobby.join_table(core, table.id, CEM)
    await lobby.set_lucky_word(core, table.id, ZAPHOD, WORD)
    await lobby.set_lucky_word(core, table.id, BEN, "clover")
    return await begun(core, table.id, ZAPHOD)


async def _lived(core: Core, settings: Settings) -> dict[str, str]:
    """Leave traces of Zaphod in every table there is; returns some of his games by what they are."""
    finished = await play_on(core, await _begun(core, CHANNEL))
    cancelled = await _begun(core, CHANNEL)
    await cancelling.cancel_table(core, cancelled.id, ZAPHOD)
    # As a moderator, at tables at which he never sat, and sent away from one.
    skipped = await begun(core, (await seated(core, 2, channel_id=CHANNEL + 1)).id)
    await away.skip_turn(core, skipped.id, replace(ZAPHOD, moderator=True))
    await away.kick_player(core, skipped.id, replace(ZAPHOD, moderator=True), BEN.user_id)
    kicked = await seated(core, 2, channel_id=CHANNEL + 2)
    await lobby.join_table(core, kicked.id, ZAPHOD)
    await away.kick_player(core, kicked.id, ADA, ZAPHOD.user_id)
    await cancelling.cancel_table(core, kicked.id, replace(ZAPHOD, manages_server=True))
    running = await _begun(core, CHANNEL)
    waiting = await open_one(core, DOT, channel_id=CHANNEL + 2)
    await lobby.join_table(core, waiting.id, ZAPHOD)
    await set_wishes(core, ZAPHOD.user_id, Notify.DIRECT)
    await begin_absence(core, GUILD, ZAPHOD.user_id, days=3, until=None)
    attempt = await daily.begin_attempt(core, ZAPHOD, Place(GUILD, CHANNEL, "en"))
    await attempts.decide(core, daily.DAYS, attempt)
    await dare.offer_dare(core, finished.id, ZAPHOD)
    opened_cup = await cup.open_cup(core, ZAPHOD, Place(GUILD, CHANNEL, "en"), NewCup("Cup"))
    await cup.enter_cup(core, opened_cup.id, ZAPHOD)
    played = [
        {"cup_id": opened_cup.id, "leg": 1, "number": 0, "results": "[7,5]"},
        {"cup_id": opened_cup.id, "leg": 1, "number": 1, "results": "[3]"},
    ]
    await core.database.write(lambda connection: connection.execute(insert(cup_results), played).rowcount)
    await core.database.write(
        lambda connection: add_reminders(connection, running.id, running.deadline_scope, [ZAPHOD.user_id], core.now())
    )
    return {"finished": finished.id, "cancelled": cancelled.id, "running": running.id, "waiting": waiting.id}


def _traces(settings: Settings) -> set[str]:
    return columns_with(settings, ZAPHOD.user_id, NAME, WORD)


def test_every_column_is_either_covered_by_a_deletion_or_tells_nothing_of_a_person() -> None:
    columns = {f"{table.name}.{column.name}" for table in metadata.sorted_tables for column in table.columns}
    assert columns - PERSONAL - IMPERSONAL == set(), "say in bot/store/privacy.py what a deletion does with it"
    assert (PERSONAL | IMPERSONAL) - columns == set()
    assert set() == PERSONAL & IMPERSONAL
    users = {name.partition(".")[0] for name in PERSONAL if name.endswith(".user_id")}
    assert users - {"events"} == {table.name for table in OWNED}


_NOT_EXPORTED = {
    *("interactions", "old_messages", "shared_messages"),  # ids of presses and messages, and of no person
    *("guild_settings", "guilds_left", "seasons", "mark_keys"),  # of a server
    *("challenges", "dailies", "cup_legs", "cup_groups", "cup_posts"),  # the same for everybody who plays in them
    "finished_games",  # the end of a game, which the export has with its seats and results
}
"""The tables without a row about one person."""


async def test_the_export_has_every_table_with_rows_about_a_person(core: Core) -> None:
    """A new table is exported, or stands above with the reason."""
    exported = _tables(await privacy.export_person(core, ZAPHOD.user_id))
    tables = {table.name for table in metadata.sorted_tables}
    assert set(exported) | _NOT_EXPORTED == tables
    assert set(exported) & _NOT_EXPORTED == set()
    assert {name.partition(".")[0] for name in PERSONAL} <= set(exported)


async def test_a_deletion_takes_everything_of_a_person_and_nothing_else(
    core: Core, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived = await _lived(core, settings)
    before = {name: await get_table(core, table_id) for name, table_id in lived.items()}
    others = [ADA, BEN, CEM, DOT]
    counted = [await privacy.count_about(core, other.user_id) for other in others]
    exported = _tables(await privacy.export_person(core, BEN.user_id))
    expected = {name for name in PERSONAL if name.endswith(("user_id", "host_id", ".name", "lucky_word"))}
    assert _traces(settings) == expected | {"events.lines", "games.news"}, "leave a trace in every such column"
    await _check_file(core, lived)
    await _killed_before_the_end(core, monkeypatch)
    assert _traces(settings) != set()

    # Again, with portions of one game.
    monkeypatch.setattr("bot.store.privacy.GAMES_AT_ONCE", 1)
    await privacy.erase_person(core, ZAPHOD)
    assert _traces(settings) == set()
    if not core.database.shared:
        assert not any(NAME in content for content in _contents(Path(str(core.database.url.database))))
    assert await nothing_about(core, ZAPHOD)
    assert [await privacy.count_about(core, other.user_id) for other in others] == counted
    after = _tables(await privacy.export_person(core, BEN.user_id))
    met = [{**line, "opponents": line["opponents"] - 1} for line in exported["standings"]]
    assert (after["results"], after["standings"]) == (exported["results"], met), "a deleted person is no opponent"
    assert len(after["events"]) == len(exported["events"])
    assert lived["finished"] in str(after["games"])
    for name in ("finished", "cancelled"):
        await _check_readable(core, before[name])


def _contents(database: Path) -> list[str]:
    """Return the bytes of the file and its log, from which deleted values have to be gone."""
    return [file.read_bytes().decode("latin-1") for file in database.parent.glob(database.name + "*")]


async def _check_file(core: Core, lived: dict[str, str]) -> None:
    """Check that the file has everything that a deletion would take, and nobody else's id."""
    name, content = file = await privacy.export_person(core, ZAPHOD.user_id)
    assert name == f"highscore-data-{ZAPHOD.user_id}.json"
    assert json.loads(content)["format"] == privacy.FORMAT
    tables = _tables(file)
    _wishes, counted = await privacy.count_about(core, ZAPHOD.user_id)
    assert {name: len(tables[name]) for name in counted} == counted
    assert all(counted.values()), "the test has to leave a trace in every table"
    assert {row["id"] for row in tables["games"]} == set(lived.values())
    assert [row["lucky_word"] for row in tables["seats"] if row["game_id"] == lived["finished"]] == [WORD]
    assert [(row["number"], row["results"]) for row in tables["cup_results"]] == [(0, "[7,5]")]
    assert tables["player_settings"][0]["notify"] == Notify.DIRECT.value
    lines = "\n".join(row["lines"] for row in tables["events"])
    assert "was skipped by user" in lines
    assert f"user {ZAPHOD.user_id} was removed by another person" in lines
    assert str(ADA.user_id) not in content.decode()
    assert str(BEN.user_id) not in content.decode()


async def _killed_before_the_end(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_args: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr("bot.store.privacy.forget_person", killed)
        with pytest.raises(RuntimeError):
            await privacy.erase_person(core, ZAPHOD)


async def _check_readable(core: Core, table: Table) -> None:
    """Check that a game stays readable and provable."""
    proof, document = await prove_table(core, table.id)
    after = await get_table(core, table.id)
    assert proof.state == table.game
    assert [text in document for text in (WORD, NAME, str(ZAPHOD.user_id), "clover")] == [False, False, False, False]
    assert verify_export(read_export(document)).export.lock == table.source.lock
    assert [seat.name for seat in after.seats] == [FORMER_NAME, "Ben", "Cem"]
    assert [seat.user_id for seat in after.seats[1:]] == [BEN.user_id, CEM.user_id]


async def nothing_about(core: Core, person: Person) -> bool:
    wishes, rows = await privacy.count_about(core, person.user_id)
    return wishes == Wishes() and not any(number for table, number in rows.items() if table != "marks")


def _tables(file: tuple[str, bytes]) -> dict[str, list[dict[str, Any]]]:
    tables: dict[str, list[dict[str, Any]]] = json.loads(file[1])["tables"]
    return tables


async def test_the_number_in_a_persons_place_tells_nothing_and_is_another_each_time(core: Core) -> None:
    formers: list[Seat] = []
    for _game in range(2):
        table = await _begun(core, CHANNEL)
        await cancelling.cancel_table(core, table.id, ZAPHOD)
        await privacy.erase_person(core, ZAPHOD)
        formers.append((await get_table(core, table.id)).seats[0])
    assert [(seat.former, seat.present) for seat in formers] == [(True, False)] * 2
    assert len({ZAPHOD.user_id, -ZAPHOD.user_id, *(seat.user_id for seat in formers)}) == 4
    assert not replace(formers[0], user_id=7).former
    assert not replace(formers[0], user_id=None).former


async def test_a_running_game_goes_on_with_the_house_and_the_same_dice(core: Core) -> None:
    table = await _begun(core, CHANNEL)
    assert await privacy.erase_person(core, ZAPHOD) == [table.id]
    after = await get_table(core, table.id)
    assert after.status is Status.PLAYING
    seat = after.seats[0]
    assert (seat.former, seat.left, seat.house is not None, seat.lucky_word) == (True, True, True, "")
    assert after.host_id == BEN.user_id
    left, new_host = news_lines(after)
    assert "Deleted account has left the game" in left
    assert BEN.name in new_host
    assert after.source.lock == table.source.lock
    assert after.source.draw_faces(3, 1, 2) == table.source.draw_faces(3, 1, 2)
    assert after.timing.house_plays_at is not None or on_turn(after) in (BEN.user_id, CEM.user_id)


async def test_a_person_who_sits_down_during_their_deletion_is_asked_to_get_up_again(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    await seated(core, 2)
    real, channels = privacy._forget_moves, [CHANNEL + 7]

    async def sit_down(core: Core, user_id: int) -> None:
        await real(core, user_id)
        if channels:
            await open_one(core, channel_id=channels.pop())

    monkeypatch.setattr(privacy, "_forget_moves", sit_down)
    assert len(await privacy.erase_person(core, ADA)) == 2
    assert await nothing_about(core, ADA)


async def test_errors_of_the_database_tell_nothing_of_a_person(core: Core) -> None:
    table = await _begun(core, CHANNEL)
    with pytest.raises(IntegrityError) as failed:
        await core.database.write(lambda connection: insert_table(connection, table, core.now()))
    assert "unique constraint" in str(failed.value).lower()
    assert NAME not in str(failed.value)
    assert str(ZAPHOD.user_id) not in str(failed.value)


async def test_somebody_is_forgotten_by_one_process_while_their_games_end_in_both(
    cores: tuple[Core, Core], settings: Settings
) -> None:
    one, other = cores
    clubs = [Club(one), Club(other)]
    tables = [await clubs[0].open(people(ZAPHOD.user_id, 11, 12)) for _game in range(4)]
    await asyncio.gather(
        privacy.erase_person(one, ZAPHOD), *(clubs[at % 2].play_on(table) for at, table in enumerate(tables))
    )
    assert columns_with(settings, ZAPHOD.user_id, NAME) == set()
    _wishes, counted = await privacy.count_about(other, ZAPHOD.user_id)
    assert {name for name, number in counted.items() if number} == {"marks"}, "for 30 days (R9.6)"
    for table in tables:
        after, events = await get_table(other, table.id), await other.database.read(load_events, table.id)
        assert replay_events(len(table.seats), table.turn_order, events) == after.game
    assert (await clubs[0].standing(11))["games"] == len(tables)

"""Taking everything about a person away: that no column is forgotten, and that nothing else goes."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from bot.config import Settings
from bot.domain.notify import Notify
from bot.domain.table import Seat, Status, Table
from bot.services import absence, daily, lobby, privacy, results
from bot.services import proof as proofs
from bot.services import settings as preferences
from bot.services.core import Core, Person, load
from bot.store import privacy as personal
from bot.store import reminders as reminder_store
from bot.store import table as store
from bot.store.models import metadata
from bot.store.privacy import TREATMENT
from highscore.game import TakeDice
from highscore.proof import read_export, verify
from tests.bot.cores import ADA, BEN, CEM, CHANNEL, DOT, GUILD, on_turn, opened, seated
from tests.bot.databases import rows
from tests.bot.played import play_on

WORD = "periwinkle"
NAME = "Zaphod of Betelgeuse"
ZAPHOD = Person(987654321012345678, NAME)

_IMPERSONAL = {
    "games": """
        id guild_id channel_id status version locale max_seats turn_order deck seed seal words_digest state timing news
        wake_at message_id shown_version shown_page due_until show_by show_until created_at updated_at
    """,
    "seats": "game_id seat house",
    "events": "game_id seq created_at",
    "interactions": "interaction_id at",
    "reminders": "game_id span due_at sent_at send_until",
    "guild_settings": "guild_id settings updated_at",
    "player_settings": "updated_at",
    "dailies": "id guild_id day ends_at locale deck averages seed seal post_at post_tries created_at",
    "daily_plays": "daily_id version finished_at post_at post_tries created_at updated_at",
    "daily_events": "daily_id seq created_at",
    "finished_games": "game_id guild_id finished_at season month players people formula review_owed review_until",
    "results": """
        game_id seat guild_id house place points gold silver bronze best hints house_turns mu_before sigma_before
        mu_after sigma_after luck loss decisions finished_at
    """,
    "standings": """
        guild_id period last_at games wins points gold silver bronze best rated mu sigma rating streak longest hints
        house_turns reviewed luck loss decisions win_rate loss_rate
    """,
    "card_standings": "guild_id card turns total best worst gold silver bronze",
    "records": "guild_id card result game_id seat round at",
    "seasons": "guild_id season locale ends_at post_at post_tries",
    "guilds_left": "guild_id left_at",
    "chores": "chore done done_at doing_until",
}
IMPERSONAL = {f"{table}.{column}" for table, columns in _IMPERSONAL.items() for column in columns.split()}
"""Columns that tell nothing of a person by themselves. In a row about one, the row's ``user_id`` goes."""


@pytest.fixture
async def core(settings: Settings) -> AsyncIterator[Core]:
    async with opened(settings) as running:
        running.round_ended = results.round_ended
        yield running


async def _begun(core: Core, channel_id: int) -> Table:
    """A game that Zaphod hosts, with a lucky word of his."""
    table = await lobby.open_table(core, ZAPHOD, guild_id=GUILD, channel_id=channel_id, locale="en")
    table = await lobby.join(core, table.id, BEN)
    table = await lobby.join(core, table.id, CEM)
    await lobby.set_lucky_word(core, table.id, ZAPHOD, WORD)
    await lobby.set_lucky_word(core, table.id, BEN, "clover")
    return await lobby.start(core, table.id, ZAPHOD)


async def _lived(core: Core, settings: Settings) -> dict[str, str]:
    """Leave traces of Zaphod in every table there is; returns some of his games by what they are."""
    finished = await play_on(core, await _begun(core, CHANNEL))
    cancelled = await _begun(core, CHANNEL)
    await lobby.cancel(core, cancelled.id, ZAPHOD, moderator=False)
    # As a moderator, at tables at which he never sat, and sent away from one.
    skipped = await lobby.start(core, (await seated(core, 2, channel_id=CHANNEL + 1)).id, ADA)
    await absence.skip(core, skipped.id, ZAPHOD, moderator=True)
    await absence.kick(core, skipped.id, ZAPHOD, BEN.user_id, moderator=True)
    kicked = await seated(core, 2, channel_id=CHANNEL + 2)
    await lobby.join(core, kicked.id, ZAPHOD)
    await absence.kick(core, kicked.id, ADA, ZAPHOD.user_id, moderator=False)
    await lobby.cancel(core, kicked.id, ZAPHOD, moderator=True)
    running = await _begun(core, CHANNEL)
    waiting = await lobby.open_table(core, DOT, guild_id=GUILD, channel_id=CHANNEL + 2, locale="en")
    await lobby.join(core, waiting.id, ZAPHOD)
    await preferences.set_notify(core, ZAPHOD.user_id, Notify.DIRECT.value)
    attempt = await daily.begin(
        core, ZAPHOD, guild_id=GUILD, channel_id=CHANNEL, parent_id=None, locale="en", interaction_id=1
    )
    await daily.decide(
        core, attempt.daily.id, ZAPHOD, TakeDice(), version=attempt.version, channel_id=CHANNEL, interaction_id=2
    )
    await core.database.write(
        lambda connection: reminder_store.add(connection, running.id, running.span, [ZAPHOD.user_id], core.now())
    )
    return {"finished": finished.id, "cancelled": cancelled.id, "running": running.id, "waiting": waiting.id}


def _dump(settings: Settings) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the database, by column."""
    return {
        f"{table.name}.{column.name}": rows(settings, f'select "{column.name}" from "{table.name}"')  # noqa: S608
        for table in metadata.sorted_tables
        for column in table.columns
    }


def _traces(settings: Settings) -> set[str]:
    """The columns in which there is anything of Zaphod."""
    trace = re.compile(rf"{ZAPHOD.user_id}|{NAME}|{WORD}")
    return {column for column, values in _dump(settings).items() if trace.search(str(values))}


def test_every_column_is_either_covered_by_a_deletion_or_tells_nothing_of_a_person() -> None:
    columns = {f"{table.name}.{column.name}" for table in metadata.sorted_tables for column in table.columns}
    assert columns - set(TREATMENT) - IMPERSONAL == set(), "say in bot/store/privacy.py what a deletion does with it"
    assert (set(TREATMENT) | IMPERSONAL) - columns == set()
    assert set(TREATMENT) & IMPERSONAL == set()


def test_every_column_that_holds_a_user_is_covered_by_a_deletion() -> None:
    of_users = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if re.search(r"user|host_id|player|person|member|owner|name$", column.name)
    } - {"finished_games.players"}
    assert of_users <= set(TREATMENT)
    assert len(of_users) >= 12
    assert {name.partition(".")[0] for name in of_users if name.endswith(".user_id")} - {"events"} == set(
        personal.OWNED
    )


async def test_nothing_of_a_person_is_left_anywhere(core: Core, settings: Settings) -> None:
    await _lived(core, settings)
    traces = _traces(settings)
    expected = {name for name in TREATMENT if name.endswith(("user_id", "host_id", ".name", "lucky_word"))}
    assert traces == expected | {"events.lines", "games.options"}, "the test has to leave a trace in every such column"
    await privacy.forget(core, ZAPHOD)
    assert _traces(settings) == set()
    assert (await privacy.about(core, ZAPHOD.user_id)).nothing
    assert (await privacy.about(core, ZAPHOD.user_id)).notify is None


async def test_the_number_in_a_persons_place_tells_nothing_and_is_another_each_time(
    core: Core, settings: Settings
) -> None:
    table = await play_on(core, await _begun(core, CHANNEL))
    await privacy.forget(core, ZAPHOD)
    first = (await load(core, table.id)).seats[0]
    again = await play_on(core, await _begun(core, CHANNEL))
    await privacy.forget(core, ZAPHOD)
    second = (await load(core, again.id)).seats[0]
    assert first.former
    assert second.former
    assert first.user_id != second.user_id
    assert -ZAPHOD.user_id not in (first.user_id, second.user_id)
    assert not first.present, "nobody is asked for a rematch who is gone"


async def test_games_stay_readable_and_provable(core: Core, settings: Settings) -> None:
    lived = await _lived(core, settings)
    before = {name: await load(core, lived[name]) for name in ("finished", "cancelled")}
    await privacy.forget(core, ZAPHOD)
    for name, table in before.items():
        proof, document = await proofs.prove(core, lived[name])
        after = await load(core, lived[name])
        assert proof.state == table.game
        assert WORD not in document
        assert "clover" in document
        assert NAME not in document
        assert str(ZAPHOD.user_id) not in document
        assert verify(read_export(document)).export.words_digest == table.source.words_digest
        assert [seat.name for seat in after.seats] == [personal.FORMER_NAME, "Ben", "Cem"]
        assert [seat.user_id for seat in after.seats[1:]] == [BEN.user_id, CEM.user_id]


async def test_a_game_without_a_lucky_word_of_theirs_keeps_all_words(core: Core) -> None:
    table = await play_on(core, await _begun(core, CHANNEL))
    await privacy.forget(core, CEM)
    after = await load(core, table.id)
    assert after.words_digest is None
    assert [seat.lucky_word for seat in after.seats] == [WORD, "clover", ""]


async def test_two_people_of_one_game_can_both_be_forgotten(core: Core) -> None:
    table = await play_on(core, await _begun(core, CHANNEL))
    await privacy.forget(core, ZAPHOD)
    await privacy.forget(core, BEN)
    after = await load(core, table.id)
    assert [seat.lucky_word for seat in after.seats] == ["", "", ""]
    assert after.words_digest == table.source.words_digest
    assert (await proofs.prove(core, table.id))[0].state == table.game


async def test_a_running_game_goes_on_with_the_house_and_the_same_dice(core: Core) -> None:
    table = await _begun(core, CHANNEL)
    changed = await privacy.forget(core, ZAPHOD)
    assert changed == [table.id]
    after = await load(core, table.id)
    assert after.status is Status.PLAYING
    seat = after.seats[0]
    assert (seat.user_id, seat.house is not None, seat.lucky_word) == (None, True, "")
    assert after.host_id == BEN.user_id
    assert after.source.words_digest == table.source.words_digest
    assert after.source.roll(3, 1, 2) == table.source.roll(3, 1, 2)
    assert after.timing.house_at is not None or on_turn(after) in (BEN.user_id, CEM.user_id)


async def test_a_lobby_is_left_and_its_table_stays(core: Core) -> None:
    table = await seated(core, 3)
    assert await privacy.forget(core, ADA) == [table.id]
    after = await load(core, table.id)
    assert [seat.user_id for seat in after.seats] == [BEN.user_id, CEM.user_id]
    assert after.host_id == BEN.user_id


async def test_the_last_one_closes_the_table(core: Core) -> None:
    table = await seated(core, 1)
    await privacy.forget(core, ADA)
    after = await load(core, table.id)
    assert after.status is Status.ABANDONED
    assert after.seats[0].former


async def test_others_keep_everything(core: Core, settings: Settings) -> None:
    lived = await _lived(core, settings)
    before = {user.user_id: await privacy.about(core, user.user_id) for user in (ADA, BEN, CEM, DOT)}
    exported = json.loads((await privacy.export(core, BEN.user_id)).content)["tables"]
    await privacy.forget(core, ZAPHOD)
    assert {user_id: await privacy.about(core, user_id) for user_id in before} == before
    after = json.loads((await privacy.export(core, BEN.user_id)).content)["tables"]
    assert after["results"] == exported["results"]
    assert after["standings"] == exported["standings"]
    assert len(after["events"]) == len(exported["events"])
    assert lived["finished"] in str(after["games"])


async def test_whoever_sits_down_in_the_middle_of_it_is_asked_to_get_up_again(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    await seated(core, 2)
    real, sat_down = privacy._forget_moves, [0]

    async def sit_down(core: Core, user_id: int) -> None:
        await real(core, user_id)
        if sat_down[0] < 1:
            sat_down[0] += 1
            await lobby.open_table(core, ADA, guild_id=GUILD, channel_id=CHANNEL + 7, locale="en")

    monkeypatch.setattr(privacy, "_forget_moves", sit_down)
    changed = await privacy.forget(core, ADA)
    assert len(changed) == 2
    assert (await privacy.about(core, ADA.user_id)).nothing


async def test_the_file_has_everything_that_a_deletion_would_take(core: Core, settings: Settings) -> None:
    lived = await _lived(core, settings)
    file = await privacy.export(core, ZAPHOD.user_id)
    assert file.name == f"highscore-data-{ZAPHOD.user_id}.json"
    document = json.loads(file.content)
    assert document["format"] == privacy.FORMAT
    tables = document["tables"]
    counted = (await privacy.about(core, ZAPHOD.user_id)).rows
    assert {name: len(tables[name]) for name in counted} == counted
    assert all(counted.values()), "the test has to leave a trace in every table"
    assert {row["id"] for row in tables["games"]} == set(lived.values())
    assert [row["lucky_word"] for row in tables["seats"] if row["game_id"] == lived["finished"]] == [WORD]
    assert tables["player_settings"][0]["notify"] == Notify.DIRECT.value
    told = "\n".join(row["lines"] for row in tables["events"])
    assert "was skipped by user" in told
    assert f"user {ZAPHOD.user_id} was removed by another person" in told
    assert str(ADA.user_id) not in file.content.decode()
    assert str(BEN.user_id) not in file.content.decode()


async def test_a_file_too_large_for_discord_is_packed(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    await seated(core, 2)
    plain = (await privacy.export(core, ADA.user_id)).content
    monkeypatch.setattr(privacy, "LARGEST_FILE", 100)
    packed = await privacy.export(core, ADA.user_id)
    assert packed.name.endswith(".json.gz")
    assert gzip.decompress(packed.content) == plain


async def test_somebody_who_never_played_has_nothing_and_can_be_forgotten(core: Core) -> None:
    assert (await privacy.about(core, DOT.user_id)).nothing
    assert await privacy.forget(core, DOT) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("remark user 12 was removed by user 123", "remark a former player was removed by user 123"),
        ("abandoned user 12", "abandoned a former player"),
        ("remark seat 1 was removed by user 12\n0 take", "remark seat 1 was removed by a former player\n0 take"),
        ("remark user 121 left", "remark user 121 left"),
    ],
)
def test_only_the_person_is_taken_out_of_remarks(lines: str, expected: str) -> None:
    assert personal.without(lines, 12) == expected


async def test_a_deletion_that_was_cut_off_is_finished_by_the_next_one(
    core: Core, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _lived(core, settings)

    async def killed(*_args: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(personal, "forget", killed)
        with pytest.raises(RuntimeError):
            await privacy.forget(core, ZAPHOD)
    assert _traces(settings) != set()
    await privacy.forget(core, ZAPHOD)
    assert _traces(settings) == set()


async def test_many_games_are_done_in_portions(core: Core, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal, "AT_ONCE", 1)
    await _lived(core, settings)
    await privacy.forget(core, ZAPHOD)
    assert _traces(settings) == set()


def test_a_former_player_is_no_house_player() -> None:
    former = replace(_seat(), user_id=-5)
    assert (former.former, former.present) == (True, True)
    assert not _seat().former
    assert not replace(_seat(), user_id=None).former


def _seat() -> Seat:
    return Seat(7, "Ada")


async def test_errors_of_the_database_tell_nothing_of_a_person(core: Core) -> None:
    table = await _begun(core, CHANNEL)
    with pytest.raises(IntegrityError) as failed:
        await core.database.write(lambda connection: store.insert_table(connection, table, core.now()))
    assert "unique constraint" in str(failed.value).lower()
    assert NAME not in str(failed.value)
    assert str(ZAPHOD.user_id) not in str(failed.value)


def test_the_notice_says_when_a_servers_data_goes() -> None:
    notice = (Path(__file__).parents[3] / "docs" / "privacy.md").read_text("utf-8")
    assert Settings.model_fields["purge_days"].default == 30
    assert "Thirty days later (setting `PURGE_DAYS`)" in notice

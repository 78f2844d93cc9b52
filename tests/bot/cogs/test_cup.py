from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import discord
import pytest
from simcord import InteractionResult, MemberActor

from bot.cogs.common import UserRequest
from bot.domain.cup import CupView, Status
from bot.services import challenge, cup_leg
from bot.services.core import Person, Place
from bot.services.cup import NewCup, list_cups, open_cup, view_cup
from bot.ui.buttons import FAME, ChallengePress, Verb
from bot.ui.cup import NO_CUP
from tests import simulation
from tests.bot import dailies, passing
from tests.bot.databases import everything, execute
from tests.bot.server import Server, private, private_message
from tests.simulation import Click

MODERATING = (Verb.REMOVE, Verb.PROLONG, Verb.END, Verb.DRAWS)


@dataclass
class Cup:
    """A cup on the server, whose id the database knows."""

    server: Server
    id: str

    @classmethod
    async def open(cls, server: Server, people: int, **options: Any) -> Cup:
        """Open a cup and let the first members enter it; its sign-up is posted and drawn anew."""
        earlier = {each.id for each in await list_cups(server.bot.core, server.guild.id)}
        await server.slash(server.members[0], "cup", new="Spring", **options)
        await server.env.advance_time(1)
        (new,) = [each for each in await list_cups(server.bot.core, server.guild.id) if each.id not in earlier]
        cup = cls(server, new.id)
        for member in server.members[:people]:
            await cup.press(member, Verb.ENTER)
        await server.env.advance_time(5)
        return cup

    @classmethod
    async def of(cls, server: Server) -> Cup:
        return cls(server, (await list_cups(server.bot.core, server.guild.id))[0].id)

    def custom_id(self, verb: Verb, leg: int = 0, argument: int = 0) -> str:
        return f"hc:{verb.value}:{self.id}:{leg}:{argument}"

    async def press(self, member: MemberActor, verb: Verb, leg: int = 0, argument: int = 0) -> InteractionResult:
        """Press a button of the cup on its newest message, whether or not it is there."""
        return await self.server.send(member, self.custom_id(verb, leg, argument))

    async def page(self, member: MemberActor, verb: Verb, leg: int = 0) -> CupPage:
        return CupPage.of(self.server, member, await self.press(member, verb, leg))

    async def go_on(self) -> CupView:
        """Let time pass until the next leg is open, or the cup is over."""
        view = await self.view()
        moment = view.cup.begins_at if view.open_leg is None else view.open_leg.ends_at
        await passing.wait_until(self.server, moment, 60)
        return await self.view()

    async def play_leg(self, *, but: MemberActor | None = None) -> CupView:
        """Let everybody who is in the open leg but one begin it, and time pass until it is closed."""
        view = await self.view()
        for number in (one for each in view.legs[-1].leg.groups for one in each.entrants):
            member = self.server.member(view.cup.entrants[number].user_id)
            page = None if member == but or number in view.cup.left else await self.page(member, Verb.PLAY)
            if page is not None and page.play.turn is None and not page.play.finished:
                await page.press(Verb.TAKE)
        return await self.go_on()

    async def play_out(self) -> None:
        """Begin the cup and play all its legs."""
        await self.go_on()
        while (await self.view()).cup.status.running:
            await self.play_leg()

    async def view(self) -> CupView:
        return await view_cup(self.server.bot.core, self.id)


@dataclass
class CupPage(dailies.Player):
    rules: ClassVar[challenge.Rules[Any]] = cup_leg.RULES

    async def opened(self, verb: Verb) -> CupPage:
        return CupPage.of(self.server, self.member, await self.press(verb))

    async def pick(self, verb: Verb, value: str) -> InteractionResult:
        chosen = next(each for each in self.selects() if each.custom_id.split(":")[1] == verb.value)
        return await self.member.select(self.page, custom_id=chosen.custom_id, values=[value])

    def selects(self) -> list[discord.SelectMenu]:
        rows = [row for row in self.page.components if isinstance(row, discord.ActionRow)]
        return [each for row in rows for each in row.children if isinstance(each, discord.SelectMenu)]


async def test_the_next_cup_has_the_same_settings_and_doubled_presses_open_one(server: Server) -> None:
    ada, ben, cem = server.members[:3]
    cup = await Cup.open(server, 3, legs=3, days=1, entrants=5)
    assert "already a cup in this channel" in private(await cup.press(ada, Verb.NEXT)), (
        "a forged press while the cup runs"
    )
    await cup.play_out()
    assert (await cup.view()).cup.status is Status.OVER
    assert Verb.NEXT in server.verbs()
    results = await asyncio.gather(*(cup.press(member, Verb.NEXT) for member in (ben, ben, cem)))
    told = Counter("already a cup in this channel" in private(each) for each in results)
    assert told == Counter({True: 2, False: 1})
    assert len(server.rows("select id from cups")) == 2
    following = (await (await Cup.of(server)).view()).cup
    old = (await cup.view()).cup
    for setting in ("name", "format", "length", "days", "most", "channel_id", "locale"):
        assert getattr(following, setting) == getattr(old, setting), setting
    assert following.id != old.id
    assert following.entrants == ()
    assert following.host_id in (ben.id, cem.id)
    await server.env.advance_time(5)
    assert Verb.ENTER in server.verbs()
    assert "already a cup in this channel" in private(await cup.press(ada, Verb.NEXT)), "late"
    assert "no longer exists" in private(await Cup(server, "f" * 12).press(ada, Verb.NEXT))


async def test_only_those_who_may_open_cups_open_the_next_one(server: Server) -> None:
    ben, cem = server.members[1:3]
    cup = await Cup.open(server, 3, legs=3, days=1)
    await cup.play_out()
    role = server.guild.create_role("hosts")
    await passing.administer(server, opener_role=role.id)
    assert "a certain role" in private(await cup.press(ben, Verb.NEXT))
    await passing.administer(server, opener_role=None, channels=(server.guild.create_text_channel("arcade").id,))
    assert "is played in" in private(await cup.press(cem, Verb.NEXT))
    assert len(await list_cups(server.bot.core, server.guild.id)) == 1


async def test_the_next_cup_of_a_deleted_channel_is_refused_or_ends_by_itself(server: Server) -> None:
    ben, eve = server.members[1], server.members[4]
    cup = await Cup.open(server, 3, legs=3, days=1)
    await cup.play_out()
    elsewhere = replace(server, channel=server.guild.create_text_channel("elsewhere"))
    await server.env.settle()
    await elsewhere.slash(eve, "new")
    assert (await cup.press(ben, Verb.NEXT)).acknowledged
    server.env.backend.delete_channel(server.channel.id)
    await server.env.settle()
    following = (await (await Cup.of(server)).view()).cup
    await passing.wait_until(elsewhere, following.begins_at, 60)
    await passing.wait_until(elsewhere, (await (await Cup.of(server)).view()).cup.begins_at, 60)
    running = [each for each in await list_cups(server.bot.core, server.guild.id) if each.status.running]
    assert running == []
    await elsewhere.slash(ben, "cup", new="Summer")
    await server.env.advance_time(5)
    assert Verb.ENTER in elsewhere.verbs()


async def test_refusals_are_kind_and_change_nothing(server: Server) -> None:
    ada, ben, _cem, _dot, eve, fay = server.members
    cup = await Cup.open(server, 4, format="knockout", days=1)
    image = everything(server.settings)
    for member, verb, leg, argument, reason in (
        (ada, Verb.PLAY, 0, 0, "No leg is open"),
        (ada, Verb.REPORT, 1, 0, "when the leg is over"),
        (eve, Verb.PLAY, 0, 0, "not in this cup"),
        (eve, Verb.LEAVE, 0, 0, "not in this cup"),
        (eve, Verb.REMOVE, 1, 0, "Manage Server"),
        (eve, Verb.REMOVE, 0, 0, "from the list"),
        (eve, Verb.PROLONG, 0, 0, "Manage Server"),
        (eve, Verb.DRAWS, 0, 0, "sealed until the end"),
        (eve, Verb.END, 1, 0, "Manage Server"),
        (eve, Verb.JOIN, 0, 0, "doesn't work here"),
    ):
        assert reason in private(await cup.press(member, verb, leg, argument)), verb
    unknown = Cup(server, "f" * 12)
    for verb in (Verb.ENTER, Verb.LEAVE, Verb.PLAY, Verb.OPTIONS, Verb.REPORT, *MODERATING):
        assert "no longer exists" in private(await unknown.press(ada, verb, 1)), verb
    assert everything(server.settings) == image
    await cup.go_on()
    page = await cup.page(ben, Verb.PLAY)
    image = everything(server.settings)
    take = page.button(Verb.TAKE)
    for member, custom_id, reason in (
        (eve, cup.custom_id(Verb.ENTER), "has started"),
        (eve, cup.custom_id(Verb.PLAY, 1), "not in this cup"),
        (eve, take, "haven't started"),
        (ada, take, "haven't started"),
        (eve, cup.custom_id(Verb.PROLONG, 1), "Manage Server"),
        (eve, cup.custom_id(Verb.DRAWS), "sealed until the end"),
        (ada, cup.custom_id(Verb.REPORT, 1), "when the leg is over"),
        (fay, cup.custom_id(Verb.REPORT, 0), "when the leg is over"),
        (ben, replace(ChallengePress.parse(take), step=9).custom_id, "out of date"),
    ):
        assert reason in private(await page.send(custom_id, member)) + page.text, custom_id
    assert everything(server.settings) == image
    await cup.go_on()
    for custom_id in (take, page.button(Verb.CARD)):
        assert "over" in private(await page.send(custom_id))


async def test_moderators_remove_prolong_and_end_and_it_is_said_in_public(server: Server) -> None:
    boss = await passing.moderator(server)
    cup = await Cup.open(server, 5, format="knockout", days=1)
    before = await cup.go_on()
    assert not CupPage.selects(await cup.page(server.members[0], Verb.OPTIONS))
    ben = await cup.page(server.members[1], Verb.PLAY)
    page = await cup.page(boss, Verb.OPTIONS)
    assert page.verbs() == {Verb.DRAWS, Verb.PROLONG, Verb.END}
    await page.press(Verb.PROLONG)
    assert page.verbs() == {Verb.DRAWS, Verb.END}
    after = await cup.view()
    assert after.open_leg is not None
    assert before.open_leg is not None
    assert (after.open_leg.ends_at - before.open_leg.ends_at).total_seconds() == 24 * 3600
    await page.pick(Verb.REMOVE, "1")
    assert "Ben" in page.page.content
    await page.press(Verb.REMOVE)
    await server.env.advance_time(5)
    assert "extended this leg by 24 hours" in dailies.words(server.messages[-2])
    assert "A moderator has removed Ben" in dailies.words(server.shown)
    assert "not in this cup" in private(await ben.press(Verb.TAKE)), "nor do they see the dice of their group"
    assert "not in this cup" in private(await cup.press(server.members[1], Verb.PLAY, 1))
    late = cup.custom_id(Verb.PROLONG, 1)
    view = await cup.play_leg()
    assert "leg is over" in private(await page.send(late))
    assert (await cup.view()).open_leg == view.open_leg, "the button was about the leg before"
    page = await cup.page(boss, Verb.OPTIONS)
    await page.press(Verb.END)
    assert (await cup.view()).cup.status.running
    await page.press(Verb.END)
    await server.env.advance_time(5)
    assert "Nobody wins" in dailies.words(server.shown)
    assert not page.verbs() - {Verb.REPORT, Verb.DRAWS}
    assert "over" in private(await cup.press(server.members[0], Verb.PLAY, 2))


async def test_no_cup_of_another_server_can_be_picked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    await Cup.open(server, 0)
    core, place = server.bot.core, Place(server.guild.id + 1, 1, "en")
    other = await open_cup(core, Person(1, "Eva"), place, NewCup("Elsewhere"))
    wrong = {other.id: "doesn't work here", "": "no longer exists", "f" * 12: "no longer exists"}
    for picked, told in wrong.items():
        monkeypatch.setattr(UserRequest, "picked_value", picked)
        assert told in private(await Cup(server, NO_CUP).press(server.members[0], Verb.OPTIONS)), picked


async def test_a_cup_in_a_channel_that_somebody_cannot_see_is_neither_listed_nor_open_to_them(server: Server) -> None:
    ada, ben, cem, outsider = server.members[:4]
    cup = await Cup.open(server, 1)
    passing.forbid(server, "view_channel", member=outsider)
    hall = replace(server, channel=server.guild.create_text_channel("hall"))
    await server.env.settle()
    assert "Spring" in private(await hall.slash(ben, "cup"))
    listed = await hall.slash(outsider, "cup")
    assert "Spring" not in private(listed)
    execute(server.settings, "update cups set status = 'over', finished_at = '2026-01-01 00:00:00.000000'")
    execute(server.settings, "update cup_entrants set won = 1")
    for member, seen in ((outsider, False), (ben, True)):
        await hall.slash(member, "leaderboard", order=FAME)
        assert ("Spring" in str([embed.to_dict() for embed in hall.shown.embeds])) is seen
        assert ("Spring" in private(await hall.slash(member, "stats", player=ada))) is seen
    execute(server.settings, "update cups set status = 'entry', finished_at = null")
    execute(server.settings, "update cup_entrants set won = 0")
    message = private_message(await hall.slash(outsider, "cup"))
    for verb in (Verb.ENTER, Verb.OPTIONS, Verb.REPORT, Verb.LEAVE):
        press = Click(outsider, message.id, cup.custom_id(verb, 1))
        assert "no longer exists" in private(await simulation.click(server.env, hall.channel, press)), verb
    assert (await view_cup(server.bot.core, cup.id)).cup.number_of(outsider.id) is None
    # Somebody who has entered it keeps it.
    await cup.press(cem, Verb.ENTER)
    passing.forbid(server, "view_channel", member=cem)
    await server.env.settle()
    assert "Spring" in private(await hall.slash(cem, "cup"))

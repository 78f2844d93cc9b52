"""People who play the daily challenge by pressing the buttons they see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import discord
from simcord import ChannelHandle, MemberActor

from bot.services import challenge, daily
from bot.services.core import Person
from bot.ui.buttons import ChallengePress, Verb
from highscore import RollType, TakeDice, TurnOrder, replay_events
from highscore.notation import parse_event
from highscore.runs import Run
from highscore.turn import list_choices
from tests.bot.server import PrivatePage, Server, private_message


@dataclass
class Player(PrivatePage):
    rules: ClassVar[challenge.Rules[Any]] = daily.DAYS
    """The rules of the challenges that are played on it."""

    @classmethod
    async def begin(cls, server: Server, member: MemberActor, channel: ChannelHandle | None = None) -> Player:
        """Give the command, which begins the challenge or shows it anew."""
        result = await server.slash(member, "daily", channel=channel)
        return cls(server, member, channel or server.channel, private_message(result).id)

    @property
    def text(self) -> str:
        return words(self.page)

    async def step(self) -> None:
        """Make one decision, always the same in the same position: roll once or twice, then stop."""
        if self.buttons(Verb.TAKE):
            await self.press(Verb.TAKE)
            return
        turn = self.play.turn
        assert turn is not None
        match turn.card.roll_type:
            case RollType.SET_ASIDE if len(turn.free) > 3:
                await self.press(Verb.TOGGLE, 0)
                await self.press(Verb.SET_ASIDE, 0)
            case RollType.SET_ASIDE:
                await self._keep(Verb.SET_ASIDE)
            case RollType.ANY_THREE if turn.rolls == 1:
                await self.press(Verb.TOGGLE, -1)
                await self.press(Verb.TOGGLE, 0)
                await self.press(Verb.ROLL)
            case RollType.FOUR_FULL if turn.rolls == 1:
                await self.press(Verb.ROLL)
            case _:
                await self._keep(Verb.STOP)

    async def _keep(self, verb: Verb) -> None:
        """End the turn, also where that is asked once more."""
        if self.buttons(Verb.ASK):
            await self.press(Verb.ASK)
        await self.press(verb)

    async def play_cards(self, until: int = 7) -> Run:
        """Play until so many cards are finished: by the use case, and the last of them by pressing what is shown."""
        shown = next(each for each in map(str, (one.custom_id for one in self.buttons())) if ":card:" not in each)
        daily_id = ChallengePress.parse(shown).challenge_id
        before = len(self.play.finished)
        while len((run := self.play).finished) < until - 1:
            who = Person(self.member.id, self.member.name.capitalize())
            decision = TakeDice() if run.turn is None else list_choices(run.turn)[-1]
            await challenge.decide_attempt(
                self.server.bot.core,
                self.rules,
                daily_id,
                who,
                decision,
                step=run.step.number,
                channel_id=self.channel.id,
            )
        if before < until - 1:
            await self.send(shown)  # which turns the page into what is so now
        while len(self.play.finished) < until:
            await self.step()
        return self.play

    @property
    def play(self) -> Run:
        """The challenge that this person played last, as the database has it, read without any help of the bot."""
        newest = "select events from attempts where user_id = ? order by updated_at desc, challenge_id limit 1"
        ((lines,),) = self.server.rows(newest, self.member.id)
        return replay_events(1, TurnOrder.OWN_PACE, [parse_event(line) for line in lines.splitlines()]).find_run(0)


def words(message: discord.Message) -> str:
    parts = [message.content]
    for embed in message.embeds:
        parts += [embed.title or "", embed.description or "", embed.footer.text or ""]
        parts += [f"{field.name}\n{field.value}" for field in embed.fields]
    return "\n".join(parts)

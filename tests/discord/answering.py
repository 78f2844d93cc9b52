"""Answers to interactions: the callback, and what the token allows afterwards.

https://discord.com/developers/docs/interactions/receiving-and-responding
"""

import time

from tests.discord import errors, payloads, validation
from tests.discord.calls import Answer, Call
from tests.discord.messages import Messages
from tests.discord.state import (
    ANSWER_SECONDS,
    EPHEMERAL,
    TOKEN_SECONDS,
    UPDATE,
    Interaction,
    Json,
    Message,
    User,
    World,
)

ORIGINAL = "@original"


class Answering:
    def __init__(self, world: World, messages: Messages) -> None:
        self.world = world
        self.messages = messages
        self.answer_seconds = ANSWER_SECONDS
        self.token_seconds = TOKEN_SECONDS

    def callback(self, call: Call, interaction_id: int, token: str) -> Answer:
        """Take the one answer; 10062 after 3 seconds, 40060 for a second one."""
        interaction = self.world.interactions.get(interaction_id)
        if interaction is None or interaction.token != token:
            raise errors.Refusal(*errors.UNKNOWN_INTERACTION)
        try:
            self._answer(interaction, call.body["type"], call.body.get("data") or {}, call.files)
        except errors.Refusal as refusal:
            interaction.refused.append(refusal.code)
            raise
        interaction.changed.set()
        if call.query.get("with_response", "").lower() in ("1", "true"):
            return Answer(200, payloads.callback(interaction, self.world))
        return Answer(204)

    def _answer(self, interaction: Interaction, kind: int, data: Json, files: list[Json]) -> None:
        if interaction.acknowledged:
            raise errors.Refusal(*errors.ALREADY_ACKNOWLEDGED)
        if interaction.expired or interaction.seconds > self.answer_seconds:
            raise errors.Refusal(*errors.UNKNOWN_INTERACTION)
        match kind:
            case 4:  # MESSAGE
                validation.check_message(data, files, new=True)
                reader = self._reader(interaction, data)
                interaction.response = self.messages.make(interaction.channel, data, files, interaction, reader)
            case 5:  # LATER
                reader = self._reader(interaction, data)
                interaction.response = self.messages.make(interaction.channel, {}, [], interaction, reader)
                interaction.response.loading = True
            case 6 | 7 if interaction.message is not None:
                interaction.response = interaction.message
                if kind == UPDATE:
                    self.messages.edit(interaction.message, data, files)
            case 9:  # MODAL
                interaction.modal = data
            case _:
                raise errors.invalid_form(f"type {kind} for an interaction of type {interaction.kind}")
        interaction.callback, interaction.answered_after = kind, interaction.seconds

    def follow_up(self, call: Call, _application_id: int, token: str) -> Answer:
        """Make a further message; the first one after "is thinking" takes its place, and is as private as that."""
        interaction = self._usable(token)
        promised = interaction.response
        if promised is not None and promised.loading:
            self.messages.edit(promised, call.body, call.files)
            message = promised
        else:
            validation.check_message(call.body, call.files, new=True)
            reader = self._reader(interaction, call.body)
            message = self.messages.make(interaction.channel, call.body, call.files, interaction, reader)
            interaction.followups.append(message)
        interaction.changed.set()
        return Answer(200, payloads.message(message, self.world))

    def patch(self, call: Call, _application_id: int, token: str, which: str | int) -> Answer:
        message = self._message(token, which)
        self.messages.edit(message, call.body, call.files)
        interaction = self._usable(token)
        interaction.edits += which == ORIGINAL
        interaction.changed.set()
        return Answer(200, payloads.message(message, self.world))

    def delete(self, _call: Call, _application_id: int, token: str, which: str | int) -> Answer:
        self._message(token, which).deleted = True
        return Answer(204)

    def _message(self, token: str, which: str | int) -> Message:
        interaction = self._usable(token)
        if which == ORIGINAL:
            found = interaction.response
        else:
            found = next((each for each in interaction.followups if each.id == which), None)
        if found is None or found.deleted:
            raise errors.Refusal(*errors.UNKNOWN_MESSAGE)
        return found

    def _usable(self, token: str) -> Interaction:
        interaction = self.world.by_token.get(token)
        if interaction is None or interaction.expired or time.time() - interaction.created > self.token_seconds:
            raise errors.Refusal(*errors.INVALID_WEBHOOK_TOKEN)
        if not interaction.acknowledged:
            raise errors.Refusal(*errors.UNKNOWN_WEBHOOK)
        return interaction

    @staticmethod
    def _reader(interaction: Interaction, data: Json) -> User | None:
        return interaction.user if int(data.get("flags") or 0) & EPHEMERAL else None

"""Models become JSON and come back the same."""

import json
from typing import Any

import pytest
from simcord.backend.models import (
    AllowedMentions,
    Channel,
    Guild,
    Member,
    Message,
    MessageSticker,
    Overwrite,
    Poll,
    PollAnswer,
    Reaction,
    Role,
    SystemMessageMetadata,
)
from simcord.enums import ChannelType, OverwriteType

from playground.simulated.memory import decode, encode

MODELS: list[Any] = [
    Message(
        id=1,
        channel_id=2,
        author_id=3,
        content="Zwölf 🎲",
        embeds=[{"title": "x", "fields": [{"name": "a", "value": "b", "inline": True}]}],
        reactions=[Reaction("🎲", [3, 4])],
        stickers=[MessageSticker(5, "s", 1, 6)],
        allowed_mentions=AllowedMentions(everyone=False, users=frozenset({7, 8})),
        poll=Poll("Who?", [PollAnswer(1, "Ada")], "2026-01-01", votes={1: {3, 4}, 2: set()}),
        system_metadata=SystemMessageMetadata(recipient_id=9),
        interaction_metadata={"id": "1", "user": {"id": "3"}},
    ),
    Guild(
        id=1,
        name="g",
        owner_id=2,
        roles={1: Role(1, "@everyone", permissions=1 << 50)},
        members={2: Member(2, [1], joined_at="2026-01-01")},
        bans={3: None, 4: "why"},
    ),
    Channel(
        id=1,
        type=ChannelType.PUBLIC_THREAD,
        overwrites=[Overwrite(1, OverwriteType.MEMBER, allow=1, deny=2)],
        thread_members={3: "2026-01-01"},
    ),
    {"$": "a key of theirs that is ours as well", "x": (1, 2.5, None, True)},
    {1: "numbers", "1": "and texts"},
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_everything_survives(model: Any) -> None:
    assert decode(json.loads(json.dumps(encode(model)))) == model


def test_what_cannot_be_kept_is_said_at_once() -> None:
    with pytest.raises(TypeError, match="a object cannot be kept"):
        encode({"x": [object()]})

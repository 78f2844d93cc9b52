"""The fake's state as Discord writes it in JSON: what discord.py reads, and all that is always there (contract.py)."""

from datetime import UTC, datetime

from discord import Permissions

from tests.discord.state import (
    DIRECT,
    FORUM,
    MESSAGE,
    OBFUSCATED,
    UPDATE,
    VOICE,
    Channel,
    Guild,
    Interaction,
    Json,
    Message,
    User,
    World,
)

_JOINED = "2024-01-01T00:00:00+00:00"


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def user(of: User) -> Json:
    return {
        "id": str(of.id),
        "username": of.name,
        "global_name": of.display,
        "discriminator": "0",
        "avatar": None,
        "bot": of.is_bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def own_user(of: User) -> Json:
    return {**user(of), "mfa_enabled": False, "locale": of.locale}


def member(of: User) -> Json:
    found: Json = {"user": user(of), "roles": [], "joined_at": _JOINED, "flags": 0}
    found |= {"pending": False, "mute": False, "deaf": False}
    return found | dict.fromkeys(("avatar", "banner", "communication_disabled_until", "nick", "premium_since"))


def application(world: World) -> Json:
    return {
        "id": str(world.application_id),
        "name": "High Score",
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": user(User(1, "ada", "Ada")),
        "team": None,
        "type": None,
        "flags": 0,
        "flags_new": "0",
        "explicit_content_filter": 0,
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "eligible_oauth2_scopes": [],
        "redirect_uris": [],
        "role_connections_verification_url": None,
        "interactions_endpoint_url": world.interactions_endpoint_url,
        "integration_types_config": {kind: {} for kind in world.installs},
    }


def channel(of: Channel, reader: User | None = None) -> Json:
    """Return a channel; of a thread that ``reader`` has joined, with their membership."""
    found: Json = {"id": str(of.id), "type": of.kind, "name": of.name}
    if of.kind == DIRECT:
        assert of.recipient is not None
        recipients = [user(of.recipient)]
        return {"id": found["id"], "type": DIRECT, "last_message_id": None, "flags": 0, "recipients": recipients}
    assert of.guild is not None
    found |= {"guild_id": str(of.guild.id), "last_message_id": None, "flags": 0}
    if of.is_thread:
        assert of.parent is not None
        if reader is not None and reader.id in of.joined:
            found["member"] = thread_member(of, reader)
        return found | {
            "parent_id": str(of.parent.id),
            "owner_id": str(of.guild.owner.id),
            "message_count": len(of.messages),
            "total_message_sent": len(of.messages),
            "member_count": 1,
            "rate_limit_per_user": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": _JOINED,
                "locked": of.locked,
            },
        }
    of_kind: dict[int, Json] = {VOICE: {"bitrate": 64_000, "user_limit": 0}, FORUM: {"available_tags": []}}
    return {
        **found,
        "position": 0,
        "parent_id": None,
        "nsfw": False,
        "topic": None,
        "rate_limit_per_user": 0,
        "permission_overwrites": [
            {
                "id": str(each.target),
                "type": int(each.of_member),
                "allow": str(each.allow),
                "deny": str(each.deny),
            }
            for each in of.overwrites.values()
        ],
        **of_kind.get(of.kind, {}),
    }


def told_channel(of: Channel, world: World) -> Json:
    """Return a channel as the gateway tells the bot of it: obfuscated if the bot cannot see it."""
    found = channel(of, world.bot)
    if of.guild is None or of.is_thread or world.sees(of, world.bot):
        return found
    known = ("id", "type", "guild_id", "position", "parent_id")
    hidden: Json = {name: value if name in known else None for name, value in found.items()}
    nobody = {"id": str(of.guild.id), "type": 0, "allow": "0", "deny": str(Permissions(view_channel=True).value)}
    return hidden | {"name": "___hidden___", "flags": OBFUSCATED, "permission_overwrites": [nobody]}


def thread_member(of: Channel, reader: User) -> Json:
    return {"id": str(of.id), "user_id": str(reader.id), "join_timestamp": _JOINED, "flags": 0}


def guild(of: Guild, world: World) -> Json:
    """Return a server as in GUILD_CREATE. Without the members intent only the bot's own member is in it."""
    role = {"id": str(of.id), "name": "@everyone", "permissions": str(of.everybody), "position": 0}
    role |= {"color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
    role["colors"] = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "owner_id": str(of.owner.id),
        "roles": [role],
        "features": [],
        "members": [member(world.bot)],
        "member_count": len(of.members),
        "channels": [told_channel(each, world) for each in of.channels.values() if not each.is_thread],
        "threads": [told_channel(each, world) for each in of.threads if world.sees(each, world.bot)],
        "voice_states": [],
        "stage_instances": [],
        "preferred_locale": of.locale,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "nsfw_level": 0,
        "joined_at": _JOINED,
        "unavailable": False,
    }


def own_guild(of: Guild) -> Json:
    found: Json = {"id": str(of.id), "name": of.name, "icon": None, "banner": None, "features": []}
    return found | {"owner": False, "permissions": str(of.everybody)}


def message(of: Message, world: World) -> Json:
    called = [world.users[user_id] for user_id in of.notified]
    found: Json = {
        "id": str(of.id),
        "channel_id": str(of.channel.id),
        "author": user(of.author),
        "content": of.content,
        "embeds": of.embeds,
        "components": of.components,
        "attachments": of.attachments,
        "flags": of.flags,
        "timestamp": moment(of.created),
        "edited_timestamp": None if of.edited is None else moment(of.edited),
        "mentions": [user(each) for each in called],
        "mention_roles": [],
        "mention_everyone": False,
        "pinned": False,
        "tts": False,
        "type": 0 if of.by_interaction is None else 20,
        "application_id": str(world.application_id),
    }
    if of.nonce is not None:
        found["nonce"] = of.nonce
    if of.by_interaction is not None:
        found["webhook_id"] = str(world.application_id)
    return found


def interaction(of: Interaction, world: World) -> Json:
    found: Json = {
        "id": str(of.id),
        "application_id": str(world.application_id),
        "type": of.kind,
        "token": of.token,
        "version": 1,
        "data": of.data,
        "channel_id": str(of.channel.id),
        "channel": channel(of.channel),
        "locale": of.user.locale,
        "app_permissions": str(world.permissions(of.channel, world.bot).value),
        "entitlements": [],
        "authorizing_integration_owners": {"1": str(of.user.id)},
        "attachment_size_limit": 10 * 2**20,
    }
    place = of.channel.guild
    if place is None:
        found["user"] = user(of.user)
    else:
        permissions = str(world.permissions(of.channel, of.user).value)
        found["channel"]["permissions"] = permissions
        if world.bot.id in place.members:
            found["authorizing_integration_owners"] = {"0": str(place.id)}
        found |= {
            "guild": {"id": str(place.id), "locale": place.locale, "features": []},
            "guild_id": str(place.id),
            "guild_locale": place.locale,
            "member": member(of.user) | {"permissions": permissions},
        }
    if of.message is not None:
        found["message"] = message(of.message, world)
    return found


def callback(of: Interaction, world: World) -> Json:
    """Return the body of an answer by ``with_response``.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-callback-interaction-callback-response-object
    """
    found: Json = {"interaction": {"id": str(of.id), "type": of.kind, "activity_instance_id": None}}
    if of.response is not None:
        found["interaction"] |= {
            "response_message_id": str(of.response.id),
            "response_message_loading": of.response.loading,
            "response_message_ephemeral": of.response.ephemeral,
        }
        if of.callback in (MESSAGE, UPDATE):
            found["resource"] = {"type": of.callback, "message": message(of.response, world)}
    return found

"""The simulated Discord of the playground, on top of simcord.

simcord is made for tests. Its worlds exist for seconds, its clock stands still, and it keeps all logs. The playground
needs the opposite, which simcord's public API does not offer. Only this package uses simcord's internals:

- `backend`: a `simcord.backend.Backend` that reports changes and does not keep logs
- `env`: a `simcord.Env` that does not fail if the bot is still busy, and a language for each user
- `world_json`: the world as JSON, and back
- `look` and `engine`: the interface for the rest of the playground
"""

from simcord.backend.models import Interaction

from playground.simulated.backend import MessageKey, emoji_url
from playground.simulated.engine import ActionResult, Engine

__all__ = ["ActionResult", "Engine", "Interaction", "MessageKey", "emoji_url"]

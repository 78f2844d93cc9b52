"""The simulated Discord underneath the playground.

simcord is made for tests: worlds that live for seconds, a clock that stands still, logs that are kept for
the post-mortem. The playground wants the opposite, and that cannot be had through simcord's public names
alone. Whatever touches its internals lives in this package and nowhere else:

- `backend`: a `simcord.backend.Backend` that tells what changed and forgets its logs
- `env`: a `simcord.Env` that never fails for a bot which is still busy, and each user's own language
- `memory`: the world as plain JSON and back
- `look` and `engine`: what the rest of the playground calls
"""

from simcord.backend.models import Interaction

from playground.simulated.backend import MessageKey, emoji_url
from playground.simulated.engine import ActionResult, Engine

__all__ = ["ActionResult", "Engine", "Interaction", "MessageKey", "emoji_url"]

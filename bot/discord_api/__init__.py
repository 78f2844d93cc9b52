"""The edge to Discord: answers, errors, messages, permissions, limits and the gateway."""

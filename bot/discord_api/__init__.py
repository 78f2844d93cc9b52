"""The edge to Discord: answering, errors, messages, permissions, limits."""

"""High Score: the rules of the dice game, pure and synchronous."""

__version__ = "0.1.0"

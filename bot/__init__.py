"""The Discord bot that plays High Score."""

"""The health and the backlog of the bot, and the port at which operators read them."""

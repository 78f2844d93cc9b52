"""Pure values and decisions that all rooms of the bot share. Knows no database and no Discord."""

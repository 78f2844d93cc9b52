"""What all of the bot talks about: pure values and decisions. Knows no database and no Discord."""

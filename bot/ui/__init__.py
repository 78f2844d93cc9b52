"""Everything that the bot shows: texts, embeds, buttons and pictures. It is made from values, without the database."""

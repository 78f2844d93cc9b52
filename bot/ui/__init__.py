"""From a table to what people see: texts, embeds, buttons. Knows the game and Discord's shapes, no database."""

"""The screens: texts, embeds, buttons and pictures of tables. Knows the game and Discord's shapes, no database."""

"""What operators see of the bot: its log, its metrics, and whether it is well."""

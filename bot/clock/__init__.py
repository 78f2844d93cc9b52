"""Deadlines, reminders, quiet hours: what happens because time passes. Its memory is rows in the database."""

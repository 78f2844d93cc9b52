"""The database: its tables, its transactions, and queries."""

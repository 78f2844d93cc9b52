"""The database: tables, one transaction a use case, queries."""

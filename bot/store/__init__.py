"""The database: its tables, its transactions, and queries.

A function with a parameter ``connection`` works inside the transaction of its caller.
"""

"""The use cases: one function each, one transaction each."""

"""A plain model of what is stored, and the machine that holds the service to it."""

"""A plain model of the whole service, and the machine that holds the service to it."""

"""What operators look at: health, the backlog, the port for metrics."""

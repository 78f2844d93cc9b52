"""What operators look at: health, backlog, and the port that serves them."""

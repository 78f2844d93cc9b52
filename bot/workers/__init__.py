"""Everything that runs without a press: workers, and the registration of commands."""

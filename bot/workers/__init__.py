"""Everything that runs beside the clicks."""

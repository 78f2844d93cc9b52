"""The checks of doctor: each module yields findings and changes nothing."""

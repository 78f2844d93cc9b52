"""What doctor looks at: each module yields findings and changes nothing."""

"""Everything that only the course needs; the library around this folder never imports it."""

"""What a student's answer is held against, with the hint for each known mistake; one folder per unit."""

"""The checks of students' answers, with a hint for each known mistake; one folder per unit."""

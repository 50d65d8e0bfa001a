"""From an instructor's text source to the notebooks that students get: build, rules, running times."""

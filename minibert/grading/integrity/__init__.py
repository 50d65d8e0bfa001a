"""Academic integrity: flags and similar answers for a person to judge. Neither changes any points."""

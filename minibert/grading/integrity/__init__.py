"""Academic integrity: flags for a person to judge, and similarity of answers; neither changes any points."""

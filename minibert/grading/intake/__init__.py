"""From whatever a class hands in to notebooks that can be graded; also the check before handing in."""

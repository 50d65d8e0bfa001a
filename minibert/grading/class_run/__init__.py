"""One submission graded, and a whole class: in parallel, on several machines, resumed where it stopped."""

"""Report on graded work: feedback pages, gradebook, tables and summary."""

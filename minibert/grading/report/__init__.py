"""What people get to see after grading: feedback pages, gradebook, tables, summary."""
